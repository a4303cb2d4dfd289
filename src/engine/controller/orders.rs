//! Event interleavings: in every order of commands, alarms and ends of workers, each `go` is answered once, and no later than
//! it is due. No thread runs here and no time passes.

mod uci;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::phase::Phase;
use super::{Controller, FrontEnd};
use crate::board::{Move, Position};
use crate::engine::event::{
    AlarmId, Bound, Clock, ClockMode, ClockUnit, Command, Dialect, Event, GameText, Go, Iteration, Limits, Outcome,
    OutputFormat, Reached, Reply,
};
use crate::engine::workers::{Workers, outnumber_processors};
use crate::score::Score;
use crate::search::SearchContext;
use crate::smp::stop::StopFlag;
use crate::smp::time::Timekeeper;

/// An event of an interleaving.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Happening {
    Stop,
    Hit,
    /// A `go` in the position that the engine expects.
    GoOn,
    IsReady,
    EndOfInput,
    Quit,
    Interruption,
    /// The alarm fires, if it is set, and all that were set before it fire as well.
    Time,
    /// Worker 0 reports an iteration.
    Report,
    /// A worker ends.
    End(usize),
    /// A worker fails.
    Death(usize),
}

use Happening::{Death, End, EndOfInput, GoOn, Hit, Interruption, IsReady, Quit, Report, Stop, Time};

/// The setting of one script.
#[derive(Clone, Copy, Debug)]
struct Scene {
    dialect: Dialect,
    kind: Kind,
    ponder: bool,
    /// Whether the workers find a mate.
    mate: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Depth,
    Infinite,
    Timed,
}

impl Scene {
    fn all() -> impl Iterator<Item = Self> {
        let pairs = || [false, true].into_iter();
        let dialects = [Dialect::Ucci, Dialect::Uci].into_iter();
        dialects.flat_map(move |dialect| {
            [Kind::Depth, Kind::Infinite, Kind::Timed].into_iter().flat_map(move |kind| {
                pairs().flat_map(move |ponder| pairs().map(move |mate| Self { dialect, kind, ponder, mate }))
            })
        })
    }

    fn go(self) -> Go {
        let depth = (self.kind == Kind::Depth).then_some(9);
        let clock = (self.kind == Kind::Timed).then_some(Clock {
            time: 600_000,
            mode: ClockMode::Increment(0),
            opponent_time: None,
            unit: ClockUnit::Milliseconds,
        });
        Go { ponder: self.ponder, limits: Limits { depth, ..Limits::default() }, clock, ..Go::default() }
    }

    fn score(self) -> Score {
        if self.mate { Score::mate_in(1) } else { Score::DRAW }
    }
}

/// Puppet workers: they only hold their searches, oldest first, until the test ends them.
#[derive(Clone, Default)]
struct Puppets(Arc<Mutex<Vec<VecDeque<Arc<SearchContext>>>>>);

impl Workers for Puppets {
    fn size(&self) -> usize {
        self.0.lock().unwrap().len()
    }

    fn resize(&mut self, count: usize) -> io::Result<()> {
        self.0.lock().unwrap().resize_with(count, VecDeque::new);
        Ok(())
    }

    fn start(&mut self, context: &Arc<SearchContext>) {
        self.0.lock().unwrap().iter_mut().for_each(|searches| searches.push_back(Arc::clone(context)));
    }

    fn new_game(&mut self) {}
}

/// A clock that stands still and fires on demand.
#[derive(Clone)]
struct Dial(Rc<RefCell<Face>>);

struct Face {
    now: Instant,
    /// Number of alarms set so far.
    set: u64,
    armed: bool,
}

impl Timekeeper for Dial {
    fn now(&self) -> Instant {
        self.0.borrow().now
    }

    fn arm(&self, AlarmId(set): AlarmId, _: &StopFlag, _: Instant) {
        let mut face = self.0.borrow_mut();
        (face.set, face.armed) = (set, true);
    }

    fn disarm(&self) {
        self.0.borrow_mut().armed = false;
    }
}

/// Records the replies, without progress reports.
#[derive(Clone, Default)]
struct Ear(Rc<RefCell<Vec<Reply>>>);

impl FrontEnd for Ear {
    fn send(&mut self, reply: &Reply, _: &OutputFormat) {
        let is_heard = matches!(reply, Reply::BestMove { .. } | Reply::NoBestMove | Reply::StaticValue(_) | Reply::Bye);
        if is_heard || *reply == Reply::Ready {
            self.0.borrow_mut().push(reply.clone());
        }
    }

