//! `convert`: between our books, `BOOK.DAT` and text.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use chuhe::board::{Move, Position};
use chuhe::book::{About, Candidate, EleEyeBook, EleEyeRecord, NativeBook, Record, Source, Symmetry, canonical};
use clap::Args;

use crate::file;
use crate::text;
use crate::walk::walk;

/// Make a book of a BOOK.DAT or of a text, or the reverse
///
/// What is read is seen in the file itself; what is written is seen in the name: `.dat` for ElephantEye, `.txt` for text,
/// anything else for our own format. A BOOK.DAT keeps its short keys and nothing is lost either way, unless `--rekey`
/// looks for its positions from the start and gives them our keys.
#[derive(Args)]
#[command(after_help = "Examples:
  book-tools convert BOOK.DAT eleeye.book
  book-tools convert BOOK.DAT native.book --rekey
  book-tools convert my.book my.dat")]
pub(super) struct Convert {
    /// A book, a BOOK.DAT, or what `dump` has written
    from: PathBuf,
    /// The new file
    to: PathBuf,
    /// Give our own keys to all positions that can be reached from the start by moves of the book
    #[arg(long)]
    rekey: bool,
}

impl Convert {
    pub(super) fn run(self) -> Result<()> {
        let (about, mut records) = self.read()?;
        let mut about = about;
        let all = records.len();
        if self.rekey && about.symmetry == Symmetry::EleEye {
            (about, records) = rekeyed(&file::open(&self.from)?, Symmetry::MirrorAndColours);
        }
        let ending = self.to.extension().map(|ending| ending.to_ascii_lowercase());
        let written = match ending.as_ref().and_then(|ending| ending.to_str()) {
            Some("dat") => self.write_dat(&about, &records)?,
            Some("txt") => self.write_text(&about, &records)?,
            _ => file::write(&self.to, about, file::in_order(records).into_iter().map(Ok))?,
        };
        println!("{}: {written} moves of {all}", self.to.display());
        Ok(())
    }

    fn read(&self) -> Result<(About, Vec<Record>)> {
        let bytes = fs::read(&self.from).with_context(|| format!("{}: cannot be read", self.from.display()))?;
        if text::is_text(&bytes) {
            let text = String::from_utf8(bytes).with_context(|| format!("{}: not UTF-8", self.from.display()))?;
            return text::read(&text).with_context(|| self.from.display().to_string());
        }
        Ok(match file::open(&self.from)? {
            Source::Native(book) => (book.layout().about, book.records().to_vec()),
            Source::EleEye(book) => (eleeye_about(), from_eleeye(&book, &self.from)?),
        })
    }

    fn write_text(&self, about: &About, records: &[Record]) -> Result<u64> {
        let mut lines = text::header(about) + "\n";
        for record in records {
            lines += &text::line(record);
            lines.push('\n');
        }
        file::write_bytes(&self.to, lines.as_bytes())?;
        Ok(records.len() as u64)
    }

    fn write_dat(&self, about: &About, records: &[Record]) -> Result<u64> {
        let mut found = if about.symmetry == Symmetry::EleEye {
            records.iter().filter_map(|record| eleeye_record(record.key, record)).collect()
        } else {
            let bytes = fs::read(&self.from)?;
            ensure!(
                !text::is_text(&bytes),
                "{}: a text tells no positions; make a book of it first",
                self.from.display()
            );
            reachable(file::open_native(&self.from)?)
        };
        found.sort_by_key(EleEyeRecord::order);
        found.dedup_by_key(|record| record.order());
        if found.is_empty() {
            bail!("{}: no move can be written for ElephantEye", self.from.display());
        }
        file::write_bytes(&self.to, bytemuck::cast_slice(&found))?;
        Ok(found.len() as u64)
    }
}

fn eleeye_about() -> About {
    About { symmetry: Symmetry::EleEye, ..About::default() }
}

/// Every record under its own key.
fn from_eleeye(book: &EleEyeBook, path: &Path) -> Result<Vec<Record>> {
    let records = book.records().iter().enumerate().map(|(index, record)| {
        let mv = record
            .mv()
            .with_context(|| format!("{}: {}: no move", path.display(), index * size_of::<EleEyeRecord>()))?;
        Ok(Record::new(u64::from(record.lock()) << 32, mv, record.weight()))
    });
    records.collect()
}

/// Forbidden moves have no place in a `BOOK.DAT`.
fn eleeye_record(key: u64, record: &Record) -> Option<EleEyeRecord> {
    let lock = (key >> 32) as u32;
    record.turned_move().filter(|_| !record.is_forbidden()).map(|mv| EleEyeRecord::new(lock, mv, record.weight))
}

