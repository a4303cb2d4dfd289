//! Initialisation from another network, which keeps what its games have taught after they are lost.
//!
//! A larger network can start from a smaller one and values every position as the smaller one did. New columns have no effect
//! until the outputs learn weights for them, each output bucket is copied to its parts, and a single king bucket becomes the
//! factoriser of all (after Chen, Goodfellow and Shlens, "Net2Net", 2016). Output buckets that are selected in another way
//! begin with the mean of the old ones: they learn quickly, and the inputs, in which most of the knowledge lies, are kept.

use std::ops::Range;

use anyhow::{Result, ensure};
use chuhe::eval::nnue::{FEATURES, Network, OutputBuckets, QA, QB, Shape, VALUE_UNIT};

use crate::parameters::Layout;

/// Returns the parameters of a network with this layout that values positions as `network` does, if its output buckets are parts
/// of the network's; otherwise each has the mean of them. New columns are random.
///
/// # Errors
/// If the layout is narrower than the network, its king buckets differ in number from several of the network, or the scale
/// differs.
pub fn grown(network: &Network, layout: Layout, scale: i32, seed: u64) -> Result<Vec<f32>> {
    check(network.shape(), layout.shape)?;
    ensure!(scale == network.scale(), "the network to begin with has the scale {}, not {scale}", network.scale());
    let keeps_sets = network.shape().king_buckets == layout.shape.king_buckets;
    let mut growth = Growth { network, layout, keeps_sets, numbers: layout.initial(scale, seed) };
    growth.take_rows();
    growth.take_pieces();
    growth.take_outputs();
    Ok(growth.numbers)
}

/// Network on its way into a larger one.
struct Growth<'a> {
    network: &'a Network,
    layout: Layout,
    /// Whether king buckets keep their own weights; otherwise the only one becomes the factoriser of all.
    keeps_sets: bool,
    numbers: Vec<f32>,
}

impl Growth<'_> {
    fn take_rows(&mut self) {
        let (network, layout) = (self.network, self.layout);
        for input in 0..network.shape().features() {
            for (column, &number) in network.feature_weights(input).iter().enumerate() {
                let shared = layout.shared_weight(input % FEATURES, column);
                let at = if self.keeps_sets { layout.weight(input, column) } else { shared };
                if layout.shape.king_buckets > 1 {
                    self.numbers[shared] = 0.0;
                }
                self.numbers[at] = dequantised(number, QA);
            }
        }
        for (column, &number) in network.biases().iter().enumerate() {
            self.numbers[layout.weight(layout.biases(), column)] = dequantised(number, QA);
        }
    }

    fn take_pieces(&mut self) {
        let shared = self.layout.shared_psqt();
        self.numbers[shared.clone()].fill(0.0);
        let pieces = if self.keeps_sets { self.layout.psqt() } else { shared };
        for (number, &value) in self.numbers[pieces].iter_mut().zip(self.network.psqt()) {
            *number = value as f32 / VALUE_UNIT as f32;
        }
    }

    fn take_outputs(&mut self) {
        let (network, layout) = (self.network, self.layout);
        let width = network.shape().width;
        for output in 0..layout.shape.output_buckets.count() {
            let wholes = wholes(network.shape().output_buckets, layout.shape.output_buckets, output);
            let share = 1.0 / wholes.len() as f32;
            let bias_at = layout.output_biases().start + output;
            self.numbers[bias_at] = 0.0;
            self.numbers[layout.output(output)].fill(0.0);
            for whole in wholes {
                self.numbers[bias_at] += network.output_biases()[whole] as f32 / VALUE_UNIT as f32 * share;
                let weights = &mut self.numbers[layout.output(output)];
                for (perspective, known) in weights.chunks_mut(layout.shape.width).zip(network.output_weights(whole)) {
                    let known = known.iter().map(|&number| dequantised(number, QB) * share);
                    perspective[..width].iter_mut().zip(known).for_each(|(weight, known)| *weight += known);
                }
            }
        }
    }
}

/// Returns the old output buckets of which a new one is a part: one of them, or all if they are selected in another way.
fn wholes(old: OutputBuckets, new: OutputBuckets, output: usize) -> Range<usize> {
    let (wholes, parts) = (old.count(), new.count());
    let are_parts = match (old, new) {
        (OutputBuckets::ByPieces(wholes), OutputBuckets::ByPieces(parts)) => parts.is_multiple_of(wholes),
        (old, new) => old == new,
    };
    let whole = output * wholes / parts;
    if are_parts { whole..whole + 1 } else { 0..wholes }
}

fn dequantised(number: i16, unit: i32) -> f32 {
    f32::from(number) / unit as f32
}

