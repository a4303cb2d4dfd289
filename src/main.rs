//! The engine's command line.

use std::env;
use std::error::Error;
use std::io::{self, BufReader, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use chuhe::board::{DEEPEST_PERFT, Position, START_FEN};
use chuhe::engine::options::{self, Language};
use chuhe::eval::nnue::{Kernel, Network};
use chuhe::genfens::OrderError;
use chuhe::io::{Retrying, write_stderr};
use chuhe::referee::Terms;
use chuhe::rules::RuleSet;
use chuhe::{bench, commands, dialogue, genfens, help};
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

const MANUAL: &str = "\
Examples:
  chuhe              speak UCCI or UCI; at a terminal `help` lists the commands
  chuhe bench        count the nodes of the signature
  chuhe help judge   the help of a sub-command

Manual: docs/en in the release and in the source, and chuhe man | man -l -";

/// A Xiangqi (Chinese chess) engine. Without a command it speaks UCCI and UCI on stdin and stdout.
#[derive(Parser)]
#[command(version, after_help = MANUAL)]
struct Arguments {
    /// Instruction set to use instead of the fastest that the machine has: avx512, avx2, neon or scalar.
    #[arg(long, global = true, value_name = "SET")]
    cpu: Option<String>,
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Subcommand)]
enum Task {
    /// Search fixed positions to a fixed depth with one thread; the number of nodes is the engine's signature.
    #[command(
        after_help = "Examples:\n  chuhe bench\n  chuhe bench 7 --network my.nnue\n  chuhe bench --knowledge medium"
    )]
    Bench {
        /// Depth in plies.
        #[arg(default_value_t = bench::DEPTH)]
        depth: u32,
        /// Rules by which repetitions are judged; other rules give another signature.
        #[arg(long, default_value = bench::RULES.name())]
        rules: RuleSet,
        /// File of a network that evaluates the positions instead of the built-in evaluation; it gives another signature.
        #[arg(long)]
        network: Option<PathBuf>,
        /// Evaluation, as in the option `knowledge`: large, the network, or medium, the hand-crafted evaluation, which gives
        /// another signature.
        #[arg(
            long,
            value_name = "GRADE",
            default_value = "large",
            hide_possible_values = true,
            conflicts_with = "network"
        )]
        knowledge: Grade,
    },
    /// Print the completions of a shell.
    #[command(after_help = "Examples:\n  chuhe completions bash > ~/.local/share/bash-completion/completions/chuhe")]
    Completions {
        /// Name of the shell.
        shell: Shell,
    },
    /// List the built-in data: network, opening book, endgame tablebases.
    #[command(after_help = "Examples:\n  chuhe contents")]
    Contents,
    /// Find random openings that a search finds even: COUNT seed SEED book FILE|None [plies N] [nodes N] [limit CENTIPAWNS]
    /// [least CENTIPAWNS].
    ///
    /// OpenBench passes all words as one argument. A book has a position a line, where games begin.
    #[command(after_help = "Examples:\n  chuhe genfens 100 seed 1 book None > openings.epd")]
    Genfens {
        /// File of a network that evaluates the openings instead of the built-in evaluation.
        #[arg(long)]
        network: Option<PathBuf>,
        /// Number and kind of the openings.
        #[arg(required = true, allow_hyphen_values = true)]
        words: Vec<String>,
    },
    /// Say who has lost a game that ends in the last position, and why: the FEN is one argument, the moves follow.
    #[command(
        after_help = "Examples:\n  chuhe judge \"FEN\" h2e2 h9g7\n  chuhe judge --rules chinese --file games.tsv"
    )]
    Judge {
        /// asian (or wxf), league, pikafish, chinese, checkban or noban
        #[arg(long, default_value = "asian")]
        rules: RuleSet,
        /// Judge at this occurrence of a position instead of the one the rules name.
        #[arg(long, value_parser = clap::value_parser!(u8).range(2..))]
        at: Option<u8>,
        /// Judge a loop that the moves go round once: at the second occurrence of the position, whatever the rules name.
        #[arg(long, conflicts_with = "at")]
        loops: bool,
        /// Judge every line of a file, `-` for the standard input: FEN and moves, separated by a tab or the word `moves`.
        ///
        /// A third column may give the expected verdict (none, draw, red loses, black loses), and a fourth the rules, which
        /// then replace --rules. Beside their names there are those of published sets: asian-disputed, chinese-1999,
        /// chinese-approx, pikafish-2026 and ucci-league.
        #[arg(long, conflicts_with = "fen")]
        file: Option<PathBuf>,
        /// The position, as one argument.
        #[arg(required_unless_present = "file")]
        fen: Option<String>,
        /// Moves from there, in ICCS, WXF or Chinese notation: h2e2, C2=5 or 炮二平五.
        moves: Vec<String>,
    },
    /// Print the manual page of the program or of a sub-command, in the format of man.
    #[command(after_help = "Examples:\n  chuhe man > chuhe.1\n  chuhe man judge | man -l -")]
    Man {
        /// Sub-command that the page is about.
        command: Option<String>,
    },
    /// List the options that a user can set, in both protocols.
    #[command(after_help = "Examples:\n  chuhe options\n  chuhe options --markdown > options.md")]
    Options {
        /// Print the table in Markdown, in English (en) or Chinese (zh).
        #[arg(long, value_name = "LANGUAGE", num_args = 0..=1, default_missing_value = "en")]
        markdown: Option<Language>,
    },
    /// Count the leaf nodes of the move tree.
    #[command(after_help = "Examples:\n  chuhe perft 4\n  chuhe perft 3 \"4k4/9/9/9/9/9/9/9/4R4/4K4 w\"")]
    Perft {
        /// Depth in plies.
        #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(DEEPEST_PERFT)))]
        depth: u32,
        /// The position, as one argument.
        #[arg(default_value = START_FEN)]
        fen: String,
    },
}

