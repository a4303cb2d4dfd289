//! Forward and backward pass: values of samples, losses, and gradients of the parameters.
//!
//! A batch is split into [`SHARDS`] parts for any number of threads, and their gradients are added in order, so that the sums are
//! equal to the bit on one thread or on sixteen. Within a shard, some dozens of samples at a time pass through the tiles of the
//! weights.

use rayon::prelude::*;

use crate::math::sigmoid;
use crate::parameters::{Layout, NARROW_TILE, WIDE_TILE};
use crate::sample::{ActiveFeatures, Sample};

/// Parts of a batch, and the most threads that are useful.
pub const SHARDS: usize = 16;

/// Samples that pass through a tile together.
const GROUP: usize = 64;

/// Partial sums of a dot product.
const LANES: usize = 32;

/// Training target.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Target {
    /// Centipawns per unit of log odds.
    pub scale: f32,
    /// Share of the game result in the target, 0 to 1; the score has the rest.
    pub result_share: f32,
}

impl Target {
    /// Returns the expected result for the side to move, 0 to 1, from its score in centipawns and its half points.
    pub fn of(self, score: i16, points: u8) -> f32 {
        let expected = sigmoid(f32::from(score) / self.scale);
        (1.0 - self.result_share) * expected + self.result_share * f32::from(points) / 2.0
    }
}

/// Sample, and whether it is mirrored.
pub type Example<'a> = (&'a Sample, bool);

/// Part of a batch: its gradient, and the buffers to compute it.
#[derive(Clone)]
pub struct Shard {
    layout: Layout,
    /// Sum of the gradients of all samples since it was cleared.
    pub gradient: Vec<f32>,
    /// Accumulators, then their gradients: by sample, perspective and column.
    accumulators: Vec<f32>,
    active: Vec<ActiveFeatures>,
}

impl Shard {
    /// Creates a shard with an empty gradient.
    pub fn new(layout: Layout) -> Self {
        Self {
            layout,
            gradient: vec![0.0; layout.count()],
            accumulators: vec![0.0; GROUP * 2 * layout.shape.width],
            active: Vec::with_capacity(GROUP),
        }
    }

