//! Game rules: whether the game is over, and which side is to blame. Independent of the search.

mod chase;
mod first_hit;
mod limit;
mod recurrence;
mod repetition;
mod ruleset;
mod verdict;
mod window;

pub use limit::{limit_verdict, move_limit_reached, plies_left};
pub use recurrence::{Recurrence, recurrence};
pub use repetition::{Conduct, Loop, is_innocent};
pub use ruleset::{RuleSet, RuleSetError, Rules};
pub use verdict::{Ending, Verdict};

use crate::board::{Move, Position};

/// Returns the verdict after the last move of `history` (oldest position first), or `None` while the game goes on.
///
/// ```
/// use chuhe::board::{Position, Side};
/// use chuhe::rules::{RuleSet, judge};
/// let mut history = vec![Position::from_fen("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w").unwrap()];
/// for mv in ["f0e0", "e8f8", "e0f0", "f8e8"].repeat(2) {
///     history.push(history[history.len() - 1].play(mv.parse().unwrap()));
/// }
/// let verdict = judge(&history, &RuleSet::Asian.rules()).unwrap();
/// assert_eq!(verdict.loser, Some(Side::Red)); // perpetual check
/// ```
///
/// # Panics
/// If `history` is empty.
pub fn judge(history: &[Position], rules: &Rules) -> Option<Verdict> {
    let over = || limit::no_legal_move(history.last().expect("a game has a position"));
    let repeated = || {
        let judged = repetition::judge_game(history, rules)?;
        Some(Verdict { loser: judged.loser(), ending: Ending::Repetition(judged) })
    };
    let limited = || limit_verdict(history, rules);
    if rules.limit_first {
        limited().or_else(repeated).or_else(over)
    } else {
        // The order of repetition and mate does not matter: a position without a move has not occurred before.
        repeated().or_else(limited).or_else(over)
    }
}

