//! Failures of engines, with the classes for counting them.

use std::time::Duration;

use crate::process::{MAX_LINE, NoLine, Process};

/// Classes of failures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureClass {
    /// The engine overran its clock.
    TimeLoss,
    /// Its process ended.
    Crash,
    /// Its process was killed from outside.
    Killed,
    /// It did not answer.
    Hang,
    /// It played an illegal move.
    IllegalMove,
    /// It played a move that it had been forbidden.
    BannedMove,
    /// It did not complete the handshake.
    NoHandshake,
    /// It violated the protocol: a flood, an endless line, an unrequested answer.
    ProtocolViolation,
    /// It did not fail by itself: the game was cancelled.
    Interrupted,
}

/// A failure of an engine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text}")]
pub struct Failure {
    /// Class.
    pub class: FailureClass,
    /// Description for users.
    pub text: String,
    /// Standard error of the process.
    pub stderr_text: String,
}

impl Failure {
    /// Creates a failure with this description.
    pub fn new(class: FailureClass, text: impl Into<String>) -> Self {
        Self { class, text: text.into(), stderr_text: String::new() }
    }

    /// Creates the failure for a line that did not come within `waited`.
    pub(crate) fn no_line(reason: NoLine, waited: Duration) -> Self {
        match reason {
            NoLine::Timeout => Self::new(FailureClass::Hang, format!("no answer within {waited:?}")),
            NoLine::Ended(status) => Self::new(FailureClass::Crash, status),
            NoLine::Killed(status) => Self::new(FailureClass::Killed, status),
            NoLine::Overlong => {
                let text = format!("more than {MAX_LINE} bytes without an end of line");
                Self::new(FailureClass::ProtocolViolation, text)
            }
        }
    }

    pub(crate) fn flood(lines: usize) -> Self {
        Self::new(FailureClass::ProtocolViolation, format!("more than {lines} lines for one answer"))
    }

    /// Ends the process and adds its standard error, unless the failure has one already.
    pub(crate) fn of(self, process: &mut Process) -> Self {
        let stderr_text = process.end();
        if self.stderr_text.is_empty() { Self { stderr_text, ..self } } else { self }
    }

    /// Prepends the standard error of an earlier process of the engine.
    pub(crate) fn after(self, stderr_text: &str) -> Self {
        Self { stderr_text: format!("{stderr_text}{}", self.stderr_text), ..self }
    }

    /// Reclassifies the failure as one of the handshake, unless the process was killed from outside.
    pub(crate) fn in_handshake(self) -> Self {
        match self.class {
            FailureClass::Killed => self,
            FailureClass::Crash => {
                let text = format!("the process ended in the handshake ({})", self.text);
                Self { class: FailureClass::NoHandshake, text, ..self }
            }
            _ => Self { class: FailureClass::NoHandshake, ..self },
        }
    }
}

/// A cancelled game counts as a failure where there is no game.
impl From<SearchError> for Failure {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Failed(failure) => failure,
            SearchError::Cancelled => Self::new(FailureClass::Interrupted, "interrupted"),
        }
    }
}

/// Reason why there is no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SearchError {
    /// The engine failed.
    Failed(Failure),
    /// The game was cancelled.
    Cancelled,
}

impl From<Failure> for SearchError {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}
