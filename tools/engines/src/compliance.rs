//! Runs the dialogues of Chuhe's own conformance suite, for UCCI and UCI, with any engine, and prints a table of the results.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};

use crate::conformance::engine::Engine;
use crate::conformance::{Case, cases};
use crate::protocol::Protocol;
use crate::watchdog::Guard;

/// Time limit of an answer without a deadline of its own.
const TIMEOUT: Duration = Duration::from_secs(5);

macro_rules! files {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../dialogues/", $name, ".txt")))),*]
    };
}

/// Name and text of each file of the suite.
const FILES: [(&str, &str); 23] = files! {
    "bans" "batch" "clients" "clock" "details" "framing" "go" "handshake" "options" "ponder" "position" "probe"
    "promotion" "specification" "stop_and_quit" "uci_analysis" "uci_go" "uci_handshake" "uci_lines" "uci_perft"
    "uci_queue" "uci_ranks" "uci_rules"
};

/// An engine to be tested.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestedEngine {
    /// Program.
    pub program: String,
    /// Arguments.
    pub args: Vec<String>,
    /// Protocol of the dialogues to run, UCCI or UCI; `None` for both if the engine speaks both.
    pub protocol: Option<Protocol>,
}

impl TestedEngine {
    /// Starts a process for a single dialogue.
    fn start(&self) -> Result<Engine> {
        let mut command = Command::new(&self.program);
        command.args(&self.args);
        Engine::start(command).with_context(|| format!("{} cannot be started", self.program))
    }

    /// Returns the protocols that the engine speaks, found by a question in each.
    fn protocols(&self) -> Result<Vec<Protocol>> {
        let mut spoken = Vec::new();
        for protocol in Protocol::GUESSED {
            let mut engine = self.start()?;
            let guard = Guard::new(engine.id());
            engine.send_raw(format!("{}\n", protocol.name()).as_bytes());
            if engine.expect(|line| Protocol::greeted(line) == Some(protocol), TIMEOUT).is_ok() {
                spoken.push(protocol);
            }
            drop(engine);
            drop(guard);
        }
        ensure!(!spoken.is_empty(), "{} answers neither ucci nor uci within {TIMEOUT:?}", self.program);
        Ok(spoken)
    }
}

/// Numbers of dialogues.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Passed {
    /// Dialogues passed.
    pub passed: usize,
    /// Dialogues held.
    pub held: usize,
    /// Dialogues skipped, because the engine does not speak their protocol.
    pub skipped: usize,
}

/// Runs the dialogues with the engine, each with a process of its own; writes each result as soon as it is known, and a table at
/// the end.
///
/// # Errors
/// If the engine cannot be started or speaks neither protocol, or `out` cannot be written to.
pub fn run(engine: &TestedEngine, out: &mut impl Write) -> Result<Passed> {
    let spoken = match engine.protocol {
        Some(protocol) => vec![protocol],
        None => engine.protocols()?,
    };
    let names: Vec<&str> = spoken.iter().map(|protocol| protocol.name()).collect();
    writeln!(out, "dialogues in {}", names.join(" and "))?;
    let mut total = Passed::default();
    let mut table = Vec::new();
    for (name, text) in FILES {
        let cases = cases(text).map_err(|error| anyhow!("{name}: {error}"))?;
        let mut count = Passed::default();
        for case in cases {
            if !protocols_of(&case, name).is_subset(&spoken.iter().copied().collect()) {
                count.skipped += 1;
                continue;
            }
            let process = engine.start()?;
            let _guard = Guard::new(process.id());
            count.held += 1;
            match case.play(process, TIMEOUT) {
                Ok(()) => {
                    count.passed += 1;
                    writeln!(out, "passed  {name}: {}", case.title)?;
                }
                Err(failure) => writeln!(out, "failed  {name}: {}\n{failure}", case.title)?,
            }
        }
        total.held += count.held;
        total.passed += count.passed;
        total.skipped += count.skipped;
        table.push((name, count));
    }
    writeln!(out, "\n{:<16} {:>6} {:>6} {:>6} {:>7}", "dialogues", "held", "passed", "failed", "skipped")?;
    for (name, Passed { passed, held, skipped }) in table.into_iter().chain([("all", total)]) {
        writeln!(out, "{name:<16} {held:>6} {passed:>6} {:>6} {skipped:>7}", held - passed)?;
    }
    Ok(total)
}

/// Returns the protocols in which a dialogue starts a conversation, or that of its file if it starts none.
fn protocols_of(case: &Case, file: &str) -> BTreeSet<Protocol> {
    let sent = String::from_utf8_lossy(&case.sent()).to_lowercase();
    let says = |protocol: &Protocol| sent.lines().any(|line| line.trim_matches(BLANK) == protocol.name());
    let said: BTreeSet<Protocol> = Protocol::GUESSED.into_iter().filter(says).collect();
    let of_file = if file.starts_with("uci_") { Protocol::Uci } else { Protocol::Ucci };
    if said.is_empty() { [of_file].into() } else { said }
}

/// Characters that may surround a word.
const BLANK: [char; 4] = [' ', '\t', '\r', '\u{feff}'];

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn the_suite_is_here_as_a_whole() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("dialogues");
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut names: Vec<_> = entries.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
        names.sort();
        assert_eq!(names, FILES.map(|(name, _)| name));
    }

    #[test]
    fn an_engine_that_is_not_there_is_an_error() {
        let missing = TestedEngine { program: "/nonexistent/engine".into(), args: vec![], protocol: None };
        let error = run(&missing, &mut Vec::new()).unwrap_err().to_string();
        assert_eq!(error, "/nonexistent/engine cannot be started");
    }

    #[test]
    fn every_dialogue_is_in_a_protocol() {
        let held_with = |spoken: &[Protocol]| -> Vec<String> {
            let all =
                FILES.iter().flat_map(|(name, text)| cases(text).unwrap().into_iter().map(move |case| (*name, case)));
            let spoken = spoken.iter().copied().collect();
            let held = all.filter(|(name, case)| protocols_of(case, name).is_subset(&spoken));
            held.map(|(name, case)| format!("{name}: {}", case.title)).collect()
        };
        let [ucci, uci] = Protocol::GUESSED.map(|protocol| held_with(&[protocol]));
        let both = held_with(&Protocol::GUESSED);
        assert!(ucci.len() > 130 && uci.len() > 50, "{} {}", ucci.len(), uci.len());
        assert!(both.len() >= ucci.len() + uci.len());
        assert!(ucci.iter().all(|title| !uci.contains(title)), "{ucci:?}");
        for title in [
            "framing: words in any case",
            "framing: U-003 a byte order mark before the first command",
            "framing: U-001 a command in pieces and two commands at once",
            "framing: U-006 the end of input in the boot state",
        ] {
            assert!(ucci.iter().any(|held| held == title), "{title}");
        }
    }
}
