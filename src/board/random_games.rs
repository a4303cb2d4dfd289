//! Random games for tests.

use super::position::{Position, Variant};
use crate::splitmix::SplitMix64;

/// Calls `look` with every position of `games` random games of at most 200 plies.
pub(crate) fn random_games(seed: u64, games: usize, look: impl FnMut(&Position)) {
    random_games_in(Variant::Standard, seed, games, look);
}

/// Calls `look` with every position of `games` random games of a variant, of at most 200 plies.
pub(crate) fn random_games_in(variant: Variant, seed: u64, games: usize, mut look: impl FnMut(&Position)) {
    let mut random = SplitMix64::new(seed);
    for _ in 0..games {
        let mut position = Position::start().in_variant(variant).unwrap();
        for _ in 0..if cfg!(miri) { 8 } else { 200 } {
            look(&position);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(random.pick(&moves));
        }
    }
}
