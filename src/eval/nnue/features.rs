//! Input features of the network: one for each square on which a piece can stand, as a side sees the board. A network
//! may have several king buckets of them, selected by the square of the side's own king.

use std::ops::Range;

use crate::board::{FILES, Kind, Piece, Position, SQUARES, Side, Square};

/// Features in a king bucket: 343 for own pieces, whose king is mirrored to the left half, and 346 for the enemy's.
pub const FEATURES: usize = 689;

/// Supported numbers of king buckets. One: the king does not matter. Three: the king is at home, beside that square on
/// the back rank, or has advanced. Six: one for each square of the left half of the palace.
pub const KING_BUCKET_COUNTS: [usize; 3] = [1, 3, MOST_KING_BUCKETS];

/// Largest supported number of king buckets.
const MOST_KING_BUCKETS: usize = 6;

/// Number of feature groups: own pieces, then the enemy's, each in the order of [`Kind::ALL`].
pub(super) const GROUPS: usize = Piece::ALL.len();

/// Perspective of a side: the board from its own back rank, mirrored if its king stands on the right half.
///
/// A king on the middle file is not mirrored. A position with such a king and its mirror image differ for the network,
/// which has to learn that they are worth the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    side: Side,
    mirrored: bool,
    king_bucket: u8,
}

impl Perspective {
    /// The perspective of `side`, whose king stands on `king`, with one of the [`KING_BUCKET_COUNTS`].
    pub const fn new(side: Side, king: Square, king_buckets: usize) -> Self {
        let seen = king.seen_by(side);
        let mirrored = seen.file() > FILES / 2;
        Self { side, mirrored, king_bucket: king_bucket(if mirrored { seen.mirrored() } else { seen }, king_buckets) }
    }

    /// The perspective of `side` in a position.
    pub fn of(side: Side, position: &Position, king_buckets: usize) -> Self {
        Self::new(side, position.king(side), king_buckets)
    }

    /// The feature that `piece` on `square` activates, below [`FEATURES`] times the number of king buckets; `None`
    /// where it cannot stand in the standard game.
    ///
    /// A pawn behind its starting rank, as in composed positions, activates the feature of the starting square of its file.
    pub const fn feature(self, piece: Piece, square: Square) -> Option<usize> {
        match FEATURE_OF[self.index()][piece.index()][square.index()] {
            NOWHERE => None,
            feature => Some(self.king_bucket as usize * FEATURES + feature as usize),
        }
    }

    /// Index among all perspectives of a network with this many king buckets, below 4 times their number.
    pub(super) const fn number(self, king_buckets: usize) -> usize {
        self.index() * king_buckets + self.king_bucket as usize
    }

    const fn index(self) -> usize {
        self.side.index() * 2 + self.mirrored as usize
    }

    const fn feature_without_king(self, piece: Piece, square: Square) -> u16 {
        let group =
            piece.kind().index() + if piece.side() as usize == self.side as usize { 0 } else { Kind::ALL.len() };
        let seen = square.seen_by(self.side);
        let seen = if self.mirrored { seen.mirrored() } else { seen };
        LAYOUT.feature[group][seen.index()]
    }
}

/// The king bucket, of `count`, for a king on the left half of its palace, as its side sees it.
const fn king_bucket(king: Square, count: usize) -> u8 {
    let beside = (king.file() != FILES / 2) as u8;
    match (count, king.rank()) {
        (3, 0) => beside,
        (3, _) => 2,
        (MOST_KING_BUCKETS, rank @ 0..=2) => 2 * rank as u8 + beside,
        _ => 0,
    }
}

/// The feature groups: the largest number of pieces in each, and its range of features in a king bucket.
pub(super) fn groups() -> impl Iterator<Item = (i32, Range<usize>)> {
    (0..GROUPS).map(|group| {
        let end = LAYOUT.begins.get(group + 1).map_or(FEATURES, |&begin| usize::from(begin));
        let most = Kind::ALL[group % Kind::ALL.len()].most().cast_signed();
        (most, usize::from(LAYOUT.begins[group])..end)
    })
}

/// Numbering of the features in a king bucket.
struct Layout {
    /// The feature by group and by square in the perspective.
    feature: [[u16; SQUARES]; GROUPS],
    /// The first feature of each group.
    begins: [u16; GROUPS],
}

