//! What engines do wrong, in the classes by which endings are counted.

use std::fmt;
use std::time::Duration;

use crate::process::{MAX_LINE, NoLine};
use crate::record::EndingClass;

/// What an engine did wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The class.
    pub class: EndingClass,
    /// For people.
    pub text: String,
}

impl Failure {
    pub(crate) fn new(class: EndingClass, text: impl Into<String>) -> Self {
        Self { class, text: text.into() }
    }

    /// There was no line where one had to come within `waited`.
    pub(crate) fn no_line(reason: NoLine, waited: Duration) -> Self {
        match reason {
            NoLine::Timeout => Self::new(EndingClass::Hang, format!("no answer within {waited:?}")),
            NoLine::Ended(status) => Self::new(EndingClass::Crash, status),
            NoLine::Overlong => {
                let text = format!("more than {MAX_LINE} bytes without an end of line");
                Self::new(EndingClass::ProtocolViolation, text)
            }
        }
    }

    pub(crate) fn flood(lines: usize) -> Self {
        Self::new(EndingClass::ProtocolViolation, format!("more than {lines} lines for one answer"))
    }

    /// The same failure, which for being one of the handshake has a class of its own.
    pub(crate) fn in_handshake(self) -> Self {
        Self { class: EndingClass::NoHandshake, ..self }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Failure {}

/// Why there is no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    Failed(Failure),
    /// The game is to be broken off.
    Cancelled,
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}
