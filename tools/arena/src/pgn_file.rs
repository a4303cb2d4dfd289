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

/// What a file holds besides these games, with an empty line at its end.
fn others(pgn: &PgnFile, games: &[GameRecord]) -> Result<Vec<u8>> {
    let held = match file::read(&pgn.path) {
        Ok(held) => held,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("{} cannot be read", pgn.path.display())),
    };
    let ours = games.iter().map(|game| bytes(pgn, game)).collect::<Result<HashSet<_>>>()?;
    let is_ours = |game: &[u8]| ours.contains(game) || ours.iter().any(|known| known.starts_with(game));
    let mut others: Vec<u8> = split(&held).into_iter().filter(|game| !is_ours(game)).flatten().copied().collect();
    while !others.is_empty() && !others.ends_with(b"\n\n") && !others.ends_with(b"\n\r\n") {
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

/// A file with these games, put in the place of an older one in one step.
pub(crate) fn begin(pgn: &PgnFile, games: &[GameRecord]) -> Result<(PgnFile, File)> {
    let others = if pgn.append { others(pgn, games)? } else { Vec::new() };
    replace(&pgn.path, |mut file| {
        file.write_all(&others).with_context(|| unwritable(&pgn.path))?;
        games.iter().try_for_each(|game| write_game(pgn, &mut file, game))?;
        Ok((file, ()))
    })?;
    let file = File::options().append(true).open(&pgn.path).with_context(|| unwritable(&pgn.path))?;
    Ok((pgn.clone(), file))
}

/// Appends a game.
pub(crate) fn write_game(pgn: &PgnFile, file: &mut File, game: &GameRecord) -> Result<()> {
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
    use chuhe_games::pgn::PgnFormat;
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
}
