//! Text of `--help`, and the list of options that it contains.

use chuhe::rules::RuleSet;

/// Help text without the names of the rule sets.
const HELP: &str = include_str!("help.txt");

/// Returns the whole help text.
pub fn help() -> String {
    HELP.replace("{rules}", &RuleSet::ALL.map(RuleSet::name).join("|"))
}

/// Returns the options that the text explains: those that begin a line of it.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    HELP.lines().filter_map(|line| line.strip_prefix("  -")).flat_map(|line| {
        let head = line.split("  ").next().unwrap_or_default();
        head.split(", -").filter_map(|word| word.trim_start_matches('-').split([' ', ',']).next())
    })
}
