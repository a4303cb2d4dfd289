//! All orders of a few events, for every kind of search in both protocols.

use super::model::Happening::{self, Death, End, EndOfInput, GoOn, Hit, Interruption, Quit, Report, Stop, Time};
use super::model::{Expectation, Kind, Scene, Stage};
use crate::engine::controller::phase::Phase;
use crate::engine::event::{Clock, ClockMode, ClockUnit, Command, Dialect, Go, Limits, Reply};
use crate::engine::workers::Workers;

/// Returns all orders of these events, each once.
pub(super) fn orders(happenings: &[Happening]) -> Vec<Vec<Happening>> {
    if happenings.is_empty() {
        return vec![vec![]];
    }
    let mut firsts = happenings.to_vec();
    firsts.sort_unstable();
    firsts.dedup();
    let mut all = vec![];
    for first in firsts {
        let mut rest = happenings.to_vec();
        rest.remove(rest.iter().position(|&other| other == first).unwrap());
        all.extend(orders(&rest).into_iter().map(|order| [&[first][..], &order].concat()));
    }
    all
}

/// Plays all orders in all settings; every worker either ends or fails. Returns the number of orders.
fn play_all(words: &[Happening], workers: usize) -> usize {
    let mut played = 0;
    for scene in Scene::all() {
        let mut stage = Stage::new(scene, workers);
        for fates in 0..1 << workers {
            let ends = (0..workers).map(|worker| if fates >> worker & 1 == 0 { End(worker) } else { Death(worker) });
            let happenings: Vec<Happening> = words.iter().copied().chain(ends).collect();
            for order in orders(&happenings) {
                if stage.controller.is_none() {
                    stage = Stage::new(scene, workers);
                }
                play_one(&mut stage, &order, workers);
                played += 1;
            }
        }
    }
    played
}

#[track_caller]
fn play_one(stage: &mut Stage, order: &[Happening], workers: usize) {
    let scene = stage.scene;
    let mut expected = Expectation::new(scene, workers);
    stage.ear.replies.borrow_mut().clear();
    stage.command(Command::Go(scene.go()));
    // After all events an endless search may still wait for its command: a worker may have died without ending anything.
    for &happening in order.iter().chain([&Stop]) {
        let over = expected.answered && happening == Stop && expected.heard_all;
        if over {
            break;
        }
        stage.play(happening);
        expected.follow(happening);
        let answers = usize::from(expected.answered);
        assert_eq!(stage.answers(), answers, "after {happening:?} of {order:?} in {scene:?}");
    }
    assert!(expected.answered, "{order:?} in {scene:?}");
    assert_eq!(stage.refusals(), expected.refusals, "{order:?} in {scene:?}");
    assert!(stage.is_idle() || expected.heard_all && stage.controller.is_none(), "{order:?} in {scene:?}");
    assert!(stage.leaves_nobody_searching());
}

#[test]
fn every_order_of_words_alarms_and_ends_is_answered_once_and_in_time() {
    let played = play_all(&[Stop, Hit, Time, Time], 2);
    assert_eq!(played, 24 * 4 * 360);
}

#[test]
fn reports_and_more_workers_change_nothing() {
    assert_eq!(play_all(&[Report, Stop], 3), 24 * 8 * 120);
    assert_eq!(play_all(&[Report, Hit, Time], 1), 24 * 2 * 24);
}

#[test]
fn words_may_come_twice() {
    assert_eq!(play_all(&[Stop, Stop, Hit, Hit], 2), 24 * 4 * 180);
}

#[test]
fn the_end_of_input_leaves_no_go_without_its_answer() {
    assert_eq!(play_all(&[EndOfInput, Hit], 2), 24 * 4 * 24);
    assert_eq!(play_all(&[EndOfInput, Time], 2), 24 * 4 * 24);
}

#[test]
fn whenever_the_engine_is_reported_to_end_it_leaves_nobody_searching() {
    for scene in Scene::all() {
        for last in [Quit, Interruption] {
            for order in orders(&[last, Stop, End(0), End(1)]) {
                let mut stage = Stage::new(scene, 2);
                stage.command(Command::Go(scene.go()));
                order.iter().for_each(|&happening| stage.play(happening));
                assert!(stage.controller.is_none(), "{order:?} in {scene:?}");
                assert!(stage.answers() <= 1 && stage.leaves_nobody_searching(), "{order:?} in {scene:?}");
                let is_answered_first = scene.dialect == Dialect::Uci && last == Quit;
                assert!(stage.answers() == 1 || !is_answered_first, "{order:?} in {scene:?}");
                assert_eq!(stage.ear.replies.borrow().last(), Some(&Reply::Bye));
            }
        }
    }
}

