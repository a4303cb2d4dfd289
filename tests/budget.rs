//! The time budget under clocks of every form: a move never takes more than its clock holds, whatever the search reports
//! meanwhile, and games of any length end before their clocks run out. No test here waits for real time.
#![cfg(feature = "engine")]

mod support;

use std::time::Duration;

use chuhe::score::Score;
use chuhe::smp::table::Bound;
use chuhe::smp::time::{Budget, Circumstances, Clock, Horizon, Progress};
use chuhe::splitmix::SplitMix64;

/// Minimum think time on an idle machine.
const MINIMUM_THINK: Duration = Duration::from_millis(1);
/// Minimum think time on a busy machine, or if the clock has run out.
const SHORT_MINIMUM_THINK: Duration = Duration::from_micros(200);
/// Minimum stop grace: the time workers have to stop.
const LEAST_GRACE: Duration = Duration::from_millis(2);

fn ms(milliseconds: usize) -> Duration {
    Duration::from_millis(milliseconds as u64)
}

fn microseconds(random: &mut SplitMix64, most: Duration) -> Duration {
    Duration::from_micros(random.below(most.as_micros() as usize + 1) as u64)
}

/// Returns a random duration from zero to an hour; short ones are as likely as long ones.
fn any_span(random: &mut SplitMix64) -> Duration {
    let most = random.pick(&[10, 200, 3_000, 60_000, 3_600_000]);
    ms(random.below(most))
}

fn any_clock(random: &mut SplitMix64) -> Clock {
    let horizon = match random.below(3) {
        0 => Horizon::ThisMove,
        1 => Horizon::Game(if random.below(2) == 0 { Duration::ZERO } else { any_span(random) }),
        _ => Horizon::Moves { moves: random.below(60) as u32, increment: any_span(random) },
    };
    let remaining = any_span(random);
    let opponent = (random.below(2) == 0).then(|| any_span(random));
    Clock { remaining, horizon, opponent }
}

fn any_circumstances(random: &mut SplitMix64) -> Circumstances {
    let overhead = random.pick(&[0, 1, 10, 50, 300, 5_000]);
    let (overhead, ponder) = (ms(random.below(overhead + 1)), random.below(2) == 0);
    let latency = ms(random.pick(&[0, 0, 20, 500]));
    Circumstances { overhead, latency, ponder, move_number: 1 + random.below(300) as u16 }
}

/// Returns a random report of a search.
fn any_report(random: &mut SplitMix64) -> Progress {
    let score = match random.below(10) {
        0 => Score::mate_in(1 + random.below(30)),
        1 => Score::mated_in(2 + random.below(30)),
        _ => Score::from_eval(random.below(4_001) as i32 - 2_000),
    };
    Progress {
        best: random.pick(&[1, 2, 3]),
        score: score.raw(),
        bound: random.pick(&[Bound::Exact, Bound::Exact, Bound::Upper, Bound::Lower]),
        best_permille: random.below(1001) as u32,
    }
}

/// Returns how long a move takes under this budget: with iterations of random lengths, each reported; an alarm at the
/// latest end that the budget allows; and workers that use some or all of the stop grace.
fn spend(random: &mut SplitMix64, budget: &mut Budget) -> Duration {
    let mut elapsed = Duration::ZERO;
    let pace = 1 + random.below(400);
    for _ in 1..200 {
        let report = any_report(random);
        let share = budget.hard().mul_f64(random.below(pace) as f64 / 1000.0);
        let reported_at = elapsed + share + Duration::from_micros(20);
        let alarm = budget.within_iteration();
        if reported_at >= alarm {
            elapsed = alarm.max(elapsed);
            break;
        }
        elapsed = reported_at;
        budget.revise(&report);
        if report.bound == Bound::Exact && budget.deadline(elapsed).is_none() {
            break;
        }
    }
    let reaction = if random.below(8) == 0 { budget.grace() } else { microseconds(random, ms(1)) };
    elapsed + reaction.min(budget.grace())
}

/// Returns the overhead and latency that every budget leaves on the clock.
fn kept_back(clock: &Clock, circumstances: &Circumstances) -> Duration {
    (circumstances.overhead.min(clock.remaining / 2) + circumstances.latency).min(clock.remaining)
}

#[test]
fn no_rule_spends_more_than_the_clock_holds() {
    let mut random = SplitMix64::new(1);
    for _ in 0..20_000 {
        let (clock, circumstances) = (any_clock(&mut random), any_circumstances(&mut random));
        let mut budget = Budget::new(&clock, &circumstances);
        let most = (clock.remaining - kept_back(&clock, &circumstances)).max(MINIMUM_THINK);
        assert!(budget.hard() + budget.grace() <= most, "{clock:?} {circumstances:?} {budget:?}");
        assert!(budget.soft() <= budget.hard() && budget.within_iteration() <= budget.hard(), "{clock:?} {budget:?}");
        let spent = spend(&mut random, &mut budget);
        assert!(spent <= most, "{spent:?} of {clock:?} under {circumstances:?} by {budget:?}");
        let at_once = Budget::instant(&clock, &circumstances);
        let minimum_thinks = if circumstances.latency.is_zero() {
            &[MINIMUM_THINK, SHORT_MINIMUM_THINK][..]
        } else {
            &[SHORT_MINIMUM_THINK]
        };
        assert!(minimum_thinks.contains(&at_once.hard()), "{clock:?} {circumstances:?} {at_once:?}");
        assert!(at_once.hard() + at_once.grace() <= most, "{clock:?} {at_once:?}");
    }
}

