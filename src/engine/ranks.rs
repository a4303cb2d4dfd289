//! From where the user counts ranks: programs disagree, and some never say.

use crate::board::{MoveText, RankBase};

/// What is known about a user's way to count.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Ranks {
    /// As an option says; then nothing else counts.
    told: Option<RankBase>,
    /// As moves have shown.
    shown: Option<RankBase>,
    /// As the way in which positions are written lets one hear.
    heard: Option<RankBase>,
    /// As long as nothing is known.
    assumed: RankBase,
    /// Only a rank that one base lacks shows the other: the protocol has a base of its own.
    strict: bool,
}

impl Ranks {
    /// Takes over what is known beforehand; what the user has shown stays.
    pub(super) fn expect(&mut self, told: Option<RankBase>, assumed: RankBase, strict: bool) {
        *self = Self { told, assumed, strict, ..*self };
    }

    /// Another user may count in another way.
    pub(super) fn forget_what_was_shown(&mut self) {
        (self.shown, self.heard) = (None, None);
    }

    /// The base in which moves are written, and read unless that makes no sense.
    pub(super) fn in_force(&self) -> RankBase {
        self.told.or(self.shown).or(self.heard).unwrap_or(self.assumed)
    }

    /// Whether the user has said it, or his moves have.
    pub(super) fn are_known(&self) -> bool {
        self.told.or(self.shown).is_some()
    }

    /// The bases that may be meant, the likelier one first.
    pub(super) fn candidates(&self) -> impl Iterator<Item = RankBase> + use<> {
        let first = self.in_force();
        [first].into_iter().chain(self.told.is_none().then_some(first.other()))
    }

    /// Positions are written as those write them who count from `base`: less than what moves show, more than what is
    /// assumed.
    pub(super) fn hear(&mut self, accent: Option<RankBase>) {
        self.heard = accent.or(self.heard);
    }

    /// These moves were all legal when read in `base`.
    pub(super) fn learn(&mut self, base: RankBase, moves: &[MoveText]) {
        let proven = moves.iter().any(|mv| mv.read(base.other()).is_none());
        // What was shown before is refuted by whoever is understood in the other base alone, though it proves nothing by itself.
        let refutes = self.shown.is_some_and(|shown| shown != base);
        if proven || (refutes || !self.strict) && !moves.is_empty() {
            self.shown = Some(base);
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
    fn what_is_told_outweighs_what_is_shown_and_that_what_is_assumed() {
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
        ranks.forget_what_was_shown();
        assert_eq!(ranks.in_force(), One);
    }

    #[test]
    fn an_accent_outweighs_an_assumption_and_nothing_else() {
        let mut ranks = Ranks::default();
        ranks.expect(None, One, false);
        ranks.hear(None);
        assert_eq!(ranks.in_force(), One);
        ranks.hear(Some(Zero));
        assert_eq!((ranks.in_force(), ranks.are_known()), (Zero, false));
        ranks.expect(None, One, false);
        ranks.hear(None);
        assert_eq!(ranks.in_force(), Zero, "the next position has none, but it is the same user");
        ranks.learn(One, &moves("h3e3"));
        ranks.hear(Some(Zero));
        assert_eq!((ranks.in_force(), ranks.are_known()), (One, true));
        ranks.forget_what_was_shown();
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
