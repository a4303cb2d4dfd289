//! Defences: placements of a king with its advisors and elephants, 3339 in nine classes, numbered so that the number alone tells
//! a placement from its mirror image. Squares are relative to the side that owns them.

use std::array;
use std::sync::LazyLock;

use crate::board::{Bitboard, Kind, SQUARES, Side, Square};

/// Squares of the king: the nine of a palace.
const KING_SQUARES: [Square; 9] = squares([(3, 0), (4, 0), (5, 0), (3, 1), (4, 1), (5, 1), (3, 2), (4, 2), (5, 2)]);
/// Squares of advisors.
const ADVISOR_SQUARES: [Square; 5] = squares([(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)]);
/// Squares of elephants.
const ELEPHANT_SQUARES: [Square; 7] = squares([(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)]);

/// Most of each kind of defender.
const MOST: u8 = 2;
const COUNTS: usize = MOST as usize + 1;

const ADVISOR_SETS: usize = 1 << ADVISOR_SQUARES.len();
const ELEPHANT_SETS: usize = 1 << ELEPHANT_SQUARES.len();
/// Marks a square on which the kind cannot stand, or an impossible placement.
pub(super) const NOWHERE: u8 = u8::MAX;
const NO_NUMBER: u16 = u16::MAX;

const fn squares<const N: usize>(places: [(usize, usize); N]) -> [Square; N] {
    let mut squares = [Square::new(0, 0); N];
    let mut at = 0;
    while at < N {
        squares[at] = Square::new(places[at].0, places[at].1);
        at += 1;
    }
    squares
}

/// Returns the place in `list` of every square of the board.
pub(super) const fn places<const N: usize>(list: [Square; N]) -> [u8; SQUARES] {
    let mut places = [NOWHERE; SQUARES];
    let mut at = 0;
    while at < N {
        places[list[at].index()] = at as u8;
        at += 1;
    }
    places
}

const KING_PLACES: [u8; SQUARES] = places(KING_SQUARES);
const ADVISOR_PLACES: [u8; SQUARES] = places(ADVISOR_SQUARES);
const ELEPHANT_PLACES: [u8; SQUARES] = places(ELEPHANT_SQUARES);

/// Placement of a king and its defenders.
///
/// The king's square is a number in `0..9`; advisors and elephants have a bit for each square on which one can stand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Defence {
    king: u8,
    advisors: u8,
    elephants: u8,
}

impl Defence {
    /// Creates the defence of these pieces; `None` if one of them stands where its kind cannot.
    pub fn new(side: Side, king: Square, advisors: Bitboard, elephants: Bitboard) -> Option<Self> {
        let king = KING_PLACES[king.seen_by(side).index()];
        let set = |squares: Bitboard, places: &[u8; SQUARES]| {
            squares.into_iter().try_fold(0, |set, square| match places[square.seen_by(side).index()] {
                NOWHERE => None,
                place => Some(set | 1 << place),
            })
        };
        let (advisors, elephants) = (set(advisors, &ADVISOR_PLACES)?, set(elephants, &ELEPHANT_PLACES)?);
        (king != NOWHERE).then_some(Self { king, advisors, elephants })
    }

    /// Returns the king's square on the board, if the defence is `side`'s.
    pub fn king(self, side: Side) -> Square {
        KING_SQUARES[usize::from(self.king)].seen_by(side)
    }

    /// Returns the squares of a kind on the board; empty for kinds other than king, advisor and elephant.
    pub fn squares(self, side: Side, kind: Kind) -> Bitboard {
        let sets = &SETS[side.index()];
        match kind {
            Kind::King => Bitboard::of(self.king(side)),
            Kind::Advisor => sets.advisors[usize::from(self.advisors)],
            Kind::Elephant => sets.elephants[usize::from(self.elephants)],
            Kind::Horse | Kind::Rook | Kind::Cannon | Kind::Pawn => Bitboard::EMPTY,
        }
    }

    /// Returns the squares of all pieces; `None` if two pieces share a square.
    pub fn occupied(self, side: Side) -> Option<Bitboard> {
        let (king, advisors) = (Bitboard::of(self.king(side)), self.squares(side, Kind::Advisor));
        let elephants = self.squares(side, Kind::Elephant);
        (king & (advisors | elephants)).is_empty().then_some(king | advisors | elephants)
    }

