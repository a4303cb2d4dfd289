//! Time budget: from the clocks to a soft and a hard limit, revised after each iteration. Pure: the caller reads the
//! clock.

use std::time::Duration;

use super::clock::{Circumstances, Clock, Horizon};
use super::progress::Progress;
use super::trend::Trend;

// Share of a clock for one move.

/// Upper bound of every clock, so that adding limits to an instant cannot overflow.
const LONGEST: Duration = Duration::from_secs(10 * 24 * 3600);
/// Number of moves that a game is expected to last at its beginning...
const MOVES_AT_START: f64 = 45.0;
/// ...the decrease of that number with each move played...
const MOVES_LESS_PER_MOVE: f64 = 0.2;
/// ...and its minimum.
const MOVES_AT_LEAST: f64 = 30.0;
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
const RESERVE_GLANCES: u32 = 100;
/// Remaining time below which a clock is nearly out, whatever the overhead.
const NEARLY_OUT: Duration = Duration::from_millis(10);
/// Limit of an instant move: enough for one iteration on an idle machine.
const AT_ONCE: Duration = Duration::from_millis(1);
/// Limit of an instant move where threads wait for the processor, or half of the reserve for hiccups is gone.
///
/// Schedulers let the others catch up with what a thread has used: beside two busy loops on two processors, a thread
/// that had used 0.7 ms waited for 1.5 ms, and one that had used 0.2 ms for 0.4 ms.
const LEAST_GLANCE: Duration = Duration::from_micros(200);
/// Hard limit as a multiple of the planned time...
const HARD_FACTOR: f64 = 5.0;
/// ...and as a share of the whole clock, unless this is the last move before more time is given.
const HARD_SHARE: f64 = 0.5;
/// Factor of the plan with pondering, which wins some of the time back.
const PONDER_FACTOR: f64 = 1.2;
/// Exponent of the ratio of the clocks by which the plan grows or shrinks.
const RIVALRY: f64 = 0.25;
/// Minimum factor of the plan when the opponent has more time...
const RIVALRY_LEAST: f64 = 0.85;
/// ...and maximum when the opponent has less.
const RIVALRY_MOST: f64 = 1.15;

/// Stop grace: share of the spare time for which workers are waited for after the stop flag is raised...
const GRACE_SHARE: f64 = 0.1;
/// ...its minimum, which is plenty where every thread has a core...
const GRACE_LEAST: Duration = Duration::from_millis(2);
/// ...and its maximum.
const GRACE_MOST: Duration = Duration::from_millis(50);

// Share of the soft limit for the iterations.

/// Share of the soft limit after which no iteration is begun: it would seldom end in time.
const BEGIN_SHARE: f64 = 0.6;
/// Multiple of the soft limit that an iteration may take once it has begun.
const OVERRUN: f64 = 2.5;

/// Time budget of the search for one move, counted from the moment its clock started.
#[derive(Clone, PartialEq, Debug)]
pub struct Budget {
    hard: Duration,
    grace: Duration,
    plan: Plan,
}