#[test]
fn an_engine_that_muses_answers_the_next_go_once() {
    let timed = |dialect| Scene { dialect, kind: Kind::Timed, ponder: false, mate: false };
    for (kind, ponder) in [(Kind::Timed, false), (Kind::Depth, false), (Kind::Timed, true), (Kind::Infinite, false)] {
        for dialect in [Dialect::Ucci, Dialect::Uci] {
            for order in orders(&[GoOn, Stop, Time, Time, End(0), End(1)]) {
                let mut stage = Stage::new(timed(dialect), 2);
                stage.set("autoponder", "true");
                stage.command(Command::Go(stage.scene.go()));
                [End(0), End(1)].into_iter().for_each(|end| stage.play(end));
                let is_musing =
                    matches!(&stage.controller, Some(controller) if matches!(controller.phase, Phase::AutoPonder(_)));
                assert!(is_musing && stage.answers() == 1);
                stage.scene = Scene { kind, ponder, ..stage.scene };
                order.iter().for_each(|&happening| stage.play(happening));
                // Every search started by now ends, after a `stop` at the latest.
                stage.set("autoponder", "false");
                let ends = [End(0), End(1), Stop, End(0), End(1)];
                ends.into_iter().for_each(|happening| stage.play(happening));
                assert_eq!(stage.answers(), 2, "{order:?} in {:?}", stage.scene);
                assert!(stage.is_idle(), "{order:?} in {:?}", stage.scene);
            }
        }
    }
}

#[test]
fn workers_on_their_way_out_keep_nobody_waiting_but_who_changes_them() {
    for dialect in [Dialect::Ucci, Dialect::Uci] {
        let mut stage = Stage::new(Scene { dialect, kind: Kind::Timed, ponder: false, mate: false }, 2);
        for answers in 1..=3 {
            stage.command(Command::Go(stage.scene.go()));
            [Time, Time].into_iter().for_each(|happening| stage.play(happening));
            assert_eq!(stage.answers(), answers, "no worker has ended yet");
        }
        stage.set("threads", "1");
        stage.command(Command::Go(stage.scene.go()));
        for _ in 0..3 {
            assert_eq!((stage.puppets.size(), stage.is_idle()), (2, true), "somebody still holds the table");
            [End(0), End(1)].into_iter().for_each(|end| stage.play(end));
        }
        assert_eq!((stage.puppets.size(), stage.is_idle()), (1, false), "what has waited has had its turn, in order");
        stage.play(End(0));
        assert_eq!((stage.answers(), stage.is_idle()), (4, true));
    }
}

#[test]
fn a_ponderhit_with_a_clock_nearly_out_is_answered_before_any_worker_has_had_a_turn() {
    let nearly_out =
        Clock { time: 13, mode: ClockMode::Increment(1), opponent_time: None, unit: ClockUnit::Milliseconds };
    let go = Go { ponder: true, clock: Some(nearly_out), ..Go::default() };
    for dialect in [Dialect::Ucci, Dialect::Uci] {
        for before in [&[Report][..], &[]] {
            let mut stage = Stage::new(Scene { dialect, kind: Kind::Timed, ponder: true, mate: false }, 2);
            for answers in 1..=2 {
                stage.command(Command::Go(go.clone()));
                before.iter().for_each(|&happening| stage.play(happening));
                stage.play(Hit);
                assert_eq!((stage.answers(), stage.is_idle()), (answers, true), "after {before:?} in {dialect:?}");
            }
            assert!(stage.leaves_nobody_searching());
        }
    }
}

#[test]
fn a_search_of_nothing_waits_for_its_word_as_well() {
    let nothing = |limits, clock| Go { limits, clock, ..Go::default() };
    let at_once = Clock { time: 0, mode: ClockMode::ThisMove, opponent_time: None, unit: ClockUnit::Milliseconds };
    let empty = [
        nothing(Limits { depth: Some(0), ..Limits::default() }, None),
        nothing(Limits { nodes: Some(0), ..Limits::default() }, None),
        nothing(Limits { mate: Some(0), ..Limits::default() }, None),
        nothing(Limits::default(), Some(at_once)),
        nothing(Limits { depth: Some(0), ..Limits::default() }, Some(at_once)),
    ];
    let scene = |dialect| Scene { dialect, kind: Kind::Depth, ponder: true, mate: false };
    for dialect in [Dialect::Ucci, Dialect::Uci] {
        for go in &empty {
            for word in [Stop, Hit] {
                for order in orders(&[word, End(0), End(1)]) {
                    let mut stage = Stage::new(scene(dialect), 2);
                    let all = |stage: &Stage| stage.answers() + stage.refusals();
                    stage.command(Command::Go(Go { ponder: true, ..go.clone() }));
                    for &happening in &order {
                        assert!(order[0] == word || happening != word || all(&stage) == 0, "{order:?} of {go:?}");
                        stage.play(happening);
                    }
                    assert_eq!(all(&stage), 1, "{order:?} of {go:?} in {dialect:?}");
                    assert!(stage.is_idle());
                }
            }
            let mut stage = Stage::new(scene(dialect), 2);
            stage.command(Command::Go(go.clone()));
            [End(0), End(1)].into_iter().for_each(|end| stage.play(end));
            assert_eq!(stage.answers() + stage.refusals(), 1, "{go:?} in {dialect:?}");
            assert!(stage.is_idle());
        }
    }
}