/// The moves of all positions that can be reached, under ElephantEye's keys.
fn reachable(book: NativeBook) -> Vec<EleEyeRecord> {
    let symmetry = book.layout().about.symmetry;
    let mut found = vec![];
    walk(&Source::Native(book), &Position::start(), usize::MAX, |node, candidates| {
        let mut enter = |position: &Position, turn: fn(Move) -> Move| {
            let (key, frame) = canonical(position, Symmetry::EleEye);
            let lock = (key >> 32) as u32;
            let record = |found: &Candidate| EleEyeRecord::new(lock, frame.apply(turn(found.mv)), found.weight);
            found.extend(candidates.iter().map(record));
        };
        enter(&node.position, |mv| mv);
        // A book for both sides answers in two positions, which ElephantEye keeps apart.
        if symmetry == Symmetry::MirrorAndColours {
            enter(&node.position.colours_swapped(), |mv| Move::new(mv.from().rotated(), mv.to().rotated()));
        }
    });
    found
}

/// What can be reached from the start, under our own keys.
fn rekeyed(book: &Source, symmetry: Symmetry) -> (About, Vec<Record>) {
    let mut records = vec![];
    walk(book, &Position::start(), usize::MAX, |node, candidates| {
        let (key, frame) = canonical(&node.position, symmetry);
        records
            .extend(candidates.iter().map(|candidate| Record::new(key, frame.apply(candidate.mv), candidate.weight)));
    });
    (About { symmetry, ..About::default() }, records)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe::book::Locks;

    fn convert(from: &Path, to: &Path, rekey: bool) {
        Convert { from: from.to_owned(), to: to.to_owned(), rekey }.run().unwrap();
    }

    fn there_and_back(dat: &Path) {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        convert(dat, &at("a.book"), false);
        convert(&at("a.book"), &at("b.dat"), false);
        assert!(fs::read(at("b.dat")).unwrap() == fs::read(dat).unwrap());
        convert(&at("a.book"), &at("a.txt"), false);
        convert(&at("a.txt"), &at("b.book"), false);
        assert!(fs::read(at("b.book")).unwrap() == fs::read(at("a.book")).unwrap());
        let [ours, theirs] = [file::open(&at("a.book")).unwrap(), file::open(dat).unwrap()];
        let mut position = Position::start();
        let mut plies = 0;
        while let Some(first) = theirs.candidates(&position).first() {
            assert_eq!(ours.candidates(&position), theirs.candidates(&position));
            assert_eq!(ours.candidates(&position.mirrored()), theirs.candidates(&position.mirrored()));
            position = position.play(first.mv);
            plies += 1;
        }
        assert!(plies > 1);
    }

    fn small_book() -> Vec<EleEyeRecord> {
        let mut position = Position::start();
        let mut records = vec![];
        for mv in ["h2e2", "h9g7", "h0g2"].map(|mv| mv.parse().unwrap()) {
            let (key, frame) = canonical(&position, Symmetry::EleEye);
            records.push(EleEyeRecord::new((key >> 32) as u32, frame.apply(mv), 7));
            position = position.play(mv);
        }
        records.push(EleEyeRecord::new(Locks::of(&Position::start()).lock1, "b2e2".parse().unwrap(), 7));
        records.push(EleEyeRecord::new(1, "b2e2".parse().unwrap(), 0));
        records.sort_by_key(EleEyeRecord::order);
        records
    }

    #[test]
    fn a_book_dat_comes_back_byte_for_byte() {
        let folder = tempfile::tempdir().unwrap();
        let small = folder.path().join("small.dat");
        fs::write(&small, bytemuck::cast_slice(&small_book())).unwrap();
        there_and_back(&small);
        let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/eleeye-BOOK.DAT");
        if published.exists() {
            there_and_back(&published);
        }
    }

    #[test]
    fn positions_that_are_found_get_our_keys_and_can_be_written_back() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("small.dat"), bytemuck::cast_slice(&small_book())).unwrap();
        convert(&at("small.dat"), &at("ours.book"), true);
        let book = file::open_native(&at("ours.book")).unwrap();
        assert_eq!(book.layout().about.symmetry, Symmetry::MirrorAndColours);
        assert_eq!(book.records().len(), 4, "the position of lock 1 is not known");
        convert(&at("ours.book"), &at("back.dat"), false);
        let back = file::open(&at("back.dat")).unwrap();
        let start = Position::start();
        assert_eq!(back.candidates(&start), file::open(&at("small.dat")).unwrap().candidates(&start));
        let moves = back.candidates(&start.colours_swapped());
        assert_eq!(moves.len(), 2, "the book is for both sides");
    }
}
