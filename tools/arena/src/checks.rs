//! Checks of the principal variations of mates.

use chuhe::board::{Move, Position};
use chuhe_games::record::{Eval, GameRecord};

use crate::output::movers;

/// Most plies of a variation in the journal.
const MOST_PLIES: usize = 32;

/// Returns a warning for each principal variation of a mate that has another length than its score, or does not end in a mate.
pub(crate) fn mates(game: &GameRecord) -> Vec<String> {
    let Ok(mut position) = Position::from_fen(&game.start_fen) else { return vec![] };
    let mut warnings = vec![];
    for (number, mover, record) in movers(game) {
        if let Some(Eval::Mate(moves)) = record.eval
            && let Some(fault) = fault(&position, moves, &record.pv)
        {
            let side = format!("{mover}, move {number} of game {}", game.number);
            warnings.push(format!("Warning: PV of a mate of {side}: mate in {moves}, {fault}"));
        }
        let Some(mv) = record.mv.parse().ok().filter(|mv: &Move| position.is_legal(*mv)) else { break };
        position = position.play(mv);
    }
    warnings
}

/// Returns what is wrong with the variation of a mate in `moves` moves, negative when being mated.
fn fault(position: &Position, moves: i32, pv: &str) -> Option<String> {
    let played: Vec<Move> = pv.split_whitespace().map_while(|word| word.parse().ok()).collect();
    let plies = usize::try_from(2 * i64::from(moves).abs() - i64::from(moves > 0)).unwrap_or(usize::MAX);
    if played.is_empty() || plies >= MOST_PLIES {
        return None;
    }
    if played.len() != plies {
        return Some(format!("which takes {plies} plies and not {}", played.len()));
    }
    let last = played.iter().fold(*position, |position, &mv| position.play(mv));
    (!last.legal_moves().is_empty()).then(|| "at whose end there is none".to_owned())
}

#[cfg(test)]
mod tests {
    use chuhe_games::record::{EndingClass, GameResult, MoveRecord};

    use super::*;
    use crate::made_up::game;

    #[test]
    fn a_variation_of_a_mate_ends_in_it() {
        let of = |moves: i32, pv: &str| {
            let record =
                MoveRecord { mv: "a1a9".into(), eval: Some(Eval::Mate(moves)), pv: pv.into(), ..MoveRecord::default() };
            let start_fen = "5k3/R8/9/9/9/9/9/9/R8/3K5 w - - 0 1".to_owned();
            mates(&GameRecord {
                start_fen,
                moves: vec![record],
                ..game(7, "A", "B", GameResult::Red, EndingClass::Mate)
            })
        };
        assert!(of(1, "a1a9").is_empty() && of(1, "").is_empty());
        let head = "Warning: PV of a mate of A, move 1 of game 7: mate in";
        assert_eq!(of(2, "a1a9"), [format!("{head} 2, which takes 3 plies and not 1")]);
        assert_eq!(of(1, "a1a2"), [format!("{head} 1, at whose end there is none")]);
    }
}
