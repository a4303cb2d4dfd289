//! Bounds on the sums of a network over all positions: a proof that its integer types suffice.

use super::features::{FEATURES, groups};
use super::format::{NetworkError, QA};
use super::network::Network;

/// The smallest and largest values of a network's sums, in whatever order they are added up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Range of an accumulator value.
    pub accumulator: [i64; 2],
    /// Largest absolute output weight.
    pub weight: i64,
    /// Range of the weighted SCReLU sum of both perspectives.
    pub screlu: [i64; 2],
    /// Range of an output with its bias and the PSQT column.
    pub value: [i64; 2],
}

impl Network {
    /// Computes the bounds of the network's sums.
    ///
    /// A side has at most as many pieces of each kind as at the start, and each activates at most one feature: no sum
    /// is further from its bias than with all of them on the squares that count most.
    pub fn bounds(&self) -> Bounds {
        let buckets: Vec<Sums> = (0..self.shape().king_buckets).map(|bucket| self.sums(bucket * FEATURES)).collect();
        let psqt = buckets.iter().map(|sums| sums.psqt).max().unwrap_or(0);
        let columns = || 0..self.shape().width;
        let lowest = || columns().map(|column| buckets.iter().map(|sums| sums.columns[column][0]).min().unwrap_or(0));
        let highest = || columns().map(|column| buckets.iter().map(|sums| sums.columns[column][1]).max().unwrap_or(0));
        let unit = i64::from(QA);
        let squares: Vec<i64> = highest().map(|high| high.clamp(0, unit).pow(2)).collect();
        let mut bounds = Bounds { accumulator: spread(lowest().chain(highest())), ..Bounds::NONE };
        for (bucket, &bias) in self.output_biases().iter().enumerate() {
            let mut sums = [0; 2];
            for (&weight, &square) in
                self.output_weights(bucket).into_iter().flat_map(|perspective| perspective.iter().zip(&squares))
            {
                let weight = i64::from(weight);
                bounds.weight = bounds.weight.max(weight.abs());
                sums[usize::from(weight > 0)] += weight * square;
            }
            // The PSQT term is half the difference of two columns; one unit more covers what divisions truncate.
            let [low, high] = sums.map(|sum| sum / unit + i64::from(bias));
            bounds.screlu = spread(bounds.screlu.into_iter().chain(sums));
            bounds.value = spread(bounds.value.into_iter().chain([low - psqt - 1, high + psqt + 1]));
        }
        bounds
    }

    /// The extremes of the sums over the king bucket whose features begin with `first`.
    fn sums(&self, first: usize) -> Sums {
        let mut sums = Sums { columns: self.biases().iter().map(|&bias| [bias.into(); 2]).collect(), psqt: 0 };
        for (most, features) in groups() {
            let most = i64::from(most);
            let features = first + features.start..first + features.end;
            let worth = features.clone().map(|feature| i64::from(self.psqt()[feature]).abs());
            sums.psqt += most * worth.max().unwrap_or(0);
            let mut extremes = vec![[0; 2]; self.shape().width];
            for feature in features {
                for (extreme, &weight) in extremes.iter_mut().zip(self.feature_weights(feature)) {
                    *extreme = [extreme[0].min(weight), extreme[1].max(weight)];
                }
            }
            for (sum, [low, high]) in sums.columns.iter_mut().zip(extremes) {
                *sum = [sum[0] + most * i64::from(low), sum[1] + most * i64::from(high)];
            }
        }
        sums
    }
}

/// Extremes of the sums over a king bucket.
struct Sums {
    /// The smallest and the largest value of each column of an accumulator.
    columns: Vec<[i64; 2]>,
    /// The largest absolute sum of the PSQT column.
    psqt: i64,
}

impl Bounds {
    const NONE: Self = Self { accumulator: [0; 2], weight: 0, screlu: [0; 2], value: [0; 2] };

    /// Largest absolute output weight whose product with an activation fits into 16 bits.
    const MOST_WEIGHT: i64 = 128;

    /// Checks that accumulators and products fit into 16 bits, and sums into 32.
    ///
    /// # Errors
    /// Names the first value that does not fit.
    pub(super) fn check(&self) -> Result<(), NetworkError> {
        within("accumulators", [i16::MIN.into(), i16::MAX.into()], self.accumulator)?;
        within("output weights", [-Self::MOST_WEIGHT, Self::MOST_WEIGHT], [-self.weight, self.weight])?;
        let word = [i32::MIN.into(), i32::MAX.into()];
        within("SCReLU sums", word, self.screlu)?;
        // The PSQT columns of both perspectives are subtracted before the difference is halved.
        within("values", word, self.value.map(|value| 2 * value))
    }
}

