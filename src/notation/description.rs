//! Description of a move, common to WXF and Chinese notation: the piece, named by its file or its order, its direction, and a
//! number. Free of characters.

use std::cmp::Ordering;

use crate::board::{Bitboard, FILES, Kind, Move, MoveList, Position, Side, Square};

/// A move from its mover's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Description {
    pub(super) kind: Kind,
    pub(super) place: Place,
    pub(super) direction: Direction,
    /// The distance of a move along a file, otherwise the file that it reaches.
    pub(super) number: usize,
}

/// Name of a piece among those of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// The one on this file, 1..=9 from the mover's right.
    File(usize),
    /// The one with this order among those that share a file with another.
    Order(Order),
}

/// Order of a piece among those of its kind that share a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    Front,
    Middle,
    Rear,
    /// Counted from 1 over all files with several such pieces: the files from the right, each from its front.
    Nth(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Forward,
    Back,
    Sideways,
}

/// Maximum number of pieces on a file that are named by words instead of numbers, if no other file has several.
const MOST_ORDER_WORDS: usize = 3;

impl Description {
    /// Describes a legal move so that no other legal move fits.
    pub(super) fn of(position: &Position, mv: Move) -> Self {
        let kind = position.moving_piece(mv).kind();
        let (direction, number) = travel(position.side(), mv);
        Self { kind, place: Place::of(position, kind, mv.from()), direction, number }
    }

    /// Returns the legal moves that fit.
    pub(super) fn moves(&self, position: &Position) -> MoveList {
        let squares = self.place.squares(position, self.kind);
        let fits = |mv: &Move| squares.has(mv.from()) && travel(position.side(), *mv) == (self.direction, self.number);
        position.legal_moves().into_iter().filter(fits).collect()
    }
}

/// Returns direction and number of `mv` from `side`'s point of view. A promotion goes sideways to its own file, as nothing else
/// can.
fn travel(side: Side, mv: Move) -> (Direction, usize) {
    let (from, to) = (mv.from().seen_by(side), mv.to().seen_by(side));
    let direction = match to.rank().cmp(&from.rank()) {
        Ordering::Greater => Direction::Forward,
        Ordering::Less => Direction::Back,
        Ordering::Equal => return (Direction::Sideways, file_number(side, mv.to())),
    };
    let along_the_file = from.file() == to.file();
    (direction, if along_the_file { to.rank().abs_diff(from.rank()) } else { file_number(side, mv.to()) })
}

/// Returns the number of a file: 1 at the right hand of `side`, 9 at its left.
pub(super) fn file_number(side: Side, square: Square) -> usize {
    FILES - square.seen_by(side).file()
}

impl Place {
    fn of(position: &Position, kind: Kind, square: Square) -> Self {
        let file = Self::File(file_number(position.side(), square));
        // On a file with two of them only the rear one can advance and only the front one can retreat.
        if matches!(kind, Kind::Advisor | Kind::Elephant) {
            return file;
        }
        let crowded = crowded_files(position, kind);
        let Some(index) = crowded.iter().flatten().position(|&other| other == square) else { return file };
        Self::Order(match &crowded[..] {
            [only] if only.len() <= MOST_ORDER_WORDS => match index {
                0 => Order::Front,
                _ if index + 1 == only.len() => Order::Rear,
                _ => Order::Middle,
            },
            _ => Order::Nth(index + 1),
        })
    }

    /// Returns the squares of the pieces that may be meant.
    fn squares(self, position: &Position, kind: Kind) -> Bitboard {
        let side = position.side();
        match self {
            Self::File(file) => {
                position.pieces(side, kind).into_iter().filter(|&square| file_number(side, square) == file).collect()
            }
            Self::Order(order) => order.among(&crowded_files(position, kind)),
        }
    }
}

impl Order {
    /// Returns the squares in this order; several if several files have, say, a front piece.
    fn among(self, crowded: &[Vec<Square>]) -> Bitboard {
        match self {
            Self::Front => crowded.iter().filter_map(|file| file.first()).copied().collect(),
            Self::Middle => {
                crowded.iter().filter(|file| file.len() % 2 == 1).map(|file| file[file.len() / 2]).collect()
            }
            Self::Rear => crowded.iter().filter_map(|file| file.last()).copied().collect(),
            Self::Nth(number) => crowded.iter().flatten().copied().skip(number - 1).take(1).collect(),
        }
    }
}

/// Returns the mover's pieces of a kind on files with several of them: the files from its right, each from its front.
fn crowded_files(position: &Position, kind: Kind) -> Vec<Vec<Square>> {
    let side = position.side();
    let pieces = position.pieces(side, kind);
    let mut crowded: Vec<Vec<Square>> =
        (0..FILES).map(|file| pieces & Bitboard::file(file)).filter(|file| file.many()).map(from_below).collect();
    // `a0` comes first in every set: that is Black's right and Black's front.
    match side {
        Side::Black => {}
        Side::Red => {
            crowded.reverse();
            crowded.iter_mut().for_each(|file| file.reverse());
        }
    }
    crowded
}

fn from_below(squares: Bitboard) -> Vec<Square> {
    squares.into_iter().collect()
}

#[cfg(test)]
pub(super) mod tests {
    use crate::board::{Move, Position};
    use crate::notation::{Meaning, Notation, write};

    /// Checks shared by the tests of WXF and of Chinese notation.
    pub(in crate::notation) struct Spelling(pub(in crate::notation) Notation);

    impl Spelling {
        /// Returns the moves that `text` may mean, in coordinates.
        #[track_caller]
        pub(in crate::notation) fn meaning(&self, position: &Position, text: &str) -> String {
            let meaning = Meaning::parse(text, self.0).unwrap_or_else(|| panic!("{text} is readable"));
            meaning.moves(position).iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
        }

        /// Checks that every move is written as its first spelling and read from each.
        #[track_caller]
        pub(in crate::notation) fn check(&self, fen: &str, spellings: &[(&str, &[&str])]) {
            let position = Position::from_fen(fen).unwrap();
            for (mv, texts) in spellings {
                assert_eq!(write(&position, mv.parse().unwrap(), self.0), texts[0]);
                for text in *texts {
                    assert_eq!(self.meaning(&position, text), *mv, "{text}");
                }
            }
        }
    }
}
