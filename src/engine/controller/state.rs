//! State of the controller: what it owns, how it begins and ends, and its output.

use std::collections::VecDeque;
use std::io;
use std::mem;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use super::backlog::Backlog;
use super::phase::{Phase, Playing};
use crate::board::{Position, RankBase, Side};
use crate::engine::crew::Crew;
use crate::engine::etiquette::Etiquette;
use crate::engine::event::{Command, Dialect, Event, Reply, View, Voice};
use crate::engine::game::Game;
use crate::engine::ongoing::Ongoing;
use crate::engine::options::Options;
use crate::engine::plan::Luck;
use crate::engine::resources::Resources;
use crate::eval::nnue::Network;
use crate::rules::Rules;
use crate::smp::table::TableError;
use crate::smp::time::{AlarmClock, Lateness, TimeManager, Timekeeper};
use crate::smp::turns;

/// Context of a view: the game and the settings that it shows.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The game so far, oldest position first; empty if the last one given was wrong.
    pub history: &'a [Position],
    /// The engine's side in a game against the user.
    pub opponent: Option<Side>,
    /// The protocol in whose units values are shown.
    pub dialect: Dialect,
    /// Rank base of the moves.
    pub base: RankBase,
    /// The rules in force.
    pub rules: &'a Rules,
    /// The network that evaluates positions, if one does.
    pub network: Option<&'a Arc<Network>>,
}

/// Front end: receives the replies, and does what the controller cannot do itself.
pub trait Surroundings {
    /// Sends a reply to the user.
    fn say(&mut self, reply: &Reply, voice: &Voice);

    /// Sends replies to the user, in one piece where that is possible: a client that reads the first one may take the processor
    /// before the last is written.
    fn say_together(&mut self, replies: &[Reply], voice: &Voice) {
        replies.iter().for_each(|reply| self.say(reply, voice));
    }

    /// Whether the last reply has reached the user: a client that neither reads nor writes is gone.
    fn hears(&self) -> bool {
        true
    }

    /// Sets whether the user may take time to read: the answers to a batch (option `batch`) are read later.
    fn leave_time(&mut self, _to_read: bool) {}

    /// Marks the start or the end of long work: no event is handled meanwhile, and a user who leaves does not need it.
    fn at_work(&mut self, _is_at_work: bool) {}

    /// Directs the log to this file from now on, or to none.
    ///
    /// # Errors
    /// If the file cannot be opened; the log goes on as before.
    fn log_to(&mut self, file: Option<&Path>) -> io::Result<()>;

    /// Shows a view to a user at a terminal, or the bench to a program. Long output stops once it is not wanted any more.
    fn show(&mut self, _view: View, _scene: &Scene, _is_wanted: &dyn Fn() -> bool) {}
}

/// Returns when the event was read, if it may take long by itself and not because the machine is busy.
fn work_read_at(event: &Event) -> Option<Instant> {
    match event {
        Event::Command { command: Command::SetOption { .. } | Command::IsReady, read_at } => Some(*read_at),
        _ => None,
    }
}

/// Minimum duration of long work: time spent waiting for it does not count as lateness of the machine.
const LONG_WORK: Duration = Duration::from_millis(2);

