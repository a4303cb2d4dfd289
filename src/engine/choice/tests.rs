//! Tests of an active search: its choice, and its reports to the user.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::*;
use crate::board::Position;
use crate::engine::active::{BOUNDS_AFTER, GRACE_WITHOUT_CLOCK, Request};
use crate::engine::event::Reached;
use crate::engine::options::Options;
use crate::search::{Plan, SearchId};
use crate::smp::shared::NodeCounters;
use crate::smp::table::Table;
use crate::smp::time::{Budget, Circumstances, Clock, Horizon};

/// Returns a search by two workers in a position where a rook can take an unprotected one.
fn search() -> ActiveSearch {
    search_by(2)
}

fn search_by(workers: usize) -> ActiveSearch {
    search_with(workers, Plan::default())
}

fn search_with(workers: usize, plan: Plan) -> ActiveSearch {
    let position = Position::from_fen("3k5/9/4r4/9/9/9/4R4/9/9/5K3 w - - 0 1").unwrap();
    let table = Arc::new(Table::new(1).unwrap());
    let counters = NodeCounters::new(workers);
    let context = SearchContext { id: SearchId(1), counters, plan, ..SearchContext::new(table, vec![position]) };
    ActiveSearch::new(Arc::new(context), Request::unasked(Instant::now()))
}

/// Returns the outcome of a search of five plies.
fn found(line: &str) -> Outcome {
    let pv = line.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
    let (score, bound) = (Score::DRAW, Bound::Exact);
    Outcome { depth: 5, selective_depth: 7, score, bound, score_depth: 5, pv, nodes: 100 }
}

const EXACT: Audience = Audience { bounds: false, every_answer: false };
const ALL: Audience = Audience { bounds: true, every_answer: true };

fn learn(search: &mut ActiveSearch, iteration: &Iteration) {
    let reached = search.reached(Instant::now());
    search.learn_from(iteration, reached);
}

fn best(search: &ActiveSearch) -> String {
    search.choose(ALL).0.best.to_string()
}

#[test]
fn without_any_report_the_best_looking_move_is_played() {
    let search = search();
    assert_eq!((best(&search).as_str(), search.choose(EXACT).1), ("e3e7", None));
    let glimpse = search.choose(ALL).1.expect("somebody wants a value before every answer");
    assert_eq!((glimpse.depth, glimpse.pv, glimpse.bound), (0, vec!["e3e7".parse().unwrap()], Bound::Exact));
    assert_eq!(glimpse.score, static_value(search.context.root(), &search.context.plan));
}

#[test]
fn patience_begins_once_and_not_before_the_end_is_wanted() {
    let (mut search, start) = (search(), Instant::now());
    assert_eq!(search.fall_due(start), None, "no stop was sent");
    let clock = Clock { remaining: Duration::from_secs(60), horizon: Horizon::ThisMove, opponent: None };
    let circumstances = Circumstances { overhead: Duration::from_secs(1), ..Circumstances::default() };
    search.request.budget = Some(Budget::new(&clock, &circumstances));
    let end = search.fall_due(start).expect("the move is timed");
    assert!(end > start && search.is_due());
    assert_eq!(search.fall_due(end), None, "another order to end is no reprieve");
    assert_eq!(search.latency(end), end - start);
}

#[test]
fn without_a_clock_more_workers_than_processors_are_waited_for_a_while_and_fewer_until_they_end() {
    let fall_due = |workers, start| {
        let mut search = search_by(workers);
        search.release();
        search.fall_due(start)
    };
    let start = Instant::now();
    assert_eq!(fall_due(num_cpus::get(), start), None);
    assert_eq!(fall_due(num_cpus::get() + 1, start), Some(start + GRACE_WITHOUT_CLOCK));
}

#[test]
fn what_a_worker_has_reported_counts_before_it_has_ended() {
    let mut search = search();
    let outcome = found("e3e5 d9d8");
    let reported = last_iteration(&outcome);
    learn(&mut search, &Iteration { bound: Bound::Upper, ..reported.clone() });
    assert_eq!(best(&search), "e3e7", "a bound is not a result");
    learn(&mut search, &reported);
    let (choice, unseen) = search.choose(ALL);
    assert_eq!((choice.best.to_string().as_str(), choice.ponder.is_some()), ("e3e5", true));
    assert!(unseen.is_none(), "the user has seen it already");
    let deeper = Outcome { depth: 9, score_depth: 9, ..found("e3e6") };
    search.finished(1, deeper);
    assert!(search.choose(ALL).1.is_some_and(|iteration| iteration.depth == 9), "the user has not seen it yet");
}

