//! Sentences of a terminal in both languages.

use crate::board::Side;
use crate::engine::event::Dialect;
use crate::engine::options::Language;
use crate::help::patterns::{Patterns, translated};
use crate::rules::{Conduct, Ending, Loop, Verdict};

/// Returns the greeting: the first line that a user at a terminal sees.
pub(super) fn greeting(language: Language) -> &'static str {
    match language {
        Language::English => concat!(
            "Chuhe ",
            env!("CARGO_PKG_VERSION"),
            ". It speaks UCCI and UCI; `help` lists what else there is, `play` begins a game."
        ),
        Language::Chinese => concat!(
            "楚河 ",
            env!("CARGO_PKG_VERSION"),
            "，支持 UCCI 和 UCI 协议；输入 help 列出命令，输入 play 与引擎对弈。"
        ),
    }
}

/// Returns the name of a side.
pub(super) fn side(side: Side, language: Language) -> &'static str {
    match (language, side) {
        (Language::English, Side::Red) => "red",
        (Language::English, Side::Black) => "black",
        (Language::Chinese, Side::Red) => "红方",
        (Language::Chinese, Side::Black) => "黑方",
    }
}

/// Returns the side to move, and whether it is in check.
pub(super) fn to_move(mover: Side, is_in_check: bool, language: Language) -> String {
    let mover = side(mover, language);
    match language {
        Language::English => format!("{mover} to move{}", if is_in_check { ", in check" } else { "" }),
        Language::Chinese => format!("轮到{mover}走棋{}", if is_in_check { "，正被将军" } else { "" }),
    }
}

/// Returns the line of a position's key.
pub(super) fn key(key: u64, language: Language) -> String {
    match language {
        Language::English => format!("key    {key:016x}"),
        Language::Chinese => format!("键值   {key:016x}"),
    }
}

/// Returns the line of a static evaluation, with its unit.
pub(super) fn value(value: i32, dialect: Dialect, language: Language) -> String {
    match (language, dialect) {
        (Language::English, Dialect::Ucci) => {
            format!("value  {value} for the side to move, a horse or cannon is 100")
        }
        (Language::English, Dialect::Uci) => format!("value  {value} centipawns for the side to move"),
        (Language::Chinese, Dialect::Ucci) => format!("分值   {value}（走棋方；一个马或炮为 100）"),
        (Language::Chinese, Dialect::Uci) => format!("分值   {value} 厘兵（走棋方）"),
    }
}

/// Returns the unit of values.
pub(super) fn unit(dialect: Dialect, language: Language) -> &'static str {
    match (language, dialect) {
        (Language::English, Dialect::Ucci) => "hundredths of a horse",
        (Language::English, Dialect::Uci) => "centipawns",
        (Language::Chinese, Dialect::Ucci) => "一个马为 100",
        (Language::Chinese, Dialect::Uci) => "厘兵",
    }
}

/// Returns the heading of a board with the value of each piece.
pub(super) fn piece_values(dialect: Dialect, language: Language) -> String {
    let unit = unit(dialect, language);
    match language {
        Language::English => format!("{unit} by which a side is better with a piece than without it"),
        Language::Chinese => format!("每个棋子的价值（{unit}）：去掉它之后所属一方损失的分值"),
    }
}

/// Returns the name of the whole evaluation, 42 columns wide.
pub(super) fn total(language: Language) -> &'static str {
    match language {
        Language::English => "value for the side to move                ",
        Language::Chinese => "走棋方的分值                              ",
    }
}

/// Returns the number of legal moves.
pub(super) fn count_of_moves(count: usize, language: Language) -> String {
    match language {
        Language::English => format!("{count} moves"),
        Language::Chinese => format!("共 {count} 种着法"),
    }
}

/// Returns the text before a move: its number, its side, and whether the engine played it.
pub(super) fn before_move(number: u16, mover: Side, is_of_engine: bool, language: Language) -> String {
    let mover = side(mover, language);
    match language {
        Language::English => format!("{number}. {mover}{}: ", if is_of_engine { " (Chuhe)" } else { "" }),
        Language::Chinese => format!("{number}. {mover}{}：", if is_of_engine { "（楚河）" } else { "" }),
    }
}

/// Returns the report of moves that were taken back.
pub(super) fn taken_back(count: usize, language: Language) -> String {
    match (language, count) {
        (Language::English, 1) => "one move taken back".to_owned(),
        (Language::English, _) => format!("{count} moves taken back"),
        (Language::Chinese, _) => format!("悔棋 {count} 步"),
    }
}

/// Returns the report of a new game.
pub(super) fn begun(language: Language) -> &'static str {
    match language {
        Language::English => "a new game",
        Language::Chinese => "新的一局",
    }
}

/// Returns the conditions of a game: the sides, and the engine's time for a move.
pub(super) fn opposed(engine: Side, seconds: f64, language: Language) -> String {
    let [yours, its] = [!engine, engine].map(|player| side(player, language));
    match language {
        Language::English => {
            format!("you play {yours}, Chuhe plays {its} and thinks {seconds} s a move; \"stop\" makes it move at once")
        }
        Language::Chinese => {
            let [yours, its] = [yours, its].map(|name| name.trim_end_matches('方'));
            format!("您执{yours}，楚河执{its}，每步思考 {seconds} 秒；输入 stop 让它立即走棋")
        }
    }
}

/// Returns the advice at the start of a game.
pub(super) fn advice(examples: &str, language: Language) -> String {
    match language {
        Language::English => format!("type a move like {examples}; \"help\" lists what else there is"),
        Language::Chinese => "输入着法，如 h2e2、C2=5 或 炮二平五；输入 help 列出其他命令".to_owned(),
    }
}

