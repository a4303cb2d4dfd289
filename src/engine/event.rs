//! Events and replies of the controller, without protocol text on either side.

use std::ffi::OsString;
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use crate::board::{Move, MoveError, MoveText, Position, RankBase, Side, Square};
use crate::notation::NamedMove;
use crate::score::Score;
pub use crate::search::{Bound, CurrentLine, Iteration, Limits, Outcome, ProvenMoves, Refutation, RootMove, SearchId};
pub use crate::smp::time::AlarmId;

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

/// Protocol whose conduct the engine follows: the two differ in more than words.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Dialect {
    /// UCCI: an idle `stop` is answered, a mate ends an infinite search, the last line is a farewell.
    #[default]
    Ucci,
    /// UCI: an idle `stop` and `quit` are silent, an infinite search ends by `stop` alone.
    Uci,
}

/// Output format of replies.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct OutputFormat {
    /// Protocol of the output.
    pub dialect: Dialect,
    /// Rank base of the moves.
    pub base: RankBase,
}

/// Reason why a line is not carried out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Not a command of the protocol: reported in debug mode only.
    NotUnderstood(String),
    /// A `position` without a legal position: always reported, and there is nothing to search until the next one.
    BadPosition(String),
    /// A `probe` without a position: answered as a position without an entry.
    BadProbe(String),
    /// A command with a wrong argument: always reported.
    BadArgument(String),
    /// A `position` or a `go` that is carried out except for a part: reported where it is carried out.
    InPart(String),
}

/// A command of the user.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Introduces the engine in this protocol, whose conduct it follows from now on.
    Handshake(Dialect),
    /// Asks whether the engine is ready.
    IsReady,
    /// Sets an option; `value` is everything behind the name.
    SetOption {
        /// Name as the user wrote it.
        name: String,
        /// Value as the user wrote it, possibly empty, in any encoding: it may be a path.
        value: OsString,
    },
    /// Turns debug mode on or off, which reports how each command is understood: UCI's command, handled during a search too.
    Debug(bool),
    /// Sets up a position and plays these moves.
    Position(GameText),
    /// Forbids these moves in the current position; replaces earlier bans.
    BanMoves(Vec<MoveText>),
    /// Starts a search.
    Go(Go),
    /// Counts the leaves below each legal move: UCI's `go perft`.
    Perft {
        /// Depth in plies.
        depth: u32,
    },
    /// Demands the answer now.
    Stop,
    /// The expected move was played: the clock starts now.
    PonderHit {
        /// Whether the opponent offers a draw as well.
        draw: bool,
    },
    /// Asks for the transposition table's entry for this position.
    Probe(GameText),
    /// Plays one more move in the current position.
    DoMove(MoveText),
    /// Shows a view.
    Show(View),
    /// Exchanges the colours and drops the moves played so far.
    Flip,
    /// A command of a user who plays at a terminal.
    Wish(Wish),
    /// Ends the process.
    Quit,
}

/// Command of a user who plays at a terminal; programs have no words for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wish {
    /// Plays these moves in the current position.
    Move(Vec<WrittenMove>),
    /// Takes back this number of moves; none: until the user is to move again.
    Undo(Option<usize>),
    /// Begins another game, from the start position.
    Begin,
    /// Begins a game between the user and the engine from here.
    Play {
        /// The user's side; none: the side to move.
        side: Option<Side>,
        /// Time of the engine for each of its moves; none: as before.
        time: Option<Duration>,
    },
    /// Ends the game against the engine.
    Leave,
}

/// News of a game that a user plays at a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum News {
    /// The user has played this number of moves.
    Played(usize),
    /// The engine has played the last move.
    Answered,
    /// This number of moves has been taken back.
    TakenBack(usize),
    /// Another game has begun.
    Begun,
    /// A game against the engine has begun, with this time for each of its moves.
    Opposed(Duration),
}

/// View on request of a user; programs have words for the bench and the board alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// The available commands.
    Help,
    /// The board, with these pieces or as the terminal can show it.
    Board(Option<Pieces>),
    /// The game after these news.
    Game(News),
    /// The terms of the static evaluation.
    Evaluation,
    /// The legal moves.
    Moves,
    /// The number of leaves below each move.
    Perft {
        /// Depth in plies.
        depth: u32,
    },
    /// The bench.
    Bench {
        /// Depth in plies; none: that of the signature.
        depth: Option<u32>,
    },
}

/// Style in which pieces are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pieces {
    /// Chinese characters, as on a board.
    Chinese,
    /// Letters, as in a FEN.
    Letters,
}

/// A position as a protocol gives it: a start and the moves from there, not yet checked for legality. The start may be one of
/// any variant, since the protocol does not know which is played.
#[derive(Clone, PartialEq, Debug)]
pub struct GameText {
    /// Position where the moves start.
    pub start: Position,
    /// Moves from there.
    pub moves: Vec<WrittenMove>,
    /// Rank base that usually goes with this way to write a position, whatever its moves show; none if no base does.
    pub accent: Option<RankBase>,
}

