//! The cells of the board, and sets of them.

use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

/// Number of cells in a row and in a column.
pub const SIDE: usize = 15;
/// Number of cells of the board.
pub const CELLS: usize = SIDE * SIDE;

/// A cell. As text: two hexadecimal digits, the row from the top (0 to E), then the column from the left (1 to F).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

/// The four directions of a line, as steps of row and column.
pub const DIRECTIONS: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

impl Cell {
    /// The centre cell.
    pub const CENTRE: Self = Self(112);

    /// The cell with this number, counted row by row from the top left.
    pub fn from_index(index: usize) -> Option<Self> {
        u8::try_from(index).ok().filter(|_| index < CELLS).map(Self)
    }

    /// The cell in this row and column, both counted from 0 at the top left.
    pub fn at(row: i32, column: i32) -> Option<Self> {
        let inside = 0..SIDE as i32;
        let index = || usize::try_from(row * SIDE as i32 + column).ok();
        if inside.contains(&row) && inside.contains(&column) { Self::from_index(index()?) } else { None }
    }

    /// All cells, row by row.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..CELLS).filter_map(Self::from_index)
    }

    /// Index of the cell, counted row by row from the top left.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Row of the cell, from 0 at the top.
    pub const fn row(self) -> i32 {
        self.0 as i32 / SIDE as i32
    }

    /// Column of the cell, from 0 at the left.
    pub const fn column(self) -> i32 {
        self.0 as i32 % SIDE as i32
    }

    /// Distance between two cells in king steps (Chebyshev distance).
    pub fn distance(self, other: Self) -> u32 {
        self.row().abs_diff(other.row()).max(self.column().abs_diff(other.column()))
    }

    /// The cell `steps` steps away along a direction; `None` beyond the edge of the board.
    pub fn step(self, direction: usize, steps: i32) -> Option<Self> {
        let (down, right) = DIRECTIONS[direction];
        Self::at(self.row() + down * steps, self.column() + right * steps)
    }

    /// Nonzero word for the cell, as used by the transposition table and the vote.
    pub fn word(self) -> NonZeroU16 {
        NonZeroU16::MIN.saturating_add(u16::from(self.0))
    }

    /// Inverse of [`Cell::word`].
    pub fn from_word(word: NonZeroU16) -> Option<Self> {
        Self::from_index(usize::from(word.get() - 1))
    }

    /// Image of the cell under one of the eight symmetries of the board.
    pub fn turned(self, symmetry: u8) -> Self {
        let last = SIDE as i32 - 1;
        let (mut row, mut column) = (self.row(), self.column());
        if symmetry & 1 != 0 {
            column = last - column;
        }
        if symmetry & 2 != 0 {
            row = last - row;
        }
        if symmetry & 4 != 0 {
            (row, column) = (column, row);
        }
        Self::at(row, column).unwrap_or(self)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:X}{:X}", self.row(), self.column() + 1)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Cell {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut digits = text.chars().map(|digit| digit.to_digit(16));
        match (digits.next().flatten(), digits.next().flatten(), digits.next()) {
            (Some(row), Some(column), None) => Self::at(row as i32, column as i32 - 1).ok_or(()),
            _ => Err(()),
        }
    }
}

/// Reads cells written one after the other without separators; `None` if one of them is not a cell.
pub fn read(text: &str) -> Option<Vec<Cell>> {
    let pairs = text.as_bytes().chunks(2).map(|pair| str::from_utf8(pair).ok()?.parse().ok());
    pairs.collect()
}

/// Writes cells one after the other without separators, as AGI does.
pub fn concatenated(cells: &[Cell]) -> String {
    cells.iter().map(Cell::to_string).collect()
}

/// A set of cells.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct CellSet([u64; 4]);

impl CellSet {
    /// Adds or removes a cell.
    pub fn set(&mut self, cell: Cell, member: bool) {
        let (word, bit) = (cell.index() / 64, 1 << (cell.index() % 64));
        if member {
            self.0[word] |= bit;
        } else {
            self.0[word] &= !bit;
        }
    }

    /// Whether the set contains the cell.
    pub fn contains(&self, cell: Cell) -> bool {
        self.0[cell.index() / 64] >> (cell.index() % 64) & 1 != 0
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    /// Number of cells in the set.
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// First cell of the set, row by row.
    pub fn first(&self) -> Option<Cell> {
        self.iter().next()
    }

    /// Cells of the set, row by row.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + use<> {
        let mut words = self.0;
        std::iter::from_fn(move || {
            let word = words.iter().position(|&word| word != 0)?;
            let bit = words[word].trailing_zeros() as usize;
            words[word] &= words[word] - 1;
            Cell::from_index(word * 64 + bit)
        })
    }

    /// Intersection of two sets.
    pub fn and(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= other);
        self
    }

    /// Union of two sets.
    pub fn or(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
        self
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        let mut set = Self::default();
        cells.into_iter().for_each(|cell| set.set(cell, true));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(text: &str) -> Cell {
        text.parse().unwrap()
    }

    #[test]
    fn the_cells_that_the_draft_names_lie_where_it_says() {
        assert_eq!((cell("01").row(), cell("01").column()), (0, 0));
        assert_eq!((cell("EF").row(), cell("EF").column()), (14, 14));
        assert_eq!(cell("78"), Cell::CENTRE);
        let stars: Vec<_> =
            ["34", "3C", "B4", "BC"].iter().map(|text| (cell(text).row(), cell(text).column())).collect();
        assert_eq!(stars, [(3, 3), (3, 11), (11, 3), (11, 11)]);
    }

    #[test]
    fn text_and_words_come_back_as_the_cell_they_were_written_from() {
        for at in Cell::all() {
            assert_eq!(cell(&at.to_string()), at);
            assert_eq!(cell(&at.to_string().to_lowercase()), at);
            assert_eq!(Cell::from_word(at.word()), Some(at));
        }
        for text in ["", "0", "00", "F1", "70", "789", "G1", "7G", "+1", "é1"] {
            assert_eq!(text.parse::<Cell>(), Err(()), "{text}");
        }
    }

    #[test]
    fn a_set_holds_what_was_put_in_and_the_symmetries_are_eight() {
        let set: CellSet = [cell("01"), cell("78"), cell("EF")].into_iter().collect();
        assert_eq!((set.len(), set.first(), set.contains(cell("79"))), (3, Some(cell("01")), false));
        assert_eq!(set.iter().collect::<Vec<_>>(), [cell("01"), cell("78"), cell("EF")]);
        let images: CellSet = (0..8).map(|symmetry| cell("13").turned(symmetry)).collect();
        assert_eq!(images.len(), 8);
    }
}
