//! Repeating games after an engine was killed, and discarding games that ended together with the match.
//!
//! If a process is killed from outside, the outcome says nothing about the engine.

use std::thread;
use std::time::Duration;

use chuhe_engines::player::Player;
use chuhe_games::record::{Ending, EndingClass, GameRecord, GameResult};

use crate::game::{GameSetup, play_at};
use crate::seats::Seat;
use crate::stop::Stop;

/// Maximum number of attempts if engines are killed.
pub(crate) const MOST_ATTEMPTS: usize = 3;

/// Number of checks whether the match is to end too: a signal to all processes may reach the engines first.
const LOOKS: u32 = 40;

/// Pause between two checks; on a busy machine it takes longer.
const PAUSE: Duration = Duration::from_millis(5);

/// Plays a game at a seat, if it has one, and repeats it if an engine is killed while the match is not `stopped`.
///
/// `again` receives the games that do not count. If an engine ends because the match does, the game counts as interrupted.
pub(crate) fn play(
    [red, black]: [&mut Player; 2],
    setup: &GameSetup,
    seat: Option<&Seat>,
    stop: &Stop,
    stopped: &impl Fn() -> bool,
    mut again: impl FnMut(GameRecord),
) -> GameRecord {
    let mut killed = Vec::new();
    loop {
        let record = play_at(seat, [&mut *red, &mut *black], setup, stopped);
        if is_void(record.ending.class, stop, stopped) {
            return interrupted(record);
        }
        if record.ending.class != EndingClass::Killed || killed.len() + 1 == MOST_ATTEMPTS {
            return GameRecord { killed, ..record };
        }
        killed.extend(record.loser().map(str::to_owned));
        again(record);
    }
}

/// Whether a game may have ended this way because the match was to end.
fn is_void(class: EndingClass, stop: &Stop, stopped: &impl Fn() -> bool) -> bool {
    stop.is_urgent() || class == EndingClass::Killed && stopped() || is_of_the_process(class) && is_requested_soon(stop)
}

/// Whether the process has failed, as opposed to the play.
pub(crate) const fn is_of_the_process(class: EndingClass) -> bool {
    use EndingClass::{Crash, Hang, Killed, NoHandshake, ProtocolViolation};
    matches!(class, Crash | Killed | Hang | NoHandshake | ProtocolViolation)
}

fn is_requested_soon(stop: &Stop) -> bool {
    (0..LOOKS).any(|_| {
        thread::sleep(PAUSE);
        stop.is_requested()
    })
}

fn interrupted(record: GameRecord) -> GameRecord {
    let ending = Ending::new(EndingClass::Interrupted, "interrupted");
    GameRecord { result: GameResult::Unfinished, ending, ..record }
}
