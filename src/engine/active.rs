//! An active search as the controller sees it: the request, its clock, and the results of the workers.

use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::event::{self, ClockMode, ClockUnit, Effort, Info, Reached, Reply};
use super::options::Options;
use super::wdl;
use super::workers::outnumber_processors;
use crate::search::{Bound, CurrentLine, Iteration, Limits, Outcome, ProvenMoves, RootMove, SearchContext, SearchId};
use crate::smp::time::{Budget, Clock, Horizon, Progress};

/// Stop grace without a clock for more workers than processors: one of hundreds may wait long for a time slice.
pub(super) const GRACE_WITHOUT_CLOCK: Duration = Duration::from_millis(50);

/// End of a search, as the user has asked for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// Ends by its limits or its clock, if it has any.
    Limited,
    /// The answer is held until `stop`, even after the limits have ended the search.
    Infinite,
}

/// Use of the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    /// It may have to wait for a command of the user.
    Awaited,
    /// It waits for nothing but the workers: `stop` or `ponderhit` has come.
    Released,
    /// It is given and thrown away: another move than the expected one was played.
    Discarded,
}

/// Progress of the end of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Running,
    /// The workers have been stopped. The alarm may have raised their flag before.
    Stopping,
    /// The answer was due at this time; the workers are stopped, or have one at hand.
    Due(Instant),
    /// The answer was due at this time, and the stop grace of the workers has begun.
    Grace(Instant),
}

/// The request that a search answers.
#[derive(Clone, Debug)]
pub(super) struct Request {
    /// Time at which `go` had been read, or had its turn in a batch.
    pub(super) asked_at: Instant,
    /// Time budget, if the move is timed.
    pub(super) budget: Option<Budget>,
    /// Whether the budget is spent in nodes, which the search counts by itself.
    pub(super) counts_nodes: bool,
    pub(super) mode: Mode,
    /// Whether the user has offered a draw.
    pub(super) draw_offered: bool,
    /// Endgame tablebase hits during the choice of its moves.
    pub(super) tb_hits: u64,
    /// Delay of the command that started the clock.
    pub(super) delay: Duration,
    /// Time at which that command was handled.
    pub(super) handled_at: Instant,
}

impl Request {
    /// Creates the request of an auto-ponder search, which no user has asked for.
    pub(super) fn unasked(now: Instant) -> Self {
        Self {
            asked_at: now,
            budget: None,
            counts_nodes: false,
            mode: Mode::Limited,
            draw_offered: false,
            tb_hits: 0,
            delay: Duration::ZERO,
            handled_at: now,
        }
    }
}

/// An active search.
#[derive(Debug)]
pub(super) struct ActiveSearch {
    pub(super) context: Arc<SearchContext>,
    pub(super) request: Request,
    /// Time at which the budget's clock started: at `go`, or at `ponderhit`.
    clock_started_at: Instant,
    fate: Fate,
    end: End,
    /// Outcome of each worker; none while it searches, or if it died.
    pub(super) outcomes: Vec<Option<Outcome>>,
    searching: usize,
    /// Last iteration that worker 0 has finished, with the effort up to its end.
    pub(super) last: Option<(Iteration, Reached)>,
    /// Lines of an iteration that is not complete yet.
    gathered: Vec<(Iteration, Reached)>,
    /// Last bound of the best line that was reported to the user.
    pub(super) last_bound: Option<Iteration>,
    /// Throttle for root moves.
    moves: Throttle,
    /// Throttle for lines.
    lines: Throttle,
}

/// Minimum age of a search that reports bounds: at first there are many, and each is soon replaced.
pub(super) const BOUNDS_AFTER: Duration = Duration::from_secs(1);

impl ActiveSearch {
    pub(super) fn new(context: Arc<SearchContext>, request: Request) -> Self {
        let workers = context.counters.workers();
        let Request { asked_at, handled_at, .. } = request;
        Self {
            context,
            request,
            clock_started_at: asked_at,
            fate: Fate::Awaited,
            end: End::Running,
            outcomes: vec![None; workers],
            searching: workers,
            last: None,
            gathered: Vec::new(),
            last_bound: None,
            moves: Throttle::since(handled_at),
            lines: Throttle::since(handled_at),
        }
    }

    pub(super) fn id(&self) -> SearchId {
        self.context.id
    }

