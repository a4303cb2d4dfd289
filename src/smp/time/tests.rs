//! A budget is kept, whatever the clocks are.

use std::time::Duration;

use proptest::prelude::*;

use super::budget::{BEGIN_SHARE, Budget, GRACE_MAX, GRACE_MIN, INSTANT, LONGEST, Progress, SHORT_INSTANT};
use super::clock::{Circumstances, Clock, Horizon};
use crate::smp::table::Bound;

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
    assert!(soft(500) <= INSTANT, "here every move costs more than it gets");
    assert_eq!(budget(game(100, 30)), Budget::instant(&game(100, 30), &circumstances()), "the usual reserve stays");
}

#[test]
fn a_clock_with_moves_to_come_keeps_a_reserve() {
    assert_eq!(budget(game(60, 0)), Budget::instant(&game(60, 0), &circumstances()));
    assert_eq!(budget(game(60, 5)), Budget::instant(&game(60, 5), &circumstances()));
    assert!(budget(game(120, 0)).hard() < ms(120 - 60));
    let last = Clock { remaining: ms(60), horizon: sessions(1), opponent: None };
    assert!(budget(last).hard() > ms(40));
}

fn late(clock: Clock, latency: u64) -> Budget {
    Budget::new(&clock, &Circumstances { latency: ms(latency), ..circumstances() })
}

#[test]
fn a_busy_machine_gets_a_reserve_and_no_stop_grace() {
    let clock = game(1_000, 0);
    let (quiet, busy) = (budget(clock), late(clock, 30));
    assert!(busy.soft() < quiet.soft() && busy.hard() < quiet.hard(), "{busy:?} {quiet:?}");
    assert!(!quiet.grace().is_zero() && busy.grace().is_zero());
    // Forty moves, each that late, have to fit into the reserve.
    assert!(late(game(480, 0), 30).is_instant() && !budget(game(480, 0)).is_instant());
    let this_move = |latency| late(Clock { remaining: ms(60), horizon: Horizon::ThisMove, opponent: None }, latency);
    assert_eq!((this_move(20).hard(), this_move(0).hard()), (ms(60 - 10 - 20 - 2), ms(60 - 10 - 2)));
    assert!(this_move(50).is_instant(), "it will be late whatever it does");
}

#[test]
fn an_instant_move_is_shortened_on_a_busy_machine_or_when_half_of_the_reserve_is_gone() {
    let clock = game(100, 1);
    assert_eq!((budget(clock).hard(), late(clock, 1).hard()), (INSTANT, SHORT_INSTANT));
    assert_eq!((budget(game(51, 1)).hard(), budget(game(50, 1)).hard()), (INSTANT, SHORT_INSTANT));
    assert!(late(clock, 1).is_instant() && budget(game(50, 1)).is_instant());
    assert_eq!(Budget::instant(&game(10_000, 0), &circumstances()).hard(), INSTANT, "the move is forced");
}

#[test]
fn workers_are_waited_for_as_long_as_the_clock_allows() {
    assert_eq!(budget(game(300_000, 0)).grace(), GRACE_MAX);
    let short = budget(game(200, 5)).grace();
    assert!(short > GRACE_MIN && short < ms(20), "{short:?}");
    assert_eq!(budget(game(20, 0)).grace(), Duration::ZERO);
    assert!(budget(game(20, 0)).is_instant() && !budget(game(200, 5)).is_instant());
}

#[test]
fn a_move_with_its_own_time_uses_it() {
    let mut budget = budget(Clock { remaining: ms(300), horizon: Horizon::ThisMove, opponent: None });
    assert_eq!((budget.soft(), budget.hard(), budget.grace()), (ms(288), ms(288), GRACE_MIN));
    budget.revise(&iteration(1, 0, 1000));
    assert_eq!(budget.deadline(ms(280)), Some(ms(288)));
}

#[test]
fn the_last_move_before_the_refill_may_take_what_is_left() {
    let last = budget(Clock { remaining: ms(2_000), horizon: sessions(1), opponent: None });
    assert_eq!(last.hard(), ms(1_990) - GRACE_MIN);
    let first = budget(Clock { remaining: ms(2_000), horizon: sessions(10), opponent: None });
    assert!((ms(100)..ms(250)).contains(&first.soft()), "{first:?}");
}

#[test]
fn the_increment_within_a_session_is_planned_with() {
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
        assert!(budget.is_instant());
        assert_eq!((budget.soft(), budget.hard()), (Duration::ZERO, SHORT_INSTANT));
        assert_eq!(budget.deadline(Duration::ZERO), None);
        assert_eq!(budget.within_iteration(), SHORT_INSTANT);
    }
    let this_move = budget(Clock { remaining: Duration::ZERO, horizon: Horizon::ThisMove, opponent: None });
    assert_eq!(this_move.hard(), INSTANT);
}

#[test]
fn absurd_clocks_do_not_overflow() {
    let longest = Horizon::Moves { moves: u32::MAX, increment: Duration::MAX };
    for horizon in [Horizon::ThisMove, Horizon::Game(Duration::MAX), sessions(0), longest] {
        let clock = Clock { remaining: Duration::MAX, horizon, opponent: Some(Duration::MAX) };
        for overhead in [Duration::ZERO, Duration::MAX] {
            let budget = Budget::new(
                &clock,
                &Circumstances { overhead, latency: overhead, ponder: true, move_number: u16::MAX },
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
        let milliseconds = u64::try_from(remaining.as_millis()).unwrap();
        let clock = game(milliseconds, 0);
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
    (milliseconds(), horizon, proptest::option::of(milliseconds())).prop_map(|(remaining, horizon, opponent)| Clock {
        remaining,
        horizon,
        opponent,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]
    #[test]
    fn the_clock_is_never_overrun(
        clock in any_clock(),
        overhead in 0..1000u64,
        latency in 0..1000u64,
        ponder: bool,
        move_number in 1..400u16,
        score in -1000..1000i32,
        permille in 0..=1000u32,
    ) {
        let latency = ms(latency.saturating_sub(500));
        let circumstances = Circumstances { overhead: ms(overhead), latency, ponder, move_number };
        let mut budget = Budget::new(&clock, &circumstances);
        let half = clock.remaining / 2;
        let most = clock.remaining.saturating_sub(ms(overhead)).max(half).max(INSTANT);
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
