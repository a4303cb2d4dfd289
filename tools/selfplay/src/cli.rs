//! Command line; options begin with one or two dashes.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use chuhe::eval::nnue::Network;
use chuhe::help;
use chuhe::rules::RuleSet;
use chuhe_console::ending;
use chuhe_console::words::{self, Share};
use clap::{Args, Parser, Subcommand};

use crate::chinese::TEXTS;
use crate::generate::{self, End, Plan, Settings};
use crate::merge::{self, Form};
use crate::recipe::{self, Adjudication, CLASSICAL, Effort, Engine, Opening, Recipe};
use crate::verify::{self, Replay};
use crate::{manifest, stats};

/// Environment variable with the default folder.
const FOLDER_VARIABLE: &str = "CHUHE_DATA";

/// Value of `-network` for the network in the program.
const EMBEDDED: &str = "embedded";

/// Default number of games per chunk, unless the run has fewer.
const MOST_GAMES_OF_CHUNK: u64 = 20_000;

/// Maximum number of threads, as in the engine.
const MOST_THREADS: i64 = 512;

const MANUAL: &str = "\
Examples:
  chuhe-selfplay generate -games 120 -seed 1 -soft 100 -out games
  chuhe-selfplay help generate

Manual: docs/en/src/network.md (docs/zh/src/network.md in Chinese)";

/// Generates the self-play games that Chuhe's network is trained on. Options begin with one or two dashes.
#[derive(Parser)]
#[command(version, name = "chuhe-selfplay", after_help = MANUAL)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Generate(Generate),
    /// Prints statistics of chunks.
    ///
    /// A game adjudicated as won ends with the search that decided it, even if its last move mates: such games are not counted
    /// under mate.
    #[command(after_help = "Examples:
  chuhe-selfplay stats games
  chuhe-selfplay stats -manifest games")]
    Stats(Stats),
    Merge(Merge),
    Unpack(Unpack),
    Verify(Verify),
}

/// Plays games and writes them. A killed run is continued by the same command. If an option is repeated, the last one counts.
#[derive(Args)]
#[command(
    args_override_self = true,
    after_help = "Examples:
  chuhe-selfplay generate -games 120 -seed 1 -soft 100 -out games
  chuhe-selfplay generate -games 8000 -chunk 2000 -network my.nnue -shard 1/2 -out part1"
)]
struct Generate {
    /// Number of games of the run, in whole chunks
    #[arg(long)]
    games: u64,
    /// Seed of all random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Folder for the chunks [default: the variable CHUHE_DATA]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Soft limit of a search: an iteration that ends at this number of nodes or beyond is the last
    #[arg(long, default_value_t = 500)]
    soft: u64,
    /// Hard limit of a search, in nodes [default: 8 times the soft limit]
    #[arg(long)]
    hard: Option<u64>,
    /// Size of the transposition table, in MiB
    #[arg(long, default_value_t = Effort::DEFAULT_TABLE)]
    table: usize,
    /// Rules of the games: asian, league, pikafish, chinese, checkban or noban
    #[arg(long, default_value = RuleSet::Asian.name())]
    rules: RuleSet,
    /// Number of plies after which a game is drawn
    #[arg(long, default_value_t = Adjudication::default().most_plies)]
    plies: usize,
    /// Soft limit of the search that evaluates an opening, in nodes [default: 8 times that of a move]
    #[arg(long)]
    opening: Option<u64>,
    /// Score from which a side is winning, in centipawns
    #[arg(long, default_value_t = Adjudication::default().won_score)]
    won: i32,
    /// Successive plies with a winning score, of both sides' searches, that win the game
    #[arg(long, default_value_t = Adjudication::default().won_plies)]
    wonplies: u32,
    /// Evaluation: the file of a network, embedded (the network in the program) or classical (the hand-crafted evaluation)
    #[arg(long, default_value = EMBEDDED, value_name = "FILE")]
    network: PathBuf,
    /// Commit of the engine, for the headers [default: the variable CHUHE_COMMIT when this was built]
    #[arg(long)]
    commit: Option<String>,
    /// Number of games of a chunk [default: 20,000, or all if there are fewer]
    #[arg(long)]
    chunk: Option<u64>,
    /// Number of the first game, a multiple of the games of a chunk
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Make only these chunks: every n-th, from the i-th on
    #[arg(long, default_value = "1/1", value_name = "i/n")]
    shard: Share,
    /// Number of games played at the same time [default: the number of processors]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    threads: Option<u16>,
    /// Seconds between progress lines, where no terminal shows a bar
    #[arg(long, default_value_t = 30)]
    every: u64,
}

