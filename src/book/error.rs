//! Errors of book files, each in one line that names the file.

use std::io;
use std::path::PathBuf;

/// Error: a book that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", path.display())]
pub struct BookError {
    /// The file, as it was given or as it was found.
    pub path: PathBuf,
    /// The fault of the file.
    pub fault: Fault,
}

/// Fault of a book file.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The file is in none of the folders that were searched.
    #[error("no such book, neither beside the program nor in the working directory")]
    Missing,
    /// The system does not let the file be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// The file comes too late in a list.
    #[error("not opened, like all after it: a list has {0} files at most")]
    TooMany(usize),
    /// The file ends too early.
    #[error("truncated: {found} bytes of {expected}")]
    Truncated {
        /// Bytes in the file.
        found: u64,
        /// Bytes that the file should have at least.
        expected: u64,
    },
    /// The file is longer than its header says.
    #[error("altered: {found} bytes, but its header says {expected}")]
    TooLong {
        /// Bytes in the file.
        found: u64,
        /// Bytes that the file should have.
        expected: u64,
    },
    /// The file is a SQLite database, but not a book, or one that cannot be used now.
    #[error("a SQLite database that cannot be used: {0}")]
    Database(&'static str),
    /// A record of a `BOOK.DAT` is not a move or is out of order.
    #[error("{offset}: {reason}")]
    Record {
        /// Offset of the record, in bytes.
        offset: usize,
        /// The fault of the record.
        reason: &'static str,
    },
    /// The file is in none of the formats.
    #[error("foreign: neither a book of this program nor a BOOK.DAT, a .obk or a .pfBook")]
    Foreign,
    /// The file was written by a later version of this program.
    #[error("made for a newer version of this program: format {major}.{minor}")]
    Newer {
        /// Major version, increased when older programs cannot read the file.
        major: u16,
        /// Minor version, increased when older programs can still read the file.
        minor: u16,
    },
    /// The body is of a kind that this version does not support.
    #[error("made for a newer version of this program: body of kind {0}")]
    NewerBody(u32),
    /// The numbers have the other byte order.
    #[error("written for machines of the other byte order")]
    ByteOrder,
    /// The header does not match its checksum, or contradicts itself.
    #[error("altered: its header is damaged")]
    Header,
    /// The keys of positions are computed in another way.
    #[error("its keys are made in a way that this version does not know")]
    Keys,
    /// The records or the index do not match the checksum.
    #[error("altered: its records do not agree with their checksum")]
    Body,
}
