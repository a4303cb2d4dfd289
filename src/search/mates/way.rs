//! The way to a mate that is proven: how many plies it takes at most from every position of the proof.

use std::collections::HashMap;

use crate::board::{Key, Move, Position, Variant};
use crate::search::root_moves::RootMoves;

/// Most positions of a way: whatever takes more is not followed. A dozen mebibytes.
const MOST_POSITIONS: usize = 1 << 18;

/// From each of its positions in which the attacker moves, one move leads to another that is a ply nearer to the mate; where the
/// other side moves, every move leads nearer. So whoever follows it sees no position twice and is never farther from the mate
/// than was announced, however often he is asked again on the way.
#[derive(Default)]
pub(super) struct Way {
    /// Plies to the mate at most.
    distances: HashMap<Key, u16>,
    variant: Variant,
}

impl Way {
    pub(super) fn new(variant: Variant) -> Self {
        Self { distances: HashMap::new(), variant }
    }

    /// Plies to the mate at most, if the position with this key is on it.
    pub(super) fn distance(&self, key: Key) -> Option<u16> {
        self.distances.get(&key).copied()
    }

    pub(super) fn is_full(&self) -> bool {
        self.distances.len() >= MOST_POSITIONS
    }

    pub(super) fn add(&mut self, key: Key, distance: u16) {
        self.distances.insert(key, distance);
    }

    /// The moves from `root`, whose side to move mates, to the mate: the nearest way for it, the longest for the other side. None if
    /// the way does not come from there, or if it leads through one of the positions to `avoid`.
    pub(super) fn line(&self, root: &Position, admitted: &RootMoves, avoid: &[Key]) -> Option<Vec<Move>> {
        let distance = self.distance(root.key()).filter(|distance| distance % 2 == 1)?;
        let is_ahead = |key: &Key| self.distance(*key).is_some_and(|there| there < distance);
        if root.variant() != self.variant || avoid.iter().any(is_ahead) {
            return None;
        }
        let (mut line, mut position) = (Vec::new(), *root);
        for left in (0..distance).rev() {
            let leads = |mv: &&Move| self.distance(position.key_after(**mv)) == Some(left);
            let may_be_played = |mv: &&Move| !line.is_empty() || admitted.admits(**mv);
            let mv = *position.legal_moves().iter().filter(may_be_played).find(leads)?;
            line.push(mv);
            position = position.play(mv);
        }
        (!position.has_legal_move()).then_some(line)
    }
}
