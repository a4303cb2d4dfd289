//! Command line parsing; options begin with one dash or two.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use chuhe::engine::wdl::CURVE;
use chuhe::eval::hce;
use chuhe::eval::nnue::Network;
use chuhe::{file, help};
use chuhe_console::live::say;
use chuhe_console::words::{self, two_dashes};
use chuhe_games::outputs;
use chuhe_games::replace::write_bytes;
use chuhe_selfplay::manifest;
use clap::{Args, Parser, Subcommand};
use rayon::ThreadPoolBuilder;

use crate::checkpoint::{Checkpoint, Settings};
use crate::chinese::TEXTS;
use crate::compare::{Judge, compare};
use crate::data::{Data, validation_positions};
use crate::gradient::{self, Target};
use crate::quantise::quantise;
use crate::train::{self, CHECKPOINT, Run};
use crate::wdl::{self, Results};
use crate::{course, ladder, refit, runs, scale};

/// File name, in the folder of a run, of what is needed to make its games again.
const MANIFEST: &str = "games.toml";

const MANUAL: &str = "\
Examples:
  chuhe-trainer train -scale 430 -width 64 -epochs 3 -batch 256 -out run games
  chuhe-trainer help train

Manual: docs/en/src/network.md (docs/zh/src/network.md in Chinese)";

/// Trains Chuhe's network on the games of chuhe-selfplay. Options begin with one dash or two.
#[derive(Parser)]
#[command(version, name = "chuhe-trainer", after_help = MANUAL)]
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
    Runs(Runs),
    Ladder(Ladder),
}

/// Trains a network; if killed at any moment, the same command resumes.
#[derive(Args)]
#[command(
    args_override_self = true,
    after_help = "Examples:
  chuhe-trainer train -scale 430 -out run games
  chuhe-trainer train -from old.nnue -rate 5e-4 -epochs 6 -out run games"
)]
struct Train {
    /// Folder of the checkpoint and the losses
    #[arg(long)]
    out: PathBuf,
    #[command(flatten)]
    settings: Settings,
    /// Number of runs, with successive seeds, each in a folder of its own if there are several
    #[arg(long, default_value_t = 1)]
    seeds: u64,
    /// Network to start from instead of random parameters; the new one may be wider, and have more output or king buckets
    #[arg(long)]
    from: Option<PathBuf>,
    /// Centipawns per unit of log odds [default: that of the network to start from, or the best fit to the results]
    #[arg(long)]
    scale: Option<i32>,
    /// Threads, which do not affect the result [default: the number of processors]
    #[arg(long)]
    threads: Option<usize>,
    /// Minimum time between two checkpoints, in seconds
    #[arg(long, default_value_t = 60)]
    save: u64,
    /// Chunks of games, or folders of them
    #[arg(required = true)]
    games: Vec<PathBuf>,
}

/// Quantises a checkpoint to the engine's integers, and prints how far the two are apart.
#[derive(Args)]
#[command(after_help = "Examples:
  chuhe-trainer quantise run games -out my.nnue")]
struct Quantise {
    /// Folder of a run, or its checkpoint
    checkpoint: PathBuf,
    /// Network file to write
    #[arg(long)]
    out: PathBuf,
    #[command(flatten)]
    positions: Positions,
}

/// Prints how far the second network is from the first; each is a checkpoint or a quantised network.
#[derive(Args)]
#[command(after_help = "Examples:
  chuhe-trainer compare run/checkpoint my.nnue games
  chuhe-trainer compare old.nnue new.nnue games")]
struct Compare {
    /// Checkpoint or network
    first: PathBuf,
    /// Second checkpoint or network
    second: PathBuf,
    #[command(flatten)]
    positions: Positions,
}

/// Fits the weights of the hand-crafted evaluation (HCE) to the scores of games, and writes them into its source.
#[derive(Args)]
#[command(after_help = "Examples:
  chuhe-trainer refit -scale 430 -source src/eval/hce/weights.rs games")]
