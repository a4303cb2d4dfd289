//! `go perft`: the leaves below each legal move, while everything else that is said is heard.

use super::phase::Phase;
use super::state::{Controller, Surroundings};
use crate::board::Move;
use crate::engine::count::Count;
use crate::engine::event::Reply;
use crate::search::SearchId;
use crate::smp::time::Timekeeper;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Begins to count. Programs wait for the last line, which is said in any case.
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

    /// The leaves below a root move are known.
    pub(super) fn counted(&mut self, id: SearchId, mv: Move, leaves: u64) {
        if let Phase::Counting(count) = &mut self.phase
            && count.id == id
        {
            count.leaves = count.leaves.saturating_add(leaves);
            self.say(&Reply::Leaves { mv, leaves });
        }
    }

    /// All root moves have been counted.
    pub(super) fn count_ended(&mut self, id: SearchId) {
        self.phase = match self.leave_phase() {
            Phase::Counting(count) if count.id == id => {
                self.say(&Reply::AllLeaves(count.leaves));
                Phase::Idle
            }
            phase => phase,
        };
    }

    /// The user wants to see no more of it.
    pub(super) fn stop_counting(&mut self, count: Count) -> Phase {
        self.message("perft was stopped, not all of the moves are counted".to_owned());
        self.say(&Reply::AllLeaves(count.leaves));
        Phase::Idle
    }
}
