//! What WXF and Chinese notation both say of a move: which piece, told by its file or its order, in which direction it
//! goes, and a number. Knows no characters.

use std::cmp::Ordering;

use crate::board::{Bitboard, FILES, Kind, Move, MoveList, Position, Side, Square};

/// A move as its mover sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Description {
    pub(super) kind: Kind,
    pub(super) place: Place,
    pub(super) direction: Direction,
    /// The distance of a move along a file, otherwise the file it reaches.
    pub(super) number: usize,
}

/// Which piece of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// The one on this file, 1..=9 from the mover's right.
    File(usize),
    /// The one with this rank among those that share a file with another.
    Order(Order),
}

/// A place among pieces of one kind that share a file.
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

/// Up to so many pieces on a file, if on no other file several stand, are told by words instead of numbers.
const MOST_ORDER_WORDS: usize = 3;

impl Description {
    /// Describes a legal move so that no other legal move fits.
    pub(super) fn of(position: &Position, mv: Move) -> Self {
        let kind = position.moving_piece(mv).kind();
        let (direction, number) = travel(position.side(), mv);
        Self { kind, place: Place::of(position, kind, mv.from()), direction, number }
    }

    /// The legal moves that fit.
    pub(super) fn moves(&self, position: &Position) -> MoveList {
        let squares = self.place.squares(position, self.kind);
        let fits = |mv: &Move| squares.has(mv.from()) && travel(position.side(), *mv) == (self.direction, self.number);
        position.legal_moves().into_iter().filter(fits).collect()
    }
}

/// Where `mv` goes, as `side` sees it: a promotion sideways to its own file, where nothing else can go.
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

/// 1 for the file at the right hand of `side`, 9 for the one at its left.
pub(super) fn file_number(side: Side, square: Square) -> usize {
    FILES - square.seen_by(side).file()
}

impl Place {
    fn of(position: &Position, kind: Kind, square: Square) -> Self {
        let file = Self::File(file_number(position.side(), square));
        // Of two on a file only the rear one can advance and only the front one can retreat.
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

    /// Where the pieces stand that may be meant.
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
    /// The squares in this order; several if several files have, say, a front piece.
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

/// The mover's pieces of a kind on files where several of them stand: the files from its right, each from its front.
fn crowded_files(position: &Position, kind: Kind) -> Vec<Vec<Square>> {
    let side = position.side();
    let pieces = position.pieces(side, kind);
    let mut crowded: Vec<Vec<Square>> =
        (0..FILES).map(|file| pieces & Bitboard::file(file)).filter(|file| file.many()).map(from_below).collect();
    // `a0` comes first in every set: that is black's right and black's front.
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