    fn log_to(&mut self, _: Option<&Path>) -> io::Result<()> {
        Ok(())
    }
}

/// An engine with everything that drives it.
struct Stage {
    /// `None` once the engine has ended.
    controller: Option<Controller<Ear, Dial>>,
    puppets: Puppets,
    dial: Dial,
    ear: Ear,
    scene: Scene,
}

impl Stage {
    fn new(scene: Scene, workers: usize) -> Self {
        let face = Face { now: Instant::now() + Duration::from_secs(3600), set: 0, armed: false };
        let (puppets, dial, ear) = (Puppets::default(), Dial(Rc::new(RefCell::new(face))), Ear::default());
        let (controller, _) = Controller::with_clock(ear.clone(), dial.clone()).unwrap();
        let others = puppets.clone();
        let controller = Some(controller.with_workers(|_| Box::new(others)));
        let mut stage = Self { controller, puppets, dial, ear, scene };
        stage.command(Command::Handshake(scene.dialect));
        for (name, value) in [("usebook", "false"), ("hashsize", "1"), ("threads", &workers.to_string())] {
            stage.set(name, value);
        }
        stage
    }

    fn set(&mut self, name: &str, value: &str) {
        self.command(Command::SetOption { name: name.to_owned(), value: value.into() });
    }

    fn event(&mut self, event: Event) {
        let Some(controller) = &mut self.controller else { return };
        let mut next = controller.unless_early(event).or_else(|| controller.next_waiting());
        while let Some(event) = next {
            if controller.handle(event) == ControlFlow::Break(()) {
                self.controller.take().expect("it has just heard something").shut_down();
                return;
            }
            next = controller.next_waiting();
        }
    }

    fn command(&mut self, command: Command) {
        self.event(Event::Command { command, read_at: self.dial.now() });
    }

    fn play(&mut self, happening: Happening) {
        match happening {
            Stop => self.command(Command::Stop),
            Hit => self.command(Command::PonderHit { draw: false }),
            GoOn => {
                let moves = LINE.map(|mv| mv.parse().unwrap()).to_vec();
                self.command(Command::Position(GameText { start: Position::start(), moves, accent: None }));
                self.command(Command::Go(self.scene.go()));
            }
            IsReady => self.command(Command::IsReady),
            EndOfInput => self.event(Event::EndOfInput),
            Quit => self.command(Command::Quit),
            Interruption => self.event(Event::Interrupted),
            Time => {
                let Face { set, armed, .. } = *self.dial.0.borrow();
                (0..set).for_each(|alarm| self.event(Event::TimeUp(AlarmId(alarm))));
                // It does not fire by itself any more, whatever the late ones have done.
                if armed {
                    assert!(self.dial.0.borrow().set == set, "a late alarm has set another");
                    self.dial.disarm();
                    self.event(Event::TimeUp(AlarmId(set)));
                }
            }
            Report => {
                let search = self.puppets.0.lock().unwrap()[0].front().map(|search| search.id);
                if let Some(search) = search {
                    let Outcome { depth, selective_depth, score, pv, nodes, .. } = self.outcome();
                    let (rank, bound, best_move_permille) = (1, Bound::Exact, 500);
                    let iteration =
                        Iteration { rank, depth, selective_depth, score, bound, pv, nodes, best_move_permille };
                    let reached = Reached { at: self.dial.now(), nodes };
                    self.event(Event::Iteration(search, iteration, reached));
                }
            }
            End(worker) => {
                if let Some(search) = self.release(worker) {
                    let outcome = self.outcome();
                    self.event(Event::Finished { search, worker, outcome });
                }
            }
            Death(worker) => {
                if let Some(search) = self.release(worker) {
                    self.event(Event::Died(search));
                }
            }
        }
    }

    /// Makes a worker release its oldest search.
    fn release(&self, worker: usize) -> Option<crate::search::SearchId> {
        self.puppets.0.lock().unwrap()[worker].pop_front().map(|search| search.id)
    }

    fn outcome(&self) -> Outcome {
        let mut position = Position::start();
        let played = self.controller.as_ref().map_or(0, |controller| controller.session.game.history().len() - 1);
        let moves: Vec<Move> = LINE.iter().map(|mv| mv.parse().unwrap()).collect();
        let pv = if played == 0 {
            moves
        } else {
            moves.iter().for_each(|&mv| position = position.play(mv));
            position.legal_moves().to_vec()[..1].to_vec()
        };
        let (score, bound) = (self.scene.score(), Bound::Exact);
        Outcome { depth: 5, selective_depth: 5, score, bound, score_depth: 5, pv, nodes: 1 }
    }

