//! What may be wrong with an opening, whatever file it is in.

use anyhow::{Result, bail};
use chuhe::board::Position;

/// What is wrong, and in which line, from 1.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) line: usize,
    pub(super) error: anyhow::Error,
}

/// Refuses positions in which there is nothing to play.
pub(super) fn check(position: &Position) -> Result<()> {
    if !position.has_legal_move() {
        bail!("{} has no legal move", position.to_fen());
    }
    Ok(())
}
