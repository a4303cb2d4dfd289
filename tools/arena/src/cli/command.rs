//! Commands of the arena, and the text of `--help` that explains them.

use std::path::PathBuf;

use chuhe::engine::options::Language;
use chuhe::genfens;
use chuhe::rules::RuleSet;
use chuhe_engines::compliance::TestedEngine;

use crate::serving::Serving;
use crate::settings::Settings;
use crate::viewing::View;

/// A parsed command.
#[derive(Clone, Debug)]
pub enum Command {
    /// Print the help.
    Help,
    /// Print the version.
    Version,
    /// Play a match or a tuning.
    Play(Box<Settings>),
    /// Resume the match of a journal.
    Resume(Resume),
    /// Show the contents of a journal.
    Show(PathBuf, View),
    /// Show the match of a journal in a browser while it is played.
    Serve(PathBuf, Serving),
    /// Merge the journals of the parts of a match into one.
    Merge(PathBuf, Vec<PathBuf>),
    /// Measure the speed of this machine.
    Speed,
    /// Generate openings.
    Generate(Generate),
    /// Run the dialogues of the conformance suite with an engine.
    Compliance(TestedEngine),
    /// Kill the engines of an arena that was killed.
    Watchdog(Watchdog),
}

/// The two stages of starting a watchdog; only the arena starts them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Watchdog {
    /// Start the second stage and exit, so that it is not a child of the arena.
    Detach,
    /// Wait for the arena to end.
    Watch,
}

impl Watchdog {
    /// Returns the arguments that start this stage.
    pub fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Detach => &["watchdog"],
            Self::Watch => &["watchdog", "watch"],
        }
    }
}

/// A match to resume, and changes to its command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resume {
    /// Journal of the match.
    pub journal: PathBuf,
    /// Journal to continue in, if not the same; it becomes a copy first.
    pub outname: Option<PathBuf>,
    /// Options that replace those of the original command.
    pub changes: Vec<String>,
}

/// Number, kind and destination of openings to generate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Generate {
    /// Number of openings.
    pub count: usize,
    /// Parameters of the generator.
    pub settings: genfens::Settings,
    /// Output file, or standard output if there is none.
    pub file: Option<PathBuf>,
}

/// Help text without the names of the rule sets.
const HELP: &str = include_str!("help.txt");

/// Help text in Chinese, likewise.
const HELP_IN_CHINESE: &str = include_str!("help_zh.txt");

/// Returns the whole help text.
pub fn help(language: Language) -> String {
    let text = match language {
        Language::English => HELP,
        Language::Chinese => HELP_IN_CHINESE,
    };
    text.replace("{rules}", &RuleSet::ALL.map(RuleSet::name).join("|"))
}

/// Returns the options that the text explains: those that begin a line of it.
pub(super) fn help_words() -> impl Iterator<Item = &'static str> {
    heads(HELP)
        .filter_map(|line| line.strip_prefix('-'))
        .flat_map(|head| head.split(", -").filter_map(|word| word.trim_start_matches('-').split([' ', ',']).next()))
}

/// Returns the syntax of the options and keys that a help text explains, in order.
pub(super) fn heads(help: &str) -> impl Iterator<Item = &str> {
    let is_key = |line: &str| line.starts_with("      ") && !line.starts_with("       ");
    let lines = help.lines().filter(move |line| line.starts_with("  -") || is_key(line));
    lines.filter_map(|line| line.trim_start().split("  ").next())
}
