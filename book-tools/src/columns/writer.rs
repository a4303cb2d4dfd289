//! Writing of rows as Parquet, in blocks.

use std::io::Write;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::ColumnWriter;
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};

use super::row::{Column, Row};

/// Rows of a row group: the unit that an engine gives to a thread, and that is kept in memory.
const GROUP_ROWS: usize = 1 << 19;

/// A file being written; it is invalid without [`Writer::finish`].
pub struct Writer<R, W: Write + Send> {
    out: SerializedFileWriter<W>,
    rows: Vec<R>,
}

impl<R: Row, W: Write + Send> Writer<R, W> {
    /// Begins a file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn new(out: W) -> Result<Self> {
        // Every engine can read Snappy.
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_created_by("book-tools".to_owned())
            .build();
        let out = SerializedFileWriter::new(out, schema::<R>()?, Arc::new(properties))?;
        Ok(Self { out, rows: vec![] })
    }

    /// Adds rows.
    ///
    /// # Errors
    /// If the rows cannot be written.
    pub fn push(&mut self, mut rows: &[R]) -> Result<()> {
        while !rows.is_empty() {
            let (now, later) = rows.split_at(rows.len().min(GROUP_ROWS - self.rows.len()));
            self.rows.extend_from_slice(now);
            rows = later;
            if self.rows.len() == GROUP_ROWS {
                self.write_group()?;
            }
        }
        Ok(())
    }

    /// Ends the file and returns it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<W> {
        if !self.rows.is_empty() {
            self.write_group()?;
        }
        Ok(self.out.into_inner()?)
    }

    fn write_group(&mut self) -> Result<()> {
        let mut group = self.out.next_row_group()?;
        for column in 0..R::COLUMNS.len() {
            let values = self.rows.iter().map(|row| row.value(column));
            let mut writer = group.next_column()?.context("fewer columns than the schema has")?;
            match writer.untyped() {
                ColumnWriter::Int64ColumnWriter(out) => out.write_batch(&values.collect::<Vec<_>>(), None, None)?,
                // Every column of fewer than 64 bits: see `data_type`.
                ColumnWriter::Int32ColumnWriter(out) => {
                    out.write_batch(&values.map(|value| value as i32).collect::<Vec<_>>(), None, None)?
                }
                _ => bail!("a column without integers"),
            };
            writer.close()?;
        }
        group.close()?;
        self.rows.clear();
        Ok(())
    }
}

fn schema<R: Row>() -> Result<TypePtr, ParquetError> {
    let columns = R::COLUMNS.iter().map(|column| data_type(column).map(Arc::new)).collect::<Result<_, _>>()?;
    Type::group_type_builder("rows").with_fields(columns).build().map(Arc::new)
}

fn data_type(column: &Column) -> Result<Type, ParquetError> {
    let physical = if column.bits == 64 { Physical::INT64 } else { Physical::INT32 };
    Type::primitive_type_builder(column.name, physical)
        .with_repetition(Repetition::REQUIRED)
        .with_logical_type(Some(LogicalType::integer(column.bits, column.bits == 64)))
        .build()
}