    /// Adds the gradients of the squared errors of `examples`, and returns the sum of these errors.
    pub fn learn<'a>(
        &mut self,
        parameters: &[f32],
        target: Target,
        examples: impl Iterator<Item = Example<'a>>,
    ) -> f64 {
        let mut loss = 0.0;
        self.pass(parameters, examples, true, |shard, number, sample, value| {
            let expected = sigmoid(value);
            let error = expected - target.of(sample.score, sample.points);
            loss += f64::from(error * error);
            shard.output_backward(parameters, number, 2.0 * error * expected * (1.0 - expected));
        });
        loss
    }

    /// Calls `tell` with every sample and its value, in units of log odds.
    pub fn values<'a>(
        &mut self,
        parameters: &[f32],
        samples: impl Iterator<Item = &'a Sample>,
        mut tell: impl FnMut(&Sample, f32),
    ) {
        let examples = samples.map(|sample| (sample, false));
        self.pass(parameters, examples, false, |_, _, sample, value| tell(sample, value));
    }

    /// Calls `look` with every sample, its number within the group that passes together and its value; then runs the backward
    /// pass if `back` is set.
    fn pass<'a>(
        &mut self,
        parameters: &[f32],
        mut examples: impl Iterator<Item = Example<'a>>,
        back: bool,
        mut look: impl FnMut(&mut Self, usize, &Sample, f32),
    ) {
        let mut samples = Vec::with_capacity(GROUP);
        loop {
            samples.clear();
            self.active.clear();
            for (sample, mirrored) in examples.by_ref().take(GROUP) {
                samples.push(sample);
                self.active.push(sample.active(mirrored, self.layout.shape));
            }
            if samples.is_empty() {
                return;
            }
            match self.layout.tile() {
                WIDE_TILE => self.features_forward::<WIDE_TILE>(parameters),
                _ => self.features_forward::<NARROW_TILE>(parameters),
            }
            for (number, sample) in samples.iter().enumerate() {
                let value = self.output_forward(parameters, number);
                look(self, number, sample, value);
            }
            if back {
                match self.layout.tile() {
                    WIDE_TILE => self.features_backward::<WIDE_TILE>(),
                    _ => self.features_backward::<NARROW_TILE>(),
                }
            }
        }
    }

    /// Computes the accumulators, tile by tile.
    fn features_forward<const T: usize>(&mut self, parameters: &[f32]) {
        let width = self.layout.shape.width;
        let rows = parameters[self.layout.feature_weights()].as_chunks::<T>().0;
        for (tile, rows) in rows.chunks_exact(self.layout.tile_rows()).enumerate() {
            for (active, accumulators) in self.active.iter().zip(self.accumulators.chunks_exact_mut(2 * width)) {
                for perspective in 0..2 {
                    let mut sum = rows[self.layout.biases()];
                    active.perspective(perspective).iter().for_each(|&input| add(&mut sum, &rows[usize::from(input)]));
                    accumulators[perspective * width + tile * T..][..T].copy_from_slice(&sum);
                }
            }
        }
    }

    /// Returns the value of the sample with this number.
    fn output_forward(&self, parameters: &[f32], number: usize) -> f32 {
        let width = self.layout.shape.width;
        let active = &self.active[number];
        let accumulators = &self.accumulators[number * 2 * width..][..2 * width];
        let weights = &parameters[self.layout.output(active.output)];
        let mut lanes = [0.0; LANES];
        for (numbers, weights) in accumulators.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0) {
            for ((lane, &number), &weight) in lanes.iter_mut().zip(numbers).zip(weights) {
                let clamped = number.clamp(0.0, 1.0);
                *lane += clamped * clamped * weight;
            }
        }
        let pieces = &parameters[self.layout.psqt()];
        let column =
            |perspective| active.perspective(perspective).iter().map(|&input| pieces[usize::from(input)]).sum::<f32>();
        let bias = parameters[self.layout.output_biases()][active.output];
        lanes.iter().sum::<f32>() + bias + 0.5 * (column(0) - column(1))
    }

    /// Backward pass of the output layer; `slope` is the derivative of the loss by the sample's value. Replaces the accumulators
    /// by their gradients.
    fn output_backward(&mut self, parameters: &[f32], number: usize, slope: f32) {
        let width = self.layout.shape.width;
        let active = self.active[number];
        let output = self.layout.output(active.output);
        let accumulators = &mut self.accumulators[number * 2 * width..][..2 * width];
        for ((number, &weight), gradient) in
            accumulators.iter_mut().zip(&parameters[output.clone()]).zip(&mut self.gradient[output])
        {
            let clamped = number.clamp(0.0, 1.0);
            *gradient += slope * clamped * clamped;
            let is_free = *number > 0.0 && *number < 1.0;
            *number = if is_free { 2.0 * clamped * slope * weight } else { 0.0 };
        }
        self.gradient[self.layout.output_biases()][active.output] += slope;
        let pieces = &mut self.gradient[self.layout.psqt()];
        for (perspective, half) in [0.5 * slope, -0.5 * slope].into_iter().enumerate() {
            active.perspective(perspective).iter().for_each(|&input| pieces[usize::from(input)] += half);
        }
    }

    /// Backward pass of the feature weights: adds the gradients of the accumulators to the rows of active features, tile by tile.
    fn features_backward<const T: usize>(&mut self) {
        let width = self.layout.shape.width;
        let rows = self.gradient[self.layout.feature_weights()].as_chunks_mut::<T>().0;
        for (tile, rows) in rows.chunks_exact_mut(self.layout.tile_rows()).enumerate() {
            for (active, accumulators) in self.active.iter().zip(self.accumulators.chunks_exact(2 * width)) {
                for perspective in 0..2 {
                    let mut change = [0.0; T];
                    change.copy_from_slice(&accumulators[perspective * width + tile * T..][..T]);
                    active
                        .perspective(perspective)
                        .iter()
                        .for_each(|&input| add(&mut rows[usize::from(input)], &change));
                    add(&mut rows[self.layout.biases()], &change);
                }
            }
        }
    }
}

fn add<const T: usize>(sum: &mut [f32; T], row: &[f32; T]) {
    for (sum, number) in sum.iter_mut().zip(row) {
        *sum += number;
    }
}

/// Returns the range of a shard among `count` items.
fn stretch(shard: usize, count: usize) -> std::ops::Range<usize> {
    shard * count / SHARDS..(shard + 1) * count / SHARDS
}

/// Runs `work` for every shard and its range of `count` items, on the threads of the current pool, and returns the results in
/// order.
fn on_threads<T: Send>(
    shards: &mut [Shard],
    count: usize,
    work: impl Fn(&mut Shard, std::ops::Range<usize>) -> T + Sync,
) -> Vec<T> {
    let numbered = shards.par_iter_mut().enumerate();
    numbered.map(|(number, shard)| work(shard, stretch(number, count))).collect()
}

/// Adds the gradients of a batch to the shards, and returns the sum of the squared errors.
pub fn learn_batch<'a>(
    shards: &mut [Shard],
    parameters: &[f32],
    target: Target,
    count: usize,
    example: impl Fn(usize) -> Example<'a> + Sync,
) -> f64 {
    on_threads(shards, count, |shard, part| shard.learn(parameters, target, part.map(&example))).iter().sum()
}