/// A move of a game as a user writes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WrittenMove {
    /// A move in coordinates, as in the protocols.
    Coordinates(MoveText),
    /// A move in WXF or Chinese notation.
    Named(NamedMove),
}

impl WrittenMove {
    /// Returns the move if it is in coordinates, which show the user's rank base.
    pub fn in_coordinates(&self) -> Option<MoveText> {
        match self {
            Self::Coordinates(mv) => Some(*mv),
            Self::Named(_) => None,
        }
    }
}

impl From<MoveText> for WrittenMove {
    fn from(mv: MoveText) -> Self {
        Self::Coordinates(mv)
    }
}

impl From<Move> for WrittenMove {
    fn from(mv: Move) -> Self {
        Self::Coordinates(mv.into())
    }
}

impl FromStr for WrittenMove {
    type Err = MoveError;

    /// Parses `h2e2` and other coordinates, `C2=5` and `炮二平五`.
    fn from_str(text: &str) -> Result<Self, MoveError> {
        text.parse().map(Self::Coordinates).or_else(|error| text.parse().map(Self::Named).map_err(|_| error))
    }
}

/// The text as it was written.
impl fmt::Display for WrittenMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Coordinates(mv) => mv.fmt(f),
            Self::Named(mv) => mv.fmt(f),
        }
    }
}

/// A request to search: limits, clocks and moves.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Go {
    /// Whether to ponder on the opponent's time, and hold the answer until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Whether the opponent offers a draw.
    pub draw: bool,
    /// Whether the answer is held until `stop`, whatever the limits.
    pub infinite: bool,
    /// Limits of depth, nodes and mate.
    pub limits: Limits,
    /// Time for this move besides the mover's clock, in milliseconds.
    pub move_time: Option<i64>,
    /// The mover's clock, if the protocol gave it as such; read it through [`Go::clock_of`].
    pub clock: Option<Clock>,
    /// The clocks of both sides, if the protocol gave them by colour; read them through [`Go::clock_of`].
    pub side_clocks: Option<SideClocks>,
    /// Root moves to search; all if empty.
    pub search_moves: Vec<MoveText>,
}

impl Go {
    /// Whether the search ends by itself, once it is no longer pondering.
    pub fn is_bounded(&self) -> bool {
        !self.infinite && (self.limits != Limits::default() || self.is_timed())
    }

    fn is_timed(&self) -> bool {
        self.clock.is_some() || self.side_clocks.is_some()
    }

    /// Whether the position is to be analysed rather than a move played: without any limit, or for a mate.
    pub fn is_analysis(&self) -> bool {
        let Limits { depth, nodes, mate } = self.limits;
        self.infinite || mate.is_some() || !self.is_timed() && depth.is_none() && nodes.is_none()
    }

    /// Whether `mover` can use later the time that it saves now.
    pub fn saves_time(&self, mover: Side) -> bool {
        let is_of_game = |clock: Clock| clock.mode != ClockMode::ThisMove;
        !self.infinite && self.move_time.is_none() && self.clock_of(mover).is_some_and(is_of_game)
    }

    /// Returns the clock under which `mover` thinks, however it was given; `None` if the move is not timed.
    pub fn clock_of(&self, mover: Side) -> Option<Clock> {
        self.clock.or_else(|| self.side_clocks.and_then(|clocks| clocks.seen_by(mover)))
    }
}

/// Clocks of both sides by colour (UCI's `wtime` and others), in milliseconds. A protocol reads lines, not positions, so only
/// the controller knows which one is the mover's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SideClocks {
    /// Red's clock.
    pub red: SideClock,
    /// Black's clock.
    pub black: SideClock,
    /// Moves until the next time control, the same for both.
    pub moves_to_go: Option<u32>,
}

/// One side's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SideClock {
    /// Time left, if given.
    pub time: Option<i64>,
    /// Increment after every move.
    pub increment: i64,
}

impl SideClocks {
    /// Returns the clock of the side to move. If only the other side's time was given, it is meant for both.
    pub fn seen_by(self, mover: Side) -> Option<Clock> {
        let (own, other) = match mover {
            Side::Red => (self.red, self.black),
            Side::Black => (self.black, self.red),
        };
        let increment = own.increment;
        let mode = match self.moves_to_go {
            Some(moves) => ClockMode::MovesToGo { moves, increment },
            None => ClockMode::Increment(increment),
        };
        let (time, opponent_time) = (own.time.or(other.time)?, other.time);
        Some(Clock { time, mode, opponent_time, unit: ClockUnit::Milliseconds })
    }
}

