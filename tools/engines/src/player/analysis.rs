//! Analysis of a single position by an engine, outside of any game, for other tools.

use chuhe::board::{Move, Position};
use chuhe::score::{MAX_PLY, Score};

use super::conversation::SearchResult;
use super::eval::Eval;
use super::failure::{Failure, FailureClass};

/// Result of an engine's analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// Best move; always legal, and not one of the banned moves.
    pub mv: Move,
    /// Score for the mover, in centipawns of [`Score`]'s scale; `None` if the engine gave none.
    pub score: Option<Score>,
    /// Depth, in plies.
    pub depth: Option<u32>,
    /// Nodes of the last report.
    pub nodes: Option<u64>,
}

/// Returns the result of a search; `None` if the engine offers no move. An illegal or banned move is an error.
pub(super) fn analysis(
    found: &SearchResult,
    position: &Position,
    banned: &[Move],
) -> Result<Option<Analysis>, Failure> {
    let Some(text) = &found.text else { return Ok(None) };
    let place = || format!("{text:.20} in {}", position.to_fen());
    let Some(mv) = found.mv.filter(|&mv| position.is_legal(mv)) else {
        return Err(Failure::new(FailureClass::IllegalMove, format!("it plays {}, which is not legal", place())));
    };
    if banned.contains(&mv) {
        return Err(Failure::new(FailureClass::BannedMove, format!("it plays {}, which was forbidden", place())));
    }
    let score = found.eval.map(score);
    Ok(Some(Analysis { mv, score, depth: found.info.depth, nodes: found.info.nodes }))
}

/// Converts to the scale of Chuhe's own search.
fn score(eval: Eval) -> Score {
    let decided = |wins: bool, plies: i32| {
        let plies = usize::try_from(plies).unwrap_or(0).min(MAX_PLY);
        if wins { Score::mate_in(plies) } else { Score::mated_in(plies) }
    };
    match eval {
        Eval::Centipawns(centipawns) => Score::from_eval(centipawns),
        Eval::Mate(moves) if moves > 0 => decided(true, moves.saturating_mul(2) - 1),
        Eval::Mate(moves) => decided(false, moves.saturating_mul(-2)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_plies_and_stay_beyond_every_evaluation() {
        assert_eq!(score(Eval::Centipawns(-40)), Score::from_eval(-40));
        assert_eq!(score(Eval::Mate(2)), Score::mate_in(3));
        assert_eq!(score(Eval::Mate(-1)), Score::mated_in(2));
        assert_eq!(score(Eval::Mate(0)), Score::mated_in(0));
        for number in [i32::MIN, i32::MAX] {
            assert!(!score(Eval::Centipawns(number)).is_mate() && score(Eval::Mate(number)).is_mate());
        }
    }
}