#[test]
fn what_is_played_was_reported_last() {
    let outcome = found("e3e5");
    let reported = |search: &ActiveSearch| search.choose(ALL).1.map(|iteration| iteration.pv);
    let mut search = search();
    learn(&mut search, &last_iteration(&outcome));
    search.finished(1, Outcome { depth: 4, ..outcome.clone() });
    assert_eq!(reported(&search), None, "another worker agrees");
    search.finished(0, found("e3e6"));
    assert_eq!(
        reported(&search),
        Some(found("e3e6").pv),
        "an iteration that was not finished has found something better"
    );
}

#[test]
fn a_bound_is_reported_as_one_and_of_the_iteration_that_it_comes_from() {
    let mut search = search();
    learn(&mut search, &last_iteration(&found("e3e5")));
    search.finished(0, Outcome { bound: Bound::Lower, score_depth: 6, ..found("e3e6") });
    let reported = search.choose(ALL).1.expect("another move is played than was reported");
    assert_eq!((reported.bound, reported.depth), (Bound::Lower, 6));
    search.report_bound(reported);
    assert!(search.choose(ALL).1.is_none(), "now it was reported");
    let heard = search.choose(EXACT).1.expect("who hears of no bounds has not heard of this one");
    assert_eq!((heard.bound, heard.depth), (Bound::Exact, 6));
    let mut deeper = search_by(2);
    learn(&mut deeper, &last_iteration(&Outcome { depth: 8, score_depth: 8, ..found("e3e6") }));
    deeper.finished(1, Outcome { bound: Bound::Lower, score_depth: 6, ..found("e3e6") });
    assert!(deeper.choose(ALL).1.is_none(), "a deeper search has reported that the move is the best");
}

#[test]
fn no_line_is_reported_alone_where_several_are_wanted() {
    let outcome = found("e3e5");
    let mut search = search_with(1, Plan { multipv: 2, ..Plan::default() });
    assert!(search.choose(EXACT).1.is_none());
    learn(&mut search, &last_iteration(&outcome));
    search.finished(0, Outcome { depth: 6, ..outcome });
    assert!(search.choose(ALL).1.is_none());
}

#[test]
fn the_lines_of_an_iteration_are_reported_together() {
    let mut search = search_with(1, Plan { multipv: 3, ..Plan::default() });
    let gather = |search: &mut ActiveSearch, pv_index: usize, line: &str| -> Vec<usize> {
        let reached = search.reached(Instant::now());
        let line = Iteration { pv_index, ..last_iteration(&found(line)) };
        search.gather(line, reached).iter().map(|(line, _)| line.pv_index).collect()
    };
    for _ in 0..2 {
        assert!(
            gather(&mut search, 1, "e3e5").is_empty(),
            "a search that ends here has shown no line of the iteration"
        );
        assert!(gather(&mut search, 2, "e3e6").is_empty());
        assert_eq!(gather(&mut search, 3, "e3e7"), [1, 2, 3]);
    }
    let mut single = search_with(1, Plan::default());
    assert_eq!(gather(&mut single, 1, "e3e5"), [1]);
}

#[test]
fn a_bound_has_the_last_whole_line_if_that_begins_with_its_move() {
    let mut search = search();
    learn(&mut search, &last_iteration(&found("e3e5 d9d8 e5e6")));
    let bound = |line| Iteration { bound: Bound::Lower, ..last_iteration(&found(line)) };
    assert_eq!(search.report_bound(bound("e3e5")).pv, found("e3e5 d9d8 e5e6").pv);
    assert_eq!(search.report_bound(bound("e3e6")).pv, found("e3e6").pv);
}

#[test]
fn an_iteration_is_reported_with_its_cost_at_its_end() {
    let mut search = search();
    let start = Instant::now();
    search.request.asked_at = start;
    let reached = Reached { at: start + Duration::from_millis(250), nodes: 1234 };
    let info = search.info(last_iteration(&found("e3e5")), reached, &Options::default());
    assert_eq!((info.effort.nodes, info.effort.elapsed), (1234, Duration::from_millis(250)));
    assert!(!search.reports_bounds(reached.at) && search.reports_bounds(start + BOUNDS_AFTER));
}

#[test]
fn a_move_of_which_nothing_was_reported_is_reported_with_its_value_before_it_is_played() {
    let mut search = search_by(1);
    let nothing = Outcome { depth: 0, score_depth: 0, score: Score::from_eval(7), ..found("e3e5") };
    search.finished(0, nothing.clone());
    let reported = search.choose(ALL).1.expect("nothing was reported");
    assert_eq!((reported.depth, reported.score, reported.pv), (0, Score::from_eval(7), found("e3e5").pv));
    assert_eq!(search.choose(EXACT).1, None);
}
