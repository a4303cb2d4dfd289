//! The command `go`: limits, clocks and moves.

use crate::board::{MoveText, Side};
use crate::search::Limits;

/// A request to search: limits, clocks and moves.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Go {
    /// Whether to ponder on the opponent's time, and hold the answer until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Whether the opponent offers a draw.
    pub draw: bool,
    /// Whether the answer is held until `stop`, whatever the limits.
    pub infinite: bool,
    /// Limits of depth, nodes and mate.
    pub limits: Limits,
    /// Time for this move besides the mover's clock, in milliseconds.
    pub move_time: Option<i64>,
    /// The mover's clock, if the protocol gave it as such; read it through [`Go::clock_of`].
    pub clock: Option<Clock>,
    /// The clocks of both sides, if the protocol gave them by colour; read them through [`Go::clock_of`].
    pub side_clocks: Option<SideClocks>,
    /// Root moves to search; all if empty.
    pub search_moves: Vec<MoveText>,
}

impl Go {
    /// Whether the search ends by itself, once it is no longer pondering.
    pub fn is_bounded(&self) -> bool {
        !self.infinite && (self.limits != Limits::default() || self.is_timed())
    }

    fn is_timed(&self) -> bool {
        self.clock.is_some() || self.side_clocks.is_some()
    }

    /// Whether the position is to be analysed rather than a move played: without any limit, or for a mate.
    pub fn is_analysis(&self) -> bool {
        let Limits { depth, nodes, mate } = self.limits;
        self.infinite || mate.is_some() || !self.is_timed() && depth.is_none() && nodes.is_none()
    }

    /// Whether `mover` can use later the time that it saves now.
    pub fn saves_time(&self, mover: Side) -> bool {
        let is_of_game = |clock: Clock| clock.mode != ClockMode::ThisMove;
        !self.infinite && self.move_time.is_none() && self.clock_of(mover).is_some_and(is_of_game)
    }

    /// Returns the clock under which `mover` thinks, however it was given; `None` if the move is not timed.
    pub fn clock_of(&self, mover: Side) -> Option<Clock> {
        self.clock.or_else(|| self.side_clocks.and_then(|clocks| clocks.seen_by(mover)))
    }
}

/// Clocks of both sides by colour (UCI's `wtime` and others), in milliseconds. A protocol reads lines, not positions, so only
/// the controller knows which one is the mover's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SideClocks {
    /// Red's clock.
    pub red: SideClock,
    /// Black's clock.
    pub black: SideClock,
    /// Moves until the next time control, the same for both.
    pub moves_to_go: Option<u32>,
}

/// One side's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SideClock {
    /// Time left, if given.
    pub time: Option<i64>,
    /// Increment after every move.
    pub increment: i64,
}

impl SideClocks {
    /// Returns the clock of the side to move. If only the other side's time was given, it is meant for both.
    pub fn seen_by(self, mover: Side) -> Option<Clock> {
        let (own, other) = match mover {
            Side::Red => (self.red, self.black),
            Side::Black => (self.black, self.red),
        };
        let increment = own.increment;
        let mode = match self.moves_to_go {
            Some(moves) => ClockMode::MovesToGo { moves, increment },
            None => ClockMode::Increment(increment),
        };
        let (time, opponent_time) = (own.time.or(other.time)?, other.time);
        Some(Clock { time, mode, opponent_time, unit: ClockUnit::Milliseconds })
    }
}

/// Clocks as the protocol gives them, in the unit in force (seconds or milliseconds).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time that the mover has left; may be zero or negative.
    pub time: i64,
    /// Time control after the time that is left.
    pub mode: ClockMode,
    /// Time that the opponent has left, if given.
    pub opponent_time: Option<i64>,
    /// The unit of all values.
    pub unit: ClockUnit,
}

/// Unit of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockUnit {
    /// Milliseconds if the option `usemillisec` is on, else seconds: UCCI's clocks.
    ByOption,
    /// Milliseconds: UCI's clocks.
    Milliseconds,
}

/// Time control: what follows the time that is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockMode {
    /// The time is for this move alone.
    ThisMove,
    /// Increment after every move.
    Increment(i64),
    /// The time is for a number of moves, with an increment after each of them.
    MovesToGo {
        /// Moves until the clock is refilled, this one included.
        moves: u32,
        /// Increment after every move.
        increment: i64,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_the_movers() {
        let side = |time, increment| SideClock { time: Some(time), increment };
        let clocks = SideClocks { red: side(1000, 10), black: side(2000, 20), moves_to_go: None };
        let go = Go { side_clocks: Some(clocks), ..Go::default() };
        let black = go.clock_of(Side::Black).unwrap();
        assert_eq!((black.time, black.mode, black.opponent_time), (2000, ClockMode::Increment(20), Some(1000)));
        assert_eq!(go.clock_of(Side::Red).unwrap().time, 1000);
        assert_eq!(Go::default().clock_of(Side::Red), None);
    }
}
