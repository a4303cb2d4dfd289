//! Reading of rows from Parquet files of any writer, in blocks: integers of any width, required or not, in any
//! encoding. Errors are reported in one line, whatever the file holds.

use std::cell::Cell;
use std::fs::File;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::Once;

use anyhow::{Context, Result, anyhow, bail, ensure};
use parquet::basic::{ConvertedType, LogicalType, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::reader::FileReader;
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::schema::types::ColumnDescriptor;

use super::row::{Column, GroupRow, Row};
use crate::file::in_one_line;
use crate::tuple::Tuple;

/// Number of rows read at once.
const BLOCK_ROWS: usize = 1 << 16;

/// Kind of rows in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// [`Tuple`].
    Tuples,
    /// [`GroupRow`].
    Groups,
}

/// Detects the kind of rows from the columns of a file.
///
/// # Errors
/// If the file is not Parquet, or has the columns of neither kind.
pub fn kind_of(path: &Path) -> Result<Kind> {
    let file = open(path)?;
    let columns = file.metadata().file_metadata().schema_descr().columns();
    let has = |wanted: &[Column]| wanted.iter().all(|wanted| columns.iter().any(|it| it.name() == wanted.name));
    if has(Tuple::COLUMNS) {
        Ok(Kind::Tuples)
    } else if has(GroupRow::COLUMNS) {
        Ok(Kind::Groups)
    } else {
        let names = |columns: &[Column]| columns.iter().map(|it| it.name).collect::<Vec<_>>().join(", ");
        let (tuples, groups) = (names(Tuple::COLUMNS), names(GroupRow::COLUMNS));
        bail!("{}: it lacks columns: tuples have {tuples}; groups have {groups}", path.display())
    }
}

/// Reads the rows of a file in blocks.
///
/// # Errors
/// If the rows cannot be read, or `each` fails.
pub fn for_each_block<R: Row>(path: &Path, mut each: impl FnMut(&[R]) -> Result<()>) -> Result<()> {
    let file = open(path)?;
    let places = guarded(path, || R::COLUMNS.iter().map(|column| place_of(column, &file)).collect::<Result<Vec<_>>>())?;
    let mut rows = vec![];
    for group in 0..file.num_row_groups() {
        let mut group = guarded(path, || Columns::open::<R>(&file, group, &places))?;
        loop {
            rows.clear();
            guarded(path, || group.read(&mut rows))?;
            if rows.is_empty() {
                break;
            }
            each(&rows)?;
        }
    }
    Ok(())
}

fn open(path: &Path) -> Result<SerializedFileReader<File>> {
    let file = chuhe::file::open(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    guarded(path, || SerializedFileReader::new(file).map_err(one_line))
}

thread_local! {
    /// Whether this thread is inside the Parquet crate: the message of its panic is replaced by a better one.
    static READING: Cell<bool> = const { Cell::new(false) };
}

/// Runs code that uses the Parquet crate; adds the file name to errors. On some damaged files the crate panics: negative lengths,
/// levels of no width, impossible numbers of bits. Such panics become ordinary errors; those of other code are unaffected.
fn guarded<T>(path: &Path, read: impl FnOnce() -> Result<T>) -> Result<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !READING.get() {
                usual(info);
            }
        }));
    });
    READING.set(true);
    // The reader is not used after an error.
    let read = panic::catch_unwind(AssertUnwindSafe(read));
    READING.set(false);
    read.unwrap_or_else(|_| Err(anyhow!("it is damaged"))).with_context(|| path.display().to_string())
}

/// Reduces an error to one line, whatever text of the file it quotes.
fn one_line(error: ParquetError) -> anyhow::Error {
    anyhow!(in_one_line(&error.to_string()))
}

/// Returns the index of a column in the file.
fn place_of(column: &Column, file: &impl FileReader) -> Result<usize> {
    let schema = file.metadata().file_metadata().schema_descr();
    let place = schema.columns().iter().position(|it| it.name() == column.name);
    let place = place.with_context(|| format!("it has no column {}", column.name))?;
    let found = schema.column(place);
    ensure!(is_integer(&found), "column {} holds no integers: cast them to BIGINT", column.name);
    ensure!(found.max_rep_level() == 0 && found.max_def_level() <= 1, "column {} is nested", column.name);
    Ok(place)
}

