//! Model of the answers to `go`, and puppets in place of workers, clock and front end.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::board::{Move, Position};
use crate::engine::controller::phase::Phase;
use crate::engine::controller::{Controller, FrontEnd};
use crate::engine::event::{
    AlarmId, Bound, Clock, ClockMode, ClockUnit, Command, Dialect, Event, GameText, Go, Iteration, Limits, Outcome,
    OutputFormat, Reached, Reply,
};
use crate::engine::workers::{Workers, outnumber_processors};
use crate::score::Score;
use crate::search::SearchContext;
use crate::smp::shared::StopFlag;
use crate::smp::time::Timekeeper;

/// An event of an interleaving.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Happening {
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
pub(super) struct Scene {
    pub(super) dialect: Dialect,
    pub(super) kind: Kind,
    pub(super) ponder: bool,
    /// Whether the workers find a mate.
    pub(super) mate: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Depth,
    Infinite,
    Timed,
}

impl Scene {
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let pairs = || [false, true].into_iter();
        let dialects = [Dialect::Ucci, Dialect::Uci].into_iter();
        dialects.flat_map(move |dialect| {
            [Kind::Depth, Kind::Infinite, Kind::Timed].into_iter().flat_map(move |kind| {
                pairs().flat_map(move |ponder| pairs().map(move |mate| Self { dialect, kind, ponder, mate }))
            })
        })
    }

    pub(super) fn go(self) -> Go {
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
pub(super) struct Puppets(pub(super) Arc<Mutex<Vec<VecDeque<Arc<SearchContext>>>>>);

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
pub(super) struct Dial(Rc<RefCell<Face>>);

pub(super) struct Face {
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

/// Records the replies, without progress reports, and the beginnings and ends of work during which no event is handled.
#[derive(Clone, Default)]
pub(super) struct Ear {
    pub(super) replies: Rc<RefCell<Vec<Reply>>>,
    pub(super) busy: Rc<RefCell<Vec<bool>>>,
}

impl FrontEnd for Ear {
    fn send(&mut self, reply: &Reply, _: &OutputFormat) {
        let is_heard = matches!(reply, Reply::BestMove { .. } | Reply::NoBestMove | Reply::StaticValue(_) | Reply::Bye);
        if is_heard || *reply == Reply::Ready {
            self.replies.borrow_mut().push(reply.clone());
        }
    }

    fn log_to(&mut self, _: Option<&Path>) -> io::Result<()> {
        Ok(())
    }

    fn set_busy(&mut self, is_busy: bool) {
        self.busy.borrow_mut().push(is_busy);
    }
}

/// An engine with everything that drives it.
pub(super) struct Stage {
    /// `None` once the engine has ended.
    pub(super) controller: Option<Controller<Ear, Dial>>,
    pub(super) puppets: Puppets,
    dial: Dial,
    pub(super) ear: Ear,
    pub(super) scene: Scene,
}

impl Stage {
    pub(super) fn new(scene: Scene, workers: usize) -> Self {
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

    pub(super) fn set(&mut self, name: &str, value: &str) {
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

    pub(super) fn command(&mut self, command: Command) {
        self.event(Event::Command { command, read_at: self.dial.now() });
    }

    pub(super) fn play(&mut self, happening: Happening) {
        match happening {
            Stop => self.command(Command::Stop),
            Hit => self.command(Command::PonderHit { draw: false }),
            GoOn => {
                let moves = LINE.map(|mv| mv.parse().unwrap()).to_vec();
                self.command(Command::Position(GameText { start: Position::start(), moves, rank_hint: None }));
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
                    let (pv_index, bound, best_move_permille) = (1, Bound::Exact, 500);
                    let iteration =
                        Iteration { pv_index, depth, selective_depth, score, bound, pv, nodes, best_move_permille };
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

    pub(super) fn said(&self, is_it: fn(&Reply) -> bool) -> usize {
        self.ear.replies.borrow().iter().filter(|reply| is_it(reply)).count()
    }

    pub(super) fn answers(&self) -> usize {
        self.said(|reply| matches!(reply, Reply::BestMove { .. }))
    }

    /// Number of answers to a `stop` that had nothing to stop.
    pub(super) fn refusals(&self) -> usize {
        self.said(|reply| matches!(reply, Reply::NoBestMove))
    }

    pub(super) fn is_idle(&self) -> bool {
        self.controller.as_ref().is_some_and(|controller| matches!(controller.phase, Phase::Idle))
    }

    /// Whether all workers that still search have been stopped.
    pub(super) fn leaves_nobody_searching(&self) -> bool {
        self.puppets.0.lock().unwrap().iter().flatten().all(|search| search.stop.is_raised())
    }
}

/// A move and its expected reply.
pub(super) const LINE: [&str; 2] = ["h2e2", "h9g7"];

/// Model of when the answer is due, from the events alone.
pub(super) struct Expectation {
    scene: Scene,
    workers: usize,
    searching: usize,
    pondering: bool,
    /// Whether the command that an endless search waits for has come.
    released: bool,
    /// Whether the workers have been stopped.
    stop_raised: bool,
    pub(super) answered: bool,
    /// Number of commands to an engine that had already answered.
    pub(super) refusals: usize,
    pub(super) heard_all: bool,
    /// Whether the end of input came when the search was as good as over, and waits until it is.
    end_waits: bool,
    /// Whether some worker has a result.
    found: bool,
    /// Whether worker 0 still searches.
    reporting: bool,
}

impl Expectation {
    pub(super) fn new(scene: Scene, workers: usize) -> Self {
        Self {
            scene,
            workers,
            searching: workers,
            pondering: scene.ponder,
            released: false,
            stop_raised: false,
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
        self.scene.kind == Kind::Timed || self.stop_raised && ends && outnumber_processors(self.workers)
    }

    pub(super) fn follow(&mut self, happening: Happening) {
        let mut patience_is_over = false;
        match happening {
            Stop | Hit if self.heard_all => {}
            Stop if self.answered => self.refusals += usize::from(self.scene.dialect == Dialect::Ucci),
            Stop => (self.released, self.stop_raised, self.pondering) = (true, true, false),
            Hit if self.pondering && !self.answered => (self.released, self.pondering) = (true, false),
            Hit => {}
            EndOfInput => {
                let goes_on = !self.pondering && self.scene.kind != Kind::Infinite;
                self.heard_all = true;
                self.end_waits = self.stop_raised && !self.released && !self.pondering;
                (self.released, self.stop_raised, self.pondering) = (true, self.stop_raised || !goes_on, false);
            }
            Time if self.is_timed() && !self.pondering => {
                patience_is_over = self.stop_raised;
                self.stop_raised = true;
            }
            Report => self.found |= self.reporting,
            Time | GoOn | IsReady | Quit | Interruption => {}
            End(worker) => {
                self.searching -= 1;
                self.found = true;
                self.stop_raised |= worker == 0;
                self.reporting &= worker != 0;
            }
            Death(worker) => {
                self.searching -= 1;
                self.stop_raised = true;
                self.reporting &= worker != 0;
            }
        }
        let found = self.found && self.scene.dialect == Dialect::Ucci && self.scene.mate;
        let ends = self.released || self.scene.kind != Kind::Infinite || found;
        self.answered |= !self.pondering && (self.searching == 0 && ends || patience_is_over);
    }
}