/// Reason why the engine cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The system refuses the thread of the time manager.
    #[error("no thread for the time manager: {0}")]
    Thread(#[from] io::Error),
    /// There is no memory for even the smallest table.
    #[error(transparent)]
    Memory(#[from] TableError),
}

/// The engine, to be run on a thread by [`Controller::run`]. It has its own clock unless it is given another.
pub struct Controller<S, T = TimeManager> {
    pub(super) queue: Receiver<Event>,
    /// Events received while a view was shown, oldest first; older than all events in the queue.
    pub(super) overheard: VecDeque<Event>,
    /// Input that waits for the end of the search.
    pub(super) backlog: Backlog,
    /// Whether input has ended: work under way is the last to be done.
    pub(super) input_has_ended: bool,
    /// Whether the user has sent `quit`: the answer to the running search is the last one.
    pub(super) quits: bool,
    /// Whether the user is a person at a terminal, who can leave at any time.
    pub(super) is_for_person: bool,
    /// That user's game against the engine.
    pub(super) playing: Option<Playing>,
    pub(super) phase: Phase,
    /// Searches that are over, but for workers that are still leaving them.
    pub(super) departing: Vec<Ongoing>,
    pub(super) game: Game,
    pub(super) options: Options,
    pub(super) luck: Luck,
    pub(super) dialect: Dialect,
    /// The protocol of the last handshake, if there was one.
    pub(super) greeted_in: Option<Dialect>,
    /// Messages from before the handshake, when nothing may be printed.
    pub(super) unsaid: Vec<String>,
    /// Messages about the game that was given before the handshake.
    pub(super) unsaid_of_game: Vec<String>,
    pub(super) searches: u64,
    pub(super) etiquette: Etiquette,
    /// Lateness of the answers to `go`.
    pub(super) lateness: Lateness,
    /// Start and end of commands that took long: the last one, and earlier ones that were not done when it was read.
    pub(super) long_works: Vec<[Instant; 2]>,
    /// Final reports of a search that has ended, printed in one piece with its answer.
    pub(super) last_words: Vec<Reply>,
    pub(super) surroundings: S,
    pub(super) clock: AlarmClock<T>,
    pub(super) resources: Resources,
}

impl<S: Surroundings> Controller<S> {
    /// Creates an engine in its boot phase, and the sender of its events.
    ///
    /// # Errors
    /// If the system refuses what is needed at first. Workers and the full table come later, when the user has had a chance to
    /// set their sizes.
    pub fn new(surroundings: S) -> Result<(Self, Sender<Event>), StartError> {
        let (events, queue) = channel();
        let alarms = events.clone();
        // Alarms are dropped once the controller is gone.
        let clock = TimeManager::spawn(move |alarm| drop(alarms.send(Event::TimeUp(alarm))))?;
        let controller = Self::assemble(surroundings, clock, &events, queue)?;
        Ok((controller, events))
    }
}

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Creates an engine with this clock, whose owner sends [`Event::TimeUp`] when the alarm is due.
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
            overheard: VecDeque::new(),
            backlog: Backlog::default(),
            input_has_ended: false,
            quits: false,
            is_for_person: false,
            playing: None,
            phase: Phase::Boot,
            departing: Vec::new(),
            game: Game::default(),
            options,
            luck: Luck::of_new_game(),
            dialect: Dialect::default(),
            greeted_in: None,
            unsaid,
            unsaid_of_game: Vec::new(),
            searches: 0,
            etiquette: Etiquette::default(),
            lateness: Lateness::default(),
            long_works: Vec::new(),
            last_words: Vec::new(),
            surroundings,
            clock: AlarmClock::new(clock),
            resources,
        })
    }

    /// Replaces the workers, which may still serve their replacement: for tests.
    #[must_use]
    pub fn with_crew(self, others: impl FnOnce(Box<dyn Crew>) -> Box<dyn Crew>) -> Self {
        Self { resources: self.resources.replace_crew(others), ..self }
    }

    /// Handles events until `quit` or the end of input, then joins all threads.
    pub fn run(mut self) {
        turns::ask_for_short_ones();
        tracing::info!(options = ?self.options, "the engine begins");
        loop {
            let event = self.next_event();
            let (begun, work_read_at) = (self.clock.now(), work_read_at(&event));
            if self.hear(event).is_break() {
                return self.take_leave();
            }
            let done = self.clock.now();
            if let Some(read_at) = work_read_at
                && done.saturating_duration_since(begun) >= LONG_WORK
            {
                // Commands behind this one have not waited for work that was done before it was read.
                self.long_works.retain(|&[_, done]| done > read_at);
                self.long_works.push([begun, done]);
            }
        }
    }

    pub(super) fn take_leave(self) {
        let voice = self.voice();
        let Self { phase, departing, mut surroundings, clock, resources, .. } = self;
        let was_spoken_to = !matches!(phase, Phase::Boot);
        // The running search comes first, so that its workers can be joined.
        drop((phase, departing));
        drop((clock, resources));
        if was_spoken_to {
            surroundings.say(&Reply::Bye, &voice);
        }
    }

    /// Returns the rules in force.
    pub(super) fn rules_in_force(&self) -> Rules {
        self.options.rules(self.greeted_in)
    }

    pub(super) fn message(&mut self, text: String) {
        self.say(&Reply::Message(text));
    }

    /// Prints the replies that were kept, then this one.
    pub(super) fn say(&mut self, reply: &Reply) {
        if self.is_thought_in_silence(reply) {
            return;
        }
        let voice = self.voice();
        if self.last_words.is_empty() {
            return self.surroundings.say(reply, &voice);
        }
        self.last_words.push(reply.clone());
        self.say_last_words();
    }

    /// Prints the replies that were kept for an answer, because the answer has to wait.
    pub(super) fn say_last_words(&mut self) {
        let voice = self.voice();
        let mut words = mem::take(&mut self.last_words);
        words.retain(|reply| !self.is_thought_in_silence(reply));
        self.surroundings.say_together(&words, &voice);
    }

    fn voice(&self) -> Voice {
        Voice { dialect: self.dialect, base: self.game.rank_base() }
    }
}
