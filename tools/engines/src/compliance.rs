//! The dialogues of Chuhe's own conformance suite, for UCCI and UCI, with any engine, and a table of what went as written.

use std::io::Write;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};

use crate::conformance::cases;
use crate::conformance::engine::Engine;

/// How long an answer may take that has no deadline of its own.
const PATIENCE: Duration = Duration::from_secs(5);

macro_rules! file {
    ($name:literal) => {
        ($name, include_str!(concat!("../dialogues/", $name, ".txt")))
    };
}

/// Name and text of each file of the suite.
const FILES: [(&str, &str); 22] = [
    file!("bans"),
    file!("batch"),
    file!("clients"),
    file!("clock"),
    file!("details"),
    file!("framing"),
    file!("go"),
    file!("handshake"),
    file!("options"),
    file!("ponder"),
    file!("position"),
    file!("probe"),
    file!("promotion"),
    file!("specification"),
    file!("stop_and_quit"),
    file!("uci_analysis"),
    file!("uci_go"),
    file!("uci_handshake"),
    file!("uci_lines"),
    file!("uci_perft"),
    file!("uci_queue"),
    file!("uci_ranks"),
];

/// Which engine is put to the test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suspect {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub args: Vec<String>,
}

/// Dialogues held, and how many of them went as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Passed {
    /// As written.
    pub passed: usize,
    /// All.
    pub held: usize,
}

/// Holds all dialogues with the engine, each with a process of its own, and writes what went otherwise and a table.
///
/// # Errors
/// If the engine cannot be started or `out` cannot be written to.
pub fn run(engine: &Suspect, out: &mut impl Write) -> Result<Passed> {
    let mut total = Passed::default();
    let mut table = Vec::new();
    for (name, text) in FILES {
        let cases = cases(text).map_err(|error| anyhow!("{name}: {error}"))?;
        let mut count = Passed::default();
        for case in cases {
            let mut command = Command::new(&engine.program);
            command.args(&engine.args);
            let process = Engine::start(command).with_context(|| format!("{} cannot be started", engine.program))?;
            count.held += 1;
            match case.play(process, PATIENCE) {
                Ok(()) => count.passed += 1,
                Err(failure) => writeln!(out, "{name}: {}\n{failure}\n", case.title)?,
            }
        }
        total.held += count.held;
        total.passed += count.passed;
        table.push((name, count));
    }
    writeln!(out, "{:<16} {:>6} {:>6} {:>6}", "dialogues", "held", "passed", "failed")?;
    for (name, Passed { passed, held }) in table.into_iter().chain([("all", total)]) {
        writeln!(out, "{name:<16} {held:>6} {passed:>6} {:>6}", held - passed)?;
    }
    Ok(total)
}

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
        let nobody = Suspect { program: "/nonexistent/engine".into(), args: vec![] };
        let error = run(&nobody, &mut Vec::new()).unwrap_err().to_string();
        assert_eq!(error, "/nonexistent/engine cannot be started");
    }
}
