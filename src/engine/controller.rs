//! The state machine: one queue of events in, replies out. It alone starts and stops searches.

mod alone;
mod answering;
mod echo;
mod ending;
mod hurry;
mod musing;
mod opening;
// More than eighty thousand orders are too many for an interpreter, and nothing in them is shared between threads.
#[cfg(all(test, not(miri)))]
mod orders;
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
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use super::crew::Crew;
use super::etiquette::Etiquette;
use super::event::{Command, Dialect, Event, Fault, Go, Reply, View, Voice};
use super::game::{Game, GameError};
use super::ongoing::{Choice, Ongoing};
use super::options::Options;
use super::plan::{Luck, Occasion, counted, plan};
use super::resources::Resources;
use crate::board::{FenError, Move, Position, Side};
use crate::search::{Limits, NodeCounters, Plan, SearchContext, SearchId, StopFlag, static_value};
use crate::table::TableError;
use crate::time::{AlarmClock, Budget, Circumstances, Lateness, TimeManager, Timekeeper};

/// Where replies go, and what the controller cannot do itself.
pub trait Surroundings {
    /// Passes a reply on to the user.
    fn say(&mut self, reply: &Reply, voice: &Voice);

    /// Whether the last reply has reached the user: one who hears nothing and says nothing is gone.
    fn hears(&self) -> bool {
        true
    }

