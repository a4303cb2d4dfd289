//! Audit: checks the output of an engine in games against the model.
//!
//! The arena's log (`-log file=LOG engine=true`) has every line in both directions, in the order in which a user sees them.

use std::io::{self, BufRead};

use chuhe::engine::event::Command;
use chuhe::protocol::Interpreter;

use crate::model::Model;

/// Result of an audit.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Audit {
    /// Number of lines of the engine.
    pub lines: u64,
    /// Number of lines with a variation, each move of which was checked on a board.
    pub variations: u64,
    /// Faults with their line numbers in the log; only the first of each process, as others may follow from it.
    pub findings: Vec<(u64, String)>,
}

/// A running process.
#[derive(Default)]
struct Talk {
    model: Model,
    interpreter: Interpreter,
}

impl Talk {
    fn understand(&mut self, line: &str) {
        for understood in self.interpreter.parse(line.as_bytes()) {
            self.model.add_input(understood.into());
        }
    }
}

/// Checks the output of the engine `name` in a match.
///
/// The match must have one game at a time, because the processes of concurrent games cannot be distinguished.
///
/// # Errors
/// If the log cannot be read.
pub fn audit(log: impl BufRead, name: &str) -> io::Result<Audit> {
    let mut audit = Audit::default();
    // `None` while the state of the engine is unknown.
    let mut talk = None;
    for (number, line) in (1..).zip(log.split(b'\n')) {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        let Some((is_reported, text)) = spoken(&line, name) else { continue };
        if is_reported {
            // The arena greets each process once.
            if is_greeting(text) {
                talk = Some(Talk::default());
            }
            if let Some(talk) = &mut talk {
                talk.understand(text);
            }
            continue;
        }
        audit.lines += 1;
        audit.variations += u64::from(text.contains(" pv "));
        if let Some(Err(objection)) = talk.as_mut().map(|talk| talk.model.accept_line(text.as_bytes())) {
            audit.findings.push((number, format!("{text}: {objection}")));
            talk = None;
        }
    }
    Ok(audit)
}

fn is_greeting(text: &str) -> bool {
    let understood = Interpreter::default().parse(text.as_bytes());
    matches!(understood.first(), Some(Ok(Command::Handshake(_))))
}

/// Splits `12.345 NAME < input` or `12.345 NAME > output` into the direction (`true` for input) and the text.
fn spoken<'a>(line: &'a str, name: &str) -> Option<(bool, &'a str)> {
    let (_, line) = line.trim_start().split_once(' ')?;
    let line = line.strip_prefix(name)?;
    line.strip_prefix(" < ").map(|text| (true, text)).or_else(|| line.strip_prefix(" > ").map(|text| (false, text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GREETING: &str = "     0.001 A < ucci\n     0.002 A > id name X\n     0.003 A > ucciok\n";
    const SEARCH: &str = "     0.100 A < position startpos moves h2e2\n     0.100 A < go depth 1\n";
    const GOOD: &str = "     0.101 A > info depth 1 score 4 time 1 nodes 9 nps 1 hashfull 0 pv b9c7 h0g2\n";

    fn findings(log: &str) -> Vec<(u64, String)> {
        audit(log.as_bytes(), "A").unwrap().findings
    }

    #[test]
    fn a_game_that_is_in_order_is_counted() {
        let log =
            format!("{GREETING}     0.050 B > nonsense\nStarted game 1\n{SEARCH}{GOOD}     0.102 A > bestmove b9c7\n");
        let found = audit(log.as_bytes(), "A").unwrap();
        assert_eq!(found, Audit { lines: 4, variations: 1, findings: vec![] });
    }

    #[test]
    fn what_is_out_of_order_is_found() {
        for (line, objection) in [
            ("info depth 1 score 4 time 1 nodes 9 nps 1 hashfull 0 pv b9c7 h0h1", "h0h1 is not legal"),
            ("bestmove h0g2", "h0g2 is not legal"),
            ("readyok", "is not for a search"),
            ("hello", "hello: "),
        ] {
            let found = findings(&format!("{GREETING}{SEARCH}{GOOD}     0.102 A > {line}\n"));
            assert_eq!(found.len(), 1, "{line}");
            assert!(found[0].0 == 7 && found[0].1.contains(objection), "{found:?}");
        }
    }

    #[test]
    fn the_next_process_begins_anew() {
        let broken = format!("{GREETING}{SEARCH}     0.102 A > hello\n     0.103 A > bestmove a0a0\n");
        assert_eq!(findings(&broken.repeat(2)).len(), 2);
        assert_eq!(findings(&format!("{GREETING}{SEARCH}{GREETING}{SEARCH}{GOOD}")), []);
    }
}
