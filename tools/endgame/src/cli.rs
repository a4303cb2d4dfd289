//! Command line parsing.

use std::ffi::OsString;
use std::io::{self, BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use chuhe::endgame::{Index, Material, RESULTS_EXTENSION, Tables};
use chuhe::help;
use chuhe_console::{ending, words};
use clap::{Args, Parser, Subcommand};

use crate::chinese::TEXTS;
use crate::duel::Task;
use crate::generate::{self, End, Settings};
use crate::probe::Form;
use crate::progress::Progress;
use crate::{checksums, duel, folder, pack, probe, stats, verify};

/// Environment variable with the folder to use if none is given.
const FOLDER_VARIABLE: &str = "CHUHE_ENDGAMES";

/// Longest timeout for an answer, in seconds: one day.
const LONGEST_TIMEOUT: u64 = 24 * 60 * 60;

/// Largest limit of the memory in MiB.
const MOST_MEMORY: u64 = 1 << 30;

/// Most threads, as in the engine.
const MOST_THREADS: i64 = 512;

const MANUAL: &str = "\
Examples:
  chuhe-endgame generate KR-KN --folder tables
  chuhe-endgame help generate

Manual: docs/en/src/endgames.md (docs/zh/src/endgames.md in Chinese)";

/// Generates, checks and queries the endgame tablebases that Chuhe reads.
#[derive(Parser)]
#[command(version, name = "chuhe-endgame", after_help = MANUAL)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Makes tables, and all that they convert to; if killed, the same command resumes
    #[command(after_help = "Examples:
  chuhe-endgame generate KR-KN --folder tables
  chuhe-endgame generate KRR-KAABB KRN-KAABB --folder tables --threads 4
  chuhe-endgame generate KRC-KRAABB --folder tables --memory 4096")]
    Generate {
        /// Like KR-KAABB: king, attackers and defenders of both sides
        #[arg(required = true)]
        materials: Vec<Material>,
        #[command(flatten)]
        common: Common,
        /// Limit of the memory for the entries of a table in MiB; the others wait in scratch files of the folder
        #[arg(long, value_parser = clap::value_parser!(u64).range(1..=MOST_MEMORY))]
        memory: Option<u64>,
    },
    /// Checks every entry against its successors, which the engine's own board finds
    #[command(after_help = "Examples:
  chuhe-endgame verify --folder tables
  chuhe-endgame verify KR-KN --folder tables")]
    Verify(Chosen),
    /// Counts the outcomes in tables, on the full board
    #[command(after_help = "Examples:
  chuhe-endgame stats --mates KR-KN --folder tables")]
    Stats {
        #[command(flatten)]
        chosen: Chosen,
        /// Also report the longest mates (DTM), counted through captures: solved in memory, with all that a material converts to
        #[arg(long)]
        mates: bool,
    },
    /// Plays positions from the tables, a UCI engine against the tables
    #[command(after_help = "Examples:
  chuhe-endgame duel KNP-KABB KPP-KAA --folder tables --engine ./chuhe --option EgtbPaths=tables")]
    Duel {
        /// Materials from which positions are taken, in turn
        #[arg(required = true)]
        materials: Vec<Material>,
        /// Folder of the tables [default: the variable CHUHE_ENDGAMES]
        #[arg(long)]
        folder: Option<PathBuf>,
        /// Path of the UCI engine
        #[arg(long)]
        engine: PathBuf,
        /// `name=value`, set before the first game
        #[arg(long = "option")]
        options: Vec<String>,
        /// Number of games
        #[arg(long, default_value_t = 1000)]
        games: u64,
        /// Shortest win to play: plies to the end of the game or a capture
        #[arg(long, default_value_t = 20)]
        plies: u16,
        /// Hold drawn positions instead, with the second side to move
        #[arg(long)]
        hold: bool,
        /// Limits of a search, as after `go`: movetime, depth, nodes
        #[arg(long, default_value = "movetime 10")]
        go: String,
        /// Timeout for an answer of the engine, in seconds
        #[arg(long, alias = "patience", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=LONGEST_TIMEOUT))]
        timeout: u64,
        /// Seed of the positions, and of the tables' choices among equal moves
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Packs tables, and all that they convert to, into the one file that is part of the program
    #[command(after_help = "Examples:
  chuhe-endgame pack KR-KAABB KPP-KA --folder tables --out embedded.tables")]
    Pack {
        /// Like KR-KAABB: king, attackers and defenders of both sides
        #[arg(required = true)]
        materials: Vec<Material>,
        /// Folder of the tables [default: the variable CHUHE_ENDGAMES]
        #[arg(long)]
        folder: Option<PathBuf>,
        /// The file to write; an existing one is replaced if it holds packed tables
        #[arg(long)]
        out: PathBuf,
    },
    /// Prints a checksum of every table file: XXH3 with 64 bits of the results and of the distances
    #[command(after_help = "Examples:
  chuhe-endgame checksums --folder tables
  chuhe-endgame checksums KR-KN --folder tables")]
    Checksums {
        /// Tables to use [default: all of the folder]
        materials: Vec<Material>,
        /// Folder of the tables [default: the variable CHUHE_ENDGAMES]
        #[arg(long)]
        folder: Option<PathBuf>,
    },
    /// Prints what the tables know of a position, or of many, and of every move
    #[command(after_help = "Examples:
  chuhe-endgame probe '3k5/9/4n4/9/9/9/9/9/4R4/4K4 w' --folder tables
  chuhe-endgame probe --file positions.txt --json --folder tables
  chuhe-endgame probe - --json --no-moves --folder tables")]
    Probe {
        /// The position as a FEN; `-` reads FENs from the standard input, one on a line
        #[arg(required_unless_present = "file")]
        fen: Option<String>,
        /// File of FENs, one on a line
        #[arg(long, conflicts_with = "fen")]
        file: Option<PathBuf>,
        /// Print a JSON object on a line for each position
        #[arg(long)]
        json: bool,
        /// Leave out the moves, which takes a fraction of the time
        #[arg(long, requires = "json")]
        no_moves: bool,
        /// Folder of the tables [default: the variable CHUHE_ENDGAMES]
        #[arg(long)]
        folder: Option<PathBuf>,
    },
}

#[derive(Args)]
struct Common {
    /// Folder of the tables [default: the variable CHUHE_ENDGAMES]
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Threads [default: the number of processors]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    threads: Option<u16>,
    /// Seconds between two lines of progress, without a terminal
    #[arg(long, default_value_t = 30)]
    every: u64,
}

#[derive(Args)]
struct Chosen {
    /// Tables to use [default: all of the folder]
    materials: Vec<Material>,
    #[command(flatten)]
    common: Common,
}

/// Runs the command that the arguments name.
///
/// # Errors
/// If it fails, with the reason in one line.
pub fn run(words: impl Iterator<Item = OsString>) -> Result<ExitCode> {
    match help::parse::<Arguments>(TEXTS, words).command {
        Command::Generate { materials, common, memory } => return generate(materials, &common, memory),
        Command::Verify(chosen) => {
            let folder = folder(chosen.common.folder.as_deref())?;
            let materials = chosen.materials(&folder)?;
            let placements = materials.iter().filter_map(|&material| Index::new(material)).map(|index| index.size());
            let placements = placements.sum();
            let progress = Progress::new(placements, placements, chosen.common.interval());
            verify::run(&folder, &materials, chosen.common.threads(), progress, &mut io::stderr())?;
        }
        Command::Stats { chosen, mates } => {
            let folder = folder(chosen.common.folder.as_deref())?;
            let materials = chosen.materials(&folder)?;
            stats::run(&folder, &materials, mates, chosen.common.threads(), &mut io::stdout().lock())?;
        }
        Command::Duel { materials, folder: named, engine, options, games, plies, hold, go, timeout, seed } => {
            let task = if hold { Task::Hold } else { Task::Win { plies } };
            let folder = folder(named.as_deref())?;
            let timeout = Duration::from_secs(timeout);
            let settings = duel::Settings { folder, materials, games, task, seed, engine, options, go, timeout };
            duel::run(&settings, &mut io::stdout().lock())?;
        }
        Command::Pack { materials, folder: named, out } => {
            pack::run(&folder(named.as_deref())?, &materials, &out, &mut io::stdout().lock())?;
        }
        Command::Checksums { materials, folder: named } => {
            let folder = folder(named.as_deref())?;
            let materials = or_all(&materials, &folder)?;
            checksums::run(&folder, &materials, &mut io::stdout().lock())?;
        }
        Command::Probe { fen, file, json, no_moves, folder: named } => {
            let form = if json { Form::Json { moves: !no_moves } } else { Form::Text };
            let tables = folder::read(&self::folder(named.as_deref())?)?;
            probe(&tables, fen.as_deref(), file.as_deref(), form)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn generate(materials: Vec<Material>, common: &Common, memory: Option<u64>) -> Result<ExitCode> {
    let cancel = ending::interruption()?;
    let folder = folder(common.folder.as_deref())?;
    let memory = memory.map(|mebibytes| mebibytes << 20);
    let settings = Settings { materials, folder, threads: common.threads(), memory, interval: common.interval() };
    Ok(match generate::run(&settings, &cancel)? {
        End::Complete => ExitCode::SUCCESS,
        End::Interrupted => ExitCode::from(ending::INTERRUPTED),
    })
}

/// Answers one position, or those of the standard input or of a file. Each answer is flushed, so that a program can wait for it.
fn probe(tables: &Tables, fen: Option<&str>, file: Option<&Path>, form: Form) -> Result<()> {
    let out = &mut io::stdout().lock();
    match (fen, file) {
        (_, Some(path)) => {
            let file = chuhe::file::open(path).with_context(|| format!("{}: cannot be read", path.display()))?;
            probe::many(tables, BufReader::new(file), form, &mut BufWriter::new(out))
        }
        (Some("-"), None) => probe::many(tables, io::stdin().lock(), form, out),
        (fen, None) => probe::one(tables, fen.unwrap_or_default(), form, out),
    }
}

/// Returns the folder given, or the one from the environment.
fn folder(named: Option<&Path>) -> Result<PathBuf> {
    words::folder(named.map(Path::to_owned), FOLDER_VARIABLE)
}

impl Common {
    fn threads(&self) -> usize {
        words::threads(self.threads.map(usize::from))
    }

    fn interval(&self) -> Duration {
        Duration::from_secs(self.every)
    }
}

impl Chosen {
    /// Returns the materials given, or all that have result files.
    fn materials(&self, folder: &Path) -> Result<Vec<Material>> {
        or_all(&self.materials, folder)
    }
}

/// Returns the materials given, or all that have result files.
fn or_all(materials: &[Material], folder: &Path) -> Result<Vec<Material>> {
    if !materials.is_empty() {
        return Ok(materials.to_owned());
    }
    let mut found: Vec<Material> = vec![];
    for entry in folder.read_dir().with_context(|| format!("the folder {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == RESULTS_EXTENSION) {
            let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            found.push(name.parse().with_context(|| path.display().to_string())?);
        }
    }
    if found.is_empty() {
        bail!("there are no tables in {}", folder.display());
    }
    found.sort_by_key(|material| (material.piece_count(), *material));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_and_its_help_are_sound() {
        Arguments::command().debug_assert();
        assert_eq!(help::faults(&Arguments::command(), TEXTS, |word| word), [""; 0]);
        assert!(Arguments::try_parse_from(["x", "generate"]).is_err(), "something must be wanted");
        assert!(Arguments::try_parse_from(["x", "generate", "KR"]).is_err());
        let with_threads = |threads: &str| Arguments::try_parse_from(["x", "stats", "--threads", threads]);
        assert!(with_threads("512").is_ok() && with_threads("513").is_err() && with_threads("0").is_err());
        let words = ["x", "generate", "KR-KAABB", "--folder", "d", "--threads", "3"];
        let Command::Generate { materials, common, memory: None } = Arguments::try_parse_from(words).unwrap().command
        else {
            panic!("another command")
        };
        assert_eq!(materials[0].to_string(), "KR-KAABB");
        assert_eq!((common.threads(), folder(common.folder.as_deref()).unwrap()), (3, PathBuf::from("d")));
    }
}
