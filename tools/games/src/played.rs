//! Games from a journal of the arena: a header, then a line per finished game.

use anyhow::{Context, Result, ensure};
use chuhe::board::{Move, Position};

use crate::game::{Faulty, Game};
use crate::json;
use crate::record::GameRecord;

/// Returns the games of a journal in the order in which they ended, including errors for those that do not replay. An
/// incomplete last line is ignored: a killed process has left it, or another one is writing it.
pub fn read(bytes: &[u8]) -> Vec<Result<Game, Faulty>> {
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(&[][..], |end| &bytes[..end]);
    let lines = whole.split(|byte| *byte == b'\n').zip(1..).skip(1);
    lines.map(|(line, number)| game(line).map_err(|error| format!("line {number}: {error:#}"))).collect()
}

fn game(line: &[u8]) -> Result<Game> {
    let record: GameRecord = json::read(line).context("is not a game of the arena")?;
    let start = Position::from_fen(record.opening_fen.as_ref().unwrap_or(&record.start_fen))?;
    let mut game = Game::bare(start, vec![]);
    game.result = record.result.outcome();
    game.players = [record.red.clone(), record.black.clone()];
    let mut position = start;
    for text in record.opening_moves.iter().chain(record.moves.iter().map(|played| &played.mv)) {
        let ply = game.moves.len() + 1;
        let mv: Move = text.parse().with_context(|| format!("ply {ply}"))?;
        ensure!(position.is_legal(mv), "ply {ply}: {text:?} is not a legal move here");
        position = position.play(mv);
        game.moves.push(mv);
    }
    Ok(game)
}

#[cfg(test)]
mod tests {
    use chuhe::board::{START_FEN, Side};

    use super::*;
    use crate::game::Outcome;
    use crate::record::{Ending, EndingClass, GameResult, MoveRecord};

    fn record(opening: &[&str], moves: &[&str], result: GameResult) -> GameRecord {
        let played = opening.iter().fold(Position::start(), |position, mv| position.play(mv.parse().unwrap()));
        GameRecord {
            number: 1,
            round: 1,
            red: "a".into(),
            black: "b".into(),
            start_fen: played.to_fen(),
            opening: None,
            opening_fen: (!opening.is_empty()).then(|| START_FEN.to_owned()),
            opening_moves: opening.iter().map(ToString::to_string).collect(),
            moves: moves.iter().map(|mv| MoveRecord { mv: mv.to_string(), ..MoveRecord::default() }).collect(),
            result,
            ending: Ending::new(EndingClass::Resignation, "resigned"),
            started_at_ms: 0,
            duration_ms: 0,
            time_control: "1+0".into(),
            killed: vec![],
        }
    }

    fn journal(games: &[GameRecord]) -> String {
        let lines = games.iter().map(|game| serde_json::to_string(game).unwrap() + "\n");
        "{\"version\":\"0.1.0\",\"seed\":1}\n".to_owned() + &lines.collect::<String>()
    }

    #[test]
    fn games_come_with_their_openings_and_results() {
        let games = [
            record(&["h2e2", "h9g7"], &["h0g2", "i9h9"], GameResult::Red),
            record(&[], &["c3c4"], GameResult::Black),
            record(&["c3c4"], &[], GameResult::Draw),
            record(&[], &["c3c4", "c6c5"], GameResult::Unfinished),
        ];
        let text = journal(&games) + "{\"number\":5,";
        let read: Vec<Game> = read(text.as_bytes()).into_iter().map(Result::unwrap).collect();
        let won = |side| Some(Outcome::Won(side));
        let expected = [(4, won(Side::Red)), (1, won(Side::Black)), (1, Some(Outcome::Drawn)), (2, None)];
        assert_eq!(read.iter().map(|game| (game.moves.len(), game.result)).collect::<Vec<_>>(), expected);
        assert!(read.iter().all(|game| game.start == Position::start()));
        assert!(read.iter().all(|game| game.players == ["a", "b"]));
    }

    #[test]
    fn a_line_that_is_no_game_and_a_game_that_does_not_replay_are_named() {
        let games = [record(&[], &["c3c4", "c3c4"], GameResult::Red), record(&[], &["z9z9"], GameResult::Red)];
        let text = journal(&games) + "{\"nodes\":7}\n";
        let faults: Vec<Faulty> = read(text.as_bytes()).into_iter().map(Result::unwrap_err).collect();
        assert_eq!(faults[0], "line 2: ply 2: \"c3c4\" is not a legal move here");
        assert_eq!(faults[1], "line 3: ply 1: \"z9z9\" is not a move like h2e2");
        assert!(faults[2].starts_with("line 4: is not a game of the arena: missing field `number`"), "{}", faults[2]);
        assert_eq!(faults.len(), 3);
        assert!(read(b"").is_empty() && read(b"{\"version\":").is_empty());
    }
}
