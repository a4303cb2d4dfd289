//! Chinese texts of the help.

use chuhe::help::Texts;

/// Every sub-command and argument.
pub(crate) const TEXTS: Texts = &[
    ("", "生成、检查和查询楚河使用的残局库"),
    (
        "...",
        "示例：
  chuhe-endgame generate KR-KN --folder tables   生成单车对单马的残局库
  chuhe-endgame help generate                    显示子命令的帮助

手册：docs/zh/src/endgames.md",
    ),
    ("generate", "生成残局库，以及由此吃子后变成的所有残局；中止以后重复同一命令就会继续"),
    ("generate materials", "残局的名称，如 KR-KAABB：双方的棋子"),
    ("generate folder", "残局库的文件夹 [默认：环境变量 CHUHE_ENDGAMES]"),
    ("generate threads", "线程数 [默认：处理器的个数]"),
    ("generate memory", "一个残局库各项所占内存的上限（MiB），其余的放在文件夹中的临时文件里"),
    ("generate every", "不在终端中运行时，每隔多少秒报告一行进度"),
    ("verify", "用引擎自己的棋盘检查每一项是否与后续局面一致"),
    ("verify materials", "要检查的残局库 [默认：文件夹中的全部]"),
    ("verify folder", "残局库的文件夹 [默认：环境变量 CHUHE_ENDGAMES]"),
    ("verify threads", "线程数 [默认：处理器的个数]"),
    ("verify every", "不在终端中运行时，每隔多少秒报告一行进度"),
    ("stats", "在整个棋盘上统计胜、负、和的局面数"),
    ("stats materials", "要统计的残局库 [默认：文件夹中的全部]"),
    ("stats folder", "残局库的文件夹 [默认：环境变量 CHUHE_ENDGAMES]"),
    ("stats threads", "线程数 [默认：处理器的个数]"),
    ("stats every", "不在终端中运行时，每隔多少秒报告一行进度"),
    ("stats mates", "同时报告到将死的最长步数（DTM），吃子以后也计算在内：在内存中求解，连同由此吃子后变成的所有残局"),
    ("duel", "让 UCI 引擎与残局库对弈，局面取自残局库"),
    ("duel materials", "从这些残局中轮流取局面"),
    ("duel folder", "残局库的文件夹 [默认：环境变量 CHUHE_ENDGAMES]"),
    ("duel engine", "UCI 引擎的路径"),
    ("duel options", "引擎的选项，写作 `name=value`，在第一局之前设置"),
    ("duel games", "盘数"),
    ("duel plies", "胜局到终局或吃子的最少步数"),
    ("duel hold", "改为守住和棋局面，由后一方先走"),
    ("duel go", "每次搜索的限制，与 `go` 之后相同：movetime、depth、nodes"),
    ("duel timeout", "等待引擎反馈的最长时间，以秒为单位"),
    ("duel seed", "选取局面的种子，也用于残局库在同样好的着法中的选择"),
    ("pack", "把残局库，以及由此吃子后变成的所有残局，打包成程序内置的那一个文件"),
    ("pack materials", "残局的名称，如 KR-KAABB：双方的棋子"),
    ("pack folder", "残局库的文件夹 [默认：环境变量 CHUHE_ENDGAMES]"),
    ("pack out", "要写的文件；已有的文件如果是打包的残局库，就被替换"),
    ("checksums", "显示每个残局库文件的校验和：结果文件与步数文件的 64 位 XXH3"),
    ("checksums materials", "要用的残局库 [默认：文件夹中的全部]"),
    ("checksums folder", "残局库的文件夹 [默认：环境变量 CHUHE_ENDGAMES]"),
    ("probe", "显示残局库中一个或许多局面和其中每步棋的结果"),
    ("probe fen", "局面（FEN）；`-` 从标准输入读取，每行一个"),
    ("probe file", "每行一个 FEN 的文件"),
    ("probe json", "每个局面输出一行 JSON 对象"),
    ("probe no_moves", "不列着法，所需的时间少得多"),
    ("probe folder", "残局库的文件夹 [默认：环境变量 CHUHE_ENDGAMES]"),
];
