//! Inputs of time management: the clocks when a move is asked for, and what they lose besides. Pure: the caller watches
//! the clock.

use std::time::Duration;

/// Clocks at the beginning of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Own remaining time.
    pub remaining: Duration,
    /// Period for which the remaining time has to last.
    pub horizon: Horizon,
    /// Remaining time of the opponent, if known.
    pub opponent: Option<Duration>,
}

/// Period for which the remaining time has to last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Horizon {
    /// This move alone.
    ThisMove,
    /// The rest of the game, with this increment after every move.
    Game(Duration),
    /// A number of moves, this one included, with an increment after each.
    Moves {
        /// Moves until the clock is refilled.
        moves: u32,
        /// Increment added after every move.
        increment: Duration,
    },
}

/// Circumstances of a move beside the clocks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Circumstances {
    /// Overhead: time lost on every move between user and engine.
    pub overhead: Duration,
    /// Latency: time lost besides on a machine that is busy with other things; zero on a quiet one.
    pub latency: Duration,
    /// Whether the user lets the engine ponder: time spent is partly won back.
    pub ponder: bool,
    /// Number of the move to be made, 1 at the start of a game.
    pub move_number: u16,
}

impl Circumstances {
    /// Returns the time that every move loses: overhead and latency.
    pub(super) fn lost(&self) -> Duration {
        self.overhead.saturating_add(self.latency)
    }
}

/// Number of answers remembered.
const REMEMBERED: usize = 8;
/// Tolerated latency: every machine is this late now and then, which the user's overhead covers.
const TOLERATED: Duration = Duration::from_millis(5);

/// Latency of the last answers.
///
/// On a machine with more to do than processors, every thread between a line and its answer waits for its time slice.
/// This cannot be predicted, but it can be measured, and it lasts.
#[derive(Clone, Default, Debug)]
pub struct Latency {
    delays: [Duration; REMEMBERED],
    /// Index of the oldest delay.
    oldest: usize,
}

impl Latency {
    /// Records an answer that came `delay` after it was due.
    pub fn observe(&mut self, delay: Duration) {
        self.delays[self.oldest] = delay;
        self.oldest = (self.oldest + 1) % REMEMBERED;
    }

    /// Returns the latency to expect of the next answer, beyond the tolerated one; zero on a quiet machine.
    ///
    /// The largest remembered delay does not count: one hiccup is chance, two are a busy machine.
    pub fn expected(&self) -> Duration {
        let mut delays = self.delays;
        delays.sort_unstable();
        delays[REMEMBERED - 2].saturating_sub(TOLERATED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(delays: &[u64]) -> Duration {
        let mut latency = Latency::default();
        delays.iter().for_each(|&delay| latency.observe(Duration::from_millis(delay)));
        latency.expected()
    }

    #[test]
    fn a_quiet_machine_and_a_single_hiccup_cost_nothing() {
        assert_eq!(after(&[]), Duration::ZERO);
        assert_eq!(after(&[1, 0, 2, 4, 5, 1, 3, 0, 2]), Duration::ZERO);
        assert_eq!(after(&[1, 400, 2]), Duration::ZERO);
    }

    #[test]
    fn a_delay_that_happened_twice_is_expected_again() {
        assert_eq!(after(&[35, 0, 85]), Duration::from_millis(30));
        assert_eq!(after(&[35, 0, 85, 65]), Duration::from_millis(60));
    }

    #[test]
    fn it_is_forgotten_when_answers_are_in_time_again() {
        let busy = [50; 20];
        assert_eq!(after(&busy), Duration::from_millis(45));
        let quiet: Vec<u64> = busy.into_iter().chain([1; REMEMBERED - 1]).collect();
        assert_eq!(after(&quiet), Duration::ZERO);
    }
}
