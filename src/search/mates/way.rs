//! Solution of a proven mate: the maximum plies to the mate from every position of the proof.

use std::collections::HashMap;

use crate::board::{Key, Move, Position, Variant};
use crate::search::root_moves::RootMoves;

/// Maximum positions of a solution, about 12 MiB; a larger one is not followed.
const MOST_POSITIONS: usize = 1 << 18;

/// Solution tree of a mate.
///
/// In each of its positions with the attacker to move, one move leads to another position a ply nearer to the mate;
/// with the other side to move, every move leads nearer. Following it therefore repeats no position and is never
/// farther from the mate than announced, however often it is looked up on the way.
#[derive(Default)]
pub(super) struct Way {
    /// Maximum plies to the mate.
    distances: HashMap<Key, u16>,
    variant: Variant,
}

impl Way {
    pub(super) fn new(variant: Variant) -> Self {
        Self { distances: HashMap::new(), variant }
    }

    /// Returns the maximum plies to the mate, if the position with this key belongs to the solution.
    pub(super) fn distance(&self, key: Key) -> Option<u16> {
        self.distances.get(&key).copied()
    }

    pub(super) fn is_full(&self) -> bool {
        self.distances.len() >= MOST_POSITIONS
    }

    pub(super) fn add(&mut self, key: Key, distance: u16) {
        self.distances.insert(key, distance);
    }

    /// Returns the moves from `root`, whose side to move mates, to the mate: the shortest way for it, the longest for
    /// the other side.
    ///
    /// Returns `None` if `root` is not in the solution, or if the solution leads through one of the positions to
    /// `avoid`.
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
