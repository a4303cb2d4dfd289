//! Protocols: lines of text on one side, commands and replies on the other. Independent of clocks, threads and searches.
//!
//! Clients mix the words of UCCI and UCI, and some use both in one process. So one grammar reads either, and only the output
//! depends on the protocol in force.
//!
//! ```
//! use chuhe::engine::event::{Command, Reply, OutputFormat};
//! use chuhe::protocol::{Interpreter, lines};
//! assert_eq!(Interpreter::default().parse(b"isready\r\n"), [Ok(Command::IsReady)]);
//! assert_eq!(lines(&Reply::Ready, &OutputFormat::default()), "readyok\n");
//! ```

mod error;
mod game;
mod go;
mod introduction;
mod line;
mod message;
mod read;
mod terminal;
mod token;
mod ucci;
mod uci;

pub use read::Interpreter;

use crate::engine::event::{Dialect, OutputFormat, Reply};
#[cfg(feature = "cli")]
use crate::score::Score;

/// Formats `reply` as lines, each with its end; empty if the protocol has no words for it.
pub fn lines(reply: &Reply, format: &OutputFormat) -> String {
    match format.dialect {
        Dialect::Ucci => ucci::lines(reply, format.base),
        Dialect::Uci => uci::lines(reply, format.base),
    }
}

/// Formats free text as a line for a user at a terminal, which shows every character.
#[cfg(feature = "cli")]
pub(crate) fn message_to_terminal(text: &str, dialect: Dialect) -> String {
    let prefix = match dialect {
        Dialect::Ucci => ucci::MESSAGE,
        Dialect::Uci => uci::MESSAGE,
    };
    format!("{prefix}{}\n", message::one_terminal_line(text, message::MAX_LINE - prefix.len() - 1))
}

/// Converts an evaluation to the unit of the protocol: in UCCI a horse or cannon is 100, UCI counts centipawns.
#[cfg(feature = "cli")]
pub(crate) fn number_of(score: Score, dialect: Dialect) -> i32 {
    match dialect {
        Dialect::Ucci => ucci::units(score),
        Dialect::Uci => score.raw(),
    }
}

/// Returns the first words of commands, those of programs before those of the terminal.
#[cfg(all(test, feature = "cli"))]
pub(crate) fn words_of_commands() -> impl Iterator<Item = &'static str> {
    read::COMMANDS.iter().chain(terminal::TERMINAL_COMMANDS).copied()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::board::{Move, RankBase};
    use crate::engine::event::{Closing, Effort, TableContent};
    use crate::score::Score;

    #[test]
    fn no_line_but_the_answer_itself_has_a_word_that_ends_a_game() {
        let mv: Move = "d0a3".parse().unwrap();
        let effort = Effort { nodes: 7, elapsed: Duration::from_millis(7), hashfull: 7, table_hits: 7 };
        let content = TableContent { best: Some(mv), lower: Some(Score::DRAW), upper: Some(Score::DRAW), depth: 7 };
        let replies = [
            Reply::Introduction,
            Reply::Ready,
            Reply::BookMove { mv, weight: 7 },
            Reply::CurrentMove { depth: 7, mv, number: 7 },
            Reply::Refutation(vec![mv]),
            Reply::CurrentLine { worker: 1, line: vec![mv] },
            Reply::ProvenMoves { winning: vec![mv], losing: vec![mv] },
            Reply::Effort(effort),
            Reply::Message("drawmoves, DrawMoves, resigned: the game is drawn".into()),
            Reply::BestMove { best: mv, ponder: Some(mv), closing: None },
            Reply::NoBestMove,
            Reply::StaticValue(Score::DRAW),
            Reply::TableContent(Some(content)),
            Reply::TableContent(None),
            Reply::Board { fen: "9/9 w".into(), key: 7, checkers: vec![] },
            Reply::Leaves { mv, leaves: 7 },
            Reply::AllLeaves(7),
            Reply::Bye,
        ];
        for dialect in [Dialect::Ucci, Dialect::Uci] {
            let format = OutputFormat { dialect, base: RankBase::Zero };
            for reply in &replies {
                let said = lines(reply, &format).to_ascii_lowercase();
                assert!(!said.contains("draw") && !said.contains("resign"), "{said}");
            }
            let offer = Reply::BestMove { best: mv, ponder: None, closing: Some(Closing::Draw) };
            assert_eq!(lines(&offer, &format).contains("draw"), dialect == Dialect::Ucci);
        }
    }
}
