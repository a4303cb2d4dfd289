//! The games of a match as a PGN file, which replaces nothing but such a file.

use std::collections::HashSet;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use chuhe::file;
use chuhe_games::pgn;
use chuhe_games::record::GameRecord;
use chuhe_games::replace::replace;

use crate::settings::PgnFile;

/// Refuses a file that holds anything else than these games, as they are written here, the last one perhaps torn; unless
/// games of others may stay.
pub(crate) fn check(pgn: &PgnFile, games: &[GameRecord]) -> Result<()> {
    let others = others(pgn, games)?;
    let name = pgn.path.display();
    if pgn.append {
        let is_pgn = others.is_empty() || others.trim_ascii_start().starts_with(b"[");
        ensure!(is_pgn, "{name} holds something that is no PGN; name another file for the games");
    } else {
        ensure!(
            others.is_empty(),
            "{name} holds something that is no game of this match; name another file for the games, or say append=true"
        );
    }
    Ok(())
}

/// What a file holds besides these games, with an empty line at its end by which what is written behind it can be told from it.
fn others(pgn: &PgnFile, games: &[GameRecord]) -> Result<Vec<u8>> {
    let held = match file::read(&pgn.path) {
        Ok(held) => held,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("{} cannot be read", pgn.path.display())),
    };
    foreign(pgn, games, &held)
}

/// What is held besides these games.
fn foreign(pgn: &PgnFile, games: &[GameRecord], held: &[u8]) -> Result<Vec<u8>> {
    let ours = games.iter().map(|game| bytes(pgn, game)).collect::<Result<HashSet<_>>>()?;
    let is_ours = |game: &[u8]| ours.contains(game) || ours.iter().any(|known| known.starts_with(game));
    let mut others: Vec<u8> = split(held).into_iter().filter(|game| !is_ours(game)).flatten().copied().collect();
    while !others.is_empty() && !others.ends_with(b"\n\n") {
        others.push(b'\n');
    }
    Ok(others)
}

/// The games of a file that was written here: an empty line is between two of them. Of one that is torn there may be nothing
/// but the bracket that opens its first tag; no other line behind an empty one begins with a bracket.
fn split(mut held: &[u8]) -> Vec<&[u8]> {
    const END: &[u8] = b"\n\n[";
    let mut games = Vec::new();
    while let Some(at) = held.windows(END.len()).position(|part| part == END) {
        let (game, rest) = held.split_at(at + 2);
        games.push(game);
        held = rest;
    }
    games.extend((!held.is_empty()).then_some(held));
    games
}

/// A file to which games are written.
pub(crate) struct Begun {
    pgn: PgnFile,
    file: File,
    /// Bytes at its beginning that are others'. Another match may have written the same games.
    others: usize,
}

/// A file with these games, put in the place of an older one in one step.
pub(crate) fn begin(pgn: &PgnFile, games: &[GameRecord]) -> Result<Begun> {
    let others = if pgn.append { others(pgn, games)? } else { Vec::new() };
    Begun::with(pgn.clone(), &others, games)
}

impl Begun {
    fn with(pgn: PgnFile, others: &[u8], games: &[GameRecord]) -> Result<Self> {
        replace(&pgn.path, |mut file| {
            file.write_all(others).with_context(|| unwritable(&pgn.path))?;
            games.iter().try_for_each(|game| write_game(&pgn, &mut file, game))?;
            Ok((file, ()))
        })?;
        let file = File::options().append(true).open(&pgn.path).with_context(|| unwritable(&pgn.path))?;
        Ok(Self { pgn, file, others: others.len() })
    }

    /// Appends a game.
    pub(crate) fn add(&mut self, game: &GameRecord) -> Result<()> {
        write_game(&self.pgn, &mut self.file, game)
    }

    /// Puts these games in the place of those that were written; what others have written meanwhile stays.
    pub(crate) fn rewrite(self, games: &[GameRecord]) -> Result<Self> {
        let held = file::read(&self.pgn.path).with_context(|| unwritable(&self.pgn.path))?;
        let (before, since) = held.split_at(self.others.min(held.len()));
        let others = [before, &foreign(&self.pgn, games, since)?].concat();
        Self::with(self.pgn, &others, games)
    }
}

fn write_game(pgn: &PgnFile, file: &mut File, game: &GameRecord) -> Result<()> {
    file.write_all(&bytes(pgn, game)?).with_context(|| unwritable(&pgn.path))
}

fn bytes(pgn: &PgnFile, game: &GameRecord) -> Result<Vec<u8>> {
    Ok(pgn.encoding.encode(&pgn::write(game, &pgn.format)?))
}

fn unwritable(path: &Path) -> String {
    format!("the games cannot be written to {}", path.display())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use chuhe_games::encoding::Encoding;
    use chuhe_games::pgn::{Detail, PgnFormat};
    use chuhe_games::record::{EndingClass, GameResult};

    use super::*;
    use crate::made_up::game;

    #[test]
    fn the_last_game_may_be_torn_anywhere() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g.pgn");
        let (format, encoding) = (PgnFormat::default(), Encoding::Utf8);
        let pgn = PgnFile { path: path.clone(), format, encoding, append: true, match_line: None };
        let games = [1, 2, 3].map(|number| game(number, "A", "B", GameResult::Draw, EndingClass::Agreement));
        for theirs in ["", "[Event \"theirs\"]\n\n1. h2e2 *\n\n"] {
            fs::write(&path, theirs).unwrap();
            drop(begin(&pgn, &games).unwrap());
            let whole = fs::read(&path).unwrap();
            for end in theirs.len()..=whole.len() {
                let torn = &whole[..end];
                fs::write(&path, torn).unwrap();
                let kept = String::from_utf8(others(&pgn, &games).unwrap()).unwrap();
                assert_eq!(kept, theirs, "torn: {}", String::from_utf8_lossy(torn));
            }
        }
    }

    #[test]
    fn games_of_others_stay_once_whatever_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g.pgn");
        let format = PgnFormat { detail: Detail::Least, ..PgnFormat::default() };
        let pgn = PgnFile { path: path.clone(), format, encoding: Encoding::Utf8, append: true, match_line: None };
        let games = [1, 2].map(|number| game(number, "A", "B", GameResult::Draw, EndingClass::Agreement));
        let of_another_match: Vec<u8> = games.iter().flat_map(|game| bytes(&pgn, game).unwrap()).collect();
        for (theirs, count) in [(&of_another_match[..], 2), (b"[Event \"theirs\"]\r\n\r\n1. h2e2 *\r\n\r\n", 1)] {
            fs::write(&path, theirs).unwrap();
            let mut begun = begin(&pgn, &[]).unwrap();
            games.iter().rev().for_each(|game| begun.add(game).unwrap());
            let meanwhile = b"[Event \"meanwhile\"]\n\n1. c3c4 *\n\n";
            File::options().append(true).open(&path).unwrap().write_all(meanwhile).unwrap();
            drop(begun.rewrite(&games).unwrap());
            let count = count + 1;
            let held = || String::from_utf8(fs::read(&path).unwrap()).unwrap().matches("[Event ").count();
            assert_eq!(held(), count + games.len());
            if theirs != of_another_match {
                // A match that goes on knows its own.
                drop(begin(&pgn, &games).unwrap());
                assert_eq!(held(), count + games.len());
            }
        }
    }
}
