//! An active search as the controller sees it: the request, its clock, and the results of the workers.

#[cfg(test)]
mod tests;

use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::attendant::outnumber_processors;
use super::event::{self, ClockMode, ClockUnit, Effort, Info, Reached, Reply};
use super::options::Options;
use super::progress::Throttle;
use super::wdl;
use crate::board::{Move, Position};
use crate::score::Score;
use crate::search::{
    Bound, CurrentLine, Iteration, Limits, Outcome, ProvenMoves, RootMove, SearchContext, SearchId, static_value, vote,
};
use crate::smp::time::{Budget, Clock, Horizon, Progress};

/// Stop grace without a clock for more workers than processors: one of hundreds may wait long for a time slice.
const PATIENCE_WITHOUT_CLOCK: Duration = Duration::from_millis(50);

/// An active search.
#[derive(Debug)]
pub(super) struct Ongoing {
    context: Arc<SearchContext>,
    /// Time at which `go` had been read.
    asked_at: Instant,
    /// Time budget, if the move is timed.
    budget: Option<Budget>,
    /// Whether the budget is spent in nodes, which the search counts by itself.
    counts_nodes: bool,
    /// Time at which the budget's clock started: at `go`, or at `ponderhit`.
    clock_started_at: Instant,
    /// Whether the answer is held until a command of the user even after the limits have ended the search.
    endless: bool,
    /// Whether the user has offered a draw.
    draw_offered: bool,
    /// Whether its answer is thrown away.
    missed: bool,
    /// Endgame tablebase hits during the choice of its moves.
    table_hits: u64,
    /// Outcome of each worker; none while it searches, or if it died.
    outcomes: Vec<Option<Outcome>>,
    searching: usize,
    /// Last iteration that worker 0 has finished, with the effort up to its end.
    last: Option<(Iteration, Reached)>,
    /// Lines of an iteration that is not complete yet.
    gathered: Vec<(Iteration, Reached)>,
    /// Last bound of the best line that was reported to the user.
    last_bound: Option<Iteration>,
    /// Whether the answer waits for no further command of the user.
    released: bool,
    /// Whether the workers have been stopped. The alarm may have raised their flag before.
    ending: bool,
    /// Time at which its end was due; none before that.
    due_at: Option<Instant>,
    /// Whether the stop grace of the workers has begun.
    has_patience: bool,
    /// Delay of the command that started its clock.
    delay: Duration,
    /// Time at which that command was handled.
    heard_at: Instant,
    /// Throttle for root moves.
    moves: Throttle,
    /// Throttle for lines.
    lines: Throttle,
}

/// Reports of a search that the user sees besides exact iterations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Audience {
    /// Bounds; without them a bound is reported as a value.
    pub(super) bounds: bool,
    /// Value and line of the move that is played, in any case.
    pub(super) every_answer: bool,
}

/// Minimum age of a search that reports bounds: at first there are many, and each is soon replaced.
const BOUNDS_AFTER: Duration = Duration::from_secs(1);

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
    /// Whether it was found on the clock of a game, and is played there.
    pub(super) in_game: bool,
    /// Whether it is not played, since the opponent has not made the expected move.
    pub(super) missed: bool,
}

impl Ongoing {
    pub(super) fn new(context: Arc<SearchContext>, asked_at: Instant) -> Self {
        let workers = context.counters.workers();
        Self {
            context,
            asked_at,
            budget: None,
            counts_nodes: false,
            clock_started_at: asked_at,
            endless: false,
            draw_offered: false,
            missed: false,
            table_hits: 0,
            outcomes: vec![None; workers],
            searching: workers,
            last: None,
            gathered: Vec::new(),
            last_bound: None,
            released: false,
            ending: false,
            due_at: None,
            has_patience: false,
            delay: Duration::ZERO,
            heard_at: asked_at,
            moves: Throttle::since(asked_at),
            lines: Throttle::since(asked_at),
        }
    }

    /// Adds endgame tablebase hits during the choice of its moves.
    pub(super) fn add_table_hits(&mut self, hits: u64) {
        self.table_hits += hits;
    }

