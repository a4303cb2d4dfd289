//! What the user can set: one table of options from which protocols announce and into which they write.

mod page;
mod registry;
mod table;
mod wishes;

use std::ffi::{OsStr, OsString};
use std::num::IntErrorKind;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

pub use page::{Row, rows};
pub use registry::registry;
pub use table::OPTIONS;
pub use wishes::{Opponent, Style};

pub use super::etiquette::Manners;
use crate::board::{RankBase, Variant};
use crate::book::Choice;
use crate::eval::Knowledge;
use crate::rules::{RuleSet, Rules};
use crate::search::{PositionValues, Pruning};

/// The weakest and the strongest level of play, on a scale of our own.
pub const ELO_RANGE: RangeInclusive<i64> = 800..=2800;

/// The values in force.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Size of the table in MiB; 0 leaves it to the engine.
    pub hash_mebibytes: usize,
    /// Number of workers; 0 takes every physical core.
    pub threads: usize,
    /// The opponent's time is used too, so a move may take longer.
    pub ponder: bool,
    /// `go` counts in milliseconds, not in seconds.
    pub milliseconds: bool,
    /// While a search runs, commands wait for their turn.
    pub batch: bool,
    /// Say what was not understood.
    pub debug: bool,
    /// Kept back from every clock for the way to the user and back.
    pub overhead: Duration,
    /// Where to write the log.
    pub log_file: Option<PathBuf>,
    /// By which rules repetitions are judged.
    pub rule_set: RuleSet,
    /// Full moves without a capture that end the game; 0 as the rule set says.
    pub draw_moves: u16,
    /// Which game is played.
    pub variant: Variant,
    /// From where ranks are counted; none: as the user's moves show.
    pub rank_base: Option<RankBase>,
    /// The user has said that the game is Xiangqi: those who know several count ranks from one.
    pub game_named: bool,
    /// When and how the opening book is asked.
    pub book: BookSettings,
    /// When a game may be ended early.
    pub manners: Manners,
    /// Think on after an answer without being told to.
    pub auto_ponder: bool,
    /// Spend no time where thinking cannot change the move: an only move, or a mate that is proven.
    pub forced_at_once: bool,
    /// How many best lines are searched for.
    pub lines: usize,
    /// How much the search leaves out.
    pub pruning: Pruning,
    /// How much the evaluation looks at.
    pub knowledge: Knowledge,
    /// The file of the network that values positions; none: what is in the program does.
    pub network_file: Option<PathBuf>,
    /// Most that chance adds to a root move, in centipawns.
    pub randomness: i32,
    /// The seed of chance; 0 is another one for every game.
    pub random_seed: u64,
    /// How much risk is taken.
    pub style: Style,
    /// Share of the processor that stays free, in percent.
    pub idle_percent: u32,
    /// Whether the search uses the table.
    pub uses_table: bool,
    /// Play at the level of `elo`.
    pub limits_strength: bool,
    /// The level of play, on a scale of our own.
    pub elo: i32,
    /// The user studies positions, nobody plays.
    pub analysing: bool,
    /// Say how likely a score wins, draws and loses.
    pub shows_wdl: bool,
    /// Say what refutes the moves that are not best.
    pub shows_refutations: bool,
    /// Say where each worker is in the tree.
    pub shows_current_line: bool,
    /// Whom we play against, if we were told.
    pub opponent: Option<Opponent>,
    /// What the user says positions are worth, shared with the searches.
    pub position_values: Arc<PositionValues>,
    /// A millisecond of a clock is worth so many nodes; 0: a millisecond.
    pub nodes_per_millisecond: u64,
}

/// When and how the opening book is asked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BookSettings {
    /// Whether it is; none: it is asked in UCCI, whose users expect it, and not in UCI, whose match runners do not.
    pub used: Option<bool>,
    /// Its files, separated by semicolons; [`EMBEDDED`](crate::book::EMBEDDED) among them is the one in the program.
    pub files: OsString,
    /// How one of its moves is chosen.
    pub method: BookMethod,
    /// For [`BookMethod::Margin`], in centipawns.
    pub margin: u16,
    /// It is asked up to this full move of a game.
    pub moves: u16,
    /// Moves that weigh less are not played.
    pub least_weight: u16,
    /// It is left when it knows fewer plies behind the move than these.
    pub reserve: usize,
}

/// How one of the book's moves is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BookMethod {
    /// In proportion to the weights.
    #[default]
    Weighted,
    /// The best one.
    Best,
    /// In proportion to the weights among those that an engine finds nearly as good as the best.
    Margin,
}

