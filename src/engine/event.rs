//! Everything the controller reacts to, and everything it says: no protocol text on either side.

use std::time::{Duration, Instant};

use crate::board::{Move, Position};
use crate::score::Score;
pub use crate::search::SearchId;
use crate::search::{Iteration, Limits, Outcome};

/// One entry of the controller's only queue.
#[derive(Debug)]
pub enum Event {
    /// The user said something at `read_at`; clocks are charged from that moment.
    Command {
        /// What was understood.
        command: Command,
        /// When the line had been read.
        read_at: Instant,
    },
    /// The user said something that was not understood, or that is wrong; the text says what.
    Rejected(Fault),
    /// Input has ended.
    EndOfInput,
    /// The deadline of this search has come.
    TimeUp(SearchId),
    /// A worker finished an iteration.
    Iteration(SearchId, Iteration),
    /// A worker has ended and no longer holds the search's context.
    Finished {
        /// The search it worked on.
        search: SearchId,
        /// Which worker, 0 being the one that reports iterations.
        worker: usize,
        /// What it found.
        outcome: Outcome,
    },
}

/// Why a line was not obeyed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Not a command of the protocol: said in debug mode only.
    NotUnderstood(String),
    /// A `position` that names no legal position: always said, and there is nothing to search until the next one.
    BadPosition(String),
    /// A command with a wrong argument: always said.
    BadArgument(String),
}

/// What the user wants.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Introduce yourself: names, options, readiness.
    Handshake,
    /// Are you there?
    IsReady,
    /// Change an option; `value` is everything behind the name.
    SetOption {
        /// As the user wrote it.
        name: String,
        /// As the user wrote it, possibly empty.
        value: String,
    },
    /// Start from here and play these moves.
    Position(GameText),
    /// These moves are forbidden in the current position; replaces earlier bans.
    BanMoves(Vec<Move>),
    /// Think.
    Go(Go),
    /// Answer now.
    Stop,
    /// The expected move was played: the clock starts now.
    PonderHit {
        /// The opponent offers a draw as well.
        draw: bool,
    },
    /// What does the table know about this position?
    Probe(GameText),
    /// Play one more move on the current position.
    DoMove(Move),
    /// End the process.
    Quit,
}

/// A position as a protocol gives it: a start and the moves from there, not yet checked for legality.
#[derive(Clone, PartialEq, Debug)]
pub struct GameText {
    /// Where the moves start.
    pub start: Position,
    /// Played from there.
    pub moves: Vec<Move>,
}

/// How to think.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Go {
    /// On the opponent's time: hold the answer until `ponderhit` or `stop`.
    pub ponder: bool,
    /// The opponent offers a draw.
    pub draw: bool,
    /// Depth and nodes.
    pub limits: Limits,
    /// The clocks, if the move is timed.
    pub clock: Option<Clock>,
    /// Only these root moves, if any are named.
    pub search_moves: Vec<Move>,
}

/// The clocks as the protocol gives them, in the unit that is in force (seconds or milliseconds).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// What the mover has left; may be zero or negative.
    pub time: i64,
    /// How it goes on.
    pub mode: ClockMode,
    /// What the opponent has left, if told.
    pub opponent_time: Option<i64>,
    /// The unit of all values.
    pub unit: ClockUnit,
}

/// Who decides the unit of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockUnit {
    /// Milliseconds if the option `usemillisec` is on, else seconds: UCCI's words.
    ByOption,
    /// Milliseconds: UCI's words.
    Milliseconds,
}

/// What follows the time that is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockMode {
    /// The time is for this move alone.
    ThisMove,
    /// So much is added after every move.
    Increment(i64),
    /// The time is for so many moves.
    MovesToGo(u32),
}

/// What the controller says; a protocol turns it into a line or several.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// Names, options and the word that ends the handshake.
    Introduction,
    /// Answers `isready`.
    Ready,
    /// One iteration, with what the controller knows about the whole search.
    Info(Info),
    /// Text for the user; one line, whatever it contains.
    Message(String),
    /// The answer to `go`.
    BestMove {
        /// What to play.
        best: Move,
        /// The expected answer.
        ponder: Option<Move>,
        /// The engine offers a draw, or accepts one.
        draw: bool,
    },
    /// The answer to `go` without a move: there is none, or none was asked for.
    NoBestMove,
    /// The static value asked for by `go depth 0`.
    StaticValue(Score),
    /// The answer to `probe`.
    TableContent(Option<TableContent>),
    /// The last line.
    Bye,
}

/// Progress of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct Info {
    /// What the reporting worker found.
    pub iteration: Iteration,
    /// Nodes of all workers.
    pub nodes: u64,
    /// Since `go`.
    pub elapsed: Duration,
    /// Fill of the table in thousandths.
    pub hashfull: u32,
}

/// What the table holds for one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableContent {
    /// The best move known.
    pub best: Option<Move>,
    /// The value is at least this.
    pub lower: Option<Score>,
    /// The value is at most this.
    pub upper: Option<Score>,
    /// Depth of the entry, in plies.
    pub depth: u32,
}
