//! `fen F moves a b c` and its kin: a start and the moves from there.

use super::error::PositionError;
use super::token::Tokens;
use crate::board::{MoveError, MoveText, Position, START_FEN, Variant};
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
        match text.parse::<MoveText>() {
            Ok(mv) => moves.push(mv),
            Err(error) => return Ok(Reading { game: GameText { start, moves }, broken_by: Some(error) }),
        }
    }
    Ok(Reading { game: GameText { start, moves }, broken_by: None })
}

/// `fen F`, `startpos`, or a FEN without a word before it; read as the variant with the most positions.
fn read_start(tokens: &mut Tokens) -> Result<Position, PositionError> {
    let named = tokens.accept("fen");
    let words = tokens.until(ENDS_FEN);
    let fen = match words.first() {
        Some(word) if !named && word.eq_ignore_ascii_case("startpos") => START_FEN.to_owned(),
        Some(word) if named || word.contains('/') => words.join(" "),
        None if named => String::new(),
        _ => return Err(PositionError::Missing),
    };
    Ok(Position::from_fen_in(&fen, Variant::Promotion)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::FenError;

    fn read(text: &str) -> Result<Reading, PositionError> {
        read_game(&mut Tokens::new(text))
    }

    #[test]
    fn every_form_of_the_start_is_read() {
        for text in ["startpos", "STARTPOS moves", "startpos moves ", &format!("fen {START_FEN}"), START_FEN] {
            let reading = read(text).unwrap();
            let start = reading.game.start.in_variant(Variant::Standard);
            assert_eq!((start, reading.game.moves.len()), (Ok(Position::start()), 0), "{text}");
        }
    }

    #[test]
    fn moves_are_read_in_every_spelling() {
        let reading = read(&format!("fen {START_FEN} moves h2e2 H9G7 H0-G2")).unwrap();
        let texts: Vec<_> = reading.game.moves.iter().map(MoveText::to_string).collect();
        assert_eq!(
            (texts.as_slice(), reading.broken_by),
            (["h2e2", "h9g7", "h0g2"].map(String::from).as_slice(), None)
        );
    }

    #[test]
    fn positions_of_any_variant_are_read() {
        let reading = read("fen 3k5/9/9/9/9/9/9/9/9/4KP3 w moves f0f1 d9d9").unwrap();
        assert_eq!((reading.game.moves.len(), reading.broken_by), (2, None));
        assert!(reading.game.start.in_variant(Variant::Standard).is_err());
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
