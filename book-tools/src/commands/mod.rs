//! Commands of the command line, one file each.

/// Writes a line to standard output; returns an error if its reader has closed it.
macro_rules! say {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        writeln!(std::io::stdout(), $($words)*)
    }};
}

mod browse;
mod build;
mod chinese;
mod convert;
mod diff;
mod dump;
mod edit;
mod engine;
mod eval;
mod export;
mod grow;
mod key;
mod learn;
mod merge;
mod minimax;
mod outputs;
mod page;
mod position;
mod probe;
mod prune;
mod sample;
mod stats;
mod verify;

use std::ffi::OsString;

use anyhow::Result;
use chuhe::help;
use clap::{Parser, Subcommand};

const MANUAL: &str = "\
Examples:
  book-tools build games/*.pgn -o my.book
  book-tools help build

Manual: docs/en/src/books.md (docs/zh/src/books.md in Chinese)";

/// Builds, merges, verifies and prints Chuhe's opening books.
#[derive(Parser)]
#[command(version, about, name = "book-tools", after_help = MANUAL)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Build(build::Build),
    Learn(learn::Learn),
    Merge(merge::Merge),
    Prune(prune::Prune),
    Eval(eval::Eval),
    Grow(grow::Grow),
    Minimax(minimax::Minimax),
    Dump(dump::Dump),
    Probe(probe::Probe),
    Browse(browse::Browse),
    #[command(visible_alias = "play")]
    Sample(sample::Sample),
    Page(page::Page),
    Stats(stats::Stats),
    Verify(verify::Verify),
    Convert(convert::Convert),
    ExportOpenings(export::ExportOpenings),
    ImportMoves(edit::ImportMoves),
    Set(edit::Set),
    Del(edit::Del),
    Diff(diff::Diff),
    Key(key::Key),
}

impl Arguments {
    /// Parses the words of a command line, the program's name first. Help and faults end the program.
    pub fn read(words: impl Iterator<Item = OsString>) -> Self {
        help::parse(chinese::TEXTS, words)
    }

    /// Runs the command.
    ///
    /// # Errors
    /// If the command fails; the message is one line and names the file.
    pub fn run(self) -> Result<()> {
        match self.command {
            Command::Build(command) => command.run(),
            Command::Learn(command) => command.run(),
            Command::Merge(command) => command.run(),
            Command::Prune(command) => command.run(),
            Command::Eval(command) => command.run(),
            Command::Grow(command) => command.run(),
            Command::Minimax(command) => command.run(),
            Command::Dump(command) => command.run(),
            Command::Probe(command) => command.run(),
            Command::Browse(command) => command.run(),
            Command::Sample(command) => command.run(),
            Command::Page(command) => command.run(),
            Command::Stats(command) => command.run(),
            Command::Verify(command) => command.run(),
            Command::Convert(command) => command.run(),
            Command::ExportOpenings(command) => command.run(),
            Command::ImportMoves(command) => command.run(),
            Command::Set(command) => command.run(),
            Command::Del(command) => command.run(),
            Command::Diff(command) => command.run(),
            Command::Key(command) => command.run(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_and_its_help_are_sound() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
        assert_eq!(help::faults(&Arguments::command(), chinese::TEXTS, |word| word), [""; 0]);
    }
}
