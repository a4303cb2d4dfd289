//! Clock of one player.

use std::time::Duration;

use chuhe_engines::player::{ClockState, TimeControl};

/// A time control with its remaining time.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    control: TimeControl,
    left: Option<Duration>,
    /// Moves made since time was last added.
    moves: u32,
}

impl Clock {
    /// Starts a clock; the increment is on it before the first move, as in cutechess-cli and fastchess.
    pub(crate) fn new(control: TimeControl) -> Self {
        Self { control, left: control.base.map(|base| base.saturating_add(control.increment)), moves: 0 }
    }

    pub(crate) fn remaining(&self) -> ClockState {
        ClockState {
            time: self.left,
            increment: self.control.increment,
            moves_to_go: self.control.moves.filter(|_| self.left.is_some()).map(|moves| moves - self.moves),
        }
    }

    /// Deducts the time of a move and adds the increment. Overtime within the time margin is not carried over.
    pub(crate) fn spend(&mut self, elapsed: Duration) {
        let Some(left) = self.left else { return };
        let mut left = left.saturating_sub(elapsed) + self.control.increment;
        self.moves += 1;
        if Some(self.moves) == self.control.moves {
            left += self.control.base.unwrap_or_default();
            self.moves = 0;
        }
        self.left = Some(left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(clock: &Clock) -> (u128, Option<u32>) {
        let remaining = clock.remaining();
        (remaining.time.unwrap().as_millis(), remaining.moves_to_go)
    }

    #[test]
    fn moves_cost_time_and_earn_the_increment() {
        let mut clock = Clock::new("1+0.1".parse().unwrap());
        assert_eq!(left(&clock), (1100, None), "the first move has its increment too");
        clock.spend(Duration::from_millis(300));
        assert_eq!(left(&clock), (900, None));
        clock.spend(Duration::from_millis(1000));
        assert_eq!(left(&clock), (100, None), "the margin forgives");
    }

    #[test]
    fn a_session_adds_its_time_again() {
        let mut clock = Clock::new("2/1".parse().unwrap());
        assert_eq!(left(&clock), (1000, Some(2)));
        clock.spend(Duration::from_millis(300));
        assert_eq!(left(&clock), (700, Some(1)));
        clock.spend(Duration::from_millis(300));
        assert_eq!(left(&clock), (1400, Some(2)));
        let mut with_increment = Clock::new("1/1+0.1".parse().unwrap());
        with_increment.spend(Duration::from_millis(300));
        assert_eq!(left(&with_increment), (1900, Some(1)), "one increment for each move");
    }

    #[test]
    fn without_a_clock_nothing_is_spent() {
        let mut clock = Clock::new("inf".parse().unwrap());
        clock.spend(Duration::from_secs(9));
        assert_eq!(clock.remaining(), ClockState::default());
    }
}
