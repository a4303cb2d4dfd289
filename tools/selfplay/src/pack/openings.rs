//! Random openings that follow from the seed of the run and the number of the game: they need no bytes.
//!
//! The draw is that of [`crate::opening`] at the time of [`super::MODEL`]. It is repeated here, because it is part of the format:
//! if the generator of games changes, new openings cost bytes again, and old files stay readable.

use chuhe::board::{Kind, Move, Position};
use chuhe::splitmix::{SplitMix64, mix};

use crate::recipe::Opening;

/// Kinds in the order of move generation.
const ORDER: [Kind; 7] = [Kind::Rook, Kind::Cannon, Kind::Horse, Kind::Pawn, Kind::Elephant, Kind::Advisor, Kind::King];

/// Largest number of rejected openings that are drawn again.
const MOST_REJECTED: u32 = 1000;

/// Returns the opening of a game after `rejected` others.
pub(super) fn drawn(opening: &Opening, seed: u64, number: u64, rejected: u32) -> Option<Vec<Move>> {
    let mut random = SplitMix64::new(mix(seed) ^ mix(!number));
    if rejected > MOST_REJECTED {
        return None;
    }
    (0..=rejected).map(|_| attempt(opening, &mut random)).last().flatten()
}

/// Draws one opening; `None` if the game is over early.
fn attempt(opening: &Opening, random: &mut SplitMix64) -> Option<Vec<Move>> {
    /// Largest number of plies drawn, in case a header says otherwise.
    const MOST_PLIES: usize = 1000;
    let parity = random.below(2);
    let numbers: Vec<usize> =
        (opening.fewest_plies..=opening.most_plies.min(MOST_PLIES)).filter(|plies| plies % 2 == parity).collect();
    let length = if numbers.is_empty() { opening.fewest_plies.min(MOST_PLIES) } else { random.pick(&numbers) };
    let mut position = Position::start();
    let mut moves = vec![];
    for _ in 0..length {
        let mv = random.pick(&in_order(&position));
        moves.push(mv);
        position = position.play(mv);
        if !position.has_legal_move() {
            return None;
        }
    }
    Some(moves)
}

/// Returns the legal moves in the order of move generation.
fn in_order(position: &Position) -> Vec<Move> {
    let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
    let place = |mv: &Move| ORDER.iter().position(|&kind| kind == position.moving_piece(*mv).kind());
    moves.sort_unstable_by_key(|mv| (place(mv), mv.bits()));
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening;
    use chuhe::rules::RuleSet;

    #[test]
    fn openings_are_those_of_the_generator() {
        let (wanted, rules) = (Opening::default(), RuleSet::Asian.rules());
        let mut early = 0;
        for number in 0..300 {
            let mut random = opening::generator(9, number);
            for rejected in 0..3 {
                let made = opening::attempt(&wanted, &rules, &mut random).map(|(moves, _)| moves);
                early += usize::from(made.is_none());
                assert_eq!(drawn(&wanted, 9, number, rejected), made, "game {number}, {rejected} rejected");
            }
        }
        assert!(early < 100, "{early}");
        assert_eq!(drawn(&wanted, 9, 0, u32::MAX), None);
    }
}
