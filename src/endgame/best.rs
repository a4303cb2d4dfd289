//! The best moves of a position by the tablebases, and how long the way is.

use super::results::Outcome;
use super::tables::Tables;
use crate::board::{Move, Position};

impl Tables {
    /// Returns the plies to the end of the game or the next capture of a won or lost position. Where a table has the distances
    /// of losses alone, those of a win come from the positions after its moves.
    pub fn plies_to_conversion(&self, position: &Position) -> Option<u16> {
        match self.outcome(position)? {
            Outcome::Loss => self.distance(position),
            Outcome::Win => self.distance(position).or_else(|| {
                self.best_moves(position).first().and_then(|&mv| self.plies_after(position, mv))?.checked_add(1)
            }),
            Outcome::Draw | Outcome::Open => None,
        }
    }

    /// Returns the legal moves that keep the outcome: the fastest wins and the longest defences first. Empty if no table has
    /// the position.
    ///
    /// ```
    /// use chuhe::board::Position;
    /// use chuhe::endgame::Tables;
    /// let won = Position::from_fen("3k5/9/9/9/9/9/9/9/4R4/4K4 w").unwrap();
    /// let best = Tables::embedded().best_moves(&won);
    /// assert!(best.iter().all(|&mv| won.is_legal(mv)) && !best.is_empty());
    /// ```
    pub fn best_moves(&self, position: &Position) -> Vec<Move> {
        let Some(outcome) = self.outcome(position) else { return vec![] };
        let keeps = |mv: &Move| self.outcome_after(&position.play(*mv)) == Some(outcome);
        let mut moves: Vec<Move> = position.legal_moves().into_iter().filter(keeps).collect();
        moves.sort_by_cached_key(|&mv| {
            let plies = self.plies_after(position, mv).map_or(i32::MAX, i32::from);
            if outcome == Outcome::Loss { -plies } else { plies }
        });
        moves
    }

    /// Returns the outcome for the side that has just moved.
    fn outcome_after(&self, next: &Position) -> Option<Outcome> {
        if next.has_legal_move() { self.outcome(next).map(Outcome::swapped) } else { Some(Outcome::Win) }
    }

    /// Returns the plies that are left after a move: none if it captures or ends the game.
    fn plies_after(&self, position: &Position, mv: Move) -> Option<u16> {
        let next = position.play(mv);
        if position.is_capture(mv) || !next.has_legal_move() { Some(0) } else { self.distance(&next) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_is_one_ply_longer_than_the_loss_behind_its_best_move() {
        let tables = Tables::embedded();
        let mut position = Position::from_fen("4k4/9/9/9/9/9/9/R8/9/3K5 w").unwrap();
        let mut left = tables.plies_to_conversion(&position).unwrap();
        assert!(left >= 3, "{left}");
        while let Some(&mv) = tables.best_moves(&position).first() {
            position = position.play(mv);
            left -= 1;
            if position.has_legal_move() {
                assert_eq!(tables.plies_to_conversion(&position), Some(left), "{position:?}");
            }
        }
        assert_eq!(left, 0, "the game ends when the table says");
        assert!(tables.best_moves(&Position::start()).is_empty());
        assert_eq!(tables.plies_to_conversion(&Position::start()), None);
    }
}
