//! `fen F moves a b c` and its kin: a start and the moves from there.

use super::error::PositionError;
use super::token::Tokens;
use crate::board::{Move, MoveError, Position};
use crate::engine::event::GameText;

/// A game as far as it could be read.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Reading {
    pub(crate) game: GameText,
    /// What stands where the next move should; nothing behind it is read.
    pub(crate) broken_by: Option<MoveError>,
}

/// Words that end a FEN. `go` is one because a client puts `position` and `go` on one line.
const ENDS_FEN: &[&str] = &["moves", "go"];
const ENDS_MOVES: &[&str] = &["go"];

/// Reads up to the end of the line or a `go`, which is left in its place.
pub(crate) fn read_game(tokens: &mut Tokens) -> Result<Reading, PositionError> {
    let start = read_start(tokens);
    let list = if tokens.accept("moves") { tokens.until(ENDS_MOVES) } else { vec![] };
    let start = start?;
    let mut moves = Vec::with_capacity(list.len());
    for text in list {
        match text.parse::<Move>() {
            Ok(mv) => moves.push(mv),
            Err(error) => return Ok(Reading { game: GameText { start, moves }, broken_by: Some(error) }),
        }
    }
    Ok(Reading { game: GameText { start, moves }, broken_by: None })
}

/// `fen F`, `startpos`, or a FEN without a word before it.
fn read_start(tokens: &mut Tokens) -> Result<Position, PositionError> {
    let named = tokens.accept("fen");
    let words = tokens.until(ENDS_FEN);
    match words.first() {
        Some(word) if !named && word.eq_ignore_ascii_case("startpos") => Ok(Position::start()),
        Some(word) if named || word.contains('/') => Ok(Position::from_fen(&words.join(" "))?),
        None if named => Ok(Position::from_fen("")?),
        _ => Err(PositionError::Missing),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{FenError, START_FEN};

    fn read(text: &str) -> Result<Reading, PositionError> {
        read_game(&mut Tokens::new(text))
    }

    #[test]
    fn every_form_of_the_start_is_read() {
        for text in ["startpos", "STARTPOS moves", "startpos moves ", &format!("fen {START_FEN}"), START_FEN] {
            let reading = read(text).unwrap();
            assert_eq!((reading.game.start, reading.game.moves.len()), (Position::start(), 0), "{text}");
        }
    }

    #[test]
    fn moves_are_read_in_every_spelling() {
        let reading = read(&format!("fen {START_FEN} moves h2e2 H9G7 H0-G2")).unwrap();
        let texts: Vec<_> = reading.game.moves.iter().map(Move::to_string).collect();
        assert_eq!(
            (texts.as_slice(), reading.broken_by),
            (["h2e2", "h9g7", "h0g2"].map(String::from).as_slice(), None)
        );
    }

    #[test]
    fn what_is_no_move_ends_the_list_and_is_kept() {
        let reading = read("startpos moves h2e2 h9g7h0g2 b9c7").unwrap();
        assert_eq!((reading.game.moves.len(), reading.broken_by), (1, Some(MoveError("h9g7h0g2".into()))));
    }

    #[test]
    fn a_wrong_fen_is_named_and_the_command_behind_it_is_left() {
        let mut tokens = Tokens::new("fen xyz moves h2e2 go depth 3");
        assert_eq!(read_game(&mut tokens), Err(FenError::Ranks(1).into()));
        assert_eq!(tokens.rest(), "go depth 3");
        assert_eq!(read("fen"), Err(FenError::Empty.into()));
        assert_eq!(read("fen moves h2e2"), Err(FenError::Empty.into()));
        assert_eq!(read(""), Err(PositionError::Missing));
        assert_eq!(read("moves h2e2"), Err(PositionError::Missing));
        assert_eq!(read("start"), Err(PositionError::Missing));
    }
}