/// Whether `mv` leads to the occurrence just before the one that the referee judges, in a loop that its mover would
/// lose: one more round and the game is lost. If the move ends the game, the verdict on the game counts.
pub fn repeats_to_lose(history: &[Position], mv: Move, rules: &Rules) -> bool {
    let Some(last) = history.last() else { return false };
    if last.is_capture(mv) {
        return false;
    }
    let line = [history, &[last.play(mv)]].concat();
    let earlier = rules.judging_at(rules.occurrences - 1);
    let loser = match judge(&line, rules) {
        Some(verdict) => verdict.loser,
        None => repetition::judge_game(&line, &earlier).and_then(|judged| judged.loser()),
    };
    loser == Some(last.side())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Side, Variant};

    fn game(fen: &str, moves: &str) -> Vec<Position> {
        let mut history = vec![Position::from_fen(fen).unwrap()];
        for text in moves.split_whitespace() {
            let (mv, last) = (text.parse().unwrap(), history[history.len() - 1]);
            assert!(last.is_legal(mv), "{mv} in {}", last.to_fen());
            history.push(last.play(mv));
        }
        history
    }

    fn verdict(fen: &str, moves: &str, set: RuleSet) -> Option<Verdict> {
        judge(&game(fen, moves), &set.rules())
    }

    fn ending(fen: &str, moves: &str, set: RuleSet) -> Option<(Option<Side>, Ending)> {
        verdict(fen, moves, set).map(|verdict| (verdict.loser, verdict.ending))
    }

    fn loser(fen: &str, moves: &str, set: RuleSet) -> Option<Option<Side>> {
        verdict(fen, moves, set).map(|verdict| verdict.loser)
    }

    #[test]
    fn a_mated_and_a_stalemated_side_have_lost() {
        let mated = ending("R3k4/R8/9/9/9/9/9/9/9/3K5 b", "", RuleSet::Asian);
        assert_eq!(mated, Some((Some(Side::Black), Ending::Checkmate)));
        let stalemated = ending("3k5/4P4/9/9/9/9/9/9/9/4K4 b", "", RuleSet::League);
        assert_eq!(stalemated, Some((Some(Side::Black), Ending::Stalemate)));
    }

    #[test]
    fn perpetual_check_loses_at_the_occurrence_the_rules_name() {
        let fen = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w";
        let round = "f0e0 e8f8 e0f0 f8e8 ";
        let loses = Some(Some(Side::Red));
        assert_eq!(loser(fen, round, RuleSet::Asian), None);
        assert_eq!(loser(fen, &round.repeat(2), RuleSet::Asian), loses);
        assert_eq!(loser(fen, &round.repeat(2), RuleSet::League), None);
        assert_eq!(loser(fen, &round.repeat(3), RuleSet::League), loses);
        assert_eq!(loser(fen, &round.repeat(2), RuleSet::CheckBan), loses);
        assert_eq!(loser(fen, &round.repeat(2), RuleSet::AlwaysDraw), Some(None));
    }

    #[test]
    fn a_move_repeats_to_lose_unless_the_whole_game_is_judged_otherwise() {
        let repeats = |fen: &str, moves: &str, rules: &Rules| {
            let (before, mv) = moves.rsplit_once(' ').unwrap();
            repeats_to_lose(&game(fen, before), mv.parse().unwrap(), rules)
        };
        // The rook checks with all its moves of the last round; in the one before the elephant moved too.
        let fen = "n7r/c3k4/9/9/9/9/9/9/9/2BK2Rr1 w";
        let (idle, checks) = ("g0e0 e8f8 c0a2 h0h1 e0f0 f8e8 a2c0 h1h0 f0e0", " e8f8 e0f0 f8e8 f0e0");
        let rules = RuleSet::Asian.rules();
        let once = format!("f0e0{checks}");
        assert!(repeats("n7r/c3k4/9/9/9/9/9/9/9/2BK1R1r1 w", &once, &rules), "once more would lose");
        assert!(!repeats(fen, idle, &rules), "it is not a perpetual check");
        let twice = format!("{idle}{checks}");
        let outcomes = [(RuleSet::Asian, None), (RuleSet::CheckBan, None), (RuleSet::Chinese, Some(Side::Black))];
        for (set, outcome) in outcomes {
            assert_eq!(loser(fen, &twice, set), Some(outcome), "{set:?}");
            assert!(!repeats(fen, &twice, &set.rules()), "{set:?}: nothing comes after it");
        }
        // The move limit ends the game as well.
        let near = "n7r/c3k4/9/9/9/9/9/9/9/2BK1R1r1 w - - 115 60";
        let draws = RuleSet::CheckBan.rules();
        assert_eq!(loser(near, &once, RuleSet::CheckBan), Some(None));
        assert!(!repeats(near, &once, &draws) && repeats(near, &once, &draws.without_limit()));
    }

    #[test]
    fn idle_repetition_draws() {
        let moves = "h0g2 h9g7 g2h0 g7h9 ".repeat(2);
        for set in RuleSet::ALL.into_iter().filter(|&set| set != RuleSet::League) {
            let judged = Loop { plies: 8, conduct: [Conduct::Idle; 2] };
            let draw = Some((None, Ending::Repetition(judged)));
            assert_eq!(ending(crate::board::START_FEN, &moves, set), draw, "{set:?}");
        }
    }

    #[test]
    fn bare_material_draws() {
        let fen = "4k4/4a4/4b4/9/9/9/9/4B4/4A4/4K4 w";
        assert_eq!(ending(fen, "", RuleSet::League), Some((None, Ending::NoAttackers)));
        assert_eq!(ending("4k4/4a4/4b4/9/9/9/9/4B4/4A4/3K1N3 w", "", RuleSet::League), None);
    }

    #[test]
    fn bare_material_draws_nothing_where_pieces_are_promoted() {
        let fen = "4k4/4a4/4b4/9/9/9/9/4B4/4A4/4K4 w";
        let position = Position::from_fen_in(fen, Variant::Promotion).unwrap();
        assert_eq!(judge(&[position], &RuleSet::League.rules()), None);
    }

    #[test]
    fn the_move_limit_draws_unless_the_rules_put_mate_first() {
        let fen = "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 119 100";
        assert_eq!(ending(fen, "a0a1", RuleSet::Asian), Some((None, Ending::MoveLimit)));
        assert_eq!(ending("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 98 100", "a0a1", RuleSet::League), None);
        let limit = Some((None, Ending::MoveLimit));
        assert_eq!(ending("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 99 100", "a0a1", RuleSet::League), limit);
        assert_eq!(
            ending("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 99 100", "a0a9", RuleSet::League),
            None,
            "checks do not count"
        );
    }

    #[test]
    fn a_stalemate_on_the_limits_last_ply_draws_if_the_limit_goes_first() {
        let stalemate = game("5k3/P1R6/9/1N7/4P3P/8P/9/7NB/9/3K1A3 w - - 99 60", "b6d7");
        let limit_first = RuleSet::League.rules();
        let mate_first = RuleSet::Asian.rules().with_limit(100);
        let draw = Verdict { loser: None, ending: Ending::MoveLimit };
        let loss = Verdict { loser: Some(Side::Black), ending: Ending::Stalemate };
        for (rules, verdict) in [(limit_first, draw), (mate_first, loss)] {
            assert_eq!(judge(&stalemate, &rules), Some(verdict));
            assert_eq!(limit_verdict(&stalemate, &rules), Some(verdict));
            assert_eq!(limit_verdict(&stalemate[..1], &rules), None, "one ply short");
        }
    }
}
