//! Command line: the options of cutechess-cli and fastchess, and a few of its own.

mod builder;
mod command;
mod engine;
mod files;
mod groups;
mod words;

use std::path::PathBuf;

use anyhow::{Result, ensure};
use builder::SettingsBuilder;
pub use command::{Command, Generate, Resume, Watchdog, help};
use groups::Config;
use words::Group;

/// Parses the arguments after the program name.
///
/// # Errors
/// Names the wrong option, and the most similar one that exists.
pub fn parse(arguments: &[String]) -> Result<Command> {
    if is_help(arguments) {
        return Ok(Command::Help);
    }
    if let [word, rest @ ..] = arguments
        && matches!(word.as_str(), "-compliance" | "--compliance")
    {
        return groups::tested_engine(rest).map(Command::Compliance);
    }
    if let Some(step) = [Watchdog::Detach, Watchdog::Watch].into_iter().find(|step| step.arguments() == arguments) {
        return Ok(Command::Watchdog(step));
    }
    if let [word, journal, rest @ ..] = arguments
        && let Some(serving) = files::serving(word, rest)?
    {
        return Ok(Command::Serve(journal.into(), serving));
    }
    if let [word, journal, rest @ ..] = arguments
        && let Some(view) = files::view(word, rest)?
    {
        return Ok(Command::Show(journal.into(), view));
    }
    if arguments == ["speed"] {
        return Ok(Command::Speed);
    }
    if let [word, out, parts @ ..] = arguments
        && word == "merge"
    {
        ensure!(!parts.is_empty(), "merge OUT JOURNAL...: a new journal and those of the parts of a match");
        return Ok(Command::Merge(out.into(), parts.iter().map(PathBuf::from).collect()));
    }
    let words = words::groups(arguments)?;
    let Some(first) = words.first() else { return Ok(Command::Help) };
    match first.word.as_str() {
        "help" | "h" => return Ok(Command::Help),
        "version" | "v" => return Ok(Command::Version),
        "config" => {
            let Config { file, outname, discard } = groups::config(first)?;
            if let Some(journal) = file.filter(|_| !discard) {
                let changes = words[1..].iter().flat_map(Group::words).collect();
                return Ok(Command::Resume(Resume { journal, outname, changes }));
            }
        }
        "generate-openings" => return Ok(Command::Generate(groups::generate(&words)?)),
        _ => {}
    }
    let words = match first.word.as_str() {
        "quick" => [groups::quick(first, &words[1..])?, words[1..].to_vec()].concat(),
        _ => words,
    };
    let mut builder = SettingsBuilder::new();
    words.iter().try_for_each(|group| builder.take(group))?;
    Ok(Command::Play(Box::new(builder.finish()?)))
}

/// Whether the arguments ask for help as other programs with sub-commands are asked: `help WORD`, or `WORD --help`.
fn is_help(arguments: &[String]) -> bool {
    let [word, rest @ ..] = arguments else { return false };
    let asks = |word: &String| matches!(word.as_str(), "-h" | "-help" | "--help");
    word == "help" || !word.starts_with('-') && rest.iter().any(asks)
}

/// Returns the command of a match with some options replaced; their paths become absolute.
///
/// # Errors
/// If an option must not change during a match, or is malformed.
pub fn amended(command: &[String], changes: &[String]) -> Result<Vec<String>> {
    let mut all = words::groups(command)?;
    for change in words::groups(changes)? {
        let word = change.word.as_str();
        ensure!(
            matches!(
                word,
                "rounds"
                    | "concurrency"
                    | "use-affinity"
                    | "force"
                    | "force-concurrency"
                    | "recover"
                    | "strict"
                    | "wait"
                    | "debug"
                    | "outcomeinterval"
                    | "resultformat"
                    | "show-latency"
                    | "check-mate-pvs"
                    | "ratinginterval"
                    | "scoreinterval"
                    | "output"
                    | "event"
                    | "site"
                    | "pgnout"
                    | "epdout"
                    | "log"
                    | "report"
            ),
            "-{word} cannot be changed: the journal knows it"
        );
        if word == "report" && files::report(&change)?.is_none() {
            continue;
        }
        all.retain(|group| group.word != word);
        all.push(change.with_absolute_paths()?);
    }
    Ok(all.iter().flat_map(Group::words).collect())
}

/// Returns the command of a whole match, given that of a part: without the options for the part and its files.
///
/// # Errors
/// If the command is malformed.
pub fn whole(command: &[String]) -> Result<Vec<String>> {
    let of_a_part = ["shard", "clockscale", "journal", "pgnout", "epdout", "log", "report"];
    let groups = words::groups(command)?.into_iter().filter(|group| !of_a_part.contains(&group.word.as_str()));
    Ok(groups.flat_map(|group| group.words().collect::<Vec<_>>()).collect())
}

#[cfg(test)]
mod tests;