#[derive(Clone, PartialEq, Debug)]
enum Plan {
    /// All of the time may be used up.
    Everything,
    /// Time not used now can be used later.
    Thrifty { planned: Duration, trend: Trend },
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
        let available = (remaining - kept_back).saturating_sub(GRACE_LEAST).max(AT_ONCE);
        let expected = expected_moves(circumstances.move_number);
        match clock.horizon {
            Horizon::ThisMove => {
                Self { hard: available, grace: grace(clock, circumstances, available), plan: Plan::Everything }
            }
            _ if remaining <= nearly_out(clock, circumstances) => Self::at_once(clock, circumstances),
            Horizon::Game(increment) => {
                let share = Share::of(expected, increment, available.mul_f64(HARD_SHARE));
                Self::thrifty(clock, circumstances, share)
            }
            // A clock that is refilled after zero moves is one that is never refilled.
            Horizon::Moves { moves: 0, increment } => {
                Self::new(&Clock { horizon: Horizon::Game(increment), ..*clock }, circumstances)
            }
            Horizon::Moves { moves, increment } => {
                let most = if moves == 1 { available } else { available.mul_f64(HARD_SHARE) };
                Self::thrifty(clock, circumstances, Share::of(f64::from(moves).min(expected), increment, most))
            }
        }
    }

    /// Returns the budget of an instant move, which ends after the first iteration.
    ///
    /// Workers that have pondered the move are not waited for: on a busy machine the time slices that this takes are
    /// longer than what is left.
    pub fn at_once(clock: &Clock, circumstances: &Circumstances) -> Self {
        Self {
            hard: minimum_think(clock, circumstances),
            grace: Duration::ZERO,
            plan: Plan::Thrifty { planned: Duration::ZERO, trend: Trend::default() },
        }
    }

    /// Whether there is only time for an instant move.
    pub fn is_at_once(&self) -> bool {
        self.hard <= AT_ONCE
    }

    fn thrifty(clock: &Clock, circumstances: &Circumstances, share: Share) -> Self {
        let remaining = clock.remaining.min(LONGEST);
        let lost = circumstances.lost().min(LONGEST).mul_f64(share.moves);
        let usable = (remaining + share.income).saturating_sub(lost).max(remaining.mul_f64(USABLE_SHARE));
        let even = usable.div_f64(share.moves);
        let pondering = if circumstances.ponder { PONDER_FACTOR } else { 1.0 };
        let planned = even.mul_f64(pondering * rivalry(remaining, clock.opponent)).min(share.most);
        let hard = planned.mul_f64(HARD_FACTOR).min(share.most);
        Self {
            hard,
            grace: grace(clock, circumstances, hard),
            plan: Plan::Thrifty { planned, trend: Trend::default() },
        }
    }

    /// Returns the soft limit: when the search should end if it goes on as it went so far.
    pub fn soft(&self) -> Duration {
        match &self.plan {
            Plan::Everything => self.hard,
            Plan::Thrifty { planned, trend } => planned.mul_f64(trend.factor()).min(self.hard),
        }
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
        let planned = self.soft().max(AT_ONCE).min(self.hard());
        let nodes = planned.as_micros().saturating_mul(u128::from(per_millisecond)) / 1000;
        u64::try_from(nodes).unwrap_or(u64::MAX).max(1)
    }

    /// Revises the budget after an iteration.
    pub fn revise(&mut self, progress: &Progress) {
        if let Plan::Thrifty { trend, .. } = &mut self.plan {
            trend.follow(progress);
        }
    }

    /// Returns the latest end of the iteration that begins now; `None` if another one is not worth its time.
    pub fn deadline(&self, elapsed: Duration) -> Option<Duration> {
        match self.plan {
            Plan::Everything => Some(self.hard),
            Plan::Thrifty { .. } => (elapsed < self.soft().mul_f64(BEGIN_SHARE)).then(|| self.within_iteration()),
        }
    }

    /// Returns the latest end of an iteration that has begun.
    pub fn within_iteration(&self) -> Duration {
        match &self.plan {
            Plan::Everything => self.hard,
            // Failing low: the iteration may take until the hard limit to find something better.
            Plan::Thrifty { trend, .. } if trend.is_failing_low() => self.hard,
            Plan::Thrifty { .. } => self.soft().mul_f64(OVERRUN).max(AT_ONCE).min(self.hard),
        }
    }
}

/// Division of the rest of the clock among moves.
struct Share {
    moves: f64,
    /// Time added to the clock before the last of those moves.
    income: Duration,
    /// Maximum time for one move.
    most: Duration,
}