    fn said(&self, is_it: fn(&Reply) -> bool) -> usize {
        self.ear.0.borrow().iter().filter(|reply| is_it(reply)).count()
    }

    fn answers(&self) -> usize {
        self.said(|reply| matches!(reply, Reply::BestMove { .. }))
    }

    /// Number of answers to a `stop` that had nothing to stop.
    fn refusals(&self) -> usize {
        self.said(|reply| matches!(reply, Reply::NoBestMove))
    }

    fn is_idle(&self) -> bool {
        self.controller.as_ref().is_some_and(|controller| matches!(controller.phase, Phase::Idle))
    }

    /// Whether all workers that still search have been stopped.
    fn leaves_nobody_searching(&self) -> bool {
        self.puppets.0.lock().unwrap().iter().flatten().all(|search| search.stop.is_raised())
    }
}

/// A move and its expected reply.
const LINE: [&str; 2] = ["h2e2", "h9g7"];

/// Model of when the answer is due, from the events alone.
struct Expectation {
    scene: Scene,
    workers: usize,
    searching: usize,
    pondering: bool,
    /// Whether the command that an endless search waits for has come.
    released: bool,
    /// Whether the workers have been stopped.
    told: bool,
    answered: bool,
    /// Number of commands to an engine that had already answered.
    refusals: usize,
    heard_all: bool,
    /// Whether the end of input came when the search was as good as over, and waits until it is.
    end_waits: bool,
    /// Whether some worker has a result.
    found: bool,
    /// Whether worker 0 still searches.
    reporting: bool,
}

impl Expectation {
    fn new(scene: Scene, workers: usize) -> Self {
        Self {
            scene,
            workers,
            searching: workers,
            pondering: scene.ponder,
            released: false,
            told: false,
            answered: false,
            refusals: 0,
            heard_all: false,
            end_waits: false,
            found: false,
            reporting: true,
        }
    }

    /// Whether an alarm is set: for the end of the search, or for that of more workers than processors.
    fn is_timed(&self) -> bool {
        let ends = self.released && !self.end_waits || self.scene.kind == Kind::Depth;
        self.scene.kind == Kind::Timed || self.told && ends && outnumber_processors(self.workers)
    }

    fn follow(&mut self, happening: Happening) {
        let mut patience_is_over = false;
        match happening {
            Stop | Hit if self.heard_all => {}
            Stop if self.answered => self.refusals += usize::from(self.scene.dialect == Dialect::Ucci),
            Stop => (self.released, self.told, self.pondering) = (true, true, false),
            Hit if self.pondering && !self.answered => (self.released, self.pondering) = (true, false),
            Hit => {}
            EndOfInput => {
                let goes_on = !self.pondering && self.scene.kind != Kind::Infinite;
                self.heard_all = true;
                self.end_waits = self.told && !self.released && !self.pondering;
                (self.released, self.told, self.pondering) = (true, self.told || !goes_on, false);
            }
            Time if self.is_timed() && !self.pondering => {
                patience_is_over = self.told;
                self.told = true;
            }
            Report => self.found |= self.reporting,
            Time | GoOn | IsReady | Quit | Interruption => {}
            End(worker) => {
                self.searching -= 1;
                self.found = true;
                self.told |= worker == 0;
                self.reporting &= worker != 0;
            }
            Death(worker) => {
                self.searching -= 1;
                self.told = true;
                self.reporting &= worker != 0;
            }
        }
        let found = self.found && self.scene.dialect == Dialect::Ucci && self.scene.mate;
        let ends = self.released || self.scene.kind != Kind::Infinite || found;
        self.answered |= !self.pondering && (self.searching == 0 && ends || patience_is_over);
    }
}

/// Returns all orders of these events, each once.
fn orders(happenings: &[Happening]) -> Vec<Vec<Happening>> {
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
    stage.ear.0.borrow_mut().clear();
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
fn whenever_the_engine_is_told_to_end_it_leaves_nobody_searching() {
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
                assert_eq!(stage.ear.0.borrow().last(), Some(&Reply::Bye));
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
            assert_eq!(stage.answers(), answers, "nobody has ended yet");
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
