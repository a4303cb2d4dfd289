//! What the search remembers of each ply of the current line.

use super::correction::Structure;
use crate::board::{Move, Piece};
use crate::score::Score;

/// One ply.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Frame {
    /// The structure of the position.
    pub(crate) structure: Structure,
    /// The corrected static value, unless the mover is in check.
    pub(crate) static_eval: Option<Score>,
    /// The move that led on from here; `None` for a pass.
    pub(crate) played: Option<(Piece, Move)>,
    /// Quiet moves that refuted a neighbour, newest first.
    pub(crate) killers: [Option<Move>; 2],
    /// How often nodes of this ply have failed high since the node two plies above was entered.
    pub(crate) cutoffs: u32,
    /// Changes the key under which the table keeps the node; not 0 where its value depends on the way to it, so that what
    /// is kept may order the moves but decides nothing.
    pub(crate) path_salt: u64,
    /// Plies since the last pass in this line.
    pub(crate) since_pass: usize,
    /// The move that a search of this node does without; such a search leaves the table alone.
    pub(crate) excluded: Option<Move>,
    /// The node is searched to verify a null move: it may neither pass nor touch the table.
    pub(crate) no_pass: bool,
}

impl Frame {
    pub(crate) fn remember_killer(&mut self, mv: Move) {
        if self.killers[0] != Some(mv) {
            self.killers = [Some(mv), self.killers[0]];
        }
    }
}
