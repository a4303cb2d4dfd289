//! Continuous threes (VCT), within bounds: the attacker makes fours and open threes, to which there are few answers.

use chuhe::smp::shared::Stopped;

use super::Worker;
use super::fours::Fours;
use super::moves::{Duty, candidates};
use crate::board::Kind;
use crate::cell::Cell;

/// Longest combination, in threes and fours of the attacker.
const LONGEST: u32 = 7;
/// Maximum number of positions searched.
const NODES: u32 = 4_000;
/// Effort for the fours of either side at each position, in positions.
const FOURS_NODES: u32 = 300;

/// Remaining effort, in positions.
struct Effort(u32);

impl Worker<'_> {
    /// Searches for a win by continuous threes; returns the plies until five and the first move.
    pub(super) fn continuous_threes(&mut self) -> Result<Option<(u32, Cell)>, Stopped> {
        let mut effort = Effort(NODES);
        // Shortest first: most long combinations contain a short one.
        for longest in 1..=LONGEST {
            if let Some(win) = self.attack(longest, &mut effort)? {
                return Ok(Some(win));
            }
        }
        Ok(None)
    }

    fn attack(&mut self, left: u32, effort: &mut Effort) -> Result<Option<(u32, Cell)>, Stopped> {
        self.visit()?;
        if let Some(win) = Fours::new(&mut self.board, self.task, FOURS_NODES).win() {
            return Ok(Some((win.plies, win.first)));
        }
        let side = self.board.side();
        // A side that has to defend can attack only by fours, and these do not win.
        let free = candidates(&mut self.board).0 == Duty::None;
        if left == 0 || effort.0 == 0 || !free {
            return Ok(None);
        }
        effort.0 -= 1;
        let attacks = self.board.set(side, Kind::Three).or(self.board.set(side, Kind::Four));
        for first in self.ordered(&attacks, None, 0) {
            self.board.put(first);
            let defended = self.defend(left, effort);
            self.board.take_back();
            if let Some(plies) = defended? {
                return Ok(Some((plies + 1, first)));
            }
        }
        Ok(None)
    }

    /// Returns the plies until five if no answer helps, `None` if one does.
    fn defend(&mut self, left: u32, effort: &mut Effort) -> Result<Option<u32>, Stopped> {
        let side = self.board.side();
        if !self.board.set(side, Kind::Five).is_empty() {
            return Ok(None);
        }
        let (duty, answers) = candidates(&mut self.board);
        if duty == Duty::None {
            return Ok(None);
        }
        if duty == Duty::Three && Fours::new(&mut self.board, self.task, FOURS_NODES).win().is_some() {
            return Ok(None);
        }
        // Without any answer, the five of a four comes next, or that of a straight four one move later.
        let mut longest = if duty == Duty::Four { 2 } else { 4 };
        if duty == Duty::Four && answers.len() > 1 {
            return Ok(Some(longest));
        }
        for answer in self.ordered(&answers, None, 0) {
            self.board.put(answer);
            let attacked = self.attack(left - 1, effort);
            self.board.take_back();
            match attacked? {
                Some((plies, _)) => longest = longest.max(plies + 1),
                None => return Ok(None),
            }
        }
        Ok(Some(longest))
    }
}
