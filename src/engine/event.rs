//! Everything the controller reacts to, and everything it says: no protocol text on either side.

use std::ffi::OsString;
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use crate::board::{Move, MoveError, MoveText, Position, RankBase, Side, Square};
use crate::notation::NamedMove;
use crate::score::Score;
pub use crate::search::{
    CurrentLine, Iteration, Limits, Outcome, ProvenMoves, Refutation, RootMove, ScoreBound, SearchId,
};
pub use crate::smp::time::AlarmId;

/// One entry of the controller's only queue.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "the queue holds a handful of events, most of them commands")]
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
    /// The system wants the process to end, whatever is under way.
    Interrupted,
    /// The alarm that was set under this number is due.
    TimeUp(AlarmId),
    /// Worker 0 finished an iteration, and how far the whole search had come then.
    Iteration(SearchId, Iteration, Reached),
    /// Worker 0 begins to search a root move.
    RootMove(SearchId, RootMove),
    /// Worker 0 has found why a root move is not to be played.
    Refutation(SearchId, Refutation),
    /// Where a worker is in the tree.
    CurrentLine(SearchId, CurrentLine),
    /// Worker 0 has proven more root moves won or lost at the end of an iteration; these are all of them.
    ProvenMoves(SearchId, ProvenMoves),
    /// A worker has ended and no longer holds the search's context.
    Finished {
        /// The search it worked on.
        search: SearchId,
        /// Which worker, 0 being the one that reports iterations.
        worker: usize,
        /// What it found.
        outcome: Outcome,
    },
    /// The leaves below a root move have been counted.
    Counted {
        /// The count, which is numbered like searches.
        count: SearchId,
        /// The root move.
        mv: Move,
        /// Their number.
        leaves: u64,
    },
    /// All root moves have been counted.
    CountEnded(SearchId),
    /// A worker has panicked during this search, and no longer holds its context; it is there for the next one.
    Died(SearchId),
}

/// The effort of a search up to the end of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reached {
    /// When that was.
    pub at: Instant,
    /// Nodes of all workers.
    pub nodes: u64,
}

/// Whose rules of conduct the engine keeps: the two protocols differ not in words alone.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Dialect {
    /// An idle `stop` is answered, a mate ends an infinite search, the last word is a farewell.
    #[default]
    Ucci,
    /// An idle `stop` and `quit` are silent, an infinite search ends by `stop` alone.
    Uci,
}

/// How replies are put into words.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Voice {
    /// In which protocol.
    pub dialect: Dialect,
    /// From where the ranks of moves are counted.
    pub base: RankBase,
}

/// Why a line was not obeyed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Not a command of the protocol: said in debug mode only.
    NotUnderstood(String),
    /// A `position` that names no legal position: always said, and there is nothing to search until the next one.
    BadPosition(String),
    /// A `probe` that names no position: answered as one of which nothing is known.
    BadProbe(String),
    /// A command with a wrong argument: always said.
    BadArgument(String),
    /// A `position` or a `go` that is obeyed but for a part: said where it is obeyed.
    InPart(String),
}

/// What the user wants.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Introduce yourself in this protocol, and keep to its rules of conduct from now on.
    Handshake(Dialect),
    /// Are you there?
    IsReady,
    /// Change an option; `value` is everything behind the name.
    SetOption {
        /// As the user wrote it.
        name: String,
        /// As the user wrote it, possibly empty, in whatever encoding: it may be a path.
        value: OsString,
    },
    /// Say what each command is taken for from now on, or no longer: UCI's word, which is heard during a search too.
    Debug(bool),
    /// Start from here and play these moves.
    Position(GameText),
    /// These moves are forbidden in the current position; replaces earlier bans.
    BanMoves(Vec<MoveText>),
    /// Think.
    Go(Go),
    /// Count the leaves below each legal move: UCI's `go perft`.
    Perft {
        /// In plies.
        depth: u32,
    },
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
    DoMove(MoveText),
    /// A person wants to see something.
    Show(View),
    /// Go on with the colours exchanged, without what has been played so far.
    Flip,
    /// A person plays.
    Wish(Wish),
    /// End the process.
    Quit,
}

