//! Openings from an opening book: walks by the weights of its moves.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Result, ensure};
use chuhe::board::{Move, Position};
use chuhe::book::{BookError, Choice, Source, Symmetry, canonical, choose};
use chuhe::splitmix::SplitMix64;

use super::opening::Opening;

/// Default length of an opening, in plies.
const PLIES: usize = 8;
/// Maximum number of openings: more than a match needs.
const MOST_OPENINGS: usize = 1000;
/// Consecutive walks without a new opening after which the book counts as exhausted.
const MOST_VAIN_WALKS: usize = 1000;

/// Returns lines of `plies` plies, each move chosen in proportion to its weight, that lead to different positions, mirror
/// images and exchanged colours not counted. There are at most a thousand, in the order found, so that common ones tend to
/// come first. Equal books, plies and seeds give equal lines.
///
/// # Errors
/// If the file is not a book, or holds no line of that length.
pub(super) fn read_openings(path: &Path, plies: Option<usize>, seed: u64) -> Result<Vec<Opening>> {
    let book = Source::open(path).map_err(|fault| BookError { path: path.to_owned(), fault })?;
    let plies = plies.unwrap_or(PLIES);
    let mut random = SplitMix64::new(seed);
    let (mut seen, mut openings, mut vain) = (HashSet::new(), vec![], 0);
    while openings.len() < MOST_OPENINGS && vain < MOST_VAIN_WALKS {
        let found =
            walk(&book, plies, &mut random).map(|moves| Opening { name: None, start: Position::start(), moves });
        let key = |opening: &Opening| canonical(&opening.position(), Symmetry::MirrorAndColours).0;
        match found.filter(|opening| seen.insert(key(opening))) {
            Some(opening) => {
                openings.push(opening);
                vain = 0;
            }
            None => vain += 1,
        }
    }
    ensure!(!openings.is_empty(), "{} holds no line of {plies} plies", path.display());
    Ok(openings)
}

/// Walks through the book; `None` if the book or the game ends before.
fn walk(book: &Source, plies: usize, random: &mut SplitMix64) -> Option<Vec<Move>> {
    let mut position = Position::start();
    let mut moves = vec![];
    for _ in 0..plies {
        let chosen = choose(&book.candidates(&position), Choice::Weighted, random.word())?;
        position = position.play(chosen.mv);
        moves.push(chosen.mv);
    }
    position.has_legal_move().then_some(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe::book::{About, Record, Writer};

    /// Writes a book of h2e2 or c3c4 (rare), then h9g7 or b9c7, and no move after c3c4.
    fn book(path: &Path) {
        let start = Position::start();
        let after = start.play("h2e2".parse().unwrap());
        let moves = [(start, "h2e2", 90), (start, "c3c4", 10), (after, "h9g7", 3), (after, "b9c7", 1)];
        let mut records: Vec<Record> = moves
            .iter()
            .map(|(position, mv, weight)| {
                let (key, frame) = canonical(position, Symmetry::MirrorAndColours);
                Record::new(key, frame.apply(mv.parse().unwrap()), *weight)
            })
            .collect();
        records.sort_by_key(Record::order);
        let mut writer = Writer::new(std::fs::File::create(path).unwrap(), About::default()).unwrap();
        records.into_iter().for_each(|record| writer.push(record).unwrap());
        writer.finish().unwrap();
    }

    #[test]
    fn lines_are_as_long_as_wanted_and_none_comes_twice() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.book");
        book(&path);
        let lines = |plies, seed| -> Vec<String> {
            let openings = read_openings(&path, Some(plies), seed).unwrap();
            let text = |opening: &Opening| opening.moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ");
            openings.iter().map(text).collect()
        };
        let mut two = lines(2, 1);
        assert_eq!(two, lines(2, 1), "the same seed gives the same");
        two.sort();
        assert_eq!(two, ["h2e2 b9c7", "h2e2 h9g7"], "the line that ends is none");
        assert_eq!(lines(1, 5).len(), 2);
        assert_eq!(lines(0, 1), [""]);
        let error = read_openings(&path, None, 1).unwrap_err().to_string();
        assert!(error.ends_with("holds no line of 8 plies"), "{error}");
        std::fs::write(&path, "text").unwrap();
        assert!(read_openings(&path, None, 1).unwrap_err().to_string().contains("a.book: foreign"));
    }

    #[test]
    fn databases_of_other_programs_hold_openings() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/books");
        for name in ["small.obk", "small.pfBook"] {
            let openings = read_openings(&folder.join(name), Some(3), 1).unwrap();
            let third: HashSet<String> = openings.iter().map(|opening| opening.moves[2].to_string()).collect();
            assert_eq!(third, ["h0g2", "b0c2"].map(str::to_owned).into(), "{name}");
        }
    }
}
