//! The option by which an engine learns the rules of repetition of a match, where it announces one.

use chuhe::rules::RuleSet;

use super::dialect::Announced;

/// Names of the option, without blanks and the like.
const NAMES: [&str; 3] = ["repetition", "repetitionrule", "repetitionrules"];

/// Whether an engine can be told the rules of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Telling {
    /// This option is set to this value.
    Told {
        /// Its name in the engine.
        option: String,
        /// The name of the rules in the engine.
        value: String,
    },
    /// The user has set the option.
    SetByUser {
        /// Its name in the engine.
        option: String,
        /// The value that the user has chosen.
        value: String,
    },
    /// It announces the option, but no value for these rules.
    NoValue {
        /// Its name in the engine.
        option: String,
    },
    /// It announces no such option.
    NoOption,
}

/// Decides how an engine that announces `options` learns the rules; `set` are the options that the user has set.
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
