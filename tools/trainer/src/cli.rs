//! The words of the command line; each begins with one dash or two.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use chuhe::engine::wdl::CURVE;
use chuhe::eval::classical;
use chuhe::eval::nnue::{Network, Shape};
use chuhe::file;
use chuhe_console::live::say;
use chuhe_console::words::{self, two_dashes};
use chuhe_games::outputs;
use chuhe_games::replace::write_bytes;
use clap::{Args, Parser, Subcommand};

use crate::checkpoint::{Checkpoint, Settings};
use crate::compare::{Judge, compare};
use crate::data::{Data, validation_positions};
use crate::gradient::{self, Target};
use crate::optimiser::Schedule;
use crate::quantise::quantise;
use crate::train::{self, CHECKPOINT, Run};
use crate::wdl::{self, Results};
use crate::{ladder, refit, scale};

/// Teaches Chuhe's network by the games of chuhe-selfplay. Words begin with one dash or two.
#[derive(Parser)]
#[command(version, name = "chuhe-trainer")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Train(Train),
    Quantise(Quantise),
    Compare(Compare),
    Refit(Refit),
    Wdl(Wdl),
    Ladder(Ladder),
}

/// Learns; killed at any moment, it goes on by the same command.
#[derive(Args)]
#[command(args_override_self = true)]
struct Train {
    /// Where checkpoint and losses go
    #[arg(long)]
    out: PathBuf,
    /// Numbers in each accumulator, a multiple of 32
    #[arg(long, default_value_t = 256)]
    width: usize,
    /// Outputs among which the number of pieces chooses, 1 to 16
    #[arg(long, default_value_t = 8)]
    outputs: usize,
    /// Sets of inputs among which the own king's square chooses: 1, 3 or 6
    #[arg(long, default_value_t = 1)]
    kings: usize,
    /// A network to begin with instead of chance; this one may be wider, and have more outputs or sets
    #[arg(long)]
    from: Option<PathBuf>,
    /// Centipawns of one unit of the odds [default: that of the network to begin with, else what fits the results best]
    #[arg(long)]
    scale: Option<i32>,
    /// How much results count against scores, 0 to 1
    #[arg(long, default_value_t = 0.0)]
    result: f32,
    /// How often every position is seen
    #[arg(long, default_value_t = 12)]
    epochs: u64,
    /// Positions of a step at most; fewer to learn from are refused
    #[arg(long, default_value_t = 16_384)]
    batch: usize,
    /// The rate after the warm-up, 0 to 1
    #[arg(long, default_value_t = 1e-3)]
    rate: f64,
    /// The rate of the last step, 0 to 1
    #[arg(long, default_value_t = 1e-5)]
    last_rate: f64,
    /// Steps until the rate is in full effect
    #[arg(long, default_value_t = 50)]
    warm_up: u64,
    /// How much the weights lose at a rate of 1, 0 to 1
    #[arg(long, default_value_t = 0.01)]
    decay: f32,
    /// Of all that is random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; they change nothing but the time [default: as many as there are processors]
    #[arg(long)]
    threads: Option<usize>,
    /// Seconds at least between two checkpoints
    #[arg(long, default_value_t = 60)]
    save: u64,
    /// Chunks of games, or folders of them
    #[arg(required = true)]
    games: Vec<PathBuf>,
}

/// Makes the engine's integers of what was learnt, and says how far they are from it.
#[derive(Args)]
struct Quantise {
    /// The folder of a run, or its checkpoint
    checkpoint: PathBuf,
    /// The file of the network
    #[arg(long)]
    out: PathBuf,
    #[command(flatten)]
    positions: Positions,
}

/// Says how far the second network, learnt or quantised, is from the first.
#[derive(Args)]
struct Compare {
    /// A checkpoint or a network
    first: PathBuf,
    /// Another one
    second: PathBuf,
    #[command(flatten)]
    positions: Positions,
}

/// Fits the weights of the hand-written evaluation to the scores of games, and writes them into its source.
#[derive(Args)]
struct Refit {
    /// The file with the weights, `weights.rs`
    #[arg(long)]
    source: PathBuf,
    /// Centipawns of one unit of the odds
    #[arg(long)]
    scale: i32,
    /// How much results count against scores, 0 to 1
    #[arg(long, default_value_t = 0.0)]
    result: f32,
    /// Each weight is drawn to what it was as if by so many positions
    #[arg(long, default_value_t = 100.0)]
    draw: f64,
    /// Chunks of games, or folders of them
    #[arg(required = true)]
    games: Vec<PathBuf>,
}