const NOWHERE: u16 = u16::MAX;

/// Features in a king bucket by perspective, piece and square: one lookup for what the search needs at every move.
static FEATURE_OF: [[[u16; SQUARES]; GROUPS]; 4] = {
    let mut features = [[[NOWHERE; SQUARES]; GROUPS]; 4];
    let mut index = 0;
    while index < features.len() {
        let perspective = Perspective { side: Side::ALL[index / 2], mirrored: index % 2 == 1, king_bucket: 0 };
        let mut piece = 0;
        while piece < GROUPS {
            let mut number = 0;
            while let Some(square) = Square::from_index(number) {
                features[index][piece][number] = perspective.feature_without_king(Piece::ALL[piece], square);
                number += 1;
            }
            piece += 1;
        }
        assert!(perspective.index() == index);
        index += 1;
    }
    features
};

const LAYOUT: Layout = {
    let mut layout = Layout { feature: [[NOWHERE; SQUARES]; GROUPS], begins: [0; GROUPS] };
    let mut next = 0;
    let mut group = 0;
    while group < GROUPS {
        let own = group < Kind::ALL.len();
        let kind = Kind::ALL[group % Kind::ALL.len()];
        layout.begins[group] = next;
        let mut number = 0;
        while let Some(square) = Square::from_index(number) {
            let is_left = square.file() <= FILES / 2;
            let owners = if own { square } else { square.rotated() };
            if stands(kind, owners) && (is_left || !own || !matches!(kind, Kind::King)) {
                layout.feature[group][number] = next;
                next += 1;
            }
            number += 1;
        }
        if matches!(kind, Kind::Pawn) {
            let mut file = 0;
            while file < FILES {
                let mut rank = 0;
                while rank < PAWN_START {
                    let [behind, start] = [Square::new(file, rank), Square::new(file, PAWN_START)];
                    let [behind, start] = if own { [behind, start] } else { [behind.rotated(), start.rotated()] };
                    layout.feature[group][behind.index()] = layout.feature[group][start.index()];
                    rank += 1;
                }
                file += 1;
            }
        }
        group += 1;
    }
    assert!(next as usize == FEATURES);
    layout
};

/// The rank on which pawns start, as their owner sees it.
const PAWN_START: usize = 3;

