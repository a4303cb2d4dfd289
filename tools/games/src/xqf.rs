//! Games from XQF: a header, then a tree of moves, both masked in newer versions.
//!
//! The layout and the arithmetic of the masks follow XQFTOOLS of the ElephantEye project; the order of siblings is general
//! knowledge.

use chuhe::board::{FILES, Move, Position, RANKS, Side, Square};

use crate::encoding::{decode, readings};
use crate::game::{Faulty, Game, Outcome};
use crate::parts::position;
use crate::tree::{self, Node};

const HEADER: usize = 0x400;
const PIECES: usize = 0x10;
const RESULT: usize = 0x33;
/// Names of Red and Black, each after a byte with its length.
const NAMES: [usize; 2] = [0x130, 0x140];
const NAME_BYTES: usize = 16;
/// Text from which the key stream is derived.
const MASK: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";
/// First version with a masked tree.
const FIRST_MASKED: u8 = 11;
/// First version in which the pieces are also rotated within their list.
const FIRST_ROTATED: u8 = 12;

const HAS_NEXT: u8 = 0x80;
const HAS_SIBLING: u8 = 0x40;
const HAS_COMMENT: u8 = 0x20;

/// Reads the game of a file.
///
/// # Errors
/// If the game cannot be read, with the offset.
pub fn read(bytes: &[u8]) -> Result<Game, Faulty> {
    let header = bytes.get(..HEADER).filter(|header| header.starts_with(b"XQ"));
    let header = header.ok_or("offset 0: not the header of an XQF file")?;
    let mask = Mask::new(header);
    let mut tree = Tree { bytes, at: HEADER, mask };
    // The first record is not a move, only a place for a comment.
    let root = tree.record()?;
    let mut game = None;
    if root.has_next {
        let first = tree.record()?;
        let start = start(header, &tree.mask, first.mv)?;
        game = Some(tree::read(start, first, || tree.record())?);
    }
    let mut game = match game {
        Some(game) => game,
        None => Game::bare(start(header, &tree.mask, None)?, vec![]),
    };
    game.comment(0, 0, &root.comment);
    game.result = match header[RESULT] {
        1 => Some(Outcome::Won(Side::Red)),
        2 => Some(Outcome::Won(Side::Black)),
        3 => Some(Outcome::Drawn),
        _ => None,
    };
    game.players = NAMES.map(|at| {
        let length = usize::from(header[at]).min(NAME_BYTES - 1);
        let text = readings(&header[at + 1..at + 1 + length]).into_iter().next().unwrap_or_default();
        text.trim().to_owned()
    });
    Ok(game)
}

fn start(header: &[u8], mask: &Mask, first: Option<Move>) -> Result<Position, Faulty> {
    let mut squares = [None; 32];
    for (index, byte) in header[PIECES..PIECES + 32].iter().enumerate() {
        let slot = if mask.version >= FIRST_ROTATED { (usize::from(mask.piece) + 1 + index) % 32 } else { index };
        squares[slot] = square(byte.wrapping_sub(mask.piece));
    }
    position(&squares, first).map_err(|error| format!("offset {PIECES}: {error}"))
}

/// Decodes `10 * file + rank`; any other value stands for a captured piece.
fn square(byte: u8) -> Option<Square> {
    let (file, rank) = (usize::from(byte) / RANKS, usize::from(byte) % RANKS);
    (file < FILES).then(|| Square::new(file, rank))
}

/// Masks that were added to the bytes.
struct Mask {
    version: u8,
    piece: u8,
    from: u8,
    to: u8,
    comment: i32,
    stream: [u8; 32],
}

impl Mask {
    fn new(header: &[u8]) -> Self {
        let version = header[2];
        if version < FIRST_MASKED {
            return Self { version, piece: 0, from: 0, to: 0, comment: 0, stream: [0; 32] };
        }
        let square = |x: u8| x.wrapping_mul(x).wrapping_mul(54).wrapping_add(221);
        let piece = square(header[13]).wrapping_mul(header[13]);
        let from = square(header[14]).wrapping_mul(piece);
        let to = square(header[15]).wrapping_mul(from);
        let comment = (i32::from(header[12]) * 256 + i32::from(header[13])) % 32_000 + 767;
        let stream = std::array::from_fn(|i| (header[8 + i % 4] | (header[12 + i % 4] & header[3])) & MASK[i]);
        Self { version, piece, from, to, comment, stream }
    }
}

struct Tree<'a> {
    bytes: &'a [u8],
    at: usize,
    mask: Mask,
}