    pub(super) fn id(&self) -> SearchId {
        self.context.id
    }

    /// Returns when its `go` had been read, or had its turn in a batch.
    pub(super) fn asked_at(&self) -> Instant {
        self.asked_at
    }

    /// Whether it would end without a command, once its clock runs.
    pub(super) fn is_bounded(&self) -> bool {
        !self.endless && (self.budget.is_some() || self.context.limits != Limits::default())
    }

    /// Makes its answer wait for `stop`, whatever the limits.
    pub(super) fn wait_for_stop(&mut self) {
        self.endless = true;
    }

    /// Whether its answer waits for `stop` alone.
    pub(super) fn is_endless(&self) -> bool {
        self.endless
    }

    /// Returns the context that the workers search.
    pub(super) fn context(&self) -> &Arc<SearchContext> {
        &self.context
    }

    /// Stops the workers, which answer soon.
    pub(super) fn end(&mut self) {
        self.ending = true;
        self.context.stop.raise();
    }

    /// Records that its end was due at `at`, if it has an end and was not due before. Returns the end of the stop grace, once.
    ///
    /// Without a clock, workers with a processor each may take as long as they need: nothing is lost, and an alarm would cost
    /// one of them its time slice.
    pub(super) fn fall_due(&mut self, at: Instant) -> Option<Instant> {
        if self.has_patience || !self.released && !self.is_bounded() {
            return None;
        }
        let due_at = *self.due_at.get_or_insert(at);
        let without_clock = outnumber_processors(self.outcomes.len()).then_some(PATIENCE_WITHOUT_CLOCK);
        let patience = self.budget.as_ref().map(Budget::patience).or(without_clock)?;
        self.has_patience = true;
        Some(due_at + patience)
    }

    /// Whether its end is due.
    pub(super) fn is_due(&self) -> bool {
        self.due_at.is_some()
    }

    /// Records that the command which starts its clock was handled at `now`, with this delay.
    pub(super) fn begin_late(&mut self, delay: Duration, now: Instant) {
        (self.delay, self.heard_at) = (delay, now);
    }

    /// Returns the lateness of an answer at `now`. An end that was due before the command was handled could not be met: that is
    /// part of the delay, or not the machine's fault.
    pub(super) fn lateness(&self, now: Instant) -> Duration {
        let since = |due_at: Instant| now.saturating_duration_since(due_at.max(self.heard_at));
        self.delay + self.due_at.map_or(Duration::ZERO, since)
    }

    /// Records the command for which an endless search waits, `stop` or `ponderhit`.
    pub(super) fn release(&mut self) {
        self.released = true;
    }

    /// Whether the answer waits for no further command of the user.
    pub(super) fn is_released(&self) -> bool {
        self.released
    }

    /// Whether the workers have been stopped.
    pub(super) fn is_ending(&self) -> bool {
        self.ending
    }

    /// Starts the clock at `now`, when the expected move was played; the time before that is free.
    pub(super) fn hit(&mut self, now: Instant, draw_offered: bool) {
        self.clock_started_at = now;
        self.draw_offered = draw_offered;
    }

    /// Records that another move than the expected one was played.
    pub(super) fn miss(&mut self) {
        self.missed = true;
    }

    /// Sets the `go` that it answers, read at `asked_at`.
    pub(super) fn ask(&mut self, budget: Option<Budget>, asked_at: Instant, draw_offered: bool) {
        (self.asked_at, self.budget) = (asked_at, budget);
        self.hit(asked_at, draw_offered);
    }

    /// Leaves the end of the search to its node limit, whatever the time.
    pub(super) fn count_nodes(&mut self) {
        self.counts_nodes = true;
    }

    /// Returns the budget, if it is spent in time.
    fn timed_budget(&self) -> Option<&Budget> {
        self.budget.as_ref().filter(|_| !self.counts_nodes)
    }

