//! Book keys: equal for a position, its mirror image and, if the book is symmetric in colours, its colour flip.
//!
//! The random words are not those of the transposition table: a book must outlive a change of that table's keys.

use super::eleeye::Locks;
use crate::board::{Move, Piece, Position, SQUARES, Side, Square};
use crate::splitmix::{STEP, table, word};

/// Seed of the generator of the words, written into every header.
pub const KEY_SEED: u64 = 0x4368_7568_6542_6F6F;

/// The first words of the stream, piece by piece in the order of [`Piece::ALL`], each from `a0` to `i9`.
static PIECES: [[u64; SQUARES]; Piece::ALL.len()] = table(KEY_SEED);

/// The word after those of the pieces.
const BLACK_TO_MOVE: u64 = word(KEY_SEED.wrapping_add(STEP.wrapping_mul((Piece::ALL.len() * SQUARES + 1) as u64)));

/// Symmetries under which positions of a book share their records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Symmetry {
    /// Mirror and colours: records hold the moves of a red side to move.
    #[default]
    MirrorAndColours,
    /// Mirror alone, for books that are not meant for both sides, such as one against an opponent.
    Mirror,
    /// Mirror alone, under the short keys of ElephantEye: records converted from a `BOOK.DAT`, whose positions are not
    /// known. The key is [`Locks::lock1`] in the upper half.
    EleEye,
}

/// Transformation from a position to its stored form: colours swapped, mirrored, or both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    swapped: bool,
    mirrored: bool,
}

impl Frame {
    /// Converts a move on the board to the stored one, or the other way round.
    ///
    /// # Panics
    /// If the move is a promotion, which no book holds.
    pub fn apply(self, mv: Move) -> Move {
        assert!(!mv.is_promotion(), "a move goes somewhere");
        Move::new(self.turn(mv.from()), self.turn(mv.to()))
    }

    fn turn(self, square: Square) -> Square {
        let square = if self.swapped { square.rotated() } else { square };
        if self.mirrored { square.mirrored() } else { square }
    }

    /// Whether the stored position has red and black exchanged.
    pub fn is_swapped(self) -> bool {
        self.swapped
    }

    /// Whether the stored position is mirrored left to right (after exchanging the colours).
    pub fn is_mirrored(self) -> bool {
        self.mirrored
    }
}

/// Returns the key of `position` and the transformation of its moves.
///
/// ```
/// use chuhe::board::Position;
/// use chuhe::book::{Symmetry, canonical};
/// let position = Position::start().play("h2e2".parse().unwrap());
/// let (key, frame) = canonical(&position, Symmetry::MirrorAndColours);
/// assert_eq!(canonical(&position.mirrored(), Symmetry::MirrorAndColours).0, key);
/// assert_eq!(canonical(&position.colours_swapped(), Symmetry::MirrorAndColours).0, key);
/// assert!(frame.is_swapped());
/// ```
pub fn canonical(position: &Position, symmetry: Symmetry) -> (u64, Frame) {
    let [straight, mirrored] = keys(position, position.side(), symmetry);
    let frame = Frame { swapped: symmetry.swaps(position.side()), mirrored: mirrored < straight };
    (symmetry.stored(straight.min(mirrored)), frame)
}

/// Keys of the positions after each move of a position, computed incrementally, which is much cheaper than to play the moves.
///
/// ```
/// use chuhe::board::Position;
/// use chuhe::book::{KeysAfter, Symmetry, canonical};
/// let (start, mv) = (Position::start(), "h2e2".parse().unwrap());
/// let keys = KeysAfter::new(&start, Symmetry::MirrorAndColours);
/// assert_eq!(keys.key(mv), canonical(&start.play(mv), Symmetry::MirrorAndColours).0);
/// ```
pub struct KeysAfter<'a> {
    position: &'a Position,
    symmetry: Symmetry,
    /// Keys of the placement before a move, straight and mirrored, with the other side to move.
    before: [u64; 2],
}

impl<'a> KeysAfter<'a> {
    /// Prepares the keys of the positions after the moves of `position`.
    pub fn new(position: &'a Position, symmetry: Symmetry) -> Self {
        Self { position, symmetry, before: keys(position, !position.side(), symmetry) }
    }

    /// The key of the position after a legal move.
    pub fn key(&self, mv: Move) -> u64 {
        let [straight, mirrored] = self.both(mv);
        straight.min(mirrored)
    }

    /// The keys of the position after a legal move, as it stands and mirrored. Our books use the smaller one; a
    /// `BOOK.DAT` may use either.
    pub fn both(&self, mv: Move) -> [u64; 2] {
        let delta = self.position.delta(mv);
        let swapped = self.symmetry.swaps(!self.position.side());
        let mut keys = self.before;
        self.symmetry.toggle(&mut keys, delta.piece, delta.from, swapped);
        self.symmetry.toggle(&mut keys, delta.placed(), delta.to, swapped);
        if let Some(captured) = delta.captured {
            self.symmetry.toggle(&mut keys, captured, delta.to, swapped);
        }
        keys.map(|key| self.symmetry.stored(key))
    }
}

