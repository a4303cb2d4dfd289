//! One move that was played once: what the sort sorts and what other programs may group.

use bytemuck::{Pod, Zeroable};
use chuhe::board::{Move, Position};
use chuhe::book::{Symmetry, canonical};

/// How the game ended for the side that made the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Points {
    /// Not known.
    Unknown,
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Won.
    Win,
}

impl Points {
    /// All four, in the order of their numbers in a file.
    pub const ALL: [Self; 4] = [Self::Unknown, Self::Loss, Self::Draw, Self::Win];
}

/// A move as it was played, in the order in which it is sorted.
///
/// ```text
///  rest:  bit 63 .. 48  47 .. 32  31 .. 16       8        7 .. 0
///            [ move  ]  [ ply  ]  [rating]  [one-sided]  [points]
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Tuple {
    /// Of the position, from [`canonical`].
    pub key: u64,
    rest: u64,
}

/// Bytes of a tuple in a file.
pub const TUPLE_BYTES: usize = size_of::<Tuple>();
const _: () = assert!(TUPLE_BYTES == 16);

const ONE_SIDED: u64 = 1 << 8;

impl Tuple {
    /// A move of a position in a book's own orientation, its ply from 0, the mover's rating or 0.
    pub fn new(key: u64, mv: u16, ply: u16, rating: u16, points: Points) -> Self {
        let rest = u64::from(mv) << 48 | u64::from(ply) << 32 | u64::from(rating) << 16 | points as u64;
        Self { key, rest }
    }

    /// The same with a note of how its key was made.
    #[must_use]
    fn with_key_of(mut self, symmetry: Symmetry) -> Self {
        self.rest |= if symmetry == Symmetry::Mirror { ONE_SIDED } else { 0 };
        self
    }

    /// Whether its key keeps red and black apart.
    pub fn is_one_sided(self) -> bool {
        self.rest & ONE_SIDED != 0
    }

    /// [`Move::bits`] of the move as the key's position sees it.
    pub fn mv(self) -> u16 {
        (self.rest >> 48) as u16
    }

    /// Plies of the game before it.
    pub fn ply(self) -> u16 {
        (self.rest >> 32) as u16
    }

    /// The mover's rating, or 0.
    pub fn rating(self) -> u16 {
        (self.rest >> 16) as u16
    }

    /// What no move that was played can look like, if this does: another program has written it.
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

    /// How the game ended for the mover; what another program has written there counts as unknown.
    pub fn points(self) -> Points {
        Points::ALL.get((self.rest & 0xFF) as usize).copied().unwrap_or(Points::Unknown)
    }
}

/// The tuples of one move. In a position that is its own mirror a move and its mirror are the same, so both are
/// entered, and a move that is its own mirror twice.
pub fn tuples(position: &Position, mv: Move, symmetry: Symmetry, ply: u16, rating: u16, points: Points) -> Vec<Tuple> {
    let (key, frame) = canonical(position, symmetry);
    let tuple = |mv: Move| Tuple::new(key, mv.bits(), ply, rating, points).with_key_of(symmetry);
    let stored = frame.apply(mv);
    if is_own_mirror(position) { vec![tuple(stored), tuple(stored.mirrored())] } else { vec![tuple(stored)] }
}

/// Whether left and right make no difference.
pub fn is_own_mirror(position: &Position) -> bool {
    position.occupied().into_iter().all(|square| position.piece_on(square) == position.piece_on(square.mirrored()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tuple_keeps_what_it_is_told() {
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
