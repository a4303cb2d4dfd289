//! Root moves: which of them are to be searched, the nodes spent on each, and what is proven.

use super::shared::{ProvenMoves, SearchContext};
use super::window::Window;
use crate::board::Move;
use crate::score::Score;

#[derive(Clone, Copy, Debug)]
struct Entry {
    mv: Move,
    /// Nodes spent below the move in this search.
    effort: u64,
    /// Random bonus, in centipawns.
    bonus: i32,
    /// Whether the move begins a line of this iteration already.
    taken: bool,
    /// Proven result, if any.
    proven: Option<Proof>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Proof {
    Win,
    Loss,
}

/// Root moves of one search.
#[derive(Clone, Debug)]
pub(super) struct RootMoves {
    entries: Vec<Entry>,
    /// Whether no legal move is missing, neither banned nor outside `searchmoves`.
    are_all: bool,
    /// Move to search first: the best one of the last iteration.
    pub(super) expected: Option<Move>,
    /// Score of the root's principal variation; meaningless while there is none.
    pub(super) score: Score,
    /// Number of proofs reported so far.
    reported: usize,
}

impl RootMoves {
    /// Creates the root moves of `context`, of which nothing is known yet.
    pub(super) fn of(context: &SearchContext) -> Self {
        let (randomness, key) = (context.plan.randomness, context.root().key());
        let entry =
            |&mv: &Move| Entry { mv, effort: 0, bonus: randomness.bonus(key, mv.bits()), taken: false, proven: None };
        let entries = context.root_moves.iter().map(entry).collect();
        // A level of play may lack the nodes for a single iteration, and the random bonus may outweigh much, but a
        // mate in one is always found.
        let mates = |&mv: &Move| !context.root().play(mv).has_legal_move();
        let weak = context.plan.node_budget.is_some() || randomness.margin > 0;
        let expected = if weak { context.root_moves.iter().copied().find(mates) } else { None };
        let are_all = context.root_moves.len() == context.root().legal_moves().len();
        Self { entries, are_all, expected, score: Score::DRAW, reported: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether `mv` is to be searched for the current line.
    pub(super) fn admits(&self, mv: Move) -> bool {
        self.entries.iter().any(|entry| entry.mv == mv && !entry.taken)
    }

    /// Returns a move that may be played whatever becomes of the search.
    pub(super) fn fallback(&self) -> Move {
        self.entries[0].mv
    }

    /// Returns the first move that is not excluded.
    pub(super) fn first(&self) -> Option<Move> {
        self.entries.iter().find(|entry| !entry.taken).map(|entry| entry.mv)
    }

    /// Excludes a move from the lines that follow.
    pub(super) fn take(&mut self, mv: Move) {
        self.entries.iter_mut().filter(|entry| entry.mv == mv).for_each(|entry| entry.taken = true);
    }

    /// Includes all moves again.
    pub(super) fn release(&mut self) {
        self.entries.iter_mut().for_each(|entry| entry.taken = false);
    }

    /// Whether the root's value is that of the position: no move is excluded, and none has a random bonus.
    pub(super) fn value_the_position(&self) -> bool {
        self.are_all && self.entries.iter().all(|entry| !entry.taken && entry.bonus == 0)
    }

    /// Returns the share of all nodes that was spent below `mv`, in thousandths.
    pub(super) fn effort_permille(&self, mv: Move) -> u32 {
        let total: u64 = self.entries.iter().map(|entry| entry.effort).sum();
        let spent = self.entries.iter().find(|entry| entry.mv == mv).map_or(0, |entry| entry.effort);
        u32::try_from(spent * 1000 / total.max(1)).unwrap_or(1000)
    }

    /// Returns the random bonus of `mv`, in centipawns.
    pub(super) fn bonus(&self, mv: Move) -> i32 {
        self.entries.iter().find(|entry| entry.mv == mv).map_or(0, |entry| entry.bonus)
    }

    /// Records a search of `mv`: its nodes, and its `score` inside `window`, both from the root's side.
    pub(super) fn record(&mut self, mv: Move, nodes: u64, score: Score, window: Window) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.mv == mv) {
            entry.effort += nodes;
            entry.record(score, window);
        }
    }

    /// Records that `mv` mates by force.
    pub(super) fn record_win(&mut self, mv: Move) {
        self.entries.iter_mut().filter(|entry| entry.mv == mv).for_each(|entry| entry.proven = Some(Proof::Win));
    }

    /// Returns all proven moves, if they are more than at the last call.
    pub(super) fn fresh_proofs(&mut self) -> Option<ProvenMoves> {
        let count = self.entries.iter().filter(|entry| entry.proven.is_some()).count();
        let all = |proof| self.entries.iter().filter(move |entry| entry.proven == Some(proof)).map(|entry| entry.mv);
        let proven = || ProvenMoves { winning: all(Proof::Win).collect(), losing: all(Proof::Loss).collect() };
        (count > std::mem::replace(&mut self.reported, count)).then(proven)
    }
}

impl Entry {
    /// Marks the move as proven if the score is a mate and bounds the value on the right side.
    fn record(&mut self, score: Score, window: Window) {
        if !score.is_mate() {
            return;
        }
        if score > Score::DRAW && score > window.alpha {
            self.proven = Some(Proof::Win);
        } else if score < Score::DRAW && score < window.beta {
            self.proven = Some(Proof::Loss);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(mv: &str) -> Entry {
        Entry { mv: mv.parse().unwrap(), effort: 0, bonus: 0, taken: false, proven: None }
    }

    fn root_moves() -> RootMoves {
        let entries = vec![entry("h2e2"), entry("b2e2")];
        RootMoves { entries, are_all: true, expected: None, score: Score::DRAW, reported: 0 }
    }

    #[test]
    fn only_a_mate_on_the_right_side_of_the_window_is_a_proof() {
        let recorded = |score, window| {
            let mut entry = entry("h2e2");
            entry.record(score, window);
            entry.proven
        };
        let window = Window::around(Score::DRAW, 50);
        assert_eq!(recorded(Score::mate_in(3), window), Some(Proof::Win));
        assert_eq!(recorded(Score::mated_in(4), window), Some(Proof::Loss));
        assert_eq!(recorded(Score::from_eval(900), window), None);
        assert_eq!(recorded(-Score::banned_in(4), window), None);
        // An upper bound proves no win, a lower one no loss.
        assert_eq!(recorded(Score::mate_in(9), Window::around(Score::mate_in(3), 1)), None);
        let lost = Window { alpha: Score::mated_in(2), beta: Score::mated_in(4) };
        assert_eq!(recorded(Score::mated_in(8), lost), None);
    }

    #[test]
    fn proofs_are_reported_once() {
        let mut moves = root_moves();
        assert_eq!(moves.fresh_proofs(), None);
        moves.entries[1].record(Score::mated_in(4), Window::FULL);
        let losing = vec!["b2e2".parse().unwrap()];
        assert_eq!(moves.fresh_proofs(), Some(ProvenMoves { winning: vec![], losing }));
        assert_eq!(moves.fresh_proofs(), None);
    }

    #[test]
    fn a_taken_move_is_left_out_until_all_are_released() {
        let mut moves = root_moves();
        assert!(moves.value_the_position());
        let first = moves.first().unwrap();
        moves.take(first);
        assert!(!moves.admits(first) && moves.first() != Some(first) && !moves.value_the_position());
        moves.release();
        assert!(moves.admits(first));
    }
}
