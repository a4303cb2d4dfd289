//! Comparison of two networks, trained or quantised, in centipawns.

use std::fmt;
use std::path::Path;

use anyhow::{Context, Result};
use chuhe::board::Position;
use chuhe::eval::nnue::Network;
use chuhe::file;

use crate::checkpoint::Checkpoint;
use crate::gradient::Shard;
use crate::sample::Sample;

/// Network that evaluates positions.
pub enum Judge {
    /// Network in floating point.
    Exact(Box<Checkpoint>),
    /// Quantised network, as in the engine.
    Network(Box<Network>),
}

/// Difference between two networks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Difference {
    /// Number of positions.
    pub positions: usize,
    /// Mean absolute difference, in centipawns.
    pub mean: f64,
    /// Largest absolute difference, in centipawns.
    pub largest: f64,
    /// Least squares slope of the second network over the first: 1 if the unit is the same.
    pub slope: f64,
    /// Correlation of the two, -1 to 1.
    pub correlation: f64,
}

impl Judge {
    /// Reads a checkpoint or a network.
    ///
    /// # Errors
    /// If the file is neither.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = file::read(path).with_context(|| path.display().to_string())?;
        let judge = if Checkpoint::is_one(&bytes) {
            Checkpoint::from_bytes(&bytes).map(|checkpoint| Self::Exact(Box::new(checkpoint)))
        } else {
            Network::from_bytes(&bytes).map(|network| Self::Network(Box::new(network))).map_err(anyhow::Error::from)
        };
        judge.with_context(|| path.display().to_string())
    }

    /// Returns the values of positions for the side to move, in centipawns.
    pub fn values(&self, positions: &[Position]) -> Vec<f64> {
        match self {
            Self::Network(network) => positions.iter().map(|position| network.value(position).into()).collect(),
            Self::Exact(checkpoint) => {
                let samples: Vec<Sample> = positions.iter().map(|position| Sample::new(position, 0, 0)).collect();
                let mut values = vec![];
                let scale = f64::from(checkpoint.settings.scale);
                let layout = checkpoint.settings.layout();
                let network = layout.network(&checkpoint.parameters.values);
                let tell = |_: &Sample, value| values.push(f64::from(value) * scale);
                Shard::new(layout).values(&network, samples.iter(), tell);
                values
            }
        }
    }
}

/// Measures the difference between two networks on some positions.
pub fn compare(first: &Judge, second: &Judge, positions: &[Position]) -> Difference {
    let (first, second) = (first.values(positions), second.values(positions));
    let count = positions.len() as f64;
    let pairs = || first.iter().zip(&second);
    let distances = || pairs().map(|(a, b)| (a - b).abs());
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let norm = product(&first, &first);
    Difference {
        positions: positions.len(),
        mean: distances().sum::<f64>() / count,
        largest: distances().fold(0.0, f64::max),
        slope: product(&first, &second) / norm,
        correlation: product(&first, &second) / (norm * product(&second, &second)).sqrt(),
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { positions, mean, largest, slope, correlation } = self;
        write!(
            f,
            "{positions} positions: {mean:.2} centipawns apart on average, {largest:.1} at most; slope {slope:.4}, correlation \
             {correlation:.5}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::tests::tiny;
    use crate::sample::tests::random_positions;

    #[test]
    fn a_network_is_itself_and_twice_its_column_is_not() {
        let positions = random_positions(2, 50);
        let mut checkpoint = Checkpoint::new(tiny());
        let layout = checkpoint.settings.layout();
        checkpoint.parameters.values[layout.outputs()].fill(0.0);
        let first = Judge::Exact(Box::new(checkpoint.clone()));
        let same = compare(&first, &first, &positions);
        assert_eq!((same.positions, same.mean, same.largest, same.slope), (50, 0.0, 0.0, 1.0));
        checkpoint.parameters.values[layout.psqt()].iter_mut().for_each(|value| *value *= 2.0);
        let twice = compare(&first, &Judge::Exact(Box::new(checkpoint)), &positions);
        assert!((twice.slope - 2.0).abs() < 1e-4 && twice.correlation > 0.9999 && twice.largest > 10.0, "{twice}");
    }
}
