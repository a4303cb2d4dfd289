//! Games out of PGN.

use super::read::{PgnGame, PgnReader};
use crate::game::{Faulty, Game, Outcome};

/// The games of a decoded text, those that do not replay among them.
pub fn games(text: &str) -> Vec<Result<Game, Faulty>> {
    PgnReader::new(text).map(|game| game.map(Game::from).map_err(|fault| fault.to_string())).collect()
}

impl From<PgnGame> for Game {
    fn from(game: PgnGame) -> Self {
        let rating = |names: [&str; 2]| {
            let value = names.iter().find_map(|name| game.tag(name)).and_then(|value| value.trim().parse().ok());
            value.unwrap_or_default()
        };
        let ratings = [rating(["RedElo", "WhiteElo"]), rating(["BlackElo", "BlackElo"])];
        let result = game.result.as_deref().and_then(Outcome::from_text);
        Self { start: game.start, moves: game.moves, variations: game.variations, result, ratings }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chuhe::board::Side;

    #[test]
    fn results_and_ratings_are_taken_over() {
        let text = "[Red \"a\"]\n[RedElo \"2500\"]\n[BlackElo \"?\"]\n1. h2e2 (1. c3c4) h9g7 0-1\n\n[Result \"1/2-1/2\"]\n1. h2e2\n";
        let games: Vec<_> = games(text).into_iter().map(Result::unwrap).collect();
        assert_eq!(games[0].ratings, [2500, 0]);
        assert_eq!(games[0].result, Some(Outcome::Won(Side::Black)));
        assert_eq!((games[0].moves.len(), games[0].variations.len()), (2, 1));
        assert_eq!(games[1].result, Some(Outcome::Drawn));
    }
}
