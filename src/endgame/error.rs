//! What can be wrong with a table's file, each in one line that names the file.

use std::io;
use std::path::PathBuf;

/// A file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", path.display())]
pub struct TableError {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a table.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The system does not let it be read.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// It comes too late in a list.
    #[error("not opened, like all behind it: a list has {0} folders at most")]
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
    /// No table, or not one of the kind that its name says.
    #[error("foreign: no table of {0}")]
    Foreign(&'static str),
    /// Made by a later program.
    #[error("made for a newer version of this program: format {major}.{minor}")]
    Newer {
        /// Grows when older programs cannot read the file.
        major: u16,
        /// Grows when they can.
        minor: u16,
    },
    /// Numbers are stored the other way round.
    #[error("written for machines of the other byte order")]
    ByteOrder,
    /// The header is not what its checksum says, or contradicts itself.
    #[error("altered: its header is damaged")]
    Header,
    /// It is the table of some other material than its name says.
    #[error("misnamed: its header says {0}")]
    Misnamed(String),
    /// The body is not what the checksum says.
    #[error("altered: its body does not agree with its checksum")]
    Body,
}
