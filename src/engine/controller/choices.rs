//! Which moves a `go` has to choose among.

use super::state::{Controller, Surroundings};
use crate::engine::endings::{Kept, keep_best};
use crate::engine::event::Go;
use crate::smp::time::Timekeeper;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Those that may be played, without what tables of endgames advise against if one is to be played and played well. Who looks
    /// into a position or wants several lines sees them all.
    pub(super) fn choices(&mut self, go: &Go) -> Kept {
        let rules = self.options.rules();
        let moves = self.game.root_moves(&go.search_moves, &rules);
        let is_analysis = Go { ponder: false, ..go.clone() }.is_analysis() || self.options.analysing;
        let looks_into = is_analysis || self.options.lines > 1;
        let asks = self.options.uses_endgames && !self.options.limits_strength && !looks_into;
        match self.game.position().filter(|_| asks) {
            Some(position) => keep_best(self.resources.endgames(), position, moves, &rules),
            None => Kept::all(moves),
        }
    }
}
