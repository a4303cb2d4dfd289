//! One game between two players: clocks, referee, adjudication.

mod setup;

pub use setup::{DrawAdjudication, GameSetup, Perpetual, ResignAdjudication};

use crate::player::Player;
use crate::record::GameRecord;

/// Plays one game. Every failure of an engine ends up in the record; `cancel` is asked often and breaks the game off.
pub fn play_game(
    _red: &mut Player,
    _black: &mut Player,
    _setup: &GameSetup,
    _cancel: &impl Fn() -> bool,
) -> GameRecord {
    unimplemented!()
}
