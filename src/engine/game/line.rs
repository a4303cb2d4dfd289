//! A game continued by moves as a user writes them.

use std::fmt;

use crate::board::{Move, Position, RankBase, Spelled};
use crate::engine::event::WrittenMove;
use crate::notation::NotationError;

/// Reason why a move is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::engine) enum Refusal {
    /// There is no such move.
    NotLegal,
    /// There are several such moves, listed as the user would write them.
    Ambiguous(Vec<String>),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotLegal => f.write_str("is not legal"),
            Self::Ambiguous(moves) => write!(f, "may mean any of {}", moves.join(", ")),
        }
    }
}

/// A continuation of a game.
#[derive(Debug)]
pub(super) struct Line {
    /// Base in which the moves were read.
    pub(super) base: RankBase,
    /// The positions, as far back as they can still matter.
    pub(super) history: Vec<Position>,
    /// The moves played.
    pub(super) moves: Vec<Move>,
    /// Reason why the move after them is refused.
    pub(super) refused: Option<Refusal>,
}

impl Line {
    /// Continues from the end of `history`, as far as the moves are legal in this base.
    pub(super) fn of(history: &[Position], moves: &[WrittenMove], base: RankBase) -> Self {
        let mut line = Self { base, history: history.to_vec(), moves: Vec::new(), refused: None };
        for mv in moves {
            let Some(position) = line.history.last() else { break };
            match read(position, mv, base) {
                Ok(mv) => {
                    push(&mut line.history, mv);
                    line.moves.push(mv);
                }
                Err(why) => {
                    line.refused = Some(why);
                    break;
                }
            }
        }
        line
    }
}

/// Reads a move of `position` with ranks counted from `base`.
fn read(position: &Position, mv: &WrittenMove, base: RankBase) -> Result<Move, Refusal> {
    match mv {
        WrittenMove::Coordinates(mv) => mv.read(base).filter(|&mv| position.is_legal(mv)).ok_or(Refusal::NotLegal),
        WrittenMove::Named(mv) => mv.read(position).map_err(|error| match error {
            NotationError::Ambiguous { moves, .. } => {
                Refusal::Ambiguous(moves.iter().map(|&mv| Spelled(mv, base).to_string()).collect())
            }
            NotationError::Illegal(_) | NotationError::Unreadable { .. } => Refusal::NotLegal,
        }),
    }
}

/// Plays a legal move.
pub(super) fn push(history: &mut Vec<Position>, mv: Move) {
    history.extend(history.last().map(|position| position.play(mv)));
    drop_irrelevant(history);
}

/// Positions kept before the last capture. They cannot occur again, but the last game is recognised by the position after the
/// engine's last move, and the opponent may have captured since.
pub(super) const BEFORE_CAPTURE: usize = 8;

/// Maximum number of positions kept. With any limit, at most 2,000 plies without a capture, the game is drawn earlier; the
/// bound keeps the engine fast for users who go on all the same.
pub(super) const LONGEST_MEMORY: usize = 4096;

/// Drops the positions that no rule needs any more, once they are the larger half.
pub(super) fn drop_irrelevant(history: &mut Vec<Position>) {
    let Some(last) = history.last() else { return };
    let comparable = usize::from(last.reversible_plies()) + 1;
    let needed = (comparable + BEFORE_CAPTURE).min(LONGEST_MEMORY);
    if history.len() >= 2 * needed {
        history.drain(..history.len() - needed);
    }
}
