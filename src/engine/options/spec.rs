//! Specification of an option: its names, its values and the field that it fills.

use std::ffi::OsStr;
use std::num::IntErrorKind;
use std::ops::RangeInclusive;
use std::path::Path;

use super::values::Options;

/// A row of the registry.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Name that UCCI announces, if it does; always understood.
    pub ucci: Option<&'static str>,
    /// Name that UCI announces, if it does; always understood.
    pub uci: Option<&'static str>,
    /// Names that are always understood and never announced.
    pub also: &'static [&'static str],
    /// Type of its values.
    pub kind: OptionKind,
    /// Action that follows when it is set.
    pub change: Change,
    /// Effect of the option, in one line.
    pub about: &'static str,
}

/// Type of an option: its values, its default, and the field that it fills.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the fields are the words of the protocols")]
pub enum OptionKind {
    /// Yes or no, with the default in each protocol.
    Check { ucci: bool, uci: bool, store: fn(&mut Options, bool) },
    /// An integer.
    Spin { min: i64, max: i64, default: i64, store: fn(&mut Options, i64) },
    /// One of several words, with the default in each protocol; `store` takes its index.
    Combo {
        choices: &'static [&'static str],
        /// Index of the choice that another word stands for.
        synonym: fn(&str) -> Option<usize>,
        ucci: &'static str,
        uci: &'static str,
        store: fn(&mut Options, usize),
    },
    /// Any text.
    Text { default: &'static str, store: fn(&mut Options, &str) },
    /// One or more files, in the encoding of the file system; empty: none.
    Path { default: &'static str, store: fn(&mut Options, Option<&Path>) },
    /// Text in a special form, not announced; `store` returns whether it has that form.
    Parsed { store: fn(&mut Options, &str) -> bool },
    /// No value, only an action.
    Button,
}

/// Action that follows from setting an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// No action: the option had this value before.
    Nothing,
    /// The transposition table needs another size.
    HashSize,
    /// The pool needs another number of workers.
    Threads,
    /// The log goes to another file.
    LogFile,
    /// The book has to be opened.
    Book,
    /// The endgame tablebases have to be opened.
    Endgames,
    /// The network has to be read.
    Network,
    /// A new game begins: clear the table and the memories of the workers, and reopen the book.
    NewGame,
    /// Clear the table alone.
    ClearHash,
    /// The table holds results under other rules or of another variant, in which the game goes on.
    Rules,
    /// Only the value has changed.
    Setting,
}

/// A correction: the value was out of range and the nearest one was taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{name} {value} is out of range, using {used}")]
pub struct Clamped {
    /// Name of the option, as the user wrote it or as it is announced.
    pub name: String,
    /// Value as the user wrote it.
    pub value: String,
    /// Value in force.
    pub used: i64,
}

/// Reason why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// No option has this name. Users set options of other engines, so it is reported in debug mode only.
    #[error("there is no option {0:?}")]
    Unknown(String),
    /// The value is not of the option's type; the old one stays.
    #[error("invalid value {value:?} for {name}")]
    BadValue {
        /// Name of the option, as the user wrote it or as it is announced.
        name: String,
        /// Value as the user wrote it.
        value: String,
    },
}

/// Row of a check.
pub(super) const fn check(
    ucci: &'static str,
    uci: &'static str,
    default: bool,
    store: fn(&mut Options, bool),
) -> OptionSpec {
    check_by_protocol(ucci, uci, [default; 2], store)
}

/// Row of a check with a default in UCCI and one in UCI. If they differ, none is stored: the protocol decides later.
pub(super) const fn check_by_protocol(
    ucci: &'static str,
    uci: &'static str,
    defaults: [bool; 2],
    store: fn(&mut Options, bool),
) -> OptionSpec {
    OptionSpec::new(ucci, uci, OptionKind::Check { ucci: defaults[0], uci: defaults[1], store })
}

/// Row of a spin.
pub(super) const fn spin(
    ucci: &'static str,
    uci: &'static str,
    range: RangeInclusive<i64>,
    default: i64,
    store: fn(&mut Options, i64),
) -> OptionSpec {
    OptionSpec::new(ucci, uci, OptionKind::Spin { min: *range.start(), max: *range.end(), default, store })
}

/// Row of a combo.
pub(super) const fn combo(
    ucci: &'static str,
    uci: &'static str,
    choices: &'static [&'static str],
    default: &'static str,
    store: fn(&mut Options, usize),
) -> OptionSpec {
    OptionSpec::new(ucci, uci, OptionKind::Combo { choices, synonym: |_| None, ucci: default, uci: default, store })
}