/// Returns the mean squared errors of samples against several targets.
pub fn examine<const N: usize>(
    shards: &mut [Shard],
    parameters: &[f32],
    targets: [Target; N],
    samples: &[Sample],
) -> [f64; N] {
    let sums = on_threads(shards, samples.len(), |shard, part| {
        let mut sums = [0.0; N];
        shard.values(parameters, samples[part].iter(), |sample, value| {
            for (sum, target) in sums.iter_mut().zip(targets) {
                let error = f64::from(sigmoid(value) - target.of(sample.score, sample.points));
                *sum += error * error;
            }
        });
        sums
    });
    std::array::from_fn(|target| sums.iter().map(|sums| sums[target]).sum::<f64>() / samples.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::tests::random_positions;
    use chuhe::board::{Position, Side};
    use chuhe::eval::nnue::{FEATURES, KING_BUCKET_COUNTS, OutputBuckets, Perspective, Shape};
    use chuhe::eval::placement_value;
    use chuhe::splitmix::SplitMix64;

    const TARGET: Target = Target { scale: 300.0, result_share: 0.25 };

    /// Returns the position of the factoriser's weight for an input and a column, if there is one.
    fn shared_weight(layout: Layout, input: usize, column: usize) -> Option<usize> {
        let tile = layout.tile();
        let at = layout.shared_feature_weights().start
            + (column / tile * FEATURES + input % FEATURES) * tile
            + column % tile;
        (layout.shape.king_buckets > 1 && input < layout.biases()).then_some(at)
    }

    /// Returns the value of a position by definition, in 64 bits, without tiles or packed samples.
    fn exact_value(layout: Layout, parameters: &[f64], position: &Position) -> f64 {
        let Shape { width, output_buckets, king_buckets } = layout.shape;
        let output = output_buckets.of(position);
        let weights = &parameters[layout.output(output)];
        let mut value = parameters[layout.output_biases()][output];
        for (number, side) in [position.side(), !position.side()].into_iter().enumerate() {
            let perspective = Perspective::of(side, position, king_buckets);
            let input = |square| perspective.feature(position.piece_on(square).unwrap(), square).unwrap();
            let active: Vec<usize> = position.occupied().into_iter().map(input).collect();
            let sign = [0.5, -0.5][number];
            value += active.iter().map(|&input| sign * parameters[layout.psqt()][input]).sum::<f64>();
            if king_buckets > 1 {
                let shared = &parameters[layout.shared_psqt()];
                value += active.iter().map(|&input| sign * shared[input % FEATURES]).sum::<f64>();
            }
            for column in 0..width {
                let weight = |&input: &usize| {
                    let shared = shared_weight(layout, input, column).map_or(0.0, |at| parameters[at]);
                    parameters[layout.weight(input, column)] + shared
                };
                let sum: f64 = active.iter().chain([&layout.biases()]).map(weight).sum();
                value += sum.clamp(0.0, 1.0).powi(2) * weights[number * width + column];
            }
        }
        value
    }

    fn exact_loss(layout: Layout, parameters: &[f64], positions: &[(Position, i16, u8)]) -> f64 {
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let error = |(position, score, points): &(Position, i16, u8)| {
            let target = 0.75 * sigmoid(f64::from(*score) / 300.0) + 0.25 * f64::from(*points) / 2.0;
            (sigmoid(exact_value(layout, parameters, position)) - target).powi(2)
        };
        positions.iter().map(error).sum()
    }

    fn examples(count: usize) -> Vec<(Position, i16, u8)> {
        let mut random = SplitMix64::new(9);
        let score = |random: &mut SplitMix64| i16::try_from(random.below(1201)).unwrap() - 600;
        random_positions(8, count)
            .into_iter()
            .map(|position| (position, score(&mut random), u8::try_from(random.below(3)).unwrap()))
            .collect()
    }

    /// Returns networks with both tile widths, several output and king buckets, and values spread so that some columns are
    /// clipped at either end.
    fn networks() -> impl Iterator<Item = (Layout, Vec<f32>)> {
        let by_pieces = OutputBuckets::ByPieces;
        let shapes =
            [(32, by_pieces(4), 1), (64, by_pieces(1), 3), (128, OutputBuckets::ByMaterial, 1), (128, by_pieces(2), 6)];
        shapes.into_iter().map(|(width, output_buckets, king_buckets)| {
            let layout = Layout { shape: Shape { width, output_buckets, king_buckets } };
            let mut parameters = layout.initial(300, 5);
            let mut random = SplitMix64::new(6);
            for range in [layout.feature_weights(), layout.shared_feature_weights()] {
                // No two king buckets are alike.
                let more = |random: &mut SplitMix64| random.below(1001) as f32 / 1e4 - 0.05;
                parameters[range].iter_mut().for_each(|weight| *weight = 2.0 * *weight + more(&mut random));
            }
            parameters[layout.outputs()].iter_mut().for_each(|weight| *weight *= 3.0);
            (layout, parameters)
        })
    }

    #[test]
    fn gradients_are_what_finite_differences_say() {
        let examples = examples(100);
        let samples: Vec<Sample> =
            examples.iter().map(|(position, score, points)| Sample::new(position, *score, *points)).collect();
        for (layout, parameters) in networks() {
            let mut shard = Shard::new(layout);
            let network = layout.network(&parameters);
            let loss = shard.learn(&network, TARGET, samples.iter().map(|sample| (sample, false)));
            let gradient = [shard.gradient.clone(), layout.shared_gradient(&shard.gradient)].concat();
            let mut exact: Vec<f64> = parameters.iter().copied().map(f64::from).collect();
            assert!((loss / exact_loss(layout, &exact, &examples) - 1.0).abs() < 1e-4);
            let mut random = SplitMix64::new(3);
            let mut moved = 0;
            let shared =
                [layout.shared_feature_weights(), layout.shared_psqt()].into_iter().filter(|range| !range.is_empty());
            let own = [layout.feature_weights(), layout.outputs(), layout.output_biases(), layout.psqt()];
            for range in own.into_iter().chain(shared) {
                let largest = gradient[range.clone()].iter().fold(0.0_f32, |most, number| most.max(number.abs()));
                let mut places: Vec<usize> = (0..25).map(|_| range.start + random.below(range.len())).collect();
                if range.start == 0 {
                    // Random choices among all rows would seldom hit that of the biases.
                    places.extend((0..8).map(|_| layout.weight(layout.biases(), random.below(layout.shape.width))));
                }
                for at in places {
                    let step = 1e-5;
                    let mut at_distance = |distance: f64| {
                        exact[at] = f64::from(parameters[at]) + distance;
                        exact_loss(layout, &exact, &examples)
                    };
                    let expected = (at_distance(step) - at_distance(-step)) / (2.0 * step);
                    exact[at] = parameters[at].into();
                    let found = f64::from(gradient[at]);
                    assert!(
                        (found - expected).abs() < 1e-3 * f64::from(largest) + 1e-6,
                        "{at}: {found} instead of {expected}"
                    );
                    moved += usize::from(expected.abs() > 1e-4);
                }
            }
            assert!(moved > 30, "{moved}");
        }
    }

    #[test]
    fn the_pieces_column_begins_as_the_classical_tables() {
        for king_buckets in KING_BUCKET_COUNTS {
            let layout =
                Layout { shape: Shape { width: 32, output_buckets: OutputBuckets::ByPieces(2), king_buckets } };
            let mut parameters = layout.initial(400, 1);
            parameters[layout.outputs()].fill(0.0);
            let network = layout.network(&parameters);
            let mut shard = Shard::new(layout);
            for position in random_positions(4, 200) {
                let red = |square| placement_value(position.piece_on(square).unwrap(), square);
                let red: i32 = position.occupied().into_iter().map(red).sum();
                let expected = if position.side() == Side::Red { red } else { -red };
                let mut value = 0.0;
                shard.values(&network, [&Sample::new(&position, 0, 0)].into_iter(), |_, said| value = said);
                assert!((value * 400.0 - expected as f32).abs() < 0.01, "{}", position.to_fen());
            }
        }
    }

    #[test]
    fn the_number_of_threads_changes_no_bit() {
        let samples: Vec<Sample> =
            examples(700).iter().map(|(position, score, points)| Sample::new(position, *score, *points)).collect();
        let (layout, parameters) = networks().next().unwrap();
        let learn = || {
            let mut shards = vec![Shard::new(layout); SHARDS];
            let loss = learn_batch(&mut shards, &parameters, TARGET, samples.len(), |at| (&samples[at], at % 3 == 0));
            let [examined] = examine(&mut shards, &parameters, [TARGET], &samples);
            let gradients: Vec<Vec<f32>> = shards.into_iter().map(|shard| shard.gradient).collect();
            (loss, examined, gradients)
        };
        let gradient_with =
            |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(learn);
        let alone = gradient_with(1);
        // Every sample belongs to one part.
        let mut whole = Shard::new(layout);
        let loss =
            whole.learn(&parameters, TARGET, samples.iter().enumerate().map(|(at, sample)| (sample, at % 3 == 0)));
        assert!(loss > 0.0 && (alone.0 / loss - 1.0).abs() < 1e-9, "{} {loss}", alone.0);
        let mut seen = 0.0;
        whole.values(&parameters, samples.iter(), |sample, value| {
            seen += f64::from(sigmoid(value) - TARGET.of(sample.score, sample.points)).powi(2) / samples.len() as f64;
        });
        assert!((alone.1 / seen - 1.0).abs() < 1e-9, "{} {seen}", alone.1);
        for threads in [2, 3, 16, 50] {
            assert!(gradient_with(threads) == alone, "{threads} threads");
        }
    }
}
