//! A move played in one game: the unit of sorting, which other programs may group.

use bytemuck::{Pod, Zeroable};
use chuhe::board::{Move, Position};
use chuhe::book::{Symmetry, canonical};

/// Result of the game for the side that made the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Points {
    /// Unknown.
    Unknown,
    /// Loss.
    Loss,
    /// Draw.
    Draw,
    /// Win.
    Win,
}

impl Points {
    /// All four results, in the order of their numbers in a file.
    pub const ALL: [Self; 4] = [Self::Unknown, Self::Loss, Self::Draw, Self::Win];
}

/// A played move, with fields in sorting order.
///
/// ```text
///  rest:  bit 63 .. 48  47 .. 32  31 .. 16       8        7 .. 0
///            [ move  ]  [ ply  ]  [rating]  [one-sided]  [points]
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Tuple {
    /// Key of the position, from [`canonical`].
    pub key: u64,
    rest: u64,
}

/// Bytes of a tuple in a file.
pub const TUPLE_BYTES: usize = size_of::<Tuple>();
const _: () = assert!(TUPLE_BYTES == 16);

const ONE_SIDED: u64 = 1 << 8;

impl Tuple {
    /// Creates the tuple of a move in the orientation of the book, with its ply from 0 and the mover's rating or 0.
    pub fn new(key: u64, mv: u16, ply: u16, rating: u16, points: Points) -> Self {
        let rest = u64::from(mv) << 48 | u64::from(ply) << 32 | u64::from(rating) << 16 | points as u64;
        Self { key, rest }
    }

    /// Records whether the key keeps Red and Black apart.
    #[must_use]
    fn with_key_of(mut self, symmetry: Symmetry) -> Self {
        self.rest |= if symmetry == Symmetry::Mirror { ONE_SIDED } else { 0 };
        self
    }

    /// Whether the key keeps Red and Black apart.
    pub fn is_one_sided(self) -> bool {
        self.rest & ONE_SIDED != 0
    }

    /// Returns the move as [`Move::bits`], in the orientation of the key's position.
    pub fn mv(self) -> u16 {
        (self.rest >> 48) as u16
    }

    /// Returns the number of plies before the move.
    pub fn ply(self) -> u16 {
        (self.rest >> 32) as u16
    }

    /// Returns the mover's rating, or 0.
    pub fn rating(self) -> u16 {
        (self.rest >> 16) as u16
    }

    /// Returns why this cannot be a played move, if so: it was written by another program.
    pub fn fault(self) -> Option<&'static str> {
        let is_move = Move::from_bits(self.mv()).is_some_and(|mv| !mv.is_promotion());
        if !is_move {
            Some("no move")
        } else if self.rest & 0xFF >= Points::ALL.len() as u64 {
            Some("no result")
        } else if self.rest & 0xFF00 & !ONE_SIDED != 0 {
            Some("something where nothing is")
        } else {
            None
        }
    }

    /// Returns the result for the mover; invalid values of other programs count as unknown.
    pub fn points(self) -> Points {
        Points::ALL.get((self.rest & 0xFF) as usize).copied().unwrap_or(Points::Unknown)
    }
}

/// Returns the tuples of one move. In a position that is its own mirror image, a move and its mirror image are equivalent,
/// so both are entered, and a move that is its own mirror image twice.
pub fn tuples(position: &Position, mv: Move, symmetry: Symmetry, ply: u16, rating: u16, points: Points) -> Vec<Tuple> {
    let (key, frame) = canonical(position, symmetry);
    let tuple = |mv: Move| Tuple::new(key, mv.bits(), ply, rating, points).with_key_of(symmetry);
    let stored = frame.apply(mv);
    if is_own_mirror(position) { vec![tuple(stored), tuple(stored.mirrored())] } else { vec![tuple(stored)] }
}

/// Whether a position is its own mirror image.
pub fn is_own_mirror(position: &Position) -> bool {
    position.occupied().into_iter().all(|square| position.piece_on(square) == position.piece_on(square.mirrored()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tuple_keeps_what_it_is_reported() {
        for points in Points::ALL {
            let tuple = Tuple::new(u64::MAX, 0x1234, 77, 2501, points);
            assert_eq!((tuple.key, tuple.mv(), tuple.ply(), tuple.rating()), (u64::MAX, 0x1234, 77, 2501));
            assert_eq!(tuple.points(), points);
        }
    }

    #[test]
    fn what_is_no_move_or_no_result_is_a_fault() {
        let mv: Move = "h2e2".parse().unwrap();
        let good = Tuple::new(7, mv.bits(), 3, 0, Points::Win);
        assert_eq!(good.fault(), None);
        assert_eq!(Tuple::new(7, u16::MAX, 3, 0, Points::Win).fault(), Some("no move"));
        assert_eq!(Tuple::new(7, 0, 3, 0, Points::Win).fault(), Some("no move"));
        assert_eq!(Tuple { rest: good.rest & !0xFF | 77, ..good }.fault(), Some("no result"));
        assert_eq!(Tuple { rest: good.rest | 0x200, ..good }.fault(), Some("something where nothing is"));
    }

    #[test]
    fn the_start_position_knows_no_left_and_right() {
        let start = Position::start();
        let of = |mv: &str| tuples(&start, mv.parse().unwrap(), Symmetry::MirrorAndColours, 0, 0, Points::Win);
        let (mut left, mut right) = (of("b2e2"), of("h2e2"));
        left.sort();
        right.sort();
        assert_eq!(left, right);
        assert_eq!(of("e3e4").len(), 2);
        let next = start.play("h2e2".parse().unwrap());
        let reply = tuples(&next, "h9g7".parse().unwrap(), Symmetry::MirrorAndColours, 1, 0, Points::Loss);
        assert_eq!(reply.len(), 1);
    }
}