/// Fits the chances that the engine tells beside its scores to the results of games, and writes them into its source.
#[derive(Args)]
struct Wdl {
    /// The file with the curve, `wdl.rs`
    #[arg(long)]
    source: PathBuf,
    /// Chunks of games, folders of them, or journals of matches
    #[arg(required = true)]
    games: Vec<PathBuf>,
}

/// Draws what each network of the ladder gained against what it cost.
#[derive(Args)]
struct Ladder {
    /// The table, tab-separated
    #[arg(default_value = "tools/trainer/ladder.tsv")]
    table: PathBuf,
    /// The picture
    #[arg(long, default_value = "tools/trainer/ladder.svg")]
    out: PathBuf,
}

/// What to examine with.
#[derive(Args)]
struct Positions {
    /// Positions, from games for validation
    #[arg(long, default_value_t = 1000)]
    positions: usize,
    /// Chunks of games, or folders of them
    #[arg(required = true)]
    games: Vec<PathBuf>,
}

/// Does what the words ask for.
///
/// # Errors
/// In one line what is in the way.
pub fn run(words: impl Iterator<Item = OsString>) -> Result<()> {
    let arguments = Arguments::try_parse_from(words.map(two_dashes)).unwrap_or_else(|error| error.exit());
    match arguments.command {
        Command::Train(command) => command.run(),
        Command::Quantise(command) => command.run(),
        Command::Compare(command) => command.run(),
        Command::Refit(command) => command.run(),
        Command::Wdl(command) => command.run(),
        Command::Ladder(command) => command.run(),
    }
}

impl Train {
    /// Refuses what nothing can be learnt with, a number that is none above all: it would soon be in every weight.
    fn check(&self) -> Result<()> {
        check_from_0_to_1("-result", self.result)?;
        check_from_0_to_1("-rate", self.rate)?;
        check_from_0_to_1("-last-rate", self.last_rate)?;
        check_from_0_to_1("-decay", self.decay)?;
        ensure!(self.batch > 0, "-batch is 1 or more, not 0");
        ensure!(self.epochs > 0, "-epochs is 1 or more, not 0");
        Ok(())
    }

    fn run(self) -> Result<()> {
        self.check()?;
        let shape = Shape { width: self.width, outputs: self.outputs, kings: self.kings };
        shape.check()?;
        let network = self.from.as_ref().map(|path| Network::read(path).with_context(|| path.display().to_string()));
        let network = network.transpose()?;
        let data = Data::read(&self.games)?;
        let (scale, origin) = match (self.scale, &network) {
            (Some(scale), _) => (scale, "given"),
            (None, Some(network)) => (network.scale(), "of the network to begin with"),
            (None, None) => (scale::fit(&data.training), "fitted to the results"),
        };
        check_scale(scale)?;
        say(&format!(
            "{} games ({}), {} positions to learn from, {} for validation, scale {scale} ({origin})",
            data.games,
            data.identity,
            data.training.len(),
            data.validation.len()
        ));
        let settings = Settings {
            seed: self.seed,
            width: self.width,
            outputs: self.outputs,
            kings: self.kings,
            scale,
            result_share: self.result,
            epochs: self.epochs,
            batch: self.batch,
            decay: self.decay,
            schedule: Schedule { highest: self.rate, lowest: self.last_rate, warm_up: self.warm_up },
            games: data.identity.clone(),
            from: None,
        };
        let beginning = match &network {
            Some(network) => Checkpoint::with_network(settings, network)?,
            None => Checkpoint::new(settings),
        };
        let threads = words::threads(self.threads).min(gradient::SHARDS);
        let run = Run { folder: self.out, threads, interval: Duration::from_secs(self.save) };
        let checkpoint = train::run(&run, beginning, &data)?;
        say(&format!("hash {}", checkpoint.hash()));
        Ok(())
    }
}

