//! The help text: the available commands, a line each.

use crate::engine::event::Pieces;
use crate::help::is_chinese;

const OF_PEOPLE: &str = "\
For people at a terminal:
help                   this list
play [red|black] [N]   play against the engine, which takes N seconds a move (1)
play off               leave that game
move MOVE...           play moves; MOVE alone does the same
undo [N]               take back your last move, or the last N moves
new                    begin another game
d [chinese|letters]    draw the board, with FEN, key and value
moves                  list the legal moves
eval                   show the parts of the static value
flip                   exchange the colours
perft [N]              count the lines of N plies below each move
bench [N]              search the fixed positions of the signature
";

const OF_PROTOCOLS: &str = "
Words of UCCI and UCI:
ucci                   speak UCCI, as at the start, and list the options
uci                    speak UCI and list the options
isready                wait until all is ready
setoption NAME VALUE   set an option; also setoption name NAME value VALUE
newgame                forget what the last game has taught; also ucinewgame,
                       uccinewgame, uxinewgame
position startpos moves MOVE...
                       set up a game; also position fen FEN moves MOVE...,
                       and the same without the word position: startpos, fen
banmoves MOVE...       forbid moves in this position
domove MOVE            play a move and say nothing
go LIMITS              search: go depth 12, go nodes 100000, go movetime 1000,
                       go mate 3, go infinite, go time 60000 increment 0
stop                   end what is under way
ponderhit              the move expected by go ponder was played
probe startpos moves MOVE...
                       show what the hash table knows
debug on               say what each command is taken for; debug off: do not
register               nothing, there is nothing to register
quit                   end the program
";

const IN_CHINESE: &str = "\
终端指令：
help                   显示这份说明
play [red|black] [N]   与引擎下棋，您执红或执黑，引擎每步用 N 秒（默认 1）
play off               结束对弈
move MOVE...           走一步或几步棋；直接输入着法也可以
undo [N]               悔棋：收回您的上一步，或最后 N 步
new                    重新开局
d [chinese|letters]    显示棋盘、FEN、键值和分值
moves                  列出合法着法
eval                   显示静态评价的各个部分
flip                   红黑互换
perft [N]              统计每个着法之后 N 层的着法序列
bench [N]              搜索一组固定局面

UCCI 和 UCI 指令：
ucci                   使用 UCCI（启动时即如此），列出选项
uci                    使用 UCI，列出选项
isready                等待引擎就绪
setoption NAME VALUE   设置选项，也可写成 setoption name NAME value VALUE
newgame                新局，清空上一局的记忆；也可写成 ucinewgame、
                       uccinewgame、uxinewgame
position startpos moves MOVE...
                       设定局面；也可写成 position fen FEN moves MOVE...，
                       position 一词可以省略：startpos、fen
banmoves MOVE...       禁止当前局面的某些着法
domove MOVE            走一步棋，不显示
go LIMITS              思考：go depth 12、go nodes 100000、go movetime 1000、
                       go mate 3、go infinite、go time 60000 increment 0
stop                   停止思考
ponderhit              对方走了后台思考所猜的着法
probe startpos moves MOVE...
                       查询置换表中的局面
debug on               说明每条指令如何理解；debug off 关闭
register               无作用，不需要注册
quit                   退出

着法 MOVE 可以写成 h2e2、C2=5 或 炮二平五；
banmoves、domove 和 go 只用 h2e2 的写法。
分值都是走棋方的：马或炮在 UCCI 下值 100，在 UCI 下值 400 厘兵。
想要弱一些的对手：setoption limitstrength true，setoption elo 1200。
对局中要提示：go movetime 1000。
";

/// Returns examples of moves as a user may write them.
pub(super) fn examples(pieces: Pieces) -> &'static str {
    match pieces {
        Pieces::Chinese => "h2e2, C2=5 or 炮二平五",
        Pieces::Letters => "h2e2 or C2=5",
    }
}

/// Returns the list of the commands in the user's language, in characters that the terminal shows.
pub(super) fn text(pieces: Pieces) -> String {
    match pieces {
        Pieces::Chinese if is_chinese() => IN_CHINESE.to_owned(),
        _ => in_english(pieces),
    }
}

fn in_english(pieces: Pieces) -> String {
    let notes = format!(
        "\nMOVE is {}; behind banmoves, domove and go h2e2 alone.\n\
         All values are for the side to move. In UCCI a horse or cannon is worth 100,\n\
         in UCI 400 centipawns.\n\
         A weaker opponent: setoption limitstrength true, setoption elo 1200.\n\
         A hint in a game: go movetime 1000.\n",
        examples(pieces)
    );
    [OF_PEOPLE, OF_PROTOCOLS, &notes].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::words_of_commands;
    use crate::score::Score;

    #[test]
    fn every_command_has_its_place() {
        let width = |line: &str| -> usize { line.chars().map(|letter| if letter.is_ascii() { 1 } else { 2 }).sum() };
        for help in [&in_english(Pieces::Chinese), IN_CHINESE] {
            for word in words_of_commands() {
                let is_it = |found: &str| found == word;
                let has_it = |line: &str| line.split([' ', ',', ';', '、', '，', '：']).any(is_it);
                assert!(help.lines().any(has_it), "{word}");
            }
            assert!(help.lines().all(|line| width(line) <= 80), "{help}");
        }
        assert!(in_english(Pieces::Letters).is_ascii());
    }

    #[test]
    fn the_unit_is_that_of_the_protocols() {
        assert_eq!(Score::MINOR, 400);
    }
}
