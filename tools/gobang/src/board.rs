//! The board: the stones, and the patterns of either side at every empty cell, updated incrementally.

use chuhe::splitmix::mix;

use crate::cell::{CELLS, Cell, CellSet};
use crate::pattern::{Pattern, Patterns, REACH, bit};
pub use crate::promise::Kind;
use crate::promise::{KINDS, Promise, Promises, fours};
use crate::rays::{Ray, around};
use crate::rules::{Side, Winning};

const SIDES: [Side; 2] = [Side::Black, Side::White];

/// Stones in the order in which they were played, with all data derived from them.
#[derive(Clone)]
pub struct Board {
    winning: Winning,
    moves: Vec<Cell>,
    stones: [Option<Side>; CELLS],
    key: u64,
    /// Number of stones when a five was first made, and the side that made it.
    won_with: Option<(usize, Side)>,
    patterns: [&'static Patterns; 2],
    /// Promises by patterns, per side.
    meanings: [&'static Promises; 2],
    /// Stones nearby as bits, by direction, cell and side.
    near: Box<[[[u16; 2]; CELLS]; 4]>,
    /// Cells beyond the edge as bits, by direction and cell.
    edges: Box<[[u16; CELLS]; 4]>,
    /// Patterns by side, cell and direction; valid for empty cells only.
    codes: Box<[[[Pattern; 4]; CELLS]; 2]>,
    promises: Box<[[Promise; CELLS]; 2]>,
    sets: [[CellSet; KINDS]; 2],
    totals: [i32; 2],
    /// Number of stones in the neighbourhood of each cell.
    neighbours: [u8; CELLS],
    vicinity: CellSet,
}

impl Board {
    /// Creates an empty board.
    pub fn new(winning: Winning) -> Self {
        let patterns = [Side::Black, Side::White]
            .map(|side| if winning.is_exact(side) { Patterns::exact() } else { Patterns::free() });
        let meanings = SIDES.map(|side| Promises::new(winning.bans(side)));
        let mut board = Self {
            winning,
            moves: Vec::with_capacity(CELLS),
            stones: [None; CELLS],
            key: mix(winning as u64),
            won_with: None,
            patterns,
            meanings,
            near: Box::new([[[0; 2]; CELLS]; 4]),
            edges: Box::new([[0; CELLS]; 4]),
            codes: Box::new([[[Pattern::Dead; 4]; CELLS]; 2]),
            promises: Box::new([[Promise::default(); CELLS]; 2]),
            sets: [[CellSet::default(); KINDS]; 2],
            totals: [0; 2],
            neighbours: [0; CELLS],
            vicinity: CellSet::default(),
        };
        for cell in Cell::all() {
            for direction in 0..4 {
                let steps = (-REACH..=REACH).filter(|&steps| steps != 0);
                let outside = steps.filter(|&steps| cell.step(direction, steps).is_none());
                board.edges[direction][cell.index()] = outside.map(bit).sum();
                SIDES.into_iter().for_each(|side| _ = board.update_pattern(cell, direction, side));
            }
            SIDES.into_iter().for_each(|side| board.update_promise(cell, side));
        }
        board
    }

    /// Creates a board with these stones, black and white alternating and otherwise in no order.
    ///
    /// The winner is determined when all stones are on the board. The cells must be distinct.
    pub fn setup(winning: Winning, stones: &[Cell]) -> Self {
        let mut board = Self::new(winning);
        stones.iter().for_each(|&cell| board.put(cell));
        let winner = SIDES.into_iter().find(|&side| board.has_five(side));
        board.won_with = winner.map(|side| (stones.len(), side));
        board
    }

    /// Side to move.
    pub fn side(&self) -> Side {
        if self.moves.len().is_multiple_of(2) { Side::Black } else { Side::White }
    }

    /// Stones in the order in which they were played.
    pub fn moves(&self) -> &[Cell] {
        &self.moves
    }

    /// Side whose stone is on a cell.
    pub fn stone(&self, cell: Cell) -> Option<Side> {
        self.stones[cell.index()]
    }

    /// Winning condition of the board.
    pub fn winning(&self) -> Winning {
        self.winning
    }

    /// Zobrist key of the stones, the side to move and the winning condition.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Side that has made five, if any.
    pub fn winner(&self) -> Option<Side> {
        self.won_with.map(|(_, side)| side)
    }

    /// Whether all cells are occupied.
    pub fn is_full(&self) -> bool {
        self.moves.len() == CELLS
    }

    /// Empty cells of this kind for `side`.
    pub fn set(&self, side: Side, kind: Kind) -> &CellSet {
        &self.sets[side.index()][kind as usize]
    }

    /// Patterns that a stone of `side` would make on the four lines through an empty cell.
    pub fn codes(&self, side: Side, cell: Cell) -> [Pattern; 4] {
        self.codes[side.index()][cell.index()]
    }

    /// Value of an empty cell for `side`, in hundredths of an open two.
    pub fn value(&self, side: Side, cell: Cell) -> i32 {
        i32::from(self.promises[side.index()][cell.index()].value)
    }

    /// Sum of the values of all empty cells for `side`.
    pub fn total(&self, side: Side) -> i32 {
        self.totals[side.index()]
    }

    /// Empty cells in the neighbourhood of a stone.
    pub fn vicinity(&self) -> &CellSet {
        &self.vicinity
    }

    /// Cells equivalent to this one under the symmetries of the position, including itself.
    pub fn same(&self, cell: Cell) -> CellSet {
        let keeps_the_stones =
            |&symmetry: &u8| self.moves.iter().all(|&stone| self.stone(stone.turned(symmetry)) == self.stone(stone));
        (0..8).filter(keeps_the_stones).map(|symmetry| cell.turned(symmetry)).collect()
    }

    /// Plays a stone of the side to move.
    pub fn put(&mut self, cell: Cell) {
        let side = self.side();
        let five = self.codes(side, cell).contains(&Pattern::Five);
        self.toggle(cell, side);
        self.moves.push(cell);
        if five && self.won_with.is_none() {
            self.won_with = Some((self.moves.len(), side));
        }
        self.key ^= mix(TURN);
    }

    /// Takes back the last stone.
    pub fn take_back(&mut self) {
        if self.won_with.is_some_and(|(stones, _)| stones == self.moves.len()) {
            self.won_with = None;
        }
        let Some(cell) = self.moves.pop() else { return };
        self.toggle(cell, self.side());
        self.key ^= mix(TURN);
    }

    /// Whether `side` has a winning row, regardless of the order of the stones.
    fn has_five(&self, side: Side) -> bool {
        let is_own = |cell: &Cell| self.stone(*cell) == Some(side);
        let row = |cell: Cell, direction| {
            let run = |way| (1..).map_while(|steps| cell.step(direction, way * steps)).take_while(is_own).count();
            run(-1) + 1 + run(1)
        };
        let wins = |length| length == 5 || length > 5 && !self.winning.is_exact(side);
        Cell::all().filter(is_own).any(|cell| (0..4).any(|direction| wins(row(cell, direction))))
    }

    /// Whether `side` may not play on this empty cell.
    ///
    /// Banned are an overline, two fours, and two threes that can each become a straight four by a stone that is neither banned
    /// nor makes five. Five outranks every ban.
    pub fn is_banned(&mut self, side: Side, cell: Cell) -> bool {
        if !self.winning.bans(side) || !self.set(side, Kind::Suspect).contains(cell) {
            return false;
        }
        let codes = self.codes(side, cell);
        if codes.contains(&Pattern::Overline) || fours(codes) >= 2 {
            return true;
        }
        self.toggle(cell, side);
        let threes = (0..4).filter(|&direction| codes[direction] == Pattern::OpenThree);
        let real = threes.filter(|&direction| self.is_real_three(side, cell, direction)).take(2).count();
        self.toggle(cell, side);
        real == 2
    }

    /// Whether the three on this line through the stone on `cell` can become a straight four by a legal stone.
    fn is_real_three(&mut self, side: Side, cell: Cell, direction: usize) -> bool {
        [-1, 1].into_iter().any(|way| {
            // Skip stones of the same side up to the first empty cell: the stones of a straight four are adjacent.
            let next = (1..REACH).map_while(|steps| cell.step(direction, way * steps));
            let Some(gap) = next.into_iter().find(|&cell| self.stone(cell) != Some(side)) else { return false };
            let codes = self.codes(side, gap);
            self.stone(gap).is_none()
                && codes[direction] == Pattern::StraightFour
                && !codes.contains(&Pattern::Five)
                && !self.is_banned(side, gap)
        })
    }

    /// Adds or removes a stone without changing the side to move.
    fn toggle(&mut self, cell: Cell, side: Side) {
        let here = &mut self.stones[cell.index()];
        *here = if here.is_some() { None } else { Some(side) };
        self.key ^= mix(STONES + (cell.index() * 2 + side.index()) as u64);
        if self.stone(cell).is_none() {
            // The patterns of an occupied cell are not kept up to date.
            (0..4).for_each(|direction| {
                SIDES.into_iter().for_each(|side| _ = self.update_pattern(cell, direction, side))
            });
        }
        SIDES.into_iter().for_each(|side| self.update_promise(cell, side));
        around(cell).rays.iter().for_each(|ray| self.update_along(ray, side));
        self.update_neighbours(cell);
    }

    /// Updates the cells of a ray after a stone of this side was added or removed at its origin.
    fn update_along(&mut self, ray: &Ray, side: Side) {
        // Sides not yet blocked: beyond a stone of the opponent nothing matters.
        let mut sees = [true, true];
        for &(cell, bit) in &ray.cells {
            self.near[ray.direction][cell.index()][side.index()] ^= bit;
            if let Some(between) = self.stone(cell) {
                sees[between.other().index()] = false;
                continue;
            }
            for side in SIDES {
                if sees[side.index()] && self.update_pattern(cell, ray.direction, side) {
                    self.update_promise(cell, side);
                }
            }
        }
    }

    fn update_neighbours(&mut self, cell: Cell) {
        let arrived = self.stone(cell).is_some();
        for &other in &around(cell).square {
            let neighbours = &mut self.neighbours[other.index()];
            *neighbours = if arrived { *neighbours + 1 } else { *neighbours - 1 };
            let near = *neighbours > 0 && self.stone(other).is_none();
            self.vicinity.set(other, near);
        }
    }

    /// Updates the pattern of `side` on one line; returns whether it changed.
    fn update_pattern(&mut self, cell: Cell, direction: usize, side: Side) -> bool {
        let at = cell.index();
        let near = &self.near[direction][at];
        let closed = near[side.other().index()] | self.edges[direction][at];
        let pattern = self.patterns[side.index()].get(near[side.index()], closed);
        let old = std::mem::replace(&mut self.codes[side.index()][at][direction], pattern);
        old != pattern
    }

    /// Updates the promise of a cell from its four patterns.
    fn update_promise(&mut self, cell: Cell, side: Side) {
        let promises = self.meanings[side.index()];
        let promise =
            if self.stone(cell).is_none() { promises.get(self.codes(side, cell)) } else { Promise::default() };
        let old = std::mem::replace(&mut self.promises[side.index()][cell.index()], promise);
        self.totals[side.index()] += i32::from(promise.value) - i32::from(old.value);
        let mut changed = old.kinds ^ promise.kinds;
        while changed != 0 {
            let kind = changed.trailing_zeros();
            self.sets[side.index()][kind as usize].set(cell, promise.kinds >> kind & 1 != 0);
            changed &= changed - 1;
        }
    }
}

/// First seed of the stones' keys, and the seed of the side to move.
const STONES: u64 = 0x60BA_0000;
const TURN: u64 = 0x60BA_FFFF;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::read;
    use proptest::prelude::*;

    fn board(winning: Winning, moves: &str) -> Board {
        let mut board = Board::new(winning);
        read(moves).unwrap().into_iter().for_each(|cell| board.put(cell));
        board
    }

    fn cell(text: &str) -> Cell {
        text.parse().unwrap()
    }

    /// All observable properties of a board.
    fn facts(board: &Board) -> impl PartialEq + use<> {
        let codes = [Side::Black, Side::White].iter().flat_map(|&side| Cell::all().map(move |cell| (side, cell)));
        let codes = codes.filter(|&(_, cell)| board.stone(cell).is_none()).map(|(side, cell)| board.codes(side, cell));
        (board.key, board.totals, board.sets, board.vicinity, board.winner(), codes.collect::<Vec<_>>())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn taking_back_leaves_no_trace(order in Just((0..CELLS).collect::<Vec<_>>()).prop_shuffle(), count in 1..CELLS) {
            for winning in [Winning::Forbidden, Winning::Free, Winning::Exact] {
                let mut board = Board::new(winning);
                let mut before = vec![];
                for &index in &order[..count] {
                    before.push(facts(&board));
                    board.put(Cell::from_index(index).unwrap());
                }
                while let Some(facts_before) = before.pop() {
                    board.take_back();
                    prop_assert!(facts(&board) == facts_before);
                }
            }
        }

        #[test]
        fn the_order_of_stones_does_not_matter(order in Just((0..CELLS).collect::<Vec<_>>()).prop_shuffle(), count in 4..60usize) {
            let cells: Vec<Cell> = order[..count].iter().map(|&index| Cell::from_index(index).unwrap()).collect();
            let mut other = cells.clone();
            other.swap(0, 2);
            other.swap(1, 3);
            let put = |cells: &[Cell]| {
                let mut board = Board::new(Winning::Forbidden);
                cells.iter().for_each(|&cell| board.put(cell));
                board
            };
            prop_assert!(facts(&put(&cells)) == facts(&put(&other)));
        }
    }

    #[test]
    fn five_wins_and_six_only_where_it_may() {
        // Black: 71 72 73 74, then 75, and 76 beside them.
        let four = "7101720273037404";
        for (winning, moves, winner) in [
            (Winning::Forbidden, "75", Some(Side::Black)),
            (Winning::Free, "75", Some(Side::Black)),
            (Winning::Forbidden, "76E175", None),
            (Winning::Exact, "76E175", None),
            (Winning::Free, "76E175", Some(Side::Black)),
            (Winning::Forbidden, "E105", Some(Side::White)),
            (Winning::Forbidden, "E106E305", Some(Side::White)),
            (Winning::Exact, "E106E305", None),
        ] {
            assert_eq!(board(winning, &(four.to_owned() + moves)).winner(), winner, "{winning:?} {moves}");
        }
    }

    #[test]
    fn given_stones_have_won_if_a_five_is_there_whichever_was_reported_last() {
        let (black, white) = (Some(Side::Black), Some(Side::White));
        for (first, others, [forbidden, free, exact]) in [
            ("7475767778", "01030507", [black; 3]),
            ("747576777879", "01030507090B", [None, black, None]),
            ("01030507090B", "747576777879", [white, white, None]),
            ("01030507090B", "747576777809", [white; 3]),
            ("7475767879", "01030507", [None; 3]),
        ] {
            let (mut first, mut others) = (read(first).unwrap(), read(others).unwrap());
            for _ in 0..first.len() {
                first.rotate_left(1);
                others.rotate_right(1);
                let stones: Vec<Cell> = (0..first.len() + others.len())
                    .map(|at| if at % 2 == 0 { first[at / 2] } else { others[at / 2] })
                    .collect();
                for (winning, winner) in
                    [(Winning::Forbidden, forbidden), (Winning::Free, free), (Winning::Exact, exact)]
                {
                    assert_eq!(Board::setup(winning, &stones).winner(), winner, "{winning:?} {stones:?}");
                }
            }
        }
    }

    /// Board with these stones, and with distant white ones so that both sides have equally many.
    fn stones(black: &str, white: &str) -> Board {
        let (black, mut white) = (read(black).unwrap(), read(white).unwrap());
        white.extend(read("0103050709E1E3E5E7E9").unwrap().into_iter().take(black.len() - white.len()));
        let mut board = Board::new(Winning::Forbidden);
        black.into_iter().zip(white).for_each(|(black, white)| {
            board.put(black);
            board.put(white);
        });
        board
    }

    #[test]
    fn the_bans_are_those_of_renju() {
        for (black, white, point, banned, why) in [
            ("76775868", "", "78", true, "two threes"),
            ("76775868", "75", "78", false, "one of them is closed"),
            ("767758", "", "78", false, "one three"),
            ("757677485868", "", "78", true, "two fours"),
            ("7576774858", "", "78", false, "a four and a three"),
            ("7476787A", "", "77", true, "two fours on one line"),
            ("7475767879", "", "77", true, "six"),
            ("747576787937475767", "", "77", false, "six, and five"),
        ] {
            let mut board = stones(black, white);
            assert_eq!(board.is_banned(Side::Black, cell(point)), banned, "{why}");
            assert!(!board.is_banned(Side::White, cell(point)));
            let before = facts(&board);
            board.is_banned(Side::Black, cell(point));
            assert!(facts(&board) == before, "asking changes nothing");
        }
    }
}