impl Quantise {
    fn run(self) -> Result<()> {
        let path = if self.checkpoint.is_dir() { self.checkpoint.join(CHECKPOINT) } else { self.checkpoint };
        outputs::check(&self.out, &[&path], "network", |_| Network::read(&self.out).is_ok())?;
        let checkpoint = Checkpoint::read(&path)?;
        let network = quantise(&checkpoint)?;
        let positions = self.positions.read()?;
        let bounds = network.bounds();
        let [low, high] = bounds.accumulator;
        say(&format!("accumulators within {low} to {high}: 16 bits hold them"));
        let [low, high] = bounds.squares;
        say(&format!("sums of squares within {low} to {high}: 32 bits hold them"));
        say(&format!("{}", compare(&Judge::Exact(Box::new(checkpoint)), &Judge::Network(network.clone()), &positions)));
        write_bytes(&self.out, network.bytes())?;
        say(&format!("{}: network {:016x}, {} bytes", self.out.display(), network.id(), network.bytes().len()));
        Ok(())
    }
}

impl Compare {
    fn run(self) -> Result<()> {
        let (first, second) = (Judge::read(&self.first)?, Judge::read(&self.second)?);
        writeln!(io::stdout(), "{}", compare(&first, &second, &self.positions.read()?))?;
        Ok(())
    }
}

impl Refit {
    fn run(self) -> Result<()> {
        let Self { source: path, scale, draw, .. } = self;
        check_from_0_to_1("-result", self.result)?;
        check_scale(scale)?;
        let source = file::read_to_string(&path).with_context(|| path.display().to_string())?;
        let target = Target { scale: scale as f32, result_share: self.result };
        let [training, validation] = refit::read(&self.games, target)?;
        let begin = classical::weights();
        let fitted = refit::fit(&training, &begin, scale, draw)?;
        let before: Vec<f64> = begin.iter().copied().map(f64::from).collect();
        say(&format!("{} positions to learn from, {} for validation", training.len(), validation.len()));
        for (name, sums) in [("training", &training), ("validation", &validation)] {
            say(&format!("{name}: {:.6} before, {:.6} after", sums.loss(&before, scale), sums.loss(&fitted, scale)));
        }
        write_bytes(&path, refit::rewrite(&source, &fitted)?.as_bytes())?;
        say(&format!("{} is written", path.display()));
        Ok(())
    }
}

impl Wdl {
    fn run(self) -> Result<()> {
        let Self { source: path, games } = self;
        let source = file::read_to_string(&path).with_context(|| path.display().to_string())?;
        let [training, validation] = Results::read(&games)?;
        let fitted = wdl::fit(&training, &CURVE);
        say(&format!("{} positions to learn from, {} for validation: {fitted:?}", training.len(), validation.len()));
        for (name, results) in [("training", &training), ("validation", &validation)] {
            say(&format!("{name}: {:.5} before, {:.5} after", results.surprise(&CURVE), results.surprise(&fitted)));
        }
        write_bytes(&path, wdl::rewrite(&source, &fitted)?.as_bytes())?;
        say(&format!("{} is written", path.display()));
        Ok(())
    }
}

impl Ladder {
    fn run(self) -> Result<()> {
        let Self { table, out } = self;
        outputs::check(&out, &[&table], "picture of a ladder", ladder::is_picture)?;
        let text = file::read_to_string(&table).with_context(|| table.display().to_string())?;
        let steps = ladder::read(&text).with_context(|| table.display().to_string())?;
        write_bytes(&out, ladder::svg(&steps)?.as_bytes())?;
        say(&format!("{} points are drawn into {}", steps.len(), out.display()));
        Ok(())
    }
}

fn check_from_0_to_1<N: PartialOrd + From<u8> + Display>(word: &str, number: N) -> Result<()> {
    ensure!((N::from(0)..=N::from(1)).contains(&number), "{word} is 0 to 1, not {number}");
    Ok(())
}

fn check_scale(scale: i32) -> Result<()> {
    ensure!((1..=10_000).contains(&scale), "-scale is 1 to 10000, not {scale}");
    Ok(())
}

impl Positions {
    fn read(&self) -> Result<Vec<chuhe::board::Position>> {
        validation_positions(&self.games, self.positions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn words_begin_with_one_dash_or_two() {
        for line in ["x train -out o -last-rate 1e-6 d e", "x train --out o --last-rate=1e-6 d e"] {
            let words = line.split(' ').map(|word| two_dashes(word.into()));
            match Arguments::try_parse_from(words).unwrap().command {
                Command::Train(Train { out, last_rate, games, epochs: 12, .. }) => {
                    assert_eq!((out, last_rate, games), ("o".into(), 1e-6, vec!["d".into(), "e".into()]));
                }
                _ => panic!("{line}"),
            }
        }
    }
}