/// Clocks as the protocol gives them, in the unit in force (seconds or milliseconds).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time that the mover has left; may be zero or negative.
    pub time: i64,
    /// Time control behind the time that is left.
    pub mode: ClockMode,
    /// Time that the opponent has left, if given.
    pub opponent_time: Option<i64>,
    /// The unit of all values.
    pub unit: ClockUnit,
}

/// Unit of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockUnit {
    /// Milliseconds if the option `usemillisec` is on, else seconds: UCCI's clocks.
    ByOption,
    /// Milliseconds: UCI's clocks.
    Milliseconds,
}

/// Time control: what follows the time that is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockMode {
    /// The time is for this move alone.
    ThisMove,
    /// Increment after every move.
    Increment(i64),
    /// The time is for a number of moves, with an increment after each of them.
    MovesToGo {
        /// Moves until the clock is refilled, this one included.
        moves: u32,
        /// Increment after every move.
        increment: i64,
    },
}

/// A reply of the controller; a protocol turns it into one or more lines.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// Names, options and the line that ends the handshake.
    Introduction,
    /// The answer to `isready`.
    Ready,
    /// A move of the opening book, reported before one of them is played.
    BookMove {
        /// The move.
        mv: Move,
        /// Weight: how often it is played, relative to the others.
        weight: u16,
    },
    /// One iteration, with the effort of the whole search.
    Info(Info),
    /// The root move that is being searched; reported rarely.
    CurrentMove {
        /// Nominal depth of the iteration, in plies.
        depth: u32,
        /// The move.
        mv: Move,
        /// Number of the move in the order of the search, from 1.
        number: usize,
    },
    /// A root move and the reply that refutes it; reported only if the user wants it.
    Refutation(Vec<Move>),
    /// The line that a worker is searching; reported only if the user wants it.
    CurrentLine {
        /// Number of the worker, from 1.
        worker: usize,
        /// Moves from the root; never empty.
        line: Vec<Move>,
    },
    /// In analysis, all root moves proven so far to win or to lose; one of the lists may be empty.
    ProvenMoves {
        /// Moves that win by force.
        winning: Vec<Move>,
        /// Moves that lose by force.
        losing: Vec<Move>,
    },
    /// Effort of the whole search, reported once it is over.
    Effort(Effort),
    /// Text for the user; one line, whatever it contains.
    Message(String),
    /// The answer to `go`.
    BestMove {
        /// The move to play.
        best: Move,
        /// The expected reply.
        ponder: Option<Move>,
        /// Draw offer or resignation, for protocols that have words for it.
        closing: Option<Closing>,
    },
    /// The answer to `go` without a move: there is none, or none was requested.
    NoBestMove,
    /// The static evaluation: the result of `go depth 0`.
    StaticValue(Score),
    /// The answer to `probe`.
    TableContent(Option<TableContent>),
    /// The current position, for programs.
    Board {
        /// The FEN.
        fen: String,
        /// The key of its entries in hash tables.
        key: u64,
        /// The squares of the pieces that give check.
        checkers: Vec<Square>,
    },
    /// The leaves below a root move.
    Leaves {
        /// The root move.
        mv: Move,
        /// Number of leaves.
        leaves: u64,
    },
    /// The total of the leaves that were reported below root moves.
    AllLeaves(u64),
    /// The farewell, as the last line.
    Bye,
}

/// A draw offer or a resignation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Closing {
    /// The engine offers a draw, or accepts one.
    Draw,
    /// The engine resigns.
    Resign,
}

/// Effort of a search so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Nodes of all workers.
    pub nodes: u64,
    /// Time since `go`.
    pub elapsed: Duration,
    /// Fill of the transposition table, in thousandths.
    pub hashfull: u32,
    /// Endgame tablebase hits.
    pub table_hits: u64,
}

/// Progress of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct Info {
    /// The result of the reporting worker.
    pub iteration: Iteration,
    /// Its effort.
    pub effort: Effort,
    /// Probabilities of win, draw and loss for the mover, in thousandths that sum to 1000; only if the user wants them.
    pub wdl: Option<[u32; 3]>,
}

/// Content of the transposition table for one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableContent {
    /// The best move, if known.
    pub best: Option<Move>,
    /// Lower bound of the value.
    pub lower: Option<Score>,
    /// Upper bound of the value.
    pub upper: Option<Score>,
    /// Depth of the entry, in plies.
    pub depth: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_the_movers() {
        let side = |time, increment| SideClock { time: Some(time), increment };
        let clocks = SideClocks { red: side(1000, 10), black: side(2000, 20), moves_to_go: None };
        let go = Go { side_clocks: Some(clocks), ..Go::default() };
        let black = go.clock_of(Side::Black).unwrap();
        assert_eq!((black.time, black.mode, black.opponent_time), (2000, ClockMode::Increment(20), Some(1000)));
        assert_eq!(go.clock_of(Side::Red).unwrap().time, 1000);
        assert_eq!(Go::default().clock_of(Side::Red), None);
    }
}
