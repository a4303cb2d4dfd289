//! Checkpoint file of a training run: if the run is killed at any moment, the same command resumes from it.
//!
//! The file is [sealed]; its data are the parameters, the means of the gradients and the means of their squares, as f32,
//! little-endian.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use chuhe::eval::nnue::{Network, OutputBuckets, Shape};
use chuhe::file;
use chuhe_games::{json, replace};
use chuhe_selfplay::sealed;
use clap::Args;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_128;

use crate::buckets;
use crate::grow;
use crate::optimiser::{Parameters, Schedule};
use crate::parameters::Layout;

const MAGIC: &[u8; 8] = b"CHUHETR\n";
const VERSION: u32 = 1;
const FLOAT_BYTES: usize = size_of::<f32>();

/// Settings of a run: all that the parameters depend on, apart from the games themselves.
#[derive(Clone, PartialEq, Debug, Args, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Seed of all randomness.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Width of each accumulator, a multiple of 32.
    #[arg(long, default_value_t = 256)]
    pub width: usize,
    /// Output buckets: 1 to 16, selected by the number of pieces, or `material`: 16, selected by rooks, horses and cannons.
    #[arg(long, default_value = "8", value_parser = buckets::parse)]
    #[serde(with = "buckets")]
    pub outputs: OutputBuckets,
    /// King buckets of the inputs, selected by the own king's square: 1, 3 or 6.
    // Older files have one and no such field.
    #[arg(long, default_value_t = 1)]
    #[serde(default = "one")]
    pub kings: usize,
    /// Centipawns per unit of log odds.
    #[arg(skip)]
    pub scale: i32,
    /// Share of the game result in the target, 0 to 1; the score has the rest.
    #[arg(long = "result", value_name = "RESULT", default_value_t = 0.0)]
    pub result_share: f32,
    /// Share of the game result at the end, to which it changes evenly [default: the same throughout].
    // Older files have no such field.
    #[arg(long, value_name = "RESULT")]
    #[serde(default)]
    pub last_result: Option<f32>,
    /// Share of the positions, the last in the order of the games, from which the last fifth of the epochs learns, at a tenth of
    /// the rate [default: all epochs are alike].
    // Older files have no such field.
    #[arg(long, value_name = "SHARE")]
    #[serde(default)]
    pub newest: Option<f64>,
    /// Number of epochs.
    #[arg(long, default_value_t = 12)]
    pub epochs: u64,
    /// Positions of a step at most; fewer to learn from are refused.
    #[arg(long, default_value_t = 16_384)]
    pub batch: usize,
    /// Weight decay, multiplied by the learning rate, 0 to 1.
    #[arg(long, default_value_t = 0.01)]
    pub decay: f32,
    /// Learning rate schedule.
    #[command(flatten)]
    pub schedule: Schedule,
    /// Hash of the contents of the chunks.
    #[arg(skip)]
    pub games: String,
    /// Identity of the network that training starts from; `None` for random initialisation, and in older files.
    #[arg(skip)]
    #[serde(default)]
    pub from: Option<String>,
}

fn one() -> usize {
    1
}

/// Losses of an epoch, as mean squared errors of the expected result.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Epoch {
    /// Loss on the training positions, while the parameters changed.
    pub training: f64,
    /// Loss on the validation positions after the epoch, against the target of the last step.
    pub validation: f64,
    /// Loss against the scores alone, on the validation positions; older files have none.
    #[serde(default)]
    pub scores: Option<f64>,
    /// Loss against the results alone, on the validation positions.
    pub results: f64,
    /// Learning rate of the last step.
    pub rate: f64,
}

/// Header of a checkpoint file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    version: u32,
    settings: Settings,
    step: u64,
    missing: [f64; 2],
    unfinished: f64,
    epochs: Vec<Epoch>,
}

/// State of a training run.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    /// Settings of the run.
    pub settings: Settings,
    /// Finished steps.
    pub step: u64,
    /// Sum of squared errors in the current epoch.
    pub unfinished: f64,
    /// Finished epochs.
    pub epochs: Vec<Epoch>,
    /// Parameters, with the optimiser's state.
    pub parameters: Parameters,
}

