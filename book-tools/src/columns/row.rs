//! Columns of the two kinds of rows.

use std::ops::RangeInclusive;

use crate::group::Group;
use crate::tuple::{Points, Tuple};

/// A column of integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    pub(super) name: &'static str,
    /// Width: 64 bits, signed, as every engine supports; or fewer, unsigned.
    pub(super) bits: i8,
    pub(super) values: RangeInclusive<i64>,
}

impl Column {
    /// Any 64 bits, as a signed number, as not every engine has a type for large unsigned ones.
    const fn key() -> Self {
        Self { name: "key", bits: 64, values: i64::MIN..=i64::MAX }
    }

    const fn count(name: &'static str) -> Self {
        Self { name, bits: 64, values: 0..=i64::MAX }
    }

    const fn short(name: &'static str) -> Self {
        Self { name, bits: 16, values: 0..=0xFFFF }
    }

    const fn result() -> Self {
        Self { name: "result", bits: 8, values: 0..=3 }
    }
}

/// A row of a file. Columns with other names are ignored.
pub trait Row: Copy {
    /// Columns of the row.
    const COLUMNS: &[Column];

    /// Returns the value of a column.
    fn value(&self, column: usize) -> i64;

    /// Creates a row from the values of its columns, which must be in range.
    fn from_values(values: &[i64]) -> Self;
}

/// A move played in one game.
impl Row for Tuple {
    const COLUMNS: &[Column] =
        &[Column::key(), Column::short("move"), Column::result(), Column::short("rating"), Column::short("ply")];

    fn value(&self, column: usize) -> i64 {
        match column {
            0 => self.key.cast_signed(),
            1 => self.mv().into(),
            2 => self.points() as i64,
            3 => self.rating().into(),
            _ => self.ply().into(),
        }
    }

    fn from_values(values: &[i64]) -> Self {
        let points = Points::ALL[values[2] as usize];
        Self::new(values[0].cast_unsigned(), values[1] as u16, values[4] as u16, values[3] as u16, points)
    }
}

/// A group with the range of its games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GroupRow {
    /// Number of games of a move, by result.
    pub group: Group,
    /// Minimum and maximum number of plies before the move.
    pub plies: (u16, u16),
    /// Minimum and maximum rating of the players, 0 where unknown.
    pub ratings: (u16, u16),
}

impl Row for GroupRow {
    const COLUMNS: &[Column] = &[
        Column::key(),
        Column::short("move"),
        Column::count("wins"),
        Column::count("draws"),
        Column::count("losses"),
        Column::count("unknown"),
        Column::short("min_ply"),
        Column::short("max_ply"),
        Column::short("min_rating"),
        Column::short("max_rating"),
    ];

    fn value(&self, column: usize) -> i64 {
        match column {
            0 => self.group.key.cast_signed(),
            1 => self.group.mv().into(),
            2..=5 => i64::try_from(self.group.counts[column - 2]).unwrap_or(i64::MAX),
            6 => self.plies.0.into(),
            7 => self.plies.1.into(),
            8 => self.ratings.0.into(),
            _ => self.ratings.1.into(),
        }
    }

    fn from_values(values: &[i64]) -> Self {
        let mut group = Group::new(values[0].cast_unsigned(), values[1] as u16);
        group.counts = [values[2], values[3], values[4], values[5]].map(i64::cast_unsigned);
        let short = |column: usize| values[column] as u16;
        Self { group, plies: (short(6), short(7)), ratings: (short(8), short(9)) }
    }
}
