//! The state machine: one queue of events in, replies out. It alone starts and stops searches.

mod answering;
mod echo;
mod hurry;
mod musing;
mod opening;
mod person;
mod probing;
mod reports;
mod settings;

pub use person::Scene;

use std::collections::VecDeque;
use std::io;
use std::mem;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crossbeam::channel::{Receiver, Sender, unbounded};

use super::etiquette::Etiquette;
use super::event::{Command, Dialect, Event, Fault, Go, Reply, View, Voice};
use super::game::{Game, GameError};
use super::ongoing::{Choice, Ongoing};
use super::options::Options;
use super::preferences::{Luck, counted, preferences};
use super::resources::Resources;
use crate::board::{FenError, Move, Position};
use crate::search::{Limits, NodeCounters, Preferences, SearchContext, SearchId, StopFlag, static_value};
use crate::table::TableError;
use crate::time::{Budget, Circumstances, TimeManager, Timekeeper};

/// Where replies go, and what the controller cannot do itself.
pub trait Surroundings {
    /// Passes a reply on to the user.
    fn say(&mut self, reply: &Reply, voice: &Voice);

    /// Whether the last reply has reached the user: one who hears nothing and says nothing is gone.
    fn hears(&self) -> bool {
        true
    }

    /// Writes the log to this file from now on, or to none.
    ///
    /// # Errors
    /// If the file cannot be opened; the log goes on as before.
    fn log_to(&mut self, file: Option<&Path>) -> io::Result<()>;

    /// Shows a person what he wants to see. Programs never ask.
    fn show(&mut self, _view: View, _scene: &Scene) {}
}

