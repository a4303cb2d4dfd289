//! ElephantEye's `BOOK.DAT`: eight bytes per record, sorted by a 32-bit lock, no header.
//!
//! The generator and the order of its words and squares were found by decoding the published file. A lock is short, so
//! a move of another position may be found; only legal moves are returned.

use std::sync::LazyLock;

use super::choice::Candidate;
use super::error::Fault;
use crate::board::{FILES, Move, Piece, Position, RANKS, SQUARES, Side, Square};
use crate::file::Bytes;
use crate::pod::pod;

pod! {
    /// One move of one position, as stored in the file.
    #[derive(PartialEq, Eq, Debug)]
    pub struct EleEyeRecord {
        lock: [u8; 4],
        from: u8,
        to: u8,
        weight: [u8; 2],
    }
}

const _: () = assert!(size_of::<EleEyeRecord>() == 8 && align_of::<EleEyeRecord>() == 1);

impl EleEyeRecord {
    /// Creates a record of a move under the lock of a position.
    pub fn new(lock: u32, mv: Move, weight: u16) -> Self {
        let [from, to] = [mv.from(), mv.to()].map(square_byte);
        Self { lock: lock.to_le_bytes(), from, to, weight: weight.to_le_bytes() }
    }

    /// The lock of the position.
    pub fn lock(&self) -> u32 {
        u32::from_le_bytes(self.lock)
    }

    /// The weight: how often the move is chosen.
    pub fn weight(&self) -> u16 {
        u16::from_le_bytes(self.weight)
    }

    /// The move; `None` if the bytes are not a move from one square to another.
    pub fn mv(&self) -> Option<Move> {
        let (from, to) = (byte_square(self.from)?, byte_square(self.to)?);
        (from != to).then(|| Move::new(from, to))
    }

    /// Sort key of the file.
    pub fn order(&self) -> (u32, u8, u8) {
        (self.lock(), self.to, self.from)
    }
}

/// Margin of the board in an array of 16 x 16 squares, black's side at the top.
const MARGIN: usize = 3;

/// The number of a square in a `BOOK.DAT`, and in the databases of Binghe and later programs.
pub fn square_byte(square: Square) -> u8 {
    let (column, row) = (square.file() + MARGIN, RANKS - 1 - square.rank() + MARGIN);
    (16 * row + column) as u8
}

/// The square with this number, the inverse of [`square_byte`]; `None` beside the board.
pub fn byte_square(byte: u8) -> Option<Square> {
    let (row, column) = (usize::from(byte) / 16, usize::from(byte) % 16);
    let (file, row) = (column.checked_sub(MARGIN)?, row.checked_sub(MARGIN)?);
    (file < FILES && row < RANKS).then(|| Square::new(file, RANKS - 1 - row))
}

/// ElephantEye's hash of a position: its `lock0` and its `lock1`. Books store the latter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Locks {
    /// The lock under which a book stores the position.
    pub lock1: u32,
    /// The lock that decides between a position and its mirror image if `lock1` does not.
    pub lock0: u32,
}

impl Locks {
    /// The locks of a position as it stands.
    pub fn of(position: &Position) -> Self {
        let pieces = position.occupied().into_iter().filter_map(|square| Some((position.piece_on(square)?, square)));
        let to_move = (position.side() == Side::Black).then(Self::of_black_to_move);
        let all = pieces.map(|(piece, square)| Self::of_piece(piece, square)).chain(to_move);
        all.fold(Self { lock1: 0, lock0: 0 }, |a, b| Self { lock1: a.lock1 ^ b.lock1, lock0: a.lock0 ^ b.lock0 })
    }

    /// The locks of a piece on a square, to be combined with those of a position.
    pub(super) fn of_piece(piece: Piece, square: Square) -> Self {
        let [_, lock0, lock1] = WORDS.pieces[piece.index()][square.index()];
        Self { lock1, lock0 }
    }

    /// The locks of black to move, to be combined with those of the pieces.
    pub(super) fn of_black_to_move() -> Self {
        let [_, lock0, lock1] = WORDS.black_to_move;
        Self { lock1, lock0 }
    }
}

/// Words of the generator: key, `lock0` and `lock1`.
type Words = [u32; 3];

struct AllWords {
    black_to_move: Words,
    pieces: [[Words; SQUARES]; Piece::ALL.len()],
}

static WORDS: LazyLock<AllWords> = LazyLock::new(|| {
    let mut stream = Rc4::new([0; 4]);
    let black_to_move = stream.words();
    // The kinds are in the same order as here; words are drawn for all 256 squares, of which ninety are on the board.
    let mut pieces = [[[0; 3]; SQUARES]; Piece::ALL.len()];
    for of_piece in &mut pieces {
        for byte in 0..=u8::MAX {
            let words = stream.words();
            if let Some(square) = byte_square(byte) {
                of_piece[square.index()] = words;
            }
        }
    }
    AllWords { black_to_move, pieces }
});