    /// Returns the defence with the piece of `kind` moved from `from` to `to`, which must be a square of that kind.
    #[must_use]
    pub fn moved(mut self, side: Side, kind: Kind, from: Square, to: Square) -> Self {
        let (from, to) = (from.seen_by(side).index(), to.seen_by(side).index());
        match kind {
            Kind::King => self.king = KING_PLACES[to],
            Kind::Advisor => self.advisors ^= 1 << ADVISOR_PLACES[from] | 1 << ADVISOR_PLACES[to],
            Kind::Elephant => self.elephants ^= 1 << ELEPHANT_PLACES[from] | 1 << ELEPHANT_PLACES[to],
            Kind::Horse | Kind::Rook | Kind::Cannon | Kind::Pawn => {}
        }
        self
    }

    /// Returns the defence without the advisor or elephant on `square`.
    #[must_use]
    pub fn without(mut self, side: Side, square: Square) -> Self {
        let bit = |places: &[u8; SQUARES]| match places[square.seen_by(side).index()] {
            NOWHERE => 0,
            place => 1 << place,
        };
        self.advisors &= !bit(&ADVISOR_PLACES);
        self.elephants &= !bit(&ELEPHANT_PLACES);
        self
    }

    /// Returns the mirror image, with left and right exchanged.
    #[must_use]
    pub fn mirrored(self) -> Self {
        let turned = |set: u8, list: &[Square], places: &[u8; SQUARES]| {
            let bits = list.iter().enumerate().filter(|(place, _)| set >> place & 1 != 0);
            bits.fold(0, |set, (_, square)| set | 1 << places[square.mirrored().index()])
        };
        Self {
            king: KING_PLACES[KING_SQUARES[usize::from(self.king)].mirrored().index()],
            advisors: turned(self.advisors, &ADVISOR_SQUARES, &ADVISOR_PLACES),
            elephants: turned(self.elephants, &ELEPHANT_SQUARES, &ELEPHANT_PLACES),
        }
    }

    /// Returns the number within its class: the defences with as many advisors and elephants.
    pub fn number(self) -> u32 {
        let at = (usize::from(self.king) * ADVISOR_SETS + usize::from(self.advisors)) * ELEPHANT_SETS;
        u32::from(NUMBERS.of[at + usize::from(self.elephants)])
    }

    fn class(self) -> (usize, usize) {
        (self.advisors.count_ones() as usize, self.elephants.count_ones() as usize)
    }
}

/// Sets of squares on the board, by the bits of a [`Defence`].
struct Sets {
    advisors: [Bitboard; ADVISOR_SETS],
    elephants: [Bitboard; ELEPHANT_SETS],
}

static SETS: [Sets; 2] = [sets(Side::Red), sets(Side::Black)];

const fn sets(side: Side) -> Sets {
    Sets { advisors: boards(&ADVISOR_SQUARES, side), elephants: boards(&ELEPHANT_SQUARES, side) }
}

const fn boards<const N: usize>(list: &[Square], side: Side) -> [Bitboard; N] {
    let mut boards = [Bitboard::EMPTY; N];
    let mut set = 0;
    while set < N {
        let mut place = 0;
        while place < list.len() {
            if set >> place & 1 != 0 {
                boards[set] = boards[set].with(list[place].seen_by(side));
            }
            place += 1;
        }
        set += 1;
    }
    boards
}

/// Class of defences: all placements of a king with given counts of advisors and elephants.
///
/// The placements that lean to the left come first, then the symmetric ones, then the mirror images of the first, in their order.
#[derive(Clone, Debug)]
pub(super) struct Class {
    placements: Vec<Defence>,
    left: u32,
}

impl Class {
    /// Returns the class with these counts; more than two of a kind count as two.
    pub(super) fn of(advisors: u8, elephants: u8) -> &'static Self {
        &NUMBERS.classes[usize::from(advisors.min(MOST))][usize::from(elephants.min(MOST))]
    }

    /// Number of placements.
    pub(super) fn size(&self) -> u32 {
        // A few thousand.
        self.placements.len() as u32
    }

    /// Number of placements that lean to the left; equally many lean to the right.
    pub(super) fn left(&self) -> u32 {
        self.left
    }

    /// Number of symmetric placements, which are their own mirror image.
    pub(super) fn symmetric(&self) -> u32 {
        self.size() - 2 * self.left
    }

    /// Returns the placement with a number.
    pub(super) fn placement(&self, number: u32) -> Defence {
        self.placements[number as usize]
    }

    /// Returns the number of the mirror image of a placement.
    pub(super) fn mirrored(&self, number: u32) -> u32 {
        let right = self.size() - self.left;
        if number < self.left {
            number + right
        } else if number < right {
            number
        } else {
            number - right
        }
    }
}

struct Numbers {
    classes: [[Class; COUNTS]; COUNTS],
    /// Numbers of the placements, indexed by king, advisors and elephants.
    of: Vec<u16>,
}

static NUMBERS: LazyLock<Numbers> = LazyLock::new(Numbers::count);

