//! Scores of positions: centipawns, mates and bans in one type that owns its arithmetic.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// Maximum length of a line in the search, in plies. Mate and ban scores span this many values.
pub const MAX_PLY: usize = 128;

/// A score from the mover's point of view.
///
/// ```text
///  |eval| <= MAX_EVAL  <  KNOWN - ply  <  ban band: BAN - ply  <  mate band: MATE - ply  <  INFINITE
/// ```
///
/// Evaluations are centipawns: a horse is worth about [`Score::MINOR`]. A *known* win comes from an endgame tablebase, without
/// a line to its end: it is better than any evaluation, but a mate that is seen is better. A *ban* is the loss of the side that
/// repeats against the rules (perpetual check or chase): worse than any of these, better than any mate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

const MATE: i32 = 32_000;
const BAN: i32 = 31_000;
const KNOWN: i32 = 30_500;
const SPAN: i32 = MAX_PLY as i32;

impl Score {
    /// An even position.
    pub const DRAW: Self = Self(0);
    /// A bound above every value that a search can return.
    pub const INFINITE: Self = Self(32_500);
    /// The largest evaluation, in centipawns.
    pub const MAX_EVAL: Self = Self(KNOWN - 2 * SPAN);
    /// Value of a horse or a cannon, in centipawns; UCCI counts in hundredths of it.
    pub const MINOR: i32 = 400;

    /// Converts a static evaluation in centipawns, which is kept inside the band of evaluations.
    pub fn from_eval(centipawns: i32) -> Self {
        Self(centipawns.clamp(-Self::MAX_EVAL.0, Self::MAX_EVAL.0))
    }

    /// Returns the score of a mover that is mated (or stalemated, which loses too) `ply` plies from the root.
    pub const fn mated_in(ply: usize) -> Self {
        Self(-MATE + ply as i32)
    }

    /// Returns the score of a mover that mates `ply` plies from the root.
    pub const fn mate_in(ply: usize) -> Self {
        Self(MATE - ply as i32)
    }

    /// Returns the score of a mover that loses `ply` plies from the root because it repeated against the rules.
    pub const fn banned_in(ply: usize) -> Self {
        Self(-BAN + ply as i32)
    }

    /// Returns the score of a mover that is known to win from the position `ply` plies from the root.
    pub const fn known_win_in(ply: usize) -> Self {
        Self(KNOWN - ply as i32)
    }

    /// Returns the value in centipawns, or the raw number of a mate, ban or known win.
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// Whether this is a mate for either side.
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= MATE - SPAN && self.0.abs() <= MATE
    }

    /// Whether this is a loss by the repetition rules for either side.
    pub const fn is_ban(self) -> bool {
        self.0.abs() >= BAN - SPAN && self.0.abs() <= BAN
    }

    /// Whether this is a win or loss that is known without a line to its end.
    pub const fn is_known(self) -> bool {
        self.0.abs() >= KNOWN - SPAN && self.0.abs() <= KNOWN
    }

    /// Whether the game is won or lost by force: a mate, a ban, or a known result.
    pub const fn is_decisive(self) -> bool {
        self.0.abs() >= KNOWN - SPAN
    }

    /// Whether the game is lost by force, in any of these ways.
    pub const fn is_lost(self) -> bool {
        self.is_decisive() && self.0 < Self::DRAW.0
    }

    /// Returns the plies from the root to the mate or to the forbidden repetition, if this is such a score.
    pub const fn plies_to_end(self) -> Option<usize> {
        if self.is_mate() {
            Some((MATE - self.0.abs()) as usize)
        } else if self.is_ban() {
            Some((BAN - self.0.abs()) as usize)
        } else {
            None
        }
    }

    /// Returns the score moved by this number of centipawns, inside the band of evaluations; a decisive score stays as it is.
    pub(crate) fn shifted(self, by: i32) -> Self {
        if by == 0 || self.is_decisive() { self } else { Self::from_eval(self.0 + by) }
    }

    /// Converts a score for the transposition table: a decisive one becomes relative to the node at `ply`.
    pub fn to_table(self, ply: usize) -> i16 {
        let shift = if self.is_decisive() { self.0.signum() * ply as i32 } else { 0 };
        i16::try_from(self.0 + shift).expect("scores fit sixteen bits")
    }

    /// Converts a stored score back at a node `ply` plies from the root: the inverse of [`Score::to_table`].
    pub fn from_table(stored: i16, ply: usize) -> Self {
        let stored = Self(i32::from(stored));
        let shift = if stored.is_decisive() { stored.0.signum() * ply as i32 } else { 0 };
        Self(stored.0 - shift)
    }
}

impl Neg for Score {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// Moves a score by a margin in centipawns.
impl Add<i32> for Score {
    type Output = Self;
    fn add(self, margin: i32) -> Self {
        Self(self.0 + margin)
    }
}

/// Moves a score down by a margin in centipawns.
impl Sub<i32> for Score {
    type Output = Self;
    fn sub(self, margin: i32) -> Self {
        Self(self.0 - margin)
    }
}

/// The difference between two scores, in centipawns.
impl Sub for Score {
    type Output = i32;
    fn sub(self, other: Self) -> i32 {
        self.0 - other.0
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies_to_end() {
            Some(plies) if self.is_mate() => write!(f, "{}mate in {plies} plies", if self.0 < 0 { "-" } else { "" }),
            Some(plies) => write!(f, "{}ban in {plies} plies", if self.0 < 0 { "-" } else { "" }),
            None if self.is_known() => {
                write!(f, "{}known in {} plies", if self.0 < 0 { "-" } else { "" }, KNOWN - self.0.abs())
            }
            None => write!(f, "{} cp", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bands_do_not_overlap() {
        assert!(Score::MAX_EVAL < Score::known_win_in(MAX_PLY));
        assert!(Score::known_win_in(0) < -Score::banned_in(MAX_PLY));
        assert!(-Score::banned_in(0) < Score::mate_in(MAX_PLY));
        assert!(Score::mate_in(0) < Score::INFINITE);
        assert!(Score::mate_in(5).is_mate() && !Score::mate_in(5).is_ban());
        assert!(Score::banned_in(5).is_ban() && !Score::banned_in(5).is_mate());
        assert!(Score::known_win_in(5).is_known() && Score::known_win_in(MAX_PLY).is_decisive());
        assert!(!(-Score::banned_in(5)).is_known() && !Score::MAX_EVAL.is_known());
        assert_eq!(Score::known_win_in(5).plies_to_end(), None, "the end has not been searched");
        assert!(!Score::MAX_EVAL.is_decisive());
    }

    #[test]
    fn a_score_survives_the_table() {
        for ply in [0, 1, 60, MAX_PLY / 2] {
            let known = -Score::known_win_in(ply + 4);
            for score in [Score::mated_in(ply + 3), Score::mate_in(ply + 9), known, Score::from_eval(-317), Score::DRAW]
            {
                assert_eq!(Score::from_table(score.to_table(ply), ply), score);
            }
        }
    }
}
