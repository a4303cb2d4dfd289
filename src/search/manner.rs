//! What of the user's preferences every node looks at, copied out of the context for speed.

use super::Searcher;
use super::context::SearchContext;
use super::preferences::Pruning;
use crate::board::{Key, Position, Side};
use crate::score::Score;
use crate::table::Entry;

/// How one search is conducted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// A free move of the opponent may prove a node.
    pub(super) passes: bool,
    /// Late moves, and nodes without a known move, are searched less deep.
    pub(super) reduces: bool,
    /// Static margins may decide a node.
    pub(super) prunes_nodes: bool,
    /// Moves may be left out.
    pub(super) prunes_moves: bool,
    /// Most nodes of all workers.
    pub(super) node_limit: Option<u64>,
    uses_table: bool,
    table_salt: u64,
    /// By the side to move.
    draws: [Score; 2],
    dictated: bool,
}

impl Default for Manner {
    /// At full strength.
    fn default() -> Self {
        Self {
            passes: true,
            reduces: true,
            prunes_nodes: true,
            prunes_moves: true,
            node_limit: None,
            uses_table: true,
            table_salt: 0,
            draws: [Score::DRAW; 2],
            dictated: false,
        }
    }
}

impl Manner {
    pub(super) fn of(context: &SearchContext) -> Self {
        let (preferences, limits) = (&context.preferences, &context.limits);
        let root = context.root().side();
        // Who asks for a mate wants to know for certain.
        let pruning = if limits.mate.is_some() { Pruning::None } else { preferences.pruning };
        let salted = super::Preferences { pruning, ..preferences.clone() };
        Self {
            passes: pruning >= Pruning::Small,
            reduces: pruning >= Pruning::Small,
            prunes_nodes: pruning >= Pruning::Medium,
            prunes_moves: pruning >= Pruning::Large,
            node_limit: limits.nodes.into_iter().chain(preferences.node_budget).min(),
            uses_table: preferences.uses_table,
            table_salt: salted.table_salt(root),
            draws: preferences.draw_values(root).map(Score::from_eval),
            dictated: !preferences.position_values.is_empty(),
        }
    }

    /// What a draw is worth to the side to move of `position`.
    pub(super) fn draw(&self, position: &Position) -> Score {
        self.draws[position.side().index()]
    }

    fn key(&self, key: Key, path_salt: u64) -> Key {
        key.salted(self.table_salt ^ path_salt)
    }
}

impl Searcher {
    /// Fetches what the table may know about the position with this key, before it is asked.
    pub(super) fn prefetch(&self, context: &SearchContext, key: Key) {
        context.table.prefetch(self.manner.key(key, 0));
    }

    /// What the table knows about `position`, the one last looked at `ply` plies from the root.
    pub(super) fn recall(&self, context: &SearchContext, position: &Position, ply: usize) -> Option<Entry> {
        let key = self.manner.key(position.key(), self.frames[ply].path_salt);
        if self.manner.uses_table { context.table.probe(key) } else { None }
    }

    /// Tells the table about `position`, the current one.
    pub(super) fn remember(&self, context: &SearchContext, position: &Position, entry: Entry) {
        if self.manner.uses_table {
            context.table.store(self.manner.key(position.key(), self.frames[self.ply()].path_salt), entry);
        }
    }

    /// The value that the user has dictated for `position`, if any.
    pub(super) fn dictated(&self, context: &SearchContext, position: &Position) -> Option<Score> {
        if !self.manner.dictated {
            return None;
        }
        let red = *context.preferences.position_values.get(&position.key())?;
        Some(Score::from_eval(match position.side() {
            Side::Red => red,
            Side::Black => -red,
        }))
    }
}
