//! The option that sets an engine's repetition rules to those of a match, if it announces one.

use chuhe::rules::RuleSet;

use super::dialect::Announced;

/// Names of the option, without blanks and the like.
const NAMES: [&str; 3] = ["repetition", "repetitionrule", "repetitionrules"];

/// Whether an engine can be set to the rules of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RulesOption {
    /// The option is set to this value.
    Set {
        /// Name of the option in the engine.
        option: String,
        /// Name of the rules in the engine.
        value: String,
    },
    /// The user has set the option.
    SetByUser {
        /// Name of the option in the engine.
        option: String,
        /// Value chosen by the user.
        value: String,
    },
    /// The engine announces the option, but no value for these rules.
    NoValue {
        /// Name of the option in the engine.
        option: String,
    },
    /// The engine announces no such option.
    NoOption,
}

/// Decides how an engine that announces `options` is set to the rules; `set` are the options set by the user.
pub(crate) fn rules_option<'a>(
    options: &[Announced],
    mut set: impl Iterator<Item = (&'a Announced, &'a str)>,
    rules: RuleSet,
) -> RulesOption {
    let Some(option) = options.iter().find(|option| NAMES.iter().any(|name| option.is_called(name))) else {
        return RulesOption::NoOption;
    };
    let name = option.name.clone();
    if let Some((_, value)) = set.find(|(set, _)| *set == option) {
        return RulesOption::SetByUser { option: name, value: value.to_owned() };
    }
    let fits = |value: &String| value.parse::<RuleSet>().is_ok_and(|known| known == rules);
    let values: Vec<String> = option.values().filter(fits).collect();
    // An engine may have its own name for the rules beside Chuhe's.
    match values.iter().find(|value| *value == rules.name()).or(values.first()) {
        Some(value) => RulesOption::Set { option: name, value: value.clone() },
        None => RulesOption::NoValue { option: name },
    }
}