    /// Whether it would end without a command, once its clock runs.
    pub(super) fn is_bounded(&self) -> bool {
        !self.is_infinite() && (self.request.budget.is_some() || self.context.limits != Limits::default())
    }

    /// Whether its answer waits for `stop`, whatever the limits.
    pub(super) fn is_infinite(&self) -> bool {
        self.request.mode == Mode::Infinite
    }

    /// Stops the workers, which answer soon.
    pub(super) fn stop_workers(&mut self) {
        if self.end == End::Running {
            self.end = End::Stopping;
        }
        self.context.stop.raise();
    }

    /// Records that its end was due at `at`, if it has an end and was not due before. Returns the end of the stop grace,
    /// once.
    ///
    /// Without a clock, workers with a processor each may take as long as they need: nothing is lost, and an alarm would
    /// cost one of them its time slice.
    pub(super) fn fall_due(&mut self, at: Instant) -> Option<Instant> {
        let due_at = match self.end {
            End::Grace(_) => return None,
            End::Due(due_at) => due_at,
            End::Running | End::Stopping => at,
        };
        if !self.is_released() && !self.is_bounded() {
            return None;
        }
        self.end = End::Due(due_at);
        let without_clock = outnumber_processors(self.outcomes.len()).then_some(GRACE_WITHOUT_CLOCK);
        let grace = self.request.budget.as_ref().map(Budget::grace).or(without_clock)?;
        self.end = End::Grace(due_at);
        Some(due_at + grace)
    }

    /// Returns when its end was due; none before that.
    fn due_at(&self) -> Option<Instant> {
        match self.end {
            End::Running | End::Stopping => None,
            End::Due(at) | End::Grace(at) => Some(at),
        }
    }

    /// Whether its end is due.
    pub(super) fn is_due(&self) -> bool {
        self.due_at().is_some()
    }

    /// Whether the workers have been stopped.
    pub(super) fn is_ending(&self) -> bool {
        self.end != End::Running
    }

    /// Returns the latency of an answer at `now`. An end that was due before the command was handled could not be met:
    /// that is part of the delay, or not the machine's fault.
    pub(super) fn latency(&self, now: Instant) -> Duration {
        let Request { delay, handled_at, .. } = self.request;
        let since = |due_at: Instant| now.saturating_duration_since(due_at.max(handled_at));
        delay + self.due_at().map_or(Duration::ZERO, since)
    }

    /// Records the command for which the answer may wait, `stop` or `ponderhit`.
    pub(super) fn release(&mut self) {
        if self.fate == Fate::Awaited {
            self.fate = Fate::Released;
        }
    }

    /// Records that another move than the expected one was played.
    pub(super) fn discard(&mut self) {
        self.fate = Fate::Discarded;
    }

    /// Whether the answer waits for no further command of the user.
    pub(super) fn is_released(&self) -> bool {
        self.fate != Fate::Awaited
    }

    /// Whether the answer is thrown away.
    pub(super) fn is_discarded(&self) -> bool {
        self.fate == Fate::Discarded
    }

    /// Starts the clock at `at`, when the command with the expected move was read; the time before that is free. It was
    /// handled at `handled_at`, after this delay.
    pub(super) fn start_clock(&mut self, at: Instant, draw_offered: bool, delay: Duration, handled_at: Instant) {
        self.clock_started_at = at;
        self.request = Request { draw_offered, delay, handled_at, ..self.request.clone() };
    }

    /// Turns an auto-ponder search into the answer to a `go` with this budget.
    pub(super) fn adopt(&mut self, mut budget: Budget) {
        if let Some((last, _)) = &self.last {
            budget.revise(&progress(last));
        }
        self.request.budget = Some(budget);
    }

    /// Returns the budget, if it is spent in time.
    fn timed_budget(&self) -> Option<&Budget> {
        self.request.budget.as_ref().filter(|_| !self.request.counts_nodes)
    }

    /// Returns the last iteration that worker 0 has finished.
    pub(super) fn finished_last(&self) -> Option<&Iteration> {
        self.last.as_ref().map(|(iteration, _)| iteration)
    }

