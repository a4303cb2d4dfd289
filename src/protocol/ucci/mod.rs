//! UCCI 3.0, the native language, with the tolerance that real clients need.

mod read;
mod write;

use super::Protocol;
use super::token::{Tokens, text_of};
use crate::engine::event::{Command, Fault, Reply};

/// Universal Chinese Chess Interface: <https://www.xqbase.com/protocol/cchess_ucci.htm>.
///
/// ```
/// use chuhe::engine::event::{Command, Reply};
/// use chuhe::protocol::{Protocol, Ucci};
/// assert_eq!(Ucci.parse(b"isready\r\n"), [Ok(Command::IsReady)]);
/// assert_eq!(Ucci.lines(&Reply::Ready), "readyok\n");
/// ```
#[derive(Clone, Copy, Default, Debug)]
pub struct Ucci;

impl Protocol for Ucci {
    fn parse(&self, line: &[u8]) -> Vec<Result<Command, Fault>> {
        let commands = read::read_line(Tokens::new(&text_of(line)));
        commands.into_iter().map(|command| command.map_err(Fault::from)).collect()
    }

    fn lines(&self, reply: &Reply) -> String {
        write::lines(reply)
    }
}
