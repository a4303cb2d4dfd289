//! Adjudication: ends games that are decided or level, by the scores of both sides' searches.

use chuhe::board::Side;
use chuhe_games::game::Outcome;

use crate::game::Ending;
use crate::recipe::Adjudication;

/// Counters of successive plies that qualify for an adjudication.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    terms: Adjudication,
    red_winning: u32,
    black_winning: u32,
    level: u32,
}

impl Adjudicator {
    /// Creates the adjudicator of a new game.
    pub fn new(terms: Adjudication) -> Self {
        Self { terms, red_winning: 0, black_winning: 0, level: 0 }
    }

    /// Adds the score of a position `ply` plies from the start, in centipawns for red; returns the end if one is reached.
    pub fn update(&mut self, ply: usize, red: i32) -> Option<(Outcome, Ending)> {
        let Adjudication { won_score, won_plies, level_score, level_plies, level_after, .. } = self.terms;
        count(&mut self.red_winning, red >= won_score);
        count(&mut self.black_winning, red <= -won_score);
        count(&mut self.level, ply >= level_after && red.abs() <= level_score);
        if self.red_winning >= won_plies {
            Some((Outcome::Won(Side::Red), Ending::Won))
        } else if self.black_winning >= won_plies {
            Some((Outcome::Won(Side::Black), Ending::Won))
        } else {
            (self.level >= level_plies).then_some((Outcome::Drawn, Ending::Level))
        }
    }

    /// Returns a draw if a game that the rules leave open has reached the limit of plies.
    pub fn too_long(&self, ply: usize) -> Option<(Outcome, Ending)> {
        (ply >= self.terms.most_plies).then_some((Outcome::Drawn, Ending::TooLong))
    }
}

/// Increments the counter, or resets it.
fn count(plies: &mut u32, goes_on: bool) {
    *plies = if goes_on { *plies + 1 } else { 0 };
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Index of the score that ends the game, with the result.
    fn end(first: usize, scores: &[i32]) -> Option<(usize, Outcome)> {
        let mut adjudicator = Adjudicator::new(Adjudication::default());
        (0..)
            .zip(scores)
            .find_map(|(index, &red)| adjudicator.update(first + index, red).map(|(result, _)| (index, result)))
    }

    #[test]
    fn six_plies_of_twelve_hundred_win() {
        assert_eq!(end(8, &[1200; 5]), None);
        assert_eq!(end(8, &[1200; 7]), Some((5, Outcome::Won(Side::Red))));
        assert_eq!(end(8, &[-1200, -31_999, -2500, -1300, -1200, -1250]), Some((5, Outcome::Won(Side::Black))));
        assert_eq!(end(8, &[1199; 50]), None);
        let interrupted = [&[1200; 5][..], &[1199], &[1200; 6]].concat();
        assert_eq!(end(8, &interrupted), Some((11, Outcome::Won(Side::Red))));
        assert_eq!(end(8, &[1200, 1200, -1200, -1200, 1200, 1200, -1200, -1200]), None, "the sides do not agree");
    }

    #[test]
    fn twelve_level_plies_after_the_seventieth_draw() {
        assert_eq!(end(70, &[8; 11]), None);
        assert_eq!(end(70, &[-8; 12]), Some((11, Outcome::Drawn)));
        assert_eq!(end(60, &[0; 22]), Some((21, Outcome::Drawn)), "the plies before do not count");
        assert_eq!(end(60, &[0; 21]), None);
        assert_eq!(end(70, &[8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 9, 8, 8]), None);
    }

    #[test]
    fn a_game_may_be_four_hundred_plies_long() {
        let adjudicator = Adjudicator::new(Adjudication::default());
        assert_eq!(adjudicator.too_long(399), None);
        assert_eq!(adjudicator.too_long(400), Some((Outcome::Drawn, Ending::TooLong)));
    }

    proptest! {
        #[test]
        fn colours_are_treated_alike(scores in prop::collection::vec(prop_oneof![-9..=9, -1202..=-1198, 1198..=1202], 0..60)) {
            let other: Vec<i32> = scores.iter().map(|score| -score).collect();
            let swapped = end(50, &other).map(|(index, result)| (index, match result {
                Outcome::Won(side) => Outcome::Won(!side),
                Outcome::Drawn => Outcome::Drawn,
            }));
            prop_assert_eq!(end(50, &scores), swapped);
        }
    }
}
