//! The engine as an object.

use std::io;
use std::time::Instant;

use super::inbox::Inbox;
use super::phase::Phase;
use super::session::Session;
use crate::engine::active::ActiveSearch;
use crate::smp::table::TableError;
use crate::smp::time::{AlarmClock, TimeManager};

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
pub(super) enum Life {
    Running,
    /// Input has ended: work under way is the last to be done.
    InputEnded,
    /// The user has sent `quit`: the answer to the active search is the last one.
    Quitting,
}

/// The engine, to be run on a thread by [`Controller::run`]. It has its own clock unless it is given another.
pub struct Controller<F, T = TimeManager> {
    pub(super) inbox: Inbox,
    pub(super) life: Life,
    pub(super) phase: Phase,
    /// Searches that are answered or dropped, but whose workers have not ended yet.
    pub(super) departing: Vec<ActiveSearch>,
    /// When the commands that took long were handled: the last one, and those before it that were not done when it was read.
    pub(super) long_works: Vec<[Instant; 2]>,
    pub(super) session: Session<F>,
    pub(super) clock: AlarmClock<T>,
}