/// Whether a piece can reach a square in a game from the start position, as its owner sees the square.
const fn stands(kind: Kind, square: Square) -> bool {
    match (kind, square.file(), square.rank()) {
        (Kind::King, file, rank) => matches!(file, 3..=5) && rank <= 2,
        (Kind::Advisor, file, rank) => matches!((file, rank), (3 | 5, 0 | 2) | (4, 1)),
        (Kind::Elephant, file, rank) => matches!((file, rank), (2 | 6, 0 | 4) | (0 | 4 | 8, 2)),
        (Kind::Pawn, file, rank) => rank >= 5 || (rank >= PAWN_START && file % 2 == 0),
        (Kind::Horse | Kind::Rook | Kind::Cannon, ..) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::random_games::random_games;

    /// The features that are active in a side's perspective on a position, in order.
    fn active(side: Side, position: &Position) -> Vec<usize> {
        active_of(side, position, MOST_KING_BUCKETS)
    }

    fn active_of(side: Side, position: &Position, king_buckets: usize) -> Vec<usize> {
        let perspective = Perspective::of(side, position, king_buckets);
        let feature = |square| perspective.feature(position.piece_on(square).unwrap(), square).unwrap();
        let mut active: Vec<usize> = position.occupied().into_iter().map(feature).collect();
        active.sort_unstable();
        active
    }

    const GAMES: usize = if cfg!(miri) { 0 } else { 20 };

    #[test]
    fn every_feature_is_activated_by_one_square_and_lies_in_its_group() {
        let groups: Vec<_> = groups().collect();
        assert_eq!(groups.first().unwrap().1.start, 0);
        assert_eq!(groups.iter().map(|(_, range)| range.len()).sum::<usize>(), FEATURES);
        for side in Side::ALL {
            let perspective = Perspective { side, mirrored: false, king_bucket: 0 };
            let mut times = [0; FEATURES];
            for piece in Piece::ALL {
                for square in Square::all() {
                    let group = piece.kind().index() + if piece.side() == side { 0 } else { 7 };
                    let Some(input) = perspective.feature(piece, square) else { continue };
                    assert!(groups[group].1.contains(&input), "{piece:?} on {square}");
                    let is_behind = piece.kind() == Kind::Pawn && square.seen_by(piece.side()).rank() < PAWN_START;
                    times[input] += u32::from(!is_behind);
                }
            }
            assert_eq!(times, [1; FEATURES]);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "thousands of positions")]
    fn every_piece_that_may_stand_somewhere_activates_a_feature() {
        let king_side = ["4k4", "3k5"];
        for piece in Piece::ALL.into_iter().filter(|piece| piece.kind() != Kind::King) {
            for square in Square::all() {
                let fen = |king: &str| {
                    let mut ranks = vec![king.to_owned()];
                    ranks.extend((1..9).map(|_| "9".to_owned()));
                    ranks.push("5K3".to_owned());
                    let rank = &mut ranks[9 - square.rank()];
                    let mut letters: Vec<char> =
                        rank.chars().flat_map(|c| c.to_digit(10).map_or(vec![c], |n| vec!['1'; n as usize])).collect();
                    if letters[square.file()] != '1' {
                        return None;
                    }
                    letters[square.file()] = piece.letter();
                    *rank = letters.into_iter().collect();
                    Some(ranks.join("/"))
                };
                for king in king_side {
                    for mover in ["w", "b"] {
                        let Some(fen) = fen(king) else { continue };
                        let Ok(position) = Position::from_fen(&format!("{fen} {mover}")) else { continue };
                        for side in Side::ALL {
                            assert_eq!(active(side, &position).len(), 3, "{fen}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "many positions")]
    fn swapped_colours_are_seen_alike() {
        random_games(31, GAMES, |position| {
            for side in Side::ALL {
                assert_eq!(active(side, position), active(!side, &position.colours_swapped()), "{}", position.to_fen());
            }
        });
    }

    #[test]
    #[cfg_attr(miri, ignore = "many positions")]
    fn mirror_images_are_seen_alike_unless_the_king_stands_in_the_middle() {
        let (mut alike, mut turned) = (0, 0);
        random_games(32, GAMES, |position| {
            let mirrored = position.mirrored();
            for side in Side::ALL {
                if position.king(side).file() != FILES / 2 {
                    assert_eq!(active(side, position), active(side, &mirrored), "{}", position.to_fen());
                    alike += 1;
                } else if position.of_side(side) != mirrored.of_side(side) {
                    assert_ne!(active(side, position), active(side, &mirrored), "{}", position.to_fen());
                    turned += 1;
                }
            }
        });
        assert!(alike > 500 && turned > 500, "{alike} {turned}");
    }

    #[test]
    fn king_buckets_are_chosen_by_the_kings_square_and_hold_the_same_features() {
        let chosen = |king_buckets: usize, square: &str| {
            let numbers = Side::ALL.map(|side| {
                let king: Square = square.parse().unwrap();
                let king = if side == Side::Red { king } else { king.rotated() };
                let [bucket, mirrored] =
                    [king, king.mirrored()].map(|king| Perspective::new(side, king, king_buckets).king_bucket);
                assert_eq!(bucket, mirrored, "{square}");
                bucket
            });
            assert_eq!(numbers[0], numbers[1], "{square}");
            numbers[0]
        };
        let squares = ["e0", "d0", "e1", "d1", "e2", "d2"];
        assert_eq!(squares.map(|square| chosen(1, square)), [0; 6]);
        assert_eq!(squares.map(|square| chosen(3, square)), [0, 1, 2, 2, 2, 2]);
        assert_eq!(squares.map(|square| chosen(6, square)), [0, 1, 2, 3, 4, 5]);
        random_games(33, GAMES, |position| {
            for side in Side::ALL {
                let plain = active_of(side, position, 1);
                for king_buckets in KING_BUCKET_COUNTS {
                    let active = active_of(side, position, king_buckets);
                    let bucket = active[0] / FEATURES;
                    assert!(bucket < king_buckets && active.iter().all(|feature| feature / FEATURES == bucket));
                    assert_eq!(active.iter().map(|feature| feature % FEATURES).collect::<Vec<_>>(), plain);
                }
            }
        });
    }
}
