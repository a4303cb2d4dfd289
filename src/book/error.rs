//! Errors of book files, each in one line that names the file.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Error: a book that cannot be used.
#[derive(Debug)]
pub struct BookError {
    /// The file, as it was given or as it was found.
    pub path: PathBuf,
    /// The fault of the file.
    pub fault: Fault,
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.fault)
    }
}

impl Error for BookError {}

/// Fault of a book file.
#[derive(Debug)]
pub enum Fault {
    /// The file is in none of the folders that were searched.
    Missing,
    /// The system does not let the file be read.
    Unreadable(io::Error),
    /// The file comes too late in a list.
    TooMany(usize),
    /// The file ends too early.
    Truncated {
        /// Bytes in the file.
        found: u64,
        /// Bytes that the file should have at least.
        expected: u64,
    },
    /// The file is longer than its header says.
    TooLong {
        /// Bytes in the file.
        found: u64,
        /// Bytes that the file should have.
        expected: u64,
    },
    /// The file is a SQLite database, but not a book, or one that cannot be used now.
    Database(&'static str),
    /// A record of a `BOOK.DAT` is not a move or is out of order.
    Record {
        /// Offset of the record, in bytes.
        offset: usize,
        /// The fault of the record.
        reason: &'static str,
    },
    /// The file is in none of the formats.
    Foreign,
    /// The file was written by a later version of this program.
    Newer {
        /// Major version, increased when older programs cannot read the file.
        major: u16,
        /// Minor version, increased when older programs can still read the file.
        minor: u16,
    },
    /// The body is of a kind that this version does not support.
    NewerBody(u32),
    /// The numbers have the other byte order.
    ByteOrder,
    /// The header does not match its checksum, or contradicts itself.
    Header,
    /// The keys of positions are computed in another way.
    Keys,
    /// The records or the index do not match the checksum.
    Body,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => write!(f, "no such book, neither beside the program nor in the working directory"),
            Self::Unreadable(error) => write!(f, "cannot be read: {error}"),
            Self::TooMany(most) => write!(f, "not opened, like all after it: a list has {most} files at most"),
            Self::Truncated { found, expected } => write!(f, "truncated: {found} bytes of {expected}"),
            Self::TooLong { found, expected } => write!(f, "altered: {found} bytes, but its header says {expected}"),
            Self::Database(reason) => write!(f, "a SQLite database that cannot be used: {reason}"),
            Self::Record { offset, reason } => write!(f, "{offset}: {reason}"),
            Self::Foreign => write!(f, "foreign: neither a book of this program nor a BOOK.DAT, a .obk or a .pfBook"),
            Self::Newer { major, minor } => {
                write!(f, "made for a newer version of this program: format {major}.{minor}")
            }
            Self::NewerBody(kind) => write!(f, "made for a newer version of this program: body of kind {kind}"),
            Self::ByteOrder => write!(f, "written for machines of the other byte order"),
            Self::Header => write!(f, "altered: its header is damaged"),
            Self::Keys => write!(f, "its keys are made in a way that this version does not know"),
            Self::Body => write!(f, "altered: its records do not agree with their checksum"),
        }
    }
}

impl Error for Fault {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Unreadable(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}
