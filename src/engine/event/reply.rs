//! Replies of the controller.

use std::time::Duration;

use super::command::Dialect;
use crate::board::{Move, RankBase, Square};
use crate::score::Score;
use crate::search::Iteration;

/// Output format of replies.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct OutputFormat {
    /// Protocol of the output.
    pub dialect: Dialect,
    /// Rank base of the moves.
    pub base: RankBase,
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
