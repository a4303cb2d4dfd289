//! Scores reported by an engine: in its own units, and in centipawns.

use chuhe::score::Score;

/// A score, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eval {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in this number of moves; negative, or 0, when being mated.
    Mate(i32),
}

/// A score as an engine gave it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RawScore {
    /// A number marked as centipawns.
    Centipawns(i32),
    /// A bare number, in the unit of the engine or of its protocol.
    Units(i32),
    /// Mate in this number of moves; negative when being mated.
    Mate(i32),
}

/// Score of a mate in UCCI, which has no keyword for mates: engines subtract a point for every ply to the mate.
const UCCI_MATE: i64 = 10_000;

/// Longest mate that a UCCI score can express, in plies: from 9,900 down, ElephantEye and Chuhe count the plies to a win by
/// repetition.
const FURTHEST_MATE: i64 = 99;

/// Centipawns per 100 units in UCCI, whose unit is a hundredth of a minor piece.
pub(crate) const UCCI_SCORE_UNIT: u32 = Score::MINOR.unsigned_abs();

/// Centipawns per 100 units everywhere else.
pub(crate) const SCORE_UNIT: u32 = 100;

impl RawScore {
    /// Converts to centipawns, with `score_unit` centipawns per 100 units.
    pub(crate) fn eval(self, score_unit: u32) -> Eval {
        match self {
            Self::Centipawns(centipawns) => Eval::Centipawns(centipawns),
            Self::Units(units) => Eval::Centipawns(saturating(i64::from(units) * i64::from(score_unit) / 100)),
            Self::Mate(moves) => Eval::Mate(moves),
        }
    }

    /// Converts to centipawns in UCCI, where mates are numbers near [`UCCI_MATE`].
    pub(crate) fn ucci_eval(self, score_unit: u32) -> Eval {
        let Self::Units(units) = self else { return self.eval(score_unit) };
        let plies = UCCI_MATE - i64::from(units).abs();
        if plies > FURTHEST_MATE {
            return self.eval(score_unit);
        }
        // The winner mates with its own move, after an odd number of plies, and the loser is mated after an even number. For a
        // mate on the board the winner still gets another number than the loser: one move.
        Eval::Mate(saturating(if units > 0 { (plies.max(1) + 1) / 2 } else { -(plies.max(0) / 2) }))
    }
}

fn saturating(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_centipawns_by_their_unit() {
        assert_eq!(RawScore::Units(100).ucci_eval(UCCI_SCORE_UNIT), Eval::Centipawns(Score::MINOR));
        assert_eq!(RawScore::Units(-40).eval(SCORE_UNIT), Eval::Centipawns(-40));
        assert_eq!(RawScore::Units(-210).eval(50), Eval::Centipawns(-105));
        assert_eq!(RawScore::Centipawns(53).ucci_eval(UCCI_SCORE_UNIT), Eval::Centipawns(53), "it says its unit");
        for units in [i32::MIN, i32::MAX] {
            assert_eq!(RawScore::Units(units).eval(SCORE_UNIT), Eval::Centipawns(units));
            assert_eq!(RawScore::Units(units).eval(400), Eval::Centipawns(units), "no overflow");
        }
    }

    #[test]
    fn mates_are_mates_in_every_protocol() {
        // Mate in one, in two; mated now, by the reply to the next move; numbers out of range.
        for (units, moves) in
            [(9_999, 1), (9_997, 2), (-10_000, 0), (-9_998, -1), (10_000, 1), (20_000, 1), (-20_000, 0)]
        {
            assert_eq!(RawScore::Units(units).ucci_eval(UCCI_SCORE_UNIT), Eval::Mate(moves), "{units}");
        }
        // A game decided by perpetual check: ElephantEye counts its plies from 9,900.
        for units in [9_899, -9_890] {
            assert_eq!(
                RawScore::Units(units).ucci_eval(UCCI_SCORE_UNIT),
                Eval::Centipawns(4 * units),
                "{units} is not a mate"
            );
        }
        assert_eq!(RawScore::Mate(-3).eval(SCORE_UNIT), Eval::Mate(-3));
        assert_eq!(RawScore::Units(9_000).ucci_eval(UCCI_SCORE_UNIT), Eval::Centipawns(36_000));
    }
}
