//! A database whose rows are looked up by position. All rows are in memory, some forty bytes each: a walk looks up every
//! position twice, and reports at the end which rows were never used.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use chuhe::board::{Move, Position};
use chuhe::book::{BingheRow, binghe_weights, byte_square};
use chuhe::score::Score;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::dialect::{DEPTH_MEMO, Dialect, without_causes};
use super::keys::{Keys, KeysAfter};
use crate::bloom::Bloom;
use crate::entry::Entry;

/// A database of either interface, with the state of its rows.
pub struct Database<'a> {
    path: PathBuf,
    keys: &'a Keys,
    rows: Vec<Row>,
    /// Sorted integer keys, with the indices of their rows.
    integers: Vec<(i64, usize)>,
    /// Sorted floating-point keys, with the indices of their rows.
    reals: Vec<(f64, usize)>,
    /// Neighbourhoods of all keys that have rows.
    neighbourhoods: Bloom,
}

/// Number of low bits that differ within a neighbourhood of keys.
const NEIGHBOURS: u32 = 12;
/// Tolerance between floating-point keys, in units in the last place.
const NEAR: u64 = 64;

/// Returns the neighbourhoods of the keys that find a row with this integer.
fn of_integer(stored: i64) -> [u64; 2] {
    [stored as u64, (stored as f64).to_bits()].map(|key| key >> NEIGHBOURS)
}

/// Returns the neighbourhoods of the keys that find a row with this floating-point number: by nearly equal bits or value.
fn of_real(stored: f64) -> [u64; 5] {
    let (bits, value) = (stored.to_bits(), stored as u64);
    let step = 1 << NEIGHBOURS;
    let near =
        [bits.wrapping_sub(NEAR), bits.wrapping_add(NEAR), value.wrapping_sub(step), value, value.wrapping_add(step)];
    near.map(|key| key >> NEIGHBOURS)
}

/// A row without its key.
struct Row {
    /// Move; `None` if the number is not a move from one square to another.
    mv: Option<Move>,
    /// Score; 0 for none.
    score: i64,
    /// Search depth, if this crate has written the score.
    depth: Option<u8>,
    wins: u32,
    draws: u32,
    losses: u32,
    valid: bool,
    /// Whether the row has a remark of another program.
    memo: bool,
    usage: RowUse,
}

/// Result of looking up a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RowUse {
    Unreached,
    Illegal,
    Repeated,
    Used,
}

impl<'a> Database<'a> {
    /// Reads a whole database.
    ///
    /// # Errors
    /// If the database cannot be read; the message names the file and the reason.
    pub fn open(path: &Path, keys: &'a Keys) -> Result<Self> {
        let neighbourhoods = Bloom::of([].into_iter());
        let (rows, integers, reals) = (vec![], vec![], vec![]);
        let mut book = Self { path: path.to_owned(), keys, rows, integers, reals, neighbourhoods };
        book.read().map_err(without_causes).with_context(|| path.display().to_string())?;
        book.integers.sort_unstable();
        book.reals.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let integers = book.integers.chunk_by(|a, b| a.0 == b.0).flat_map(|rows| of_integer(rows[0].0));
        let reals = book.reals.chunk_by(|a, b| a.0 == b.0).flat_map(|rows| of_real(rows[0].0));
        let neighbourhoods: Vec<u64> = integers.chain(reals).collect();
        book.neighbourhoods = Bloom::of(neighbourhoods.into_iter());
        Ok(book)
    }

