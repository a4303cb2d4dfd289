//! Options: one table from which protocols announce and into which they write.

mod listing;
mod markdown;
mod parsing;
mod spec;
mod table;
mod values;
mod zh;

use std::ffi::{OsStr, OsString};
use std::sync::Arc;
use std::time::Duration;

pub use super::draw_policy::DrawPolicyOptions;
use crate::board::Variant;
use crate::eval::EvalKind;
use crate::search::Pruning;
pub use listing::listing;
pub use markdown::{Language, markdown};
pub use parsing::{Opponent, Style};
use spec::normalise;
pub(crate) use spec::saturating_integer;
pub use spec::{Change, Clamped, OptionError, OptionKind, OptionSpec};
pub use table::{OPTIONS, Row, registry, rows};
pub use values::{BookMethod, BookSettings, ELO_RANGE, FULL_SKILL, Options};
pub use zh::about_in_chinese;

/// Result of setting an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Applied {
    /// The action that follows.
    pub change: Change,
    /// The correction of a value out of range; one line for the user.
    pub clamped: Option<Clamped>,
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
            rule_set: None,
            limit_plies: None,
            has_move_limit: true,
            variant: Variant::default(),
            rank_base: None,
            game_named: false,
            book: BookSettings::default(),
            uses_endgames: true,
            endgame_folders: OsString::new(),
            draw_policy: DrawPolicyOptions::default(),
            auto_ponder: false,
            forced_at_once: true,
            multipv: 1,
            pruning: Pruning::default(),
            knowledge: EvalKind::default(),
            network_file: None,
            randomness: 0,
            random_seed: 0,
            style: Style::default(),
            idle_percent: 0,
            uses_table: true,
            limits_strength: false,
            elo: 0,
            skill: FULL_SKILL,
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
        // The default does not count as set by the user.
        Self { game_named: false, ..options }
    }
}

impl Options {
    /// Sets the option of this name in either protocol. Case, spaces and `_` in the name are ignored.
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
    /// If there is no such option, or the value is invalid; nothing changes then.
    pub fn set(&mut self, name: &str, value: impl AsRef<OsStr>) -> Result<Applied, OptionError> {
        let spec = find(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let before = self.clone();
        let clamped = spec.store(self, spec.called(name), value.as_ref())?;
        // The file at a path may have changed though the path has not.
        let always = matches!(spec.kind, OptionKind::Button | OptionKind::Path { .. });
        let change = if always || *self != before { spec.change } else { Change::Nothing };
        Ok(Applied { change, clamped })
    }
}

/// Whether the option of this name, in either protocol, is that of the log file.
pub fn names_log(name: &str) -> bool {
    find(name).is_some_and(|spec| spec.change == Change::LogFile)
}

fn find(name: &str) -> Option<&'static OptionSpec> {
    let normal = normalise(name);
    registry().iter().find(|spec| spec.is_called(&normal))
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
    fn paths_are_gone_again_and_other_values_are_not_set_twice() {
        let mut options = Options::default();
        for (name, value, first, again) in [
            ("egtbpaths", "tables", Change::Endgames, Change::Endgames),
            ("logfile", "nowhere/log", Change::LogFile, Change::LogFile),
            ("threads", "2", Change::Threads, Change::Nothing),
            ("newgame", "", Change::NewGame, Change::NewGame),
        ] {
            assert_eq!((set(&mut options, name, value), set(&mut options, name, value)), (first, again), "{name}");
        }
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
            assert!(spec.names().all(|name| !name.is_empty()) && !spec.about.is_empty());
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
            assert_eq!(clamped, Some(Clamped { name: "threads".into(), value: value.into(), used: used as i64 }));
            assert_eq!(options.threads, used);
        }
        let said = options.set("hash", "99999999").unwrap().clamped.unwrap().to_string();
        assert_eq!(said, "hash 99999999 is out of range, using 1048576");
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
        assert_eq!(said, "invalid value \"maybe\" for ponder");
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
            let _ = options.set(OPTIONS[row].names().next().unwrap(), &value);
            prop_assert!(options.threads <= 512 && options.hash_mebibytes <= 1 << 20);
            prop_assert!(options.overhead <= Duration::from_secs(5));
        }
    }
}
