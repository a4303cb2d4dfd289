//! What a node leaves behind when its moves have been searched: history, the table's entry, and what its static value lacked.

use super::correction;
use super::history::{history_bonus, history_malus};
use super::node::{Facts, Findings};
use super::window::Window;
use super::worker::Worker;
use crate::board::Move;
use crate::smp::table::{Bound, Entry};

impl Worker<'_> {
    /// The move that reached beta earns a bonus, and those tried before it a malus.
    pub(super) fn reward(&mut self, found: &Findings, depth: i32) {
        let Some(best) = found.best_move else { return };
        let change = |mv| if mv == best { history_bonus(depth) } else { history_malus(depth) };
        let trail = self.path.trail();
        let history = &mut self.memory.history;
        let best_is_quiet = !self.path.position().is_capture(best);
        if best_is_quiet {
            self.path.here_mut().remember_killer(best);
        }
        for &mv in &found.searched {
            let delta = self.path.position().delta(mv);
            match delta.captured {
                Some(captured) => history.update_capture(delta, captured.kind(), change(mv)),
                None if best_is_quiet => history.update_quiet(delta.piece, mv, &trail, change(mv)),
                None => {}
            }
        }
    }

    /// Learns from the difference between the static value and what the search has found.
    pub(super) fn correct(&mut self, found: &Findings, facts: &Facts, window: Window) {
        let Some(static_eval) = self.path.here().static_eval else { return };
        let quiet = found.best_move.is_none_or(|mv| !self.path.position().is_capture(mv));
        let fails_high = found.best >= window.beta;
        if quiet && correction::teaches(found.best, static_eval, fails_high, found.best_move.is_some()) {
            self.memory.corrections.update(&self.path.features(), facts.depth, found.best - static_eval);
        }
    }

    /// Tells the table.
    pub(super) fn store(&self, found: &Findings, facts: &Facts, window: Window) {
        // A ban depends on the way to this position, which the table does not know.
        if found.best.is_ban() {
            return;
        }
        let bound = if found.best >= window.beta {
            Bound::Lower
        } else if found.best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.remember(Entry {
            mv: found.best_move.map(Move::word),
            score: found.best.to_table(self.path.ply()),
            eval: facts.raw_eval.map(|eval| eval.to_table(0)),
            depth: u8::try_from(facts.depth).unwrap_or(u8::MAX),
            bound,
            was_pv: facts.was_pv,
        });
    }
}
