//! Random openings: random moves from the start position.

use chuhe::board::{Move, Position};
use chuhe::rules::{Rules, judge};
use chuhe::splitmix::{SplitMix64, mix};

use crate::recipe::Opening;

/// Random number generator of a game; depends only on the run's seed and the game's number.
pub fn generator(seed: u64, number: u64) -> SplitMix64 {
    SplitMix64::new(mix(seed) ^ mix(!number))
}

/// Draws the number of random plies.
///
/// Even and odd numbers are equally likely, so that red and black are to move equally often; so are all numbers of the same
/// parity.
fn length(opening: &Opening, random: &mut SplitMix64) -> usize {
    let parity = random.below(2);
    let numbers: Vec<usize> = (opening.fewest_plies..=opening.most_plies).filter(|plies| plies % 2 == parity).collect();
    if numbers.is_empty() { opening.fewest_plies } else { random.pick(&numbers) }
}

/// Plays random moves; returns them with the positions, start position first, or `None` if the game is over early.
///
/// An opening may end in check: one in thirty does. The reply is searched like any move, and leaving out such games would leave
/// out the lines that follow.
pub fn attempt(opening: &Opening, rules: &Rules, random: &mut SplitMix64) -> Option<(Vec<Move>, Vec<Position>)> {
    let plies = length(opening, random);
    let (mut moves, mut history) = (Vec::with_capacity(plies), vec![Position::start()]);
    for _ in 0..plies {
        let position = history[history.len() - 1];
        let mv = random.pick(&position.legal_moves());
        moves.push(mv);
        history.push(position.play(mv));
        if judge(&history, rules).is_some() {
            return None;
        }
    }
    Some((moves, history))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe::rules::RuleSet;

    #[test]
    fn both_sides_are_to_move_equally_often() {
        let mut random = generator(1, 1);
        let mut counts = [0; 13];
        (0..6000).for_each(|_| counts[length(&Opening::default(), &mut random)] += 1);
        assert_eq!(counts[..8], [0; 8]);
        assert!((2850..3150).contains(&(counts[9] + counts[11])), "{counts:?}");
        assert!([8, 10, 12].iter().all(|&plies| (900..1100).contains(&counts[plies])), "{counts:?}");
        let fixed = Opening { fewest_plies: 9, most_plies: 9, ..Opening::default() };
        assert!((0..20).all(|_| length(&fixed, &mut random) == 9));
    }

    #[test]
    fn an_opening_is_a_legal_game_of_its_seed_and_number() {
        let rules = RuleSet::Asian.rules();
        let make = |seed, number| attempt(&Opening::default(), &rules, &mut generator(seed, number));
        for number in 0..50 {
            let Some((moves, history)) = make(7, number) else { continue };
            assert_eq!(history.len(), moves.len() + 1);
            assert!(moves.iter().zip(&history).all(|(&mv, position)| position.is_legal(mv)));
            assert!(history[moves.len()].has_legal_move());
        }
        assert_eq!(make(7, 3), make(7, 3));
        assert_ne!(make(7, 3), make(7, 4));
        assert_ne!(make(7, 3), make(8, 3));
    }
}