#[derive(Args)]
struct Stats {
    /// Print instead what is needed to make the games again: seed, commit, network, command and hashes, as TOML
    #[arg(long)]
    manifest: bool,
    #[command(flatten)]
    paths: Paths,
}

/// Prints statistics of chunks.
#[derive(Args)]
struct Paths {
    /// Chunks, or folders of them [default: the variable CHUHE_DATA]
    paths: Vec<PathBuf>,
}

/// Merges the chunks of a run's shards into one folder.
#[derive(Args)]
#[command(after_help = "Examples:
  chuhe-selfplay merge -out all part1 part2
  chuhe-selfplay merge -pack -out packed games")]
struct Merge {
    /// Folder for the merged chunks [default: the variable CHUHE_DATA]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Pack the chunks: half of the bytes, and every command reads them, but more slowly
    #[arg(long)]
    pack: bool,
    /// Number of chunks processed at the same time [default: the number of processors]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    threads: Option<u16>,
    /// Chunks, or folders of them
    #[arg(required = true)]
    sources: Vec<PathBuf>,
}

/// Unpacks packed chunks into a folder, as they were when they were generated.
#[derive(Args)]
#[command(after_help = "Examples:
  chuhe-selfplay unpack -out games packed")]
struct Unpack {
    /// Folder for the unpacked chunks [default: the variable CHUHE_DATA]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Number of chunks processed at the same time [default: the number of processors]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    threads: Option<u16>,
    /// Chunks, or folders of them
    #[arg(required = true)]
    sources: Vec<PathBuf>,
}

/// Verifies chunks: checksums, every move, every result, and some games by replaying them.
#[derive(Args)]
#[command(after_help = "Examples:
  chuhe-selfplay verify games
  chuhe-selfplay verify -replays 10 -network my.nnue games")]
struct Verify {
    /// Number of games replayed per chunk
    #[arg(long, default_value_t = 3)]
    replays: u64,
    /// File of the network that evaluated the positions [default: the network in the program]
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    #[command(flatten)]
    paths: Paths,
}