/// Time control of one side for a whole game: its clock at the start, and the time added later.
struct Conditions {
    start: Duration,
    increment: Duration,
    /// Number of moves after which `start` is added to the clock again.
    period: Option<usize>,
    overhead: Duration,
    /// Longest delay in sending a move.
    latency: Duration,
    moves: usize,
}

impl Conditions {
    /// Returns conditions under which no game need be lost on time, however badly the search behaves: between two additions
    /// to the clock there are so few moves that a small part of it covers the minimum think time and the latency of each.
    fn any(random: &mut SplitMix64) -> Self {
        let overhead = ms(random.pick(&[5, 10, 30, 100, 500]));
        let latency = overhead / 20;
        let each = latency + MINIMUM_THINK;
        let least = overhead * 6 + ms(100);
        let start = least * 2 + any_span(random);
        let affordable = least.div_duration_f64(each) as usize;
        let income = each + ms(1) + any_span(random) / 20;
        let period = Some(1 + random.below(affordable.min(60)));
        let (period, increment, moves) = match random.below(4) {
            0 => (None, Duration::ZERO, 20 + random.below(affordable - 20)),
            1 => (None, income, 300),
            2 => (period, Duration::ZERO, 300),
            _ => (period, income, 300),
        };
        Self { start, increment, period, overhead, latency, moves }
    }

    /// Plays a game and returns the time left on the clock; none if it ran out.
    fn play(&self, random: &mut SplitMix64) -> Option<Duration> {
        let (mut remaining, ponder) = (self.start, random.below(2) == 0);
        for number in 0..self.moves {
            let horizon = match self.period {
                Some(period) => Horizon::Moves { moves: (period - number % period) as u32, increment: self.increment },
                None => Horizon::Game(self.increment),
            };
            // Protocols round down to milliseconds.
            let shown = ms(remaining.as_millis() as usize);
            let opponent = (random.below(2) == 0).then(|| any_span(random));
            let clock = Clock { remaining: shown, horizon, opponent };
            let circumstances =
                Circumstances { overhead: self.overhead, ponder, move_number: number as u16 + 1, ..Default::default() };
            // An only legal move is played without thinking.
            let only_reply = random.below(20) == 0;
            let begin = if only_reply { Budget::instant } else { Budget::new };
            let mut budget = begin(&clock, &circumstances);
            // An instant move is made by the controller itself, which waits for no workers.
            let spent = if budget.is_instant() { MINIMUM_THINK } else { spend(random, &mut budget) };
            remaining = remaining.checked_sub(spent + microseconds(random, self.latency))?;
            remaining += self.increment;
            if self.period.is_some_and(|period| (number + 1).is_multiple_of(period)) {
                remaining += self.start;
            }
        }
        Some(remaining)
    }
}

#[test]
fn no_game_is_lost_on_time() {
    let mut random = SplitMix64::new(2);
    for number in 0..3_000 {
        let conditions = Conditions::any(&mut random);
        let Conditions { start, increment, period, overhead, latency, moves } = conditions;
        assert!(
            conditions.play(&mut random).is_some(),
            "game {number}: {start:?} + {increment:?}, {period:?}, {overhead:?} for {latency:?}, {moves} moves"
        );
    }
}

#[test]
fn a_clock_is_used_and_not_only_kept() {
    let mut random = SplitMix64::new(3);
    for start in [10_000, 60_000, 600_000] {
        let game = Conditions {
            start: ms(start),
            increment: Duration::ZERO,
            period: None,
            overhead: ms(10),
            latency: ms(1),
            moves: 80,
        };
        let left = game.play(&mut random).unwrap();
        assert!(left < game.start / 2, "{left:?} of {start} ms are left");
    }
}

#[test]
fn every_form_of_clock_has_its_own_measure() {
    let circumstances = Circumstances { overhead: ms(10), move_number: 1, ..Default::default() };
    let hard = |remaining, horizon| {
        let budget = Budget::new(&Clock { remaining: ms(remaining), horizon, opponent: None }, &circumstances);
        (budget.soft(), budget.hard())
    };
    let no_increment = Horizon::Game(Duration::ZERO);
    let sessions = |moves| Horizon::Moves { moves, increment: Duration::ZERO };
    // The whole clock, less the overhead and the stop grace.
    for horizon in [Horizon::ThisMove, sessions(1)] {
        assert_eq!(hard(1_000, horizon).1, ms(1_000) - ms(10) - LEAST_GRACE, "{horizon:?}");
    }
    // The time for a single move is used up; the last move before a refill may leave some of it.
    assert_eq!(hard(1_000, Horizon::ThisMove).0, hard(1_000, Horizon::ThisMove).1);
    // The more moves to come, the less time each gets, down to a game of unlimited length.
    let plans = [1, 2, 5, 10, 20, 40].map(|moves| hard(60_000, sessions(moves)).0);
    assert!(plans.is_sorted_by(|fewer, more| fewer > more), "{plans:?}");
    assert!(plans[5] >= hard(60_000, no_increment).0);
    assert_eq!(hard(60_000, sessions(0)), hard(60_000, no_increment));
    // The plan includes the increment, but does not run the clock down to it.
    let rich = hard(60_000, Horizon::Game(ms(1_000)));
    assert!(rich.0 > hard(60_000, no_increment).0 && rich.0 > ms(1_000) && rich.1 < ms(30_000), "{rich:?}");
    // Only the minimum think time is left, a shorter one if more moves are to come.
    for horizon in [no_increment, Horizon::Game(ms(1_000)), sessions(1), sessions(10)] {
        assert_eq!(hard(0, horizon).1, SHORT_MINIMUM_THINK, "{horizon:?}");
    }
    assert_eq!(hard(0, Horizon::ThisMove).1, MINIMUM_THINK);
}
