//! Draws without a repetition: the move limit and a lack of attackers; and whether a mate on the same ply goes first.

use super::ruleset::{CheckCount, Rules};
use super::verdict::{Ending, Verdict};
use crate::board::{Position, Side, Variant};

/// Whether neither side has a rook, horse, cannon or pawn, nor can get one by promotion.
fn no_attackers(position: &Position) -> bool {
    position.attackers().is_empty() && position.variant() == Variant::Standard
}

/// Whether the last position has reached the move limit of `rules`.
pub fn move_limit_reached(history: &[Position], rules: &Rules) -> bool {
    // Checks only ever lower the count, so most positions need no walk back.
    history.last().is_some_and(|last| may_be_reached(last, rules)) && plies_left(history, rules) == Some(0)
}

/// Whether the move limit is reached at `position` if every ply counts.
fn may_be_reached(position: &Position, rules: &Rules) -> bool {
    rules.limit_plies.is_some_and(|limit| position.reversible_plies() >= limit)
}

/// Number of plies that may follow the last position of `history` before the move limit is reached; `None` without a
/// limit. Captures and checks that do not count allow more.
pub fn plies_left(history: &[Position], rules: &Rules) -> Option<u16> {
    rules.limit_plies.map(|limit| limit.saturating_sub(counted_plies(history, rules)))
}

/// Verdict on the last position of `history` by the move limit and the material.
///
/// A draw, unless the side to move is mated or stalemated and the rules put that first. `None` if neither applies;
/// whether there is a legal move is then not tested.
#[inline]
pub fn limit_verdict(history: &[Position], rules: &Rules) -> Option<Verdict> {
    let last = history.last()?;
    // The search calls this at every node, and nearly always this test suffices.
    if may_be_reached(last, rules) || no_attackers(last) { decided(history, last, rules) } else { None }
}

/// The verdict where the move limit or the material may apply.
fn decided(history: &[Position], last: &Position, rules: &Rules) -> Option<Verdict> {
    let ending = if no_attackers(last) {
        Ending::NoAttackers
    } else if move_limit_reached(history, rules) {
        Ending::MoveLimit
    } else {
        return None;
    };
    let mated = if rules.limit_first { None } else { no_legal_move(last) };
    Some(mated.unwrap_or(Verdict { loser: None, ending }))
}

/// The loss of the side to move if it has no legal move.
pub(super) fn no_legal_move(position: &Position) -> Option<Verdict> {
    let ending = if position.in_check() { Ending::Checkmate } else { Ending::Stalemate };
    (!position.has_legal_move()).then(|| Verdict { loser: Some(position.side()), ending })
}

/// Plies since the last capture, without the checks that `rules` do not count. The FEN's counter is taken as it is, and
/// a pass does not count.
fn counted_plies(history: &[Position], rules: &Rules) -> u16 {
    let first = history.iter().rposition(|position| position.reversible_plies() == 0).unwrap_or(0);
    let mut plies = history[first].reversible_plies();
    let mut checks = [0; Side::ALL.len()];
    // A check given before the first position is not a ply here; the reply counts unless the rules count no checks.
    let mut free_reply = history[first].in_check() && rules.check_count == CheckCount::None;
    for pair in history[first..].windows(2) {
        let (mover, gives_check) = (pair[0].side().index(), pair[1].in_check());
        checks[mover] += u32::from(gives_check);
        let free = gives_check
            && match rules.check_count {
                CheckCount::None => true,
                CheckCount::CapPerSide(most) => checks[mover] > most,
                CheckCount::All => false,
            };
        if !free && !free_reply {
            plies += pair[1].reversible_plies() - pair[0].reversible_plies();
        }
        free_reply = free;
    }
    plies
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RuleSet;

    fn game(fen: &str, moves: &str) -> Vec<Position> {
        let mut history = vec![Position::from_fen(fen).unwrap()];
        for text in moves.split_whitespace() {
            let (last, mv) = (history[history.len() - 1], text.parse().unwrap());
            assert!(last.is_legal(mv), "{mv} in {}", last.to_fen());
            history.push(last.play(mv));
        }
        history
    }

    fn counted(history: &[Position], set: RuleSet) -> u16 {
        counted_plies(history, &set.rules())
    }

    /// Red checks with the rook on a9 and a8 in turn, black's king steps aside: one check every other ply.
    fn checking_game(rounds: usize) -> Vec<Position> {
        let moves = ["a8a9", "d9d8", "a9a8", "d8d9"];
        let walked: Vec<&str> = moves.into_iter().cycle().take(2 * rounds).collect();
        game("3k5/R8/9/9/9/9/9/9/9/4K4 w", &walked.join(" "))
    }

    #[test]
    fn the_league_counts_neither_checks_nor_replies() {
        assert_eq!(counted(&checking_game(20), RuleSet::League), 0);
    }

    #[test]
    fn the_asian_rules_count_ten_checks_of_a_side() {
        assert_eq!(counted(&checking_game(10), RuleSet::Asian), 20);
        assert_eq!(counted(&checking_game(20), RuleSet::Asian), 20);
    }

    #[test]
    fn where_chases_are_allowed_every_check_counts() {
        assert_eq!([RuleSet::CheckBan, RuleSet::AlwaysDraw].map(|set| counted(&checking_game(20), set)), [40; 2]);
    }

    #[test]
    fn what_is_not_counted_is_left() {
        let left = |set: RuleSet| plies_left(&checking_game(20), &set.rules());
        assert_eq!((left(RuleSet::League), left(RuleSet::Asian)), (Some(100), Some(120 - 20)));
    }

    #[test]
    fn the_league_counts_no_reply_to_a_check_of_the_fen_or_of_a_capture() {
        let shown = game("R2k5/9/9/9/9/9/9/9/9/4K4 b - - 7 1", "d9d8");
        assert_eq!((counted(&shown, RuleSet::League), counted(&shown, RuleSet::Asian)), (7, 8));
        let captured = game("r2k5/R8/9/9/9/9/9/9/9/4K4 w", "a8a9 d9d8 a9b9");
        assert_eq!((counted(&captured, RuleSet::League), counted(&captured, RuleSet::Asian)), (1, 2));
    }

    #[test]
    fn a_pass_is_no_ply_towards_the_limit() {
        let mut history = game("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 40 1", "a0a1 d9d8");
        history.push(history[2].pass());
        assert_eq!(counted(&history, RuleSet::Asian), 42);
        history.push(history[3].play("d8d9".parse().unwrap()));
        assert_eq!(counted(&history, RuleSet::Asian), 43);
        // Plies that did not count before a pass still do not: here a check and its reply, whereas the step back counts.
        let mut history = game("9/3k5/R8/9/9/9/9/9/9/5K3 w", "a7a8 d8d9");
        history.push(history[2].pass());
        history.push(history[3].play("d9e9".parse().unwrap()));
        assert_eq!(counted(&history, RuleSet::League), 1);
    }

    #[test]
    fn a_count_at_its_highest_stays_there() {
        let history = game("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 65535 65535", "a0a1 d9d8 a1a2 d8d9");
        let last = history[history.len() - 1];
        assert_eq!((last.reversible_plies(), last.move_number()), (u16::MAX, u16::MAX));
        for set in RuleSet::ALL {
            assert_eq!(counted(&history, set), u16::MAX);
            let verdict = limit_verdict(&history, &set.rules()).unwrap();
            assert_eq!((verdict.loser, verdict.ending), (None, Ending::MoveLimit));
            let endless = set.rules().without_limit();
            assert_eq!((limit_verdict(&history, &endless), plies_left(&history, &endless)), (None, None), "{set:?}");
        }
    }
}
