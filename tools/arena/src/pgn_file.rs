//! PGN file of a match; only such a file is ever overwritten.

use std::collections::HashMap;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use chuhe::file;
use chuhe::notation::Notation;
use chuhe_games::encoding::Encoding;
use chuhe_games::pgn::{self, PgnFormat};
use chuhe_games::record::GameRecord;
use chuhe_games::replace::replace;

use crate::settings::PgnFile;

/// Returns an error if a file contains anything but these games, in any format, the last one perhaps truncated; with
/// `append=true` other games may precede them.
pub(crate) fn check(pgn: &PgnFile, games: &[GameRecord]) -> Result<()> {
    let others = others(pgn, games)?;
    let name = pgn.path.display();
    if pgn.append {
        let is_pgn = others.is_empty() || others.trim_ascii_start().starts_with(b"[");
        ensure!(is_pgn, "{name} holds something that is not PGN; name another file for the games");
    } else {
        ensure!(
            others.is_empty(),
            "{name} holds something that is not a game of this match; name another file for the games, or say append=true"
        );
    }
    Ok(())
}

/// Returns the contents of a file other than these games, ending with an empty line as a separator.
fn others(pgn: &PgnFile, games: &[GameRecord]) -> Result<Vec<u8>> {
    let held = match file::read(&pgn.path) {
        Ok(held) => held,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("{} cannot be read", pgn.path.display())),
    };
    foreign(games, &held)
}

/// Returns the part of `held` that holds none of these games.
fn foreign(games: &[GameRecord], held: &[u8]) -> Result<Vec<u8>> {
    let mut own = Own::new(games)?;
    let mut others = Vec::new();
    for game in split(held) {
        if !own.has(game)? {
            others.extend_from_slice(game);
        }
    }
    while !others.is_empty() && !others.ends_with(b"\n\n") {
        others.push(b'\n');
    }
    Ok(others)
}

/// Splits a file that was written here into its games, which an empty line separates.
///
/// A truncated game may consist of nothing but the bracket of its first tag; no other line after an empty one begins with a
/// bracket.
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

/// Games as a file may hold them: possibly with another event name, in another format and with other comments than now.
struct Own<'a> {
    /// Games and encodings by the encoded part that all formats have in common.
    games: HashMap<Vec<u8>, Vec<(&'a GameRecord, Encoding)>>,
    /// All notations, the most recently matched first: a file uses one.
    notations: Vec<Notation>,
}

impl<'a> Own<'a> {
    fn new(games: &'a [GameRecord]) -> Result<Self> {
        let mut own = Self { games: HashMap::new(), notations: Notation::ALL.to_vec() };
        for game in games {
            let text = pgn::write(game, &bare(Notation::Iccs))?;
            for encoding in [Encoding::Utf8, Encoding::Gb18030] {
                let bytes = encoding.encode(&text);
                let text = behind_names(&bytes).map(without_set_up);
                let head = text.as_deref().and_then(head).expect("every game is written with these tags");
                own.games.entry(head.to_vec()).or_default().push((game, encoding));
            }
        }
        Ok(own)
    }

