//! The two formats of databases, and what they have in common.

use crate::file::in_one_line;

/// Interface that a database is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// `.obk`, of Binghe.
    Obk,
    /// `.pfBook`, of public-Xiangqi.
    PfBook,
}

impl Dialect {
    /// Both dialects.
    pub(super) const ALL: [Self; 2] = [Self::Obk, Self::PfBook];

    /// Returns the dialect of a file name extension, regardless of case.
    pub fn of_ending(ending: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| ending.eq_ignore_ascii_case(dialect.ending()))
    }

    pub(super) fn ending(self) -> &'static str {
        match self {
            Self::Obk => "obk",
            Self::PfBook => "pfBook",
        }
    }

    pub(super) fn table(self) -> &'static str {
        match self {
            Self::Obk => "bhobk",
            Self::PfBook => "pfBook",
        }
    }
}

/// Reduces an error of SQLite to one line, without its causes, which repeat it; other errors are unchanged.
pub(crate) fn without_causes(error: anyhow::Error) -> anyhow::Error {
    error
        .downcast::<rusqlite::Error>()
        .map_or_else(|other| other, |error| anyhow::anyhow!(in_one_line(&error.to_string())))
}

/// Prefix of the remark on a score's search depth, in plies.
pub(super) const DEPTH_MEMO: &str = "depth ";
