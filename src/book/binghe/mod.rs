//! Databases of Chinese interfaces, `.obk` of Binghe and `.pfBook` of public-Xiangqi, read only. Their rows are read once, into
//! bounded memory; larger databases are refused and can be converted, since a book in our own format is mapped.

mod keys;
mod sqlite;
mod weights;

use std::ffi::OsString;
use std::io::{Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use crate::board::{Move, Position};
use crate::file;
use crate::score::Score;

use super::choice::Candidate;
use super::eleeye::byte_square;
use super::error::Fault;
pub use keys::{BINGHE_RED_TO_MOVE, BINGHE_WORDS, binghe_index, binghe_key, binghe_words};
pub(super) use sqlite::MAGIC;
use sqlite::{Sqlite, Value, values};
pub use weights::{BingheRow, FULL_WEIGHT, binghe_weights, scaled_weight, weight_by_gap};

/// Names of the table, by interface.
const TABLES: [&str; 2] = ["bhobk", "pfBook"];
/// Columns that are read, in the order of [`Columns`]; those after the second one may be missing.
const COLUMNS: [&str; 8] = ["vkey", "vmove", "vscore", "vwin", "vdraw", "vlost", "vvalid", "vmemo"];
/// Most rows that are kept in memory, 24 bytes each.
const MOST_ROWS: usize = 4 << 20;
/// Beginning of a remark with the search depth of the score.
const DEPTH_MEMO: &str = "depth ";
/// Relative error of a floating-point key of which only fifteen digits were stored.
const FIFTEEN_DIGITS: f64 = 5e-15;

/// A move of a position, as it is kept in memory.
#[derive(Clone, Copy)]
struct Row {
    /// Bits of the stored number.
    key: u64,
    points: u32,
    mv: Move,
    score: i16,
    depth: u8,
    has_games: bool,
    has_eval: bool,
    is_valid: bool,
}

const _: () = assert!(size_of::<Row>() <= 24);

/// A database in memory.
pub struct BingheBook {
    words: Vec<u64>,
    /// Rows with integer keys, sorted.
    integers: Vec<Row>,
    /// Rows with floating-point keys, sorted by value.
    reals: Vec<Row>,
}

impl BingheBook {
    /// Opens a database.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, has other tables, has more than four million moves, or if another program has not
    /// finished writing it.
    pub(super) fn open(path: &Path) -> Result<Self, Fault> {
        for ending in ["-journal", "-wal"] {
            if file::open(&beside(path, ending)).and_then(|file| file.metadata()).is_ok_and(|data| data.len() > 0) {
                return Err(Fault::Database("another program has not finished writing it"));
            }
        }
        Self::read(file::open(path)?)
    }

    /// Creates a book from the bytes of a database.
    ///
    /// # Errors
    /// If the bytes are not a valid database.
    pub fn copied(bytes: &[u8]) -> Result<Self, Fault> {
        Self::read(Cursor::new(bytes))
    }

    fn read(file: impl Read + Seek) -> Result<Self, Fault> {
        let mut database = Sqlite::open(file)?;
        let table = database.table(&TABLES)?.ok_or(Fault::Database("it has no table bhobk or pfBook"))?;
        let places = COLUMNS.map(|wanted| table.columns.iter().position(|name| name.eq_ignore_ascii_case(wanted)));
        if places[..2].contains(&None) {
            return Err(Fault::Database("its table has no column vkey or vmove"));
        }
        let mut book = Self { words: binghe_words(), integers: vec![], reals: vec![] };
        let decode = database.decoder();
        database.rows(&table, &mut |payload| book.take(payload, &places, &decode))?;
        book.integers.sort_by_key(|row| row.key as i64);
        book.reals.sort_by(|a, b| f64::from_bits(a.key).total_cmp(&f64::from_bits(b.key)));
        Ok(book)
    }

    /// Keeps a row, unless its key or its move means nothing.
    fn take(
        &mut self,
        payload: &[u8],
        places: &[Option<usize>; COLUMNS.len()],
        decode: &dyn Fn(&[u8]) -> String,
    ) -> Result<(), Fault> {
        let mut found = [Value::Null; COLUMNS.len()];
        for (place, value) in values(payload).enumerate() {
            if let Some(column) = places.iter().position(|wanted| *wanted == Some(place)) {
                found[column] = value;
            }
        }
        let [key, mv, score, wins, draws, losses, valid, memo] = found;
        let number = |value: Value| whole(value, decode);
        let Some(mv) = number(mv).and_then(read_move) else { return Ok(()) };
        let count = |value: Value| number(value).unwrap_or_default().clamp(0, u32::MAX.into()) as u64;
        let [wins, draws, losses] = [wins, draws, losses].map(count);
        let depth = match memo {
            Value::Text(bytes) => decode(bytes).strip_prefix(DEPTH_MEMO).and_then(|depth| depth.parse().ok()),
            _ => None,
        };
        let eval = read_eval(number(score).unwrap_or_default(), depth);
        let (score, depth) = eval.unwrap_or_default();
        let row = |key| Row {
            key,
            points: u32::try_from(2 * wins + draws).unwrap_or(u32::MAX),
            mv,
            score,
            depth,
            has_games: wins + draws + losses > 0,
            has_eval: eval.is_some(),
            is_valid: number(valid) != Some(0),
        };
        let (rows, row) = match key {
            Value::Integer(key) => (&mut self.integers, row(key as u64)),
            Value::Real(key) => (&mut self.reals, row(key.to_bits())),
            // Keys of these types belong to no position.
            Value::Null | Value::Text(_) | Value::Blob => return Ok(()),
        };
        rows.try_reserve(1).map_err(|_| Fault::Database("there is no memory for it"))?;
        rows.push(row);
        if self.len() > MOST_ROWS {
            return Err(Fault::Database("more than four million moves; `book-tools convert` makes a book of any size"));
        }
        Ok(())
    }

    /// The number of moves.
    pub fn len(&self) -> usize {
        self.integers.len() + self.reals.len()
    }

    /// Whether there are no moves.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers of moves with a score, and of forbidden ones.
    pub fn scored_and_forbidden(&self) -> (usize, usize) {
        let count = |question: fn(&&Row) -> bool| self.integers.iter().chain(&self.reals).filter(question).count();
        (count(|row| row.has_eval), count(|row| !row.is_valid))
    }

    /// The keys as they are stored, with the number of moves of each.
    pub fn moves_by_key(&self) -> impl Iterator<Item = (u64, usize)> {
        let groups = |rows: &[Row]| -> Vec<(u64, usize)> {
            rows.chunk_by(|a, b| a.key == b.key).map(|rows| (rows[0].key, rows.len())).collect()
        };
        let [integers, reals] = [groups(&self.integers), groups(&self.reals)];
        integers.into_iter().chain(reals)
    }

    /// The legal moves that may be played, heaviest first.
    pub fn candidates(&self, position: &Position) -> Vec<Candidate> {
        let mut candidates: Vec<_> = self.moves(position).filter(|(_, valid)| *valid).map(|(found, _)| found).collect();
        candidates.sort_by_key(Candidate::order);
        candidates
    }

    /// The legal moves that must not be played.
    pub fn forbidden(&self, position: &Position) -> Vec<Move> {
        self.moves(position).filter(|(_, valid)| !valid).map(|(found, _)| found.mv).collect()
    }

    /// The legal moves of a position and whether they may be played, from its own rows and from those of its mirror image. Of
    /// several rows for a move the first one counts.
    pub fn moves(&self, position: &Position) -> impl Iterator<Item = (Candidate, bool)> {
        let [key, mirror] = [*position, position.mirrored()].map(|position| binghe_key(&self.words, &position));
        let mut rows: Vec<Row> = self.rows(key);
        // A position that is its own mirror image has every row once.
        let others = if mirror == key { vec![] } else { self.rows(mirror) };
        rows.extend(others.into_iter().map(|row| Row { mv: row.mv.mirrored(), ..row }));
        let mut seen = vec![];
        rows.retain(|row| {
            let is_first = position.is_legal(row.mv) && !seen.contains(&row.mv);
            seen.push(row.mv);
            is_first
        });
        let eval = |row: &Row| row.has_eval.then_some((row.score, row.depth));
        let weights = binghe_weights(
            &rows
                .iter()
                .map(|row| BingheRow {
                    points: row.points.into(),
                    has_games: row.has_games,
                    eval: eval(row),
                    is_valid: row.is_valid,
                })
                .collect::<Vec<_>>(),
        );
        rows.into_iter().zip(weights).map(move |(row, weight)| {
            let eval = eval(&row).map(|(score, depth)| (Score::from_table(score, 0), depth));
            (Candidate { mv: row.mv, weight, eval }, row.is_valid)
        })
    }

    /// The rows of a key: as the integer or the floating-point number with the same bits, or with the same value.
    fn rows(&self, key: u64) -> Vec<Row> {
        let signed = key as i64;
        let mut rows = self.integer_rows(signed).to_vec();
        rows.extend(self.real_rows(key as f64, key as f64));
        let real = f64::from_bits(key);
        if signed < 0 && real.is_finite() {
            let span = real.abs() * FIFTEEN_DIGITS;
            rows.extend(self.real_rows(real - span, real + span));
            // A column of integers converts integral floating-point numbers to integers.
            if real.fract() == 0.0 && real > i64::MIN as f64 && real as i64 != signed {
                rows.extend(self.integer_rows(real as i64));
            }
        }
        rows
    }

    fn integer_rows(&self, key: i64) -> &[Row] {
        let start = self.integers.partition_point(|row| (row.key as i64) < key);
        let length = self.integers[start..].partition_point(|row| row.key as i64 == key);
        &self.integers[start..start + length]
    }

    fn real_rows(&self, from: f64, to: f64) -> &[Row] {
        let start = self.reals.partition_point(|row| f64::from_bits(row.key) < from);
        let length = self.reals[start..].partition_point(|row| f64::from_bits(row.key) <= to);
        &self.reals[start..start + length]
    }
}

/// Returns the name of a file that SQLite keeps beside a database.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// Converts a number that may be stored as another type.
fn whole(value: Value, decode: &dyn Fn(&[u8]) -> String) -> Option<i64> {
    match value {
        Value::Integer(number) => Some(number),
        Value::Real(number) => Some(number as i64),
        Value::Text(bytes) => decode(bytes).trim().parse().ok(),
        Value::Null | Value::Blob => None,
    }
}

fn read_move(number: i64) -> Option<Move> {
    let [from, to] = u16::try_from(number).ok()?.to_be_bytes().map(byte_square);
    let (from, to) = (from?, to?);
    (from != to).then(|| Move::new(from, to))
}

/// Returns the score and its depth; 0 is not a score, unless its depth is known.
fn read_eval(score: i64, depth: Option<u8>) -> Option<(i16, u8)> {
    if let (Ok(score), Some(depth)) = (i16::try_from(score), depth) {
        return Some((score, depth));
    }
    let bound = i64::from(i32::MAX);
    let score = Score::from_eval(score.clamp(-bound, bound) as i32).to_table(0);
    (score != 0).then_some((score, 0))
}

#[cfg(test)]
mod tests;
