//! What an engine says that a position is worth.

/// A score, for the side that moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eval {
    /// Hundredths of a pawn in UCI, hundredths of a minor piece in UCCI, as the engine gave it.
    Units(i32),
    /// Mate in so many moves; negative when being mated.
    Mate(i32),
}
