//! Examples in the help of a command line, read again so that a test can parse them.

use std::ffi::OsString;

use clap::Command;

use super::translation::{EXAMPLES, Texts, in_chinese, keys};

/// Line before the examples.
const HEADING: &str = "Examples:";

/// Returns the faults of a command line's help: a sub-command without an example, an example that its parser refuses, no
/// pointer to the manual, and differences between the help and its Chinese texts. `spelled` is applied to every word before
/// parsing, as the program does.
///
/// # Panics
/// If the command line is inconsistent.
pub fn faults(command: &Command, texts: Texts, spelled: fn(OsString) -> OsString) -> Vec<String> {
    let mut faults = vec![];
    if !after_help(command).contains("Manual: ") {
        faults.push("the manual is not named".to_owned());
    }
    for inner in command.get_subcommands() {
        let start = [command.get_name(), inner.get_name()].map(str::to_owned);
        if !examples(inner).iter().any(|words| words.starts_with(&start)) {
            faults.push(format!("no example of {}", start.join(" ")));
        }
    }
    let all = [command].into_iter().chain(command.get_subcommands()).flat_map(examples);
    for example in all {
        let words = example.iter().map(|word| spelled(word.into()));
        // A request for help is an error that goes to stdout.
        if let Err(error) = command.clone().try_get_matches_from(words)
            && error.use_stderr()
        {
            faults.push(format!("{}: {error}", example.join(" ")));
        }
    }
    faults.extend(differences(command, texts));
    in_chinese(command.clone(), texts).debug_assert();
    faults
}

/// Returns the keys without a Chinese text, and the texts without anything that they describe.
fn differences(command: &Command, texts: Texts) -> Vec<String> {
    let keys = keys(command);
    let is_known = |key: &String| texts.iter().any(|(known, _)| known == key);
    let missing = keys.iter().filter(|key| !is_known(key)).map(|key| format!("no Chinese text for {key:?}"));
    let described = texts.iter().map(|(key, _)| *key).filter(|key| !key.ends_with(EXAMPLES));
    let needless = described.filter(|text| !keys.iter().any(|key| key == text));
    missing.chain(needless.map(|key| format!("nothing has the Chinese text of {key:?}"))).collect()
}

fn after_help(command: &Command) -> String {
    command.get_after_help().map(ToString::to_string).unwrap_or_default()
}

/// Returns the words of each example of a command, without those of its sub-commands.
fn examples(command: &Command) -> Vec<Vec<String>> {
    let help = after_help(command).replace("\\\n", " ");
    let lines = help.lines().skip_while(|line| *line != HEADING).skip(1);
    lines.take_while(|line| line.starts_with("  ")).map(words).collect()
}

/// Splits a line as a shell does; a comment, a redirection or a pipe ends it.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (vec![], None::<String>, None);
    for c in line.chars() {
        match (c, quote) {
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (_, Some(mark)) if c == mark => quote = None,
            ('#' | '>' | '|', None) if word.is_none() => break,
            (' ', None) => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Arg;

    #[test]
    fn lines_are_split_as_a_shell_splits_them() {
        assert_eq!(words("  x probe 'a b' c=\"d e\" > out"), ["x", "probe", "a b", "c=d e"]);
        assert_eq!(words("  x '' a#b  # a comment"), ["x", "", "a#b"]);
    }

    #[test]
    fn every_fault_is_found() {
        let judge = |help: &'static str| Command::new("judge").arg(Arg::new("file")).after_help(help);
        let command = |help| Command::new("x").after_help("Manual: here").subcommand(judge(help));
        let needless: Texts = &[("", "程序"), ("judge", "判"), ("judge file", "文件"), ("y", "无")];
        let texts: Texts = &[("", "程序"), ("judge", "判"), ("judge file", "文件")];
        assert_eq!(faults(&command("Examples:\n  x judge \\\n    a"), texts, |word| word), [""; 0]);
        for (help, texts, fault) in [
            ("Examples:\n  x judge a b", texts, "x judge a b: error: unexpected argument"),
            ("Examples:\n  y judge a", texts, "no example of x judge"),
            ("", texts, "no example of x judge"),
            ("Examples:\n  x judge a", &texts[..2], "no Chinese text for \"judge file\""),
            ("Examples:\n  x judge a", needless, "nothing has the Chinese text"),
        ] {
            let found = faults(&command(help), texts, |word| word);
            assert!(found.iter().any(|found| found.starts_with(fault)), "{help}: {found:?}");
        }
        assert_eq!(faults(&Command::new("x"), &texts[..1], |word| word), ["the manual is not named"]);
    }
}
