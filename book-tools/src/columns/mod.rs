//! Tuples and groups as columns of Parquet files, for SQL engines: names and contents of the columns. Independent
//! of games and books.

mod reader;
mod row;
mod writer;

pub use reader::{Kind, for_each_block, kind_of};
pub use row::{Column, GroupRow, Row};
pub use writer::Writer;

#[cfg(test)]
mod tests;
