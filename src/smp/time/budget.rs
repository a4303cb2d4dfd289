//! Time budget: from the clocks to a soft and a hard limit, revised after each iteration. Pure: the caller reads the
//! clock.
//!
//! ```text
//!  available = remaining - overhead - latency - minimum grace
//!  planned   = (remaining + (moves - 1) * increment - moves * (overhead + latency)) / moves * pondering * opponent
//!  hard      = 5 * planned, at most half of what is available (all of it for the last move before more time is given)
//!  soft      = planned * 1.7 * stability * falling * effort, at most hard
//!
//!  moves     = 45 at the start of a game, down to 30; or those to the next refill, if fewer
//!  pondering = 1.2 with pondering;  opponent = (own / opponent's clock) ^ 0.25, from 0.85 to 1.15
//!  stability = 0.7 + 0.9 / (1 + iterations that have confirmed the best move)
//!  falling   = 1 + 0.006 per centipawn below the average score, from 0.85 to 1.7
//!  effort    = 1.45 - 0.8 * share of the nodes spent below the best move
//! ```
//!
//! No iteration begins after 60 % of the soft limit. One that has begun may take 2.5 soft limits, or up to the hard limit
//! if it fails low. Nearly out of time, every move is played instantly; a move with a time of its own uses it all.

use std::time::Duration;

use super::clock::{Circumstances, Clock, Horizon};
use crate::smp::table::Bound;

// Share of a clock for one move.

/// Upper bound of every clock, so that adding limits to an instant cannot overflow.
pub(super) const LONGEST: Duration = Duration::from_secs(10 * 24 * 3600);
/// Number of moves that a game is expected to last at its beginning...
const MOVES_AT_START: f64 = 45.0;
/// ...the decrease of that number with each move played...
const MOVES_LESS_PER_MOVE: f64 = 0.2;
/// ...and its minimum.
const MOVES_MIN: f64 = 30.0;
/// Minimum share of the clock to plan with, however much the overhead of the moves to come will take.
const USABLE_SHARE: f64 = 0.5;
/// Maximum share of the clock that the overhead may take.
const OVERHEAD_SHARE: f64 = 0.5;
/// Overheads below which a clock is nearly out, if this is the last move before it gets more...
const NEARLY_OUT_OVERHEADS: u32 = 2;
/// ...and if further moves are to come: on a busy machine each of the three threads between a line and its answer may
/// have to wait for the time slices of others to end, and one such move loses the game.
const RESERVE_OVERHEADS: u32 = 10;
/// Maximum overhead in the reserve for those waits, where every move gets more time than its overhead takes.
///
/// A long way to the user makes no machine busier.
const RESERVED_OVERHEAD: Duration = Duration::from_millis(20);
/// Instant moves reserved besides in a game without increment, which may last long after its clock is nearly out.
const RESERVE_INSTANT_MOVES: u32 = 100;
/// Remaining time below which a clock is nearly out, whatever the overhead.
const NEARLY_OUT: Duration = Duration::from_millis(10);
/// Limit of an instant move: enough for one iteration on an idle machine.
pub(super) const INSTANT: Duration = Duration::from_millis(1);
/// Limit of an instant move where threads wait for the processor, or half of the reserve for hiccups is gone.
///
/// Schedulers let the others catch up with what a thread has used: beside two busy loops on two processors, a thread
/// that had used 0.7 ms waited for 1.5 ms, and one that had used 0.2 ms for 0.4 ms.
pub(super) const SHORT_INSTANT: Duration = Duration::from_micros(200);
/// Hard limit as a multiple of the planned time...
const HARD_FACTOR: f64 = 5.0;
/// ...and as a share of the whole clock, unless this is the last move before more time is given.
const HARD_SHARE: f64 = 0.5;
/// Factor of the plan with pondering, which wins some of the time back.
const PONDER_FACTOR: f64 = 1.2;
/// Exponent of the ratio of the clocks by which the plan grows or shrinks.
const OPPONENT_EXPONENT: f64 = 0.25;
/// Minimum factor of the plan when the opponent has more time...
const OPPONENT_MIN: f64 = 0.85;
/// ...and maximum when the opponent has less.
const OPPONENT_MAX: f64 = 1.15;

/// Stop grace: share of the spare time for which workers are waited for after the stop flag is raised...
const GRACE_SHARE: f64 = 0.1;
/// ...its minimum, which is plenty where every thread has a core...
pub(super) const GRACE_MIN: Duration = Duration::from_millis(2);
/// ...and its maximum.
pub(super) const GRACE_MAX: Duration = Duration::from_millis(50);