    /// Returns the deadline as far as it is known now; none without a clock.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.timed_budget().map(|budget| self.clock_started_at + budget.within_iteration())
    }

    /// Whether the remaining time is better saved than spent on another iteration.
    pub(super) fn is_time_spent(&self, now: Instant) -> bool {
        let elapsed = now.saturating_duration_since(self.clock_started_at);
        self.timed_budget().is_some_and(|budget| budget.deadline(elapsed).is_none())
    }

    /// Collects the lines of an iteration, and returns them when all are in. Whatever ends the search, the user then sees
    /// lines of one iteration, no two of which begin with the same move.
    pub(super) fn gather(&mut self, line: Iteration, reached: Reached) -> Vec<(Iteration, Reached)> {
        let count = self.context.plan.multipv.clamp(1, self.context.root_moves.len());
        self.gathered.push((line, reached));
        if self.gathered.len() < count { Vec::new() } else { mem::take(&mut self.gathered) }
    }

    /// Records an iteration of the best line, and adapts the time limits to it.
    pub(super) fn learn_from(&mut self, iteration: &Iteration, reached: Reached) {
        if iteration.pv_index > 1 {
            return;
        }
        if iteration.bound == Bound::Exact {
            self.last = Some((iteration.clone(), reached));
        }
        if let Some(budget) = &mut self.request.budget {
            budget.revise(&progress(iteration));
        }
    }

    /// Whether a search of this age reports bounds.
    pub(super) fn reports_bounds(&self, at: Instant) -> bool {
        at.saturating_duration_since(self.request.asked_at) >= BOUNDS_AFTER
    }

    /// Returns the iteration as the user sees it, with the effort up to its end.
    pub(super) fn info(&self, iteration: Iteration, reached: Reached, options: &Options) -> Info {
        let wdl = options.shows_wdl.then(|| wdl::chances(iteration.score, self.context.root()));
        let elapsed = reached.at.saturating_duration_since(self.request.asked_at);
        Info { iteration, effort: Effort { nodes: reached.nodes, elapsed, ..self.effort(reached.at) }, wdl }
    }

    /// Prepares a bound for the user. A bound has only its move, so the last whole line is repeated if that begins with
    /// it.
    pub(super) fn report_bound(&mut self, bound: Iteration) -> Iteration {
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
            elapsed: now.saturating_duration_since(self.request.asked_at),
            hashfull: self.context.table.permille_full(),
            table_hits: self.request.tb_hits + self.context.counters.tb_hits(),
        }
    }

    /// Records the end of a worker. Worker 0 ends the search for all; a helper that is done first just waits.
    pub(super) fn finished(&mut self, worker: usize, outcome: Outcome) {
        self.outcomes[worker] = Some(outcome);
        self.searching -= 1;
        if worker == 0 {
            self.stop_workers();
        }
    }

    /// Records the panic of a worker, and ends the search: the others have to answer.
    pub(super) fn died(&mut self) {
        self.searching -= 1;
        self.stop_workers();
    }

    /// Adds the outcome of a search in place of worker 0, if that has none yet.
    pub(super) fn add_outcome(&mut self, outcome: Outcome) {
        self.outcomes[0].get_or_insert(outcome);
    }

    /// Whether all workers have ended.
    pub(super) fn is_over(&self) -> bool {
        self.searching == 0
    }
}

/// Stops the workers of a search that is dropped, even in a panic: the thread that joins them must not wait for ever.
impl Drop for ActiveSearch {
    fn drop(&mut self) {
        self.stop_workers();
    }
}

/// Converts an iteration for the time management.
fn progress(iteration: &Iteration) -> Progress {
    let (score, best_permille) = (iteration.score.raw(), iteration.best_move_permille);
    Progress { best: iteration.pv.first().map_or(0, |best| best.bits()), score, bound: iteration.bound, best_permille }
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

/// Minimum age of a search at its first report.
const FIRST: Duration = Duration::from_secs(1);
/// Minimum interval between two reports.
const INTERVAL: Duration = Duration::from_millis(100);

/// Limits the rate of reports.
#[derive(Clone, Copy, Debug)]
struct Throttle {
    /// Earliest time of the next report.
    next: Instant,
}

impl Throttle {
    /// Creates the throttle of a search that was requested at `start`.
    fn since(start: Instant) -> Self {
        Self { next: start + FIRST }
    }

    /// Whether a report at `now` passes; if so, the next one has to wait.
    fn admits(&mut self, now: Instant) -> bool {
        let passes = now >= self.next;
        if passes {
            self.next = now + INTERVAL;
        }
        passes
    }
}
