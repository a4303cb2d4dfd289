//! Policy for draw offers, their acceptance and resignation. It depends on the scores of a game alone.

use super::event::Closing;
use crate::board::Key;
use crate::score::Score;

/// Settings for ending a game early; scores in centipawns from the engine's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DrawPolicyOptions {
    /// A game counts as lost when the engine is this far behind; 0: never.
    pub resign_score: i32,
    /// Number of own moves in a row with a lost game before it is resigned.
    pub resign_moves: u32,
    /// An offer is accepted at this score or below.
    pub accept_score: i32,
    /// A game counts as even when neither side is further ahead than this.
    pub offer_score: i32,
    /// Number of own moves in a row with an even game before a draw is offered; 0: never.
    pub offer_moves: u32,
}

/// Score history of one game, as far as it matters.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct DrawPolicy {
    /// Keys of the position after the engine's last move and of those after a capture from there: a user may give a game from
    /// the last capture on. A game that contains none of them is another one.
    left_at: Vec<Key>,
    lost_moves: u32,
    even_moves: u32,
}

/// A move that is about to be sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Answer {
    /// Keys of the position after it, and of those after the captures that may answer it.
    pub(super) leads_to: Vec<Key>,
    /// Score from the engine's point of view.
    pub(super) score: Score,
    /// Value of a draw to the engine.
    pub(super) draw: Score,
    /// Whether the opponent has offered a draw.
    pub(super) draw_offered: bool,
    /// Whether the move limit will soon end the game anyway.
    pub(super) near_limit: bool,
    /// Whether it is timed, so that it belongs to a game and not to an analysis.
    pub(super) in_game: bool,
}

impl DrawPolicy {
    /// Resets the history for another game.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Returns the draw offer or the resignation that goes with the next move of this game.
    pub(super) fn close(
        &mut self,
        game: impl IntoIterator<Item = Key>,
        answer: Answer,
        options: &DrawPolicyOptions,
    ) -> Option<Closing> {
        let welcome = answer.score == answer.draw
            || answer.score <= Score::from_eval(options.accept_score)
            || answer.near_limit && is_even(answer.score, options.offer_score);
        if answer.draw_offered && welcome {
            return Some(Closing::Draw);
        }
        if !answer.in_game {
            return None;
        }
        if !game.into_iter().any(|key| self.left_at.contains(&key)) {
            self.forget();
        }
        self.left_at = answer.leads_to;
        let is_lost = options.resign_score > 0 && answer.score <= Score::from_eval(-options.resign_score);
        self.lost_moves = if is_lost { self.lost_moves + 1 } else { 0 };
        let even = is_even(answer.score, options.offer_score);
        self.even_moves = if even { self.even_moves + 1 } else { 0 };
        if is_lost && self.lost_moves >= options.resign_moves {
            Some(Closing::Resign)
        } else if options.offer_moves > 0 && self.even_moves >= options.offer_moves {
            Some(Closing::Draw)
        } else {
            None
        }
    }
}

fn is_even(score: Score, margin: i32) -> bool {
    score.raw().abs() <= margin
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: DrawPolicyOptions =
        DrawPolicyOptions { resign_score: 900, resign_moves: 3, accept_score: -30, offer_score: 10, offer_moves: 4 };

    fn answer(leads_to: u64, centipawns: i32) -> Answer {
        let score = Score::from_eval(centipawns);
        Answer {
            leads_to: vec![Key(leads_to)],
            score,
            draw: Score::DRAW,
            draw_offered: false,
            near_limit: false,
            in_game: true,
        }
    }

    /// Returns the decisions at each move of one game with these scores.
    fn game(scores: &[i32], options: &DrawPolicyOptions) -> Vec<Option<Closing>> {
        let mut policy = DrawPolicy::default();
        let keys = |upto: usize| (0..upto as u64).map(Key);
        let close = |(at, &score): (usize, &i32)| policy.close(keys(at), answer(at as u64, score), options);
        scores.iter().enumerate().map(close).collect()
    }

    #[test]
    fn a_game_is_resigned_when_it_has_been_hopeless_for_long_enough() {
        let said = game(&[-950, -900, -100, -900, -901, -2000, -3000], &OPTIONS);
        assert_eq!(said[..5], [None; 5]);
        assert_eq!(said[5..], [Some(Closing::Resign); 2]);
        assert_eq!(game(&[-9000; 9], &DrawPolicyOptions { resign_score: 0, ..OPTIONS }), [None; 9]);
        assert_eq!(game(&[-900], &DrawPolicyOptions { resign_moves: 1, ..OPTIONS }), [Some(Closing::Resign)]);
    }

    #[test]
    fn a_draw_is_offered_when_the_game_has_been_even_for_long_enough() {
        let said = game(&[5, -10, 11, 1, 2, 3, 4, 5], &OPTIONS);
        assert_eq!(said[..6], [None; 6]);
        assert_eq!(said[6..], [Some(Closing::Draw); 2]);
        assert_eq!(game(&[0; 9], &DrawPolicyOptions { offer_moves: 0, ..OPTIONS }), [None; 9]);
    }

    #[test]
    fn another_game_begins_from_nothing() {
        let mut policy = DrawPolicy::default();
        for (at, score) in [(1, -1000), (2, -1000)] {
            assert_eq!(policy.close([Key(at - 1)], answer(at, score), &OPTIONS), None);
        }
        let mut other = policy.clone();
        assert_eq!(other.close([Key(77)], answer(78, -1000), &OPTIONS), None, "not the game we left");
        assert_eq!(policy.close([Key(2)], answer(3, -1000), &OPTIONS), Some(Closing::Resign));
    }

    #[test]
    fn an_offer_is_accepted_by_who_is_worse_or_sees_a_draw() {
        let reply = |score, near_limit, in_game| {
            let answer = Answer { draw_offered: true, near_limit, in_game, ..answer(1, score) };
            DrawPolicy::default().close([], answer, &OPTIONS)
        };
        assert_eq!(reply(-30, false, true), Some(Closing::Draw));
        assert_eq!(reply(0, false, false), Some(Closing::Draw), "asked is asked, in an analysis too");
        assert_eq!(reply(-29, false, true), None);
        assert_eq!(reply(9, false, true), None);
        assert_eq!(reply(9, true, true), Some(Closing::Draw), "the rules will soon end it anyway");
        assert_eq!(reply(200, true, true), None);
    }

    #[test]
    fn an_analysis_neither_offers_nor_resigns() {
        let mut policy = DrawPolicy::default();
        for score in [-5000, 0, -5000, 0, -5000, -5000, -5000] {
            let answer = Answer { in_game: false, ..answer(1, score) };
            assert_eq!(policy.close([], answer, &OPTIONS), None);
        }
    }

    #[test]
    fn a_game_goes_on_that_is_distinguished_from_the_opponents_capture_on() {
        let mut policy = DrawPolicy::default();
        let captures = |at: u64| Answer { leads_to: vec![Key(at), Key(at + 100)], ..answer(at, -1000) };
        assert_eq!(policy.close([Key(1)], captures(2), &OPTIONS), None);
        assert_eq!(policy.close([Key(102)], captures(3), &OPTIONS), None);
        assert_eq!(policy.close([Key(103)], captures(4), &OPTIONS), Some(Closing::Resign));
    }
}
