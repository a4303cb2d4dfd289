//! Threats of mate by a series of checks, needed only by the Chinese rules.

use crate::board::Position;

/// Whether the side to move can force mate in at most `moves` moves, each of them a check.
pub(super) fn mates_by_checks(position: &Position, moves: u8) -> bool {
    moves > 0
        && position.legal_moves().into_iter().filter(|&mv| position.gives_check(mv)).any(|mv| {
            let checked = position.play(mv);
            let answers = checked.legal_moves();
            answers.is_empty() || answers.iter().all(|&answer| mates_by_checks(&checked.play(answer), moves - 1))
        })
}
