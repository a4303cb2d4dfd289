//! Continuous threes (VCT), within bounds: the attacker makes fours and open threes, to which there are few answers.

use chuhe::smp::shared::Stopped;

use super::moves::{Duty, candidates};
use super::worker::Worker;
use crate::board::Kind;
use crate::cell::Cell;

/// Longest combination, in threes and fours of the attacker.
const LONGEST: u32 = 7;
/// Maximum number of positions searched.
const NODES: u32 = 4_000;
/// Effort for the fours of either side at each position, in positions.
const FOURS_NODES: u32 = 300;

/// A search for continuous threes.
struct Threes<'a, 'b> {
    worker: &'a mut Worker<'b>,
    nodes_left: u32,
}

/// Searches for a win by continuous threes; returns the plies until five and the first move.
pub(super) fn solve(worker: &mut Worker) -> Result<Option<(u32, Cell)>, Stopped> {
    let mut threes = Threes { worker, nodes_left: NODES };
    // Shortest first: most long combinations contain a short one.
    for longest in 1..=LONGEST {
        if let Some(win) = threes.attack(longest)? {
            return Ok(Some(win));
        }
    }
    Ok(None)
}

impl Threes<'_, '_> {
    fn attack(&mut self, left: u32) -> Result<Option<(u32, Cell)>, Stopped> {
        self.worker.count_node()?;
        if let Some(win) = self.worker.continuous_fours(FOURS_NODES) {
            return Ok(Some((win.plies, win.first)));
        }
        let side = self.worker.board.side();
        // A side that has to defend can attack only by fours, and these do not win.
        let free = candidates(&mut self.worker.board).0 == Duty::None;
        if left == 0 || self.nodes_left == 0 || !free {
            return Ok(None);
        }
        self.nodes_left -= 1;
        let attacks = self.worker.board.set(side, Kind::Three).or(self.worker.board.set(side, Kind::Four));
        for first in self.worker.ordered(&attacks, None, 0) {
            self.worker.board.put(first);
            let defended = self.defend(left);
            self.worker.board.take_back();
            if let Some(plies) = defended? {
                return Ok(Some((plies + 1, first)));
            }
        }
        Ok(None)
    }

    /// Returns the plies until five if no answer helps, `None` if one does.
    fn defend(&mut self, left: u32) -> Result<Option<u32>, Stopped> {
        let side = self.worker.board.side();
        if !self.worker.board.set(side, Kind::Five).is_empty() {
            return Ok(None);
        }
        let (duty, answers) = candidates(&mut self.worker.board);
        if duty == Duty::None {
            return Ok(None);
        }
        if duty == Duty::Three && self.worker.continuous_fours(FOURS_NODES).is_some() {
            return Ok(None);
        }
        // Without any answer, the five of a four comes next, or that of a straight four one move later.
        let mut longest = if duty == Duty::Four { 2 } else { 4 };
        if duty == Duty::Four && answers.len() > 1 {
            return Ok(Some(longest));
        }
        for answer in self.worker.ordered(&answers, None, 0) {
            self.worker.board.put(answer);
            let attacked = self.attack(left - 1);
            self.worker.board.take_back();
            match attacked? {
                Some((plies, _)) => longest = longest.max(plies + 1),
                None => return Ok(None),
            }
        }
        Ok(Some(longest))
    }
}