    fn read(&mut self) -> Result<()> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        let mut statement = connection.prepare(&selection(&connection)?)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let place = self.rows.len();
            match row.get_ref(0)? {
                ValueRef::Integer(key) => self.integers.push((key, place)),
                ValueRef::Real(key) => self.reals.push((key, place)),
                // Keys of these types belong to no position.
                ValueRef::Null | ValueRef::Text(_) | ValueRef::Blob(_) => {}
            }
            self.rows.push(Row::read(row)?);
        }
        Ok(())
    }

    /// Returns the number of moves.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no moves.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the legal moves of a position, from its own rows and from those of its mirror image. Of several rows for a
    /// move the first one counts.
    pub fn entries(&mut self, position: &Position) -> Vec<Entry> {
        let [key, mirror] = [*position, position.mirrored()].map(|position| self.keys.of(&position));
        let own = self.places(key).into_iter().map(|place| (place, false));
        // A position that is its own mirror image has every row once.
        let theirs = if mirror == key { vec![] } else { self.places(mirror) };
        let all: Vec<_> = own.chain(theirs.into_iter().map(|place| (place, true))).collect();
        let mut found = vec![];
        let mut seen = HashSet::new();
        for (place, mirrored) in all {
            let row = &mut self.rows[place];
            let mv = row.mv.map(|mv| if mirrored { mv.mirrored() } else { mv });
            let Some(mv) = mv.filter(|&mv| position.is_legal(mv)) else {
                row.mark(RowUse::Illegal);
                continue;
            };
            let is_first = seen.insert(mv);
            row.mark(if is_first { RowUse::Used } else { RowUse::Repeated });
            if is_first {
                found.push((mv, place));
            }
        }
        weighed(&found.iter().map(|&(mv, place)| (mv, &self.rows[place])).collect::<Vec<_>>())
    }

    /// Whether there are rows for a position, whatever their contents; this does not mark them as used.
    pub fn knows(&self, position: &Position) -> bool {
        [*position, position.mirrored()].iter().any(|position| !self.places(self.keys.of(position)).is_empty())
    }

    /// Returns the legal moves that may lead to positions with rows; all others do not.
    pub fn may_know_after(&self, position: &Position) -> Vec<Move> {
        let keys = KeysAfter::new(self.keys, position);
        self.neighbourhoods.filter_moves(position, |mv| keys.both(mv).map(|key| key >> NEIGHBOURS))
    }

    fn may_contain(&self, key: u64) -> bool {
        self.neighbourhoods.may_contain(key >> NEIGHBOURS)
    }

    /// Returns the indices of the rows of a key, in the order of the file.
    fn places(&self, key: u64) -> Vec<usize> {
        if !self.may_contain(key) {
            return vec![];
        }
        let signed = key as i64;
        let mut places = self.integer_places(signed);
        // Some programs convert the value to a floating-point number.
        places.extend(self.real_places(key as f64, key as f64));
        let real = f64::from_bits(key);
        if signed < 0 && real.is_finite() {
            // The relative error of fifteen digits: half a unit of the last one.
            let span = real.abs() * 5e-15;
            places.extend(self.real_places(real - span, real + span));
            // A column of integers converts integral floating-point numbers to integers.
            if real.fract() == 0.0 && real > i64::MIN as f64 {
                places.extend(self.integer_places(real as i64));
            }
        }
        places.sort_unstable();
        places.dedup();
        places
    }

    fn integer_places(&self, key: i64) -> Vec<usize> {
        let start = self.integers.partition_point(|&(other, _)| other < key);
        self.integers[start..].iter().take_while(|&&(other, _)| other == key).map(|&(_, place)| place).collect()
    }

    fn real_places(&self, from: f64, to: f64) -> Vec<usize> {
        let start = self.reals.partition_point(|&(key, _)| key < from);
        self.reals[start..].iter().take_while(|&&(key, _)| key <= to).map(|&(_, place)| place).collect()
    }

    /// Checks that some row was reached, as none is with a wrong table of keys.
    ///
    /// # Errors
    /// If no row was reached; the message names the file.
    pub fn check_keys(&self) -> Result<()> {
        if self.rows.iter().all(|row| row.usage == RowUse::Unreached) && !self.is_empty() {
            let rows = self.len();
            bail!(
                "{}: none of its {rows} rows can be reached; is the table of keys the right one?",
                self.path.display()
            );
        }
        Ok(())
    }

    /// Returns what was not converted, one line per reason.
    pub fn losses(&self) -> Vec<String> {
        let count = |question: fn(&Row) -> bool| self.rows.iter().filter(|row| question(row)).count();
        let losses = [
            (count(|row| row.usage == RowUse::Unreached), "rows of positions that are not reached"),
            (count(|row| row.usage == RowUse::Illegal), "rows whose moves are not legal"),
            (count(|row| row.usage == RowUse::Repeated), "rows that repeat a move"),
            (count(|row| row.usage == RowUse::Used && row.memo), "remarks"),
        ];
        losses.iter().filter(|(rows, _)| *rows > 0).map(|(rows, what)| format!("{rows} {what}")).collect()
    }
}

