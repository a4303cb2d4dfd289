//! Games from CBR and CBL, the files of CCBridge (象棋桥): a record of one game, and a library of records.
//!
//! The layout follows a description that was checked against 14 libraries of 248 games (`ccbridge-format.md` of a GPL project)
//! and four readers that agree with it; nothing is encrypted. A record:
//!
//! | kind 2 | kind 1 | bytes | content |
//! |---|---|---|---|
//! | 0 | 0 | 16 | `CCBridge Record` and a zero |
//! | 19 | 19 | 1 | kind; 3 is a newer one, of which nothing is published |
//! | 1076, 1300 | 948, 1172 | 64 each | names of Red and Black, UTF-16, little-endian, ended by a zero |
//! | 2076 | 1820 | 1 | result: 1 Red, 2 Black, 3 draw |
//! | 2112 | 1856 | 1 | side to move: 1 Red, 2 Black; readers disagree, so the first move decides |
//! | 2120 | 1864 | 90 | board from Black's left corner of the picture, row by row: `0x11` to `0x17` RNBAKCP, `0x2_` Black |
//! | 2214 | 1958 | | nodes of four bytes: flags (1 the line ends, 2 an alternative comes later, 4 a comment follows), 0, from, to |
//!
//! A square of a node counts like the board in kind 2; in kind 1, which only one of the readers knows (vschess, LGPL), it is
//! the file in the upper four bits and the row in the lower ones. The first node is not a move. A comment is its length in
//! bytes, as a number of four bytes, and its text. A library has a header and an index, then records at multiples of 4096
//! bytes after the first one; long records take several.

use chuhe::board::{FILES, Move, Piece, Position, RANKS, SQUARES, Side, Square};

use crate::game::{Faulty, Game, Outcome};
use crate::tree::{self, Node};

/// First bytes of a record.
pub(crate) const RECORD: &[u8] = b"CCBridge Record\0";
/// First bytes of a library.
pub(crate) const LIBRARY: &[u8] = b"CCBridgeLibrary\0";

/// Place of the kind in a record.
const KIND: usize = 19;
const NAME_BYTES: usize = 64;

/// Places in a record of one kind.
struct Layout {
    names: [usize; 2],
    result: usize,
    side: usize,
    board: usize,
    nodes: usize,
    /// Decodes a square of a node.
    square: fn(u8) -> Option<Square>,
}

/// Kind 1.
const FIRST: Layout =
    Layout { names: [948, 1172], result: 1820, side: 1856, board: 1864, nodes: 1958, square: square_of_halves };
/// Kind 2, the usual one.
const SECOND: Layout =
    Layout { names: [1076, 1300], result: 2076, side: 2112, board: 2120, nodes: 2214, square: square_of_index };

/// Records of a library begin at multiples of this many bytes after the first one.
const SLOT: usize = 4096;
/// Letters of the low four bits of a piece, from 1.
const PIECES: &str = "RNBAKCP";

const LINE_ENDS: u8 = 1;
const HAS_SIBLING: u8 = 2;
const HAS_COMMENT: u8 = 4;

/// Returns the games of a record or a library, including errors for those that cannot be read.
pub fn read(bytes: &[u8]) -> Vec<Result<Game, Faulty>> {
    let starts = starts(bytes);
    if starts.is_empty() {
        return vec![Err("offset 0: no record of CCBridge".to_owned())];
    }
    let ends = starts.iter().skip(1).copied().chain([bytes.len()]);
    starts.iter().zip(ends).map(|(&start, end)| record(&bytes[start..end], start)).collect()
}

/// Returns the offsets of all records.
fn starts(bytes: &[u8]) -> Vec<usize> {
    let is_record = |at: &usize| bytes[*at..].starts_with(RECORD);
    // The index may be out of date, so the first record is searched.
    let first = bytes.windows(RECORD.len()).position(|window| window == RECORD);
    let slots = first.into_iter().flat_map(|first| (first..bytes.len()).step_by(SLOT));
    slots.filter(is_record).collect()
}

