//! The registry of options: the table, and in builds for tuning the search parameters behind it.

use std::sync::LazyLock;

use super::spec::{Change, OptionKind, OptionSpec};
use super::table::OPTIONS;
use super::values::Options;
use crate::search::{Parameter, parameters};

static REGISTRY: LazyLock<Vec<OptionSpec>> =
    LazyLock::new(|| OPTIONS.iter().copied().chain(parameters().into_iter().map(spec)).collect());

/// Returns all options that are understood. Search parameters have the same name in both protocols.
pub fn registry() -> &'static [OptionSpec] {
    &REGISTRY
}

fn spec(Parameter { name, default, range, set }: Parameter<Options>) -> OptionSpec {
    OptionSpec {
        ucci: Some(name),
        uci: Some(name),
        also: &[],
        kind: OptionKind::Spin {
            min: i64::from(*range.start()),
            max: i64::from(*range.end()),
            default: i64::from(default),
            store: set,
        },
        change: Change::Setting,
        about: "a parameter of the search, for tuning; it holds for the whole process",
    }
}
