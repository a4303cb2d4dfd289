//! Transposition table (TT) as a node sees it: hit, TT move, cutoff and evaluation.

use super::window::Window;
use crate::board::{Key, Move};
use crate::score::Score;
use crate::smp::table::{Bound, Entry, Table};

/// Transposition table (TT) as one search sees it.
///
/// The salt keeps the entries of searches apart that evaluate or prune differently.
#[derive(Clone, Copy, Debug)]
pub(super) struct TtView<'a> {
    /// The table; `None` if the search neither reads nor writes it.
    table: Option<&'a Table>,
    salt: u64,
}

impl<'a> TtView<'a> {
    pub(super) fn new(table: Option<&'a Table>, salt: u64) -> Self {
        Self { table, salt }
    }

    /// Prefetches the entry of the position with this key.
    pub(super) fn prefetch(&self, key: Key) {
        if let Some(table) = self.table {
            table.prefetch(key.salted(self.salt).0);
        }
    }

    /// Probes the table for the position with this key, under this path salt.
    pub(super) fn probe(&self, key: Key, path_salt: u64) -> Option<Entry> {
        self.table.and_then(|table| table.probe(key.salted(self.salt ^ path_salt).0))
    }

    /// Stores an entry for the position with this key, under this path salt.
    pub(super) fn store(&self, key: Key, path_salt: u64, entry: Entry) {
        if let Some(table) = self.table {
            table.store(key.salted(self.salt ^ path_salt).0, entry);
        }
    }
}

/// Returns the TT move (hash move). It may belong to another position with the same key.
pub(super) fn tt_move(tt_hit: Option<Entry>) -> Option<Move> {
    tt_hit.and_then(|entry| entry.mv).and_then(Move::from_word)
}

/// Whether the position is, or once was, on a principal variation (TT PV).
pub(super) fn tt_pv(pv: bool, tt_hit: Option<Entry>) -> bool {
    pv || tt_hit.is_some_and(|entry| entry.tt_pv)
}

/// TT cutoff: returns the stored score if it decides whether the node lies above or below the window.
///
/// Returns `None` for a ban, and for a mate that takes more than `plies_left` plies: it comes after the move limit,
/// unless something is captured on the way.
pub(super) fn cutoff(entry: &Entry, window: Window, ply: usize, plies_left: Option<usize>) -> Option<Score> {
    let score = Score::from_table(entry.score, ply);
    let settles = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
    };
    let in_time = || match (score.plies_to_end(), plies_left) {
        (Some(plies), Some(left)) => plies <= ply + left,
        (None, _) | (_, None) => true,
    };
    (settles && !score.is_ban() && in_time()).then_some(score)
}

/// Returns the TT score where its bound makes it more accurate than the static evaluation.
pub(super) fn better_eval(entry: &Entry, static_eval: Score, ply: usize) -> Option<Score> {
    let score = Score::from_table(entry.score, ply);
    let nearer = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score > static_eval,
        Bound::Upper => score < static_eval,
    };
    (nearer && !score.is_decisive()).then_some(score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_score_settles_a_window_it_lies_outside_of_unless_it_is_a_ban() {
        let window = Window::around(Score::DRAW, 50);
        let entry = |score: Score, bound| Entry {
            mv: None,
            score: score.to_table(3),
            eval: None,
            depth: 9,
            bound,
            tt_pv: false,
        };
        let (good, bad) = (Score::from_eval(80), Score::from_eval(-80));
        assert_eq!(cutoff(&entry(good, Bound::Lower), window, 3, Some(60)), Some(good));
        assert_eq!(cutoff(&entry(good, Bound::Upper), window, 3, Some(60)), None);
        assert_eq!(cutoff(&entry(bad, Bound::Upper), window, 3, Some(60)), Some(bad));
        assert_eq!(cutoff(&entry(bad, Bound::Lower), window, 3, Some(60)), None);
        assert_eq!(cutoff(&entry(Score::mate_in(9), Bound::Exact), window, 3, Some(60)), Some(Score::mate_in(9)));
        for ban in [Score::banned_in(9), -Score::banned_in(9)] {
            assert_eq!(cutoff(&entry(ban, Bound::Exact), window, 3, Some(60)), None);
        }
        // The mate at ply 9 is six plies away.
        assert!(cutoff(&entry(Score::mate_in(9), Bound::Exact), window, 3, Some(6)).is_some());
        assert_eq!(cutoff(&entry(Score::mate_in(9), Bound::Exact), window, 3, Some(5)), None);
        assert!(cutoff(&entry(Score::mate_in(9), Bound::Exact), window, 3, None).is_some());
    }

    #[test]
    fn a_bound_betters_the_static_value_only_from_its_own_side() {
        let entry = |bound| Entry { mv: None, score: 40, eval: None, depth: 1, bound, tt_pv: false };
        let eval = Score::from_eval;
        assert_eq!(better_eval(&entry(Bound::Lower), eval(10), 0), Some(eval(40)));
        assert_eq!(better_eval(&entry(Bound::Lower), eval(90), 0), None);
        assert_eq!(better_eval(&entry(Bound::Upper), eval(90), 0), Some(eval(40)));
        assert_eq!(better_eval(&entry(Bound::Upper), eval(10), 0), None);
        assert_eq!(better_eval(&entry(Bound::Exact), eval(90), 0), Some(eval(40)));
    }
}
