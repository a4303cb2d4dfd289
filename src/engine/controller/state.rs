//! The engine as an object: what it owns, how it begins and ends, and its voice.

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

/// What a person may want to see something of.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The game so far, oldest position first; empty if the last one given was wrong.
    pub history: &'a [Position],
    /// The engine's side in a game against the person.
    pub opponent: Option<Side>,
    /// The protocol whose units values are said in.
    pub dialect: Dialect,
    /// From where the ranks of moves are counted.
    pub base: RankBase,
    /// The rules in force.
    pub rules: &'a Rules,
    /// The network that values positions, if one does.
    pub network: Option<&'a Arc<Network>>,
}

/// Where replies go, and what the controller cannot do itself.
pub trait Surroundings {
    /// Passes a reply on to the user.
    fn say(&mut self, reply: &Reply, voice: &Voice);

    /// Passes replies on to the user, in one piece where that is possible: whoever hears the first of them may take the
    /// processor before the last one is written.
    fn say_together(&mut self, replies: &[Reply], voice: &Voice) {
        replies.iter().for_each(|reply| self.say(reply, voice));
    }

    /// Whether the last reply has reached the user: one who hears nothing and says nothing is gone.
    fn hears(&self) -> bool {
        true
    }

    /// Whether the user may take all the time he wants to read: one who has piped a batch in (option `batch`) looks at
    /// the answers later.
    fn leave_time(&mut self, _to_read: bool) {}

    /// Work begins during which nothing else is heard and which nobody wants who wants to leave, or it is done.
    fn at_work(&mut self, _is_at_work: bool) {}

    /// Writes the log to this file from now on, or to none.
    ///
    /// # Errors
    /// If the file cannot be opened; the log goes on as before.
    fn log_to(&mut self, file: Option<&Path>) -> io::Result<()>;

    /// Shows a person what he wants to see. Programs never ask. What takes long is given up once it is no longer wanted.
    fn show(&mut self, _view: View, _scene: &Scene, _is_wanted: &dyn Fn() -> bool) {}
}

/// When the event was read, if it may take long by itself, and not because the machine is busy.
fn work_read_at(event: &Event) -> Option<Instant> {
    match event {
        Event::Command { command: Command::SetOption { .. } | Command::IsReady, read_at } => Some(*read_at),
        _ => None,
    }
}

/// Whoever had to wait so long for the end of our work did not wait for the machine.
const LONG_WORK: Duration = Duration::from_millis(2);

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
    pub(super) queue: Receiver<Event>,
    /// What came in while something was shown to a person, oldest first; older than all that is in the queue.
    pub(super) overheard: VecDeque<Event>,
    /// Input that waits for the end of the search.
    pub(super) backlog: Backlog,
    /// Nobody is left to say anything: what is under way is the last thing to be done.
    pub(super) input_has_ended: bool,
    /// The user has said `quit`: the answer to the search under way is the last thing that is said.
    pub(super) quits: bool,
    /// A person sits at a terminal, who wants to leave when he says so.
    pub(super) is_for_person: bool,
    /// The game of that person against the engine.
    pub(super) playing: Option<Playing>,
    pub(super) phase: Phase,
    /// Searches that are over and done with, but for workers on their way out of them.
    pub(super) departing: Vec<Ongoing>,
    pub(super) game: Game,
    pub(super) options: Options,
    pub(super) luck: Luck,
    pub(super) dialect: Dialect,
    /// The protocol of the last handshake, if there was one.
    pub(super) greeted_in: Option<Dialect>,
    /// Messages from before the handshake, when nothing may be said.
    pub(super) unsaid: Vec<String>,
    /// Those about the game that was given before the handshake.
    pub(super) unsaid_of_game: Vec<String>,
    pub(super) searches: u64,
    pub(super) etiquette: Etiquette,
    /// Of the answers to `go`.
    pub(super) lateness: Lateness,
    /// When the commands that took long began to be obeyed and were done: the last one, and those before it that were not
    /// done yet when it was read.
    pub(super) long_works: Vec<[Instant; 2]>,
    /// What there is to say of a search that has ended, in one piece with its answer.
    pub(super) last_words: Vec<Reply>,
    pub(super) surroundings: S,
    pub(super) clock: AlarmClock<T>,
    pub(super) resources: Resources,
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

    /// With others in the place of the workers, who may still serve them: for tests.
    #[must_use]
    pub fn with_crew(self, others: impl FnOnce(Box<dyn Crew>) -> Box<dyn Crew>) -> Self {
        Self { resources: self.resources.replace_crew(others), ..self }
    }

    /// Obeys until `quit` or the end of input, then joins all threads.
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
                // What comes behind this command has waited for none that was done before it was read.
                self.long_works.retain(|&[_, done]| done > read_at);
                self.long_works.push([begun, done]);
            }
        }
    }

    pub(super) fn take_leave(self) {
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

    /// The rules in force.
    pub(super) fn rules_in_force(&self) -> Rules {
        self.options.rules(self.greeted_in)
    }

    pub(super) fn message(&mut self, text: String) {
        self.say(&Reply::Message(text));
    }

    /// Says what has been kept for it and this reply.
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

    /// Says what has been kept for an answer, because the answer has to wait.
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
