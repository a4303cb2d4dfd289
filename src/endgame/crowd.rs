//! Indexing of identical attackers: the set of their squares as one number.
//!
//! The numbers are those of the combinatorial number system: `C(a, 3) + C(b, 2) + C(c, 1)` for the set `a > b > c`.

use super::defence::{NOWHERE, places};
use crate::board::{Kind, RANKS, SQUARES, Side, Square};

/// Squares of a pawn: all beyond the river, and two on each of five files before it.
const PAWN_SQUARES: [Square; 55] = {
    let mut squares = [Square::new(0, 0); 55];
    let (mut index, mut place) = (0, 0);
    while index < SQUARES {
        let square = Square::from_bit(index as u32);
        if square.is_across_river(Side::Red) || square.rank() >= RANKS / 2 - 2 && square.file().is_multiple_of(2) {
            squares[place] = square;
            place += 1;
        }
        index += 1;
    }
    assert!(place == squares.len());
    squares
};

const PAWN_PLACES: [u8; SQUARES] = places(PAWN_SQUARES);

/// Most pieces of one kind.
pub(super) const MOST: usize = 5;

/// Identical pieces: several of one kind and side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Crowd {
    pub(super) side: Side,
    pub(super) kind: Kind,
    pub(super) count: usize,
}

impl Crowd {
    /// Number of squares on which one of them can stand.
    fn squares(self) -> u64 {
        (if self.kind == Kind::Pawn { PAWN_SQUARES.len() } else { SQUARES }) as u64
    }

    /// Count of sets: the numbers are below it.
    pub(super) fn size(self) -> u64 {
        choose(self.squares(), self.count)
    }

    /// Returns the place of a square among those of the kind; `None` for other squares.
    fn place(self, square: Square) -> Option<u8> {
        let square = square.seen_by(self.side);
        match self.kind {
            Kind::Pawn => Some(PAWN_PLACES[square.index()]).filter(|&place| place != NOWHERE),
            // There are ninety squares.
            _ => Some(square.index() as u8),
        }
    }

    fn square(self, place: u8) -> Square {
        let square = match self.kind {
            Kind::Pawn => PAWN_SQUARES[usize::from(place)],
            _ => Square::from_bit(place.into()),
        };
        square.seen_by(self.side)
    }

    /// Returns the number of a set of squares, given in any order; `None` if the kind cannot stand on one of them.
    pub(super) fn number(self, squares: &[Square]) -> Option<u64> {
        if let &[square] = squares {
            return self.place(square).map(u64::from);
        }
        let mut places = [0; MOST];
        for (place, &square) in places.iter_mut().zip(squares) {
            *place = self.place(square)?;
        }
        let places = &mut places[..squares.len()];
        places.sort_unstable();
        Some((1..).zip(places).map(|(count, &mut place)| choose(place.into(), count)).sum())
    }

    /// Passes the squares of a number to `take`, in no particular order.
    pub(super) fn locate(self, number: u64, mut take: impl FnMut(Square)) {
        let mut rest = number;
        let mut above = self.squares();
        for count in (1..=self.count).rev() {
            let place = last_fitting(above, count, rest);
            rest -= choose(place, count);
            above = place;
            // Smaller than ninety.
            take(self.square(place as u8));
        }
    }
}

/// Returns the greatest place below `above` with `choose(place, count) <= rest`.
fn last_fitting(above: u64, count: usize, rest: u64) -> u64 {
    if count == 1 {
        return rest;
    }
    let (mut low, mut high) = (0, above);
    while high - low > 1 {
        let middle = low.midpoint(high);
        if choose(middle, count) <= rest { low = middle } else { high = middle }
    }
    low
}

/// Binomial coefficient: the number of sets of `k` among `n` elements.
const fn choose(n: u64, k: usize) -> u64 {
    match k {
        0 => 1,
        1 => n,
        2 => n * n.saturating_sub(1) / 2,
        _ => {
            let mut product = 1;
            let mut factor = 0;
            while factor < k as u64 {
                product = product * n.saturating_sub(factor) / (factor + 1);
                factor += 1;
            }
            product
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Bitboard;

    #[test]
    fn every_set_of_squares_has_its_number() {
        for (kind, count, size) in [
            (Kind::Rook, 1, 90),
            (Kind::Cannon, 2, 4005),
            (Kind::Pawn, 1, 55),
            (Kind::Pawn, 2, 1485),
            (Kind::Pawn, 3, 26235),
        ] {
            for side in Side::ALL {
                let crowd = Crowd { side, kind, count };
                assert_eq!(crowd.size(), size);
                for number in 0..size {
                    let mut squares = vec![];
                    crowd.locate(number, |square| squares.push(square));
                    assert_eq!(squares.iter().copied().collect::<Bitboard>().count() as usize, count);
                    assert_eq!(crowd.number(&squares), Some(number));
                    squares.reverse();
                    assert_eq!(crowd.number(&squares), Some(number));
                }
            }
        }
        assert_eq!(Crowd { side: Side::Red, kind: Kind::Pawn, count: 5 }.size(), 3_478_761);
    }

    #[test]
    fn pawns_stand_where_they_can_have_walked() {
        let pawn = |side| Crowd { side, kind: Kind::Pawn, count: 1 };
        let may = |side, text: &str| pawn(side).number(&[text.parse().unwrap()]).is_some();
        assert!(may(Side::Red, "a3") && may(Side::Red, "i4") && may(Side::Red, "b5") && may(Side::Red, "e9"));
        assert!(!may(Side::Red, "b4") && !may(Side::Red, "a2") && !may(Side::Red, "e0"));
        assert!(may(Side::Black, "a6") && !may(Side::Black, "b5") && may(Side::Black, "b4") && !may(Side::Black, "e9"));
    }
}