impl Settings {
    /// Returns the layout of the parameters.
    pub fn layout(&self) -> Layout {
        Layout { shape: Shape { width: self.width, output_buckets: self.outputs, king_buckets: self.kings } }
    }

    /// Returns the share of the game result in the target of the last step.
    pub fn last_result_share(&self) -> f32 {
        self.last_result.unwrap_or(self.result_share)
    }
}

impl Checkpoint {
    /// Creates a run before its first step, with random parameters.
    pub fn new(settings: Settings) -> Self {
        let values = settings.layout().initial(settings.scale, settings.seed);
        Self::beginning(settings, values)
    }

    /// Creates a run before its first step, with the parameters of a network.
    ///
    /// # Errors
    /// If a network of these settings cannot represent it.
    pub fn with_network(mut settings: Settings, network: &Network) -> Result<Self> {
        let values = grow::grown(network, settings.layout(), settings.scale, settings.seed)?;
        settings.from = Some(format!("{:016x}", network.id()));
        Ok(Self::beginning(settings, values))
    }

    fn beginning(settings: Settings, values: Vec<f32>) -> Self {
        Self { settings, step: 0, unfinished: 0.0, epochs: vec![], parameters: Parameters::new(values) }
    }

    /// Checks that the run has these settings.
    ///
    /// # Errors
    /// If they differ, with the first difference.
    pub fn check(&self, settings: &Settings) -> Result<()> {
        match json::difference(&self.settings, settings) {
            None => Ok(()),
            Some((name, there, here)) => bail!("made with other settings: {name} is {there} there and {here} here"),
        }
    }

    /// Returns a hash of the parameters: equal settings and games give the same one on every machine.
    pub fn hash(&self) -> String {
        let mut hash = XxHash3_128::new();
        self.parameters.values.iter().for_each(|value| hash.write(&value.to_bits().to_le_bytes()));
        format!("{:032x}", hash.finish_128())
    }