/// Why the engine cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The system has no thread for the time manager.
    #[error("no thread for the time manager: {0}")]
    Thread(#[from] io::Error),
    /// There is not even memory for the smallest table.
    #[error(transparent)]
    Memory(#[from] TableError),
}

/// The engine. Give it a thread with [`Controller::run`]. It lives by a clock of its own unless it is given another.
pub struct Controller<S, T = TimeManager> {
    queue: Receiver<Event>,
    /// Input that waits for the end of the search, oldest first.
    waiting: VecDeque<Waiting>,
    phase: Phase,
    game: Game,
    options: Options,
    luck: Luck,
    dialect: Dialect,
    /// Messages from before the handshake, when nothing may be said.
    unsaid: Vec<String>,
    searches: u64,
    etiquette: Etiquette,
    surroundings: S,
    clock: T,
    resources: Resources,
}

/// What the engine is doing. Together with an event it decides what happens next.
#[derive(Debug)]
enum Phase {
    /// Nobody has asked for our protocol yet; nothing may be said.
    Boot,
    /// Waiting for orders.
    Idle,
    /// The answer goes out as soon as the workers have ended.
    Thinking(Ongoing),
    /// On the opponent's time: the answer waits for `ponderhit` or `stop`.
    Pondering(Ongoing),
    /// The workers have ended too early: the answer is known and waits. None: there is no move to play.
    Holding(Option<Choice>),
    /// Nobody has asked for it, see [`musing`]; to the user the engine is idle.
    Musing(Ongoing),
    /// The answer had to go out before all workers had ended; they will soon.
    Unwinding(Ongoing),
}

/// Input that is not due yet.
#[derive(Debug)]
struct Waiting {
    event: Event,
    /// It waits for its turn in batch mode, so its time begins when that comes; otherwise its clock runs already.
    for_its_turn: bool,
}

impl<S: Surroundings> Controller<S> {
    /// An engine in its boot state, and the queue by which it is told everything.
    ///
    /// # Errors
    /// If the system denies the little that is needed at first. Workers and the full table come later, when the user
    /// has had a chance to set their sizes.
    pub fn new(surroundings: S) -> Result<(Self, Sender<Event>), StartError> {
        let (events, queue) = unbounded();
        let alarms = events.clone();
        // An alarm that nobody hears any more is no loss.
        let clock = TimeManager::spawn(move |search| drop(alarms.send(Event::TimeUp(search))))?;
        let controller = Self::assemble(surroundings, clock, &events, queue)?;
        Ok((controller, events))
    }
}

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Like [`Controller::new`] with this clock, whose owner sends [`Event::TimeUp`] when the alarm is due.
    ///
    /// # Errors
    /// If there is no memory for the smallest table.
    pub fn with_clock(surroundings: S, clock: T) -> Result<(Self, Sender<Event>), StartError> {
        let (events, queue) = unbounded();
        let controller = Self::assemble(surroundings, clock, &events, queue)?;
        Ok((controller, events))
    }

    fn assemble(surroundings: S, clock: T, events: &Sender<Event>, queue: Receiver<Event>) -> Result<Self, TableError> {
        let options = Options::default();
        let mut resources = Resources::new(events.clone())?;
        let unsaid = resources.load_book(&options);
        Ok(Self {
            queue,
            waiting: VecDeque::new(),
            phase: Phase::Boot,
            game: Game::default(),
            options,
            luck: Luck::of_new_game(),
            dialect: Dialect::default(),
            unsaid,
            searches: 0,
            etiquette: Etiquette::default(),
            surroundings,
            clock,
            resources,
        })
    }

    /// Obeys until `quit` or the end of input, then joins all threads.
    pub fn run(mut self) {
        tracing::info!(options = ?self.options, "the engine begins");
        while self.step().is_continue() {}
        if let Phase::Thinking(search) | Phase::Pondering(search) | Phase::Musing(search) = &self.phase {
            search.end();
        }
        let voice = self.voice();
        let Self { phase, mut surroundings, clock, resources, .. } = self;
        drop((clock, resources));
        if !matches!(phase, Phase::Boot) {
            surroundings.say(&Reply::Bye, &voice);
        }
    }

    /// Reacts to the next event.
    fn step(&mut self) -> ControlFlow<()> {
        match self.next_event() {
            Event::Command { command, read_at } => return self.obey(command, read_at),
            Event::Rejected(fault) => self.reject(fault),
            Event::EndOfInput => return self.end_input(),
            Event::Interrupted => return ControlFlow::Break(()),
            Event::TimeUp(search) => self.time_is_up(search),
            Event::Iteration(search, iteration) => self.iteration(search, iteration),
            Event::RootMove(id, begun) => self.relay(id, |search, now| search.current_move(begun, now)),
            Event::Refutation(id, refutation) => self.relay(id, |_, _| Some(Reply::Refutation(refutation.line))),
            Event::CurrentLine(id, current) => self.relay(id, |search, now| search.current_line(current, now)),
            Event::ProvenMoves(id, proven) => self.relay(id, |search, _| search.proven_moves(proven)),
            Event::Finished { search, worker, outcome } => self.finished(search, worker, outcome),
            Event::Died(search) => self.died(search),
        }
        ControlFlow::Continue(())
    }

    /// The next event that is due: input may have to wait, workers and clock never.
    fn next_event(&mut self) -> Event {
        loop {
            if !self.input_waits()
                && let Some(Waiting { event, for_its_turn }) = self.waiting.pop_front()
            {
                return if for_its_turn { self.restamped(event) } else { event };
            }
            let event = self.queue.recv().expect("the pool holds a sender");
            let is_input = matches!(event, Event::Command { .. } | Event::Rejected(_) | Event::EndOfInput);
            if !is_input || !self.input_waits() && self.waiting.is_empty() {
                return event;
            }
            self.put_off(event);
        }
    }

    /// Keeps input until it is due.
    fn put_off(&mut self, event: Event) {
        let for_its_turn = self.is_in_batch() || self.waiting.back().is_some_and(|last| last.for_its_turn);
        self.waiting.push_back(Waiting { event, for_its_turn });
    }

    /// A command that has waited is charged from now on.
    fn restamped(&self, event: Event) -> Event {
        match event {
            Event::Command { command, .. } => Event::Command { command, read_at: self.clock.now() },
            event => event,
        }
    }

    /// In batch mode input waits for the end of a search, unless only input can end it. A search that has been told to
    /// stop is as good as over: what comes behind `stop` is meant for the time after it.
    fn input_waits(&self) -> bool {
        match &self.phase {
            Phase::Thinking(search) => search.is_ending() || self.is_in_batch(),
            Phase::Unwinding(_) => true,
            Phase::Boot | Phase::Idle | Phase::Pondering(_) | Phase::Holding(_) | Phase::Musing(_) => false,
        }
    }

    /// Whether a search is under way that lets input wait until it has come to its own end.
    fn is_in_batch(&self) -> bool {
        matches!(&self.phase, Phase::Thinking(search) if self.options.batch && search.is_bounded())
    }

    /// What each command does in each phase; what is not listed is ignored.
    fn obey(&mut self, command: Command, read_at: Instant) -> ControlFlow<()> {
        self.echo(&command);
        let phase = mem::replace(&mut self.phase, Phase::Idle);
        let phase = self.disturb(phase, &command);
        self.phase = match (phase, command) {
            (phase, Command::Quit) => {
                self.phase = phase;
                return ControlFlow::Break(());
            }
            (phase @ (Phase::Boot | Phase::Idle), Command::Handshake(dialect)) => {
                self.dialect = dialect;
                self.game.ranks_mut().forget_what_was_shown();
                self.expect_ranks();
                self.introduce(&phase)
            }
            (Phase::Boot, Command::SetOption { name, value }) => {
                let messages = self.set_option(&name, &value);
                self.unsaid.extend(messages);
                Phase::Boot
            }
            (Phase::Idle, Command::SetOption { name, value }) => {
                let messages = self.set_option(&name, &value);
                messages.into_iter().for_each(|message| self.message(message));
                Phase::Idle
            }
            (Phase::Idle, Command::IsReady) => {
                self.prepare();
                self.resources.warm_up(&self.options);
                self.say(&Reply::Ready);
                Phase::Idle
            }
            (phase, Command::IsReady) => {
                self.say(&Reply::Ready);
                phase
            }
            (Phase::Musing(search), Command::Go(go)) => self.go_after_musing(search, &go, read_at),
            (phase @ (Phase::Idle | Phase::Musing(_)), Command::Position(text)) => {
                self.prepare();
                match self.game.set(&text, self.options.variant) {
                    Ok(()) => {}
                    Err(GameError::Start(fault)) => self.message(bad_position(&fault)),
                    Err(GameError::Move(error)) => self.message(error.to_string()),
                }
                match phase {
                    Phase::Musing(search) => self.goes_on_musing(search),
                    phase => phase,
                }
            }
            (Phase::Idle, Command::DoMove(mv)) => {
                if let Err(error) = self.game.play(mv) {
                    self.message(error.to_string());
                }
                Phase::Idle
            }
            (Phase::Idle, Command::BanMoves(moves)) => {
                self.game.ban(&moves);
                Phase::Idle
            }
            (Phase::Idle, Command::Go(go)) => self.go(&go, read_at),
            // UCCI: someone waits for an answer that has been given already, or was never asked for.
            (Phase::Idle, Command::Stop) if self.dialect == Dialect::Ucci => self.answer(None),
            (Phase::Thinking(search) | Phase::Pondering(search), Command::Stop) => {
                self.end(&search, read_at);
                Phase::Thinking(search)
            }
            (Phase::Holding(choice), Command::Stop) => self.answer(choice),
            (Phase::Pondering(search), Command::PonderHit { draw }) => self.hit(search, read_at, draw),
            (Phase::Holding(choice), Command::PonderHit { draw }) => {
                self.answer(choice.map(|choice| choice.with_offer(draw)))
            }
            (
                phase @ (Phase::Idle | Phase::Musing(_) | Phase::Thinking(_) | Phase::Pondering(_) | Phase::Holding(_)),
                Command::Probe(text),
            ) => {
                self.probe(&text);
                phase
            }
            (Phase::Idle, Command::Show(view)) => self.show(view),
            (Phase::Idle, Command::Flip) => self.flip(),
            (phase, _) => {
                if self.options.debug && !matches!(phase, Phase::Boot) {
                    self.message("ignored in this state".to_owned());
                }
                phase
            }
        };
        ControlFlow::Continue(())
    }

    /// There is nobody left to say `stop`: what would wait for it ends now, what ends by itself may do so for as long as
    /// somebody hears its reports.
    fn end_input(&mut self) -> ControlFlow<()> {
        match &self.phase {
            Phase::Thinking(search) if search.is_bounded() => {}
            Phase::Thinking(search) | Phase::Pondering(search) => search.end(),
            Phase::Boot | Phase::Idle | Phase::Holding(_) | Phase::Unwinding(_) | Phase::Musing(_) => {}
        }
        while matches!(self.phase, Phase::Thinking(_) | Phase::Pondering(_) | Phase::Unwinding(_)) {
            self.step()?;
            if let Phase::Thinking(search) = &self.phase
                && !self.surroundings.hears()
            {
                search.end();
            }
        }
        if let Phase::Holding(choice) = &mut self.phase {
            let choice = choice.take();
            self.phase = self.answer(choice);
        }
        ControlFlow::Break(())
    }

    fn reject(&mut self, fault: Fault) {
        let text = match (&self.phase, fault) {
            (Phase::Boot, Fault::BadArgument(text)) => return self.unsaid.push(text),
            (Phase::Boot, Fault::BadPosition(_) | Fault::NotUnderstood(_)) => return,
            (Phase::Idle | Phase::Musing(_), Fault::BadPosition(text)) => {
                self.game.forget();
                text
            }
            // A position given during a search is ignored, a bad one too.
            (_, Fault::BadPosition(_)) => return,
            (_, Fault::BadArgument(text)) => text,
            (_, Fault::NotUnderstood(text)) if self.options.debug => text,
            (_, Fault::NotUnderstood(_)) => return,
        };
        self.message(text);
    }

    fn go(&mut self, go: &Go, read_at: Instant) -> Phase {
        self.prepare();
        let root_moves = self.game.root_moves(&go.search_moves, &self.options.rules());
        match self.game.position() {
            Some(position) if go.limits.depth == Some(0) && self.dialect == Dialect::Ucci => {
                let value = static_value(position, &self.preferences());
                self.say(&Reply::StaticValue(value));
                self.answer(None)
            }
            Some(position) if !root_moves.is_empty() && self.resources.workers() > 0 => {
                let budget = self.budget(go, position, root_moves.len());
                // Asking the book takes no time, so it comes before the hurry.
                if let Some(choice) = self.answer_from_book(go, &root_moves).filter(|_| !go.ponder) {
                    return self.answer(Some(choice));
                }
                if let Some(budget) = budget.as_ref().filter(|budget| budget.is_at_once() && !go.ponder) {
                    return self.answer_at_once(go, root_moves, budget.clone(), read_at);
                }
                let history = self.game.history().to_vec();
                let counted = counted(&self.options, go.limits, budget.as_ref());
                let mut search = self.start(counted.unwrap_or(go.limits), history, root_moves);
                search.ask(budget, read_at, go.draw);
                if counted.is_some() {
                    search.count_nodes();
                }
                if go.ponder {
                    return Phase::Pondering(search);
                }
                self.start_clock(&search);
                Phase::Thinking(search)
            }
            _ => self.nothing_to_choose(go),
        }
    }

    fn budget(&self, go: &Go, position: &Position, choices: usize) -> Option<Budget> {
        let clock = go.clock_of(position.side())?.to_time(&self.options);
        let Options { overhead, ponder, forced_at_once, .. } = self.options;
        let circumstances = Circumstances { overhead, ponder, move_number: position.move_number() };
        let budget = if choices == 1 && forced_at_once { Budget::at_once } else { Budget::new };
        Some(budget(&clock, &circumstances))
    }

    /// Puts the workers to work on the last position of `history`.
    fn start(&mut self, limits: Limits, history: Vec<Position>, root_moves: Vec<Move>) -> Ongoing {
        let context = Arc::new(self.context(self.resources.workers(), limits, history, root_moves));
        tracing::debug!(search = self.searches, ?limits, "the search begins");
        self.resources.start(&context);
        Ongoing::new(context, self.clock.now())
    }

    /// The next search of the game.
    fn context(
        &mut self,
        workers: usize,
        limits: Limits,
        history: Vec<Position>,
        root_moves: Vec<Move>,
    ) -> SearchContext {
        self.resources.advance_age();
        self.searches += 1;
        let id = SearchId(self.searches);
        let attendant = self.resources.attendant(id, workers, &self.options);
        SearchContext {
            id,
            table: Arc::clone(self.resources.table()),
            stop: StopFlag::default(),
            limits,
            counters: NodeCounters::new(workers),
            history,
            root_moves,
            rules: self.options.rules(),
            preferences: Preferences { attendant: Some(attendant), ..self.preferences() },
        }
    }

    /// What the options mean to the next search.
    fn preferences(&self) -> Preferences {
        preferences(&self.options, self.luck.seed(&self.options))
    }

    fn start_clock(&self, search: &Ongoing) {
        if let Some(deadline) = search.deadline() {
            self.clock.arm(search.id(), deadline);
        }
    }

    /// The expected move was played: thinking goes on, now on our own time.
    fn hit(&mut self, mut search: Ongoing, now: Instant, draw_offered: bool) -> Phase {
        search.hit(now, draw_offered);
        if search.has_thought_enough(now) {
            self.end(&search, now);
        } else {
            self.start_clock(&search);
        }
        Phase::Thinking(search)
    }

    /// Tells the workers to stop, and sets how long they are waited for: one that gets no turn from the system may come
    /// too late.
    fn end(&self, search: &Ongoing, now: Instant) {
        search.end();
        if let Some(patience) = search.patience() {
            self.clock.arm(search.id(), now + patience);
        }
    }

    fn time_is_up(&mut self, id: SearchId) {
        self.phase = match mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Thinking(search) if search.id() == id && search.is_ending() => self.answer_early(search),
            Phase::Thinking(search) if search.id() == id => {
                self.end(&search, self.clock.now());
                Phase::Thinking(search)
            }
            // The alarm of a search that has ended by itself.
            phase => phase,
        };
    }

    /// Answers with what is known; the workers are still on their way out.
    fn answer_early(&mut self, search: Ongoing) -> Phase {
        tracing::debug!(search = ?search.id(), "answered without waiting for the workers");
        let choice = self.choose(&search);
        self.say_move(&choice);
        Phase::Unwinding(search)
    }

    fn message(&mut self, text: String) {
        self.say(&Reply::Message(text));
    }

    fn say(&mut self, reply: &Reply) {
        let voice = self.voice();
        self.surroundings.say(reply, &voice);
    }

    fn voice(&self) -> Voice {
        Voice { dialect: self.dialect, base: self.game.rank_base() }
    }
}

/// In the words in which a protocol refuses a position.
fn bad_position(fault: &FenError) -> String {
    format!("bad position: {fault}")
}
