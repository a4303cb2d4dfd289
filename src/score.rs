//! A position's value: centipawns, mates and bans in one type that owns its arithmetic.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// Longest line, in plies, that a search may look at. Mate and ban scores span this many values.
pub const MAX_PLY: usize = 128;

/// A value from the mover's point of view.
///
/// ```text
///  |eval| <= MAX_EVAL  <  KNOWN - ply  <  ban band: BAN - ply  <  mate band: MATE - ply  <  INFINITE
/// ```
///
/// Evaluations are centipawns: a horse is worth about [`Score::MINOR`]. A win that is *known* is one of which a table of
/// endgames says no more than that: better than any evaluation, but a mate that is seen is better. A *ban* is the loss of the
/// side that repeats against the rules (perpetual check or chase): worse than any of these, better than any mate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

const MATE: i32 = 32_000;
const BAN: i32 = 31_000;
const KNOWN: i32 = 30_500;
const SPAN: i32 = MAX_PLY as i32;

impl Score {
    /// An even position.
    pub const DRAW: Self = Self(0);
    /// Above every value a search can return.
    pub const INFINITE: Self = Self(32_500);
    /// The largest evaluation, in centipawns.
    pub const MAX_EVAL: Self = Self(KNOWN - 2 * SPAN);
    /// What a horse or a cannon is worth, in centipawns; UCCI counts in hundredths of it.
    pub const MINOR: i32 = 400;

    /// A static value in centipawns, kept inside the band of evaluations.
    pub fn from_eval(centipawns: i32) -> Self {
        Self(centipawns.clamp(-Self::MAX_EVAL.0, Self::MAX_EVAL.0))
    }

    /// The mover is mated (or stalemated, which loses too) `ply` plies from the root.
    pub const fn mated_in(ply: usize) -> Self {
        Self(-MATE + ply as i32)
    }

    /// The mover mates `ply` plies from the root.
    pub const fn mate_in(ply: usize) -> Self {
        Self(MATE - ply as i32)
    }

    /// The mover loses `ply` plies from the root because it repeated against the rules.
    pub const fn banned_in(ply: usize) -> Self {
        Self(-BAN + ply as i32)
    }

    /// The mover is known to win from the position `ply` plies from the root.
    pub const fn known_win_in(ply: usize) -> Self {
        Self(KNOWN - ply as i32)
    }

    /// The value in centipawns, or the raw number of a mate, ban or known win.
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// A mate for either side.
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= MATE - SPAN && self.0.abs() <= MATE
    }

    /// A loss by the repetition rules for either side.
    pub const fn is_ban(self) -> bool {
        self.0.abs() >= BAN - SPAN && self.0.abs() <= BAN
    }

    /// A win or loss that is known without a line to its end.
    pub const fn is_known(self) -> bool {
        self.0.abs() >= KNOWN - SPAN && self.0.abs() <= KNOWN
    }

    /// Won or lost by force: a mate, a ban, or what is known.
    pub const fn is_decisive(self) -> bool {
        self.0.abs() >= KNOWN - SPAN
    }

    /// Lost by force, in any of these ways.
    pub const fn is_lost(self) -> bool {
        self.is_decisive() && self.0 < Self::DRAW.0
    }

    /// Plies from the root to the mate or to the forbidden repetition, if this is such a score.
    pub const fn plies_to_end(self) -> Option<usize> {
        if self.is_mate() {
            Some((MATE - self.0.abs()) as usize)
        } else if self.is_ban() {
            Some((BAN - self.0.abs()) as usize)
        } else {
            None
        }
    }

    /// The score moved by so many centipawns, inside the band of evaluations; a mate or ban stays what it is.
    pub(crate) fn shifted(self, by: i32) -> Self {
        if by == 0 || self.is_decisive() { self } else { Self::from_eval(self.0 + by) }
    }

    /// Makes a mate relative to the node at `ply`, as the table stores it.
    pub fn to_table(self, ply: usize) -> i16 {
        let shift = if self.is_decisive() { self.0.signum() * ply as i32 } else { 0 };
        i16::try_from(self.0 + shift).expect("scores fit sixteen bits")
    }

    /// Undoes [`Score::to_table`] at a node `ply` plies from the root.
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

/// The distance between two scores, in centipawns.
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
        assert_eq!(Score::known_win_in(5).plies_to_end(), None, "nobody has seen the end");
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
