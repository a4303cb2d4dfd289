//! Asking an engine about a position outside of any game: what other tools need of it.

use chuhe::board::{Move, Position};
use chuhe::score::{MAX_PLY, Score};

use super::conversation::Thought;
use super::dialect::{Remaining, Situation};
use super::eval::Eval;
use super::failure::{Failure, FailureClass, Trouble};
use super::{Player, Protocol};

/// What an engine thinks of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opinion {
    /// What it would play; always legal, and none of the moves it was forbidden.
    pub mv: Move,
    /// For the mover, in centipawns of [`Score`]'s scale; none if it did not say.
    pub score: Option<Score>,
    /// In plies.
    pub depth: Option<u32>,
    /// Of its last report.
    pub nodes: Option<u64>,
}

/// UCCI has no word for mates: engines write numbers that no material is worth.
const UCCI_MATE: i32 = 9_999;

impl Player {
    /// Lets the engine think about a position as if a game began there, within the limits of its
    /// [`EngineSpec::time`](super::EngineSpec), of which a clock (`base`) does not count. It must not answer with one of
    /// `banned`, and is told that a new game begins, so that what it was asked before does not matter. `None`: it has no
    /// move to offer.
    ///
    /// `watch` is called now and then; `true` breaks the thinking off and ends the process, which the next call starts
    /// anew.
    ///
    /// # Errors
    /// If it cannot be started, fails, or answers with what may not be played; [`FailureClass::Interrupted`] if it was
    /// broken off.
    pub fn consider(
        &mut self,
        position: &Position,
        banned: &[Move],
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Opinion>, Failure> {
        self.new_game()?;
        let positions = [*position];
        let clocks = [Remaining::default(); 2];
        let situation = Situation { positions: &positions, moves: &[], banned, clocks, draw_offered: false };
        let thought = self.think(&situation, watch).map_err(|trouble| match trouble {
            Trouble::Failed(failure) => failure,
            Trouble::Cancelled => Failure::new(FailureClass::Interrupted, "interrupted"),
        })?;
        let protocol = self.protocol();
        opinion(&thought, position, banned, protocol)
    }
}

fn opinion(
    thought: &Thought,
    position: &Position,
    banned: &[Move],
    protocol: Option<Protocol>,
) -> Result<Option<Opinion>, Failure> {
    let Some(text) = &thought.text else { return Ok(None) };
    let place = || format!("{text:.20} in {}", position.to_fen());
    let Some(mv) = thought.mv.filter(|&mv| position.is_legal(mv)) else {
        return Err(Failure::new(FailureClass::IllegalMove, format!("it plays {}, which is not legal", place())));
    };
    if banned.contains(&mv) {
        return Err(Failure::new(FailureClass::BannedMove, format!("it plays {}, which was forbidden", place())));
    }
    let score = thought.info.eval.map(|eval| score(eval, protocol));
    Ok(Some(Opinion { mv, score, depth: thought.info.depth, nodes: thought.info.nodes }))
}

/// On one scale for both protocols.
fn score(eval: Eval, protocol: Option<Protocol>) -> Score {
    let decided = |wins: bool, plies: i32| {
        let plies = usize::try_from(plies).unwrap_or(0).min(MAX_PLY);
        if wins { Score::mate_in(plies) } else { Score::mated_in(plies) }
    };
    match eval {
        Eval::Mate(moves) if moves > 0 => decided(true, moves.saturating_mul(2) - 1),
        Eval::Mate(moves) => decided(false, moves.saturating_mul(-2)),
        Eval::Units(units) if protocol == Some(Protocol::Ucci) => {
            match UCCI_MATE.saturating_sub(units.saturating_abs()) {
                plies if plies <= MAX_PLY as i32 => decided(units > 0, plies),
                _ => Score::from_eval(units * (Score::MINOR / 100)),
            }
        }
        Eval::Units(units) => Score::from_eval(units),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_protocols_are_on_one_scale() {
        let (ucci, uci) = (Some(Protocol::Ucci), Some(Protocol::Uci));
        assert_eq!(score(Eval::Units(100), ucci), Score::from_eval(Score::MINOR));
        assert_eq!(score(Eval::Units(-40), uci), Score::from_eval(-40));
        assert_eq!(score(Eval::Units(9_996), ucci), Score::mate_in(3));
        assert_eq!(score(Eval::Units(-9_997), ucci), Score::mated_in(2));
        assert_eq!(score(Eval::Mate(2), uci), Score::mate_in(3));
        assert_eq!(score(Eval::Mate(-1), uci), Score::mated_in(2));
        for units in [i32::MIN, i32::MAX] {
            assert!(score(Eval::Units(units), ucci).is_mate() && !score(Eval::Units(units), uci).is_mate());
            assert!(score(Eval::Mate(units), uci).is_mate());
        }
    }
}
