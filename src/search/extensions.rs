//! Extensions: check extension, and singular extension (SE) of a TT move that all other moves fall short of.
//!
//! Singular extensions were introduced by Anantharaman, Campbell and Hsu ("Singular Extensions", 1990). The form used
//! here became common with the transposition table: the other moves are searched to half the depth against the TT
//! score less a margin.

use super::node::{Facts, Node, Scout};
use super::params;
use super::window::Window;
use super::worker::Worker;
use crate::score::Score;
use crate::smp::stop::Stopped;
use crate::smp::table::{Bound, Entry};

/// Distance from the root beyond which no node is extended, in multiples of the nominal depth.
const FURTHEST: usize = 2;

/// Whether a node is near enough to the root to be extended.
pub(super) fn is_near_root(ply: usize, nominal_depth: i32) -> bool {
    ply < FURTHEST * usize::try_from(nominal_depth).unwrap_or(0)
}

/// Check extension: one ply for a check that loses no material, near the root and from a minimum `depth` on.
///
/// Returns the extension in plies.
pub(super) fn check_extension(
    gives_check: bool,
    depth: i32,
    near_root: bool,
    keeps_material: impl FnOnce() -> bool,
) -> i32 {
    let deep_enough = depth >= params::check_extension_min_depth();
    i32::from(gives_check && deep_enough && near_root && keeps_material())
}

/// Inputs of the singular extension (SE) of a TT move.
#[derive(Clone, Copy, Debug)]
struct Suspicion {
    depth: i32,
    window: Window,
    /// Whether the node is expected to fail high (cut node).
    cut: bool,
    in_pv: bool,
    /// Score of the TT entry.
    stored: Score,
}

/// Result of the search without the TT move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// Extension of the TT move, in plies; negative for a reduction.
    Extend(i32),
    /// Multi-cut: another move reaches beta as well, so the node fails high with this value.
    Cut(Score),
}

/// Whether the TT entry is deep and reliable enough to test its move for singularity.
fn is_suspicious(entry: &Entry, stored: Score, depth: i32) -> bool {
    depth >= params::singular_min_depth()
        && entry.bound != Bound::Upper
        && i32::from(entry.depth) + params::singular_entry_plies() >= depth
        && !stored.is_decisive()
}

impl Suspicion {
    /// Returns the singular beta: the score that all other moves must stay below.
    fn bar(&self) -> Score {
        self.stored - params::singular_margin_1024() * self.depth / 1024
    }

    /// Returns the verdict, given the value that the other moves have reached.
    fn verdict(&self, others: Score) -> Verdict {
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

impl Worker<'_> {
    /// Singular extension (SE): searches this node without the TT move, and returns the extension of that move or a
    /// multi-cut.
    pub(super) fn singular<N: Node>(&mut self, facts: &Facts, window: Window) -> Result<Verdict, Stopped> {
        let (&Facts { depth, cut, .. }, ply) = (facts, self.path.ply());
        let (Some(table_move), Some(entry)) = (facts.table_move, facts.known) else { return Ok(Verdict::Extend(0)) };
        let here = self.path.here();
        let stored = Score::from_table(entry.score, ply);
        if !self.plan.pruning.reduces()
            || here.is_side_search()
            || here.salt != 0
            || !is_suspicious(&entry, stored, depth)
            || !is_near_root(ply, self.nominal_depth)
            || self.path.shuffles(table_move, params::shuffling_plies())
        {
            return Ok(Verdict::Extend(0));
        }
        let suspicion = Suspicion { depth, window, cut, in_pv: N::PV, stored };
        let below_bar = Window { alpha: suspicion.bar() - 1, beta: suspicion.bar() };
        self.path.here_mut().excluded = Some(table_move);
        let others = self.search::<Scout>(below_bar, (depth - 1) / 2, cut);
        self.path.here_mut().excluded = None;
        Ok(match suspicion.verdict(others?) {
            Verdict::Cut(_) if !self.plan.pruning.prunes_nodes() => Verdict::Extend(0),
            verdict => verdict,
        })
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

    #[test]
    fn only_safe_checks_near_the_root_are_extended() {
        let shallow = params::check_extension_min_depth();
        assert_eq!(check_extension(true, shallow, true, || true), 1);
        assert_eq!(check_extension(true, shallow, true, || false), 0);
        assert_eq!(check_extension(false, shallow, true, || true), 0);
        assert_eq!(check_extension(true, shallow - 1, true, || true), 0);
        assert_eq!(check_extension(true, shallow, false, || true), 0);
        assert!(is_near_root(15, 8) && !is_near_root(16, 8));
    }
}
