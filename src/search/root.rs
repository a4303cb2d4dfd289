//! The root moves: which of them count now, what each has cost, what is certain about it.

use super::manner::Manner;
use super::report::{ProvenMoves, Refutation, RootMove};
use super::window::Window;
use super::{SearchContext, Searcher};
use crate::board::{Move, Position};
use crate::score::Score;

/// Nodes before root moves are worth a report: less than a second's.
const QUIET_NODES: u64 = 1 << 20;

/// Plies of an iteration from which refutations are worth a report.
const REFUTATION_MIN_DEPTH: i32 = 6;

#[derive(Clone, Copy, Debug)]
struct Entry {
    mv: Move,
    /// Nodes spent below it in this search.
    effort: u64,
    /// What chance has given it, in centipawns.
    bonus: i32,
    /// It begins a line of this iteration already.
    taken: bool,
    /// Whether it is known to win or to lose by force.
    proven: Option<Proof>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Proof {
    Win,
    Loss,
}

/// The moves that may be played at the root of one search.
#[derive(Clone, Default, Debug)]
pub(super) struct RootMoves {
    entries: Vec<Entry>,
    /// How many proofs the surroundings have heard of.
    told: usize,
}

impl RootMoves {
    /// The root moves of `context`; nothing is known about them.
    pub(super) fn of(context: &SearchContext) -> Self {
        let (noise, key) = (context.preferences.noise, context.root().key());
        let entry =
            |&mv: &Move| Entry { mv, effort: 0, bonus: noise.bonus(key, mv.bits()), taken: false, proven: None };
        Self { entries: context.root_moves.iter().map(entry).collect(), told: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether `mv` is to be searched for the line under way.
    pub(super) fn admits(&self, mv: Move) -> bool {
        self.entries.iter().any(|entry| entry.mv == mv && !entry.taken)
    }

    /// The first move that still counts.
    pub(super) fn first(&self) -> Option<Move> {
        self.entries.iter().find(|entry| !entry.taken).map(|entry| entry.mv)
    }

    /// Leaves a move out of the lines that follow.
    pub(super) fn take(&mut self, mv: Move) {
        self.entries.iter_mut().filter(|entry| entry.mv == mv).for_each(|entry| entry.taken = true);
    }

    /// Lets all moves count again.
    pub(super) fn release(&mut self) {
        self.entries.iter_mut().for_each(|entry| entry.taken = false);
    }

    /// Whether the value of the root is that of the position: no move is missing from it, and none has had luck.
    pub(super) fn value_the_position(&self) -> bool {
        self.entries.iter().all(|entry| !entry.taken && entry.bonus == 0)
    }

    /// Share of all nodes that was spent below `mv`, in thousandths.
    pub(super) fn effort_permille(&self, mv: Move) -> u32 {
        let total: u64 = self.entries.iter().map(|entry| entry.effort).sum();
        let spent = self.entries.iter().find(|entry| entry.mv == mv).map_or(0, |entry| entry.effort);
        u32::try_from(spent * 1000 / total.max(1)).unwrap_or(1000)
    }

    fn entry(&mut self, mv: Move) -> Option<&mut Entry> {
        self.entries.iter_mut().find(|entry| entry.mv == mv)
    }

    /// What is certain by now, if it is more than was told before.
    pub(super) fn fresh_proofs(&mut self) -> Option<ProvenMoves> {
        let all = |proof| self.entries.iter().filter(move |entry| entry.proven == Some(proof)).map(|entry| entry.mv);
        let proven = ProvenMoves { winning: all(Proof::Win).collect(), losing: all(Proof::Loss).collect() };
        let count = proven.winning.len() + proven.losing.len();
        (count > std::mem::replace(&mut self.told, count)).then_some(proven)
    }
}

impl Entry {
    /// A mate is certain if the score bounds the value from the right side.
    fn learn(&mut self, score: Score, window: Window) {
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

impl Searcher {
    /// A root move is about to be searched, as the iteration's `number`th from 1. Returns what chance gives it on top of
    /// its value, in centipawns.
    pub(super) fn begin_root_move(&mut self, context: &SearchContext, mv: Move, number: usize) -> i32 {
        if self.worker == 0
            && self.nodes >= QUIET_NODES
            && let Some(attendant) = &context.preferences.attendant
        {
            attendant.root_move(RootMove { mv, number, depth: self.nominal_depth.unsigned_abs() });
        }
        self.root_moves.entry(mv).map_or(0, |entry| entry.bonus)
    }

    /// A root move has been searched inside `window` and led to `child`; `score` is from the root's side.
    pub(super) fn end_root_move(
        &mut self,
        context: &SearchContext,
        (mv, child): (Move, &Position),
        (score, window): (Score, Window),
        nodes: u64,
    ) {
        if let Some(entry) = self.root_moves.entry(mv) {
            entry.effort += nodes;
            entry.learn(score, window);
        }
        let wanted = context.preferences.shows_refutations && self.worker == 0;
        if !wanted || self.nominal_depth < REFUTATION_MIN_DEPTH || score > window.alpha {
            return;
        }
        let answer = self.recall(context, child, 1).and_then(|entry| entry.mv).filter(|&answer| child.is_legal(answer));
        if let (Some(answer), Some(attendant)) = (answer, &context.preferences.attendant) {
            attendant.refutation(Refutation { line: vec![mv, answer] });
        }
    }

    /// Tells the surroundings what has been proven since they were last told.
    pub(super) fn report_proofs(&mut self, context: &SearchContext) {
        if self.worker == 0
            && let Some(attendant) = &context.preferences.attendant
            && let Some(proven) = self.root_moves.fresh_proofs()
        {
            attendant.proven_moves(proven);
        }
    }

    /// Makes what there is to know about the root and the user's wishes known to the nodes.
    pub(super) fn prepare_root(&mut self, context: &SearchContext) {
        self.manner = Manner::of(context);
        self.root_moves = RootMoves::of(context);
        let outlook = context.preferences.outlook(context.root().side());
        self.evaluator.look_through(outlook, context.preferences.network_in_use());
        self.corrections.learn_from(outlook);
        // A level of play may not even have the nodes for the first iteration, and luck may outweigh much, but nobody is
        // so blind.
        let mates = |&mv: &Move| !context.root().play(mv).has_legal_move();
        let weak = context.preferences.node_budget.is_some() || context.preferences.noise.margin > 0;
        self.expected = if weak { context.root_moves.iter().copied().find(mates) } else { None };
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Limits, Preferences, Silent};
    use super::*;
    use crate::eval::Knowledge;
    use crate::rules::RuleSet;

    /// What a searcher without history finds of the start position, with a table of its own.
    fn found(searcher: &mut Searcher, knowledge: Knowledge) -> (u64, Score) {
        let limits = Limits { depth: Some(7), ..Limits::default() };
        let preferences = Preferences { knowledge, ..Preferences::default() };
        let game = SearchContext::of_game(vec![Position::start()], RuleSet::Asian.rules());
        searcher.forget_history();
        let outcome = searcher.think(&SearchContext { limits, preferences, ..game }, &mut Silent);
        (outcome.nodes, outcome.score)
    }

    #[test]
    #[cfg_attr(miri, ignore = "searches of thousands of nodes")]
    fn whoever_values_positions_otherwise_begins_to_learn_anew() {
        let mut searcher = Searcher::new(0);
        let first = found(&mut searcher, Knowledge::Small);
        assert_ne!(found(&mut searcher, Knowledge::Small), first, "what was learnt makes a difference");
        found(&mut searcher, Knowledge::Medium);
        assert_eq!(found(&mut searcher, Knowledge::Small), first);
    }

    fn entry(mv: &str) -> Entry {
        Entry { mv: mv.parse().unwrap(), effort: 0, bonus: 0, taken: false, proven: None }
    }

    #[test]
    fn only_a_mate_on_the_right_side_of_the_window_is_a_proof() {
        let learnt = |score, window| {
            let mut entry = entry("h2e2");
            entry.learn(score, window);
            entry.proven
        };
        let window = Window::around(Score::DRAW, 50);
        assert_eq!(learnt(Score::mate_in(3), window), Some(Proof::Win));
        assert_eq!(learnt(Score::mated_in(4), window), Some(Proof::Loss));
        assert_eq!(learnt(Score::from_eval(900), window), None);
        assert_eq!(learnt(-Score::banned_in(4), window), None);
        // An upper bound is no proof of a win, a lower one none of a loss.
        assert_eq!(learnt(Score::mate_in(9), Window::around(Score::mate_in(3), 1)), None);
        let lost = Window { alpha: Score::mated_in(2), beta: Score::mated_in(4) };
        assert_eq!(learnt(Score::mated_in(8), lost), None);
    }

    #[test]
    fn proofs_are_told_once() {
        let mut moves = RootMoves { entries: vec![entry("h2e2"), entry("b2e2")], told: 0 };
        assert_eq!(moves.fresh_proofs(), None);
        moves.entries[1].learn(Score::mated_in(4), Window::FULL);
        let losing = vec!["b2e2".parse().unwrap()];
        assert_eq!(moves.fresh_proofs(), Some(ProvenMoves { winning: vec![], losing }));
        assert_eq!(moves.fresh_proofs(), None);
    }

    #[test]
    fn a_taken_move_is_left_out_until_all_are_released() {
        let mut moves = RootMoves { entries: vec![entry("h2e2"), entry("b2e2")], told: 0 };
        assert!(moves.value_the_position());
        let first = moves.first().unwrap();
        moves.take(first);
        assert!(!moves.admits(first) && moves.first() != Some(first) && !moves.value_the_position());
        moves.release();
        assert!(moves.admits(first));
    }
}
