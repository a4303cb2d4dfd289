//! A recorded game, independent of the format it was read from.

use chuhe::board::{Kind, Move, Position, Side};

/// A game that replays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Position before the first move.
    pub start: Position,
    /// Moves of the game.
    pub moves: Vec<Move>,
    /// Moves that were not played: alternatives to those of the game.
    pub variations: Vec<Variation>,
    /// Variations that break off before their end, with the reason.
    pub broken: Vec<Faulty>,
    /// Result, if known.
    pub result: Option<Outcome>,
    /// Names of Red and Black; empty if unknown.
    pub players: [String; 2],
    /// Ratings of Red and Black; 0 if unknown.
    pub ratings: [u16; 2],
    /// Comments of formats other than PGN, whose comments `PgnGame` keeps as text.
    pub comments: Vec<Comment>,
}

impl Game {
    /// Creates a game of which only the moves are known.
    pub(crate) fn bare(start: Position, moves: Vec<Move>) -> Self {
        Self {
            start,
            moves,
            variations: vec![],
            broken: vec![],
            result: None,
            players: Default::default(),
            ratings: [0; 2],
            comments: vec![],
        }
    }

    /// Adds a comment after the first `moves` moves of a line: 0 for the game, from 1 for its variations.
    pub(crate) fn comment(&mut self, line: usize, moves: usize, text: &str) {
        let text = text.trim();
        if !text.is_empty() {
            self.comments.push(Comment { line, moves, text: text.to_owned() });
        }
    }
}

/// Comment on a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comment {
    /// Line of the move: 0 for the game, from 1 for its variations in order.
    pub line: usize,
    /// Number of moves of that line up to the comment; 0 stands before the first move.
    pub moves: usize,
    /// Text, without blanks around it.
    pub text: String,
}

/// Moves that branch off from the game or from another variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    /// Plies of the game before the first move of the variation.
    pub ply: usize,
    /// Position before the first move.
    pub start: Position,
    /// Moves of the variation.
    pub moves: Vec<Move>,
}

/// Replays moves: returns the positions before each move and after the last one.
///
/// # Errors
/// The index of the first illegal move, and the move.
pub fn replay(start: Position, moves: impl IntoIterator<Item = Move>) -> Result<Vec<Position>, (usize, Move)> {
    let mut positions = vec![start];
    for (index, mv) in moves.into_iter().enumerate() {
        let position = positions[index];
        if !position.is_legal(mv) {
            return Err((index, mv));
        }
        positions.push(position.play(mv));
    }
    Ok(positions)
}

/// Whether a move ignores a check and `reply` takes the king: some servers and programs let their users do so.
pub(crate) fn loses_king(position: &Position, mv: Move, reply: Move) -> bool {
    let Some(piece) = position.piece_on(mv.from()).filter(|piece| piece.side() == position.side()) else {
        return false;
    };
    let king = if piece.kind() == Kind::King { mv.to() } else { position.king(position.side()) };
    position.reach(piece, mv.from()).has(mv.to()) && !position.is_legal(mv) && reply.to() == king
}

/// Outcome of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// Win of this side.
    Won(Side),
    /// Draw.
    Drawn,
}

impl Outcome {
    /// Returns the half points of a side: 2 for a win, 1 for a draw.
    pub fn half_points(self, side: Side) -> u8 {
        match self {
            Self::Drawn => 1,
            Self::Won(winner) => {
                if winner == side {
                    2
                } else {
                    0
                }
            }
        }
    }

    /// Parses a result as PGN writes it; `None` if the game is undecided.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        match text {
            "1-0" => Some(Self::Won(Side::Red)),
            "0-1" => Some(Self::Won(Side::Black)),
            "1/2-1/2" => Some(Self::Drawn),
            _ => None,
        }
    }
}

/// Error of a game that does not replay: its place in the file, and the reason.
pub type Faulty = String;
