//! Protocols: lines of text on one side, commands and replies on the other. Knows no clock, no thread and no search.
//!
//! Clients mix the words of UCCI and UCI, and some ask for both in one process. So one grammar reads either, and only
//! what is said depends on the protocol in force.
//!
//! ```
//! use chuhe::engine::event::{Command, Reply, Voice};
//! use chuhe::protocol::{Interpreter, lines};
//! assert_eq!(Interpreter::default().parse(b"isready\r\n"), [Ok(Command::IsReady)]);
//! assert_eq!(lines(&Reply::Ready, &Voice::default()), "readyok\n");
//! ```

mod error;
mod game;
mod go;
mod introduction;
mod line;
mod message;
mod person;
mod read;
mod token;
mod ucci;
mod uci;

pub use error::{CommandError, PositionError};
pub use read::Interpreter;

use crate::engine::event::{Dialect, Reply, Voice};

/// The lines that say `reply`, each with its end; empty if the protocol has no words for it.
pub fn lines(reply: &Reply, voice: &Voice) -> String {
    match voice.dialect {
        Dialect::Ucci => ucci::lines(reply, voice.base),
        Dialect::Uci => uci::lines(reply, voice.base),
    }
}
