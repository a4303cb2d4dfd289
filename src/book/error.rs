//! What can be wrong with a book file, each in one line that names the file.

use std::io;
use std::path::PathBuf;

/// A book that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", path.display())]
pub struct BookError {
    /// The file, as it was given or as it was found.
    pub path: PathBuf,
    /// The fault in it.
    pub fault: Fault,
}

/// What is wrong with a book.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// There is no such file in any of the folders that were searched.
    #[error("no such book, neither beside the program nor in the working directory")]
    Missing,
    /// The system does not let it be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// It comes too late in a list.
    #[error("not opened, like all behind it: a list has {0} files at most")]
    TooMany(usize),
    /// The file ends too early.
    #[error("truncated: {found} bytes of {expected}")]
    Truncated {
        /// Bytes that are there.
        found: u64,
        /// Bytes that should be there at least.
        expected: u64,
    },
    /// More follows than the header says.
    #[error("altered: {found} bytes, but its header says {expected}")]
    TooLong {
        /// Bytes that are there.
        found: u64,
        /// Bytes that should be there.
        expected: u64,
    },
    /// A database of another program.
    #[error("a SQLite database, not a book of this program; `book-tools convert` may read it")]
    Database,
    /// A record of a `BOOK.DAT` is none, or stands in the wrong place.
    #[error("{offset}: {reason}")]
    Record {
        /// Bytes before it.
        offset: usize,
        /// The fault in it.
        reason: &'static str,
    },
    /// Neither our format nor ElephantEye's.
    #[error("foreign: neither a book of this program nor a BOOK.DAT")]
    Foreign,
    /// Made by a later program.
    #[error("made for a newer version of this program: format {major}.{minor}")]
    Newer {
        /// Grows when older programs cannot read the file.
        major: u16,
        /// Grows when they can.
        minor: u16,
    },
    /// The body is of a kind that this version does not know.
    #[error("made for a newer version of this program: body of kind {0}")]
    NewerBody(u32),
    /// Numbers are stored the other way round.
    #[error("written for machines of the other byte order")]
    ByteOrder,
    /// The header is not what its checksum says, or contradicts itself.
    #[error("altered: its header is damaged")]
    Header,
    /// Positions have other keys than here.
    #[error("its keys are made in a way that this version does not know")]
    Keys,
    /// The records or the index are not what the checksum says.
    #[error("altered: its records do not agree with their checksum")]
    Body,
}
