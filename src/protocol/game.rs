//! Games in commands, such as `fen F moves a b c`: a start and the moves from there.

use super::error::PositionError;
use super::go::read_go;
use super::token::Tokens;
use crate::board::{MoveError, Position, RankBase, START_FEN, Variant};
use crate::engine::event::{Command, Fault, GameText, WrittenMove};

/// Parses a position, with its faults and with the `go` that a client put on the same line.
pub(super) fn read_position(mut tokens: Tokens) -> Vec<Result<Command, Fault>> {
    let is_bare = !tokens.accept("position");
    let mut commands = match read_game(&mut tokens) {
        Ok(Reading { mut game, stray, broken_by }) => {
            if is_bare {
                // The Cyclone dialect, which counts ranks from 0.
                game.rank_hint = Some(RankBase::Zero);
            }
            let stray = stray.map(|word| format!("the word moves is missing before {word:?}, which is not played"));
            let broken = broken_by.map(|MoveError(text)| {
                format!("the list of moves ends before {text:?}, which is not a move like h2e2")
            });
            let faults = stray.into_iter().chain(broken).map(|fault| Err(Fault::InPart(fault)));
            [Ok(Command::Position(game))].into_iter().chain(faults).collect()
        }
        Err(error) => vec![Err(Fault::BadPosition(format!("bad position: {error}")))],
    };
    if tokens.accept("go") {
        commands.extend(read_go(tokens));
    }
    commands
}

/// Parses `probe`. Nothing is skipped here: an entry for another position than the one named would mislead.
pub(super) fn read_probe(mut tokens: Tokens) -> Result<Command, Fault> {
    let bad_probe = |error: PositionError| Fault::BadProbe(error.to_string());
    let Reading { game, stray, broken_by } = read_game(&mut tokens).map_err(bad_probe)?;
    let error = stray.map(PositionError::MovesUnnamed).or(broken_by.map(PositionError::Move));
    error.map_or(Ok(Command::Probe(game)), |error| Err(bad_probe(error)))
}

/// A game as far as it could be read.
#[derive(Clone, PartialEq, Debug)]
struct Reading {
    game: GameText,
    /// Text between the start and the word `moves`, if there is any; it is not played.
    stray: Option<String>,
    /// Text in place of the next move; nothing after it is read.
    broken_by: Option<MoveError>,
}

/// Words that end a FEN. `go` is one because a client puts `position` and `go` on one line.
const ENDS_FEN: &[&str] = &["moves", "go"];
const ENDS_MOVES: &[&str] = &["go"];

/// Parses `fen F moves a b c` and similar forms, up to the end of the line or to a `go`, which is not consumed.
fn read_game(tokens: &mut Tokens) -> Result<Reading, PositionError> {
    let words = read_start(tokens);
    let list = tokens.accept("moves").then(|| tokens.until(ENDS_MOVES));
    let Start { words, stray } = words?;
    let start = Position::from_fen_in(&words.join(" "), Variant::Promotion)?;
    let rank_hint = is_cyclone(&words, list.as_deref()).then_some(RankBase::Zero);
    let (mut moves, mut broken_by) = (Vec::new(), None);
    for text in list.unwrap_or_default() {
        match text.parse::<WrittenMove>() {
            Ok(mv) => moves.push(mv),
            Err(error) => {
                broken_by = Some(error);
                break;
            }
        }
    }
    Ok(Reading { game: GameText { start, moves, rank_hint }, stray: stray.map(str::to_owned), broken_by })
}

/// The FEN of a start in words, and the first word after it that belongs elsewhere.
struct Start<'a> {
    words: Vec<&'a str>,
    stray: Option<&'a str>,
}

