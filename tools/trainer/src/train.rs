//! Training loop: every epoch has each position once, in a random order that depends only on the seed and the epoch. An epoch
//! that learns from the newest positions alone has as many steps and takes them several times.

use std::fs::{self, File};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use chuhe::splitmix::{SplitMix64, mix};
use chuhe_games::outputs;
use chuhe_games::replace::write_bytes;
use rayon::ThreadPoolBuilder;

use crate::checkpoint::{Checkpoint, Epoch};
use crate::course::Course;
use crate::curve;
use crate::data::Data;
use crate::gradient::{SHARDS, Shard, examine, learn_batch};
use crate::progress::Progress;

/// File name of the checkpoint in the folder of a run.
pub const CHECKPOINT: &str = "checkpoint";

/// Settings of a run that do not affect its result.
#[derive(Clone, Debug)]
pub struct Run {
    /// Folder of the checkpoint and the losses.
    pub folder: PathBuf,
    /// Number of threads.
    pub threads: usize,
    /// Minimum time between two checkpoints.
    pub interval: Duration,
}

/// Training run in progress.
struct Trainer<'a> {
    data: &'a Data,
    course: Course,
    checkpoint: Checkpoint,
    shards: Vec<Shard>,
}

/// Division of an epoch's positions into batches.
#[derive(Clone, Copy, Debug)]
struct Batches {
    positions: usize,
    /// Steps of an epoch.
    steps: usize,
}

impl Batches {
    /// Divides the positions into steps of at most `batch`, equal in size to within one position: a last step of a few would
    /// follow noise at the full learning rate.
    fn new(positions: usize, batch: usize) -> Self {
        Self { positions, steps: positions.div_ceil(batch) }
    }

    /// Returns the range of the epoch's order that a step trains on.
    fn places(self, step: usize) -> Range<usize> {
        let begin = |step| step * self.positions / self.steps;
        begin(step)..begin(step + 1)
    }

    /// Returns the number of positions in `steps` steps, over all epochs.
    fn positions_in(self, steps: u64) -> u64 {
        steps * self.positions as u64 / self.steps as u64
    }
}

/// Trains from `beginning`, or from the checkpoint in the folder, to the last epoch, and returns the final checkpoint.
///
/// # Errors
/// If the checkpoint has other settings, there are too few positions, or a file cannot be written.
pub fn run(run: &Run, beginning: Checkpoint, data: &Data) -> Result<Checkpoint> {
    let settings = &beginning.settings.clone();
    ensure!(
        (1..=data.training.len()).contains(&settings.batch),
        "{} positions do not fill a batch of {}",
        data.training.len(),
        settings.batch
    );
    ensure!(u32::try_from(data.training.len()).is_ok(), "{} positions are too many", data.training.len());
    fs::create_dir_all(&run.folder).with_context(|| run.folder.display().to_string())?;
    let lock = run.folder.join("lock");
    let lock = File::create(&lock).with_context(|| lock.display().to_string())?;
    outputs::lock(&lock, || format!("{}: another process is learning there", run.folder.display()))?;
    let path = run.folder.join(CHECKPOINT);
    let checkpoint = if path.exists() { Checkpoint::read(&path)? } else { beginning };
    checkpoint.check(settings).with_context(|| path.display().to_string())?;
    let layout = settings.layout();
    let pool = ThreadPoolBuilder::new().num_threads(run.threads.clamp(1, SHARDS)).build()?;
    let split = Batches::new(data.training.len(), settings.batch);
    let batches = split.steps as u64;
    let course = Course::new(settings.clone(), batches);
    let all = course.steps();
    let mut trainer = Trainer { data, course, checkpoint, shards: vec![Shard::new(layout); SHARDS] };
    let Checkpoint { step, ref epochs, .. } = trainer.checkpoint;
    ensure!(
        step / batches == epochs.len() as u64,
        "{}: {} epochs are over at step {step}, but one has {batches} steps",
        path.display(),
        epochs.len()
    );
    let progress = Progress::new(split.positions_in(step), split.positions_in(all));
    if trainer.checkpoint.step > 0 {
        progress.line(&format!("{} of {all} steps are done", trainer.checkpoint.step));
    }
    let mut saved = Instant::now();
    while trainer.checkpoint.step < all {
        let epoch = trainer.checkpoint.step / batches;
        let first = trainer.course.first_position(epoch, data.training.len());
        let order = order(settings.seed, epoch, first..data.training.len(), data.training.len());
        while trainer.checkpoint.step < (epoch + 1) * batches {
            let number = usize::try_from(trainer.checkpoint.step % batches)?;
            let loss = pool.install(|| trainer.step(&order, split.places(number)));
            progress.at(split.positions_in(trainer.checkpoint.step), loss);
            let ended = trainer.checkpoint.step.is_multiple_of(batches).then(|| pool.install(|| trainer.end_epoch()));
            if ended.is_some() || saved.elapsed() >= run.interval {
                trainer.checkpoint.write(&path)?;
                saved = Instant::now();
            }
            // The epoch is reported after its checkpoint is written.
            if let Some(Epoch { training, validation, results, .. }) = ended {
                let pace = progress.pace(split.positions_in(trainer.checkpoint.step));
                progress.line(&format!(
                    "epoch {} of {}: training {training:.6}, validation {validation:.6}, results {results:.6}, {pace}",
                    epoch + 1,
                    settings.epochs
                ));
                draw(&run.folder, &trainer.checkpoint.epochs)?;
            }
        }
    }
    progress.end();
    // A run that was killed after its last checkpoint has not drawn its last epoch.
    draw(&run.folder, &trainer.checkpoint.epochs)?;
    Ok(trainer.checkpoint)
}

