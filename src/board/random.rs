//! A small seeded generator for tests that play random games.

use super::position::Position;
use super::promotion::Variant;

/// xorshift64 (Marsaglia, "Xorshift RNGs", 2003).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() >> 33) as usize % end
    }
}

/// Shows `look` every position of `games` random games of at most 200 plies.
pub(crate) fn random_games(seed: u64, games: usize, look: impl FnMut(&Position)) {
    random_games_in(Variant::Standard, seed, games, look);
}

/// The same in any variant.
pub(crate) fn random_games_in(variant: Variant, seed: u64, games: usize, mut look: impl FnMut(&Position)) {
    let mut random = Random::new(seed);
    for _ in 0..games {
        let mut position = Position::start().in_variant(variant).unwrap();
        for _ in 0..if cfg!(miri) { 8 } else { 200 } {
            look(&position);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[random.below(moves.len())]);
        }
    }
}