/// Order of a person who plays; programs have no words for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wish {
    /// Play these moves in the current position.
    Move(Vec<WrittenMove>),
    /// Take this number of moves back; none: until the person is to move again.
    Undo(Option<usize>),
    /// Another game, from the start position.
    Begin,
    /// A game of the person against the engine from here.
    Play {
        /// The person's; none: the side to move.
        side: Option<Side>,
        /// Time of the engine for each of its moves; none: as before.
        time: Option<Duration>,
    },
    /// No more of that game.
    Leave,
}

/// News of a game that a person plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum News {
    /// The person has played this number of moves.
    Played(usize),
    /// The engine has played the last move.
    Answered,
    /// This number of moves has been taken back.
    TakenBack(usize),
    /// Another game.
    Begun,
    /// A game against the engine, which takes so long for each of its moves.
    Opposed(Duration),
}

/// What a person can look at; programs have no words for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// The commands there are.
    Help,
    /// The board; in these letters, or as the person's surroundings can show them.
    Board(Option<Pieces>),
    /// The game, of which there are news.
    Game(News),
    /// The terms of the static value.
    Evaluation,
    /// The legal moves.
    Moves,
    /// The leaf nodes below each move.
    Perft {
        /// In plies.
        depth: u32,
    },
    /// The bench.
    Bench {
        /// In plies; none: that of the signature.
        depth: Option<u32>,
    },
}

/// How pieces are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pieces {
    /// As on a board.
    Chinese,
    /// As in a FEN.
    Letters,
}

/// A position as a protocol gives it: a start and the moves from there, not yet checked for legality. The protocol does
/// not know which variant is played, so the start may be one of any.
#[derive(Clone, PartialEq, Debug)]
pub struct GameText {
    /// Where the moves start.
    pub start: Position,
    /// Played from there.
    pub moves: Vec<WrittenMove>,
    /// From where those count ranks who write a position in this way, whatever its moves show; none: it is no
    /// particular way.
    pub accent: Option<RankBase>,
}

/// A move of a game as a user writes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WrittenMove {
    /// In coordinates, as the protocols do.
    Coordinates(MoveText),
    /// In WXF or Chinese notation.
    Named(NamedMove),
}

impl WrittenMove {
    /// The move if it is in coordinates, which show how the user counts ranks.
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

    /// Reads `h2e2` and its kin, `C2=5` and `炮二平五`.
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

/// How to think.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Go {
    /// On the opponent's time: hold the answer until `ponderhit` or `stop`.
    pub ponder: bool,
    /// The opponent offers a draw.
    pub draw: bool,
    /// Nothing but `stop` shall end it, whatever its limits: the answer is held until then.
    pub infinite: bool,
    /// Depth and nodes.
    pub limits: Limits,
    /// What this move may take beside the mover's clock, in milliseconds.
    pub move_time: Option<i64>,
    /// The mover's clock, if the protocol told it as such; read it through [`Go::clock_of`].
    pub clock: Option<Clock>,
    /// The clocks of both sides, if the protocol told them by colour; read them through [`Go::clock_of`].
    pub side_clocks: Option<SideClocks>,
    /// Only these root moves, if any are named.
    pub search_moves: Vec<MoveText>,
}

impl Go {
    /// Whether anything but `stop` shall end the search, once it is no longer pondering.
    pub fn is_bounded(&self) -> bool {
        !self.infinite && (self.limits != Limits::default() || self.is_timed())
    }

    fn is_timed(&self) -> bool {
        self.clock.is_some() || self.side_clocks.is_some()
    }

    /// Whether the position shall be looked into rather than a move be played: without any limit, or for a mate.
    pub fn is_analysis(&self) -> bool {
        let Limits { depth, nodes, mate } = self.limits;
        self.infinite || mate.is_some() || !self.is_timed() && depth.is_none() && nodes.is_none()
    }

    /// Whether `mover` may use later what it does not use of its time now.
    pub fn saves_time(&self, mover: Side) -> bool {
        let is_of_game = |clock: Clock| clock.mode != ClockMode::ThisMove;
        !self.infinite && self.move_time.is_none() && self.clock_of(mover).is_some_and(is_of_game)
    }

