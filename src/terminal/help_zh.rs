//! The Chinese help text at a terminal.

/// The list for users at a terminal.
pub(super) const OF_PEOPLE: &str = "\
终端用户的命令：
help                   显示本列表
play [red|black] [N]   与引擎对弈，执红或执黑；引擎每步 N 秒（1）
play off               结束与引擎的对弈
move MOVE...           走棋；直接输入 MOVE 也可以
undo [N]               收回自己的上一步棋，或最近的 N 步棋
new                    重新开始一局
d [chinese|letters]    显示棋盘（汉字或字母）、FEN、键值和分值
moves                  列出全部合法着法
eval                   显示静态评价的各项
flip                   红黑互换
perft [N]              统计每个着法之后 N 层的变化数
bench [N]              搜索一组固定局面（测速）
";

/// The commands of both protocols.
pub(super) const OF_PROTOCOLS: &str = "
UCCI 和 UCI 的指令：
ucci                   使用 UCCI（启动时即如此），并列出选项
uci                    使用 UCI，并列出选项
isready                等待引擎准备就绪
setoption NAME VALUE   设置选项；也可写作 setoption name NAME value VALUE
newgame                新局，清除上一局的记忆；也可写作 ucinewgame、
                       uccinewgame、uxinewgame
position startpos moves MOVE...
                       设置局面；也可写作 position fen FEN moves MOVE...，
                       position 一词可以省略：startpos、fen
banmoves MOVE...       在当前局面禁止这些着法
domove MOVE            走一步棋，不作反馈
go LIMITS              搜索：go depth 12、go nodes 100000、go movetime 1000、
                       go mate 3、go infinite、go time 60000 increment 0
stop                   停止正在进行的工作
ponderhit              对方走了 go ponder 所猜的着法
probe startpos moves MOVE...
                       显示置换表中的内容
debug on               说明每条指令如何理解；debug off 关闭
register               没有作用，本引擎不需要注册
quit                   退出程序
";

/// The notes below the lists.
pub(super) const NOTES: &str = "
MOVE 写作 h2e2、C2=5 或 炮二平五；在 banmoves、domove 和 go 之后只能写作 h2e2。
分值都是对走棋方而言。在 UCCI 中，一个马或炮为 100 分；在 UCI 中为 400 厘兵。
降低棋力：setoption limitstrength true，setoption elo 1200。
对弈中要提示：go movetime 1000。
手册：发布包和源代码中的 docs/zh 文件夹。
";
