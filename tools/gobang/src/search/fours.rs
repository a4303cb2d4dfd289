//! Continuous fours (VCF): every move of the attacker is a four, so the defender has one answer.

use chuhe::smp::shared::StopFlag;
use chuhe::smp::table::{Bound, Entry, Table};

use crate::board::{Board, Kind};
use crate::cell::Cell;
use crate::pattern::Pattern;

/// Longest combination, in fours.
const LONGEST: u8 = 30;
/// Key salt: entries of this search are kept apart from those of the main search.
const SALT: u64 = 0x4F0A_12C3_5599_D00D;

/// A search for continuous fours.
pub(super) struct Fours<'a> {
    board: &'a mut Board,
    /// Table that stores failed searches.
    table: Option<&'a Table>,
    /// Stop flag that ends the search early.
    stop: Option<&'a StopFlag>,
    nodes_left: u32,
}

/// A win: the plies until five, and the first move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Win {
    pub(super) plies: u32,
    pub(super) first: Cell,
}

/// Searches without a table for a win of the side to move; see [`super::continuous_fours`].
pub(super) fn solve(board: &mut Board, nodes: u32) -> Option<(u32, Cell)> {
    Fours { board, table: None, stop: None, nodes_left: nodes }.win().map(|win| (win.plies, win.first))
}

impl<'a> Fours<'a> {
    /// Creates a search of at most `nodes` positions.
    pub(super) fn new(board: &'a mut Board, table: &'a Table, stop: &'a StopFlag, nodes: u32) -> Self {
        Self { board, table: Some(table), stop: Some(stop), nodes_left: nodes }
    }

    /// Searches for a win of the side to move.
    pub(super) fn win(&mut self) -> Option<Win> {
        self.attack(LONGEST)
    }

    fn attack(&mut self, left: u8) -> Option<Win> {
        let side = self.board.side();
        if let Some(first) = self.board.set(side, Kind::Five).first() {
            return Some(Win { plies: 1, first });
        }
        if left == 0 || self.nodes_left == 0 || self.board.set(side, Kind::Four).is_empty() {
            return None;
        }
        self.nodes_left -= 1;
        if self.stop.is_some_and(StopFlag::is_raised) {
            self.nodes_left = 0;
            return None;
        }
        let key = self.board.key() ^ SALT;
        if self.is_known_to_fail(key, left) {
            return None;
        }
        let found = self.try_fours(left);
        if found.is_none() && self.nodes_left > 0 {
            self.remember_failure(key, left);
        }
        found
    }

    fn try_fours(&mut self, left: u8) -> Option<Win> {
        let side = self.board.side();
        let threats = *self.board.set(side.other(), Kind::Five);
        // A side that has to stop a five can continue only by making a four there.
        let candidates: Vec<Cell> = match threats.len() {
            0 => self.ordered(),
            1 => threats.iter().filter(|&cell| self.board.set(side, Kind::Four).contains(cell)).collect(),
            _ => return None,
        };
        for first in candidates {
            if self.board.is_banned(side, first) {
                continue;
            }
            self.board.put(first);
            let answered = self.answer(left);
            self.board.take_back();
            if let Some(plies) = answered {
                return Some(Win { plies: plies + 2, first });
            }
        }
        None
    }

    /// Returns the plies from the defender's answer to five, if the last move was a four and wins.
    fn answer(&mut self, left: u8) -> Option<u32> {
        let defender = self.board.side();
        if !self.board.set(defender, Kind::Five).is_empty() {
            return None;
        }
        let fives = *self.board.set(defender.other(), Kind::Five);
        let stop = fives.first()?;
        if fives.len() > 1 || self.board.is_banned(defender, stop) {
            return Some(1);
        }
        self.board.put(stop);
        let found = self.attack(left - 1);
        self.board.take_back();
        found.map(|win| win.plies)
    }

    /// Fours of the side to move, the most promising first.
    fn ordered(&self) -> Vec<Cell> {
        let side = self.board.side();
        let mut cells: Vec<Cell> = self.board.set(side, Kind::Four).iter().collect();
        let wins = |cell: Cell| self.board.codes(side, cell).contains(&Pattern::StraightFour);
        cells.sort_by_key(|&cell| (!wins(cell), -self.board.value(side, cell)));
        cells
    }

    fn is_known_to_fail(&self, key: u64, left: u8) -> bool {
        let known = self.table.and_then(|table| table.probe(key));
        known.is_some_and(|entry| entry.depth >= left && entry.bound == Bound::Upper)
    }

    fn remember_failure(&self, key: u64, left: u8) {
        if let Some(table) = self.table {
            table.store(key, Entry { mv: None, score: 0, eval: None, depth: left, bound: Bound::Upper, tt_pv: false });
        }
    }
}
