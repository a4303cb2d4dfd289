//! Surroundings of a cell: the eight rays of the lines through it, and its neighbourhood.

use std::sync::LazyLock;

use crate::cell::{CELLS, Cell, DIRECTIONS};
use crate::pattern::{REACH, bit};

/// Radius of a neighbourhood, in cells.
const NEIGHBOURHOOD: i32 = 2;

/// Half of a line through a cell, as far as it matters to the pattern of a stone there.
pub struct Ray {
    /// Index of the line's direction, 0 to 3.
    pub direction: usize,
    /// Cells of the ray, nearest first, each with the bit of the ray's origin as seen from that cell.
    pub cells: Vec<(Cell, u16)>,
}

/// Surroundings of one cell.
pub struct Around {
    /// Both halves of the four lines.
    pub rays: [Ray; 8],
    /// Cells of the square around the cell, including itself.
    pub square: Vec<Cell>,
}

/// Returns the surroundings of a cell.
pub fn around(cell: Cell) -> &'static Around {
    static ALL: LazyLock<Box<[Around; CELLS]>> = LazyLock::new(|| {
        Box::new(std::array::from_fn(|index| {
            let cell = Cell::from_index(index).expect("all cells are on the board");
            Around { rays: std::array::from_fn(|number| ray(cell, number)), square: square(cell) }
        }))
    });
    &ALL[cell.index()]
}

fn ray(from: Cell, number: usize) -> Ray {
    let direction = number % DIRECTIONS.len();
    let way = if number < DIRECTIONS.len() { 1 } else { -1 };
    let cells = (1..=REACH).map_while(|steps| Some((from.step(direction, way * steps)?, bit(-way * steps)))).collect();
    Ray { direction, cells }
}

fn square(centre: Cell) -> Vec<Cell> {
    let line = || -NEIGHBOURHOOD..=NEIGHBOURHOOD;
    let steps = line().flat_map(|down| line().map(move |right| (down, right)));
    steps.filter_map(|(down, right)| Cell::at(centre.row() + down, centre.column() + right)).collect()
}
