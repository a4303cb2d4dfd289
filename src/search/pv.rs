//! Principal variation (PV) of each ply, in a triangular table.

use arrayvec::ArrayVec;

use crate::board::Move;
use crate::score::MAX_PLY;

type Line = ArrayVec<Move, MAX_PLY>;

/// Principal variations of all plies of one search.
#[derive(Clone, Debug)]
pub(crate) struct PvTable(Box<[Line]>);

impl PvTable {
    pub(crate) fn new() -> Self {
        Self(vec![Line::new(); MAX_PLY + 1].into_boxed_slice())
    }

    pub(crate) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Sets the line of `ply` to `mv` followed by the line of the next ply.
    pub(crate) fn update(&mut self, ply: usize, mv: Move) {
        let (lines, deeper) = self.0.split_at_mut(ply + 1);
        let line = &mut lines[ply];
        line.clear();
        line.push(mv);
        line.extend(deeper[0].iter().copied().take(MAX_PLY - 1));
    }

    pub(crate) fn line(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }
}