/// Row of a text.
pub(super) const fn text(
    ucci: &'static str,
    uci: &'static str,
    default: &'static str,
    store: fn(&mut Options, &str),
) -> OptionSpec {
    OptionSpec::new(ucci, uci, OptionKind::Text { default, store })
}

/// Row of a path.
pub(super) const fn path(
    ucci: &'static str,
    uci: &'static str,
    default: &'static str,
    store: fn(&mut Options, Option<&Path>),
) -> OptionSpec {
    OptionSpec::new(ucci, uci, OptionKind::Path { default, store })
}

/// Row of a text in a special form.
pub(super) const fn parsed(store: fn(&mut Options, &str) -> bool) -> OptionSpec {
    OptionSpec::new("", "", OptionKind::Parsed { store })
}

/// Row of a button.
pub(super) const fn button(ucci: &'static str, uci: &'static str) -> OptionSpec {
    OptionSpec::new(ucci, uci, OptionKind::Button)
}

impl OptionSpec {
    /// Creates a row with its names in UCCI and in UCI; an empty one is not announced.
    pub(super) const fn new(ucci: &'static str, uci: &'static str, kind: OptionKind) -> Self {
        const fn announced(name: &'static str) -> Option<&'static str> {
            if name.is_empty() { None } else { Some(name) }
        }
        Self { ucci: announced(ucci), uci: announced(uci), also: &[], kind, change: Change::Setting, about: "" }
    }

    /// Adds names that are understood and never announced.
    pub(super) const fn also(self, also: &'static [&'static str]) -> Self {
        Self { also, ..self }
    }

    /// Sets the action that follows when the option is set.
    pub(super) const fn action(self, change: Change) -> Self {
        Self { change, ..self }
    }

    /// Sets the description.
    pub(super) const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// Returns the option's name for messages to a user who wrote `name`: that name, unless it is never announced.
    pub(super) fn called<'a>(&self, name: &'a str) -> &'a str {
        let announced = [self.ucci, self.uci].into_iter().flatten();
        let is_announced = announced.clone().any(|known| normalise(known) == normalise(name));
        if is_announced { name } else { announced.chain(self.also.iter().copied()).next().unwrap_or(name) }
    }

    pub(super) fn is_called(&self, normal: &str) -> bool {
        self.names().any(|name| normalise(name) == normal)
    }

    /// Returns all names that are understood, the announced ones first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        [self.ucci, self.uci].into_iter().flatten().chain(self.also.iter().copied())
    }

    /// Stores a value of the option, which the user named `called`.
    pub(super) fn store(
        &self,
        options: &mut Options,
        called: &str,
        raw: &OsStr,
    ) -> Result<Option<Clamped>, OptionError> {
        let text = raw.to_string_lossy();
        let value = text.trim();
        let bad = || OptionError::BadValue { name: called.to_owned(), value: value.to_owned() };
        match self.kind {
            OptionKind::Check { store, .. } => store(options, read_check(value).ok_or_else(bad)?),
            OptionKind::Spin { min, max, store, .. } => {
                let wanted = saturating_integer(value).ok_or_else(bad)?;
                let used = wanted.clamp(min, max);
                store(options, used);
                let (name, value) = (called.to_owned(), value.to_owned());
                return Ok((used != wanted).then_some(Clamped { name, value, used }));
            }
            OptionKind::Combo { choices, synonym, store, .. } => {
                let choice = choices.iter().position(|choice| choice.eq_ignore_ascii_case(value));
                store(options, choice.or_else(|| synonym(value)).ok_or_else(bad)?);
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
    /// Stores the default, unless it depends on the protocol.
    pub(super) fn store_default(&self, options: &mut Options) {
        match *self {
            Self::Check { ucci, uci, store } if ucci == uci => store(options, uci),
            Self::Combo { choices, ucci, uci, store, .. } if ucci == uci => {
                store(options, choices.iter().position(|&choice| choice == uci).expect("the default is a choice"));
            }
            Self::Spin { default, store, .. } => store(options, default),
            Self::Text { default, store } => store(options, default),
            Self::Path { default, store } => store(options, (!default.is_empty()).then(|| Path::new(default))),
            // Where the protocols differ, the one in force decides when the value is needed.
            Self::Check { .. } | Self::Combo { .. } | Self::Parsed { .. } | Self::Button => {}
        }
    }
}

/// Normalises a name: `Move Overhead`, `Move_Overhead` and `moveoverhead` are the same.
pub(super) fn normalise(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace() && *c != '_').map(|c| c.to_ascii_lowercase()).collect()
}

fn read_check(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "on" => Some(true),
        "false" | "off" => Some(false),
        _ => None,
    }
}

/// Parses an integer of any length; one out of range becomes the nearest value of the type.
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
