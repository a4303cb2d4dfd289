//! Protocols: lines of text on one side, commands and replies on the other. Knows no clock, no thread and no search.

mod error;
mod game;
mod go;
mod message;
mod token;
mod ucci;

use std::io::{self, Write};

pub use error::{CommandError, PositionError};
pub use ucci::Ucci;

use crate::engine::event::{Command, Fault, Reply};

/// A language between the user and the controller. Both directions are free of state.
pub trait Protocol: Send + Sync {
    /// What a line says, with or without its end: nothing if it is empty, one command as a rule, several where clients
    /// put several on a line. A command that is understood in part comes with the fault behind it.
    fn parse(&self, line: &[u8]) -> Vec<Result<Command, Fault>>;

    /// The lines that say `reply`, each with its end; empty if the protocol has no words for it.
    fn lines(&self, reply: &Reply) -> String;

    /// Writes the lines at once and flushes, so that nothing is ever half written or held back in a pipe.
    fn write(&self, reply: &Reply, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.lines(reply).as_bytes())?;
        out.flush()
    }
}