// Share of the soft limit for the iterations.

/// Share of the soft limit after which no iteration is begun: it would seldom end in time.
pub(super) const BEGIN_SHARE: f64 = 0.6;
/// Multiple of the soft limit that an iteration may take once it has begun.
const OVERRUN: f64 = 2.5;

// Difficulty of a move, judged by the iterations so far.

/// Factor of the soft limit, which lies beyond the plan so that the time used is the time planned.
///
/// On the average, iterations end at 58 % of the soft limit (40 games of 10 s + 0.1 s).
const SLACK: f64 = 1.7;
/// Factor for a best move of long standing...
const STABLE: f64 = 0.7;
/// ...and its increase for one that has just changed, which fades with the iterations that confirm it.
const UNSTABLE: f64 = 0.9;
/// Growth of the factor per centipawn by which the score is below its average.
const FALLING_PER_CENTIPAWN: f64 = 0.006;
/// Minimum factor, for a rising score.
const FALLING_MIN: f64 = 0.85;
/// Maximum factor, for a falling score.
const FALLING_MAX: f64 = 1.7;
/// Weight of the newest score in the average.
const NEWEST_WEIGHT: f64 = 0.4;
/// Factor if no node was spent below the best move...
const EFFORT_NONE: f64 = 1.45;
/// ...and its decrease if all were.
const EFFORT_ALL: f64 = 0.8;
/// Divisor that turns `best_permille` into a share.
const PERMILLE: f64 = 1000.0;

/// An iteration, finished or not, as time management sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Best move, as any number that tells moves apart.
    pub best: u16,
    /// Value of the best move for the side to move, in hundredths of the game's unit.
    pub score: i32,
    /// Relation of `score` to the true value.
    pub bound: Bound,
    /// Share of the nodes that were spent below the best move, in thousandths.
    pub best_permille: u32,
}

/// Time budget of the search for one move, counted from the moment its clock started.
#[derive(Clone, PartialEq, Debug)]
pub struct Budget {
    hard: Duration,
    grace: Duration,
    /// Time planned for the move, so that the rest can be used later; `None` if all of the time may be used up.
    planned: Option<Duration>,
    trend: Trend,
}

impl Budget {
    /// Returns the limits for a move with these clocks.
    ///
    /// ```
    /// # use std::time::Duration;
    /// use chuhe::smp::time::{Budget, Circumstances, Clock, Horizon};
    /// let circumstances = Circumstances { overhead: Duration::from_millis(10), ..Circumstances::default() };
    /// let clock = Clock { remaining: Duration::from_secs(60), horizon: Horizon::Game(Duration::ZERO), opponent: None };
    /// let budget = Budget::new(&clock, &circumstances);
    /// assert!(budget.soft() > Duration::from_secs(1) && budget.hard() < Duration::from_secs(10));
    /// ```
    pub fn new(clock: &Clock, circumstances: &Circumstances) -> Self {
        let remaining = clock.remaining.min(LONGEST);
        let kept_back = kept_back(remaining, circumstances);
        let available = (remaining - kept_back).saturating_sub(GRACE_MIN).max(INSTANT);
        let expected = expected_moves(circumstances.move_number);
        match clock.horizon {
            Horizon::ThisMove => {
                let grace = grace(clock, circumstances, available);
                Self { hard: available, grace, planned: None, trend: Trend::default() }
            }
            _ if remaining <= nearly_out(clock, circumstances) => Self::instant(clock, circumstances),
            Horizon::Game(increment) => {
                Self::share(clock, circumstances, expected, increment, available.mul_f64(HARD_SHARE))
            }
            // A clock that is refilled after zero moves is one that is never refilled.
            Horizon::Moves { moves: 0, increment } => {
                Self::new(&Clock { horizon: Horizon::Game(increment), ..*clock }, circumstances)
            }
            Horizon::Moves { moves, increment } => {
                let most = if moves == 1 { available } else { available.mul_f64(HARD_SHARE) };
                Self::share(clock, circumstances, f64::from(moves).min(expected), increment, most)
            }
        }
    }

