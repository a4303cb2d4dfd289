//! What engines do wrong, in the classes by which that is counted.

use std::fmt;
use std::time::Duration;

use crate::process::{MAX_LINE, NoLine, Process};

/// The ways to fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureClass {
    /// It overran its clock.
    TimeLoss,
    /// Its process ended.
    Crash,
    /// Its process was killed by somebody else.
    Killed,
    /// It did not answer.
    Hang,
    /// It played what the board forbids.
    IllegalMove,
    /// It played what it had been forbidden.
    BannedMove,
    /// It never got through the handshake.
    NoHandshake,
    /// It wrote what no protocol allows: a flood, an endless line, an answer that nobody had asked for.
    ProtocolViolation,
    /// No failure of its own: it was broken off.
    Interrupted,
}

/// What an engine did wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The class.
    pub class: FailureClass,
    /// For people.
    pub text: String,
    /// What its process wrote to its standard error.
    pub complaints: String,
}

impl Failure {
    /// With these words.
    pub fn new(class: FailureClass, text: impl Into<String>) -> Self {
        Self { class, text: text.into(), complaints: String::new() }
    }

    /// There was no line where one had to come within `waited`.
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

    /// The same failure of this process, which is ended; unless it is known already what that has written.
    pub(crate) fn of(self, process: &mut Process) -> Self {
        let complaints = process.end();
        if self.complaints.is_empty() { Self { complaints, ..self } } else { self }
    }

    /// The same with what another process of the engine has written before.
    pub(crate) fn after(self, complaints: &str) -> Self {
        Self { complaints: format!("{complaints}{}", self.complaints), ..self }
    }

    /// The same failure, which for being one of the handshake has a class of its own.
    pub(crate) fn in_handshake(self) -> Self {
        let is_its_own = self.class != FailureClass::Killed;
        Self { class: if is_its_own { FailureClass::NoHandshake } else { FailureClass::Killed }, ..self }
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
pub enum Trouble {
    /// The engine is to blame.
    Failed(Failure),
    /// The game is to be broken off.
    Cancelled,
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}
