//! The engine as an object, and how it is created.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use super::inbox::Inbox;
use super::phase::Phase;
use super::session::{FrontEnd, Session};
use crate::engine::active::ActiveSearch;
use crate::engine::event::Event;
use crate::engine::workers::Workers;
use crate::smp::table::TableError;
use crate::smp::time::{AlarmClock, TimeManager, Timekeeper};

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

/// Whether the engine runs on, or comes to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RunState {
    Running,
    /// Input has ended: work under way is the last to be done.
    InputEnded,
    /// The user has sent `quit`: the answer to the active search is the last one.
    Quitting,
}

/// The engine, to be run on a thread by [`Controller::run`]. It has its own clock unless it is given another.
pub struct Controller<F, T = TimeManager> {
    pub(super) inbox: Inbox,
    pub(super) run_state: RunState,
    pub(super) phase: Phase,
    /// Searches that are answered or dropped, but whose workers have not ended yet.
    pub(super) departing: Vec<ActiveSearch>,
    /// When the commands that took long were handled: the last one, and those before it that were not done when it was read.
    pub(super) slow_commands: Vec<[Instant; 2]>,
    pub(super) session: Session<F>,
    pub(super) clock: AlarmClock<T>,
}

impl<F: FrontEnd> Controller<F> {
    /// Creates an engine in its boot phase, and the sender of its event queue.
    ///
    /// # Errors
    /// If the system refuses the little that is needed at first. Workers and the full table come later, when the user has had a
    /// chance to set their sizes.
    pub fn new(front: F) -> Result<(Self, Sender<Event>), StartError> {
        let (events, queue) = channel();
        let alarms = events.clone();
        // An alarm after the end of the engine is not a loss.
        let clock = TimeManager::spawn(move |alarm| drop(alarms.send(Event::TimeUp(alarm))))?;
        let controller = Self::assemble(front, clock, &events, queue)?;
        Ok((controller, events))
    }
}

impl<F: FrontEnd, T: Timekeeper> Controller<F, T> {
    /// Creates an engine with this clock, whose owner sends [`Event::TimeUp`] when the alarm is due.
    ///
    /// # Errors
    /// If there is no memory for the smallest table.
    pub fn with_clock(front: F, clock: T) -> Result<(Self, Sender<Event>), StartError> {
        let (events, queue) = channel();
        let controller = Self::assemble(front, clock, &events, queue)?;
        Ok((controller, events))
    }

    fn assemble(front: F, clock: T, events: &Sender<Event>, queue: Receiver<Event>) -> Result<Self, TableError> {
        Ok(Self {
            inbox: Inbox::new(queue),
            run_state: RunState::Running,
            phase: Phase::Boot,
            departing: Vec::new(),
            slow_commands: Vec::new(),
            session: Session::new(front, events)?,
            clock: AlarmClock::new(clock),
        })
    }

    /// Replaces the workers, which may still serve their replacement: for tests.
    #[must_use]
    pub fn with_workers(mut self, others: impl FnOnce(Box<dyn Workers>) -> Box<dyn Workers>) -> Self {
        self.session.resources = self.session.resources.replace_workers(others);
        self
    }

    /// Serves a user at a terminal, who need not choose a protocol first and sees which input is not understood.
    #[must_use]
    pub fn for_terminal(mut self) -> Self {
        self.phase = Phase::Idle;
        self.session.is_for_person = true;
        self.session.options.debug = true;
        self
    }
}
