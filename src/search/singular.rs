//! Singular extension: a table move that all others fall short of is looked at deeper; where many moves would do, less.
//!
//! The idea is that of Anantharaman, Campbell and Hsu ("Singular Extensions", 1990) in the form that became common with
//! the transposition table: the other moves are searched to half the depth against the table's score less a margin.

use super::node::{Node, Scout};
use super::params;
use super::window::Window;
use super::{SearchContext, Searcher, Stopped};
use crate::board::{Move, Position};
use crate::score::Score;
use crate::table::{Bound, Entry};

/// What a node knows when it asks whether its table move is the only good one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Suspicion {
    pub(crate) depth: i32,
    pub(crate) window: Window,
    /// The node is expected to fail high.
    pub(crate) cut: bool,
    pub(crate) in_pv: bool,
    /// What the table says the position is worth.
    pub(crate) stored: Score,
}

/// What follows from the search of the other moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// So many plies more for the table move; fewer if negative.
    Extend(i32),
    /// Several moves reach beta, so the node does: its value.
    Cut(Score),
}

/// Whether the entry is deep and sure enough to suspect its move of being the only one.
pub(crate) fn is_suspicious(entry: &Entry, stored: Score, depth: i32) -> bool {
    depth >= params::singular_min_depth()
        && entry.bound != Bound::Upper
        && i32::from(entry.depth) + params::singular_entry_plies() >= depth
        && !stored.is_decisive()
}

impl Suspicion {
    /// All other moves must stay below this.
    pub(crate) fn bar(&self) -> Score {
        self.stored - params::singular_margin_1024() * self.depth / 1024
    }

    /// Judges by the value that the other moves have reached.
    pub(crate) fn verdict(&self, others: Score) -> Verdict {
        let bar = self.bar();
        if others < bar {
            let far = !self.in_pv && others + params::singular_double_margin() < bar;
            return Verdict::Extend(1 + i32::from(far));
        }
        if others >= self.window.beta && !others.is_decisive() {
            return Verdict::Cut(others);
        }
        if self.stored >= self.window.beta {
            Verdict::Extend(-params::singular_negative_plies())
        } else {
            Verdict::Extend(-i32::from(self.cut))
        }
    }
}

impl Searcher {
    /// How much deeper the table move shall be searched, found by a search of this node without it.
    pub(super) fn singular<N: Node>(
        &mut self,
        context: &SearchContext,
        position: &Position,
        suspicion: &Suspicion,
        table_move: Move,
    ) -> Result<Verdict, Stopped> {
        let ply = self.ply();
        if ply >= 2 * self.nominal_depth as usize || self.shuffles(position, table_move) {
            return Ok(Verdict::Extend(0));
        }
        let window = Window { alpha: suspicion.bar() - 1, beta: suspicion.bar() };
        self.frames[ply].excluded = Some(table_move);
        let others = self.search::<Scout>(context, position, window, (suspicion.depth - 1) / 2, suspicion.cut);
        self.frames[ply].excluded = None;
        Ok(suspicion.verdict(others?))
    }

    /// Whether `mv` carries a piece to and fro while nothing else happens: its uniqueness is that of the repetition.
    fn shuffles(&self, position: &Position, mv: Move) -> bool {
        if position.is_capture(mv) || i32::from(position.reversible_plies()) < params::shuffling_plies() {
            return false;
        }
        let played = |back: usize| {
            let ply = self.ply().checked_sub(back)?;
            self.frames[ply].played.map(|(_, mv)| mv)
        };
        match (played(2), played(4)) {
            (Some(last), Some(before)) => mv.from() == last.to() && last.from() == before.to(),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8, bound: Bound) -> Entry {
        Entry { mv: None, score: 100, eval: None, depth, bound, was_pv: false }
    }

    fn suspicion(beta: i32) -> Suspicion {
        let beta = Score::from_eval(beta);
        let window = Window { alpha: beta - 1, beta };
        Suspicion { depth: 10, window, cut: false, in_pv: false, stored: Score::from_eval(100) }
    }

    #[test]
    fn only_deep_lower_bounds_are_suspicious() {
        let stored = Score::from_eval(100);
        assert!(is_suspicious(&entry(9, Bound::Lower), stored, 10));
        assert!(!is_suspicious(&entry(9, Bound::Upper), stored, 10));
        assert!(!is_suspicious(&entry(5, Bound::Lower), stored, 10));
        assert!(!is_suspicious(&entry(9, Bound::Lower), stored, params::singular_min_depth() - 1));
        assert!(!is_suspicious(&entry(9, Bound::Lower), Score::mate_in(5), 10));
    }

    #[test]
    fn a_move_without_rivals_is_extended() {
        let bar = suspicion(500).bar();
        assert_eq!(suspicion(500).verdict(bar - 1), Verdict::Extend(1));
        assert_eq!(suspicion(500).verdict(bar - params::singular_double_margin() - 1), Verdict::Extend(2));
        let in_pv = Suspicion { in_pv: true, ..suspicion(500) };
        assert_eq!(in_pv.verdict(bar - 1000), Verdict::Extend(1));
    }

    #[test]
    fn rivals_at_beta_cut_the_node_and_rivals_below_it_cost_depth() {
        let rival = Score::from_eval(95);
        assert_eq!(suspicion(90).verdict(rival), Verdict::Cut(rival));
        assert_eq!(suspicion(98).verdict(rival), Verdict::Extend(-params::singular_negative_plies()));
        assert_eq!(suspicion(500).verdict(rival), Verdict::Extend(0));
        assert_eq!(Suspicion { cut: true, ..suspicion(500) }.verdict(rival), Verdict::Extend(-1));
    }
}
