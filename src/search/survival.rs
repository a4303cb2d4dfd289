//! Thinking that survives a mistake of its own: a panic costs the worker its memory and the search one opinion, not the
//! engine its game.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::{Outcome, Reporter, SearchContext, Searcher};

impl Searcher {
    /// Like [`Searcher::think`]; none if that panics. Then the searcher has forgotten all but what it shares.
    pub(crate) fn think_safely(&mut self, context: &SearchContext, reporter: &mut impl Reporter) -> Option<Outcome> {
        // Nobody sees what the panic has left half done: all of the searcher is thrown away, and what it shares with
        // others, table and corrections, consists of atomics that may have any value.
        let outcome = catch_unwind(AssertUnwindSafe(|| self.think(context, reporter))).ok();
        if outcome.is_none() {
            *self = Self::sharing(self.worker, Arc::clone(&self.corrections));
        }
        outcome
    }
}