struct Refit {
    /// Source file with the weights, `weights.rs`
    #[arg(long)]
    source: PathBuf,
    /// Centipawns per unit of log odds
    #[arg(long)]
    scale: i32,
    /// Share of the game result in the target, 0 to 1; the score has the rest
    #[arg(long, default_value_t = 0.0)]
    result: f32,
    /// Pull of each weight towards its old value, as strong as this number of positions
    #[arg(long, default_value_t = 100.0)]
    draw: f64,
    /// Chunks of games, or folders of them
    #[arg(required = true)]
    games: Vec<PathBuf>,
}

/// Fits the engine's win, draw and loss model (WDL) to the results of games, and writes it into its source.
#[derive(Args)]
#[command(after_help = "Examples:
  chuhe-trainer wdl -source src/engine/wdl.rs games match.journal")]
struct Wdl {
    /// Source file with the curve, `wdl.rs`
    #[arg(long)]
    source: PathBuf,
    /// Chunks of games, folders of them, or journals of matches
    #[arg(required = true)]
    games: Vec<PathBuf>,
}

/// Writes a table and a picture of several runs: shapes, seeds and losses.
#[derive(Args)]
#[command(after_help = "Examples:
  chuhe-trainer runs -out compared run-a run-b")]
struct Runs {
    /// Files to write, without extension: the table has `.csv`, the picture `.svg`
    #[arg(long, default_value = "runs")]
    out: PathBuf,
    /// Folders of runs, or their checkpoints
    #[arg(required = true)]
    runs: Vec<PathBuf>,
}

/// Plots the strength of each network on the ladder against its cost.
#[derive(Args)]
#[command(after_help = "Examples:
  chuhe-trainer ladder
  chuhe-trainer ladder my.tsv -out my.svg")]
struct Ladder {
    /// Table of the ladder, tab-separated
    #[arg(default_value = "tools/trainer/ladder.tsv")]
    table: PathBuf,
    /// Picture to write
    #[arg(long, default_value = "tools/trainer/ladder.svg")]
    out: PathBuf,
}

/// Positions for a comparison of networks.
#[derive(Args)]
struct Positions {
    /// Number of positions, from validation games
    #[arg(long, default_value_t = 1000)]
    positions: usize,
    /// Chunks of games, or folders of them
    #[arg(required = true)]
    games: Vec<PathBuf>,
}

/// Runs the command that the arguments name.
///
/// # Errors
/// If it fails, with the reason in one line.
pub fn run(words: impl Iterator<Item = OsString>) -> Result<()> {
    match help::parse::<Arguments>(TEXTS, words.map(two_dashes)).command {
        Command::Train(command) => command.run(),
        Command::Quantise(command) => command.run(),
        Command::Compare(command) => command.run(),
        Command::Refit(command) => command.run(),
        Command::Wdl(command) => command.run(),
        Command::Runs(command) => command.run(),
        Command::Ladder(command) => command.run(),
    }
}

impl Train {
    /// Refuses settings that cannot train a network, above all NaN, which would soon be in every weight.
    fn check(&self) -> Result<()> {
        let Settings { result_share, schedule, decay, batch, epochs, newest, .. } = &self.settings;
        check_from_0_to_1("-result", *result_share)?;
        check_from_0_to_1("-last-result", self.settings.last_result_share())?;
        check_from_0_to_1("-newest", newest.unwrap_or(0.0))?;
        check_from_0_to_1("-rate", schedule.highest)?;
        check_from_0_to_1("-last-rate", schedule.lowest)?;
        check_from_0_to_1("-decay", *decay)?;
        ensure!(*batch > 0, "-batch is 1 or more, not 0");
        ensure!(*epochs > 0, "-epochs is 1 or more, not 0");
        ensure!(self.seeds > 0, "-seeds is 1 or more, not 0");
        let least = course::LAST_ONE_IN;
        ensure!(newest.is_none() || *epochs >= least, "-newest needs {least} epochs or more, not {epochs}");
        self.settings.layout().shape.check()?;
        Ok(())
    }

