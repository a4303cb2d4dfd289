//! Output buckets: the sets of output weights of a network, one of which a position selects.

use std::fmt;

use crate::board::{Kind, Piece, Position, Side};

/// Largest supported number of output buckets.
pub(super) const MOST_OUTPUT_BUCKETS: usize = 16;

/// Output set: the number of output buckets, and the pieces that select one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputBuckets {
    /// Selected by the number of pieces: 1 to 16 output buckets.
    ByPieces(usize),
    /// Selected by the rooks of the side to move, those of the other side, and all horses and cannons: 16 output buckets.
    ByMaterial,
}

/// Numbers of pieces that select an output bucket.
#[derive(Clone, Copy, Default, Debug)]
pub struct Material {
    pieces: usize,
    /// Rooks of the side to move, then those of the other side.
    rooks: [usize; Side::ALL.len()],
    horses_and_cannons: usize,
}

impl Material {
    /// Counts one more piece in a position in which `mover` is to move.
    pub fn add(&mut self, piece: Piece, mover: Side) {
        self.pieces += 1;
        match piece.kind() {
            Kind::Rook => self.rooks[usize::from(piece.side() != mover)] += 1,
            Kind::Horse | Kind::Cannon => self.horses_and_cannons += 1,
            Kind::King | Kind::Advisor | Kind::Elephant | Kind::Pawn => {}
        }
    }
}

impl OutputBuckets {
    /// The number of output buckets.
    pub const fn count(self) -> usize {
        match self {
            Self::ByPieces(count) => count,
            Self::ByMaterial => MATERIAL_BUCKETS,
        }
    }

    /// The output bucket of a position.
    #[inline]
    pub fn of(self, position: &Position) -> usize {
        match self {
            Self::ByPieces(count) => by_pieces(position.occupied().count() as usize, count),
            Self::ByMaterial => {
                let rooks = [position.side(), !position.side()].map(|side| {
                    let rooks = position.pieces(side, Kind::Rook);
                    usize::from(rooks.any()) + usize::from(rooks.many())
                });
                let others = position.of_kind(Kind::Horse) | position.of_kind(Kind::Cannon);
                by_material(rooks, others.count() as usize)
            }
        }
    }

    /// The output bucket of all positions with this material.
    pub fn of_material(self, material: Material) -> usize {
        match self {
            Self::ByPieces(count) => by_pieces(material.pieces, count),
            Self::ByMaterial => by_material(material.rooks, material.horses_and_cannons),
        }
    }
}

impl fmt::Display for OutputBuckets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by = match self {
            Self::ByPieces(_) => "pieces",
            Self::ByMaterial => "material",
        };
        write!(f, "{} outputs by {by}", self.count())
    }
}

/// The output bucket, of `count`, for this number of pieces: equal steps from the two kings to the full board.
const fn by_pieces(pieces: usize, count: usize) -> usize {
    const FEWEST: usize = 2;
    const STEPS: usize = 31;
    let step = pieces.saturating_sub(FEWEST);
    if step < STEPS { step * count / STEPS } else { count - 1 }
}

const MATERIAL_BUCKETS: usize = 16;

/// The most rooks of a side, and the most horses and cannons of both.
const MOST_ROOKS: usize = 2;
const MOST_HORSES_AND_CANNONS: usize = 8;

/// The output bucket for these rooks, of the side to move first, and for all horses and cannons.
fn by_material(rooks: [usize; 2], horses_and_cannons: usize) -> usize {
    let [own, other] = rooks.map(|rooks| rooks.min(MOST_ROOKS));
    BY_MATERIAL[own][other][horses_and_cannons.min(MOST_HORSES_AND_CANNONS)].into()
}

/// Output buckets for each number of horses and cannons of both sides.
type Row = [u8; MOST_HORSES_AND_CANNONS + 1];

/// Output buckets by the rooks of the side to move, those of the other side, and all horses and cannons.
///
/// Each bucket has 3 to 8 % of the positions of self-play that are usable for training. The idea of such a choice, not the
/// table, is that of the layer stacks of Pikafish.
static BY_MATERIAL: [[Row; MOST_ROOKS + 1]; MOST_ROOKS + 1] = {
    const NONE: Row = [0, 0, 1, 2, 3, 4, 4, 4, 4];
    const ONE_EACH: Row = [5, 6, 7, 8, 9, 9, 10, 10, 10];
    const TWO_EACH: Row = [11, 11, 11, 11, 11, 11, 12, 12, 13];
    const MORE: Row = [14; MOST_HORSES_AND_CANNONS + 1];
    const FEWER: Row = [15; MOST_HORSES_AND_CANNONS + 1];
    [[NONE, FEWER, FEWER], [MORE, ONE_EACH, FEWER], [MORE, MORE, TWO_EACH]]
};

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;
    use crate::board::random_games::random_games;

    #[test]
    fn pieces_choose_output_buckets_in_equal_steps() {
        for outputs in 1..=MOST_OUTPUT_BUCKETS {
            let chosen: Vec<usize> = (2..=32).map(|pieces| by_pieces(pieces, outputs)).collect();
            assert!(chosen.is_sorted() && chosen[0] == 0 && chosen[30] == outputs - 1);
            let sizes: Vec<usize> =
                (0..outputs).map(|one| chosen.iter().filter(|&&other| other == one).count()).collect();
            assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{sizes:?}");
        }
    }

    #[test]
    fn material_chooses_each_output_bucket_and_turns_with_the_side_to_move() {
        let mut seen = [false; MATERIAL_BUCKETS];
        for (own, other) in (0..=MOST_ROOKS).flat_map(|own| (0..=MOST_ROOKS).map(move |other| (own, other))) {
            let row: Vec<usize> = (0..=MOST_HORSES_AND_CANNONS).map(|count| by_material([own, other], count)).collect();
            assert!(row.is_sorted(), "{row:?}");
            row.iter().for_each(|&bucket| seen[bucket] = true);
            let expected = match own.cmp(&other) {
                Ordering::Less => 15..=15,
                Ordering::Equal => 0..=13,
                Ordering::Greater => 14..=14,
            };
            assert!(row.iter().all(|bucket| expected.contains(bucket)), "{own} {other}");
        }
        assert_eq!(seen, [true; MATERIAL_BUCKETS]);
        let rook_up = Position::from_fen("rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w").unwrap();
        assert_eq!(OutputBuckets::ByMaterial.of(&rook_up), 14);
        assert_eq!(OutputBuckets::ByMaterial.of(&rook_up.pass()), 15);
        assert_eq!(OutputBuckets::ByMaterial.of(&Position::start()), 13);
    }

    #[test]
    #[cfg_attr(miri, ignore = "many positions")]
    fn a_position_and_its_material_choose_the_same() {
        random_games(35, 5, |position| {
            let mut material = Material::default();
            for piece in position.occupied().into_iter().filter_map(|square| position.piece_on(square)) {
                material.add(piece, position.side());
            }
            for outputs in [OutputBuckets::ByPieces(8), OutputBuckets::ByMaterial] {
                let bucket = outputs.of(position);
                assert!(bucket < outputs.count());
                assert_eq!(outputs.of_material(material), bucket, "{}", position.to_fen());
                for image in [position.mirrored(), position.colours_swapped()] {
                    assert_eq!(outputs.of(&image), bucket, "{}", position.to_fen());
                }
            }
        });
    }
}
