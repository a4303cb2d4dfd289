//! An engine on the command line, with its search limits.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use chuhe::book::Symmetry;
use chuhe_console::choice::one_of;
use chuhe_engines::player::{EngineSpec, ProtocolChoice, TimeControl};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::outputs;
use crate::analysis::{Analyst, Settings};

/// The engine, its limits, and its journal.
#[derive(Args)]
pub(super) struct EngineArguments {
    /// A program that speaks UCCI or UCI
    #[arg(long, value_name = "PROGRAM")]
    pub(super) engine: PathBuf,
    /// An argument of the program; may be repeated
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(super) arg: Vec<String>,
    /// An option to set, by the engine's name for it; may be repeated. The engine's book is always switched off
    #[arg(long, value_name = "NAME=VALUE")]
    pub(super) option: Vec<String>,
    /// Protocol; UCI has the finer scores if the engine speaks both
    #[arg(long, value_name = "PROTOCOL", default_value = "auto", value_parser = one_of(PROTOCOLS))]
    pub(super) proto: ProtocolChoice,
    #[command(flatten)]
    pub(super) limits: Limits,
    /// Number of engine processes running at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) jobs: usize,
    /// Resume an interrupted analysis
    #[arg(long)]
    pub(super) resume: bool,
    /// File for intermediate results until the book is written; beside the book if not given
    #[arg(long, value_name = "FILE")]
    pub(super) journal: Option<PathBuf>,
}

/// Limits of a search; several apply together.
#[derive(Args)]
#[group(required = true, multiple = true)]
pub(super) struct Limits {
    /// Nodes per search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: Option<u64>,
    /// Depth of a search
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) depth: Option<u32>,
    /// Milliseconds per search
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) movetime: Option<u64>,
}

const PROTOCOLS: [(&str, ProtocolChoice); 3] =
    [("auto", ProtocolChoice::Auto), ("ucci", ProtocolChoice::Ucci), ("uci", ProtocolChoice::Uci)];

/// Time by which an answer may exceed the limit; generous, as there is no opponent.
const EXCESS: Duration = Duration::from_secs(60);

impl EngineArguments {
    /// Creates the analysis for a book that is written to `out` by a command that reads `inputs`.
    pub(super) fn analyst(
        &self,
        out: &Path,
        inputs: &[&Path],
        symmetry: Symmetry,
        moves: usize,
        margin: u16,
    ) -> Result<Analyst> {
        ensure!(self.jobs > 0, "--jobs 0: at least one is needed");
        let settings = Settings { engine: self.spec()?, jobs: self.jobs, symmetry, moves, margin };
        let beside = || {
            let mut name = OsString::from(out);
            name.push(".journal");
            PathBuf::from(name)
        };
        let journal = self.journal.clone().unwrap_or_else(beside);
        outputs::check_journal(&journal, out, inputs)?;
        Analyst::new(settings, &journal, self.resume)
    }

    fn spec(&self) -> Result<EngineSpec> {
        let mut spec = EngineSpec::new(&self.engine);
        spec.args.clone_from(&self.arg);
        spec.protocol = self.proto;
        spec.time = TimeControl {
            nodes: self.limits.nodes,
            depth: self.limits.depth,
            move_time: self.limits.movetime.map(Duration::from_millis),
            ..TimeControl::default()
        };
        spec.time_margin = EXCESS;
        // A book move is not an analysis.
        spec.options.push(("usebook".to_owned(), "false".to_owned()));
        for option in &self.option {
            let (name, value) = option.split_once('=').with_context(|| format!("{option:?} is not NAME=VALUE"))?;
            spec.options.push((name.to_owned(), value.to_owned()));
        }
        Ok(spec)
    }
}

/// Creates a bar for this number of positions.
pub(super) fn progress(positions: usize) -> Result<ProgressBar> {
    let style = "{bar:40} {pos} of {len} positions, {elapsed} gone, {eta} to go";
    Ok(ProgressBar::new(positions as u64).with_style(ProgressStyle::with_template(style)?))
}
