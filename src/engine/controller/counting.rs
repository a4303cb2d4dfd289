//! The command `go perft`: counts the leaves below each legal move. Other commands are handled meanwhile.

use super::phase::Phase;
use super::state::{Controller, Surroundings};
use crate::board::Move;
use crate::engine::count::Count;
use crate::engine::event::Reply;
use crate::search::SearchId;
use crate::smp::time::Timekeeper;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Starts to count. The last line is sent in any case, since programs wait for it.
    pub(super) fn count(&mut self, depth: u32) -> Phase {
        self.searches += 1;
        let Some(&position) = self.game.position() else {
            self.message("there is no position, the last one given was wrong".to_owned());
            self.say(&Reply::AllLeaves(0));
            return Phase::Idle;
        };
        match self.resources.count(SearchId(self.searches), position, depth) {
            Ok(count) => Phase::Counting(count),
            Err(error) => {
                self.message(format!("no thread for perft: {error}"));
                self.say(&Reply::AllLeaves(0));
                Phase::Idle
            }
        }
    }

    /// Reports the leaves below a root move.
    pub(super) fn counted(&mut self, id: SearchId, mv: Move, leaves: u64) {
        if let Phase::Counting(count) = &mut self.phase
            && count.id == id
        {
            count.leaves = count.leaves.saturating_add(leaves);
            self.say(&Reply::Leaves { mv, leaves });
        }
    }

    /// Reports the total after all root moves have been counted.
    pub(super) fn count_ended(&mut self, id: SearchId) {
        self.phase = match self.leave_phase() {
            Phase::Counting(count) if count.id == id => {
                self.say(&Reply::AllLeaves(count.leaves));
                Phase::Idle
            }
            phase => phase,
        };
    }

    /// Stops the count and reports the sum so far.
    pub(super) fn stop_counting(&mut self, count: Count) -> Phase {
        self.message("perft was stopped, not all of the moves are counted".to_owned());
        self.say(&Reply::AllLeaves(count.leaves));
        Phase::Idle
    }
}