    /// Turns an auto-ponder search into the answer to a `go`, read at `now`; the time before that is free.
    pub(super) fn adopt(&mut self, mut budget: Budget, now: Instant, draw_offered: bool) {
        if let Some((last, _)) = &self.last {
            budget.revise(&progress(last));
        }
        self.budget = Some(budget);
        self.hit(now, draw_offered);
    }

    /// Returns the last iteration that worker 0 has finished, with the effort up to its end.
    pub(super) fn last(&self) -> Option<&(Iteration, Reached)> {
        self.last.as_ref()
    }

    /// Returns the last iteration that worker 0 has finished.
    fn finished_last(&self) -> Option<&Iteration> {
        self.last.as_ref().map(|(iteration, _)| iteration)
    }

    /// Returns the game that it searches, oldest position first.
    pub(super) fn history(&self) -> &[Position] {
        &self.context.history
    }

    /// Returns the moves that it chooses from.
    pub(super) fn root_moves(&self) -> &[Move] {
        &self.context.root_moves
    }

    /// Returns the deadline as far as it is known now; none without a clock.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.timed_budget().map(|budget| self.clock_started_at + budget.within_iteration())
    }

    /// Whether the remaining time is better saved than spent on another iteration.
    pub(super) fn has_thought_enough(&self, now: Instant) -> bool {
        let elapsed = now.saturating_duration_since(self.clock_started_at);
        self.timed_budget().is_some_and(|budget| budget.deadline(elapsed).is_none())
    }

    /// Collects the lines of an iteration, and returns them when all are in. Whatever ends the search, the user then sees lines
    /// of one iteration, no two of which begin with the same move.
    pub(super) fn gather(&mut self, line: Iteration, reached: Reached) -> Vec<(Iteration, Reached)> {
        let count = self.context.plan.lines.clamp(1, self.context.root_moves.len());
        self.gathered.push((line, reached));
        if self.gathered.len() < count { Vec::new() } else { mem::take(&mut self.gathered) }
    }

    /// Records an iteration of the best line, and adapts the time limits to it.
    pub(super) fn learn_from(&mut self, iteration: &Iteration, reached: Reached) {
        if iteration.rank > 1 {
            return;
        }
        if iteration.bound == Bound::Exact {
            self.last = Some((iteration.clone(), reached));
        }
        if let Some(budget) = &mut self.budget {
            budget.revise(&progress(iteration));
        }
    }

    /// Whether a search of this age reports bounds.
    pub(super) fn tells_bounds(&self, at: Instant) -> bool {
        at.saturating_duration_since(self.asked_at) >= BOUNDS_AFTER
    }

    /// Returns the iteration as the user sees it, with the effort up to its end.
    pub(super) fn info(&self, iteration: Iteration, reached: Reached, options: &Options) -> Info {
        let wdl = options.shows_wdl.then(|| wdl::chances(iteration.score, self.context.root()));
        let elapsed = reached.at.saturating_duration_since(self.asked_at);
        Info { iteration, effort: Effort { nodes: reached.nodes, elapsed, ..self.effort(reached.at) }, wdl }
    }

    /// Prepares a bound for the user. A bound has only its move, so the last whole line is repeated if that begins with it.
    pub(super) fn tell_bound(&mut self, bound: Iteration) -> Iteration {
        let line = self.finished_last().map(|last| &last.pv).filter(|line| line.first() == bound.pv.first());
        let pv = line.filter(|line| line.len() > bound.pv.len()).unwrap_or(&bound.pv).clone();
        let bound = Iteration { pv, ..bound };
        self.last_bound = Some(bound.clone());
        bound
    }

    /// Returns its time and nodes at `now`.
    pub(super) fn reached(&self, now: Instant) -> Reached {
        Reached { at: now, nodes: self.context.counters.total() }
    }

    /// Returns the report of a root move, if one is due.
    pub(super) fn current_move(&mut self, begun: RootMove, now: Instant) -> Option<Reply> {
        let RootMove { mv, number, depth } = begun;
        self.moves.admits(now).then_some(Reply::CurrentMove { depth, mv, number })
    }

    /// Returns the report of the line that a worker searches, if one is due.
    pub(super) fn current_line(&mut self, current: CurrentLine, now: Instant) -> Option<Reply> {
        let CurrentLine { worker, line } = current;
        (!line.is_empty() && self.lines.admits(now)).then_some(Reply::CurrentLine { worker, line })
    }

    /// Returns the proven root moves, in analysis.
    pub(super) fn proven_moves(&self, proven: ProvenMoves) -> Option<Reply> {
        let ProvenMoves { winning, losing } = proven;
        (!self.is_bounded()).then_some(Reply::ProvenMoves { winning, losing })
    }

    /// Returns the effort of the search until `now`.
    pub(super) fn effort(&self, now: Instant) -> Effort {
        Effort {
            nodes: self.context.counters.total(),
            elapsed: now.saturating_duration_since(self.asked_at),
            hashfull: self.context.table.permille_full(),
            table_hits: self.table_hits + self.context.counters.looked_up(),
        }
    }

    /// Records the end of a worker. Worker 0 ends the search for all; a helper that is done first just waits.
    pub(super) fn finished(&mut self, worker: usize, outcome: Outcome) {
        self.outcomes[worker] = Some(outcome);
        self.searching -= 1;
        if worker == 0 {
            self.end();
        }
    }

    /// Records the panic of a worker, and ends the search: the others have to answer.
    pub(super) fn died(&mut self) {
        self.searching -= 1;
        self.end();
    }

    /// Whether there is a result: from a worker, or from the transposition table.
    pub(super) fn knows_something(&self) -> bool {
        let found = self.outcomes.iter().flatten().any(|outcome| outcome.depth > 0);
        found || self.last.is_some() || self.remembered().is_some()
    }

    /// Adds the outcome of a search in place of worker 0, if that has none yet.
    pub(super) fn add(&mut self, glance: Outcome) {
        self.outcomes[0].get_or_insert(glance);
    }

    /// Whether all workers have ended.
    pub(super) fn is_over(&self) -> bool {
        self.searching == 0
    }

    /// Chooses a move from the outcomes of the workers that have ended, and from the iterations of worker 0 even before that.
    /// Also returns the report that the audience still needs.
    pub(super) fn choose(&self, audience: Audience) -> (Choice, Option<Iteration>) {
        let known = |worker: usize| {
            let reported = || self.finished_last().filter(|_| worker == 0).map(Outcome::from);
            self.outcomes[worker].clone().or_else(reported)
        };
        let outcomes: Vec<Outcome> = (0..self.outcomes.len()).filter_map(known).collect();
        if outcomes.is_empty() {
            let choice = self.choice(&self.best_at_first_sight(), Score::DRAW);
            let score = static_value(self.context.root(), &self.context.plan);
            let glimpse = audience.every_answer.then(|| glimpse(&choice, score));
            return (choice, glimpse);
        }
        // With several lines the user has seen those of worker 0, the first of which is played.
        let shows_lines = self.context.plan.lines > 1 && known(0).is_some();
        let outcome = &outcomes[if shows_lines { 0 } else { vote(&outcomes) }];
        let choice = self.choice(&outcome.pv, outcome.score);
        if outcome.depth == 0 {
            let told = [self.finished_last(), self.last_bound.as_ref()].into_iter().flatten();
            let is_told = told.into_iter().any(|told| told.pv.first() == Some(&choice.best));
            let glimpse = (audience.every_answer && !is_told).then(|| glimpse(&choice, outcome.score));
            return (choice, glimpse);
        }
        if self.was_seen(outcome, audience.bounds) {
            return (choice, None);
        }
        let unseen = last_iteration(outcome);
        let bound = if audience.bounds { unseen.bound } else { Bound::Exact };
        (choice, Some(Iteration { bound, ..unseen }))
    }

    /// Whether the user knows from worker 0 that this move is the best, from at least as deep a search, or at least knows its
    /// bound. Of several lines all or none are reported: one more of them would mix ranks and depths.
    fn was_seen(&self, outcome: &Outcome, hears_bounds: bool) -> bool {
        let is_same = |told: &&Iteration| told.pv.first() == outcome.pv.first();
        let is_bound = hears_bounds && outcome.bound != Bound::Exact;
        let least = if is_bound { outcome.score_depth } else { outcome.depth };
        let of_best = self.finished_last().filter(is_same).is_some_and(|told| told.depth >= least);
        let is_this = |told: &Iteration| told.bound == outcome.bound && told.depth == outcome.score_depth;
        let of_bound = is_bound && self.last_bound.as_ref().filter(is_same).is_some_and(is_this);
        self.last.is_some() && self.context.plan.lines > 1 || of_best || of_bound
    }

    /// Returns the TT move or the best-looking move after one ply, in case no worker had a time slice.
    fn best_at_first_sight(&self) -> Vec<Move> {
        let root = self.context.root();
        let worst_for_the_other = |&&mv: &&Move| static_value(&root.play(mv), &self.context.plan);
        let looks_best = || self.context.root_moves.iter().min_by_key(worst_for_the_other).copied();
        self.remembered().or_else(looks_best).into_iter().collect()
    }

    /// Returns the TT move of the root, if it may be played.
    fn remembered(&self) -> Option<Move> {
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
        let in_game = self.budget.is_some() && !self.missed;
        Choice { best, ponder, score, draw, draw_offered: self.draw_offered, in_game, missed: self.missed }
    }
}