impl BookSettings {
    /// As the book understands it, where chance may give up so many centipawns.
    pub fn choice(&self, randomness: i32) -> Choice {
        let more = u16::try_from(randomness).unwrap_or(0);
        match self.method {
            BookMethod::Weighted => Choice::Weighted,
            BookMethod::Best if more == 0 => Choice::Best,
            BookMethod::Best => Choice::Margin(more),
            BookMethod::Margin => Choice::Margin(self.margin.saturating_add(more)),
        }
    }
}

/// One row of the registry.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// The word under which UCCI announces it, if it does; understood in any case.
    pub ucci: Option<&'static str>,
    /// The words under which UCI announces it, if it does; understood in any case.
    pub uci: Option<&'static str>,
    /// Names that are understood in any case and announced nowhere.
    pub also: &'static [&'static str],
    /// What values it takes.
    pub kind: OptionKind,
    /// What has to happen once it is set.
    pub change: Change,
    /// What it does, in one line.
    pub about: &'static str,
}

/// The values an option takes, the one it starts with, and the field it fills.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the fields are the words of the protocols")]
pub enum OptionKind {
    /// Yes or no.
    Check { default: bool, store: fn(&mut Options, bool) },
    /// Yes or no, where users of the two protocols expect different things as long as nobody has set it.
    CheckOfProtocol { ucci: bool, uci: bool, store: fn(&mut Options, bool) },
    /// An integer.
    Spin { min: i64, max: i64, default: i64, store: fn(&mut Options, i64) },
    /// One of several words.
    Combo {
        choices: &'static [&'static str],
        /// Other words that are understood, and what they mean.
        synonyms: &'static [(&'static str, &'static str)],
        default: &'static str,
        store: fn(&mut Options, &str),
    },
    /// Any text.
    Text { default: &'static str, store: fn(&mut Options, &str) },
    /// A file or several, in the encoding of the file system; empty: none.
    Path { default: &'static str, store: fn(&mut Options, Option<&Path>) },
    /// Text in a form of its own, not announced; `store` says whether it is in that form.
    Parsed { store: fn(&mut Options, &str) -> bool },
    /// No value: something happens.
    Button,
}

/// What follows from setting an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// Nothing: it had this value before.
    Nothing,
    /// The table needs another size.
    HashSize,
    /// The pool needs another number of workers.
    Threads,
    /// The log goes elsewhere.
    LogFile,
    /// The book has to be opened.
    Book,
    /// The network has to be read.
    Network,
    /// A new game begins: clear the table and what the workers have learnt.
    NewGame,
    /// Clear the table alone.
    ClearHash,
    /// What the table knows was found under other rules, or in another variant, in which the game goes on.
    Rules,
    /// Only the value has changed.
    Setting,
}

/// An option was set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Applied {
    /// What has to be done about it.
    pub change: Change,
    /// Present if the value was out of range; one line for the user.
    pub clamped: Option<Clamped>,
}

/// A value was out of range and the nearest one was taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{name} {value} is out of range, using {used}")]
pub struct Clamped {
    /// The option.
    pub name: &'static str,
    /// As the user wrote it.
    pub value: String,
    /// What is in force.
    pub used: i64,
}

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// No option has this name. Users set options of other engines, so this is no error but in debug mode.
    #[error("there is no option {0:?}")]
    Unknown(String),
    /// The value is not of the option's kind; the old one stays.
    #[error("{value:?} is no value for {name}")]
    BadValue {
        /// The option.
        name: &'static str,
        /// As the user wrote it.
        value: String,
    },
}

impl Default for Options {
    fn default() -> Self {
        let mut options = Self {
            hash_mebibytes: 0,
            threads: 0,
            ponder: false,
            milliseconds: false,
            batch: false,
            debug: false,
            overhead: Duration::ZERO,
            log_file: None,
            rule_set: RuleSet::default(),
            draw_moves: 0,
            variant: Variant::default(),
            rank_base: None,
            game_named: false,
            book: BookSettings::default(),
            manners: Manners::default(),
            auto_ponder: false,
            forced_at_once: true,
            lines: 1,
            pruning: Pruning::default(),
            knowledge: Knowledge::default(),
            network_file: None,
            randomness: 0,
            random_seed: 0,
            style: Style::default(),
            idle_percent: 0,
            uses_table: true,
            limits_strength: false,
            elo: 0,
            analysing: false,
            shows_wdl: false,
            shows_refutations: false,
            shows_current_line: false,
            opponent: None,
            position_values: Arc::default(),
            nodes_per_millisecond: 0,
        };
        for spec in OPTIONS {
            spec.kind.store_default(&mut options);
        }
        // The default is not the user's word.
        Self { game_named: false, ..options }
    }
}