    /// Returns the budget of an instant move, which ends after the first iteration.
    ///
    /// Workers that have pondered the move are not waited for: on a busy machine the time slices that this takes are
    /// longer than what is left.
    pub fn instant(clock: &Clock, circumstances: &Circumstances) -> Self {
        Self {
            hard: minimum_think(clock, circumstances),
            grace: Duration::ZERO,
            planned: Some(Duration::ZERO),
            trend: Trend::default(),
        }
    }

    /// Whether there is only time for an instant move.
    pub fn is_instant(&self) -> bool {
        self.hard <= INSTANT
    }

    /// Returns the budget of one of `moves` moves that share the clock, each with an increment, but for `most` at most.
    fn share(clock: &Clock, circumstances: &Circumstances, moves: f64, increment: Duration, most: Duration) -> Self {
        let remaining = clock.remaining.min(LONGEST);
        let lost = circumstances.lost().min(LONGEST).mul_f64(moves);
        let income = increment.min(LONGEST).mul_f64(moves - 1.0);
        let usable = (remaining + income).saturating_sub(lost).max(remaining.mul_f64(USABLE_SHARE));
        let pondering = if circumstances.ponder { PONDER_FACTOR } else { 1.0 };
        let factor = pondering * opponent_factor(remaining, clock.opponent);
        let planned = usable.div_f64(moves).mul_f64(factor).min(most);
        let hard = planned.mul_f64(HARD_FACTOR).min(most);
        Self { hard, grace: grace(clock, circumstances, hard), planned: Some(planned), trend: Trend::default() }
    }

    /// Returns the soft limit: when the search should end if it goes on as it went so far.
    pub fn soft(&self) -> Duration {
        self.planned.map_or(self.hard, |planned| planned.mul_f64(self.trend.factor()).min(self.hard))
    }

    /// Returns the hard limit: when the search must end.
    pub fn hard(&self) -> Duration {
        self.hard
    }

    /// Returns the stop grace: how long the workers may take to end after the stop flag is raised.
    ///
    /// On a busy machine a worker may have to wait longer for its time slice; then the answer goes out without it.
    pub fn grace(&self) -> Duration {
        self.grace
    }

    /// Returns the planned time as a number of nodes, at least one, at `per_millisecond` nodes per millisecond.
    ///
    /// Nothing that happens during the search can be taken into account.
    pub fn in_nodes(&self, per_millisecond: u64) -> u64 {
        let planned = self.soft().max(INSTANT).min(self.hard());
        let nodes = planned.as_micros().saturating_mul(u128::from(per_millisecond)) / 1000;
        u64::try_from(nodes).unwrap_or(u64::MAX).max(1)
    }

    /// Revises the budget after an iteration.
    pub fn revise(&mut self, progress: &Progress) {
        self.trend.follow(progress);
    }

    /// Returns the latest end of the iteration that begins now; `None` if another one is not worth its time.
    pub fn deadline(&self, elapsed: Duration) -> Option<Duration> {
        let is_worth_it = self.planned.is_none() || elapsed < self.soft().mul_f64(BEGIN_SHARE);
        is_worth_it.then(|| self.within_iteration())
    }

    /// Returns the latest end of an iteration that has begun.
    pub fn within_iteration(&self) -> Duration {
        // Failing low: the iteration may take until the hard limit to find something better.
        if self.planned.is_none() || self.trend.failing_low {
            return self.hard;
        }
        self.soft().mul_f64(OVERRUN).max(INSTANT).min(self.hard)
    }
}

/// Returns the remaining time up to which nothing is planned any more.
fn nearly_out(clock: &Clock, circumstances: &Circumstances) -> Duration {
    NEARLY_OUT.max(reserve(clock.horizon, circumstances.lost()))
}

/// Returns the time limit of an instant move.
fn minimum_think(clock: &Clock, circumstances: &Circumstances) -> Duration {
    let for_hiccups = circumstances.lost().saturating_mul(RESERVE_OVERHEADS);
    let is_short = clock.remaining <= nearly_out(clock, circumstances).min(for_hiccups) / 2;
    if is_short || !circumstances.latency.is_zero() { SHORT_INSTANT } else { INSTANT }
}