fn within(what: &'static str, limits: [i64; 2], found: [i64; 2]) -> Result<(), NetworkError> {
    if limits[0] <= found[0] && found[1] <= limits[1] {
        Ok(())
    } else {
        let range = |[low, high]: [i64; 2]| format!("{low} to {high}");
        Err(NetworkError::unfit(what, range(limits), range(found)))
    }
}

fn spread(numbers: impl Iterator<Item = i64>) -> [i64; 2] {
    numbers.fold([i64::MAX, i64::MIN], |[low, high], number| [low.min(number), high.max(number)])
}

#[cfg(test)]
mod tests {
    use super::super::network::tests::{SMALL, random_weights};
    use super::super::{OutputBuckets, Shape, Weights};
    use super::*;
    use crate::board::Side;
    use crate::board::random_games::random_games;

    fn flat(shape: Shape) -> Weights {
        Weights {
            biases: vec![0; shape.width],
            feature_weights: vec![0; shape.features() * shape.width],
            output_weights: vec![0; shape.output_buckets.count() * 2 * shape.width],
            output_biases: vec![0; shape.output_buckets.count()],
            psqt: vec![0; shape.features()],
        }
    }

    #[test]
    fn bounds_are_those_of_the_worst_board() {
        let mut weights = flat(SMALL);
        weights.feature_weights.iter_mut().for_each(|weight| *weight = 3);
        weights.biases[5] = -7;
        weights.output_weights[0] = 100;
        weights.output_weights[33] = -50;
        weights.output_biases[0] = 11;
        weights.psqt[0] = 1000;
        let bounds = Network::new(SMALL, 400, &weights).unwrap().bounds();
        let square = 96 * 96;
        assert_eq!(bounds.accumulator, [-7, 96]);
        assert_eq!(bounds.weight, 100);
        assert_eq!(bounds.screlu, [-50 * square, 100 * square]);
        assert_eq!(bounds.value, [-50 * square / 255 + 11 - 1001, 100 * square / 255 + 11 + 1001]);
    }

    #[test]
    #[cfg_attr(miri, ignore = "many thousand numbers")]
    fn of_several_king_buckets_the_worst_counts() {
        let shape = Shape { king_buckets: 3, ..SMALL };
        let mut weights = flat(shape);
        weights.feature_weights[FEATURES * shape.width..2 * FEATURES * shape.width].fill(3);
        weights.feature_weights[2 * FEATURES * shape.width..].fill(-2);
        weights.psqt[FEATURES] = 500;
        weights.psqt[2 * FEATURES] = 700;
        let bounds = Network::new(shape, 400, &weights).unwrap().bounds();
        assert_eq!((bounds.accumulator, bounds.value), ([-64, 96], [-701, 701]));
    }

    #[test]
    #[cfg_attr(miri, ignore = "many thousand numbers")]
    fn nothing_that_happens_is_outside_the_bounds() {
        let shape = Shape { king_buckets: 6, output_buckets: OutputBuckets::ByMaterial, ..SMALL };
        let network = Network::new(shape, 400, &random_weights(shape, 3)).unwrap();
        let [low, high] = network.bounds().accumulator;
        let [lowest, highest] = network.bounds().value.map(|value| value * 400 / i64::from(super::super::VALUE_UNIT));
        random_games(33, 5, |position| {
            for side in Side::ALL {
                let numbers = network.accumulator(position, side).values;
                assert!(numbers.iter().all(|&number| (low..=high).contains(&number.into())));
            }
            assert!((lowest - 1..=highest + 1).contains(&network.value(position).into()));
        });
    }

    #[test]
    #[cfg_attr(miri, ignore = "many thousand numbers")]
    fn networks_whose_sums_could_overflow_are_refused() {
        let refused = |shape, change: fn(&mut Weights)| {
            let mut weights = flat(shape);
            change(&mut weights);
            Network::new(shape, 400, &weights).expect_err("it is refused").to_string()
        };
        assert_eq!(
            refused(SMALL, |weights| weights.feature_weights.iter_mut().for_each(|weight| *weight = -1025)),
            "accumulators: expected -32768 to 32767, found -32800 to 0"
        );
        assert_eq!(
            refused(SMALL, |weights| weights.output_weights[7] = 129),
            "output weights: expected -128 to 128, found -129 to 129"
        );
        let wide = Shape { width: 512, output_buckets: OutputBuckets::ByPieces(1), king_buckets: 1 };
        let error = refused(wide, |weights| {
            weights.biases.fill(255);
            weights.output_weights.fill(127);
        });
        assert_eq!(error, "SCReLU sums: expected -2147483648 to 2147483647, found 0 to 8456371200");
        assert!(refused(SMALL, |weights| weights.psqt.fill(i32::MAX)).starts_with("values: expected "));
    }
}