impl Options {
    /// Sets the option called `name` in either protocol. Case, blanks and `_` in the name do not count.
    ///
    /// ```
    /// use chuhe::engine::options::{Change, Options};
    /// let mut options = Options::default();
    /// assert_eq!(options.set("Move_Overhead", "50").unwrap().change, Change::Setting);
    /// assert_eq!(options.set("threads", "0").unwrap().change, Change::Threads);
    /// assert_eq!(options.set("threads", "0").unwrap().change, Change::Nothing);
    /// ```
    ///
    /// # Errors
    /// If there is no such option, or the value is none of its values; nothing has changed then.
    pub fn set(&mut self, name: &str, value: impl AsRef<OsStr>) -> Result<Applied, OptionError> {
        let spec = find(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let before = self.clone();
        let clamped = spec.store(self, value.as_ref())?;
        let pressed = matches!(spec.kind, OptionKind::Button);
        let change = if pressed || *self != before { spec.change } else { Change::Nothing };
        Ok(Applied { change, clamped })
    }
}

impl Options {
    /// The rules in force.
    pub fn rules(&self) -> Rules {
        let rules = self.rule_set.rules();
        if self.draw_moves == 0 { rules } else { rules.with_draw_moves(self.draw_moves) }
    }
}

impl OptionSpec {
    /// How the option is called in messages.
    fn name(&self) -> &'static str {
        self.names().next().expect("an option has a name")
    }

    fn is_called(&self, normal: &str) -> bool {
        self.names().any(|name| normalise(name) == normal)
    }

    /// Every name that is understood, the announced ones first.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        [self.ucci, self.uci].into_iter().flatten().chain(self.also.iter().copied())
    }

    fn store(&self, options: &mut Options, raw: &OsStr) -> Result<Option<Clamped>, OptionError> {
        let text = raw.to_string_lossy();
        let value = text.trim();
        let bad = || OptionError::BadValue { name: self.name(), value: value.to_owned() };
        match self.kind {
            OptionKind::Check { store, .. } | OptionKind::CheckOfProtocol { store, .. } => {
                store(options, read_check(value).ok_or_else(bad)?);
            }
            OptionKind::Spin { min, max, store, .. } => {
                let wanted = saturating_integer(value).ok_or_else(bad)?;
                let used = wanted.clamp(min, max);
                store(options, used);
                let (name, value) = (self.name(), value.to_owned());
                return Ok((used != wanted).then_some(Clamped { name, value, used }));
            }
            OptionKind::Combo { choices, synonyms, store, .. } => {
                let synonym = synonyms.iter().find(|(word, _)| word.eq_ignore_ascii_case(value));
                let value = synonym.map_or(value, |(_, meaning)| meaning);
                let choice = choices.iter().find(|choice| choice.eq_ignore_ascii_case(value)).ok_or_else(bad)?;
                store(options, choice);
            }
            OptionKind::Text { store, .. } => store(options, value),
            OptionKind::Path { store, .. } => store(options, (!value.is_empty()).then(|| Path::new(raw))),
            OptionKind::Parsed { store } => return if store(options, value) { Ok(None) } else { Err(bad()) },
            OptionKind::Button => {}
        }
        Ok(None)
    }
}

impl OptionKind {
    fn store_default(&self, options: &mut Options) {
        match *self {
            Self::Check { default, store } => store(options, default),
            Self::CheckOfProtocol { .. } => {}
            Self::Spin { default, store, .. } => store(options, default),
            Self::Combo { default, store, .. } | Self::Text { default, store } => store(options, default),
            Self::Path { default, store } => store(options, (!default.is_empty()).then(|| Path::new(default))),
            Self::Parsed { .. } | Self::Button => {}
        }
    }
}

fn find(name: &str) -> Option<&'static OptionSpec> {
    let normal = normalise(name);
    registry().iter().find(|spec| spec.is_called(&normal))
}

/// `Move Overhead`, `Move_Overhead` and `moveoverhead` are one name.
fn normalise(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace() && *c != '_').map(|c| c.to_ascii_lowercase()).collect()
}

fn read_check(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "on" => Some(true),
        "false" | "off" => Some(false),
        _ => None,
    }
}