/// Parses the FEN after `fen` or nothing, or that of `startpos`.
fn read_start<'a>(tokens: &mut Tokens<'a>) -> Result<Start<'a>, PositionError> {
    let named = tokens.accept("fen");
    let words = tokens.until(ENDS_FEN);
    match words.first() {
        Some(word) if !named && word.eq_ignore_ascii_case("startpos") => {
            Ok(Start { words: START_FEN.split(' ').collect(), stray: words.get(1).copied() })
        }
        Some(word) if !named && !word.contains('/') => Err(PositionError::Missing),
        None if !named => Err(PositionError::Missing),
        // Clients write all kinds of text into the last fields, but no moves.
        _ => {
            let stray = words.iter().skip(1).copied().find(|word| word.parse::<WrittenMove>().is_ok());
            Ok(Start { words, stray })
        }
    }
}

/// Whether this FEN with this list of moves is written as in the Cyclone dialect, or by the adapter UCI2WB.
///
/// There Red is called `r`, or the counters are left out while the word `moves` is there without any. Both count ranks from 0,
/// even after they have named the game, as otherwise only clients do that count from 1.
fn is_cyclone(fen: &[&str], moves: Option<&[&str]>) -> bool {
    let red_is_r = fen.get(1).is_some_and(|side| side.eq_ignore_ascii_case("r"));
    red_is_r || fen.len() == 2 && moves.is_some_and(<[&str]>::is_empty)
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
        let texts: Vec<_> = reading.game.moves.iter().map(WrittenMove::to_string).collect();
        assert_eq!(
            (texts.as_slice(), reading.broken_by),
            (["h2e2", "h9g7", "h0g2"].map(String::from).as_slice(), None)
        );
    }

    #[test]
    fn moves_may_have_their_names_in_the_notations_of_the_game() {
        let reading = read("startpos moves 炮二平五 h9g7 C2=5 马八进七 hlep 车一平二").unwrap();
        let texts: Vec<_> = reading.game.moves.iter().map(WrittenMove::to_string).collect();
        assert_eq!(texts, ["炮二平五", "h9g7", "C2=5", "马八进七"]);
        assert_eq!(reading.broken_by, Some(MoveError("hlep".into())));
        assert_eq!(read("startpos 炮二平五").unwrap().stray.as_deref(), Some("炮二平五"));
    }

    #[test]
    fn positions_of_any_variant_are_read() {
        let reading = read("fen 3k5/9/9/9/9/9/9/9/9/4KP3 w moves f0f1 d9d9").unwrap();
        assert_eq!((reading.game.moves.len(), reading.broken_by), (2, None));
        assert!(reading.game.start.in_variant(Variant::Standard).is_err());
    }

    #[test]
    fn moves_without_the_word_are_kept_as_what_is_not_played() {
        let placement = START_FEN.split(' ').next().unwrap();
        for (text, stray, played) in [
            ("startpos h2e2 h9g7", Some("h2e2"), 0),
            ("startpos move h2e2", Some("move"), 0),
            ("startpos h2e2 moves b0c2", Some("h2e2"), 1),
            (&format!("fen {START_FEN} h2e2"), Some("h2e2"), 0),
            (&format!("{placement} w h2e2"), Some("h2e2"), 0),
            (&format!("fen {placement} w - - 0 1 extra"), None, 0),
            ("startpos moves h2e2", None, 1),
        ] {
            let reading = read(text).unwrap();
            assert_eq!((reading.stray.as_deref(), reading.game.moves.len()), (stray, played), "{text}");
        }
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

    #[test]
    fn the_way_in_which_a_position_is_written_has_an_accent() {
        let placement = START_FEN.split(' ').next().unwrap();
        let rank_hint = |line: String| read(&line).unwrap().game.rank_hint;
        for line in [
            format!("fen {placement} r moves"),
            format!("fen {placement} w moves"),
            format!("fen {placement} r - - 0 1 moves h2e2"),
        ] {
            assert_eq!(rank_hint(line.clone()), Some(RankBase::Zero), "{line}");
        }
        for line in [
            format!("fen {placement} w - - 0 1 moves"),
            format!("fen {placement} w"),
            format!("fen {placement} w moves h2e2"),
            "startpos moves".into(),
        ] {
            assert_eq!(rank_hint(line.clone()), None, "{line}");
        }
    }
}
