//! Errors of table files, each in one line that names the file.

use std::io;
use std::path::PathBuf;

/// Table file or folder that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", path.display())]
pub struct TableError {
    /// The file or folder.
    pub path: PathBuf,
    /// The reason.
    pub fault: Fault,
}

/// Reason why a table cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The system cannot read it.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// The list has too many folders before it.
    #[error("not opened, like all after it: a list has {0} folders at most")]
    TooMany(usize),
    /// The file is too short.
    #[error("truncated: {found} bytes of {expected}")]
    Truncated {
        /// Bytes in the file.
        found: u64,
        /// Least number of bytes expected.
        expected: u64,
    },
    /// The file is longer than its header says.
    #[error("altered: {found} bytes, but its header says {expected}")]
    TooLong {
        /// Bytes in the file.
        found: u64,
        /// Bytes expected.
        expected: u64,
    },
    /// Not a table, or not of the kind expected.
    #[error("foreign: no table of {0}")]
    Foreign(&'static str),
    /// Written by a newer version of the program.
    #[error("made for a newer version of this program: format {major}.{minor}")]
    Newer {
        /// Major version, increased when older programs cannot read the file.
        major: u16,
        /// Minor version, increased when they can.
        minor: u16,
    },
    /// The bytes of numbers are in the opposite order.
    #[error("written for machines of the other byte order")]
    ByteOrder,
    /// The header does not match its checksum, or contradicts itself.
    #[error("altered: its header is damaged")]
    Header,
    /// The material in the header is not that of the file name.
    #[error("misnamed: its header says {0}")]
    Misnamed(String),
    /// The body does not match its checksum.
    #[error("altered: its body does not agree with its checksum")]
    Body,
}
