//! List of the final positions of a match (EPD), one a line; only such a list is ever overwritten.

use std::collections::HashSet;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use chuhe::board::Position;
use chuhe::file;
use chuhe_games::record::GameRecord;
use chuhe_games::replace::write_bytes;

use crate::settings::EpdOut;

/// An open list of positions.
pub(crate) struct EpdFile {
    path: PathBuf,
    file: File,
    /// Lines of others at its beginning.
    others: String,
}

/// Returns an error if a file contains anything but final positions of these games, the last line perhaps truncated; with
/// `append=true` other positions may precede them.
pub(crate) fn check(epd: &EpdOut, games: &[GameRecord]) -> Result<()> {
    let others = others(&epd.path, games)?;
    let is_position = |line: &str| Position::from_fen(line.split(';').next().unwrap_or_default()).is_ok();
    ensure!(
        others.is_empty() || epd.append && others.lines().all(is_position),
        "{} holds something that is not an end of a game of this match; name another file for -epdout",
        epd.path.display()
    );
    Ok(())
}

/// Returns the lines of a file that are not final positions of these games, the last line perhaps truncated.
fn others(path: &Path, games: &[GameRecord]) -> Result<String> {
    let held = match file::read_to_string(path) {
        Ok(held) => held,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(String::new()),
        Err(error) => return Err(error).with_context(|| format!("{} cannot be read", path.display())),
    };
    let ours: HashSet<String> = games.iter().map(line).collect();
    let is_torn = |text: &str| !text.ends_with('\n') && ours.iter().any(|line| line.starts_with(text));
    let is_other = |text: &&str| !ours.contains(*text) && !is_torn(text);
    let mut others: String = held.split_inclusive('\n').filter(is_other).collect();
    if !others.is_empty() && !others.ends_with('\n') {
        others.push('\n');
    }
    Ok(others)
}

impl EpdFile {
    /// Writes the list with these games, after the lines of others, and opens it.
    pub(crate) fn begin(epd: &EpdOut, games: &[GameRecord]) -> Result<Self> {
        let (path, others) = (&epd.path, others(&epd.path, games)?);
        write(path, &others, games)?;
        let file = File::options().append(true).open(path).with_context(|| unwritable(path))?;
        Ok(Self { path: path.clone(), file, others })
    }

    /// Appends the final position of a game.
    pub(crate) fn add(&mut self, game: &GameRecord) -> Result<()> {
        self.file.write_all(line(game).as_bytes()).with_context(|| unwritable(&self.path))
    }

    /// Rewrites the list in the order of these games.
    pub(crate) fn rewrite(&self, games: &[GameRecord]) -> Result<()> {
        write(&self.path, &self.others, games)
    }
}

fn write(path: &Path, others: &str, games: &[GameRecord]) -> Result<()> {
    write_bytes(path, [others.to_owned()].into_iter().chain(games.iter().map(line)).collect::<String>().as_bytes())
}

/// Returns the line of a game; empty if its start position is invalid.
fn line(game: &GameRecord) -> String {
    game.last_position().map_or_else(String::new, |position| format!("{}\n", position.to_fen()))
}

fn unwritable(path: &Path) -> String {
    format!("the ends of games cannot be written to {}", path.display())
}
