//! What ends a search of itself: bounds that need no clock.

/// Bounds that need no clock, so that a search within them is reproducible with one worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Deepest iteration, in plies.
    pub depth: Option<u32>,
    /// Most nodes of all workers together.
    pub nodes: Option<u64>,
    /// End once the mover is known to mate within so many of its moves.
    pub mate: Option<u32>,
}