fn check(small: Shape, large: Shape) -> Result<()> {
    let Shape { width, king_buckets: kings, .. } = small;
    ensure!(large.width >= width, "the network to begin with is {width} wide, this one {}", large.width);
    ensure!(
        kings == 1 || kings == large.king_buckets,
        "the network to begin with has {kings} sets of inputs, this one {}",
        large.king_buckets
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::tests::tiny;
    use crate::checkpoint::{Checkpoint, Settings};
    use crate::compare::{Judge, compare};
    use crate::quantise::quantise;
    use crate::sample::tests::random_positions;

    /// Returns settings; 0 outputs stand for those by material.
    fn settings(width: usize, outputs: usize, kings: usize) -> Settings {
        let outputs = if outputs == 0 { OutputBuckets::ByMaterial } else { OutputBuckets::ByPieces(outputs) };
        Settings { width, outputs, kings, ..tiny() }
    }

    /// Returns an untrained network in which no number is like its neighbours.
    fn network(width: usize, outputs: usize, kings: usize) -> Network {
        let mut checkpoint = Checkpoint::new(settings(width, outputs, kings));
        let values = &mut checkpoint.parameters.values;
        values.iter_mut().enumerate().for_each(|(at, value)| *value += (at % 19) as f32 / 500.0 - 0.018);
        quantise(&checkpoint).unwrap()
    }

    #[test]
    fn what_is_grown_values_positions_as_before() {
        let positions = random_positions(3, 300);
        for (small, large) in [
            ((32, 2, 1), (32, 2, 1)),
            ((32, 2, 1), (96, 4, 1)),
            ((64, 2, 1), (128, 16, 3)),
            ((64, 1, 3), (64, 3, 3)),
            ((32, 4, 6), (160, 4, 6)),
            ((32, 1, 1), (64, 0, 1)),
            ((32, 0, 1), (64, 0, 3)),
        ] {
            let network = network(small.0, small.1, small.2);
            let grown = Checkpoint::with_network(settings(large.0, large.1, large.2), &network).unwrap();
            assert_eq!(grown.settings.from, Some(format!("{:016x}", network.id())));
            let found =
                compare(&Judge::Network(Box::new(network.clone())), &Judge::Exact(Box::new(grown.clone())), &positions);
            // The engine rounds values to whole centipawns, and also its squared activations.
            assert!(found.mean < 1.0 && found.largest < 2.0, "{small:?} {large:?}: {found}");
            let again = compare(
                &Judge::Network(Box::new(network)),
                &Judge::Network(Box::new(quantise(&grown).unwrap())),
                &positions,
            );
            assert!(again.largest == 0.0, "{small:?} {large:?}: {again}");
        }
    }

    #[test]
    fn outputs_selected_in_another_way_begin_with_the_mean() {
        let network = network(32, 2, 1);
        for outputs in [0, 3] {
            let grown = Checkpoint::with_network(settings(32, outputs, 1), &network).unwrap();
            let (layout, values) = (grown.settings.layout(), &grown.parameters.values);
            let [first, second] = [0, 1].map(|whole| network.output_weights(whole)[0]);
            let known = first.iter().zip(second).map(|(&a, &b)| (dequantised(a, QB) + dequantised(b, QB)) / 2.0);
            let known: Vec<f32> = known.collect();
            for output in 0..layout.shape.output_buckets.count() {
                assert_eq!(values[layout.output(output)][..32], known, "{outputs} {output}");
            }
        }
    }

    #[test]
    fn new_columns_differ_from_each_other() {
        for kings in [1, 3] {
            let grown = Checkpoint::with_network(settings(96, 2, kings), &network(32, 2, kings)).unwrap();
            let layout = grown.settings.layout();
            let weights = layout.network(&grown.parameters.values);
            let of = |column| (0..90).map(|input| weights[layout.weight(input, column)]).collect::<Vec<f32>>();
            assert!(of(40) != of(41) && of(40).iter().any(|&weight| weight != 0.0), "{kings}");
        }
    }

    #[test]
    fn what_cannot_hold_a_network_is_named() {
        let error = |settings, network| Checkpoint::with_network(settings, &network).unwrap_err().to_string();
        assert_eq!(error(settings(32, 2, 1), network(64, 2, 1)), "the network to begin with is 64 wide, this one 32");
        assert_eq!(
            error(settings(32, 2, 1), network(32, 2, 3)),
            "the network to begin with has 3 sets of inputs, this one 1"
        );
        assert_eq!(
            error(Settings { scale: 310, ..tiny() }, network(32, 2, 1)),
            "the network to begin with has the scale 300, not 310"
        );
    }
}