impl Share {
    /// Returns the division of the clock among `moves` moves, with an increment after each.
    fn of(moves: f64, increment: Duration, most: Duration) -> Self {
        Self { moves, income: increment.min(LONGEST).mul_f64(moves - 1.0), most }
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
    if is_short || !circumstances.lateness.is_zero() { LEAST_GLANCE } else { AT_ONCE }
}

/// Returns the reserve, which is not planned with.
///
/// It is kept for hiccups, and for an instant move in place of each move to come before time is added.
fn reserve(horizon: Horizon, overhead: Duration) -> Duration {
    let (overheads, minimum_thinks) = match horizon {
        Horizon::ThisMove | Horizon::Moves { moves: 1, .. } => (NEARLY_OUT_OVERHEADS, 0),
        Horizon::Game(increment) | Horizon::Moves { increment, .. } if increment > AT_ONCE => (RESERVE_OVERHEADS, 0),
        Horizon::Moves { moves: moves @ 2.., .. } => (RESERVE_OVERHEADS, moves.min(RESERVE_GLANCES)),
        Horizon::Moves { .. } | Horizon::Game(_) => (RESERVE_OVERHEADS, RESERVE_GLANCES),
    };
    let gets_it_back = matches!(horizon, Horizon::Game(increment) if increment > overhead);
    let for_waits = if gets_it_back { overhead.min(RESERVED_OVERHEAD) } else { overhead };
    let for_ways = overhead.saturating_mul(overheads.min(NEARLY_OUT_OVERHEADS));
    let for_waits = for_waits.saturating_mul(overheads - NEARLY_OUT_OVERHEADS);
    for_ways.saturating_add(for_waits).saturating_add(AT_ONCE * minimum_thinks)
}

/// Returns the overhead and measured latency, deducted from the clock.
///
/// The overhead is limited to a share of the clock, the latency is not: if it will take all of the clock, nothing can
/// be spent.
fn kept_back(remaining: Duration, circumstances: &Circumstances) -> Duration {
    let overhead = circumstances.overhead.min(remaining.mul_f64(OVERHEAD_SHARE));
    overhead.saturating_add(circumstances.lateness).min(remaining)
}

/// Returns the stop grace: a part of the time that the hard limit leaves on the clock, and never more than that.
///
/// On a busy machine workers are not waited for at all: each wait would cost more time slices than it lasts.
fn grace(clock: &Clock, circumstances: &Circumstances, hard: Duration) -> Duration {
    if !circumstances.lateness.is_zero() {
        return Duration::ZERO;
    }
    let remaining = clock.remaining.min(LONGEST);
    let spare = remaining.saturating_sub(hard).saturating_sub(kept_back(remaining, circumstances));
    spare.mul_f64(GRACE_SHARE).clamp(GRACE_LEAST, GRACE_MOST).min(spare)
}

fn expected_moves(move_number: u16) -> f64 {
    (MOVES_AT_START - f64::from(move_number) * MOVES_LESS_PER_MOVE).max(MOVES_AT_LEAST)
}

/// Returns the factor of the plan by the ratio of the clocks: the side with more time can afford to think.
fn rivalry(ours: Duration, theirs: Option<Duration>) -> f64 {
    theirs.map_or(1.0, |theirs| {
        let theirs = theirs.clamp(AT_ONCE, LONGEST);
        ours.div_duration_f64(theirs).powf(RIVALRY).clamp(RIVALRY_LEAST, RIVALRY_MOST)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smp::table::Bound;
    use proptest::prelude::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn circumstances() -> Circumstances {
        Circumstances { overhead: OVERHEAD, move_number: 1, ..Circumstances::default() }
    }

    fn game(remaining: u64, increment: u64) -> Clock {
        Clock { remaining: ms(remaining), horizon: Horizon::Game(ms(increment)), opponent: None }
    }

    fn sessions(moves: u32) -> Horizon {
        Horizon::Moves { moves, increment: Duration::ZERO }
    }

    fn budget(clock: Clock) -> Budget {
        Budget::new(&clock, &circumstances())
    }

    fn iteration(best: u16, score: i32, best_permille: u32) -> Progress {
        Progress { best, score, bound: Bound::Exact, best_permille }
    }

    #[test]
    fn a_sensible_share_of_a_long_clock_is_planned() {
        let long = budget(game(300_000, 0));
        assert!((ms(5_000)..ms(10_000)).contains(&long.soft()), "{long:?}");
        assert!(long.hard() < ms(40_000));
        let blitz = budget(game(3_000, 30));
        assert!((ms(60)..ms(130)).contains(&blitz.soft()), "{blitz:?}");
    }

    #[test]
    fn an_ordinary_move_may_begin_iterations_until_its_plan_is_used_up() {
        let mut budget = budget(game(300_000, 0));
        let planned = budget.soft();
        (0..8).for_each(|_| budget.revise(&iteration(1, 20, 750)));
        let last_begin = budget.soft().mul_f64(BEGIN_SHARE);
        assert!((planned.mul_f64(0.6)..planned.mul_f64(1.1)).contains(&last_begin), "{last_begin:?} of {planned:?}");
    }

    #[test]
    fn an_increment_that_the_overhead_eats_is_no_income() {
        assert!(budget(game(300, 10)).soft() < ms(10));
        // The plan stays below the increment until there is a cushion against the hiccups of the machine.
        assert!(budget(game(250, 30)).soft() < ms(30) && budget(game(1_000, 30)).soft() > ms(30));
    }

    #[test]
    fn a_long_way_that_the_increment_pays_for_leaves_time_to_think() {
        let far = Circumstances { overhead: ms(1_000), ..circumstances() };
        let soft = |increment| Budget::new(&game(3_000, increment), &far).soft();
        assert!(soft(2_000) > ms(100), "{:?}", soft(2_000));
        assert!(soft(500) <= AT_ONCE, "here every move costs more than it gets");
        assert_eq!(budget(game(100, 30)), Budget::at_once(&game(100, 30), &circumstances()), "the usual reserve stays");
    }

    #[test]
    fn a_clock_with_moves_to_come_keeps_a_reserve() {
        assert_eq!(budget(game(60, 0)), Budget::at_once(&game(60, 0), &circumstances()));
        assert_eq!(budget(game(60, 5)), Budget::at_once(&game(60, 5), &circumstances()));
        assert!(budget(game(120, 0)).hard() < ms(120 - 60));
        let last = Clock { remaining: ms(60), horizon: sessions(1), opponent: None };
        assert!(budget(last).hard() > ms(40));
    }

    fn late(clock: Clock, lateness: u64) -> Budget {
        Budget::new(&clock, &Circumstances { lateness: ms(lateness), ..circumstances() })
    }

    #[test]
    fn a_busy_machine_gets_a_reserve_and_its_workers_no_patience() {
        let clock = game(1_000, 0);
        let (quiet, busy) = (budget(clock), late(clock, 30));
        assert!(busy.soft() < quiet.soft() && busy.hard() < quiet.hard(), "{busy:?} {quiet:?}");
        assert!(!quiet.grace().is_zero() && busy.grace().is_zero());
        // Forty moves, each that late, have to fit into the reserve.
        assert!(late(game(480, 0), 30).is_at_once() && !budget(game(480, 0)).is_at_once());
        let this_move =
            |lateness| late(Clock { remaining: ms(60), horizon: Horizon::ThisMove, opponent: None }, lateness);
        assert_eq!((this_move(20).hard(), this_move(0).hard()), (ms(60 - 10 - 20 - 2), ms(60 - 10 - 2)));
        assert!(this_move(50).is_at_once(), "it will be late whatever it does");
    }

    #[test]
    fn a_glance_is_shortened_where_turns_are_waited_for_or_half_of_the_reserve_for_hiccups_is_gone() {
        let clock = game(100, 1);
        assert_eq!((budget(clock).hard(), late(clock, 1).hard()), (AT_ONCE, LEAST_GLANCE));
        assert_eq!((budget(game(51, 1)).hard(), budget(game(50, 1)).hard()), (AT_ONCE, LEAST_GLANCE));
        assert!(late(clock, 1).is_at_once() && budget(game(50, 1)).is_at_once());
        assert_eq!(Budget::at_once(&game(10_000, 0), &circumstances()).hard(), AT_ONCE, "the move is forced");
    }

    #[test]
    fn workers_are_waited_for_as_long_as_the_clock_allows() {
        assert_eq!(budget(game(300_000, 0)).grace(), GRACE_MOST);
        let short = budget(game(200, 5)).grace();
        assert!(short > GRACE_LEAST && short < ms(20), "{short:?}");
        assert_eq!(budget(game(20, 0)).grace(), Duration::ZERO);
        assert!(budget(game(20, 0)).is_at_once() && !budget(game(200, 5)).is_at_once());
    }

    #[test]
    fn a_move_with_its_own_time_uses_it() {
        let mut budget = budget(Clock { remaining: ms(300), horizon: Horizon::ThisMove, opponent: None });
        assert_eq!((budget.soft(), budget.hard(), budget.grace()), (ms(288), ms(288), GRACE_LEAST));
        budget.revise(&iteration(1, 0, 1000));
        assert_eq!(budget.deadline(ms(280)), Some(ms(288)));
    }

    #[test]
    fn the_last_move_before_the_refill_may_take_what_is_left() {
        let last = budget(Clock { remaining: ms(2_000), horizon: sessions(1), opponent: None });
        assert_eq!(last.hard(), ms(1_990) - GRACE_LEAST);
        let first = budget(Clock { remaining: ms(2_000), horizon: sessions(10), opponent: None });
        assert!((ms(100)..ms(250)).contains(&first.soft()), "{first:?}");
    }

    #[test]
    fn what_is_added_within_a_session_is_planned_with() {
        let plan = |moves, increment| {
            let horizon = Horizon::Moves { moves, increment: ms(increment) };
            budget(Clock { remaining: ms(2_000), horizon, opponent: None })
        };
        assert!(plan(40, 1_000).soft() > plan(40, 0).soft() + ms(800), "{:?}", plan(40, 1_000));
        assert!(plan(40, 1_000).hard() <= ms(1_000));
        assert_eq!(plan(1, 1_000), plan(1, 0), "what comes afterwards is for other moves");
        assert_eq!(plan(0, 1_000), budget(game(2_000, 1_000)), "no move: there are no sessions");
    }

    #[test]
    fn no_time_means_at_once() {
        for clock in [game(0, 0), game(3, 0), game(20, 0), game(5, 30)] {
            let budget = budget(clock);
            assert!(budget.is_at_once());
            assert_eq!((budget.soft(), budget.hard()), (Duration::ZERO, LEAST_GLANCE));
            assert_eq!(budget.deadline(Duration::ZERO), None);
            assert_eq!(budget.within_iteration(), LEAST_GLANCE);
        }
        let this_move = budget(Clock { remaining: Duration::ZERO, horizon: Horizon::ThisMove, opponent: None });
        assert_eq!(this_move.hard(), AT_ONCE);
    }

    #[test]
    fn absurd_clocks_do_not_overflow() {
        let longest = Horizon::Moves { moves: u32::MAX, increment: Duration::MAX };
        for horizon in [Horizon::ThisMove, Horizon::Game(Duration::MAX), sessions(0), longest] {
            let clock = Clock { remaining: Duration::MAX, horizon, opponent: Some(Duration::MAX) };
            for overhead in [Duration::ZERO, Duration::MAX] {
                let budget = Budget::new(
                    &clock,
                    &Circumstances { overhead, lateness: overhead, ponder: true, move_number: u16::MAX },
                );
                assert!(budget.hard() <= LONGEST);
            }
        }
    }

    #[test]
    fn the_richer_side_thinks_longer() {
        let against = |opponent| budget(Clock { opponent, ..game(60_000, 0) }).soft();
        assert!(against(Some(ms(6_000))) > against(None));
        assert!(against(Some(ms(600_000))) < against(None));
        assert_eq!(against(Some(ms(60_000))), against(None));
        assert_eq!(against(Some(ms(0))), against(Some(ms(1))));
    }

    #[test]
    fn a_stable_best_move_is_played_sooner() {
        let mut budget = budget(game(60_000, 0));
        budget.revise(&iteration(1, 20, 500));
        let changed = budget.soft();
        for _ in 0..8 {
            budget.revise(&iteration(1, 20, 500));
        }
        let stable = budget.soft();
        budget.revise(&iteration(2, 20, 500));
        assert!(stable < changed);
        assert_eq!(budget.soft(), changed);
    }

    #[test]
    fn a_falling_score_gets_more_time() {
        let after = |score| {
            let mut budget = budget(game(60_000, 0));
            budget.revise(&iteration(1, 50, 500));
            budget.revise(&iteration(1, score, 500));
            budget.soft()
        };
        assert!(after(-50) > after(50));
        assert!(after(150) < after(50));
    }

    #[test]
    fn a_move_that_took_all_nodes_needs_no_more_time() {
        let after = |permille| {
            let mut budget = budget(game(60_000, 0));
            budget.revise(&iteration(1, 50, permille));
            budget.soft()
        };
        assert!(after(950) < after(500) && after(500) < after(100));
    }

    #[test]
    fn an_iteration_that_fails_low_may_take_the_hard_limit() {
        let mut budget = budget(game(60_000, 0));
        budget.revise(&iteration(1, 50, 950));
        budget.revise(&iteration(1, 50, 950));
        assert!(budget.within_iteration() < budget.hard());
        let failed = Progress { bound: Bound::Upper, ..iteration(1, -10, 950) };
        budget.revise(&failed);
        assert_eq!(budget.within_iteration(), budget.hard());
    }

    #[test]
    fn a_clock_counted_in_nodes_affords_what_is_planned() {
        let long = budget(game(60_000, 0));
        assert!((long.in_nodes(1) as f64 - long.soft().as_secs_f64() * 1000.0).abs() <= 1.0, "{long:?}");
        assert!((2 * long.in_nodes(1)).abs_diff(long.in_nodes(2)) <= 1, "{long:?}");
        assert!(budget(game(u64::MAX, 0)).in_nodes(u64::MAX) > 0);
    }

    #[test]
    fn no_iteration_is_begun_that_would_not_end() {
        let budget = budget(game(60_000, 0));
        let soft = budget.soft();
        assert!(budget.deadline(soft.mul_f64(0.5)).is_some());
        assert_eq!(budget.deadline(soft.mul_f64(0.7)), None);
    }

    /// Returns the time left on a clock after `moves` moves, each of which takes `spend` and a little latency.
    fn play_out(start: u64, moves: u32, latency: Duration, spend: impl Fn(u32, &Budget) -> Duration) -> Duration {
        let mut remaining = ms(start);
        for number in 0..moves {
            // Protocols round down to milliseconds.
            let told = u64::try_from(remaining.as_millis()).unwrap();
            let clock = game(told, 0);
            let move_number = u16::try_from(number + 1).unwrap();
            let budget = Budget::new(&clock, &Circumstances { move_number, ..circumstances() });
            remaining = remaining.checked_sub(spend(number, &budget) + latency).expect("the clock holds out");
        }
        remaining
    }

    #[test]
    fn one_hundred_moves_fit_into_one_second() {
        let left = play_out(1000, 100, ms(1), |_, budget| budget.soft());
        assert!(left > ms(100), "{left:?}");
        // Even if every third move is a crisis.
        let spend = |number, budget: &Budget| if number % 3 == 0 { budget.hard() } else { budget.soft() };
        let left = play_out(1000, 100, Duration::from_micros(500), spend);
        assert!(left > ms(10), "{left:?}");
    }

    #[test]
    fn a_game_of_two_hundred_moves_fits_into_a_minute() {
        play_out(60_000, 200, ms(1), |_, budget| budget.soft());
    }

    fn any_clock() -> impl Strategy<Value = Clock> {
        let milliseconds = || prop_oneof![0..200u64, 0..20_000u64, 0..20_000_000u64].prop_map(ms);
        let horizon = prop_oneof![
            Just(Horizon::ThisMove),
            milliseconds().prop_map(Horizon::Game),
            (0..100u32, 0..5_000u64).prop_map(|(moves, increment)| Horizon::Moves { moves, increment: ms(increment) }),
        ];
        (milliseconds(), horizon, proptest::option::of(milliseconds()))
            .prop_map(|(remaining, horizon, opponent)| Clock { remaining, horizon, opponent })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]
        #[test]
        fn the_clock_is_never_overrun(
            clock in any_clock(),
            overhead in 0..1000u64,
            lateness in 0..1000u64,
            ponder: bool,
            move_number in 1..400u16,
            score in -1000..1000i32,
            permille in 0..=1000u32,
        ) {
            let lateness = ms(lateness.saturating_sub(500));
            let circumstances = Circumstances { overhead: ms(overhead), lateness, ponder, move_number };
            let mut budget = Budget::new(&clock, &circumstances);
            let half = clock.remaining / 2;
            let most = clock.remaining.saturating_sub(ms(overhead)).max(half).max(AT_ONCE);
            prop_assert!(budget.hard() <= most);
            prop_assert!(budget.soft() <= budget.hard());
            for best in [1, 1, 2] {
                budget.revise(&iteration(best, score, permille));
                let deadline = budget.deadline(Duration::ZERO);
                prop_assert!(budget.soft() <= budget.hard());
                prop_assert!(deadline.is_none_or(|deadline| deadline <= budget.hard()));
            }
        }
    }
}
