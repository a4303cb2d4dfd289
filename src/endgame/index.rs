//! Placement index: every placement of one material as a number, and back.
//!
//! The two kings with their defenders come first, where mirror images share a number; then the squares of the attackers, crowd by
//! crowd. Where the defenders of both sides are symmetric, a placement and its mirror image have numbers of their own; these are
//! few. Numbers with two pieces on one square are unused.

use arrayvec::ArrayVec;

use super::crowd::{self, Crowd};
use super::defence::{Class, Defence};
use super::material::{ATTACKERS, Material};
use crate::board::{Bitboard, Kind, Piece, Position, Side, Square, Variant};

/// Most attackers in a table.
pub const MOST_ACROSS: usize = 5;

/// Placement: squares of all pieces, with the first side of the material on Red's side of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    /// Kings, advisors and elephants of the first and the second side.
    pub defences: [Defence; 2],
    /// Attackers in the order of [`Index::attackers`]; places after the last one are meaningless.
    pub attackers: [Square; MOST_ACROSS],
}

/// Number of a placement, and its relation to the mirror image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The number, below [`Index::size`].
    pub number: u64,
    /// Whether the number is that of the mirror image, which [`Index::placement`] returns for it.
    pub mirrored: bool,
    /// Whether the defenders are symmetric. The mirror image then has a number of its own, unless the attackers are symmetric
    /// too.
    pub symmetric: bool,
}

/// Index of all placements of one material.
#[derive(Clone, Debug)]
pub struct Index {
    material: Material,
    classes: [&'static Class; 2],
    crowds: ArrayVec<(Crowd, u64), { 2 * ATTACKERS.len() }>,
    size: u64,
}

impl Index {
    /// Creates the index of `material`; `None` if it has more attackers than [`MOST_ACROSS`] or too many placements to number.
    pub fn new(material: Material) -> Option<Self> {
        if usize::from(material.attackers()) > MOST_ACROSS {
            return None;
        }
        let classes = Side::ALL.map(|side| {
            let force = material.force(side);
            Class::of(force.count(Kind::Advisor), force.count(Kind::Elephant))
        });
        let mut crowds = ArrayVec::new();
        for side in Side::ALL {
            for kind in ATTACKERS {
                let count = usize::from(material.force(side).count(kind));
                let crowd = Crowd { side, kind, count };
                if count > 0 {
                    crowds.push((crowd, crowd.size()));
                }
            }
        }
        let [first, second] = classes.map(|class| [class.left(), class.symmetric(), class.size()].map(u64::from));
        let pairs = first[0] * second[2] + first[1] * (second[0] + second[1]);
        let size = crowds.iter().try_fold(pairs, |size, (_, numbers)| size.checked_mul(*numbers))?;
        Some(Self { material, classes, crowds, size })
    }

    /// Returns the material.
    pub fn material(&self) -> Material {
        self.material
    }

    /// Count of numbers: they are below it.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the attackers in the order of their squares in [`Placement`]: the first side's first, the strongest kind first.
    pub fn attackers(&self) -> impl Iterator<Item = (Side, Kind)> {
        self.crowds.iter().flat_map(|(crowd, _)| std::iter::repeat_n((crowd.side, crowd.kind), crowd.count))
    }

    /// Returns the number of a placement; `None` if a pawn stands where none can be.
    pub fn place(&self, placement: &Placement) -> Option<Place> {
        let [first, second] = self.classes;
        let mut numbers = placement.defences.map(Defence::number);
        let ends = [first, second].map(|class| (class.left(), class.left() + class.symmetric()));
        let middle = [0, 1].map(|side| numbers[side] >= ends[side].0 && numbers[side] < ends[side].1);
        let mirrored = numbers[0] >= ends[0].1 || middle[0] && numbers[1] >= ends[1].1;
        if mirrored {
            numbers = [first.mirrored(numbers[0]), second.mirrored(numbers[1])];
        }
        let [a, b] = numbers.map(u64::from);
        let (left, width) = (u64::from(ends[0].0), u64::from(second.size()));
        let pair = if a < left { a * width + b } else { left * width + (a - left) * u64::from(ends[1].1) + b };
        let mut squares = placement.attackers;
        if mirrored {
            squares = squares.map(Square::mirrored);
        }
        let mut number = pair;
        let mut from = 0;
        for (crowd, size) in &self.crowds {
            number = number * size + crowd.number(&squares[from..from + crowd.count])?;
            from += crowd.count;
        }
        Some(Place { number, mirrored, symmetric: middle[0] && middle[1] })
    }

