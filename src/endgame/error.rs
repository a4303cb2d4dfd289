//! Errors of table files, each in one line that names the file.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Table file or folder that cannot be used.
#[derive(Debug)]
pub struct TableError {
    /// The file or folder.
    pub path: PathBuf,
    /// The reason.
    pub fault: Fault,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.fault)
    }
}

impl Error for TableError {}

/// Reason why a table cannot be used.
#[derive(Debug)]
pub enum Fault {
    /// The system cannot read it.
    Unreadable(io::Error),
    /// The list has too many folders before it.
    TooMany(usize),
    /// The file is too short.
    Truncated {
        /// Bytes in the file.
        found: u64,
        /// Least number of bytes expected.
        expected: u64,
    },
    /// The file is longer than its header says.
    TooLong {
        /// Bytes in the file.
        found: u64,
        /// Bytes expected.
        expected: u64,
    },
    /// Not a table, or not of the kind expected.
    Foreign(&'static str),
    /// Written by a newer version of the program.
    Newer {
        /// Major version, increased when older programs cannot read the file.
        major: u16,
        /// Minor version, increased when they can.
        minor: u16,
    },
    /// The bytes of numbers are in the opposite order.
    ByteOrder,
    /// The header does not match its checksum, or contradicts itself.
    Header,
    /// The material in the header is not that of the file name.
    Misnamed(String),
    /// The body does not match its checksum.
    Body,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "cannot be read: {error}"),
            Self::TooMany(most) => write!(f, "not opened, like all after it: a list has {most} folders at most"),
            Self::Truncated { found, expected } => write!(f, "truncated: {found} bytes of {expected}"),
            Self::TooLong { found, expected } => write!(f, "altered: {found} bytes, but its header says {expected}"),
            Self::Foreign(content) => write!(f, "foreign: no table of {content}"),
            Self::Newer { major, minor } => {
                write!(f, "made for a newer version of this program: format {major}.{minor}")
            }
            Self::ByteOrder => write!(f, "written for machines of the other byte order"),
            Self::Header => write!(f, "altered: its header is damaged"),
            Self::Misnamed(name) => write!(f, "misnamed: its header says {name}"),
            Self::Body => write!(f, "altered: its body does not agree with its checksum"),
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
