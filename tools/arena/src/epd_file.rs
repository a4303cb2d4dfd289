//! The positions in which the games of a match have ended, one a line; replaces nothing but such a list.

use std::collections::HashSet;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use chuhe::file;
use chuhe_games::record::GameRecord;
use chuhe_games::replace::write_bytes;

/// An open list.
pub(crate) struct EpdFile {
    path: PathBuf,
    file: File,
}

/// Refuses a file that holds anything else than the ends of these games, the last one perhaps torn.
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
    /// With these games, in the place of an older one.
    pub(crate) fn begin(path: &Path, games: &[GameRecord]) -> Result<Self> {
        write(path, games)?;
        let file = File::options().append(true).open(path).with_context(|| unwritable(path))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Appends the end of a game.
    pub(crate) fn add(&mut self, game: &GameRecord) -> Result<()> {
        self.file.write_all(line(game).as_bytes()).with_context(|| unwritable(&self.path))
    }

    /// Writes it once more, in the order of these games.
    pub(crate) fn rewrite(&self, games: &[GameRecord]) -> Result<()> {
        write(&self.path, games)
    }
}

fn write(path: &Path, games: &[GameRecord]) -> Result<()> {
    write_bytes(path, games.iter().map(line).collect::<String>().as_bytes())
}

/// Nothing of a game that begins nowhere.
fn line(game: &GameRecord) -> String {
    game.last_position().map_or_else(String::new, |position| format!("{}\n", position.to_fen()))
}

fn unwritable(path: &Path) -> String {
    format!("the ends of games cannot be written to {}", path.display())
}