fn is_integer(found: &ColumnDescriptor) -> bool {
    use ConvertedType as Old;
    let is_old = matches!(
        found.converted_type(),
        Old::NONE
            | Old::INT_8
            | Old::INT_16
            | Old::INT_32
            | Old::INT_64
            | Old::UINT_8
            | Old::UINT_16
            | Old::UINT_32
            | Old::UINT_64
    );
    matches!(found.physical_type(), Physical::INT32 | Physical::INT64)
        && match found.logical_type_ref() {
            Some(LogicalType::Integer(_)) => true,
            Some(_) => false,
            None => is_old,
        }
}

/// Columns of a row group, read in parallel.
struct Columns {
    columns: Vec<Values>,
    /// Values of one row.
    row: Vec<i64>,
    /// Number of rows left, according to the file.
    left: i64,
}

/// Values read from a column.
struct Values {
    column: &'static Column,
    reader: ColumnReader,
    values: Vec<i64>,
    narrow: Vec<i32>,
    levels: Vec<i16>,
}

impl Columns {
    fn open<R: Row>(file: &impl FileReader, group: usize, places: &[usize]) -> Result<Self> {
        let group = file.get_row_group(group).map_err(one_line)?;
        let open = |(column, &place): (&'static Column, &usize)| {
            let reader = group.get_column_reader(place).map_err(one_line)?;
            Ok(Values { column, reader, values: vec![], narrow: vec![], levels: vec![] })
        };
        let columns = R::COLUMNS.iter().zip(places).map(open).collect::<Result<_>>()?;
        Ok(Self { columns, row: vec![0; places.len()], left: group.metadata().num_rows() })
    }

    /// Appends the next rows; none at the end.
    fn read<R: Row>(&mut self, rows: &mut Vec<R>) -> Result<()> {
        let lengths = self.columns.iter_mut().map(Values::read).collect::<Result<Vec<_>>>()?;
        let count = lengths[0];
        let is_promised = i64::try_from(count).is_ok_and(|count| count <= self.left) && (count > 0 || self.left == 0);
        ensure!(is_promised && lengths.iter().all(|length| *length == count), "its columns differ in length");
        self.left -= count as i64;
        for row in 0..count {
            for (value, column) in self.row.iter_mut().zip(&self.columns) {
                *value = column.values[row];
            }
            rows.push(R::from_values(&self.row));
        }
        Ok(())
    }
}

impl Values {
    /// Reads the next values; returns their number.
    fn read(&mut self) -> Result<usize> {
        self.values.clear();
        let levels = &mut self.levels;
        match &mut self.reader {
            ColumnReader::Int64ColumnReader(reader) => fill(reader, levels, &mut self.values),
            ColumnReader::Int32ColumnReader(reader) => {
                self.narrow.clear();
                let read = fill(reader, levels, &mut self.narrow);
                self.values.extend(self.narrow.iter().map(|&value| i64::from(value)));
                read
            }
            // The type was checked before, so the file contradicts itself.
            _ => bail!("column {} holds no integers", self.column.name),
        }
        .with_context(|| format!("column {}", self.column.name))?;
        let Column { name, values, .. } = self.column;
        match self.values.iter().find(|value| !values.contains(value)) {
            Some(value) => bail!("column {name}: {value} is not from {} to {}", values.start(), values.end()),
            None => Ok(self.values.len()),
        }
    }
}

/// Reads a block of values, fewer only at the end.
fn fill<T: DataType>(reader: &mut ColumnReaderImpl<T>, levels: &mut Vec<i16>, values: &mut Vec<T::T>) -> Result<()> {
    while values.len() < BLOCK_ROWS {
        levels.clear();
        let (rows, found, _) =
            reader.read_records(BLOCK_ROWS - values.len(), Some(levels), None, values).map_err(one_line)?;
        ensure!(found == rows, "there are NULLs in it");
        if rows == 0 {
            break;
        }
    }
    Ok(())
}
