//! What people at a terminal say besides a protocol.

use crate::board::DEEPEST_PERFT;
use crate::engine::event::{Command, Pieces, View};
use crate::protocol::error::CommandError;
use crate::protocol::token::Tokens;

/// The words by which their commands begin.
pub(crate) const WORDS_OF_PEOPLE: &[&str] = &["help", "d", "eval", "moves", "perft", "bench", "flip"];

/// Those that programs say as well: farms that compare engines ask for the count of nodes, others for the position.
pub(crate) const WORDS_OF_FARMS: &[&str] = &["bench", "d"];

/// How deep `perft` counts if nobody says it, in plies.
const PERFT_DEPTH: u32 = 3;

/// Reads the words behind one of [`WORDS_OF_PEOPLE`].
pub(crate) fn read_wish(word: &str, mut tokens: Tokens) -> Result<Command, CommandError> {
    Ok(Command::Show(match word.to_ascii_lowercase().as_str() {
        "help" => View::Help,
        "d" => View::Board(read_pieces(&tokens)),
        "eval" => View::Evaluation,
        "moves" => View::Moves,
        "perft" => match read_plies(word, &mut tokens)?.unwrap_or(PERFT_DEPTH) {
            depth if depth > DEEPEST_PERFT => return Err(CommandError::PerftTooDeep(DEEPEST_PERFT)),
            depth => View::Perft { depth },
        },
        "bench" => View::Bench { depth: read_plies(word, &mut tokens)? },
        "flip" => return Ok(Command::Flip),
        _ => return Err(CommandError::Unknown(word.to_owned())),
    }))
}

/// How many plies stand behind `word`; none if nothing does.
fn read_plies(word: &str, tokens: &mut Tokens) -> Result<Option<u32>, CommandError> {
    match (tokens.number(), tokens.peek()) {
        (Some(number), _) => Ok(Some(u32::try_from(number.max(0)).unwrap_or(u32::MAX))),
        (None, None) => Ok(None),
        (None, Some(found)) => Err(CommandError::NoPlies { word: word.to_owned(), found: found.to_owned() }),
    }
}

fn read_pieces(tokens: &Tokens) -> Option<Pieces> {
    if tokens.at_any(&["chinese"]) {
        Some(Pieces::Chinese)
    } else {
        tokens.at_any(&["letters"]).then_some(Pieces::Letters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(line: &str) -> Result<Command, CommandError> {
        let mut tokens = Tokens::new(line);
        tokens.next().map(|word| read_wish(word, tokens)).expect("a word")
    }

    #[test]
    fn every_word_is_read() {
        for word in WORDS_OF_PEOPLE {
            assert!(wish(word).is_ok(), "{word}");
        }
        assert_eq!(wish("D Chinese"), Ok(Command::Show(View::Board(Some(Pieces::Chinese)))));
        assert_eq!(wish("d letters"), Ok(Command::Show(View::Board(Some(Pieces::Letters)))));
        assert_eq!(wish("d"), Ok(Command::Show(View::Board(None))));
        assert_eq!(wish("perft 5"), Ok(Command::Show(View::Perft { depth: 5 })));
        assert_eq!(wish("perft"), Ok(Command::Show(View::Perft { depth: PERFT_DEPTH })));
        assert_eq!(wish("perft -1"), Ok(Command::Show(View::Perft { depth: 0 })));
        assert_eq!(wish("perft 64"), Ok(Command::Show(View::Perft { depth: 64 })));
        assert_eq!(wish("perft 100000"), Err(CommandError::PerftTooDeep(64)));
        assert_eq!(wish("bench"), Ok(Command::Show(View::Bench { depth: None })));
        assert_eq!(wish("flip"), Ok(Command::Flip));
    }

    #[test]
    fn what_is_no_number_of_plies_is_refused() {
        for (line, told) in [
            ("bench x", "bench takes a number of plies, not \"x\""),
            ("perft start", "perft takes a number of plies, not \"start\""),
            ("perft 5x", "perft takes a number of plies, not \"5x\""),
        ] {
            assert_eq!(wish(line).unwrap_err().to_string(), told);
        }
        assert_eq!(wish("bench 3 and more"), Ok(Command::Show(View::Bench { depth: Some(3) })));
    }
}
