//! Options that the engine announces, so that a user can set each of them.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, anyhow, bail, ensure};
use chuhe::engine::event::Dialect;

use crate::parser::parse;
use crate::process::Engine;
use crate::reply::{Announced, Reply};
use crate::user::Menu;

/// Timeout for the introduction, generous enough for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Asks the program for its options in both protocols.
///
/// # Errors
/// If the engine does not introduce itself.
pub fn ask(program: &Path, folder: &Path) -> Result<Menu> {
    let options = |dialect| introduction(program, folder, dialect);
    Ok(Menu { ucci: options(Dialect::Ucci)?, uci: options(Dialect::Uci)? })
}

fn introduction(program: &Path, folder: &Path, dialect: Dialect) -> Result<Vec<Announced>> {
    let engine = Engine::start(program, folder)?;
    let greeting = if dialect == Dialect::Ucci { "ucci\nquit\n" } else { "uci\nquit\n" };
    engine.write(greeting.as_bytes().to_vec());
    let mut options = Vec::new();
    while let Ok(line) = engine.output.recv_timeout(TIMEOUT) {
        match parse(line.strip_suffix(b"\n").unwrap_or(&line), dialect).map_err(|error| anyhow!(error))? {
            Reply::Option(option) => options.push(option),
            Reply::Greeted => {
                ensure!(!options.is_empty(), "no options");
                return Ok(options);
            }
            _ => {}
        }
    }
    bail!("no introduction in {dialect:?}")
}
