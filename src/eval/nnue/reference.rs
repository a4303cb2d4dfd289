//! Scalar inference: the reference for every faster computation of a network's value.

use super::features::Perspective;
use super::format::{QA, VALUE_UNIT};
use super::network::Network;
use crate::board::{Position, Side};

/// Accumulator of one perspective.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Accumulator {
    /// Values of the accumulator, as many as the network is wide.
    pub values: Vec<i16>,
    /// Sum of the PSQT column.
    pub psqt: i32,
}

impl Network {
    /// Computes the accumulator of `side` for a position. Pieces on squares reached only by promotion add nothing.
    pub fn accumulator(&self, position: &Position, side: Side) -> Accumulator {
        let perspective = Perspective::of(side, position, self.shape().king_buckets);
        let mut sum = Accumulator { values: self.biases().to_vec(), psqt: 0 };
        for square in position.occupied() {
            let Some(feature) = position.piece_on(square).and_then(|piece| perspective.feature(piece, square)) else {
                continue;
            };
            sum.psqt += self.psqt()[feature];
            for (value, &weight) in sum.values.iter_mut().zip(self.feature_weights(feature)) {
                *value += weight;
            }
        }
        sum
    }

    /// The value of a position for the side to move, in unclamped centipawns.
    pub fn value(&self, position: &Position) -> i32 {
        let side = position.side();
        let perspectives = [self.accumulator(position, side), self.accumulator(position, !side)];
        let bucket = self.shape().output_buckets.of(position);
        let screlu: i32 = perspectives
            .iter()
            .zip(self.output_weights(bucket))
            .map(|(perspective, weights)| weighed_screlu(&perspective.values, weights))
            .sum();
        self.centipawns(bucket, screlu, perspectives.map(|perspective| perspective.psqt))
    }

    /// The value of an output bucket from the SCReLU sum and the PSQT sums of both perspectives, the side to move first.
    pub(super) fn centipawns(&self, bucket: usize, screlu: i32, psqt: [i32; 2]) -> i32 {
        let psqt = (psqt[0] - psqt[1]) / 2;
        let value = i64::from(screlu / QA + self.output_biases()[bucket] + psqt);
        let centipawns = value * i64::from(self.scale()) / i64::from(VALUE_UNIT);
        i32::try_from(centipawns).unwrap_or(if centipawns < 0 { i32::MIN } else { i32::MAX })
    }
}

fn weighed_screlu(numbers: &[i16], weights: &[i16]) -> i32 {
    let weighed = |(&number, &weight): (&i16, &i16)| {
        let clamped = i32::from(number).clamp(0, QA);
        clamped * clamped * i32::from(weight)
    };
    numbers.iter().zip(weights).map(weighed).sum()
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::network::tests::{SMALL, random_weights};
    use super::super::{FEATURES, KING_BUCKET_COUNTS, OutputBuckets, QB, Shape};
    use super::*;
    use crate::board::random_games::random_games;
    use crate::board::{FILES, START_FEN};

    const GAMES: usize = 10;

    pub(crate) fn random_network(seed: u64) -> Network {
        network_of(seed, 1)
    }

    fn network_of(seed: u64, king_buckets: usize) -> Network {
        let output_buckets = if king_buckets == 3 { OutputBuckets::ByMaterial } else { OutputBuckets::ByPieces(8) };
        let shape = Shape { width: if cfg!(miri) { 32 } else { 64 }, output_buckets, king_buckets };
        Network::new(shape, 380, &random_weights(shape, seed)).unwrap()
    }

    #[test]
    #[cfg_attr(miri, ignore = "many positions")]
    fn both_symmetries_leave_the_value_alone() {
        for king_buckets in KING_BUCKET_COUNTS {
            let network = network_of(5, king_buckets);
            let mut mirrored = 0;
            random_games(21, GAMES, |position| {
                let value = network.value(position);
                assert_eq!(network.value(&position.colours_swapped()), value, "{}", position.to_fen());
                if Side::ALL.iter().all(|&side| position.king(side).file() != FILES / 2) {
                    assert_eq!(network.value(&position.mirrored()), value, "{}", position.to_fen());
                    mirrored += 1;
                }
            });
            assert!(mirrored > 100, "{mirrored}");
        }
    }

    /// The value in floating point, from the same parameters.
    fn exact_value(network: &Network, position: &Position) -> f64 {
        let side = position.side();
        let bucket = network.shape().output_buckets.of(position);
        let mut value = f64::from(network.output_biases()[bucket]) / f64::from(VALUE_UNIT);
        for ((perspective, sign), weights) in
            [(side, 0.5), (!side, -0.5)].into_iter().zip(network.output_weights(bucket))
        {
            let sum = network.accumulator(position, perspective);
            value += sign * f64::from(sum.psqt) / f64::from(VALUE_UNIT);
            for (&number, &weight) in sum.values.iter().zip(weights) {
                let activation = (f64::from(number) / f64::from(QA)).clamp(0.0, 1.0);
                value += activation * activation * f64::from(weight) / f64::from(QB);
            }
        }
        value * f64::from(network.scale())
    }

    #[test]
    #[cfg_attr(miri, ignore = "many positions")]
    fn integers_say_what_floating_point_says() {
        for king_buckets in KING_BUCKET_COUNTS {
            let network = network_of(6, king_buckets);
            random_games(22, GAMES, |position| {
                let (value, exact) = (f64::from(network.value(position)), exact_value(&network, position));
                assert!((value - exact).abs() < 1.1, "{value} {exact} {}", position.to_fen());
            });
        }
    }

    #[test]
    fn the_value_of_a_network_that_was_added_up_by_hand() {
        let mut weights = random_weights(SMALL, 0);
        for numbers in [&mut weights.biases, &mut weights.feature_weights, &mut weights.output_weights] {
            numbers.fill(0);
        }
        weights.output_biases.fill(0);
        weights.psqt = vec![0; FEATURES];
        let position = Position::from_fen(START_FEN).unwrap().play("h2h9".parse().unwrap());
        let perspective = Perspective::of(Side::Black, &position, 1);
        // The cannon on black's horse square costs the side to move 50 centipawns, and activates 153 with a weight of 30.
        let cannon = "h9".parse().unwrap();
        let feature = perspective.feature(position.piece_on(cannon).unwrap(), cannon).unwrap();
        weights.psqt[feature] = -2 * VALUE_UNIT / 10;
        weights.biases[3] = 53;
        weights.feature_weights[feature * SMALL.width + 3] = 100;
        let bucket = SMALL.output_buckets.of(&position);
        weights.output_weights[bucket * 2 * SMALL.width + 3] = 30;
        weights.output_biases[bucket] = VALUE_UNIT / 5;
        let network = Network::new(SMALL, 500, &weights).unwrap();
        // 153 * 153 * 30 / 255 = 2754; a fifth of a unit is 3264; a tenth, 1632, is subtracted.
        assert_eq!(network.value(&position), (2754 + 3264 - 1632) * 500 / VALUE_UNIT);
    }
}