    /// Whether the user may take all the time he wants to read: one who has piped a batch in (option `batch`) looks at
    /// the answers later.
    fn leave_time(&mut self, _to_read: bool) {}

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
    /// Nobody is left to say anything: what is under way is the last thing to be done.
    input_has_ended: bool,
    phase: Phase,
    /// Searches that are over and done with, but for workers on their way out of them.
    departing: Vec<Ongoing>,
    game: Game,
    options: Options,
    luck: Luck,
    dialect: Dialect,
    /// Messages from before the handshake, when nothing may be said.
    unsaid: Vec<String>,
    searches: u64,
    etiquette: Etiquette,
    /// Of the answers to `go`.
    lateness: Lateness,
    surroundings: S,
    clock: AlarmClock<T>,
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
    /// The workers have ended too early: the answer is known and waits for `stop`, or for `ponderhit` as well.
    Holding {
        /// None: there is no move to play.
        choice: Option<Choice>,
        pondering: bool,
    },
    /// Nobody has asked for it, see [`musing`]; to the user the engine is idle.
    Musing(Ongoing),
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
        let (events, queue) = channel();
        let alarms = events.clone();
        // An alarm that nobody hears any more is no loss.
        let clock = TimeManager::spawn(move |alarm| drop(alarms.send(Event::TimeUp(alarm))))?;
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
        let (events, queue) = channel();
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
            input_has_ended: false,
            phase: Phase::Boot,
            departing: Vec::new(),
            game: Game::default(),
            options,
            luck: Luck::of_new_game(),
            dialect: Dialect::default(),
            unsaid,
            searches: 0,
            etiquette: Etiquette::default(),
            lateness: Lateness::default(),
            surroundings,
            clock: AlarmClock::new(clock),
            resources,
        })
    }

    /// With others in the place of the workers, who may still serve them: for tests.
    #[must_use]
    pub fn with_crew(self, others: impl FnOnce(Box<dyn Crew>) -> Box<dyn Crew>) -> Self {
        Self { resources: self.resources.replace_crew(others), ..self }
    }

    /// Obeys until `quit` or the end of input, then joins all threads.
    pub fn run(mut self) {
        tracing::info!(options = ?self.options, "the engine begins");
        loop {
            let event = self.next_event();
            if self.hear(event).is_break() {
                return self.take_leave();
            }
        }
    }

    fn take_leave(self) {
        let voice = self.voice();
        let Self { phase, departing, mut surroundings, clock, resources, .. } = self;
        let was_spoken_to = !matches!(phase, Phase::Boot);
        // First the search under way, so that its workers can be joined.
        drop((phase, departing));
        drop((clock, resources));
        if was_spoken_to {
            surroundings.say(&Reply::Bye, &voice);
        }
    }

    /// Reacts to an event that is due.
    fn hear(&mut self, event: Event) -> ControlFlow<()> {
        self.react(event)?;
        if self.input_has_ended { self.bring_to_an_end() } else { ControlFlow::Continue(()) }
    }

    fn react(&mut self, event: Event) -> ControlFlow<()> {
        match event {
            Event::Command { command, read_at } => return self.obey(command, read_at),
            Event::Rejected(fault) => self.reject(fault),
            Event::EndOfInput => self.end_input(),
            Event::Interrupted => return ControlFlow::Break(()),
            Event::TimeUp(alarm) => self.time_is_up(alarm),
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
            if let Some(event) = self.next_waiting() {
                return event;
            }
            let event = self.clock.wait(&self.queue, Event::TimeUp).expect("the resources hold a sender");
            if let Some(event) = self.unless_early(event) {
                return event;
            }
        }
    }

    /// The input that has waited longest, if it is due.
    fn next_waiting(&mut self) -> Option<Event> {
        if self.input_waits() || self.waits_for_workers(&self.waiting.front()?.event) {
            return None;
        }
        let Waiting { event, for_its_turn } = self.waiting.pop_front()?;
        Some(if for_its_turn { self.restamped(event) } else { event })
    }

    /// Passes an event on if it is due, and keeps it otherwise.
    fn unless_early(&mut self, event: Event) -> Option<Event> {
        let is_input = matches!(event, Event::Command { .. } | Event::Rejected(_) | Event::EndOfInput);
        let is_due = !self.input_waits() || self.is_meant_for_the_search(&event);
        if !is_input || is_due && self.waiting.is_empty() && !self.waits_for_workers(&event) {
            return Some(event);
        }
        self.put_off(event);
        None
    }

    /// Words that cross the end of the search are meant for it: a `stop` among them is not to be answered by itself.
    fn is_meant_for_the_search(&self, event: &Event) -> bool {
        let is_word = matches!(event, Event::Command { command: Command::Stop | Command::PonderHit { .. }, .. });
        is_word && !self.is_in_batch() && matches!(self.phase, Phase::Thinking(_))
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
            Phase::Boot | Phase::Idle | Phase::Pondering(_) | Phase::Holding { .. } | Phase::Musing(_) => false,
        }
    }

    /// Whether a search is under way that lets input wait until it has come to its own end.
    fn is_in_batch(&self) -> bool {
        matches!(&self.phase, Phase::Thinking(search) if self.options.batch && search.is_bounded())
    }

    /// What each command does in each phase; what is not listed is ignored.
    fn obey(&mut self, command: Command, read_at: Instant) -> ControlFlow<()> {
        if self.disturbs_musing(&command) {
            self.waiting.push_front(Waiting { event: Event::Command { command, read_at }, for_its_turn: false });
            return ControlFlow::Continue(());
        }
        self.echo(&command);
        self.phase = match (mem::replace(&mut self.phase, Phase::Idle), command) {
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
            (Phase::Musing(search), Command::Go(go)) => self.adopt(search, &go, read_at),
            (phase @ (Phase::Idle | Phase::Musing(_)), Command::Position(text)) => {
                self.prepare();
                match self.game.set(&text, self.options.variant) {
                    Ok(()) => {}
                    Err(GameError::Start(fault)) => self.message(bad_position(&fault)),
                    Err(GameError::Move(error)) => self.message(error.to_string()),
                }
                match phase {
                    Phase::Musing(search) => self.go_on_musing(search),
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
            (Phase::Thinking(search) | Phase::Pondering(search), Command::Stop) => self.stop(search, read_at),
            (Phase::Holding { choice, .. }, Command::Stop) => self.answer(choice),
            (Phase::Pondering(search), Command::PonderHit { draw }) => self.hit(search, read_at, draw),
            (Phase::Holding { choice, pondering: true }, Command::PonderHit { draw }) => {
                self.answer(choice.map(|choice| choice.with_offer(draw)))
            }
            (
                phase @ (Phase::Idle
                | Phase::Musing(_)
                | Phase::Thinking(_)
                | Phase::Pondering(_)
                | Phase::Holding { .. }),
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
    fn end_input(&mut self) {
        self.input_has_ended = true;
        let now = self.clock.now();
        self.phase = match mem::replace(&mut self.phase, Phase::Idle) {
            Phase::Pondering(search) => self.stop(search, now),
            Phase::Thinking(search) if !search.is_bounded() => self.stop(search, now),
            Phase::Holding { choice, .. } => self.answer(choice),
            phase => phase,
        };
    }

    /// After the end of input: goes on as long as there is an answer to give.
    fn bring_to_an_end(&mut self) -> ControlFlow<()> {
        match &mut self.phase {
            Phase::Thinking(search) => {
                if !self.surroundings.hears() {
                    search.end();
                }
                ControlFlow::Continue(())
            }
            Phase::Boot | Phase::Idle | Phase::Pondering(_) | Phase::Holding { .. } | Phase::Musing(_) => {
                ControlFlow::Break(())
            }
        }
    }

    fn reject(&mut self, fault: Fault) {
        let text = match (&self.phase, fault) {
            (Phase::Boot, Fault::BadArgument(text)) => return self.unsaid.push(text),
            (Phase::Boot, Fault::BadPosition(_) | Fault::BadProbe(_) | Fault::NotUnderstood(_)) => return,
            (_, Fault::BadProbe(why)) => return self.nothing_to_probe(&why),
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
                let value = static_value(position, &self.plan(position.side(), &go.limits));
                self.say(&Reply::StaticValue(value));
                if go.ponder { Phase::Holding { choice: None, pondering: true } } else { self.answer(None) }
            }
            Some(position) if !root_moves.is_empty() => {
                let budget = self.budget(go, position, root_moves.len());
                // Asking the book takes no time, so it comes before the hurry.
                if let Some(choice) = self.answer_from_book(go, &root_moves).filter(|_| !go.ponder) {
                    return self.answer(Some(choice));
                }
                if let Some(budget) = budget.as_ref().filter(|budget| budget.is_at_once() && !go.ponder) {
                    return self.answer_at_once(go, root_moves, budget.clone(), read_at);
                }
                if self.resources.workers() == 0 {
                    return self.go_alone(go, root_moves, budget, read_at);
                }
                let history = self.game.history().to_vec();
                let counted = counted(&self.options, go.limits, budget.as_ref());
                let mut search = self.search(counted.unwrap_or(go.limits), history, root_moves);
                search.ask(budget, read_at, go.draw);
                search.begin_late(self.heard_late(read_at));
                if counted.is_some() {
                    search.count_nodes();
                }
                // Before the workers are woken, who may keep us from the processor.
                if !go.ponder {
                    self.start_clock(&search);
                }
                self.resources.start(search.context());
                if go.ponder { Phase::Pondering(search) } else { Phase::Thinking(search) }
            }
            _ => self.nothing_to_choose(go),
        }
    }

    fn budget(&self, go: &Go, position: &Position, choices: usize) -> Option<Budget> {
        let clock = go.clock_of(position.side())?.to_time(&self.options);
        let Options { overhead, ponder, forced_at_once, .. } = self.options;
        let lateness = self.lateness.expected();
        let circumstances = Circumstances { overhead, lateness, ponder, move_number: position.move_number() };
        let budget = if choices == 1 && forced_at_once { Budget::at_once } else { Budget::new };
        Some(budget(&clock, &circumstances))
    }

    /// A search of the last position of `history` for all workers, who do not know of it yet.
    fn search(&mut self, limits: Limits, history: Vec<Position>, root_moves: Vec<Move>) -> Ongoing {
        let context = Arc::new(self.context(self.resources.workers(), limits, history, root_moves));
        tracing::debug!(search = self.searches, ?limits, "the search begins");
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
        let plan = self.plan(history.last().map_or(Side::Red, Position::side), &limits);
        SearchContext {
            id,
            table: Arc::clone(self.resources.table()),
            stop: StopFlag::default(),
            limits,
            counters: NodeCounters::new(workers),
            history,
            root_moves,
            rules: self.options.rules(),
            plan,
            attendant: Some(attendant),
        }
    }

    /// What the options mean to a search with these limits at whose root `mover` is to move.
    fn plan(&self, mover: Side, limits: &Limits) -> Plan {
        let network = self.resources.network();
        plan(&self.options, &Occasion { mover, wants_mate: limits.mate.is_some(), luck: self.luck, network })
    }

    fn start_clock(&mut self, search: &Ongoing) {
        if let Some(deadline) = search.deadline() {
            self.clock.arm(&search.context().stop, deadline);
        }
    }

    /// The answer is wanted at once.
    fn stop(&mut self, mut search: Ongoing, now: Instant) -> Phase {
        search.release();
        self.end(search, now)
    }

    /// The expected move was played: thinking goes on, now on our own time, unless it has come to its end already.
    fn hit(&mut self, mut search: Ongoing, now: Instant, draw_offered: bool) -> Phase {
        search.release();
        search.hit(now, draw_offered);
        self.think_on(search, now)
    }

    /// The clock of a search that has been under way for a while runs from now on.
    fn think_on(&mut self, search: Ongoing, now: Instant) -> Phase {
        if search.is_ending() || search.has_thought_enough(now) {
            return self.end(search, now);
        }
        self.start_clock(&search);
        Phase::Thinking(search)
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
