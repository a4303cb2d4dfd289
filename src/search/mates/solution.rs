//! Solution of a proven mate: the maximum plies to the mate from every position of the proof.

use std::collections::HashMap;

use super::pn_search::{Pause, PnSearch, can_attack};
use super::proof::{Child, ProofNumbers};
use crate::board::{Key, Move, Position, Variant};
use crate::search::root_moves::RootMoves;

/// Maximum positions of a solution, about 12 MiB; a larger one is not followed.
const MAX_POSITIONS: usize = 1 << 18;
/// Maximum nodes for following a proof to its end: a multiple of those of the proof, plus a constant.
const FOLLOW_FACTOR: u64 = 2;
const FOLLOW_NODES: u64 = 20_000;

/// Solution tree of a mate.
///
/// In each of its positions with the attacker to move, one move leads to another position a ply nearer to the mate;
/// with the other side to move, every move leads nearer. Following it therefore repeats no position and is never
/// farther from the mate than announced, however often it is looked up on the way.
#[derive(Default)]
pub(super) struct Solution {
    /// Maximum plies to the mate.
    plies: HashMap<Key, u16>,
    variant: Variant,
}

impl Solution {
    /// Returns the maximum plies to the mate, if the position with this key belongs to the solution.
    pub(super) fn plies(&self, key: Key) -> Option<u16> {
        self.plies.get(&key).copied()
    }

    /// Returns the moves from `root`, whose side to move mates, to the mate: the shortest way for it, the longest for
    /// the other side.
    ///
    /// Returns `None` if `root` is not in the solution, or if the solution leads through one of the positions to
    /// `avoid`.
    pub(super) fn line(&self, root: &Position, admitted: &RootMoves, avoid: &[Key]) -> Option<Vec<Move>> {
        let plies = self.plies(root.key()).filter(|plies| plies % 2 == 1)?;
        let is_ahead = |key: &Key| self.plies(*key).is_some_and(|there| there < plies);
        if root.variant() != self.variant || avoid.iter().any(is_ahead) {
            return None;
        }
        let (mut line, mut position) = (Vec::new(), *root);
        for left in (0..plies).rev() {
            let leads = |mv: &&Move| self.plies(position.key_after(**mv)) == Some(left);
            let may_be_played = |mv: &&Move| !line.is_empty() || admitted.admits(**mv);
            let mv = *position.legal_moves().iter().filter(may_be_played).find(leads)?;
            line.push(mv);
            position = position.play(mv);
        }
        (!position.has_legal_move()).then_some(line)
    }
}

impl PnSearch<'_, '_> {
    /// Returns the solution, if there is a mate. `spent` nodes have been searched earlier.
    pub(super) fn solve(&mut self, position: &Position, spent: u64) -> Result<Option<Solution>, Pause> {
        let before = self.thread.nodes;
        if !self.search(position, true, ProofNumbers::UNBOUNDED)?.numbers.is_proven() {
            return Ok(None);
        }
        let spent = spent + self.thread.nodes - before;
        self.until = self.until.max(self.thread.nodes + FOLLOW_FACTOR * spent + FOLLOW_NODES);
        let mut solution = Solution { plies: HashMap::new(), variant: position.variant() };
        let plies = self.follow(position, true, &mut solution)?;
        Ok(plies.map(|_| solution))
    }

    /// Follows the proof of the last position of the line to all its ends, and returns its maximum plies.
    ///
    /// Returns `None` if the proof cannot be followed.
    fn follow(&mut self, position: &Position, attacking: bool, solution: &mut Solution) -> Result<Option<u16>, Pause> {
        if let Some(plies) = solution.plies(position.key()) {
            return Ok(Some(plies));
        }
        if solution.plies.len() >= MAX_POSITIONS {
            return Ok(None);
        }
        self.check_stop()?;
        let plies =
            if attacking { self.follow_attack(position, solution)? } else { self.follow_defence(position, solution)? };
        if let Some(plies) = plies {
            solution.plies.insert(position.key(), plies);
        }
        Ok(plies)
    }

    /// Returns the plies of the shortest proven mate.
    fn follow_attack(&mut self, position: &Position, solution: &mut Solution) -> Result<Option<u16>, Pause> {
        let mut children = self.attacks_of(position)?;
        if !children.iter().any(|child| child.numbers().is_disproven()) {
            // The proof has been overwritten since, or held on other paths alone.
            self.search(position, true, ProofNumbers::UNBOUNDED)?;
            children = self.attacks_of(position)?;
        }
        let mut nearest = None;
        for child in children.iter().filter(|child| child.numbers().is_disproven()) {
            let plies = self.follow_move(position, child.mv, false, solution)?;
            nearest = [nearest, plies].into_iter().flatten().min();
        }
        Ok(nearest.map(|plies| plies + 1))
    }

    /// Returns the plies of the longest defence, if every reply loses; replies skipped by the search count too.
    fn follow_defence(&mut self, position: &Position, solution: &mut Solution) -> Result<Option<u16>, Pause> {
        let replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(can_attack(position).then_some(0));
        }
        let mut farthest = 0;
        for &mv in &replies {
            let Some(plies) = self.follow_move(position, mv, true, solution)? else { return Ok(None) };
            farthest = farthest.max(plies);
        }
        Ok(Some(farthest + 1))
    }

    fn follow_move(
        &mut self,
        position: &Position,
        mv: Move,
        attacking: bool,
        solution: &mut Solution,
    ) -> Result<Option<u16>, Pause> {
        let child = position.play(mv);
        self.line.push(child.key());
        let plies = self.follow(&child, attacking, solution);
        self.line.pop();
        plies
    }

    /// Returns the children of the last position of the line, in which the attacker moves.
    fn attacks_of(&mut self, position: &Position) -> Result<Vec<Child>, Pause> {
        let first = self.children.len();
        self.expand_attack(position)?;
        Ok(self.children.split_off(first))
    }
}