/// Returns the reserve, which is not planned with.
///
/// It is kept for hiccups, and for an instant move in place of each move to come before time is added.
fn reserve(horizon: Horizon, overhead: Duration) -> Duration {
    let (overheads, minimum_thinks) = match horizon {
        Horizon::ThisMove | Horizon::Moves { moves: 1, .. } => (NEARLY_OUT_OVERHEADS, 0),
        Horizon::Game(increment) | Horizon::Moves { increment, .. } if increment > INSTANT => (RESERVE_OVERHEADS, 0),
        Horizon::Moves { moves: moves @ 2.., .. } => (RESERVE_OVERHEADS, moves.min(RESERVE_INSTANT_MOVES)),
        Horizon::Moves { .. } | Horizon::Game(_) => (RESERVE_OVERHEADS, RESERVE_INSTANT_MOVES),
    };
    let gets_it_back = matches!(horizon, Horizon::Game(increment) if increment > overhead);
    let for_waits = if gets_it_back { overhead.min(RESERVED_OVERHEAD) } else { overhead };
    let for_ways = overhead.saturating_mul(overheads.min(NEARLY_OUT_OVERHEADS));
    let for_waits = for_waits.saturating_mul(overheads - NEARLY_OUT_OVERHEADS);
    for_ways.saturating_add(for_waits).saturating_add(INSTANT * minimum_thinks)
}

/// Returns the overhead and measured latency, deducted from the clock.
///
/// The overhead is limited to a share of the clock, the latency is not: if it will take all of the clock, nothing can
/// be spent.
fn kept_back(remaining: Duration, circumstances: &Circumstances) -> Duration {
    let overhead = circumstances.overhead.min(remaining.mul_f64(OVERHEAD_SHARE));
    overhead.saturating_add(circumstances.latency).min(remaining)
}

/// Returns the stop grace: a part of the time that the hard limit leaves on the clock, and never more than that.
///
/// On a busy machine workers are not waited for at all: each wait would cost more time slices than it lasts.
fn grace(clock: &Clock, circumstances: &Circumstances, hard: Duration) -> Duration {
    if !circumstances.latency.is_zero() {
        return Duration::ZERO;
    }
    let remaining = clock.remaining.min(LONGEST);
    let spare = remaining.saturating_sub(hard).saturating_sub(kept_back(remaining, circumstances));
    spare.mul_f64(GRACE_SHARE).clamp(GRACE_MIN, GRACE_MAX).min(spare)
}

fn expected_moves(move_number: u16) -> f64 {
    (MOVES_AT_START - f64::from(move_number) * MOVES_LESS_PER_MOVE).max(MOVES_MIN)
}

/// Returns the factor of the plan by the ratio of the clocks: the side with more time can afford to think.
fn opponent_factor(ours: Duration, theirs: Option<Duration>) -> f64 {
    theirs.map_or(1.0, |theirs| {
        let theirs = theirs.clamp(INSTANT, LONGEST);
        ours.div_duration_f64(theirs).powf(OPPONENT_EXPONENT).clamp(OPPONENT_MIN, OPPONENT_MAX)
    })
}

/// Trend of the iterations so far, which says how difficult the move is.
#[derive(Clone, PartialEq, Debug, Default)]
struct Trend {
    best: Option<u16>,
    /// Number of iterations that have confirmed `best`.
    confirmations: u32,
    /// Running average of the scores, in centipawns.
    average: Option<f64>,
    /// Factor of the planned time; `None` before the first iteration.
    factor: Option<f64>,
    /// Whether the current iteration has failed low.
    failing_low: bool,
}

impl Trend {
    /// Takes an iteration, finished or not, into account.
    fn follow(&mut self, progress: &Progress) {
        match progress.bound {
            Bound::Exact => self.follow_value(progress),
            Bound::Upper => self.failing_low = true,
            Bound::Lower => {}
        }
    }

    /// Returns the factor of the planned time.
    fn factor(&self) -> f64 {
        self.factor.unwrap_or(1.0)
    }

    fn follow_value(&mut self, progress: &Progress) {
        let best = Some(progress.best);
        self.confirmations = if best == self.best { self.confirmations.saturating_add(1) } else { 0 };
        self.best = best;
        self.failing_low = false;
        let score = f64::from(progress.score);
        let average = self.average.unwrap_or(score);
        self.average = Some(average + (score - average) * NEWEST_WEIGHT);

        let stability = STABLE + UNSTABLE / (1.0 + f64::from(self.confirmations));
        let falling = (1.0 + (average - score) * FALLING_PER_CENTIPAWN).clamp(FALLING_MIN, FALLING_MAX);
        let effort = EFFORT_NONE - EFFORT_ALL * (f64::from(progress.best_permille) / PERMILLE).min(1.0);
        self.factor = Some(SLACK * stability * falling * effort);
    }
}