/// Evaluation of the benchmark, named like the values of the option `knowledge`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Grade {
    Large,
    Medium,
}

#[cfg(panic = "abort")]
compile_error!("a panic of a worker must not end the engine, so panics have to unwind");

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            write_stderr(&format!("chuhe: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Whether the reader of the output has left, as `head` does, which is not a failure.
fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    let of_order = error.downcast_ref().and_then(|error| match error {
        OrderError::Io(error) => Some(error),
        _ => None,
    });
    of_order.or(error.downcast_ref::<io::Error>()).is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// An output that may lose its reader: the exit status still says whether all was right.
struct IgnoreClosed<W>(W);

impl<W: Write> Write for IgnoreClosed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Returns the description of the program or of one of its sub-commands.
fn described(name: Option<String>) -> Result<clap::Command, String> {
    let mut program = Arguments::command();
    // Gives the sub-commands their full names.
    program.build();
    let Some(name) = name else { return Ok(program) };
    let found = program.find_subcommand(&name).cloned();
    found.ok_or_else(|| format!("no sub-command \"{name}\"; \"chuhe --help\" lists them"))
}

fn run() -> Result<(), Box<dyn Error>> {
    let Arguments { cpu, task } = help::parse(help::chinese::ENGINE, genfens::separated(env::args_os()));
    if let Some(name) = cpu {
        Kernel::choose(&name)?;
    }
    match task {
        None => {
            let client = dialogue::Client::at(&io::stdin());
            dialogue::run(client, BufReader::new(Retrying(io::stdin())), Retrying(io::stdout()))?;
        }
        Some(Task::Bench { depth, rules, network, knowledge }) => {
            let file = read(network)?;
            let network = file.as_ref().or(Network::embedded()).filter(|_| knowledge == Grade::Large);
            bench::run(depth, &rules.rules(), network, &mut io::stdout())?;
        }
        Some(Task::Completions { shell }) => {
            clap_complete::generate(shell, &mut Arguments::command(), "chuhe", &mut io::stdout());
        }
        Some(Task::Contents) => commands::contents(&mut io::stdout())?,
        Some(Task::Genfens { network, words }) => {
            let (order, network) = (genfens::Order::read(&words)?, read(network)?);
            order.fill(network.as_ref().or(Network::embedded()), &mut io::stdout())?;
        }
        Some(Task::Judge { rules, at, loops, file, fen, moves }) => {
            let terms = Terms { rule_set: rules, occurrence: if loops { Some(2) } else { at.map(usize::from) } };
            match file {
                Some(path) => commands::judge_file(&path, terms, &mut IgnoreClosed(io::stdout()))?,
                None => {
                    let fen = fen.unwrap_or_default();
                    commands::judge(&fen, &moves.join(" "), &terms.rules(), &mut io::stdout())?;
                }
            }
        }
        Some(Task::Man { command }) => clap_mangen::Man::new(described(command)?).render(&mut io::stdout())?,
        Some(Task::Options { markdown: Some(language) }) => {
            io::stdout().write_all(options::markdown(language).as_bytes())?;
        }
        Some(Task::Options { markdown: None }) => {
            let language = if help::is_chinese() { Language::Chinese } else { Language::English };
            commands::options(language, &mut io::stdout())?;
        }
        Some(Task::Perft { depth, fen }) => {
            commands::perft(&Position::from_fen(&fen)?, depth, &|| true, &mut io::stdout())?;
        }
    }
    Ok(())
}

fn read(network: Option<PathBuf>) -> Result<Option<Arc<Network>>, String> {
    let read = |path: PathBuf| Network::read(&path).map_err(|error| format!("{}: {error}", path.display()));
    Ok(network.map(read).transpose()?.map(Arc::new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
        help::in_chinese(Arguments::command(), help::chinese::ENGINE).debug_assert();
    }

    #[test]
    fn every_text_of_the_help_has_a_chinese_one() {
        let keys = help::keys(&Arguments::command());
        let texts = help::chinese::ENGINE.iter().map(|(key, _)| *key);
        let texts: Vec<&str> = texts.filter(|key| !key.ends_with("...")).collect();
        assert_eq!(keys.iter().filter(|key| !texts.contains(&&***key)).collect::<Vec<_>>(), [""; 0]);
        assert_eq!(texts.iter().filter(|text| !keys.iter().any(|key| key == *text)).collect::<Vec<_>>(), [&""; 0]);
    }

    #[test]
    fn every_sub_command_has_an_example() {
        let command = Arguments::command();
        for task in command.get_subcommands() {
            let help = task.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains(&format!("  chuhe {}", task.get_name())), "{}: {help}", task.get_name());
        }
    }
}
