//! Moves that the workers are searching now.
//!
//! A worker defers a move that another one is searching, and finds the other's results in the table when it returns to the move
//! (Kerrigan, "A simplified ABDADA", 2015).

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

use chuhe::splitmix::mix;

use crate::cell::Cell;

/// Number of slots: far more than marks at a time (one per ply and worker), so that few collide.
const SLOTS: u64 = 1 << 12;
/// Minimum depth of a mark, in plies: closer to the leaves, deferring a move does not pay.
const LEAST_DEPTH: i32 = 2;
/// Empty slot; no move has this name.
const NONE: u64 = 0;

/// Moves being searched by any worker. A mark that is lost or seen late only costs some work.
pub struct CurrentMoves(Box<[AtomicU64]>);

impl Default for CurrentMoves {
    fn default() -> Self {
        Self((0..SLOTS).map(|_| AtomicU64::new(NONE)).collect())
    }
}

impl CurrentMoves {
    /// Marks a move in the position with this key until the mark is dropped.
    pub(super) fn mark(&self, key: u64, cell: Cell, depth: i32) -> Option<Mark<'_>> {
        if depth < LEAST_DEPTH {
            return None;
        }
        let word = name(key, cell);
        // Relaxed, here and below: a mark publishes nothing, results travel through the table.
        self.slot(word).store(word, Ordering::Relaxed);
        Some(Mark { current_moves: self, word })
    }

    /// Iterates over moves with their indices; those that another worker is searching come last.
    ///
    /// The first move is never deferred.
    pub(super) fn in_turn<'a>(&'a self, key: u64, moves: &'a [Cell]) -> Turns<'a> {
        Turns { current_moves: self, key, moves, next: 0, put_off: VecDeque::new() }
    }

    fn is_marked(&self, word: u64) -> bool {
        self.slot(word).load(Ordering::Relaxed) == word
    }

    fn slot(&self, word: u64) -> &AtomicU64 {
        &self.0[usize::try_from(word % SLOTS).unwrap_or(0)]
    }
}

fn name(key: u64, cell: Cell) -> u64 {
    mix(key ^ u64::from(cell.word().get()))
}

/// Mark of a move being searched, removed when dropped.
pub(super) struct Mark<'a> {
    current_moves: &'a CurrentMoves,
    word: u64,
}

impl Drop for Mark<'_> {
    fn drop(&mut self) {
        // Another worker may have taken the slot.
        if self.current_moves.is_marked(self.word) {
            self.current_moves.slot(self.word).store(NONE, Ordering::Relaxed);
        }
    }
}

/// Iterator of [`CurrentMoves::in_turn`].
pub(super) struct Turns<'a> {
    current_moves: &'a CurrentMoves,
    key: u64,
    moves: &'a [Cell],
    next: usize,
    put_off: VecDeque<(usize, Cell)>,
}

impl Iterator for Turns<'_> {
    type Item = (usize, Cell);

    fn next(&mut self) -> Option<(usize, Cell)> {
        while let Some(&cell) = self.moves.get(self.next) {
            let place = self.next;
            self.next += 1;
            if place == 0 || !self.current_moves.is_marked(name(self.key, cell)) {
                return Some((place, cell));
            }
            self.put_off.push_back((place, cell));
        }
        self.put_off.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::read;

    #[test]
    fn what_another_worker_looks_at_comes_last_unless_it_is_first() {
        let current = CurrentMoves::default();
        let moves = read("78798788").unwrap();
        let [here, elsewhere] = [1, 2].map(mix);
        let places = |turns: Turns| turns.map(|(place, _)| place).collect::<Vec<_>>();
        let marks = [0, 1].map(|place| current.mark(here, moves[place], LEAST_DEPTH));
        assert_eq!(places(current.in_turn(here, &moves)), [0, 2, 3, 1]);
        assert_eq!(places(current.in_turn(elsewhere, &moves)), [0, 1, 2, 3], "another position");
        drop(marks);
        assert_eq!(places(current.in_turn(here, &moves)), [0, 1, 2, 3], "no worker searches it any more");
        let _shallow = current.mark(here, moves[1], LEAST_DEPTH - 1);
        assert_eq!(places(current.in_turn(here, &moves)), [0, 1, 2, 3]);
    }

    #[test]
    fn a_mark_that_has_lost_its_slot_leaves_the_other_one() {
        let current = CurrentMoves::default();
        let cell = Cell::CENTRE;
        let mark = current.mark(1, cell, LEAST_DEPTH).unwrap();
        current.slot(mark.word).store(mark.word + 1, Ordering::Relaxed);
        let slot = current.slot(mark.word);
        drop(mark);
        assert_ne!(slot.load(Ordering::Relaxed), NONE);
    }
}