/// The keys of the placement of a position and of its mirror, with `side` to move; ElephantEye's with both locks.
fn keys(position: &Position, side: Side, symmetry: Symmetry) -> [u64; 2] {
    let swapped = symmetry.swaps(side);
    let to_move = if side == Side::Black && !swapped { symmetry.black_to_move() } else { 0 };
    let mut keys = [to_move; 2];
    for square in position.occupied() {
        if let Some(piece) = position.piece_on(square) {
            symmetry.toggle(&mut keys, piece, square, swapped);
        }
    }
    keys
}

impl Symmetry {
    /// Whether positions with `side` to move are stored with the colours exchanged.
    fn swaps(self, side: Side) -> bool {
        self == Self::MirrorAndColours && side == Side::Black
    }

    /// Adds a piece to two keys or removes it, as it stands, with the colours exchanged or not, and mirrored.
    fn toggle(self, keys: &mut [u64; 2], piece: Piece, square: Square, swapped: bool) {
        let (piece, square) = if swapped { (piece.swapped(), square.rotated()) } else { (piece, square) };
        for (key, square) in keys.iter_mut().zip([square, square.mirrored()]) {
            *key ^= match self {
                Self::EleEye => both_locks(Locks::of_piece(piece, square)),
                Self::MirrorAndColours | Self::Mirror => PIECES[piece.index()][square.index()],
            };
        }
    }

    fn black_to_move(self) -> u64 {
        match self {
            Self::EleEye => both_locks(Locks::of_black_to_move()),
            Self::MirrorAndColours | Self::Mirror => BLACK_TO_MOVE,
        }
    }

    /// The part of a key that is stored: ElephantEye's `lock0` decides only between a position and its mirror image.
    fn stored(self, key: u64) -> u64 {
        if self == Self::EleEye { key >> u32::BITS << u32::BITS } else { key }
    }
}

/// ElephantEye's locks in one word, which compares as they do.
fn both_locks(locks: Locks) -> u64 {
    u64::from(locks.lock1) << u32::BITS | u64::from(locks.lock0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::random_games::random_games;
    use std::collections::{HashMap, HashSet};

    #[test]
    fn no_two_words_are_alike() {
        let mut seen: HashSet<u64> = PIECES.iter().flatten().copied().collect();
        seen.extend([BLACK_TO_MOVE, 0]);
        assert_eq!(seen.len(), Piece::ALL.len() * SQUARES + 2);
    }

    #[test]
    fn words_never_change() {
        // Books on users' disks depend on these.
        let reply = Position::start().play("h2e2".parse().unwrap());
        let keys = [Position::start(), reply].map(|position| canonical(&position, Symmetry::Mirror).0);
        assert_eq!(keys, [3_049_981_075_080_621_283, 2_933_762_183_921_828_109]);
    }

    #[test]
    fn symmetric_positions_share_their_key_and_their_moves() {
        random_games(31, if cfg!(miri) { 1 } else { 30 }, |position| {
            let (key, frame) = canonical(position, Symmetry::MirrorAndColours);
            let stored: HashSet<_> = position.legal_moves().into_iter().map(|mv| frame.apply(mv)).collect();
            for twin in [position.mirrored(), position.colours_swapped(), position.colours_swapped().mirrored()] {
                let (twin_key, frame) = canonical(&twin, Symmetry::MirrorAndColours);
                assert_eq!(twin_key, key);
                let moves: HashSet<_> = twin.legal_moves().into_iter().map(|mv| frame.apply(mv)).collect();
                assert_eq!(moves, stored);
            }
            for mv in position.legal_moves() {
                assert_eq!(frame.apply(frame.apply(mv)), mv);
            }
        });
    }

    #[test]
    fn keys_after_moves_are_those_of_the_positions_behind_them() {
        random_games(33, if cfg!(miri) { 1 } else { 10 }, |position| {
            for symmetry in [Symmetry::MirrorAndColours, Symmetry::Mirror, Symmetry::EleEye] {
                let keys = KeysAfter::new(position, symmetry);
                for mv in position.legal_moves() {
                    let next = position.play(mv);
                    assert_eq!(keys.key(mv), canonical(&next, symmetry).0, "{mv} in {}", position.to_fen());
                    let own = [next, next.mirrored()].map(|next| u64::from(Locks::of(&next).lock1) << u32::BITS);
                    assert!(symmetry != Symmetry::EleEye || keys.both(mv) == own);
                }
            }
        });
    }

    #[test]
    fn a_book_for_one_side_tells_colours_apart() {
        let position = Position::start();
        let passed = position.colours_swapped();
        assert_eq!(
            canonical(&position, Symmetry::MirrorAndColours).0,
            canonical(&passed, Symmetry::MirrorAndColours).0
        );
        assert_ne!(canonical(&position, Symmetry::Mirror).0, canonical(&passed, Symmetry::Mirror).0);
        assert_eq!(canonical(&passed.mirrored(), Symmetry::Mirror).0, canonical(&passed, Symmetry::Mirror).0);
    }

    #[test]
    fn different_positions_have_different_keys() {
        let mut seen: HashMap<u64, String> = HashMap::new();
        random_games(32, if cfg!(miri) { 1 } else { 100 }, |position| {
            let (key, _) = canonical(position, Symmetry::Mirror);
            let [one, two] = [*position, position.mirrored()]
                .map(|position| position.to_fen().split(' ').take(2).collect::<Vec<_>>().join(" "));
            let fen = one.min(two);
            assert_eq!(*seen.entry(key).or_insert_with(|| fen.clone()), fen);
        });
    }
}