impl Trainer<'_> {
    /// Trains on a batch and returns its mean loss.
    fn step(&mut self, order: &[u32], batch: Range<usize>) -> f64 {
        let Self { data, course, checkpoint, shards } = self;
        let settings = &checkpoint.settings;
        let order = &order[batch];
        let randomness = mix(settings.seed ^ mix(checkpoint.step));
        let example = |at: usize| {
            // A position with a king on the middle file is mirrored at random; for others both images are the same.
            (&data.training[order[at] as usize], mix(randomness ^ at as u64) & 1 == 1)
        };
        let layout = settings.layout();
        let network = layout.network(&checkpoint.parameters.values);
        let loss = learn_batch(shards, &network, course.target(checkpoint.step), order.len(), example);
        let rate = course.rate(checkpoint.step);
        let decay = settings.decay;
        checkpoint.parameters.step(layout, shards, order.len(), rate, decay);
        checkpoint.step += 1;
        checkpoint.unfinished += loss;
        loss / order.len() as f64
    }

    /// Validates the network after an epoch.
    fn end_epoch(&mut self) -> Epoch {
        let network = self.checkpoint.settings.layout().network(&self.checkpoint.parameters.values);
        let targets = self.course.validation();
        let [validation, scores, results] = examine(&mut self.shards, &network, targets, &self.data.validation);
        let positions = self.data.training.len() as f64;
        let rate = self.course.rate(self.checkpoint.step - 1);
        let training = self.checkpoint.unfinished / positions;
        let epoch = Epoch { training, validation, scores: Some(scores), results, rate };
        self.checkpoint.unfinished = 0.0;
        self.checkpoint.epochs.push(epoch);
        epoch
    }
}

/// Returns the order of `count` positions in an epoch: all of `chosen` in random order, as often as needed.
fn order(seed: u64, epoch: u64, chosen: Range<usize>, count: usize) -> Vec<u32> {
    let mut random = SplitMix64::new(mix(mix(seed) ^ epoch));
    let mut order: Vec<u32> = Vec::with_capacity(count);
    while order.len() < count {
        let begin = order.len();
        order.extend((0..).take(chosen.end).skip(chosen.start));
        random.shuffle(&mut order[begin..]);
    }
    order.truncate(count);
    order
}

/// Writes the losses.
fn draw(folder: &Path, epochs: &[Epoch]) -> Result<()> {
    write_bytes(&folder.join("loss.csv"), curve::csv(epochs).as_bytes())?;
    write_bytes(&folder.join("loss.svg"), curve::svg(epochs).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::Settings;
    use crate::checkpoint::tests::tiny;
    use crate::sample::Sample;
    use crate::sample::tests::random_positions;

    fn samples(count: usize) -> Vec<Sample> {
        let positions = random_positions(3, count);
        positions.iter().map(|position| Sample::new(position, 0, 1)).collect()
    }

    fn data() -> Data {
        Data { training: samples(100), validation: samples(10), games: 1, identity: "none".into() }
    }

    fn learn(folder: &Path, beginning: Checkpoint) -> Result<Checkpoint> {
        let run = Run { folder: folder.to_owned(), threads: 1, interval: Duration::from_secs(60) };
        super::run(&run, beginning, &data())
    }

    #[test]
    fn an_epoch_has_every_position_once() {
        let folder = tempfile::tempdir().unwrap();
        let trained = learn(folder.path(), Checkpoint::new(Settings { epochs: 1, batch: 64, ..tiny() })).unwrap();
        assert_eq!((trained.step, trained.epochs.len()), (2, 1));
        for (positions, batch) in [(100, 64), (128, 64), (129, 64), (7, 7), (5, 2)] {
            let split = Batches::new(positions, batch);
            let seen: Vec<usize> = (0..split.steps).flat_map(|step| split.places(step)).collect();
            assert_eq!(seen, (0..positions).collect::<Vec<_>>(), "{split:?}");
            assert!((0..split.steps).all(|step| (batch / 2..=batch).contains(&split.places(step).len())), "{split:?}");
            let after = |steps| split.positions_in(3 * split.steps as u64 + steps);
            assert_eq!(
                [after(0), after(1)],
                [3 * positions, 3 * positions + split.places(0).len()].map(|at| at as u64)
            );
        }
    }

    #[test]
    fn an_order_of_the_newest_positions_has_them_equally_often() {
        let times = |order: &[u32], at: u32| order.iter().filter(|&&position| position == at).count();
        let all = order(1, 2, 0..30, 30);
        assert!((0..30).all(|at| times(&all, at) == 1) && !all.is_sorted());
        let newest = order(1, 2, 20..30, 30);
        assert!((0..20).all(|at| times(&newest, at) == 0) && (20..30).all(|at| times(&newest, at) == 3));
        let uneven = order(1, 2, 17..30, 30);
        assert!(uneven.len() == 30 && (17..30).all(|at| (2..=3).contains(&times(&uneven, at))));
    }

    #[test]
    fn steps_of_other_epochs_are_not_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let beginning = Checkpoint::new(tiny());
        // Three steps, as if each epoch had only one.
        Checkpoint { step: 3, ..learn(folder.path(), beginning.clone()).unwrap() }
            .write(&folder.path().join(CHECKPOINT))
            .unwrap();
        let error = format!("{:#}", learn(folder.path(), beginning).unwrap_err());
        assert!(error.ends_with("3 epochs are over at step 3, but one has 2 steps"), "{error}");
    }
}
