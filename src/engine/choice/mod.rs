//! The choice of a move from the results of the workers, and the report that goes with it.

#[cfg(test)]
mod tests;

use super::active::ActiveSearch;
use crate::board::Move;
use crate::score::Score;
use crate::search::{Bound, Iteration, Outcome, SearchContext, static_value, vote};

/// Decision of a search.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Choice {
    pub(super) best: Move,
    /// The expected reply.
    pub(super) ponder: Option<Move>,
    pub(super) score: Score,
    /// Value of a draw in this search.
    pub(super) draw: Score,
    /// Whether the opponent has offered a draw.
    pub(super) draw_offered: bool,
    pub(super) purpose: Purpose,
}

/// The purpose of a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// Found on the clock of a game, and played there.
    Game,
    /// Found without the clock: by analysis or in the book.
    Advice,
    /// Not played, since the opponent has not made the expected move.
    Discarded,
}

impl Choice {
    /// Returns the choice with or without a draw offer.
    pub(super) fn with_offer(self, draw_offered: bool) -> Self {
        Self { draw_offered, ..self }
    }

    /// Returns the choice as one that is not played: another move than the expected one was played.
    pub(super) fn discarded(self) -> Self {
        Self { purpose: Purpose::Discarded, ..self }
    }

    /// Whether the search had decided the game when it ended.
    pub(super) fn is_decisive(&self) -> bool {
        self.score.is_decisive()
    }
}

/// Reports of a search that the user sees besides exact iterations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Audience {
    /// Bounds; without them a bound is reported as a value.
    pub(super) bounds: bool,
    /// Value and line of the move that is played, in any case.
    pub(super) every_answer: bool,
}

impl ActiveSearch {
    /// Whether there is a result: from a worker, or from the transposition table.
    pub(super) fn has_result(&self) -> bool {
        let found = self.outcomes.iter().flatten().any(|outcome| outcome.depth > 0);
        found || self.last.is_some() || self.tt_move().is_some()
    }

    /// Chooses a move from the outcomes of the workers that have ended, and from the iterations of worker 0 even before
    /// that. Also returns the report that the audience still needs.
    pub(super) fn choose(&self, audience: Audience) -> (Choice, Option<Iteration>) {
        let known = |worker: usize| {
            let reported = || self.finished_last().filter(|_| worker == 0).map(Outcome::from);
            self.outcomes[worker].clone().or_else(reported)
        };
        let outcomes: Vec<Outcome> = (0..self.outcomes.len()).filter_map(known).collect();
        if outcomes.is_empty() {
            let choice = self.choice(&self.best_after_one_ply(), Score::DRAW);
            let score = static_value(self.context.root(), &self.context.plan);
            let one_move_report = audience.every_answer.then(|| one_move_report(&choice, score));
            return (choice, one_move_report);
        }
        // With several lines the user has seen those of worker 0, the first of which is played.
        let shows_lines = self.context.plan.multipv > 1 && known(0).is_some();
        let outcome = &outcomes[if shows_lines { 0 } else { vote(&outcomes) }];
        let choice = self.choice(&outcome.pv, outcome.score);
        if outcome.depth == 0 {
            let reports = [self.finished_last(), self.last_bound.as_ref()].into_iter().flatten();
            let is_reported = reports.into_iter().any(|report| report.pv.first() == Some(&choice.best));
            let one_move_report =
                (audience.every_answer && !is_reported).then(|| one_move_report(&choice, outcome.score));
            return (choice, one_move_report);
        }
        if self.is_reported(outcome, audience.bounds) {
            return (choice, None);
        }
        let unseen = last_iteration(outcome);
        let bound = if audience.bounds { unseen.bound } else { Bound::Exact };
        (choice, Some(Iteration { bound, ..unseen }))
    }

    /// Whether the user knows from worker 0 that this move is the best, from at least as deep a search, or at least knows
    /// its bound. Of several lines all or none are reported: one more of them would mix ranks and depths.
    fn is_reported(&self, outcome: &Outcome, shows_bounds: bool) -> bool {
        let is_same = |report: &&Iteration| report.pv.first() == outcome.pv.first();
        let is_bound = shows_bounds && outcome.bound != Bound::Exact;
        let least = if is_bound { outcome.score_depth } else { outcome.depth };
        let of_best = self.finished_last().filter(is_same).is_some_and(|report| report.depth >= least);
        let is_this = |report: &Iteration| report.bound == outcome.bound && report.depth == outcome.score_depth;
        let of_bound = is_bound && self.last_bound.as_ref().filter(is_same).is_some_and(is_this);
        self.last.is_some() && self.context.plan.multipv > 1 || of_best || of_bound
    }

    /// Returns the TT move or the best-looking move after one ply, in case no worker had a time slice.
    fn best_after_one_ply(&self) -> Vec<Move> {
        let root = self.context.root();
        let worst_for_the_other = |&&mv: &&Move| static_value(&root.play(mv), &self.context.plan);
        let looks_best = || self.context.root_moves.iter().min_by_key(worst_for_the_other).copied();
        self.tt_move().or_else(looks_best).into_iter().collect()
    }

    /// Returns the TT move of the root, if it may be played.
    fn tt_move(&self) -> Option<Move> {
        let SearchContext { table, root_moves, plan, .. } = &*self.context;
        let key = self.context.root().key().salted(plan.table_salt());
        table.probe(key.0).and_then(|entry| entry.mv).and_then(Move::from_word).filter(|mv| root_moves.contains(mv))
    }

    fn choice(&self, pv: &[Move], score: Score) -> Choice {
        let root_moves = &self.context.root_moves;
        let found = pv.first().copied().filter(|best| root_moves.contains(best));
        let best = found.unwrap_or(root_moves[0]);
        let next = self.context.root().play(best);
        let ponder = pv.get(1).copied().filter(|&mv| found.is_some() && next.is_legal(mv));
        let draw = self.context.plan.draw(self.context.root().side());
        let purpose = match self.request.budget {
            _ if self.is_discarded() => Purpose::Discarded,
            Some(_) => Purpose::Game,
            None => Purpose::Advice,
        };
        Choice { best, ponder, score, draw, draw_offered: self.request.draw_offered, purpose }
    }
}

/// Returns the report of a move that no iteration has found.
fn one_move_report(choice: &Choice, score: Score) -> Iteration {
    let pv = [choice.best].into_iter().chain(choice.ponder).collect();
    let (pv_index, depth, selective_depth, bound) = (1, 0, 0, Bound::Exact);
    Iteration { pv_index, depth, selective_depth, score, bound, pv, nodes: 0, best_move_permille: 0 }
}

fn last_iteration(outcome: &Outcome) -> Iteration {
    Iteration {
        pv_index: 1,
        depth: outcome.score_depth,
        selective_depth: outcome.selective_depth,
        score: outcome.score,
        bound: outcome.bound,
        pv: outcome.pv.clone(),
        nodes: outcome.nodes,
        best_move_permille: 0,
    }
}
