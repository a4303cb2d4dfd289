//! Draws that need no loop: too many moves without a capture, and nothing left to attack with.

use super::ruleset::{CheckCount, Rules};
use crate::board::{Kind, Position, Side, Variant};

/// Whether nobody has a rook, horse, cannon or pawn, or can still get one by promotion.
pub fn no_attackers(position: &Position) -> bool {
    let attackers = position.of_kind(Kind::Rook)
        | position.of_kind(Kind::Horse)
        | position.of_kind(Kind::Cannon)
        | position.of_kind(Kind::Pawn);
    attackers.is_empty() && position.variant() == Variant::Standard
}

/// Whether the last position has reached the move limit of `rules`.
pub fn move_limit_reached(history: &[Position], rules: &Rules) -> bool {
    let limit = rules.limit_plies;
    // Checks only ever lower the count, so most positions need no walk back.
    history.last().is_some_and(|last| last.reversible_plies() >= limit) && counted_plies(history, rules) >= limit
}

/// Plies since the last capture, without the checks that `rules` do not count; the FEN's counter is taken as it is.
fn counted_plies(history: &[Position], rules: &Rules) -> u16 {
    let last = history.len() - 1;
    let first = last.saturating_sub(usize::from(history[last].reversible_plies()));
    let mut plies = history[first].reversible_plies();
    let mut checks = [0; Side::ALL.len()];
    let mut free_reply = false;
    for pair in history[first..].windows(2) {
        let (mover, gives_check) = (pair[0].side().index(), pair[1].in_check());
        checks[mover] += u32::from(gives_check);
        let free = gives_check
            && match rules.check_count {
                CheckCount::None => true,
                CheckCount::CapPerSide(most) => checks[mover] > most,
            };
        plies += u16::from(!free && !free_reply);
        free_reply = free;
    }
    plies
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleSet;

    /// Red checks with the rook on a9 and a8 in turn, black's king steps aside: one check every other ply.
    fn checking_game(rounds: usize) -> Vec<Position> {
        let mut history = vec![Position::from_fen("3k5/R8/9/9/9/9/9/9/9/4K4 w").unwrap()];
        let moves = ["a8a9", "d9d8", "a9a8", "d8d9"];
        for text in moves.iter().cycle().take(2 * rounds) {
            let last = history[history.len() - 1];
            let mv = text.parse().unwrap();
            assert!(last.is_legal(mv));
            history.push(last.play(mv));
        }
        history
    }

    #[test]
    fn the_league_counts_neither_checks_nor_replies() {
        assert_eq!(counted_plies(&checking_game(20), &RuleSet::League.rules()), 0);
    }

    #[test]
    fn the_asian_rules_count_ten_checks_of_a_side() {
        assert_eq!(counted_plies(&checking_game(10), &RuleSet::Asian.rules()), 20);
        assert_eq!(counted_plies(&checking_game(20), &RuleSet::Asian.rules()), 20);
    }
}
