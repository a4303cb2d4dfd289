//! Number of games of a move in a position, by result: the aggregate of tuples, computed here or by an SQL engine.

use std::cmp::Ordering;

use bytemuck::{Pod, Zeroable};

use crate::tuple::{Points, Tuple};

/// The games of one move in one position. Several groups of the same move add up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Group {
    /// Key of the position, from [`canonical`](chuhe::book::canonical).
    pub key: u64,
    /// Numbers of games that the mover won, drew and lost, and of games with an unknown end.
    pub counts: [u64; 4],
    mv: u64,
}

impl Group {
    /// Creates the group of a move without games; `mv` as in [`Tuple::mv`].
    pub fn new(key: u64, mv: u16) -> Self {
        Self { key, counts: [0; 4], mv: mv.into() }
    }

    /// Returns the move as in [`Tuple::mv`].
    pub fn mv(&self) -> u16 {
        // Only `new` sets it.
        self.mv as u16
    }

    /// Whether both groups belong to the same move of the same position.
    pub fn is_same_move(&self, other: &Self) -> bool {
        (self.key, self.mv) == (other.key, other.mv)
    }

    /// Adds the games of another group of the same move.
    pub fn add(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count = count.saturating_add(more);
        }
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.counts.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }
}

impl From<Tuple> for Group {
    fn from(tuple: Tuple) -> Self {
        let mut group = Self::new(tuple.key, tuple.mv());
        // The counts begin with wins, the points end with them.
        group.counts[Points::Win as usize - tuple.points() as usize] = 1;
        group
    }
}

/// Order by position and move, as for tuples.
impl Ord for Group {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.key, self.mv, self.counts).cmp(&(other.key, other.mv, other.counts))
    }
}

impl PartialOrd for Group {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
