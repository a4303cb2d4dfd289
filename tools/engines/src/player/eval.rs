//! What an engine says that a position is worth: in its own units as it said it, and in centipawns.

use chuhe::score::Score;

/// A score, for the side that moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Eval {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in so many moves; negative, or 0, when being mated.
    Mate(i32),
}

/// A score as an engine gave it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Said {
    /// A number that says itself that it counts centipawns.
    Centipawns(i32),
    /// A bare number, in the unit of the engine or of its protocol.
    Units(i32),
    /// Mate in so many moves; negative when being mated.
    Mate(i32),
}

/// UCCI has no word for mates: engines write numbers that no material is worth, a point less for every ply to the mate.
const UCCI_MATE: i64 = 10_000;

/// What seems further away than this is no mate: from 9,900 down ElephantEye, and Chuhe like it, counts the plies to a win by the
/// rules of repetition.
const FURTHEST_MATE: i64 = 99;

/// What a bare 100 is worth in centipawns, as UCCI counts: in hundredths of a minor piece.
pub(crate) const UCCI_HUNDRED: u32 = Score::MINOR.unsigned_abs();

/// What a bare 100 is worth in centipawns everywhere else.
pub(crate) const HUNDRED: u32 = 100;

impl Said {
    /// In centipawns, a bare 100 being `hundred` of them.
    pub(crate) fn eval(self, hundred: u32) -> Eval {
        match self {
            Self::Centipawns(centipawns) => Eval::Centipawns(centipawns),
            Self::Units(units) => Eval::Centipawns(saturating(i64::from(units) * i64::from(hundred) / 100)),
            Self::Mate(moves) => Eval::Mate(moves),
        }
    }

    /// The same where mates are numbers near [`UCCI_MATE`].
    pub(crate) fn ucci_eval(self, hundred: u32) -> Eval {
        let Self::Units(units) = self else { return self.eval(hundred) };
        let plies = UCCI_MATE - i64::from(units).abs();
        if plies > FURTHEST_MATE {
            return self.eval(hundred);
        }
        // The winner mates with its own move, after an odd number of plies; the loser has the last word but one.
        // Where an engine reports a mate on the board, the winner's number is still not that of the loser.
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
        assert_eq!(Said::Units(100).ucci_eval(UCCI_HUNDRED), Eval::Centipawns(Score::MINOR));
        assert_eq!(Said::Units(-40).eval(HUNDRED), Eval::Centipawns(-40));
        assert_eq!(Said::Units(-210).eval(50), Eval::Centipawns(-105));
        assert_eq!(Said::Centipawns(53).ucci_eval(UCCI_HUNDRED), Eval::Centipawns(53), "it says its unit");
        for units in [i32::MIN, i32::MAX] {
            assert_eq!(Said::Units(units).eval(HUNDRED), Eval::Centipawns(units));
            assert_eq!(Said::Units(units).eval(400), Eval::Centipawns(units), "no overflow");
        }
    }

    #[test]
    fn mates_are_mates_in_every_protocol() {
        // Mate with this move, with the next one but one; mated at once, by the answer to this move.
        for (units, moves) in
            [(9_999, 1), (9_997, 2), (-10_000, 0), (-9_998, -1), (10_000, 1), (20_000, 1), (-20_000, 0)]
        {
            assert_eq!(Said::Units(units).ucci_eval(UCCI_HUNDRED), Eval::Mate(moves), "{units}");
        }
        // A loss by perpetual check: ElephantEye counts it, and its plies, from 9,900.
        for units in [9_899, -9_890] {
            assert_eq!(Said::Units(units).ucci_eval(UCCI_HUNDRED), Eval::Centipawns(4 * units), "{units} is no mate");
        }
        assert_eq!(Said::Mate(-3).eval(HUNDRED), Eval::Mate(-3));
        assert_eq!(Said::Units(9_000).ucci_eval(UCCI_HUNDRED), Eval::Centipawns(36_000));
    }
}
