//! The queue of UCI: input during a search waits for its end, in order, while immediate commands are handled at once.

use std::collections::VecDeque;

use super::interleavings::orders;
use super::model::Happening::{self, End, EndOfInput, GoOn, IsReady, Quit, Stop};
use super::model::{Kind, LINE, Scene, Stage};
use crate::engine::event::{Command, Dialect, Reply};

/// Model of UCI's queue, driven by the events alone: one worker, and no clock that ends anything.
#[derive(Default)]
struct Turns {
    /// The running search.
    current: Option<Turn>,
    /// Waiting input, oldest first: a `go`, or an immediate command that came when the search before it was as good as over.
    waiting: VecDeque<Happening>,
    answers: usize,
    ready: usize,
}

#[derive(Clone, Copy)]
struct Turn {
    pondering: bool,
    released: bool,
    /// Whether it was stopped.
    stop_raised: bool,
    /// Whether the worker has ended.
    ended: bool,
}

impl Turns {
    /// Creates a queue with a search of `scene` running.
    fn begun(scene: Scene) -> Self {
        Self { current: Some(Turn::begun(scene)), ..Self::default() }
    }

    fn follow(&mut self, happening: Happening, scene: Scene) {
        let is_as_good_as_over = self.current.is_some_and(|turn| turn.stop_raised && !turn.ended);
        match (happening, &mut self.current) {
            (GoOn, _) => self.waiting.push_back(GoOn),
            (IsReady, _) if is_as_good_as_over => self.waiting.push_back(IsReady),
            (IsReady, _) => self.ready += 1,
            (Stop, Some(_)) if is_as_good_as_over && !self.waiting.is_empty() => self.waiting.push_back(Stop),
            (Stop, Some(turn)) => turn.stop(),
            (End(_), Some(turn)) => (turn.ended, turn.stop_raised) = (true, true),
            _ => {}
        }
        loop {
            match self.current {
                Some(turn) if turn.is_answered(scene) => {
                    self.answers += 1;
                    self.current = None;
                }
                Some(_) => break,
                None => match self.waiting.pop_front() {
                    Some(GoOn) => self.begin(Turn::begun(scene)),
                    Some(IsReady) => self.ready += 1,
                    Some(_) => {}
                    None => break,
                },
            }
        }
    }

    /// Begins the search that has waited longest, and handles the commands after it up to the first that ends it.
    fn begin(&mut self, mut turn: Turn) {
        let next_go = |waiting: &VecDeque<Happening>| waiting.iter().position(|&it| it == GoOn);
        while !turn.stop_raised {
            let end = next_go(&self.waiting).unwrap_or(self.waiting.len());
            let is_heard = |(at, &it): (usize, &Happening)| it == IsReady || it == Stop && at < end;
            let Some(at) = self.waiting.iter().enumerate().position(is_heard) else { break };
            match self.waiting.remove(at) {
                Some(Stop) => turn.stop(),
                _ => self.ready += 1,
            }
        }
        self.current = Some(turn);
    }
}

impl Turn {
    fn begun(scene: Scene) -> Self {
        Self { pondering: scene.ponder, released: false, stop_raised: false, ended: false }
    }

    fn stop(&mut self) {
        (self.pondering, self.released, self.stop_raised) = (false, true, true);
    }

    fn is_answered(&self, scene: Scene) -> bool {
        self.ended && !self.pondering && (self.released || scene.kind != Kind::Infinite)
    }
}

