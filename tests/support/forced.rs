//! Exhaustive search for forced mates: slow and simple, and independent of the engine except for moves and checks.

use std::collections::HashMap;

use chuhe::board::{Key, Move, Position};

/// Limits on the attacker: the number of moves, and how many of them may be quiet, that is, give no check.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Force {
    pub(crate) moves: u8,
    pub(crate) quiets: u8,
}

/// Longest mate that is searched for, in moves, by the number of quiet moves.
const MOST_MOVES: [u8; 3] = [16, 8, 5];

/// Results for a position with a given number of quiet moves.
#[derive(Clone, Copy, Debug)]
struct Tried {
    /// Number of moves in which there is a mate, or the maximum.
    won_in: u8,
    /// Number of moves in which there is no mate.
    not_won_in: u8,
}

/// An exhaustive search: the results so far, and the node budget that is left.
pub(crate) struct Trial {
    tried: HashMap<(Key, u8), Tried>,
    nodes_left: u64,
}

/// Error: the node budget ran out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Spent;

impl Trial {
    pub(crate) fn of(nodes: u64) -> Self {
        Self { tried: HashMap::new(), nodes_left: nodes }
    }

    /// Whether the side to move can mate or stalemate within `force` against every defence.
    pub(crate) fn wins(&mut self, position: &Position, force: Force) -> Result<bool, Spent> {
        let slot = (position.key(), force.quiets);
        let tried = self.tried.get(&slot).copied().unwrap_or(Tried { won_in: u8::MAX, not_won_in: 0 });
        if force.moves >= tried.won_in || force.moves <= tried.not_won_in {
            return Ok(force.moves >= tried.won_in);
        }
        self.nodes_left = self.nodes_left.checked_sub(1).ok_or(Spent)?;
        let won = self.winning_move(position, force)?.is_some();
        let now = if won { Tried { won_in: force.moves, ..tried } } else { Tried { not_won_in: force.moves, ..tried } };
        self.tried.insert(slot, now);
        Ok(won)
    }

    /// Returns a move that mates or stalemates within `force`, if there is one.
    pub(crate) fn winning_move(&mut self, position: &Position, force: Force) -> Result<Option<Move>, Spent> {
        // Moves that leave the fewest replies are tried first.
        let mut tries: Vec<(u64, Move)> = position
            .legal_moves()
            .into_iter()
            .filter(|&mv| force.moves > 0 && (force.quiets > 0 || position.gives_check(mv)))
            .map(|mv| (position.play(mv).count_legal_moves(), mv))
            .collect();
        tries.sort_by_key(|&(replies, _)| replies);
        for (_, mv) in tries {
            if self.refutes_all(position, mv, force)? {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    fn refutes_all(&mut self, position: &Position, mv: Move, force: Force) -> Result<bool, Spent> {
        let is_quiet = !position.gives_check(mv);
        let after = position.play(mv);
        let replies = after.legal_moves();
        if replies.is_empty() {
            return Ok(true);
        }
        let left = Force { moves: force.moves - 1, quiets: force.quiets - u8::from(is_quiet) };
        if left.moves == 0 {
            return Ok(false);
        }
        // Quiet moves that threaten no mate are skipped: that can miss a win, but never reports a false one.
        if is_quiet && !self.wins(&after.pass(), Force { quiets: 0, ..left })? {
            return Ok(false);
        }
        for &reply in &replies {
            if !self.wins(&after.play(reply), left)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the least force with which the side to move wins: the fewest quiet moves, then the fewest moves.
    pub(crate) fn least(&mut self, position: &Position) -> Result<Option<Force>, Spent> {
        for (quiets, most_moves) in (0..).zip(MOST_MOVES) {
            for moves in 1..=most_moves {
                let force = Force { moves, quiets };
                if self.wins(position, force)? {
                    return Ok(Some(force));
                }
            }
        }
        Ok(None)
    }
}