    fn run(self) -> Result<()> {
        self.check()?;
        let network = self.from.as_ref().map(|path| Network::read(path).with_context(|| path.display().to_string()));
        let network = network.transpose()?;
        let threads = words::threads(self.threads).min(gradient::SHARDS);
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        let data = pool.install(|| Data::read(&self.games))?;
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
        let settings = Settings { scale, games: data.identity.clone(), ..self.settings };
        let manifest = manifest::lines(&self.games)?;
        let mut folders = vec![];
        for seed in (settings.seed..).take(usize::try_from(self.seeds)?) {
            let settings = Settings { seed, ..settings.clone() };
            let folder = if self.seeds == 1 { self.out.clone() } else { self.out.join(format!("seed-{seed}")) };
            let beginning = match &network {
                Some(network) => Checkpoint::with_network(settings, network)?,
                None => Checkpoint::new(settings),
            };
            let run = Run { folder: folder.clone(), threads, interval: Duration::from_secs(self.save) };
            let checkpoint = train::run(&run, beginning, &data)?;
            write_bytes(&run.folder.join(MANIFEST), manifest.as_bytes())?;
            say(&format!("hash {}", checkpoint.hash()));
            folders.push(folder);
        }
        if folders.len() > 1 { write_runs(&folders, &self.out.join("runs")) } else { Ok(()) }
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
        let [low, high] = bounds.screlu;
        say(&format!("SCReLU sums within {low} to {high}: 32 bits hold them"));
        say(&format!(
            "{}",
            compare(&Judge::Exact(Box::new(checkpoint)), &Judge::Network(Box::new(network.clone())), &positions)
        ));
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
        let begin = hce::weights();
        let fitted = refit::fit(&training, &begin, scale, draw)?;
        let before: Vec<f64> = begin.iter().copied().map(f64::from).collect();
        say(&format!("{} positions to learn from, {} for validation", training.len(), validation.len()));
        for (name, sums) in [("training", &training), ("validation", &validation)] {
            say(&format!("{name}: {:.6} before, {:.6} after", sums.loss(&before, scale), sums.loss(&fitted, scale)));
        }
        write_source(&path, &refit::rewrite(&source, &fitted)?)
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
            say(&format!(
                "{name}: {:.5} before, {:.5} after",
                results.cross_entropy(&CURVE),
                results.cross_entropy(&fitted)
            ));
        }
        write_source(&path, &wdl::rewrite(&source, &fitted)?)
    }
}

impl Runs {
    fn run(self) -> Result<()> {
        write_runs(&self.runs, &self.out)
    }
}

/// Writes the table and the picture of runs to files that begin with `out`.
fn write_runs(paths: &[PathBuf], out: &Path) -> Result<()> {
    let [table, picture] = ["csv", "svg"].map(|extension| out.with_added_extension(extension));
    outputs::check(&table, &[], "table of runs", runs::is_table)?;
    outputs::check(&picture, &[], "picture of runs", ladder::is_picture)?;
    let runs = runs::read(paths)?;
    write_bytes(&table, runs::csv(&runs).as_bytes())?;
    write_bytes(&picture, runs::svg(&runs).as_bytes())?;
    say(&format!("{} runs are in {} and {}", runs.len(), table.display(), picture.display()));
    Ok(())
}

fn write_source(path: &Path, source: &str) -> Result<()> {
    write_bytes(path, source.as_bytes())?;
    say(&format!("{} is written", path.display()));
    Ok(())
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
    fn the_command_line_and_its_help_are_sound() {
        Arguments::command().debug_assert();
        assert_eq!(help::faults(&Arguments::command(), TEXTS, two_dashes), [""; 0]);
    }

    #[test]
    fn words_begin_with_one_dash_or_two() {
        for line in ["x train -out o -last-rate 1e-6 d e", "x train --out o --last-rate=1e-6 d e"] {
            let words = line.split(' ').map(|word| two_dashes(word.into()));
            match Arguments::try_parse_from(words).unwrap().command {
                Command::Train(Train { out, settings, games, .. }) => {
                    assert_eq!((settings.epochs, settings.schedule.lowest), (12, 1e-6));
                    assert_eq!((out, games), ("o".into(), vec!["d".into(), "e".into()]));
                }
                _ => panic!("{line}"),
            }
        }
    }
}