/// The RC4 stream cipher, used as a generator of random numbers.
struct Rc4 {
    state: [u8; 256],
    x: u8,
    y: u8,
}

impl Rc4 {
    fn new(key: [u8; 4]) -> Self {
        let mut state: [u8; 256] = std::array::from_fn(|index| index as u8);
        let mut y = 0_u8;
        for x in 0..state.len() {
            y = y.wrapping_add(state[x]).wrapping_add(key[x % key.len()]);
            state.swap(x, usize::from(y));
        }
        Self { state, x: 0, y: 0 }
    }

    fn byte(&mut self) -> u8 {
        self.x = self.x.wrapping_add(1);
        self.y = self.y.wrapping_add(self.state[usize::from(self.x)]);
        let (x, y) = (usize::from(self.x), usize::from(self.y));
        self.state.swap(x, y);
        self.state[usize::from(self.state[x].wrapping_add(self.state[y]))]
    }

    fn words(&mut self) -> Words {
        std::array::from_fn(|_| u32::from_le_bytes(std::array::from_fn(|_| self.byte())))
    }
}

/// A book in ElephantEye's format.
pub struct EleEyeBook {
    bytes: Bytes,
}

/// Number of records that are checked to tell a book from another file.
const SAMPLES: usize = 64;

impl EleEyeBook {
    /// Creates a book from a file that was read or mapped. Checks all of its records if it was read, and some of them if it
    /// was mapped, since there is no header to check.
    pub(super) fn checked(bytes: Bytes) -> Result<Self, Fault> {
        let is_mapped = bytes.is_mapped();
        let book = Self::read(bytes)?;
        if !is_mapped {
            book.check_records()?;
        }
        Ok(book)
    }

    /// Creates a book from a copy of bytes in memory.
    ///
    /// # Errors
    /// If the bytes are not a valid book.
    pub fn copied(bytes: &[u8]) -> Result<Self, Fault> {
        Self::read(Bytes::copied(bytes))
    }

    fn read(bytes: Bytes) -> Result<Self, Fault> {
        let whole = bytes.len() / size_of::<EleEyeRecord>() * size_of::<EleEyeRecord>();
        let records: &[EleEyeRecord] = bytemuck::cast_slice(&bytes[..whole]);
        let step = records.len().div_ceil(SAMPLES).max(1);
        let sample = || records.iter().step_by(step);
        if records.is_empty()
            || !sample().is_sorted_by_key(|record| record.lock())
            || sample().any(|r| r.mv().is_none())
        {
            return Err(Fault::Foreign);
        }
        if whole < bytes.len() {
            let expected = (whole + size_of::<EleEyeRecord>()) as u64;
            return Err(Fault::Truncated { found: bytes.len() as u64, expected });
        }
        Ok(Self { bytes })
    }

    /// Checks that all records are moves and that their locks are in order.
    ///
    /// # Errors
    /// Returns the first record that is not a move or is out of order.
    pub fn check_records(&self) -> Result<(), Fault> {
        let mut before = 0;
        for (index, record) in self.records().iter().enumerate() {
            let fault = |reason| Fault::Record { offset: index * size_of_val(record), reason };
            if record.mv().is_none() {
                return Err(fault("no move"));
            }
            if record.lock() < before {
                return Err(fault("out of order"));
            }
            before = record.lock();
        }
        Ok(())
    }

    /// All records, in the order of the file.
    pub fn records(&self) -> &[EleEyeRecord] {
        bytemuck::cast_slice(&self.bytes)
    }

    /// The records under one lock, in the order of the file.
    pub fn records_of_lock(&self, lock: u32) -> &[EleEyeRecord] {
        let records = self.records();
        let start = records.partition_point(|record| record.lock() < lock);
        let length = records[start..].iter().take_while(|record| record.lock() == lock).count();
        &records[start..start + length]
    }

    /// The legal moves that the book contains for `position` or for its mirror image, heaviest first.
    pub fn candidates(&self, position: &Position) -> Vec<Candidate> {
        let mut candidates = self.stored(position);
        if candidates.is_empty() {
            candidates = self.stored(&position.mirrored());
            candidates.iter_mut().for_each(|candidate| candidate.mv = candidate.mv.mirrored());
        }
        candidates.sort_by_key(Candidate::order);
        candidates
    }