#[test]
fn in_uci_what_comes_during_a_search_has_its_turn_and_words_are_heard_at_once() {
    let mut played = 0;
    for scene in Scene::all().filter(|scene| scene.dialect == Dialect::Uci && !scene.mate) {
        for order in orders(&[GoOn, GoOn, Stop, Stop, IsReady, End(0), End(0)]) {
            let mut stage = Stage::new(scene, 1);
            stage.command(Command::Go(scene.go()));
            let mut turns = Turns::begun(scene);
            // Ends that lead to an answer for every search.
            let rest = [Stop, End(0)].repeat(3);
            for &happening in order.iter().chain(&rest) {
                // A puppet without a search has nothing to end.
                if happening == End(0) && stage.puppets.0.lock().unwrap()[0].is_empty() {
                    continue;
                }
                stage.play(happening);
                turns.follow(happening, scene);
                let said = (stage.answers(), stage.said(|reply| *reply == Reply::Ready));
                assert_eq!(said, (turns.answers, turns.ready), "after {happening:?} of {order:?} in {scene:?}");
            }
            assert_eq!((turns.answers, turns.ready, stage.is_idle()), (3, 1, true), "{order:?} in {scene:?}");
            let replies = stage.ear.replies.borrow();
            let best = replies.iter().filter_map(|reply| match reply {
                Reply::BestMove { best, .. } => Some(best.to_string()),
                _ => None,
            });
            let is_first: Vec<bool> = best.map(|best| best == LINE[0]).collect();
            assert_eq!(is_first, [true, false, false], "each in its position, {order:?} in {scene:?}");
            played += 1;
        }
    }
    assert_eq!(played, 6 * 630);
}

#[test]
fn in_ucci_what_comes_during_a_search_is_ignored() {
    for scene in Scene::all().filter(|scene| scene.dialect == Dialect::Ucci) {
        let mut stage = Stage::new(scene, 1);
        stage.command(Command::Go(scene.go()));
        [GoOn, GoOn, IsReady, Stop, End(0)].into_iter().for_each(|happening| stage.play(happening));
        let ready = stage.said(|reply| *reply == Reply::Ready);
        assert_eq!((stage.answers(), ready, stage.is_idle()), (1, 1, true), "{scene:?}");
    }
}

#[test]
fn the_end_of_input_leaves_nothing_unanswered_that_was_said_before_it() {
    for scene in Scene::all().filter(|scene| scene.dialect == Dialect::Uci) {
        for order in orders(&[GoOn, GoOn, Stop, End(0)]) {
            let mut stage = Stage::new(scene, 1);
            stage.command(Command::Go(scene.go()));
            order.iter().for_each(|&happening| stage.play(happening));
            stage.play(EndOfInput);
            [End(0); 3].into_iter().for_each(|happening| stage.play(happening));
            assert_eq!((stage.answers(), stage.controller.is_none()), (3, true), "{order:?} in {scene:?}");
        }
    }
}

#[test]
fn quit_is_heard_before_what_waits() {
    for scene in Scene::all().filter(|scene| scene.dialect == Dialect::Uci) {
        for before in [&[][..], &[GoOn], &[GoOn, GoOn], &[GoOn, Stop], &[Stop, GoOn, Stop], &[End(0), GoOn]] {
            let mut stage = Stage::new(scene, 1);
            stage.command(Command::Go(scene.go()));
            before.iter().for_each(|&happening| stage.play(happening));
            let answers = stage.answers();
            let is_idle = stage.is_idle();
            [Quit, End(0)].into_iter().for_each(|happening| stage.play(happening));
            assert!(stage.controller.is_none(), "after {before:?} in {scene:?}");
            assert_eq!(stage.answers(), answers + usize::from(!is_idle), "after {before:?} in {scene:?}");
        }
    }
}

#[test]
fn quit_after_a_handshake_that_has_waited_is_heard() {
    for scene in Scene::all() {
        for dialect in [Dialect::Ucci, Dialect::Uci] {
            let mut stage = Stage::new(scene, 1);
            stage.command(Command::Go(scene.go()));
            stage.play(Stop);
            // It waits for the answer, and then changes when the command after it is due.
            stage.command(Command::Handshake(dialect));
            [Quit, End(0)].into_iter().for_each(|happening| stage.play(happening));
            assert!(stage.controller.is_none() && stage.answers() == 1, "{dialect:?} in {scene:?}");
        }
    }
}

#[test]
fn work_on_a_large_table_does_not_keep_quit_waiting() {
    for dialect in [Dialect::Ucci, Dialect::Uci] {
        let scene = Scene::all().find(|scene| scene.dialect == dialect).unwrap();
        let mut stage = Stage::new(scene, 1);
        for (name, value) in [("hashsize", "2"), ("newgame", ""), ("clearhash", ""), ("repetition", "asian")] {
            stage.ear.busy.borrow_mut().clear();
            stage.set(name, value);
            // The watchdog of the program ends it where such work lasts after `quit`.
            assert_eq!(*stage.ear.busy.borrow(), [true, false], "{name}");
        }
    }
}
