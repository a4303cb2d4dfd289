//! Events and replies of the controller, without protocol text on either side.

mod command;
mod go;
mod reply;

use std::time::Instant;

use crate::board::Move;
pub use crate::search::{Bound, CurrentLine, Iteration, Limits, Outcome, ProvenMoves, Refutation, RootMove, SearchId};
pub use crate::smp::time::AlarmId;
pub use command::{Command, Dialect, Fault, GameText, News, Pieces, TerminalCommand, View, WrittenMove};
pub use go::{Clock, ClockMode, ClockUnit, Go, SideClock, SideClocks};
pub use reply::{Closing, Effort, Info, OutputFormat, Reply, TableContent};

/// An entry of the controller's only queue.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "the queue holds a handful of events, most of them commands")]
pub enum Event {
    /// A command of the user, read at `read_at`; clocks are charged from that moment.
    Command {
        /// The command as it was understood.
        command: Command,
        /// Time at which the line had been read.
        read_at: Instant,
    },
    /// A line that was not understood or is wrong, with the reason.
    Rejected(Fault),
    /// The end of input.
    EndOfInput,
    /// The system requests the end of the process, whatever is running.
    Interrupted,
    /// The alarm that was set under this number is due.
    TimeUp(AlarmId),
    /// Worker 0 has finished an iteration, with the effort of the whole search up to then.
    Iteration(SearchId, Iteration, Reached),
    /// Worker 0 begins to search a root move.
    RootMove(SearchId, RootMove),
    /// Worker 0 has refuted a root move.
    Refutation(SearchId, Refutation),
    /// The line that a worker is searching.
    CurrentLine(SearchId, CurrentLine),
    /// Worker 0 has proven more root moves won or lost at the end of an iteration; these are all of them.
    ProvenMoves(SearchId, ProvenMoves),
    /// A worker has ended and no longer holds the search's context.
    Finished {
        /// The search it worked on.
        search: SearchId,
        /// Number of the worker; worker 0 reports iterations.
        worker: usize,
        /// The worker's result.
        outcome: Outcome,
    },
    /// The leaves below a root move have been counted.
    Counted {
        /// Id of the count, numbered like searches.
        count: SearchId,
        /// The root move.
        mv: Move,
        /// Number of leaves.
        leaves: u64,
    },
    /// All root moves have been counted.
    CountEnded(SearchId),
    /// A worker has panicked during this search and no longer holds its context; it is ready for the next one.
    Died(SearchId),
}

/// The effort of a search up to the end of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reached {
    /// Time at that end.
    pub at: Instant,
    /// Nodes of all workers.
    pub nodes: u64,
}