    /// The clock under which `mover` thinks, in whichever way it was told; `None` if the move is not timed.
    pub fn clock_of(&self, mover: Side) -> Option<Clock> {
        self.clock.or_else(|| self.side_clocks.and_then(|clocks| clocks.seen_by(mover)))
    }
}

/// The clocks of both sides by colour (UCI's `wtime` and its kin), in milliseconds. A protocol reads lines, not
/// positions, so only the controller knows which one is the mover's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SideClocks {
    /// Red's.
    pub red: SideClock,
    /// Black's.
    pub black: SideClock,
    /// Moves until the next time control, the same for both.
    pub moves_to_go: Option<u32>,
}

/// One side's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SideClock {
    /// What is left, if told.
    pub time: Option<i64>,
    /// What every move adds.
    pub increment: i64,
}

impl SideClocks {
    /// What the side to move may use. A protocol that told only the other side's time meant both.
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
    /// The time is for so many moves, and so much is added after every one of them.
    MovesToGo {
        /// Until the clock is refilled, this move included.
        moves: u32,
        /// After every move.
        increment: i64,
    },
}

/// What the controller says; a protocol turns it into a line or several.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// Names, options and the word that ends the handshake.
    Introduction,
    /// Answers `isready`.
    Ready,
    /// A move of the opening book, before one of them is played.
    BookMove {
        /// The move.
        mv: Move,
        /// How often it is played, relative to the others.
        weight: u16,
    },
    /// One iteration, with what the controller knows about the whole search.
    Info(Info),
    /// The root move that is being searched; said seldom.
    CurrentMove {
        /// Nominal depth of the iteration, in plies.
        depth: u32,
        /// The move.
        mv: Move,
        /// In the order of the search, from 1.
        number: usize,
    },
    /// A root move and the answer that refutes it; said only if the user wants it.
    Refutation(Vec<Move>),
    /// The line a worker is looking at; said only if the user wants it.
    CurrentLine {
        /// Which worker, from 1.
        worker: usize,
        /// From the root; never empty.
        line: Vec<Move>,
    },
    /// In analysis, all root moves proven so far to win or to lose; one of the lists may be empty.
    ProvenMoves {
        /// They win by force.
        winning: Vec<Move>,
        /// They lose by force.
        losing: Vec<Move>,
    },
    /// What the whole search has cost, said once it is over.
    Effort(Effort),
    /// Text for the user; one line, whatever it contains.
    Message(String),
    /// The answer to `go`.
    BestMove {
        /// What to play.
        best: Move,
        /// The expected answer.
        ponder: Option<Move>,
        /// What is said besides, in protocols that have words for it.
        closing: Option<Closing>,
    },
    /// The answer to `go` without a move: there is none, or none was asked for.
    NoBestMove,
    /// The static value asked for by `go depth 0`.
    StaticValue(Score),
    /// The answer to `probe`.
    TableContent(Option<TableContent>),
    /// The current position, for programs.
    Board {
        /// The FEN.
        fen: String,
        /// The key by which tables know it.
        key: u64,
        /// The squares of the pieces that give check.
        checkers: Vec<Square>,
    },
    /// The leaves below a root move.
    Leaves {
        /// The root move.
        mv: Move,
        /// Their number.
        leaves: u64,
    },
    /// The leaves below all root moves that have been told.
    AllLeaves(u64),
    /// The last line.
    Bye,
}

/// A word that may end the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Closing {
    /// The engine offers a draw, or accepts one.
    Draw,
    /// The engine gives up.
    Resign,
}

/// What a search has cost so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Nodes of all workers.
    pub nodes: u64,
    /// Since `go`.
    pub elapsed: Duration,
    /// Fill of the table in thousandths.
    pub hashfull: u32,
    /// Positions that tables of endgames knew.
    pub table_hits: u64,
}

/// Progress of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct Info {
    /// What the reporting worker found.
    pub iteration: Iteration,
    /// What it has cost.
    pub effort: Effort,
    /// How likely the mover wins, draws and loses, in thousandths that sum to 1000; only if the user wants it.
    pub wdl: Option<[u32; 3]>,
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