impl Numbers {
    fn count() -> Self {
        let classes = array::from_fn(|advisors| array::from_fn(|elephants| Class::new(advisors, elephants)));
        let mut of = vec![NO_NUMBER; KING_SQUARES.len() * ADVISOR_SETS * ELEPHANT_SETS];
        for class in classes.iter().flatten() {
            for (number, defence) in (0..).zip(&class.placements) {
                let sets = usize::from(defence.king) * ADVISOR_SETS + usize::from(defence.advisors);
                of[sets * ELEPHANT_SETS + usize::from(defence.elephants)] = number;
            }
        }
        Self { classes, of }
    }
}

impl Class {
    fn new(advisors: usize, elephants: usize) -> Self {
        let class = || all().filter(|defence| defence.class() == (advisors, elephants));
        let left: Vec<Defence> = class().filter(|defence| *defence < defence.mirrored()).collect();
        let symmetric = class().filter(|defence| *defence == defence.mirrored()).collect();
        let right = left.iter().map(|defence| defence.mirrored()).collect();
        Self { left: left.len() as u32, placements: [left, symmetric, right].concat() }
    }
}

/// Returns all placements of all classes.
fn all() -> impl Iterator<Item = Defence> {
    let sets = |size: usize| (0_u8..).take(size).filter(|set| set.count_ones() <= u32::from(MOST));
    (0_u8..).take(KING_SQUARES.len()).flat_map(move |king| {
        sets(ADVISOR_SETS).flat_map(move |advisors| {
            let defences = sets(ELEPHANT_SETS).map(move |elephants| Defence { king, advisors, elephants });
            defences.filter(|defence| defence.occupied(Side::Red).is_some())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_placements_as_the_squares_allow() {
        let sizes = [0, 1, 2].map(|advisors| [0, 1, 2].map(|elephants| Class::of(advisors, elephants).size()));
        assert_eq!(sizes, [[9, 62, 183], [40, 275, 810], [70, 480, 1410]]);
        assert_eq!(sizes.iter().flatten().sum::<u32>(), 3339);
    }

    #[test]
    fn every_placement_has_its_number_and_its_mirror() {
        for (advisors, elephants) in (0..=2).flat_map(|advisors| [0, 1, 2].map(|elephants| (advisors, elephants))) {
            let class = Class::of(advisors, elephants);
            assert_eq!(2 * class.left() + class.symmetric(), class.size());
            for number in 0..class.size() {
                let defence = class.placement(number);
                assert_eq!(defence.number(), number);
                assert_eq!(defence.mirrored().number(), class.mirrored(number));
                assert_eq!(class.mirrored(class.mirrored(number)), number);
                for side in Side::ALL {
                    let squares = |kind| defence.squares(side, kind);
                    let (king, pieces) = (defence.king(side), [Kind::Advisor, Kind::Elephant].map(squares));
                    assert_eq!(Defence::new(side, king, pieces[0], pieces[1]), Some(defence));
                    assert_eq!(pieces.map(Bitboard::count), [u32::from(advisors), u32::from(elephants)]);
                    assert_eq!(defence.occupied(side), Some(pieces[0] | pieces[1] | Bitboard::of(king)));
                    assert!(defence.occupied(side).unwrap().into_iter().all(|square| !square.is_across_river(side)));
                }
            }
        }
    }

    #[test]
    fn men_move_and_vanish() {
        let square = |text: &str| text.parse::<Square>().unwrap();
        let board = |text: &str| text.split(' ').map(square).collect::<Bitboard>();
        let defence = Defence::new(Side::Black, square("e9"), board("d9 e8"), board("c9 e7")).unwrap();
        let moved = defence.moved(Side::Black, Kind::Advisor, square("d9"), square("f7"));
        assert_eq!(moved.squares(Side::Black, Kind::Advisor), board("e8 f7"));
        let moved = defence.moved(Side::Black, Kind::Elephant, square("c9"), square("a7"));
        assert_eq!(moved.squares(Side::Black, Kind::Elephant), board("a7 e7"));
        let moved = defence.moved(Side::Black, Kind::King, square("e9"), square("f9"));
        assert_eq!(moved.king(Side::Black), square("f9"));
        let left = defence.without(Side::Black, square("e7"));
        assert_eq!(left.occupied(Side::Black), Some(board("e9 d9 e8 c9")));
        assert_eq!(Defence::new(Side::Red, square("e9"), board("d0"), board("c0")), None);
        assert_eq!(Defence::new(Side::Red, square("e0"), board("e0"), board("c0")), None);
        assert_eq!(Defence::new(Side::Red, square("e0"), board("d0"), board("c1")), None);
    }
}
