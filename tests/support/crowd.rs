//! Positions that are rare in games: many pieces of a kind on few files, which are the hard cases of move notation.

use chuhe::board::{FILES, Kind, Piece, Position, RANKS, Side, Square};
use chuhe::splitmix::SplitMix64;

const PALACE: [(usize, usize); 9] = [(3, 0), (4, 0), (5, 0), (3, 1), (4, 1), (5, 1), (3, 2), (4, 2), (5, 2)];
const ADVISORS: [(usize, usize); 5] = [(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)];
const ELEPHANTS: [(usize, usize); 7] = [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)];

/// Largest number of files on which a side's pieces crowd.
const MOST_FILES: usize = 3;

/// Returns a legal position with a legal move, in which each side's pawns and some larger pieces stand on few files.
pub(crate) fn crowded_position(random: &mut SplitMix64) -> Position {
    loop {
        let mut board = Board::default();
        for side in Side::ALL {
            board.crowd(side, random);
        }
        if let Ok(position) = Position::from_fen(&board.to_fen(random.pick(&['w', 'b'])))
            && position.has_legal_move()
        {
            return position;
        }
    }
}

/// Returns the number of the mover's pawns on each file that has several, largest first.
pub(crate) fn pawn_crowds(position: &Position) -> Vec<usize> {
    let pawns = position.pieces(position.side(), Kind::Pawn);
    let on = |file: usize| pawns.into_iter().filter(|pawn| pawn.file() == file).count();
    let mut crowds: Vec<usize> = (0..FILES).map(on).filter(|&count| count > 1).collect();
    crowds.sort_unstable_by(|a, b| b.cmp(a));
    crowds
}

#[derive(Default)]
struct Board([[Option<Piece>; FILES]; RANKS]);

impl Board {
    fn crowd(&mut self, side: Side, random: &mut SplitMix64) {
        let files: Vec<usize> = (0..=random.below(MOST_FILES)).map(|_| random.below(FILES)).collect();
        self.put(side, Kind::King, random.pick(&PALACE));
        for _ in 0..2 + random.below(4) {
            let file = random.pick(&files);
            // A pawn that has not crossed the river is still on its initial file, one of every second file.
            let lowest = if file.is_multiple_of(2) { 3 } else { 5 };
            self.put(side, Kind::Pawn, (file, lowest + random.below(RANKS - lowest)));
        }
        for (kind, homes) in [(Kind::Advisor, &ADVISORS[..]), (Kind::Elephant, &ELEPHANTS[..])] {
            for _ in 0..random.below(3) {
                self.put(side, kind, random.pick(homes));
            }
        }
        for kind in [Kind::Horse, Kind::Rook, Kind::Cannon] {
            for _ in 0..random.below(3) {
                self.put(side, kind, (random.pick(&files), random.below(RANKS)));
            }
        }
    }

    /// Puts a piece on a square, given from its side's view, unless the square is occupied.
    fn put(&mut self, side: Side, kind: Kind, (file, rank): (usize, usize)) {
        let square = Square::new(file, rank).seen_by(side);
        self.0[square.rank()][square.file()].get_or_insert(Piece::new(side, kind));
    }

    fn to_fen(&self, side: char) -> String {
        let letters = |rank: &[Option<Piece>; FILES]| rank.map(|piece| piece.map_or('1', Piece::letter));
        let ranks: Vec<String> = self.0.iter().rev().map(|rank| String::from_iter(letters(rank))).collect();
        format!("{} {side}", ranks.join("/"))
    }
}
