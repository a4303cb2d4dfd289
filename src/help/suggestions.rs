//! Suggestions after a misspelled word.

use clap::Error;
use clap::error::{ContextKind, ContextValue};

/// Minimum likeness of a suggestion, by Jaro's measure; clap suggests from 0.7 on, and its threshold cannot be set.
pub const LIKENESS: f64 = 0.85;

/// Removes from an error the suggestions that are not like the word that was given.
#[must_use]
pub fn without_unlike(mut error: Error) -> Error {
    for (given, suggested) in [
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        (ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand),
        (ContextKind::InvalidValue, ContextKind::SuggestedValue),
    ] {
        let Some(ContextValue::String(given)) = error.get(given) else { continue };
        let is_like = |word: &String| strsim::jaro(name(given), name(word)) > LIKENESS;
        let kept = match error.get(suggested) {
            Some(ContextValue::String(word)) if is_like(word) => continue,
            Some(ContextValue::Strings(words)) => words.iter().filter(|word| is_like(word)).cloned().collect(),
            _ => vec![],
        };
        error.remove(suggested);
        if !kept.is_empty() {
            error.insert(suggested, ContextValue::Strings(kept));
        }
    }
    error
}

/// The name in `--name=VALUE`.
fn name(word: &str) -> &str {
    word.trim_start_matches('-').split('=').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Arg, Command};

    fn message(line: &str) -> String {
        let level = Arg::new("level").long("level").value_parser(["lowest", "highest"]);
        let command = Command::new("x").arg(level).subcommand(Command::new("stats")).subcommand(Command::new("verify"));
        let error = command.try_get_matches_from(line.split(' ')).unwrap_err();
        without_unlike(error).to_string()
    }

    #[test]
    fn near_words_are_suggested_and_others_are_not() {
        for (line, tip) in [
            ("x --levle 1", "exists: '--level'"),
            ("x --level=higest", "exists: 'highest'"),
            ("x statss", "exists: 'stats'"),
        ] {
            let message = message(line);
            assert!(message.contains("tip: ") && message.contains(tip), "{message}");
        }
        // Clap suggests for all of these.
        for line in ["x --lever-arm 1", "x --level=hottest", "x state-of-it"] {
            let message = message(line);
            assert!(message.starts_with("error: ") && !message.contains("similar"), "{message}");
        }
    }
}
