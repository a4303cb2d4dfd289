//! Quantisation: converts trained parameters to the engine's integers.

use anyhow::{Result, ensure};
use chuhe::eval::nnue::{Network, QA, QB, VALUE_UNIT, Weights};

use crate::checkpoint::Checkpoint;

/// Quantises the network of a checkpoint, and proves that it cannot overflow.
///
/// # Errors
/// If a number does not fit, or some sum could overflow.
pub fn quantise(checkpoint: &Checkpoint) -> Result<Network> {
    let layout = checkpoint.settings.layout();
    let values = layout.network(&checkpoint.parameters.values);
    ensure!(values.iter().all(|value| value.is_finite()), "some parameters are not numbers");
    let width = layout.shape.width;
    let row = |input: usize| (0..width).map(|column| values[layout.weight(input, column)]).collect::<Vec<f32>>();
    let weights = Weights {
        biases: row(layout.biases()).into_iter().map(|value| short(value, QA)).collect(),
        feature_weights: (0..layout.shape.features()).flat_map(row).map(|value| short(value, QA)).collect(),
        output_weights: values[layout.outputs()].iter().map(|&value| short(value, QB)).collect(),
        output_biases: values[layout.output_biases()].iter().map(|&value| long(value, VALUE_UNIT)).collect(),
        psqt: values[layout.psqt()].iter().map(|&value| long(value, VALUE_UNIT)).collect(),
    };
    Ok(Network::new(layout.shape, checkpoint.settings.scale, &weights)?)
}

/// Rounds to the nearest integer; clipped parameters stay well within 16 bits.
fn short(value: f32, unit: i32) -> i16 {
    (value * unit as f32).round() as i16
}

/// Rounds to the nearest integer of 32 bits.
fn long(value: f32, unit: i32) -> i32 {
    (f64::from(value) * f64::from(unit)).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::Settings;
    use crate::checkpoint::tests::tiny;
    use crate::compare::{Judge, compare};
    use crate::sample::tests::random_positions;
    use chuhe::eval::nnue::OutputBuckets;

    #[test]
    fn integers_are_close_to_the_trained_values() {
        let by_pieces = OutputBuckets::ByPieces;
        for (width, outputs, kings) in [
            (32, by_pieces(1), 1),
            (64, by_pieces(3), 6),
            (256, by_pieces(8), 1),
            (256, OutputBuckets::ByMaterial, 1),
            (768, by_pieces(16), 3),
        ] {
            let mut checkpoint = Checkpoint::new(Settings { width, outputs, kings, ..tiny() });
            // King buckets begin alike.
            let rows = checkpoint.settings.layout().feature_weights();
            let own = checkpoint.parameters.values[rows].iter_mut();
            own.enumerate().for_each(|(number, weight)| *weight += (number % 19) as f32 / 500.0 - 0.018);
            let network = quantise(&checkpoint).unwrap();
            assert_eq!((network.shape(), network.scale()), (checkpoint.settings.layout().shape, 300));
            let positions = random_positions(width as u64, 300);
            let found = compare(&Judge::Exact(Box::new(checkpoint)), &Judge::Network(Box::new(network)), &positions);
            // Rounding errors grow with the root of the number of terms.
            let most = (width as f64 / 256.0).sqrt().max(1.0);
            assert!(found.largest < 15.0 * most && found.mean < 5.0 * most, "{found}");
            assert!((found.slope - 1.0).abs() < 0.01, "{found}");
        }
    }

    #[test]
    fn what_could_overflow_or_is_no_number_is_refused() {
        let mut checkpoint = Checkpoint::new(Settings { width: 512, outputs: OutputBuckets::ByPieces(1), ..tiny() });
        let layout = checkpoint.settings.layout();
        checkpoint.parameters.values[layout.outputs()].fill(1.9);
        checkpoint.parameters.values[layout.feature_weights()].fill(0.1);
        let error = quantise(&checkpoint).err().unwrap().to_string();
        assert!(error.starts_with("SCReLU sums: expected -2147483648 to 2147483647, found 0 to "), "{error}");
        checkpoint.parameters.values[3] = f32::NAN;
        assert_eq!(quantise(&checkpoint).err().unwrap().to_string(), "some parameters are not numbers");
    }
}
