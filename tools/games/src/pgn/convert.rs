//! Conversion of PGN games to those of any format.

use super::read::PgnGame;
use crate::game::{Game, Outcome};

impl From<PgnGame> for Game {
    fn from(game: PgnGame) -> Self {
        let rating = |names: &[&str]| {
            let value = names.iter().find_map(|name| game.tag(name)).and_then(|value| value.trim().parse().ok());
            value.unwrap_or_default()
        };
        let ratings = [rating(&["RedElo", "WhiteElo"]), rating(&["BlackElo"])];
        let player =
            |names: &[&str]| names.iter().find_map(|name| game.tag(name)).unwrap_or_default().trim().to_owned();
        let players = [player(&["Red", "White"]), player(&["Black"])];
        let result = game.result.as_deref().and_then(Outcome::from_text);
        let message = |(ply, error)| format!("line {}: a variation breaks off at ply {ply}: {error}", game.line);
        let broken = game.broken.into_iter().map(message).collect();
        Self {
            start: game.start,
            moves: game.moves,
            variations: game.variations,
            broken,
            result,
            players,
            ratings,
            comments: vec![],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::read::PgnReader;
    use chuhe::board::Side;

    fn games(text: &str) -> Vec<Game> {
        PgnReader::new(text).map(|game| game.unwrap().into()).collect()
    }

    #[test]
    fn results_and_ratings_are_taken_over() {
        let text = "[Red \"a\"]\n[RedElo \"2500\"]\n[BlackElo \"?\"]\n1. h2e2 (1. c3c4) h9g7 0-1\n\n[Result \"1/2-1/2\"]\n1. h2e2\n";
        let games = games(text);
        assert_eq!(games[0].ratings, [2500, 0]);
        assert_eq!(games[0].players, ["a".to_owned(), String::new()]);
        assert_eq!(games[0].result, Some(Outcome::Won(Side::Black)));
        assert_eq!((games[0].moves.len(), games[0].variations.len()), (2, 1));
        assert_eq!(games[1].result, Some(Outcome::Drawn));
    }

    #[test]
    fn a_variation_that_breaks_off_is_reported_and_a_comment_is_not() {
        let text =
            "[Red \"a\"]\n1. h2e2 (1. c3c4 c6c5 2. a0a9 i3i4) (a good move) h9g7 (1... g6g5 (1... z9z9) 2. h2h2) *\n";
        let game = games(text).remove(0);
        assert_eq!(game.variations.iter().map(|line| line.moves.len()).collect::<Vec<_>>(), [2, 1]);
        assert_eq!(game.broken.len(), 2, "{:?}", game.broken);
        for (message, ply) in game.broken.iter().zip([3, 3]) {
            assert!(message.starts_with(&format!("line 1: a variation breaks off at ply {ply}: ")), "{message}");
        }
    }
}