    /// Returns the number after one attacker of a placement is put on another square, given the number of that placement, which
    /// must be its own and not that of its mirror image. Returns `None` if the attacker is a pawn that cannot stand there.
    pub fn number_after(&self, number: u64, placement: &Placement, attacker: usize, to: Square) -> Option<u64> {
        let mut squares = placement.attackers;
        let mut end = self.crowds.iter().map(|(crowd, _)| crowd.count).sum::<usize>();
        let mut step = 1;
        for (crowd, size) in self.crowds.iter().rev() {
            let from = end - crowd.count;
            if attacker >= from {
                let before = crowd.number(&squares[from..end])?;
                squares[attacker] = to;
                return Some(number - before * step + crowd.number(&squares[from..end])? * step);
            }
            end = from;
            step *= size;
        }
        None
    }

    /// Returns the placement of a number below [`Index::size`].
    pub fn placement(&self, number: u64) -> Placement {
        let mut attackers = [Square::new(0, 0); MOST_ACROSS];
        let mut rest = number;
        let mut end = self.crowds.iter().map(|(crowd, _)| crowd.count).sum::<usize>();
        for (crowd, size) in self.crowds.iter().rev() {
            end -= crowd.count;
            let mut at = end;
            crowd.locate(rest % size, |square| {
                attackers[at] = square;
                at += 1;
            });
            rest /= size;
        }
        let [first, second] = self.classes;
        let (left, width) = (u64::from(first.left()), u64::from(second.size()));
        let (a, b) = if rest < left * width {
            (rest / width, rest % width)
        } else {
            let narrow = u64::from(second.left() + second.symmetric());
            (left + (rest - left * width) / narrow, (rest - left * width) % narrow)
        };
        // Numbers of placements, which are a few thousand.
        Placement { defences: [first.placement(a as u32), second.placement(b as u32)], attackers }
    }

    /// Returns the squares of all pieces; `None` if two pieces share a square.
    pub fn occupied(&self, placement: &Placement) -> Option<Bitboard> {
        let [first, second] = Side::ALL.map(|side| placement.defences[side.index()].occupied(side));
        let mut occupied = first? | second?;
        for (&square, _) in placement.attackers.iter().zip(self.attackers()) {
            if occupied.has(square) {
                return None;
            }
            occupied = occupied.with(square);
        }
        Some(occupied)
    }

    /// Returns the placement of `position`, which must have this material, with colours exchanged if `swapped`. Returns `None` in other
    /// variants of the game, where pieces have other squares.
    pub fn placement_of(&self, position: &Position, swapped: bool) -> Option<Placement> {
        if position.variant() != Variant::Standard {
            return None;
        }
        let owner = |side: Side| if swapped { !side } else { side };
        let [first, second] = Side::ALL.map(|side| {
            let own = |kind: Kind| position.pieces(owner(side), kind);
            Defence::new(owner(side), position.king(owner(side)), own(Kind::Advisor), own(Kind::Elephant))
        });
        let mut attackers = [Square::new(0, 0); MOST_ACROSS];
        let mut places = attackers.iter_mut();
        for (crowd, _) in &self.crowds {
            for square in position.pieces(owner(crowd.side), crowd.kind) {
                *places.next()? = if swapped { square.rotated() } else { square };
            }
        }
        Some(Placement { defences: [first?, second?], attackers })
    }

    /// Returns the position of the placement with `mover` to move; `None` if two pieces share a square or the other side's king could be
    /// captured.
    pub fn position(&self, placement: &Placement, mover: Side) -> Option<Position> {
        self.occupied(placement)?;
        let defenders = Side::ALL.into_iter().flat_map(|side| {
            [Kind::King, Kind::Advisor, Kind::Elephant].into_iter().flat_map(move |kind| {
                let squares = placement.defences[side.index()].squares(side, kind);
                squares.into_iter().map(move |square| (square, Piece::new(side, kind)))
            })
        });
        let attackers = placement.attackers.iter().zip(self.attackers());
        let attackers = attackers.map(|(&square, (side, kind))| (square, Piece::new(side, kind)));
        Position::from_pieces(defenders.chain(attackers), mover).ok()
    }
}

const _: () = assert!(MOST_ACROSS >= crowd::MOST);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::splitmix::SplitMix64;

    fn index(text: &str) -> Index {
        Index::new(text.parse().unwrap()).unwrap()
    }

    /// Returns the indexes of all 81 pairs of defenders with the attackers of `first` and `second`.
    fn with_all_defenders(first: &str, second: &str) -> Vec<Index> {
        let defenders = ["", "A", "AA", "B", "AB", "AAB", "BB", "ABB", "AABB"];
        let pair = |a: &str| defenders.map(|b| index(&format!("K{first}{a}-K{second}{b}")));
        defenders.into_iter().flat_map(pair).collect()
    }

