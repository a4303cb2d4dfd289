//! List of the final positions of a match (EPD), one a line; only such a list is ever overwritten.

use std::collections::HashSet;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use chuhe::file;
use chuhe_games::record::GameRecord;
use chuhe_games::replace::write_bytes;

/// An open list of positions.
pub(crate) struct EpdFile {
    path: PathBuf,
    file: File,
}

/// Returns an error if a file contains anything but final positions of these games, the last line perhaps truncated.
pub(crate) fn check(path: &Path, games: &[GameRecord]) -> Result<()> {
    let held = match file::read_to_string(path) {
        Ok(held) => held,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).with_context(|| format!("{} cannot be read", path.display())),
    };
    let ours: HashSet<String> = games.iter().map(line).collect();
    let whole = held.rfind('\n').map_or(0, |end| end + 1);
    let is_ours = |line: &str| ours.contains(line);
    let is_torn = |rest: &str| rest.is_empty() || ours.iter().any(|line| line.starts_with(rest));
    ensure!(
        held[..whole].split_inclusive('\n').all(is_ours) && is_torn(&held[whole..]),
        "{} holds something that is no end of a game of this match; name another file for -epdout",
        path.display()
    );
    Ok(())
}

impl EpdFile {
    /// Writes the list with these games, replacing an older one, and opens it.
    pub(crate) fn begin(path: &Path, games: &[GameRecord]) -> Result<Self> {
        write(path, games)?;
        let file = File::options().append(true).open(path).with_context(|| unwritable(path))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Appends the final position of a game.
    pub(crate) fn add(&mut self, game: &GameRecord) -> Result<()> {
        self.file.write_all(line(game).as_bytes()).with_context(|| unwritable(&self.path))
    }

    /// Rewrites the list in the order of these games.
    pub(crate) fn rewrite(&self, games: &[GameRecord]) -> Result<()> {
        write(&self.path, games)
    }
}

fn write(path: &Path, games: &[GameRecord]) -> Result<()> {
    write_bytes(path, games.iter().map(line).collect::<String>().as_bytes())
}

/// Returns the line of a game; empty if its start position is invalid.
fn line(game: &GameRecord) -> String {
    game.last_position().map_or_else(String::new, |position| format!("{}\n", position.to_fen()))
}

fn unwritable(path: &Path) -> String {
    format!("the ends of games cannot be written to {}", path.display())
}