/// Returns the end of the game; `verdict` is the explanation in English.
pub(super) fn over(judged: &Verdict, verdict: &str, language: Language) -> String {
    match language {
        Language::English => {
            format!("the game is over, {verdict}; \"new\" begins another one, \"undo\" takes moves back")
        }
        Language::Chinese => {
            let result = judged.loser.map_or_else(|| "和棋".to_owned(), |loser| format!("{}负", side(loser, language)));
            format!("棋局结束，{result}：{}；输入 new 重新开局，输入 undo 悔棋", ending_in_chinese(&judged.ending))
        }
    }
}

fn ending_in_chinese(ending: &Ending) -> &'static str {
    match ending {
        Ending::Checkmate => "将死",
        Ending::Stalemate => "困毙",
        Ending::Repetition(judged) => loop_in_chinese(judged),
        Ending::MoveLimit => "达到自然限着",
        Ending::NoAttackers => "双方都没有能过河的子",
    }
}

fn loop_in_chinese(judged: &Loop) -> &'static str {
    let of_loser = judged.loser().map(|loser| judged.conduct[loser.index()]);
    match (of_loser, judged.conduct[0]) {
        (Some(Conduct::Check), _) => "长将",
        (Some(Conduct::ChaseOfPinnedRook(_)), _) => "长捉被牵制的车",
        (Some(Conduct::Chase(_)), _) => "长捉",
        (Some(Conduct::Attack), _) => "长打",
        (None, Conduct::Check) => "双方长将",
        (None, Conduct::Chase(_) | Conduct::ChaseOfPinnedRook(_)) => "双方长捉",
        (None, Conduct::Attack) => "双方长打",
        (Some(Conduct::Idle) | None, Conduct::Idle) | (Some(Conduct::Idle), _) => "局面重复",
    }
}

/// Messages of the engine and the reader that a game at a terminal brings, and their Chinese texts; `{}` stands for any text.
const MESSAGES: Patterns = &[
    ("there is no game against the engine", "没有与引擎的对弈"),
    (
        "the game against the engine is left; \"play\" begins one from the board",
        "与引擎的对弈已结束；输入 play 从当前局面重新开始",
    ),
    ("there is no move to take back", "没有可悔的棋"),
    ("there is no position, the last one given was wrong", "没有局面：上次给出的局面有误"),
    ("not during a search, which ends with the word stop", "引擎正在思考，此时不能执行；输入 stop 结束思考"),
    ("ignored in this state", "在当前状态下没有作用"),
    ("unknown command {}; \"help\" lists them", "没有 {} 这个命令；输入 help 列出命令"),
    ("move takes moves like h2e2, C2=5 or 炮二平五", "move 之后是着法，如 h2e2、C2=5 或 炮二平五"),
    ("{} is not a move like h2e2, C2=5 or 炮二平五", "{} 不是着法；着法写作 h2e2、C2=5 或 炮二平五"),
    (
        "play takes red, black or off, and a number of seconds up to {}, not {}",
        "play 之后是 red、black 或 off，以及不超过 {} 的秒数，不能是 {}",
    ),
    ("{} takes a number of plies, not {}", "{} 之后是步数，不能是 {}"),
    ("{} is not played: there is no position", "没有走 {}：没有局面"),
    ("{} is not legal here and is not played", "{} 不合法，未走"),
    ("{} may mean any of {} here and is not played", "{} 可能是 {} 中的任何一着，没有走"),
    ("{} is not legal as move {}, none of them is played", "{}（第 {} 着）不合法，所有着法都没有走"),
    (
        "{} may mean any of {} as move {}, none of them is played",
        "{} 可能是 {} 中的任何一着（第 {} 着），所有着法都没有走",
    ),
];

/// Returns a message in the user's language; one without a Chinese text stays in English.
pub(super) fn message(text: &str, language: Language) -> String {
    match language {
        Language::English => text.to_owned(),
        Language::Chinese => translated(text, MESSAGES).unwrap_or_else(|| text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::help::patterns::faulty;

    #[test]
    fn messages_are_translated_with_their_parts() {
        let chinese = |text| message(text, Language::Chinese);
        assert_eq!(chinese("there is no move to take back"), "没有可悔的棋");
        assert_eq!(chinese("a0a9 is not legal here and is not played"), "a0a9 不合法，未走");
        assert_eq!(
            chinese("R5=6 may mean any of e3d3, e5d5 here and is not played"),
            "R5=6 可能是 e3d3, e5d5 中的任何一着，没有走"
        );
        assert_eq!(chinese("undo takes a number of plies, not \"all\""), "undo 之后是步数，不能是 \"all\"");
        let other = "there is no move to take back now";
        assert_eq!(
            (chinese(other).as_str(), message("ignored in this state", Language::English).as_str()),
            (other, "ignored in this state")
        );
    }

    #[test]
    fn every_pattern_can_be_reached() {
        assert_eq!(faulty(MESSAGES), [""; 0]);
    }

    #[test]
    fn sides_and_times_are_said_in_both_languages() {
        assert_eq!(
            opposed(Side::Black, 0.5, Language::Chinese),
            "您执红，楚河执黑，每步思考 0.5 秒；输入 stop 让它立即走棋"
        );
        assert_eq!(to_move(Side::Red, true, Language::Chinese), "轮到红方走棋，正被将军");
        assert_eq!(before_move(3, Side::Black, true, Language::Chinese), "3. 黑方（楚河）：");
        assert_eq!(before_move(3, Side::Black, true, Language::English), "3. black (Chuhe): ");
    }
}
