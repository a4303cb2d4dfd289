//! Exit of a tool: with success, with an error message on one line, or by an interruption.

use std::error::Error;
use std::io::{self, Write};
use std::process::{self, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use chuhe::io::on_termination_request;

use crate::words::with_short_quotations;

/// Exit status that shells expect of a program that Ctrl-C has ended.
pub const INTERRUPTED: u8 = 130;

/// Returns a flag that Ctrl-C and SIGTERM raise; the second signal ends the process immediately.
///
/// # Errors
/// If a handler is already installed.
pub fn interruption() -> Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    on_termination_request(move || {
        if raised.swap(true, Ordering::Relaxed) {
            process::exit(INTERRUPTED.into());
        }
    })
    .context("Ctrl-C cannot be caught")?;
    Ok(flag)
}

/// Returns the exit code of `tool` after printing its error to stderr. A closed pipe, as after `head`, is not an error.
pub fn of(tool: &str, result: Result<ExitCode>) -> ExitCode {
    match result {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Errors on stderr itself are ignored.
            drop(writeln!(io::stderr(), "{tool}: {}", harmless(&format!("{error:#}"))));
            ExitCode::FAILURE
        }
    }
}

/// Returns a message for a terminal: without control characters, which may come from a file or its name, and with short
/// quotations.
fn harmless(complaint: &str) -> String {
    with_short_quotations(complaint).replace(|c: char| c.is_control() && c != '\n', " ")
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().find_map(<dyn Error>::downcast_ref::<io::Error>);
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_obey_no_complaint() {
        assert_eq!(harmless("a\u{1b}[2J\rb\u{9b}c\td\ne"), "a [2J b c d\ne");
        assert_eq!(harmless(&format!("{:?}", "x".repeat(1000))), format!("\"{}…\"", "x".repeat(80)));
    }

    #[test]
    fn whoever_has_read_enough_is_no_failure() {
        let error = |kind: io::ErrorKind| Err(io::Error::from(kind)).context("printing");
        assert_eq!(of("test", error(io::ErrorKind::BrokenPipe)), ExitCode::SUCCESS);
        assert_eq!(of("test", error(io::ErrorKind::StorageFull)), ExitCode::FAILURE);
        assert_eq!(of("test", Ok(ExitCode::from(INTERRUPTED))), ExitCode::from(INTERRUPTED));
    }
}
