//! How an engine learns by which rules of repetition a match is judged: by an option of its own, where it announces one.

use chuhe::rules::RuleSet;

use super::dialect::Announced;

/// What engines call the option, without blanks and the like.
const NAMES: [&str; 3] = ["repetition", "repetitionrule", "repetitionrules"];

/// Whether an engine can be told the rules of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Telling {
    /// It is told by this option, with this value.
    Told {
        /// As the engine calls it.
        option: String,
        /// As the engine calls the rules.
        value: String,
    },
    /// The user has set the option.
    SetByUser {
        /// As the engine calls it.
        option: String,
        /// As the user calls the rules.
        value: String,
    },
    /// It announces the option, but no value for these rules.
    NoValue {
        /// As the engine calls it.
        option: String,
    },
    /// It announces no such option.
    NoOption,
}

/// How an engine that announces `options` is told, where the user has set the options of `set`.
pub(crate) fn telling<'a>(
    options: &[Announced],
    mut set: impl Iterator<Item = (&'a Announced, &'a str)>,
    rules: RuleSet,
) -> Telling {
    let Some(option) = options.iter().find(|option| NAMES.iter().any(|name| option.is_called(name))) else {
        return Telling::NoOption;
    };
    let name = option.name.clone();
    if let Some((_, value)) = set.find(|(set, _)| *set == option) {
        return Telling::SetByUser { option: name, value: value.to_owned() };
    }
    let fits = |value: &String| value.parse::<RuleSet>().is_ok_and(|known| known == rules);
    let values: Vec<String> = option.values().filter(fits).collect();
    // An engine may know a name of its own beside that of ours.
    match values.iter().find(|value| *value == rules.name()).or(values.first()) {
        Some(value) => Telling::Told { option: name, value: value.clone() },
        None => Telling::NoValue { option: name },
    }
}
