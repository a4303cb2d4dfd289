//! How often a move was played in a position and how that ended: what tuples are counted into, here or by an SQL engine.

use std::cmp::Ordering;

use bytemuck::{Pod, Zeroable};

use crate::tuple::{Points, Tuple};

/// The games of one move of one position. Several groups of the same move add up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Group {
    /// Of the position, from [`canonical`](chuhe::book::canonical).
    pub key: u64,
    /// Games that the mover won, drew and lost, and games with an unknown end.
    pub counts: [u64; 4],
    mv: u64,
}

impl Group {
    /// A move that nobody has played yet; `mv` as in [`Tuple::mv`].
    pub fn new(key: u64, mv: u16) -> Self {
        Self { key, counts: [0; 4], mv: mv.into() }
    }

    /// As in [`Tuple::mv`].
    pub fn mv(&self) -> u16 {
        // `new` is the only one to set it.
        self.mv as u16
    }

    /// Whether both are of one move of one position.
    pub fn is_same_move(&self, other: &Self) -> bool {
        (self.key, self.mv) == (other.key, other.mv)
    }

    /// Takes the games of another group of the same move.
    pub fn add(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count = count.saturating_add(more);
        }
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.counts.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }
}

impl From<Tuple> for Group {
    fn from(tuple: Tuple) -> Self {
        let mut group = Self::new(tuple.key, tuple.mv());
        let index = match tuple.points() {
            Points::Win => 0,
            Points::Draw => 1,
            Points::Loss => 2,
            Points::Unknown => 3,
        };
        group.counts[index] = 1;
        group
    }
}

/// By position and move, as tuples are.
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
