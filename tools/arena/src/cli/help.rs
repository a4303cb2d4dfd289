//! What `--help` prints; the words in it are the words there are.

use chuhe::rules::RuleSet;

/// The text but for the names of the rules.
const HELP: &str = include_str!("help.txt");

/// The whole text.
pub fn help() -> String {
    HELP.replace("{rules}", &RuleSet::ALL.map(RuleSet::name).join("|"))
}

/// The words that the text explains: those that begin a line of it.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    HELP.lines().filter_map(|line| line.strip_prefix("  -")).flat_map(|line| {
        let head = line.split("  ").next().unwrap_or_default();
        head.split(", -").filter_map(|word| word.trim_start_matches('-').split([' ', ',']).next())
    })
}
