//! Errors in openings from any kind of file.

use anyhow::{Result, bail};
use chuhe::board::Position;

/// Error in an opening, with its line from 1.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) line: usize,
    pub(super) error: anyhow::Error,
}

/// Rejects positions without a legal move.
pub(super) fn check(position: &Position) -> Result<()> {
    if !position.has_legal_move() {
        bail!("{} has no legal move", position.to_fen());
    }
    Ok(())
}
