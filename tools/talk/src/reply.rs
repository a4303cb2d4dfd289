//! Lines of the engine.

use chuhe::engine::event::Closing;

/// A line of the engine.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// `id` with a field and its text.
    Id,
    /// Announcement of an option.
    Option(Announced),
    /// End of the introduction.
    Greeted,
    /// `readyok`.
    Ready,
    /// Text for users.
    Message(String),
    /// Depth, score and line of play.
    Progress(Progress),
    /// Book move; in UCI it is a message.
    Book(String),
    /// Root move being searched.
    CurrentMove(String),
    /// `refutation` in UCI.
    Refutation(Vec<String>),
    /// `currline` in UCI.
    CurrentLine(Vec<String>),
    /// Time and nodes of the search.
    Cost(Cost),
    /// Static evaluation: a score without a line.
    Static(Value),
    /// Answer to `go`.
    BestMove {
        /// Move to play.
        best: String,
        /// Expected reply.
        ponder: Option<String>,
        /// Draw offer or resignation, in UCCI.
        closing: Option<Closing>,
    },
    /// Answer to `go` without a legal move.
    NoBestMove,
    /// Answer to `probe`: the hash move, if the table has one.
    Known(Option<String>),
    /// Line of the machine-readable position, by its label.
    Board(&'static str),
    /// `bye`, the last line.
    Bye,
}

/// Labels of the machine-readable position, in the order of its lines.
pub const BOARD: [&str; 3] = ["Fen:", "Key:", "Checkers:"];

/// An announced option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Announced {
    /// Name of the option, which may contain blanks.
    pub name: String,
    /// Type of the option.
    pub kind: Kind,
}

/// Type of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Boolean.
    Check,
    /// Integer within a range, bounds included.
    Spin(i64, i64),
    /// One of these words.
    Combo(Vec<String>),
    /// Text or name of a file.
    Text,
    /// Button without a value.
    Button,
}

/// Report of a line of play.
#[derive(Clone, PartialEq, Debug)]
pub struct Progress {
    /// Depth, in plies.
    pub depth: u32,
    /// Rank of the line (`multipv`), from 1.
    pub rank: usize,
    /// Score for the side to move.
    pub value: Value,
    /// Whether the score is a bound.
    pub is_bound: bool,
    /// Wins, draws and losses, in thousandths.
    pub wdl: Option<[u32; 3]>,
    /// Time and nodes so far.
    pub cost: Cost,
    /// Principal variation (PV); never empty.
    pub pv: Vec<String>,
}

/// A score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Score in the units of the protocol.
    Units(i32),
    /// Mate in this number of moves of the winner, negative for the loser.
    Mate(i32),
}

/// Time and nodes of a search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Cost {
    /// Time, in milliseconds.
    pub time: u64,
    /// Nodes of all workers.
    pub nodes: u64,
}
