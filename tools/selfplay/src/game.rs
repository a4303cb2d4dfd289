//! What is known of a game once it is over.

use chuhe::board::{Key, Move, Position};

/// Scores beyond this say little more than "won", in centipawns.
pub const LARGEST_USABLE_SCORE: i16 = 3000;

/// A finished game from the start position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Which one of its run, from 0.
    pub number: u64,
    /// The random moves it began with; their positions have no scores.
    pub opening: Vec<Move>,
    /// The moves that the engine chose, also the one that was not played any more when the game was adjudicated.
    pub moves: Vec<Played>,
    /// Who won.
    pub result: GameResult,
    /// Why.
    pub ending: Ending,
    /// Nodes of all searches but those of openings.
    pub nodes: u64,
    /// Openings that were tried before and rejected.
    pub rejected: u32,
}

/// A move that the engine chose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// The move.
    pub mv: Move,
    /// What the search thought of it, for the mover: centipawns, or a mate or ban as [`chuhe::score::Score::raw`] says it.
    pub score: i16,
}

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// Red.
    Red,
    /// Nobody.
    Draw,
    /// Black.
    Black,
}

impl GameResult {
    /// All, by their number in files.
    pub const ALL: [Self; 3] = [Self::Black, Self::Draw, Self::Red];
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// The side to move was mated.
    Checkmate,
    /// It had no legal move, which loses too.
    Stalemate,
    /// A loop: lost by whoever was to blame, or drawn.
    Repetition,
    /// Too many moves without a capture.
    MoveLimit,
    /// Nobody had a piece left that can cross the river.
    NoAttackers,
    /// Both sides' searches agreed long enough that one was winning.
    Won,
    /// They agreed long enough that nobody was.
    Level,
    /// The game was longer than games may be.
    TooLong,
}

impl Ending {
    /// All, by their number in files.
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

    /// In a few words, for people.
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

/// One position of a game that has been searched.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// Plies since the start position, random ones included.
    pub ply: usize,
    /// The position.
    pub position: Position,
    /// The move chosen.
    pub mv: Move,
    /// What the search thought of it, for the mover; see [`Played::score`].
    pub score: i16,
}

/// What a position is good for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// A network can learn from it.
    Usable,
    /// The mover is in check.
    InCheck,
    /// The best move captures.
    Capture,
    /// The score is a mate, a ban or beyond [`LARGEST_USABLE_SCORE`].
    Beyond,
}

impl Game {
    /// The position after the random moves.
    ///
    /// # Panics
    /// If one of them is not legal, which [`Game::legal`] says beforehand of a game of doubtful origin.
    pub fn start(&self) -> Position {
        self.opening.iter().fold(Position::start(), |position, &mv| position.play(mv))
    }

    /// The positions that were searched, in order.
    ///
    /// # Panics
    /// As [`Game::start`], when it comes to the move.
    pub fn turns(&self) -> impl Iterator<Item = Turn> {
        let first = self.opening.len();
        let mut next = self.start();
        self.moves.iter().enumerate().map(move |(index, &Played { mv, score })| {
            let position = next;
            // The last move may not have been played, but it could have been.
            next = position.play(mv);
            Turn { ply: first + index, position, mv, score }
        })
    }

    /// All positions from the start position to the last one that has a move, if all moves are legal.
    ///
    /// # Errors
    /// The ply of the first move that is not legal, and the move.
    pub fn legal(&self) -> Result<Vec<Position>, (usize, Move)> {
        let mut positions = Vec::with_capacity(self.opening.len() + self.moves.len());
        let mut position = Position::start();
        let moves = self.opening.iter().copied().chain(self.moves.iter().map(|played| played.mv));
        for (ply, mv) in moves.enumerate() {
            if !position.is_legal(mv) {
                return Err((ply, mv));
            }
            positions.push(position);
            position = position.play(mv);
        }
        Ok(positions)
    }
}

impl Turn {
    /// What the position is good for.
    pub fn purpose(&self) -> Use {
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

    /// Whether a network can learn from it: not in check, best move no capture, score not beyond
    /// [`LARGEST_USABLE_SCORE`].
    pub fn is_usable(&self) -> bool {
        self.purpose() == Use::Usable
    }

    /// The same for the position and its mirror image.
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
            result: GameResult::Draw,
            ending: Ending::TooLong,
            nodes: 99,
            rejected: 1,
        }
    }

    #[test]
    fn turns_follow_the_game_and_say_what_they_are_good_for() {
        // The cannon takes a pawn with check, the other one being its screen.
        let game = game("h2e2", &[("h7e7", -20), ("e2e6", 3001), ("d9e8", 10), ("a0a1", -3001), ("a9a8", -3000)]);
        let uses: Vec<Use> = game.turns().map(|turn| turn.purpose()).collect();
        assert_eq!(uses, [Use::Usable, Use::Capture, Use::InCheck, Use::Beyond, Use::Usable]);
        let plies: Vec<usize> = game.turns().map(|turn| turn.ply).collect();
        assert_eq!(plies, [1, 2, 3, 4, 5]);
        assert_eq!(game.turns().next().unwrap().position, game.start());
        assert_eq!(game.legal().unwrap()[1..], game.turns().map(|turn| turn.position).collect::<Vec<_>>());
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
