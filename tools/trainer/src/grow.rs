//! Initialisation from another network, which keeps what its games have taught after they are lost.
//!
//! A larger network can start from a smaller one and values every position as the smaller one did. New columns have no effect
//! until the outputs learn weights for them, each output bucket is copied to its parts, and a single king bucket becomes the
//! factoriser of all (after Chen, Goodfellow and Shlens, "Net2Net", 2016).

use anyhow::{Result, ensure};
use chuhe::eval::nnue::{FEATURES, Network, OutputBuckets, QA, QB, Shape, VALUE_UNIT};

use crate::parameters::Layout;

/// Returns the parameters of a network with this layout that values positions as `network` does. New columns are random.
///
/// # Errors
/// If the layout is narrower than the network, its output buckets are not parts of the network's, its king buckets differ in
/// number from several of the network, or the scale differs.
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
        let [wholes, parts] = [network.shape(), layout.shape].map(|shape| shape.output_buckets.count());
        for output in 0..parts {
            let whole = output * wholes / parts;
            let bias = network.output_biases()[whole] as f32 / VALUE_UNIT as f32;
            self.numbers[layout.output_biases().start + output] = bias;
            let weights = &mut self.numbers[layout.output(output)];
            weights.fill(0.0);
            for (perspective, known) in weights.chunks_mut(layout.shape.width).zip(network.output_weights(whole)) {
                let known = known.iter().map(|&number| dequantised(number, QB));
                perspective[..width].iter_mut().zip(known).for_each(|(weight, known)| *weight = known);
            }
        }
    }
}

fn dequantised(number: i16, unit: i32) -> f32 {
    f32::from(number) / unit as f32
}

fn check(small: Shape, large: Shape) -> Result<()> {
    let Shape { width, output_buckets: outputs, king_buckets: kings } = small;
    ensure!(large.width >= width, "the network to begin with is {width} wide, this one {}", large.width);
    let are_parts = match (outputs, large.output_buckets) {
        (OutputBuckets::ByPieces(wholes), OutputBuckets::ByPieces(parts)) => parts.is_multiple_of(wholes),
        (wholes, parts) => wholes == parts || wholes.count() == 1,
    };
    ensure!(are_parts, "the network to begin with has {outputs}, of which {} are not parts", large.output_buckets);
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
            error(settings(32, 3, 1), network(32, 2, 1)),
            "the network to begin with has 2 outputs by pieces, of which 3 outputs by pieces are not parts"
        );
        assert_eq!(
            error(settings(32, 0, 1), network(32, 8, 1)),
            "the network to begin with has 8 outputs by pieces, of which 16 outputs by material are not parts"
        );
        assert_eq!(
            error(settings(32, 16, 1), network(32, 0, 1)),
            "the network to begin with has 16 outputs by material, of which 16 outputs by pieces are not parts"
        );
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