    fn stored(&self, position: &Position) -> Vec<Candidate> {
        let records = self.records_of_lock(Locks::of(position).lock1).iter();
        let candidate = |record: &EleEyeRecord| {
            let mv = record.mv().filter(|&mv| position.is_legal(mv))?;
            Some(Candidate { mv, weight: record.weight(), eval: None })
        };
        records.filter_map(candidate).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_gives_the_published_words() {
        assert_eq!(WORDS.black_to_move, [0x4189_18DE, 0x3A5D_37A3, 0x671E_068A]);
        let mut stream = Rc4::new([0; 4]);
        stream.words();
        let words: Vec<_> = (0..14 * 256).map(|_| stream.words()).collect();
        assert_eq!(words[0], [0x6D92_6E57, 0xA37F_1AC7, 0x97EB_CCF0]);
        assert_eq!(words[14 * 256 - 1], [0x9C76_B4DB, 0x27D8_9AF5, 0xC20D_9CA0]);
        let start = Position::start();
        assert_eq!(Locks::of(&start), Locks { lock1: 0x0526_56D5, lock0: 0x8F89_9C24 });
        let next = start.play("h2e2".parse().unwrap());
        assert_eq!(Locks::of(&next).lock1, 0xEB50_5D7D);
        assert_eq!(Locks::of(&next.mirrored()).lock1, 0x5396_644F);
    }

    #[test]
    fn squares_are_numbered_from_the_top_left() {
        for (name, byte) in [("a9", 0x33), ("i0", 0xCB), ("e0", 0xC7)] {
            assert_eq!(square_byte(name.parse().unwrap()), byte);
        }
        for it in Square::all() {
            assert_eq!(byte_square(square_byte(it)), Some(it));
        }
        assert_eq!((0..=u8::MAX).filter_map(byte_square).count(), SQUARES);
    }

    /// A small book: two first moves, and a reply that is stored for the mirror image.
    fn small_book() -> Vec<u8> {
        let start = Position::start();
        let reply = start.play("h2e2".parse().unwrap());
        let [here, there] = [&reply, &reply.mirrored()].map(|position| Locks::of(position).lock1);
        assert!(there < here);
        let lock = Locks::of(&start).lock1;
        let mut records = [
            EleEyeRecord::new(lock, "h2e2".parse().unwrap(), 10),
            EleEyeRecord::new(lock, "c3c4".parse().unwrap(), 20),
            // An illegal move, as if another position had the same lock.
            EleEyeRecord::new(lock, "a0a9".parse().unwrap(), 30),
            EleEyeRecord::new(there, "b9c7".parse().unwrap(), 5),
        ];
        records.sort_by_key(EleEyeRecord::order);
        bytemuck::cast_slice(&records).to_vec()
    }

    fn moves(book: &EleEyeBook, position: &Position) -> Vec<(String, u16)> {
        book.candidates(position).iter().map(|candidate| (candidate.mv.to_string(), candidate.weight)).collect()
    }

    #[test]
    fn moves_are_found_on_either_side_of_the_mirror() {
        let book = EleEyeBook::copied(&small_book()).unwrap();
        let start = Position::start();
        assert_eq!(moves(&book, &start), [("c3c4".into(), 20), ("h2e2".into(), 10)]);
        let reply = start.play("h2e2".parse().unwrap());
        assert_eq!(moves(&book, &reply), [("h9g7".into(), 5)]);
        assert_eq!(moves(&book, &reply.mirrored()), [("b9c7".into(), 5)]);
        assert!(moves(&book, &start.play("h2d2".parse().unwrap())).is_empty());
    }

    #[test]
    fn other_files_are_no_books() {
        let book = small_book();
        assert!(matches!(
            EleEyeBook::copied(&book[..book.len() - 3]),
            Err(Fault::Truncated { found: 29, expected: 32 })
        ));
        assert!(matches!(EleEyeBook::copied(&[]), Err(Fault::Foreign)));
        assert!(matches!(EleEyeBook::copied(b"1. h2e2 h9g7 *"), Err(Fault::Foreign)));
        let mut reversed: Vec<[u8; 8]> = book.chunks_exact(8).map(|record| record.try_into().unwrap()).collect();
        reversed.reverse();
        assert!(matches!(EleEyeBook::copied(reversed.as_flattened()), Err(Fault::Foreign)));
    }

    #[test]
    fn the_published_book_gives_its_known_moves() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/eleeye-BOOK.DAT");
        if !path.exists() {
            return;
        }
        let book = EleEyeBook::copied(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(book.records().len(), 12_081);
        let start = Position::start();
        let found = moves(&book, &start);
        for (mv, weight) in [
            ("h2e2", 1473),
            ("b2e2", 1473),
            ("c3c4", 546),
            ("g3g4", 546),
            ("c0e2", 311),
            ("g0e2", 311),
            ("b0c2", 89),
            ("h0g2", 89),
            ("h2d2", 42),
            ("b2f2", 42),
            ("h2f2", 37),
            ("b2d2", 37),
        ] {
            assert!(found.contains(&(mv.into(), weight)), "{mv}");
        }
        assert_eq!(found[0].1, 1473);
        let reply = start.play("h2e2".parse().unwrap());
        let expected = [("h9g7", 761), ("b9c7", 172), ("h7e7", 97), ("b7e7", 1)];
        assert_eq!(moves(&book, &reply), expected.map(|(mv, weight)| (mv.to_owned(), weight)));
    }
}
