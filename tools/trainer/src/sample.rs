//! Training sample: a position in 32 bytes.

use chuhe::board::{Kind, Piece, Position, SQUARES, Side, Square};
use chuhe::eval::nnue::{Material, Perspective, Shape};

/// Most pieces on the board.
pub const MOST_PIECES: usize = 32;

const WORD: usize = u32::BITS as usize;

/// Position from the perspective of the side to move, which is Red.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// Bit for each occupied square.
    occupied: [u32; SQUARES.div_ceil(WORD)],
    /// Pieces in the order of their squares, two per byte.
    pieces: [u8; MOST_PIECES / 2],
    /// Search score for the side to move, in centipawns.
    pub score: i16,
    /// Half points of the side to move: 2 for a win, 1 for a draw.
    pub points: u8,
    count: u8,
}

const _: () = assert!(size_of::<Sample>() == 32);

/// Active features of a sample.
#[derive(Clone, Copy, Debug)]
pub struct ActiveFeatures {
    /// Features by perspective, the side to move's first; only the first `count` of each are valid.
    pub inputs: [[u16; MOST_PIECES]; 2],
    /// Number of features in each perspective.
    pub count: usize,
    /// Output bucket.
    pub output: usize,
}

impl Sample {
    /// Packs a position with its search score and the half points of the side to move.
    pub fn new(position: &Position, score: i16, points: u8) -> Self {
        let mut sample = Self { occupied: [0; 3], pieces: [0; MOST_PIECES / 2], score, points, count: 0 };
        let position = match position.side() {
            Side::Red => *position,
            Side::Black => position.colours_swapped(),
        };
        for square in position.occupied() {
            let Some(piece) = position.piece_on(square) else { continue };
            sample.occupied[square.index() / WORD] |= 1 << (square.index() % WORD);
            let number = usize::from(sample.count);
            // There are fourteen pieces: four bits.
            sample.pieces[number / 2] |= (piece.index() as u8) << (number % 2 * 4);
            sample.count += 1;
        }
        sample
    }

    fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> {
        let squares =
            Square::all().filter(|square| self.occupied[square.index() / WORD] >> (square.index() % WORD) & 1 == 1);
        squares.enumerate().map(|(number, square)| {
            let index = self.pieces[number / 2] >> (number % 2 * 4) & 0xF;
            (Piece::ALL[usize::from(index)], square)
        })
    }

    /// Returns the active features, of the mirror image if `mirrored`, in a network of this shape.
    pub fn active(&self, mirrored: bool, shape: Shape) -> ActiveFeatures {
        let mut pieces = [(Piece::RedKing, Square::new(0, 0)); MOST_PIECES];
        let mut count = 0;
        let mut kings = [Square::new(4, 0); Side::ALL.len()];
        let mut material = Material::default();
        for (place, (piece, square)) in pieces.iter_mut().zip(self.pieces()) {
            let square = if mirrored { square.mirrored() } else { square };
            if piece.kind() == Kind::King {
                kings[piece.side().index()] = square;
            }
            material.add(piece, Side::Red);
            *place = (piece, square);
            count += 1;
        }
        let perspectives = Side::ALL.map(|side| Perspective::new(side, kings[side.index()], shape.king_buckets));
        let mut active =
            ActiveFeatures { inputs: [[0; MOST_PIECES]; 2], count, output: shape.output_buckets.of_material(material) };
        for (inputs, perspective) in active.inputs.iter_mut().zip(perspectives) {
            for (input, &(piece, square)) in inputs.iter_mut().zip(&pieces[..count]) {
                let index = perspective.feature(piece, square).expect("games are played by the standard rules");
                *input = u16::try_from(index).expect("there are few inputs");
            }
        }
        active
    }
}

impl ActiveFeatures {
    /// Returns the features of a perspective, 0 being the side to move's.
    pub fn perspective(&self, perspective: usize) -> &[u16] {
        &self.inputs[perspective][..self.count]
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use chuhe::eval::nnue::{KING_BUCKET_COUNTS, OutputBuckets};
    use chuhe::splitmix::SplitMix64;

    /// Returns the positions of random games.
    pub(crate) fn random_positions(seed: u64, count: usize) -> Vec<Position> {
        let mut random = SplitMix64::new(seed);
        let mut positions = vec![];
        while positions.len() < count {
            let mut position = Position::start();
            for _ in 0..150 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.play(random.pick(&moves));
                positions.push(position);
            }
        }
        random.shuffle(&mut positions);
        positions.truncate(count);
        positions
    }

    fn sorted(inputs: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut inputs: Vec<usize> = inputs.into_iter().collect();
        inputs.sort_unstable();
        inputs
    }

    #[test]
    fn a_sample_has_the_active_features_of_its_position() {
        for (position, kings) in random_positions(1, 500).into_iter().zip(KING_BUCKET_COUNTS.into_iter().cycle()) {
            for mirrored in [false, true] {
                let outputs = if kings == 3 { OutputBuckets::ByMaterial } else { OutputBuckets::ByPieces(8) };
                let active = Sample::new(&position, 5, 2)
                    .active(mirrored, Shape { width: 32, output_buckets: outputs, king_buckets: kings });
                let image = if mirrored { position.mirrored() } else { position };
                for (number, side) in [position.side(), !position.side()].into_iter().enumerate() {
                    let perspective = Perspective::of(side, &image, kings);
                    let input = |square| perspective.feature(image.piece_on(square).unwrap(), square).unwrap();
                    let expected = sorted(image.occupied().into_iter().map(input));
                    assert_eq!(sorted(active.perspective(number).iter().map(|&input| input.into())), expected);
                }
                assert_eq!(active.output, outputs.of(&position));
            }
        }
    }
}
