//! What is tried again because an engine was killed, and what does not count because the match was ended with it: whoever
//! ends a process says nothing about the engine.

use std::thread;
use std::time::Duration;

use chuhe_engines::player::Player;
use chuhe_games::record::{Ending, EndingClass, GameRecord, GameResult};

use crate::game::{GameSetup, play_game};
use crate::stop::Stop;

/// So often something is begun whose engines are killed.
pub(crate) const MOST_ATTEMPTS: usize = 3;

/// So often somebody looks whether the match shall end too: who ends both may begin with the engines.
const LOOKS: u32 = 40;

/// Between two of them; on a busy machine it is longer, as it has to be.
const PAUSE: Duration = Duration::from_millis(5);

/// A game, which is played again if an engine is killed before it is `stopped`; `again` gets those that do not count. If an
/// engine ends with the match, the game was interrupted.
pub(crate) fn play(
    [red, black]: [&mut Player; 2],
    setup: &GameSetup,
    stop: &Stop,
    stopped: &impl Fn() -> bool,
    mut again: impl FnMut(GameRecord),
) -> GameRecord {
    let mut killed = Vec::new();
    loop {
        let record = play_game(red, black, setup, stopped);
        if says_nothing(record.ending.class, stop, stopped) {
            return interrupted(record);
        }
        if record.ending.class != EndingClass::Killed || killed.len() + 1 == MOST_ATTEMPTS {
            return GameRecord { killed, ..record };
        }
        killed.extend(record.loser().map(str::to_owned));
        again(record);
    }
}

/// Whether a game that ended so may have done so because the match was to end.
fn says_nothing(class: EndingClass, stop: &Stop, stopped: &impl Fn() -> bool) -> bool {
    stop.is_urgent() || class == EndingClass::Killed && stopped() || is_of_the_process(class) && is_wished_soon(stop)
}

/// Whether the process has failed, not the player.
pub(crate) const fn is_of_the_process(class: EndingClass) -> bool {
    use EndingClass::{Crash, Hang, Killed, NoHandshake, ProtocolViolation};
    matches!(class, Crash | Killed | Hang | NoHandshake | ProtocolViolation)
}

fn is_wished_soon(stop: &Stop) -> bool {
    (0..LOOKS).any(|_| {
        thread::sleep(PAUSE);
        stop.is_wished()
    })
}

fn interrupted(record: GameRecord) -> GameRecord {
    let ending = Ending::new(EndingClass::Interrupted, "interrupted");
    GameRecord { result: GameResult::Unfinished, ending, ..record }
}
