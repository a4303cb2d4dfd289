//! Rank base of the user: programs disagree on it, and some never show it.

use crate::board::{MoveText, RankBase};

/// Evidence of a user's rank base, strongest first.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Ranks {
    /// Base set by the option.
    by_option: Option<RankBase>,
    /// Base that moves have shown.
    by_moves: Option<RankBase>,
    /// Base that the way of writing positions suggests.
    by_convention: Option<RankBase>,
    /// Base to assume as long as nothing is known.
    assumed: RankBase,
    /// Whether only a rank that one base lacks shows the other: the protocol has a base of its own.
    strict: bool,
}

impl Ranks {
    /// Sets what is known beforehand; what the user has shown stays.
    pub(super) fn expect(&mut self, by_option: Option<RankBase>, assumed: RankBase, strict: bool) {
        *self = Self { by_option, assumed, strict, ..*self };
    }

    /// Forgets what was shown, since another user may count differently.
    pub(super) fn forget_evidence(&mut self) {
        (self.by_moves, self.by_convention) = (None, None);
    }

    /// Returns the base in which moves are written, and read unless that makes no sense.
    pub(super) fn in_force(&self) -> RankBase {
        self.by_option.or(self.by_moves).or(self.by_convention).unwrap_or(self.assumed)
    }

    /// Whether the option or moves have settled the base.
    pub(super) fn are_known(&self) -> bool {
        self.by_option.or(self.by_moves).is_some()
    }

    /// Returns the possible bases, the likelier one first.
    pub(super) fn candidates(&self) -> impl Iterator<Item = RankBase> + use<> {
        let first = self.in_force();
        [first].into_iter().chain(self.by_option.is_none().then_some(first.other()))
    }

    /// Records the base that usually goes with a way of writing positions: weaker evidence than moves, stronger than the
    /// assumption.
    pub(super) fn note_convention(&mut self, convention: Option<RankBase>) {
        self.by_convention = convention.or(self.by_convention);
    }

    /// Records moves that were all legal when read in `base`.
    pub(super) fn learn(&mut self, base: RankBase, moves: &[MoveText]) {
        let proven = moves.iter().any(|mv| mv.read(base.other()).is_none());
        // Moves that make sense in the other base alone refute what was shown before, though they prove nothing by themselves.
        let refutes = self.by_moves.is_some_and(|shown| shown != base);
        if proven || (refutes || !self.strict) && !moves.is_empty() {
            self.by_moves = Some(base);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use RankBase::{One, Zero};

    fn moves(text: &str) -> Vec<MoveText> {
        text.split_whitespace().map(|mv| mv.parse().unwrap()).collect()
    }

    #[test]
    fn what_is_reported_outweighs_what_is_shown_and_that_what_is_assumed() {
        let mut ranks = Ranks::default();
        assert_eq!((ranks.in_force(), ranks.are_known()), (Zero, false));
        ranks.expect(None, One, false);
        assert_eq!(ranks.candidates().collect::<Vec<_>>(), [One, Zero]);
        ranks.learn(Zero, &moves("h2e2"));
        assert_eq!((ranks.in_force(), ranks.are_known()), (Zero, true));
        ranks.expect(Some(One), One, false);
        assert_eq!(ranks.candidates().collect::<Vec<_>>(), [One]);
        ranks.expect(None, One, false);
        assert_eq!(ranks.in_force(), Zero);
        ranks.forget_evidence();
        assert_eq!(ranks.in_force(), One);
    }

    #[test]
    fn an_convention_outweighs_an_assumption_and_nothing_else() {
        let mut ranks = Ranks::default();
        ranks.expect(None, One, false);
        ranks.note_convention(None);
        assert_eq!(ranks.in_force(), One);
        ranks.note_convention(Some(Zero));
        assert_eq!((ranks.in_force(), ranks.are_known()), (Zero, false));
        ranks.expect(None, One, false);
        ranks.note_convention(None);
        assert_eq!(ranks.in_force(), Zero, "the next position has none, but it is the same user");
        ranks.learn(One, &moves("h3e3"));
        ranks.note_convention(Some(Zero));
        assert_eq!((ranks.in_force(), ranks.are_known()), (One, true));
        ranks.forget_evidence();
        assert_eq!(ranks.in_force(), One);
    }

    #[test]
    fn the_strict_learn_from_ranks_that_exist_in_one_base_alone() {
        let mut ranks = Ranks::default();
        ranks.expect(None, Zero, true);
        ranks.learn(One, &moves("h3e3"));
        assert!(!ranks.are_known());
        ranks.learn(One, &moves("h3e3 h10g8"));
        assert_eq!((ranks.in_force(), ranks.are_known()), (One, true));
        ranks.learn(Zero, &moves("h0g2"));
        assert_eq!(ranks.in_force(), Zero);
    }

    #[test]
    fn what_was_shown_lasts_until_moves_make_sense_in_the_other_base_alone() {
        let mut ranks = Ranks::default();
        ranks.expect(None, Zero, true);
        ranks.learn(One, &moves("h3e3 h10g8"));
        ranks.learn(Zero, &moves("h2e2"));
        assert_eq!(ranks.in_force(), Zero);
    }
}