/// Reads an integer of any length; one that is too large for the type becomes the nearest that is not.
pub(crate) fn saturating_integer(text: &str) -> Option<i64> {
    text.parse::<i64>().map_or_else(
        |error| match error.kind() {
            IntErrorKind::PosOverflow => Some(i64::MAX),
            IntErrorKind::NegOverflow => Some(i64::MIN),
            _ => None,
        },
        Some,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(options: &mut Options, name: &str, value: &str) -> Change {
        options.set(name, value).unwrap_or_else(|error| panic!("{name} {value}: {error}")).change
    }

    #[test]
    fn the_defaults_are_those_of_the_table() {
        let options = Options::default();
        assert!(options.milliseconds && !options.ponder && !options.batch && !options.debug);
        assert_eq!((options.hash_mebibytes, options.threads, options.log_file), (0, 1, None));
        assert_eq!(options.overhead, Duration::from_millis(10));
    }

    #[test]
    fn names_differ_in_letters_alone() {
        let mut names: Vec<_> = OPTIONS.iter().flat_map(OptionSpec::names).map(normalise).collect();
        names.sort();
        // Most options are spelled alike in both protocols up to case and blanks.
        names.dedup();
        for name in &names {
            assert_eq!(OPTIONS.iter().filter(|spec| spec.is_called(name)).count(), 1, "{name}");
        }
        for name in OPTIONS.iter().filter_map(|spec| spec.ucci) {
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase()), "{name}");
        }
        for spec in OPTIONS {
            assert!(!spec.name().is_empty() && !spec.about.is_empty());
        }
    }

    #[test]
    fn every_spelling_finds_its_option() {
        let mut options = Options::default();
        for (name, value) in [("Hash", "16"), ("hashsize", "17"), ("HASH_SIZE", "18"), ("Hash Size", "19")] {
            assert_eq!(set(&mut options, name, value), Change::HashSize);
        }
        assert_eq!(options.hash_mebibytes, 19);
        for (name, value) in [("Move Overhead", "1"), ("Move_Overhead", "2"), ("moveoverhead", " 3 ")] {
            assert_eq!(set(&mut options, name, value), Change::Setting);
        }
        assert_eq!(options.overhead, Duration::from_millis(3));
        assert_eq!(set(&mut options, "ClearHash", ""), Change::ClearHash);
        assert_eq!(set(&mut options, "newgame", ""), Change::NewGame);
        assert_eq!(set(&mut options, "newgame", "true"), Change::NewGame);
        assert_eq!(options.set("guiname", "XQWizard"), Err(OptionError::Unknown("guiname".into())));
    }

    #[test]
    fn checks_are_read_in_every_spelling() {
        let mut options = Options::default();
        for (value, on) in [("true", true), ("OFF", false), ("On", true), ("False", false)] {
            assert_eq!(set(&mut options, "ponder", value), Change::Setting);
            assert_eq!(options.ponder, on);
        }
    }

    #[test]
    fn spins_clamp_and_say_so() {
        let mut options = Options::default();
        for (value, used) in [("-5", 0), ("99999999999999999999", 512), ("-99999999999999999999", 0), ("513", 512)] {
            let clamped = options.set("threads", value).unwrap().clamped;
            assert_eq!(clamped, Some(Clamped { name: "threads", value: value.into(), used: used as i64 }));
            assert_eq!(options.threads, used);
        }
        let said = options.set("hash", "99999999").unwrap().clamped.unwrap().to_string();
        assert_eq!(said, "hashsize 99999999 is out of range, using 1048576");
        assert_eq!(options.set("hashsize", "64").unwrap().clamped, None);
    }

    #[test]
    fn rubbish_keeps_the_old_value() {
        let mut options = Options::default();
        set(&mut options, "hashsize", "32");
        let before = options.clone();
        for (name, value) in [("hashsize", "abc"), ("hashsize", ""), ("threads", "2.5"), ("ponder", "maybe")] {
            assert!(matches!(options.set(name, value), Err(OptionError::BadValue { .. })), "{name} {value}");
        }
        assert_eq!(options, before);
        let said = options.set("ponder", "maybe").unwrap_err().to_string();
        assert_eq!(said, "\"maybe\" is no value for ponder");
    }

    #[test]
    fn a_log_file_may_have_blanks_in_its_name_and_no_name_means_none() {
        let mut options = Options::default();
        assert_eq!(set(&mut options, "logfile", "/tmp/my log.txt"), Change::LogFile);
        assert_eq!(options.log_file, Some("/tmp/my log.txt".into()));
        assert_eq!(set(&mut options, "Debug Log File", ""), Change::LogFile);
        assert_eq!(options.log_file, None);
    }

    proptest! {
        #[test]
        fn no_text_leaves_the_ranges(row in 0..OPTIONS.len(), value in "\\PC{0,20}|-?[0-9]{1,30}") {
            let mut options = Options::default();
            let _ = options.set(OPTIONS[row].name(), &value);
            prop_assert!(options.threads <= 512 && options.hash_mebibytes <= 1 << 20);
            prop_assert!(options.overhead <= Duration::from_secs(5));
        }
    }
}
