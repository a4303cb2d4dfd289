//! What is tried again because an engine was killed: whoever kills a process says nothing about the engine.

use chuhe_engines::player::Player;
use chuhe_games::record::{EndingClass, GameRecord};

use crate::game::{GameSetup, play_game};

/// So often something is begun whose engines are killed.
pub(crate) const MOST_ATTEMPTS: u32 = 3;

/// A game, which is played again if an engine is killed before it is `stopped`; `again` gets those that do not count.
pub(crate) fn play(
    red: &mut Player,
    black: &mut Player,
    setup: &GameSetup,
    stopped: &impl Fn() -> bool,
    mut again: impl FnMut(GameRecord),
) -> GameRecord {
    let mut killed = Vec::new();
    for _ in 1..MOST_ATTEMPTS {
        let record = play_game(red, black, setup, stopped);
        if record.ending.class != EndingClass::Killed || stopped() {
            return GameRecord { killed, ..record };
        }
        killed.extend(record.loser().map(str::to_owned));
        again(record);
    }
    GameRecord { killed, ..play_game(red, black, setup, stopped) }
}