/// Returns the query for all rows. Columns that a file lacks are selected as NULL.
fn selection(connection: &Connection) -> Result<String> {
    let tables = Dialect::ALL.map(Dialect::table);
    let query = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name COLLATE NOCASE IN (?1, ?2)";
    let table: Option<String> = connection.query_row(query, tables, |row| row.get(0)).optional()?;
    let [obk, pf_book] = tables;
    let table = table.with_context(|| format!("a SQLite database without a table {obk} or {pf_book}"))?;
    let columns = columns(connection, &table)?;
    let has = |column: &str| columns.iter().any(|name| name.eq_ignore_ascii_case(column.as_bytes()));
    for column in ["vkey", "vmove"] {
        if !has(column) {
            bail!("its table {table} has no column {column}");
        }
    }
    let optional = ["vscore", "vwin", "vdraw", "vlost", "vvalid", "vmemo"];
    let optional = optional.map(|column| if has(column) { column } else { "NULL" });
    Ok(format!("SELECT vkey, vmove, {} FROM {table}", optional.join(", ")))
}

/// Returns the names of a table's columns, as bytes, since a damaged file may hold anything.
fn columns(connection: &Connection, table: &str) -> Result<Vec<Vec<u8>>> {
    let mut statement = connection.prepare("SELECT CAST(name AS BLOB) FROM pragma_table_info(?1)")?;
    let names = statement.query_map([table], |row| row.get(0))?;
    Ok(names.collect::<Result<_, _>>()?)
}

impl Row {
    fn read(row: &rusqlite::Row) -> Result<Self> {
        let number = |column| -> Result<Option<i64>> { Ok(whole(row.get_ref(column)?)) };
        let count =
            |column| -> Result<u32> { Ok(number(column)?.unwrap_or_default().clamp(0, i64::from(u32::MAX)) as u32) };
        let memo = match row.get_ref(7)? {
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => str::from_utf8(bytes).unwrap_or("?").trim(),
            _ => "",
        };
        let depth = memo.strip_prefix(DEPTH_MEMO).and_then(|depth| depth.parse().ok());
        Ok(Self {
            mv: number(1)?.and_then(read_move),
            score: number(2)?.unwrap_or_default(),
            depth,
            wins: count(3)?,
            draws: count(4)?,
            losses: count(5)?,
            valid: number(6)? != Some(0),
            memo: !memo.is_empty() && depth.is_none(),
            usage: RowUse::Unreached,
        })
    }

    /// Sets the result; a row that was used once remains used.
    fn mark(&mut self, usage: RowUse) {
        if self.usage != RowUse::Used {
            self.usage = usage;
        }
    }

    fn games(&self) -> u64 {
        u64::from(self.wins) + u64::from(self.draws) + u64::from(self.losses)
    }

    fn points(&self) -> u64 {
        2 * u64::from(self.wins) + u64::from(self.draws)
    }

    fn eval(&self) -> Option<(i16, u8)> {
        if let (Ok(score), Some(depth)) = (i16::try_from(self.score), self.depth) {
            return Some((score, depth));
        }
        let bound = i64::from(i32::MAX);
        let score = Score::from_eval(self.score.clamp(-bound, bound) as i32).to_table(0);
        (score != 0).then_some((score, 0))
    }
}

/// Converts a number that may be stored as another type.
fn whole(value: ValueRef) -> Option<i64> {
    match value {
        ValueRef::Integer(number) => Some(number),
        ValueRef::Real(number) => Some(number as i64),
        ValueRef::Text(bytes) => str::from_utf8(bytes).ok()?.trim().parse().ok(),
        ValueRef::Null | ValueRef::Blob(_) => None,
    }
}

fn read_move(number: i64) -> Option<Move> {
    let [from, to] = u16::try_from(number).ok()?.to_be_bytes().map(byte_square);
    let (from, to) = (from?, to?);
    (from != to).then(|| Move::new(from, to))
}

/// Returns the entries of a position, with weights derived from its rows.
fn weighed(rows: &[(Move, &Row)]) -> Vec<Entry> {
    let row = |(_, row): &(Move, &Row)| BingheRow {
        points: row.points(),
        has_games: row.games() > 0,
        eval: row.eval(),
        is_valid: row.valid,
    };
    let weights = binghe_weights(&rows.iter().map(row).collect::<Vec<_>>());
    let entry =
        |(&(mv, row), weight): (&(Move, &Row), u16)| Entry { mv, weight, eval: row.eval(), forbidden: !row.valid };
    rows.iter().zip(weights).map(entry).collect()
}
