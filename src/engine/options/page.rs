//! The table of options for users.

use super::spec::{OptionKind, OptionSpec};
use super::table::OPTIONS;

/// A row of the table: one announced option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its name in UCCI; empty if it is not announced there.
    pub ucci: &'static str,
    /// Its name in UCI; empty if it is not announced there.
    pub uci: &'static str,
    /// Allowed values.
    pub values: String,
    /// Default value.
    pub default: String,
    /// Effect of the option.
    pub about: &'static str,
}

/// Returns all options that are announced in either protocol, in the order of their announcement.
pub fn rows() -> Vec<Row> {
    OPTIONS.iter().filter(|spec| spec.ucci.or(spec.uci).is_some()).map(row).collect()
}

fn row(spec: &OptionSpec) -> Row {
    let (values, default) = match spec.kind {
        OptionKind::Check { default, .. } | OptionKind::CheckOfProtocol { ucci: default, .. } => {
            ("true, false".to_owned(), default.to_string())
        }
        OptionKind::Spin { min, max, default, .. } => (format!("{min} to {max}"), default.to_string()),
        OptionKind::Combo { choices, default, .. } => (choices.join(", "), default.to_owned()),
        OptionKind::ComboOfProtocol { choices, ucci, uci, .. } => {
            (choices.join(", "), format!("{uci}, in UCCI {ucci}"))
        }
        OptionKind::Text { default, .. } | OptionKind::Path { default, .. } => ("text".to_owned(), default.to_owned()),
        OptionKind::Parsed { .. } => ("text".to_owned(), String::new()),
        OptionKind::Button => ("no value".to_owned(), String::new()),
    };
    let (ucci, uci) = (spec.ucci.unwrap_or_default(), spec.uci.unwrap_or_default());
    Row { ucci, uci, values, default, about: spec.about }
}
