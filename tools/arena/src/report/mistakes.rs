//! Mistakes: moves after which their engine expected much less of the game than before.

use chuhe_games::record::{Eval, MoveRecord};

/// Loss of expected points that makes a move a mistake.
const MISTAKE: f64 = 0.15;
/// Loss of expected points that makes a move a blunder.
const BLUNDER: f64 = 0.3;
/// Centipawns at which an engine expects about 0.73 points; the value curve bends by the same scale.
const SCALE: f64 = 300.0;

/// Index of a move in its game, and 1 for a mistake, 2 for a blunder.
pub(super) type Mistake = (usize, u8);

/// Returns the mistakes of a game.
///
/// A move is judged by its own engine: by its score before the move and before its next move. The opponent's score stands in
/// for the latter where there is none.
pub(super) fn mistakes(moves: &[MoveRecord]) -> Vec<Mistake> {
    let judged = |index: usize| {
        let own = |index: usize| moves.get(index)?.eval.map(expected_points);
        let after = own(index + 2).or_else(|| own(index + 1).map(|points| 1.0 - points))?;
        let loss = own(index)? - after;
        (loss >= MISTAKE).then_some((index, if loss >= BLUNDER { 2 } else { 1 }))
    };
    (0..moves.len()).filter_map(judged).collect()
}

/// Returns the points that the mover expects, between 0 and 1.
fn expected_points(eval: Eval) -> f64 {
    match eval {
        Eval::Centipawns(centipawns) => 1.0 / (1.0 + libm::exp(-f64::from(centipawns) / SCALE)),
        Eval::Mate(moves) if moves > 0 => 1.0,
        Eval::Mate(_) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(evals: &[Option<i32>]) -> Vec<Mistake> {
        let record = |eval: &Option<i32>| MoveRecord { eval: eval.map(Eval::Centipawns), ..MoveRecord::default() };
        mistakes(&evals.iter().map(record).collect::<Vec<_>>())
    }

    #[test]
    fn a_drop_is_a_mistake_of_the_move_before_it() {
        assert_eq!(of(&[Some(20), Some(-10), Some(30), Some(-20)]), []);
        // Red thinks 20, moves, and then thinks -250.
        assert_eq!(of(&[Some(20), Some(200), Some(-250), Some(240)]), [(0, 1)]);
        assert_eq!(of(&[Some(20), Some(-10), Some(30), Some(-600), Some(580)]), [(1, 2)]);
    }

    #[test]
    fn more_or_less_won_is_no_mistake() {
        assert_eq!(of(&[Some(2000), Some(-1900), Some(1000), Some(-1100)]), []);
    }

    #[test]
    fn the_opponent_speaks_where_the_engine_says_nothing() {
        assert_eq!(of(&[Some(0), Some(500)]), [(0, 2)]);
        assert_eq!(of(&[None, Some(500), None]), []);
        let mated = [Eval::Centipawns(0), Eval::Mate(3)];
        let record = |eval| MoveRecord { eval: Some(eval), ..MoveRecord::default() };
        assert_eq!(mistakes(&mated.map(record)), [(0, 2)]);
    }
}