fn record(bytes: &[u8], offset: usize) -> Result<Game, Faulty> {
    let kind = bytes.get(KIND).copied().unwrap_or(2);
    let layout = if kind == 1 { &FIRST } else { &SECOND };
    let read = || {
        if bytes.len() < layout.nodes {
            return Err(format!("offset {offset}: the record is truncated"));
        }
        let mut nodes = Nodes { bytes, at: layout.nodes, offset, square: layout.square };
        let root = nodes.next()?;
        let first = if root.has_next { Some(nodes.next()?) } else { None };
        let start = start(bytes, layout, first.as_ref().and_then(|node| node.mv));
        let start = start.map_err(|fault| format!("offset {}: {fault}", offset + layout.board))?;
        let mut game = match first {
            Some(first) => tree::read(start, first, || nodes.next())?,
            None => Game::bare(start, vec![]),
        };
        game.comment(0, 0, &root.comment);
        Ok(game)
    };
    let mut game = read().map_err(|fault| match kind {
        1 | 2 => fault,
        kind => format!("{fault}; the record is of kind {kind}, which may have another layout"),
    })?;
    game.result = match bytes[layout.result] {
        1 => Some(Outcome::Won(Side::Red)),
        2 => Some(Outcome::Won(Side::Black)),
        3 => Some(Outcome::Drawn),
        _ => None,
    };
    game.players = layout.names.map(|at| text(&bytes[at..at + NAME_BYTES]));
    Ok(game)
}

/// Decodes a text up to the zero that ends it.
fn text(bytes: &[u8]) -> String {
    let words = bytes.as_chunks().0.iter().map(|&pair| u16::from_le_bytes(pair));
    let words: Vec<u16> = words.take_while(|word| *word != 0).collect();
    String::from_utf16_lossy(&words).trim().to_owned()
}

/// Reads the position; the piece that makes the first move says whose turn it is.
fn start(bytes: &[u8], layout: &Layout, first: Option<Move>) -> Result<Position, Faulty> {
    let piece = |byte: u8| {
        let letter = PIECES.chars().nth(usize::from(byte & 0x0F).checked_sub(1)?)?;
        match byte >> 4 {
            1 => Piece::from_letter(letter),
            2 => Piece::from_letter(letter.to_ascii_lowercase()),
            _ => None,
        }
    };
    let board = &bytes[layout.board..layout.board + SQUARES];
    let pieces: Vec<_> = board
        .iter()
        .enumerate()
        .filter_map(|(index, &byte)| Some((square_of_index(index as u8)?, piece(byte)?)))
        .collect();
    let on = |square: Square| pieces.iter().find(|(place, _)| *place == square).map(|(_, piece)| piece.side());
    let noted = if bytes[layout.side] == 2 { Side::Black } else { Side::Red };
    let side = first.and_then(|mv| on(mv.from())).unwrap_or(noted);
    Position::from_pieces(pieces.iter().copied(), side).map_err(|error| error.to_string())
}

/// Decodes an index that counts from the upper left corner, row by row.
fn square_of_index(index: u8) -> Option<Square> {
    square(usize::from(index) % FILES, usize::from(index) / FILES)
}

/// Decodes a file in the upper four bits and a row in the lower ones.
fn square_of_halves(byte: u8) -> Option<Square> {
    square((byte >> 4).into(), (byte & 0x0F).into())
}

/// Returns the square of a file and a row, counted from the upper left corner.
fn square(file: usize, row: usize) -> Option<Square> {
    (file < FILES && row < RANKS).then(|| Square::new(file, RANKS - 1 - row))
}

/// Reader of the nodes of a record.
struct Nodes<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Offset of the record in the file.
    offset: usize,
    square: fn(u8) -> Option<Square>,
}

impl Nodes<'_> {
    fn take<const BYTES: usize>(&mut self) -> Result<[u8; BYTES], Faulty> {
        let bytes = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk());
        let bytes = bytes.ok_or_else(|| format!("offset {}: the record is truncated", self.offset + self.at))?;
        self.at += BYTES;
        Ok(*bytes)
    }

    fn next(&mut self) -> Result<Node, Faulty> {
        let offset = self.offset + self.at;
        let [flags, _, from, to] = self.take()?;
        let mut comment = String::new();
        if flags & HAS_COMMENT != 0 {
            let length = u32::from_le_bytes(self.take()?);
            let end = usize::try_from(length).ok().and_then(|length| self.at.checked_add(length));
            let end = end.filter(|end| *end <= self.bytes.len());
            let end = end.ok_or_else(|| format!("offset {offset}: a comment is longer than the record"))?;
            comment = text(&self.bytes[self.at..end]);
            self.at = end;
        }
        let squares = (self.square)(from).zip((self.square)(to)).filter(|(from, to)| from != to);
        Ok(Node {
            offset,
            mv: squares.map(|(from, to)| Move::new(from, to)),
            has_next: flags & LINE_ENDS == 0,
            has_sibling: flags & HAS_SIBLING != 0,
            comment,
        })
    }
}

#[cfg(test)]
mod tests;
