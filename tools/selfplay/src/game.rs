//! Finished games and their positions.

use chuhe::board::{Key, Move, Position};
use chuhe_games::game::{Outcome, replay};

/// Largest absolute score usable for training, in centipawns; beyond it, a score says little more than "won".
pub const LARGEST_USABLE_SCORE: i16 = 3000;

/// A finished game from the start position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Number of the game in its run, from 0.
    pub number: u64,
    /// Random opening moves; their positions have no scores.
    pub opening: Vec<Move>,
    /// Moves chosen by the engine, including the last one, which is not played if the game was adjudicated.
    pub moves: Vec<Played>,
    /// Result of the game.
    pub result: Outcome,
    /// Reason for the end of the game.
    pub ending: Ending,
    /// Nodes of all searches except those of openings.
    pub nodes: u64,
    /// Number of openings that were rejected before this one.
    pub rejected: u32,
}

/// A move chosen by the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// The move.
    pub mv: Move,
    /// Score of the search for the mover: centipawns, or a mate or ban as encoded by [`chuhe::score::Score::raw`].
    pub score: i16,
}

/// Reason for the end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// Checkmate of the side to move.
    Checkmate,
    /// Stalemate of the side to move, which loses.
    Stalemate,
    /// Repetition, lost by the side to blame or drawn.
    Repetition,
    /// Move limit: too many moves without a capture.
    MoveLimit,
    /// Neither side has a piece left that can cross the river.
    NoAttackers,
    /// Adjudication: both sides' searches agreed long enough that one side was winning.
    Won,
    /// Adjudication: both sides' searches agreed long enough that the game was level.
    Level,
    /// Limit of plies reached.
    TooLong,
}

impl Ending {
    /// All endings, in the order of their numbers in files.
    pub const ALL: [Self; 8] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::Repetition,
        Self::MoveLimit,
        Self::NoAttackers,
        Self::Won,
        Self::Level,
        Self::TooLong,
    ];

    /// Short name for users.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "mate",
            Self::Stalemate => "stalemate",
            Self::Repetition => "repetition",
            Self::MoveLimit => "move limit",
            Self::NoAttackers => "no attackers",
            Self::Won => "adjudicated won",
            Self::Level => "adjudicated level",
            Self::TooLong => "too long",
        }
    }
}

/// A searched position of a game.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// Plies since the start position, random ones included.
    pub ply: usize,
    /// The position.
    pub position: Position,
    /// Move chosen by the engine.
    pub mv: Move,
    /// Score of the search for the mover; see [`Played::score`].
    pub score: i16,
}

/// Usability of a position for training.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// Usable.
    Usable,
    /// The mover is in check.
    InCheck,
    /// The best move captures.
    Capture,
    /// The score is a mate, a ban or beyond [`LARGEST_USABLE_SCORE`].
    Beyond,
}

impl Use {
    /// Number of uses.
    pub const COUNT: usize = Self::Beyond as usize + 1;
}

impl Game {
    /// Position after the random moves.
    ///
    /// # Panics
    /// If one of them is illegal; [`Game::legal`] checks games of doubtful origin.
    pub fn start(&self) -> Position {
        self.opening.iter().fold(Position::start(), |position, &mv| position.play(mv))
    }

    /// Iterates over the searched positions, in order.
    ///
    /// # Panics
    /// As [`Game::start`]; for other moves when they are reached.
    pub fn turns(&self) -> impl Iterator<Item = Turn> {
        let first = self.opening.len();
        let mut next = self.start();
        self.moves.iter().enumerate().map(move |(index, &Played { mv, score })| {
            let position = next;
            // The last move may not have been played, but it is legal.
            next = position.play(mv);
            Turn { ply: first + index, position, mv, score }
        })
    }

    /// Replays the game: returns the positions before each move and after the last one.
    ///
    /// # Errors
    /// The ply of the first illegal move, and the move.
    pub fn legal(&self) -> Result<Vec<Position>, (usize, Move)> {
        let chosen = self.moves.iter().map(|played| played.mv);
        replay(Position::start(), self.opening.iter().copied().chain(chosen))
    }
}

impl Turn {
    /// Usability of the position for training.
    pub fn usability(&self) -> Use {
        if self.position.in_check() {
            Use::InCheck
        } else if self.position.is_capture(self.mv) {
            Use::Capture
        } else if self.score.unsigned_abs() > LARGEST_USABLE_SCORE.unsigned_abs() {
            Use::Beyond
        } else {
            Use::Usable
        }
    }

    /// Whether the position is usable for training: not in check, best move not a capture, score within
    /// [`LARGEST_USABLE_SCORE`].
    pub fn is_usable(&self) -> bool {
        self.usability() == Use::Usable
    }

    /// Key that is equal for the position and its mirror image.
    pub fn canonical_key(&self) -> Key {
        let (key, mirrored) = (self.position.key(), self.position.mirrored().key());
        if key.0 < mirrored.0 { key } else { mirrored }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn moves(text: &str) -> Vec<Move> {
        text.split_whitespace().map(|mv| mv.parse().unwrap()).collect()
    }

    pub(crate) fn game(opening: &str, played: &[(&str, i16)]) -> Game {
        let played = played.iter().map(|&(mv, score)| Played { mv: mv.parse().unwrap(), score });
        Game {
            number: 3,
            opening: moves(opening),
            moves: played.collect(),
            result: Outcome::Drawn,
            ending: Ending::TooLong,
            nodes: 99,
            rejected: 1,
        }
    }

    #[test]
    fn turns_follow_the_game_and_say_what_they_are_good_for() {
        // The cannon takes a pawn with check, the other one being its screen.
        let game = game("h2e2", &[("h7e7", -20), ("e2e6", 3001), ("d9e8", 10), ("a0a1", -3001), ("a9a8", -3000)]);
        let uses: Vec<Use> = game.turns().map(|turn| turn.usability()).collect();
        assert_eq!(uses, [Use::Usable, Use::Capture, Use::InCheck, Use::Beyond, Use::Usable]);
        let plies: Vec<usize> = game.turns().map(|turn| turn.ply).collect();
        assert_eq!(plies, [1, 2, 3, 4, 5]);
        assert_eq!(game.turns().next().unwrap().position, game.start());
        assert_eq!(game.legal().unwrap()[1..6], game.turns().map(|turn| turn.position).collect::<Vec<_>>());
    }

    #[test]
    fn an_illegal_move_is_found() {
        assert_eq!(game("h2e2", &[("h9g7", 0), ("e2e5", 0)]).legal().unwrap_err(), (2, moves("e2e5")[0]));
    }

    #[test]
    fn mirror_images_count_as_one() {
        let key = |opening| {
            let game = game(opening, &[("e9e8", 0)]);
            game.turns().next().unwrap().canonical_key()
        };
        assert_eq!(key("h2e2"), key("b2e2"));
        assert_ne!(key("h2e2"), key("h2f2"));
    }
}