impl Tree<'_> {
    fn byte(&mut self) -> Result<u8, Faulty> {
        let byte = self.bytes.get(self.at).ok_or_else(|| format!("offset {}: the file is truncated", self.at))?;
        let unmasked = byte.wrapping_sub(self.mask.stream[(self.at - HEADER) % 32]);
        self.at += 1;
        Ok(unmasked)
    }

    fn record(&mut self) -> Result<Node, Faulty> {
        let offset = self.at;
        let [from, to, tag, _] = [self.byte()?, self.byte()?, self.byte()?, self.byte()?];
        let squares = square(from.wrapping_sub(24).wrapping_sub(self.mask.from))
            .zip(square(to.wrapping_sub(32).wrapping_sub(self.mask.to)));
        let mv = squares.filter(|(from, to)| from != to).map(|(from, to)| Move::new(from, to));
        let is_old = self.mask.version < FIRST_MASKED;
        let (has_next, has_sibling) =
            if is_old { (tag & 0xF0 != 0, tag & 0x0F != 0) } else { (tag & HAS_NEXT != 0, tag & HAS_SIBLING != 0) };
        let comment = if is_old || tag & HAS_COMMENT != 0 { self.comment()? } else { String::new() };
        Ok(Node { offset, mv, has_next, has_sibling, comment })
    }

    /// Reads a comment; one that is in no code page is left out.
    fn comment(&mut self) -> Result<String, Faulty> {
        let at = self.at;
        let length = i32::from_le_bytes([self.byte()?, self.byte()?, self.byte()?, self.byte()?]);
        let length = usize::try_from(length.wrapping_sub(self.mask.comment)).ok();
        let end = length.and_then(|length| self.at.checked_add(length)).filter(|end| *end <= self.bytes.len());
        let end = end.ok_or_else(|| format!("offset {at}: a comment is longer than the file"))?;
        let bytes = (self.at..end).map(|_| self.byte()).collect::<Result<Vec<_>, _>>()?;
        Ok(decode(bytes).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::GB18030;

    /// Returns the pieces of the starting position.
    fn squares() -> Vec<u8> {
        let side = |back: u8, cannons: u8, pawns: u8| {
            let mut squares: Vec<u8> = (0..9).map(|file| file * 10 + back).collect();
            squares.extend([1, 7].map(|file| file * 10 + cannons));
            squares.extend([0, 2, 4, 6, 8].map(|file| file * 10 + pawns));
            squares
        };
        [side(0, 2, 3), side(9, 7, 6)].concat()
    }

    fn bytes(mv: &str) -> [u8; 2] {
        let mv: Move = mv.parse().unwrap();
        [mv.from(), mv.to()].map(|square| (square.file() * 10 + square.rank()) as u8)
    }

    /// Builds a file: `h2e2 h9g7`, with `b9c7` as alternative to the second move.
    fn file(version: u8) -> Vec<u8> {
        let mut header = vec![0; HEADER];
        header[..3].copy_from_slice(&[b'X', b'Q', version]);
        header[RESULT] = 3;
        header[8..16].copy_from_slice(&[7, 50, 200, 31, 99, 3, 17, 250]);
        header[3] = 0x5A;
        let mask = Mask::new(&header);
        for (index, square) in squares().into_iter().enumerate() {
            let slot = if version >= FIRST_ROTATED { (index + 31 - usize::from(mask.piece) % 32) % 32 } else { index };
            header[PIECES + slot] = square.wrapping_add(mask.piece);
        }
        let tags = |next: bool, sibling: bool, comment: bool| match version {
            0..FIRST_MASKED => (if next { 0xF0 } else { 0 }) | (if sibling { 0x0F } else { 0 }),
            _ => {
                (if next { HAS_NEXT } else { 0 })
                    | (if sibling { HAS_SIBLING } else { 0 })
                    | (if comment { HAS_COMMENT } else { 0 })
            }
        };
        let mut body = vec![];
        let mut record = |squares: [u8; 2], next, sibling, comment: &str| {
            let comment = GB18030.encode(comment).0;
            body.push(squares[0].wrapping_add(24).wrapping_add(mask.from));
            body.push(squares[1].wrapping_add(32).wrapping_add(mask.to));
            body.extend([tags(next, sibling, !comment.is_empty()), 0]);
            if version < FIRST_MASKED || !comment.is_empty() {
                body.extend((comment.len() as i32 + mask.comment).to_le_bytes());
                body.extend(&*comment);
            }
        };
        record([0, 0], true, false, "opening");
        record(bytes("h2e2"), true, false, "");
        record(bytes("h9g7"), false, true, "常见");
        record(bytes("b9c7"), false, false, " other\r\n");
        for (index, byte) in body.iter_mut().enumerate() {
            *byte = byte.wrapping_add(mask.stream[index % 32]);
        }
        header.extend(body);
        header
    }

    #[test]
    fn every_version_gives_the_same_game() {
        for version in [8, 10, 11, 12, 18] {
            let game = read(&file(version)).unwrap_or_else(|fault| panic!("version {version}: {fault}"));
            assert_eq!(game.start, Position::start());
            assert_eq!(game.moves, ["h2e2", "h9g7"].map(|mv| mv.parse().unwrap()));
            assert_eq!(game.result, Some(Outcome::Drawn));
            let [variation] = &game.variations[..] else { panic!("one variation") };
            assert_eq!((variation.ply, &variation.moves[..]), (1, &["b9c7".parse().unwrap()][..]));
            let comments: Vec<_> = game.comments.iter().map(|it| (it.line, it.moves, &*it.text)).collect();
            assert_eq!(comments, [(0, 2, "常见"), (1, 1, "other"), (0, 0, "opening")], "version {version}");
        }
    }

    #[test]
    fn truncated_and_altered_files_are_named() {
        let whole = file(18);
        for length in 0..whole.len() {
            let fault = read(&whole[..length]).unwrap_err();
            assert!(fault.starts_with("offset "), "{fault}");
        }
        let mut altered = file(10);
        altered[HEADER + 8 + "opening".len()] ^= 1;
        assert!(read(&altered).unwrap_err().contains("ply 1"), "a move from another square");
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(
            at in proptest::collection::vec((0..2000_usize, proptest::prelude::any::<u8>()), 0..20),
            version in 0..30_u8,
        ) {
            let mut bytes = file(version);
            for (place, byte) in at {
                let place = place % bytes.len();
                bytes[place] = byte;
            }
            let _ = read(&bytes);
        }
    }
}
