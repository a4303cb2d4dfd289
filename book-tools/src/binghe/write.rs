//! Writing of a database: a table, its rows in the order of the input, and an index by key.

use std::path::Path;

use anyhow::Result;
use chuhe::book::square_byte;
use rusqlite::types::Value;
use rusqlite::{Connection, Statement, params};

use super::dialect::{DEPTH_MEMO, Dialect};
use crate::entry::Entry;

/// Callback that enters a move under the key of its position.
pub type Enter<'a> = dyn FnMut(u64, &Entry) -> Result<()> + 'a;

/// Fills an empty file with a database whose moves `fill` enters; returns their number.
///
/// # Errors
/// Those of `fill`, and unchanged errors of SQLite if the file cannot be written.
pub fn write(path: &Path, dialect: Dialect, fill: impl FnOnce(&mut Enter) -> Result<()>) -> Result<u64> {
    let mut connection = Connection::open(path)?;
    let table = dialect.table();
    // A failed file is discarded, so nothing has to be rolled back.
    connection.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")?;
    connection.execute_batch(&schema(dialect))?;
    let transaction = connection.transaction()?;
    let mut statement = transaction.prepare(&format!(
        "INSERT INTO {table} (vkey, vmove, vscore, vwin, vdraw, vlost, vvalid, vmemo, vindex)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0)"
    ))?;
    let mut count = 0;
    fill(&mut |key, entry| {
        enter(&mut statement, stored(key, dialect), entry)?;
        count += 1;
        Ok(())
    })?;
    drop(statement);
    transaction.commit()?;
    connection.execute_batch(&format!("CREATE INDEX {table}_vkey ON {table} (vkey);"))?;
    connection.close().map_err(|(_, error)| error)?;
    Ok(count)
}

fn enter(statement: &mut Statement, key: Value, entry: &Entry) -> rusqlite::Result<usize> {
    let mv = u16::from_be_bytes([entry.mv.from(), entry.mv.to()].map(square_byte));
    let (wins, draws) = (entry.weight / 2, entry.weight % 2);
    // A move without games would be treated as unknown, and played.
    let losses = u8::from(entry.weight == 0);
    let score = entry.eval.map_or(0, |(score, _)| score);
    let memo = entry.eval.map_or_else(String::new, |(_, depth)| format!("{DEPTH_MEMO}{depth}"));
    statement.execute(params![key, mv, score, wins, draws, losses, !entry.forbidden, memo])
}

/// Returns the schema. In a `.obk` the column of the keys has no type: INTEGER would convert integral floating-point numbers.
fn schema(dialect: Dialect) -> String {
    let key_type = match dialect {
        Dialect::Obk => "",
        Dialect::PfBook => " INTEGER",
    };
    format!(
        "CREATE TABLE {} (id INTEGER PRIMARY KEY, vkey{key_type}, vmove INTEGER, vscore INTEGER, vwin INTEGER,
         vdraw INTEGER, vlost INTEGER, vvalid INTEGER, vmemo TEXT, vindex INTEGER);",
        dialect.table()
    )
}

/// Converts a key to the form that the interface looks up.
fn stored(key: u64, dialect: Dialect) -> Value {
    let signed = key as i64;
    let real = f64::from_bits(key);
    // SQLite stores a NaN as NULL.
    if dialect == Dialect::Obk && signed < 0 && real.is_finite() && real != 0.0 {
        Value::Real(real)
    } else {
        Value::Integer(signed)
    }
}