    /// Whether `text` is one of the games, perhaps truncated.
    fn has(&mut self, text: &[u8]) -> Result<bool> {
        let Some(text) = behind_names(text).map(without_set_up) else { return Ok(false) };
        let Some(head) = head(&text) else {
            return Ok(self.games.keys().any(|head| head.starts_with(&text)));
        };
        for (game, encoding) in self.games.get(head).into_iter().flatten() {
            let held = essence(&text, *encoding);
            for at in 0..self.notations.len() {
                let written = encoding.encode(&pgn::write(game, &bare(self.notations[at]))?);
                let written = behind_names(&written).map(|text| essence(&without_set_up(text), *encoding));
                if written.is_some_and(|written| written.starts_with(&held)) {
                    self.notations[..=at].rotate_right(1);
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

/// Returns a format without comments.
fn bare(notation: Notation) -> PgnFormat {
    PgnFormat { notation, comments: None, ..PgnFormat::default() }
}

/// Returns the text without the tag `SetUp`, which earlier versions did not write, even if it is truncated.
fn without_set_up(text: &[u8]) -> Vec<u8> {
    const TAG: &[u8] = b"[SetUp \"1\"]\n";
    let is_other = |line: &&[u8]| !(TAG.starts_with(line) && (line.ends_with(b"\n") || line.starts_with(b"[S")));
    text.split_inclusive(|byte| *byte == b'\n').filter(is_other).collect::<Vec<_>>().concat()
}

/// Returns the part of a game that is the same in all formats with one notation: the tags up to `Format`, and the moves.
fn essence(text: &[u8], encoding: Encoding) -> Vec<u8> {
    let format = head(text).map_or(text.len(), <[u8]>::len);
    let end = text[format..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |end| format + end + 1);
    let (tags, rest) = text.split_at(end);
    let lines = rest.split_inclusive(|byte| *byte == b'\n').filter(|line| !line.starts_with(b"["));
    [tags, &without_comments(&lines.collect::<Vec<_>>().concat(), encoding)].concat()
}

/// Returns the moves without comments, separated by single spaces.
fn without_comments(text: &[u8], encoding: Encoding) -> Vec<u8> {
    let (mut moves, mut in_comment, mut rest) = (Vec::new(), false, text);
    while let Some(&first) = rest.first() {
        // The second byte of a character of GB 18030 may be a brace.
        let is_wide = encoding == Encoding::Gb18030 && first >= 0x81;
        let (character, behind) = rest.split_at(if is_wide { rest.len().min(2) } else { 1 });
        match character {
            b"{" => in_comment = true,
            b"}" => in_comment = false,
            _ if in_comment => {}
            [space] if space.is_ascii_whitespace() => {
                if moves.last().is_some_and(|last| *last != b' ') {
                    moves.push(b' ');
                }
            }
            _ => moves.extend_from_slice(character),
        }
        rest = behind;
    }
    moves.truncate(moves.trim_ascii_end().len());
    moves
}

/// Returns the text after the Event and Site tags, empty if it is truncated before that; `None` if it does not begin so.
fn behind_names(text: &[u8]) -> Option<&[u8]> {
    let tags = ["[Game \"Chinese Chess\"]", "[Event \"", "[Site \""].map(str::as_bytes);
    tags.into_iter().try_fold(text, |text, tag| {
        let (_, rest) = text.split_at(text.iter().position(|byte| *byte == b'\n').map_or(text.len(), |end| end + 1));
        (text.starts_with(tag) || tag.starts_with(text)).then_some(rest)
    })
}

/// Returns the tags up to the first one that depends on the format.
fn head(text: &[u8]) -> Option<&[u8]> {
    const FORMAT: &[u8] = b"\n[Format \"";
    let at = text.windows(FORMAT.len()).position(|part| part == FORMAT)?;
    Some(&text[..at + FORMAT.len()])
}

/// An open PGN file.
pub(crate) struct Begun {
    pgn: PgnFile,
    file: File,
    /// Length in bytes of the foreign games at its beginning. Another match may have written the same games.
    others: usize,
}

/// Writes a file with these games, replacing an older one atomically, and opens it.
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

    /// Rewrites the games of the match in this order; games that others have added meanwhile stay.
    pub(crate) fn rewrite(self, games: &[GameRecord]) -> Result<Self> {
        let held = file::read(&self.pgn.path).with_context(|| unwritable(&self.pgn.path))?;
        let (before, since) = held.split_at(self.others.min(held.len()));
        let others = [before, &foreign(games, since)?].concat();
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

    use chuhe_games::pgn::Field;
    use chuhe_games::record::{EndingClass, GameResult, MoveRecord};

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

    /// Returns a game of one move, whose text differs in every format.
    fn played(number: u32, mv: &str) -> GameRecord {
        let moves = vec![MoveRecord { mv: mv.to_owned(), nps: Some(5), pv: mv.to_owned(), ..MoveRecord::default() }];
        GameRecord { moves, ..game(number, "楚河", "B", GameResult::Draw, EndingClass::Agreement) }
    }

    #[test]
    fn games_are_known_in_every_format_and_under_every_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g.pgn");
        let file = |event: &str, notation, comments, encoding| {
            let format = PgnFormat { event: event.into(), site: event.into(), notation, comments };
            PgnFile { path: path.clone(), format, encoding, append: true, match_line: None }
        };
        let games = [played(1, "h2e2"), played(2, "c3c4")];
        let now = file("漢界 today", Notation::Wxf, Some(Field::USUAL.to_vec()), Encoding::Utf8);
        let all = vec![Field::Nodes, Field::Speed, Field::Variation];
        for (notation, comments) in Notation::ALL.into_iter().zip([Some(all), Some(vec![]), None]) {
            for encoding in [Encoding::Utf8, Encoding::Gb18030] {
                let before = file("楚河 before", notation, comments.clone(), encoding);
                fs::write(&path, "").unwrap();
                drop(begin(&before, &games).unwrap());
                let whole = fs::read(&path).unwrap();
                for end in 0..=whole.len() {
                    fs::write(&path, &whole[..end]).unwrap();
                    let kept = others(&now, &games).unwrap();
                    assert!(kept.is_empty(), "{}", String::from_utf8_lossy(&whole[..end]));
                }
                // A game of another match with the same tags.
                let theirs = bytes(&before, &played(1, "g3g4")).unwrap();
                fs::write(&path, [&theirs[..], &whole].concat()).unwrap();
                assert_eq!(others(&now, &games).unwrap(), theirs);
            }
        }
    }

    #[test]
    fn a_brace_in_a_wide_character_ends_no_comment() {
        let text = "1. h2e2 {一 鳎} h9g7";
        let encoded = Encoding::Gb18030.encode(text);
        let wide = encoded.windows(2).any(|pair| pair[0] >= 0x81 && matches!(pair[1], b'{' | b'}'));
        assert!(wide, "{encoded:x?}");
        assert_eq!(without_comments(&encoded, Encoding::Gb18030), b"1. h2e2 h9g7");
    }

    #[test]
    fn games_of_others_stay_once_whatever_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("g.pgn");
        let format = PgnFormat { comments: None, ..PgnFormat::default() };
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
                // A match that is resumed recognises its own games.
                drop(begin(&pgn, &games).unwrap());
                assert_eq!(held(), count + games.len());
            }
        }
    }
}