    /// Writes a temporary file and renames it, so that the file of this name is always complete.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let bytes = self.to_bytes().context("the header")?;
        replace::write_bytes(path, &bytes)
    }

    /// Reads and checks a file.
    ///
    /// # Errors
    /// If it cannot be read or is not a valid checkpoint.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = file::read(path).with_context(|| path.display().to_string())?;
        Self::from_bytes(&bytes).with_context(|| path.display().to_string())
    }

    /// Whether the bytes begin like a checkpoint.
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    fn to_bytes(&self) -> Result<Vec<u8>> {
        let Self { settings, step, unfinished, epochs, parameters } = self;
        let header = Header {
            version: VERSION,
            settings: settings.clone(),
            step: *step,
            missing: parameters.missing,
            unfinished: *unfinished,
            epochs: epochs.clone(),
        };
        let numbers = [&parameters.values, &parameters.means, &parameters.squares].into_iter().flatten();
        let numbers: Vec<u8> = numbers.flat_map(|number| number.to_le_bytes()).collect();
        sealed::seal(MAGIC, &header, [&*numbers])
    }

    /// Reads the bytes of a file written by [`Checkpoint::write`].
    ///
    /// # Errors
    /// If they are not a valid checkpoint.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let (header, numbers) = sealed::open(MAGIC, bytes, "checkpoint")?;
        let Header { version, settings, step, missing, unfinished, epochs } =
            json::read(header).context("its header")?;
        ensure!(version == VERSION, "its version is {version}, this program reads {VERSION}");
        settings.layout().shape.check().context("its settings")?;
        let count = settings.layout().trained();
        ensure!(numbers.len() == 3 * count * FLOAT_BYTES, "it has not as many numbers as its header says");
        let all: Vec<f32> =
            numbers.as_chunks::<FLOAT_BYTES>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let part = |number: usize| all[number * count..][..count].to_vec();
        let parameters = Parameters { values: part(0), means: part(1), squares: part(2), missing };
        Ok(Self { settings, step, unfinished, epochs, parameters })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::fs;

    pub(crate) fn tiny() -> Settings {
        Settings {
            seed: 7,
            width: 32,
            outputs: OutputBuckets::ByPieces(2),
            kings: 1,
            scale: 300,
            result_share: 0.0,
            last_result: None,
            newest: None,
            epochs: 3,
            batch: 64,
            decay: 0.01,
            schedule: Schedule { highest: 1e-3, lowest: 1e-5, warm_up: 4 },
            games: "none".into(),
            from: None,
        }
    }

    fn checkpoint() -> Checkpoint {
        let epoch = Epoch { training: 0.1, validation: 1.0 / 3.0, scores: Some(0.2), results: 0.3, rate: 1e-4 };
        let mut checkpoint = Checkpoint::new(tiny());
        checkpoint.step = 5;
        checkpoint.unfinished = 0.7;
        checkpoint.epochs = vec![epoch, epoch];
        checkpoint.parameters.means[3] = 0.25;
        checkpoint.parameters.squares[9] = 1e-9;
        checkpoint.parameters.missing = [0.9_f64.powi(5), 0.999_f64.powi(5)];
        checkpoint
    }

    #[test]
    fn a_checkpoint_survives_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        checkpoint().write(&path).unwrap();
        assert_eq!(Checkpoint::read(&path).unwrap(), checkpoint());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_put_in_place_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let taken = folder.path().join("taken");
        fs::create_dir(&taken).unwrap();
        assert!(checkpoint().write(&taken).unwrap_err().to_string().ends_with("taken: not a regular file"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn whoever_has_a_file_with_a_name_like_it_keeps_it() {
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path().join("checkpoint.part");
        fs::write(&other, "mine").unwrap();
        checkpoint().write(&folder.path().join("checkpoint")).unwrap();
        assert_eq!(fs::read(&other).unwrap(), b"mine");
    }

    #[test]
    fn a_shape_that_no_network_has_is_refused() {
        let mut checkpoint = checkpoint();
        for width in [0, 33, usize::MAX] {
            checkpoint.settings.width = width;
            let error = Checkpoint::from_bytes(&checkpoint.to_bytes().unwrap()).unwrap_err();
            assert!(format!("{error:#}").starts_with("its settings: width: "), "{error:#}");
        }
    }

    #[test]
    fn a_checkpoint_older_than_sets_and_beginnings_is_read() {
        let mut fields = serde_json::to_value(tiny()).unwrap();
        for name in ["kings", "from", "last_result", "newest"] {
            assert!(fields.as_object_mut().unwrap().remove(name).is_some());
        }
        assert_eq!(serde_json::from_value::<Settings>(fields).unwrap(), tiny());
        let epoch: Epoch =
            serde_json::from_str(r#"{"training": 0.1, "validation": 0.2, "results": 0.3, "rate": 0.4}"#).unwrap();
        assert_eq!((epoch.scores, epoch.rate), (None, 0.4));
    }

    #[test]
    fn damage_is_found() {
        let bytes = checkpoint().to_bytes().unwrap();
        for at in (0..bytes.len()).step_by(997).chain(0..600).chain(bytes.len() - 20..bytes.len()) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            assert!(Checkpoint::from_bytes(&damaged).is_err(), "byte {at}");
            assert!(Checkpoint::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn other_settings_are_named() {
        let other = Settings { batch: 65, ..tiny() };
        let error = checkpoint().check(&other).unwrap_err().to_string();
        assert_eq!(error, "made with other settings: batch is 64 there and 65 here");
        checkpoint().check(&tiny()).unwrap();
    }

    #[test]
    fn the_hash_covers_the_parameters() {
        let mut other = checkpoint();
        other.parameters.means[0] = 1.0;
        other.step += 1;
        assert_eq!(other.hash(), checkpoint().hash());
        other.parameters.values[11] += 1e-3;
        assert_ne!(other.hash(), checkpoint().hash());
    }
}
