//! Games under way of a match, which the arena writes beside its journal.

use std::fs;
use std::path::Path;
use std::time::Duration;

use chuhe_games::live::{self, LiveGame, LiveMove};
use chuhe_games::record::{Ending, EndingClass, GameRecord, GameResult, MoveRecord};
use serde_json::{Value, json};

/// Silence after which a match is no longer running; the arena writes every few seconds.
const SILENCE: Duration = Duration::from_secs(15);

/// Maximum number of games in a message.
const MOST_GAMES: usize = 256;

/// Returns the games under way of a match that is running, the oldest first; `None` if they are just being rewritten.
pub(super) fn read(journal: &Path) -> Option<Vec<LiveGame>> {
    let modified = fs::metadata(live::path_for(journal)).and_then(|data| data.modified());
    // A time in the future is that of another machine's clock.
    let is_running =
        modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age < SILENCE) || time.elapsed().is_err());
    if !is_running {
        return Some(Vec::new());
    }
    let mut games = live::read(journal).ok()?.map(|live| live.games).unwrap_or_default();
    games.sort_by_key(|game| game.number);
    games.truncate(MOST_GAMES);
    Some(games)
}

/// Returns a game under way as a message names it.
pub(super) fn summary(game: &LiveGame) -> Value {
    json!({ "number": game.number, "round": game.round, "red": game.red, "black": game.black, "plies": game.moves.len() })
}

/// Returns a game of a match that is running, as if it had been interrupted now.
pub(super) fn find(journal: &Path, number: u32) -> Option<GameRecord> {
    read(journal)?.into_iter().find(|game| game.number == number).map(record)
}

fn record(game: LiveGame) -> GameRecord {
    let played = |played: LiveMove| MoveRecord {
        mv: played.mv,
        eval: played.eval,
        depth: played.depth,
        nodes: played.nodes,
        time_ms: played.time_ms,
        ..MoveRecord::default()
    };
    GameRecord {
        number: game.number,
        round: game.round,
        red: game.red,
        black: game.black,
        start_fen: game.start_fen,
        opening: game.opening,
        opening_fen: None,
        opening_moves: Vec::new(),
        moves: game.moves.into_iter().map(played).collect(),
        result: GameResult::Unfinished,
        ending: Ending::new(EndingClass::Interrupted, ""),
        started_at_ms: game.started_at_ms,
        duration_ms: game.moved_at_ms.saturating_sub(game.started_at_ms),
        time_control: game.time_control,
        killed: Vec::new(),
    }
}
