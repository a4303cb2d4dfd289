//! Made-up games for tests.

use chuhe_games::record::{Ending, EndingClass, GameRecord, GameResult};

/// Returns a game without moves from the start position; two successive games form a round.
pub(crate) fn game(number: u32, red: &str, black: &str, result: GameResult, class: EndingClass) -> GameRecord {
    GameRecord {
        number,
        round: number.div_ceil(2),
        red: red.into(),
        black: black.into(),
        start_fen: chuhe::board::Position::start().to_fen(),
        opening: None,
        opening_fen: None,
        opening_moves: vec![],
        moves: vec![],
        result,
        ending: Ending::new(class, ""),
        started_at_ms: 0,
        duration_ms: 0,
        time_control: String::new(),
        killed: vec![],
    }
}
