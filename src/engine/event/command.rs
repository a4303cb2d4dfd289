//! Commands of the user, and the faults of lines that are none.

use std::ffi::OsString;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::go::Go;
use crate::board::{Move, MoveError, MoveText, Position, RankBase, Side};
use crate::notation::NamedMove;

/// Protocol whose conduct the engine follows: the two differ in more than words.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Dialect {
    /// UCCI: an idle `stop` is answered, a mate ends an infinite search, the last line is a farewell.
    #[default]
    Ucci,
    /// UCI: an idle `stop` and `quit` are silent, an infinite search ends by `stop` alone.
    Uci,
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
    /// Sets an option; `value` is everything after the name.
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
    Terminal(TerminalCommand),
    /// Ends the process.
    Quit,
}

/// Command of a user who plays at a terminal; programs have no words for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TerminalCommand {
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
    pub rank_hint: Option<RankBase>,
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
