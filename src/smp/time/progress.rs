//! What the budget hears of a search, whatever game is searched.

/// An iteration, or an attempt at one, seen from the clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The best move, in any words that tell moves apart.
    pub best: u16,
    /// What it is worth to the side to move, in hundredths of the game's unit.
    pub score: i32,
    /// What `score` says.
    pub found: Found,
    /// Share of the nodes that were spent below the best move, in thousandths.
    pub best_permille: u32,
}

/// How a score relates to the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// It is the value.
    Value,
    /// The value is at least this.
    AtLeast,
    /// The value is at most this: what was thought best is worse than that.
    AtMost,
}