/// Stops the workers of a search that is dropped, even in a panic: the thread that joins them must not wait for ever.
impl Drop for Ongoing {
    fn drop(&mut self) {
        self.end();
    }
}

impl Choice {
    /// Returns the choice with or without a draw offer.
    pub(super) fn with_offer(self, draw_offered: bool) -> Self {
        Self { draw_offered, ..self }
    }

    /// Returns the choice as one that is thrown away: another move than the expected one was played.
    pub(super) fn thrown_away(self) -> Self {
        Self { in_game: false, missed: true, ..self }
    }

    /// Whether the search had decided the game when it ended.
    pub(super) fn is_decisive(&self) -> bool {
        self.score.is_decisive()
    }
}

/// Converts an iteration for the time management.
fn progress(iteration: &Iteration) -> Progress {
    let (score, best_permille) = (iteration.score.raw(), iteration.best_move_permille);
    Progress { best: iteration.pv.first().map_or(0, |best| best.bits()), score, bound: iteration.bound, best_permille }
}

/// Returns the report of a move that no iteration has found.
fn glimpse(choice: &Choice, score: Score) -> Iteration {
    let pv = [choice.best].into_iter().chain(choice.ponder).collect();
    let (rank, depth, selective_depth, bound) = (1, 0, 0, Bound::Exact);
    Iteration { rank, depth, selective_depth, score, bound, pv, nodes: 0, best_move_permille: 0 }
}

fn last_iteration(outcome: &Outcome) -> Iteration {
    Iteration {
        rank: 1,
        depth: outcome.score_depth,
        selective_depth: outcome.selective_depth,
        score: outcome.score,
        bound: outcome.bound,
        pv: outcome.pv.clone(),
        nodes: outcome.nodes,
        best_move_permille: 0,
    }
}

impl event::Clock {
    /// Converts the clocks to real time. A clock below zero is empty.
    pub(super) fn to_time(self, options: &Options) -> Clock {
        let unit = match self.unit {
            ClockUnit::ByOption if !options.milliseconds => Duration::from_secs,
            ClockUnit::ByOption | ClockUnit::Milliseconds => Duration::from_millis,
        };
        let span = |value: i64| unit(u64::try_from(value).unwrap_or(0));
        let horizon = match self.mode {
            ClockMode::ThisMove => Horizon::ThisMove,
            ClockMode::Increment(increment) => Horizon::Game(span(increment)),
            ClockMode::MovesToGo { moves, increment } => Horizon::Moves { moves, increment: span(increment) },
        };
        Clock { remaining: span(self.time), horizon, opponent: self.opponent_time.map(span) }
    }
}