/// Runs the command given by the arguments.
///
/// # Errors
/// If the command fails; the error describes the cause in one line.
pub fn run(arguments: impl Iterator<Item = OsString>) -> Result<ExitCode> {
    match help::parse::<Arguments>(TEXTS, arguments.map(words::two_dashes)).command {
        Command::Generate(command) => return command.run(),
        Command::Stats(Stats { manifest: true, paths }) => {
            io::stdout().lock().write_all(manifest::lines(&paths.resolve()?)?.as_bytes())?;
        }
        Command::Stats(Stats { paths, .. }) => stats::run(&paths.resolve()?, &mut io::stdout().lock())?,
        Command::Merge(Merge { out, pack, threads, sources }) => {
            let form = if pack { Form::Packed } else { Form::Kept };
            let threads = words::threads(threads.map(usize::from));
            merge::run(&folder(out)?, &sources, form, threads, &mut io::stdout().lock())?;
        }
        Command::Unpack(Unpack { out, threads, sources }) => {
            let threads = words::threads(threads.map(usize::from));
            merge::run(&folder(out)?, &sources, Form::Plain, threads, &mut io::stdout().lock())?;
        }
        Command::Verify(Verify { replays: games, network, paths }) => {
            let network = match network {
                Some(path) => Some(read_network(&path)?),
                None => Network::embedded().cloned(),
            };
            let replay = Replay { games, network };
            verify::run(&paths.resolve()?, &replay, &mut io::stdout(), &mut io::stderr())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the named folder, or that of the environment variable.
fn folder(named: Option<PathBuf>) -> Result<PathBuf> {
    words::folder(named, FOLDER_VARIABLE)
}

/// Returns the network that `-network` names; `None` for the hand-crafted evaluation.
fn network_of(name: &Path) -> Result<Option<Arc<Network>>> {
    match name.to_str() {
        Some(CLASSICAL) => Ok(None),
        Some(EMBEDDED) => {
            let network = Network::embedded().cloned();
            network.map(Some).context("this program has no network: -network names a file, or classical")
        }
        _ => read_network(name).map(Some),
    }
}

fn read_network(path: &Path) -> Result<Arc<Network>> {
    Ok(Arc::new(Network::read(path).with_context(|| path.display().to_string())?))
}

impl Paths {
    fn resolve(self) -> Result<Vec<PathBuf>> {
        if self.paths.is_empty() { Ok(vec![folder(None)?]) } else { Ok(self.paths) }
    }
}

impl Generate {
    fn run(self) -> Result<ExitCode> {
        let cancel = ending::interruption()?;
        Ok(match generate::run(&self.settings()?, &cancel)? {
            End::Complete => ExitCode::SUCCESS,
            End::Interrupted => ExitCode::from(ending::INTERRUPTED),
        })
    }

    fn settings(self) -> Result<Settings> {
        let hard_nodes = self.hard.unwrap_or(Effort::default_hard(self.soft));
        let network = network_of(&self.network)?;
        let recipe = Recipe {
            engine: Engine::this(self.commit, network.as_ref())?,
            network: recipe::name_of(network.as_deref()),
            seed: self.seed,
            rules: self.rules.name().to_owned(),
            effort: Effort { soft_nodes: self.soft, hard_nodes, table_mebibytes: self.table },
            opening: Opening { nodes: self.opening.unwrap_or(Opening::default_nodes(self.soft)), ..Opening::default() },
            adjudication: Adjudication {
                won_score: self.won,
                won_plies: self.wonplies,
                most_plies: self.plies,
                ..Adjudication::default()
            },
        };
        let chunk = self.chunk.unwrap_or(MOST_GAMES_OF_CHUNK.min(self.games));
        let plan = Plan { first: self.first, games: self.games, chunk, shard: self.shard };
        Ok(Settings {
            recipe,
            network,
            folder: folder(self.out)?,
            plan,
            threads: words::threads(self.threads.map(usize::from)),
            interval: Duration::from_secs(self.every),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_and_its_help_are_sound() {
        Arguments::command().debug_assert();
        assert_eq!(help::faults(&Arguments::command(), TEXTS, words::two_dashes), [""; 0]);
    }

    #[test]
    fn a_network_that_cannot_be_read_is_said_once() {
        let output = format!("{:#}", read_network(Path::new("no/such/network")).unwrap_err());
        assert!(output.starts_with("no/such/network: cannot be read: "), "{output}");
        assert_eq!(output.matches("os error").count(), 1, "{output}");
    }

    #[test]
    fn what_the_words_may_be_is_said_and_held() {
        let generate =
            |words: [&str; 2]| Arguments::try_parse_from([&["x", "generate", "--games", "2"], &words[..]].concat());
        assert!(generate(["--threads", "512"]).is_ok());
        for threads in ["0", "513", "18446744073709551615"] {
            assert!(generate(["--threads", threads]).is_err(), "{threads}");
        }
        let mut command = Arguments::command();
        let help = command.find_subcommand_mut("generate").unwrap().render_help().to_string();
        assert!(RuleSet::ALL.iter().all(|rules| help.contains(rules.name())), "{help}");
    }

    #[test]
    fn words_begin_with_one_dash_or_two() {
        let parse = |line: &str| {
            let words = line.split(' ').map(|word| words::two_dashes(word.into()));
            match Arguments::try_parse_from(words).unwrap().command {
                Command::Generate(command) => command,
                _ => panic!("{line}"),
            }
        };
        for line in ["x generate -games 9 -shard 2/3 -out d", "x generate --games 9 --shard=2/3 --out d"] {
            let settings = parse(line).settings().unwrap();
            assert_eq!(settings.plan, Plan { first: 0, games: 9, chunk: 9, shard: Share { number: 2, of: 3 } });
            assert_eq!(settings.recipe.effort, Effort { soft_nodes: 500, hard_nodes: 4000, table_mebibytes: 4 });
            assert_eq!(settings.folder, PathBuf::from("d"));
            assert_eq!(settings.recipe.opening.nodes, 4000);
            let name = settings.network.as_ref().map(|network| format!("{:016x}", network.id()));
            assert_eq!(name, Network::embedded().map(|network| format!("{:016x}", network.id())), "the default");
            assert_eq!(name, Some(settings.recipe.network));
        }
        let settings = parse("x generate -games 9 -network classical -out d").settings().unwrap();
        assert_eq!((settings.network.is_none(), &*settings.recipe.network), (true, CLASSICAL));
        let Recipe { opening, adjudication, .. } =
            parse("x generate -games 9 -soft 250 -won 2000 -wonplies 4 -network classical -out d")
                .settings()
                .unwrap()
                .recipe;
        assert_eq!((opening.nodes, adjudication.won_score, adjudication.won_plies), (2000, 2000, 4));
        let recipe =
            parse("x generate -games 9 -soft 250 -opening 4000 -network classical -out d").settings().unwrap().recipe;
        assert_eq!((recipe.opening.nodes, recipe.adjudication), (4000, Adjudication::default()));
        assert_eq!(parse("x generate -games 60000 -out d").settings().unwrap().plan.chunk, MOST_GAMES_OF_CHUNK);
    }
}