    #[test]
    fn every_pair_of_defenders_has_its_numbers() {
        // Bare material has no table, but its numbers are those of the pairs.
        let all = with_all_defenders("", "");
        assert_eq!(all.len(), 81);
        for index in all {
            let [first, second] = index.classes;
            let mut seen = vec![0_u8; index.size() as usize];
            for a in (0..first.size()).map(|a| first.placement(a)) {
                for b in (0..second.size()).map(|b| second.placement(b)) {
                    let placement = Placement { defences: [a, b], attackers: [Square::new(0, 0); MOST_ACROSS] };
                    let place = index.place(&placement).unwrap();
                    let here = index.placement(place.number).defences;
                    assert_eq!(here, if place.mirrored { [a.mirrored(), b.mirrored()] } else { [a, b] });
                    let itself = [a.mirrored(), b.mirrored()] == [a, b];
                    assert_eq!(place.symmetric, itself);
                    seen[place.number as usize] += if itself { 2 } else { 1 };
                }
            }
            assert!(seen.iter().all(|&times| times == 2), "{}", index.material);
        }
    }

    /// Checks that the number leads to a placement and back to itself.
    #[track_caller]
    fn assert_returns(index: &Index, number: u64) {
        let placement = index.placement(number);
        let place = index.place(&placement).unwrap();
        assert_eq!((place.number, place.mirrored), (number, false), "{}", index.material);
        let defences = placement.defences.map(Defence::mirrored);
        let mirrored =
            index.place(&Placement { defences, attackers: placement.attackers.map(Square::mirrored) }).unwrap();
        assert_eq!(mirrored.mirrored, !place.symmetric);
        assert!(place.symmetric || mirrored.number == number);
        for attacker in 0..index.attackers().count() {
            for to in [Square::new(0, 5), Square::new(4, 6), Square::new(8, 1)] {
                let mut after = placement;
                after.attackers[attacker] = to;
                let expected = index.place(&after).map(|place| place.number);
                assert_eq!(index.number_after(number, &placement, attacker, to), expected, "{}", index.material);
            }
        }
        for mover in Side::ALL {
            let Some(position) = index.position(&placement, mover) else { continue };
            for (position, swapped) in [(position, false), (position.colours_swapped(), true)] {
                if !index.material.is_even() {
                    assert_eq!(Material::of(&position), (index.material, swapped));
                }
                let again = index.placement_of(&position, swapped).and_then(|placement| index.place(&placement));
                assert_eq!(again.map(|place| place.number), Some(number));
                let turned =
                    index.placement_of(&position.mirrored(), swapped).and_then(|placement| index.place(&placement));
                assert_eq!(turned, Some(mirrored));
            }
        }
    }

    #[test]
    fn every_number_of_small_material_leads_to_men_and_back() {
        for text in ["KR-K", "KP-KA", "KPP-K", "KP-KP", "KC-KN"] {
            let index = index(text);
            (0..index.size())
                .step_by(if cfg!(miri) { 4999 } else { 1 })
                .for_each(|number| assert_returns(&index, number));
        }
    }

    #[test]
    fn numbers_of_all_pairs_of_defenders_lead_to_men_and_back() {
        let mut random = SplitMix64::new(15);
        for index in with_all_defenders("NP", "").into_iter().chain(with_all_defenders("RPP", "CN")) {
            for _ in 0..if cfg!(miri) { 1 } else { 200 } {
                assert_returns(&index, random.word() % index.size());
            }
            assert_returns(&index, 0);
            assert_returns(&index, index.size() - 1);
        }
    }

    #[test]
    fn sizes_are_those_of_the_formula() {
        assert_eq!(index("KR-KAABB").size(), (9 * 1410 + 3 * 18) / 2 * 90);
        assert_eq!(index("KPP-KPPP").size(), (9 * 9 + 3 * 3) / 2 * 1485 * 26235);
        let attackers: Vec<_> = index("KRP-KC").attackers().collect();
        assert_eq!(attackers, [(Side::Red, Kind::Rook), (Side::Red, Kind::Pawn), (Side::Black, Kind::Cannon)]);
        assert!(Index::new("KRRNNP-K".parse().unwrap()).is_some());
        assert!(Index::new("KRRNNP-KP".parse().unwrap()).is_none());
    }

    #[test]
    fn pieces_that_can_be_promoted_have_no_number() {
        let fen = "3k5/9/9/9/9/9/9/9/9/R3K4 w";
        let index = index("KR-K");
        assert!(index.placement_of(&Position::from_fen(fen).unwrap(), false).is_some());
        assert_eq!(index.placement_of(&Position::from_fen_in(fen, Variant::Promotion).unwrap(), false), None);
    }
}
