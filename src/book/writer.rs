//! Writer of books: takes sorted records one at a time, in bounded memory.

use std::error::Error;
use std::fmt;
use std::hash::Hasher;
use std::io::{self, Seek, SeekFrom, Write};

use twox_hash::XxHash3_64;

use super::format::{About, HEADER_BYTES, Header, Layout, MAX_INDEX_BITS, Record};

/// Records in a bucket of the index on average, so that they lie in one or two pages.
const BUCKET: u64 = 256;
/// Records written at once.
const BATCH: usize = 4096;
/// Bits of the index while it is collected; it is written as coarse as the number of records requires.
const FINEST_BITS: u32 = 22;

const _: () = assert!(FINEST_BITS <= MAX_INDEX_BITS);

/// Error: a record cannot come next.
#[derive(Debug)]
pub enum WriteError {
    /// The file cannot be written.
    Io(io::Error),
    /// The record belongs before the last one.
    Order {
        /// The key of the record.
        key: u64,
    },
    /// The position already has this move.
    Twice {
        /// The key of the record.
        key: u64,
        /// The move of the record.
        mv: u16,
    },
    /// The bits of the record are not a move.
    NoMove {
        /// The key of the record.
        key: u64,
        /// The move of the record.
        mv: u16,
    },
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => fmt::Display::fmt(error, f),
            Self::Order { key } => write!(f, "record of key {key:016x} out of order"),
            Self::Twice { key, mv } => write!(f, "move {mv:#06x} twice under key {key:016x}"),
            Self::NoMove { key, mv } => write!(f, "{mv:#06x} under key {key:016x} is not a move"),
        }
    }
}

impl Error for WriteError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io(error) => error.source(),
            _ => None,
        }
    }
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A book that is being written. Until [`Writer::finish`] the file has no header and is not a book.
pub struct Writer<W: Write + Seek> {
    out: W,
    about: About,
    batch: Vec<Record>,
    hash: XxHash3_64,
    count: u64,
    last: Option<Record>,
    /// Moves of the last key.
    moves: Vec<u16>,
    /// The first record of every non-empty bucket, in the finest index.
    starts: Vec<(u64, u64)>,
}

impl<W: Write + Seek> Writer<W> {
    /// Begins a book in an empty file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn new(mut out: W, about: About) -> io::Result<Self> {
        out.seek(SeekFrom::Start(0))?;
        out.write_all(&[0; HEADER_BYTES])?;
        let (batch, hash) = (Vec::with_capacity(BATCH), XxHash3_64::default());
        Ok(Self { out, about, batch, hash, count: 0, last: None, moves: vec![], starts: vec![] })
    }

    /// Adds the next record in the order of [`Record::order`].
    ///
    /// # Errors
    /// If the record cannot come next, or cannot be written.
    pub fn push(&mut self, record: Record) -> Result<(), WriteError> {
        let Record { key, mv, .. } = record;
        if record.turned_move().is_none() {
            return Err(WriteError::NoMove { key, mv });
        }
        if self.last.is_some_and(|last| last.order() > record.order()) {
            return Err(WriteError::Order { key });
        }
        if self.last.is_none_or(|last| last.key != key) {
            self.moves.clear();
        }
        if self.moves.contains(&mv) {
            return Err(WriteError::Twice { key, mv });
        }
        self.moves.push(mv);
        let bucket = key >> (u64::BITS - FINEST_BITS);
        if self.starts.last().is_none_or(|&(last, _)| last != bucket) {
            self.starts.push((bucket, self.count));
        }
        self.last = Some(record);
        self.count += 1;
        self.batch.push(record);
        if self.batch.len() == BATCH {
            self.flush()?;
        }
        Ok(())
    }

    /// Sets the hash of the input ([`About::sources`]) late: a caller that makes records one by one has it only at the end.
    pub fn set_sources(&mut self, sources: u64) {
        self.about.sources = sources;
    }

    /// The number of records so far.
    pub fn count(&self) -> u64 {
        self.count
    }

    fn flush(&mut self) -> io::Result<()> {
        let bytes = bytemuck::cast_slice(&self.batch);
        self.hash.write(bytes);
        self.out.write_all(bytes)?;
        self.batch.clear();
        Ok(())
    }

    /// Writes the index and the header and returns the file, which is a book now.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.flush()?;
        let index_bits = self.count.div_ceil(BUCKET).next_power_of_two().ilog2().min(FINEST_BITS);
        let index = self.index(index_bits);
        let bytes = bytemuck::cast_slice(&index);
        self.hash.write(bytes);
        self.out.write_all(bytes)?;
        let layout = Layout { count: self.count, about: self.about, body_checksum: self.hash.finish(), index_bits };
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(bytemuck::bytes_of(&Header::new(&layout)))?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// The index: the first record of each bucket, and the end of the last one.
    fn index(&self, bits: u32) -> Vec<u64> {
        let mut index = Vec::with_capacity((1 << bits) + 1);
        for &(bucket, start) in &self.starts {
            let bucket = bucket >> (FINEST_BITS - bits);
            // Buckets without records begin where the next one does.
            while index.len() as u64 <= bucket {
                index.push(start);
            }
        }
        index.resize((1 << bits) + 1, self.count);
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn record(key: u64, mv: &str, weight: u16) -> Record {
        Record::new(key, mv.parse().unwrap(), weight)
    }

    #[test]
    fn records_must_come_in_order_and_once() {
        let mut writer = Writer::new(Cursor::new(vec![]), About::default()).unwrap();
        writer.push(record(5, "h2e2", 9)).unwrap();
        writer.push(record(5, "b2e2", 9)).unwrap_err();
        writer.push(record(5, "h2d2", 8)).unwrap();
        assert!(matches!(writer.push(record(5, "h2e2", 7)), Err(WriteError::Twice { key: 5, .. })));
        assert!(matches!(writer.push(record(4, "h2e2", 7)), Err(WriteError::Order { key: 4 })));
        let promotion = Record { mv: 0x0081, ..record(6, "h2e2", 1) };
        assert!(matches!(writer.push(promotion), Err(WriteError::NoMove { key: 6, .. })));
        writer.push(record(6, "h2e2", 7)).unwrap();
        assert_eq!(writer.count(), 3);
    }

    #[test]
    fn the_index_says_where_every_bucket_begins() {
        let mut writer = Writer::new(Cursor::new(vec![]), About::default()).unwrap();
        let quarter = 1_u64 << 62;
        for key in [3, 4, quarter + 1, 3 * quarter] {
            writer.push(record(key, "h2e2", 1)).unwrap();
        }
        assert_eq!(writer.index(2), [0, 2, 3, 3, 4]);
        assert_eq!(writer.index(1), [0, 3, 4]);
        assert_eq!(writer.index(0), [0, 4]);
    }
}
