//! Piece placement: bitboards, mailbox and key, which are only changed together and only here.

use super::bitboard::Bitboard;
use super::piece::{Kind, Piece, Side};
use super::square::{SQUARES, Square};
use super::zobrist::Key;

/// The pieces on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Placement {
    by_kind: [Bitboard; Kind::ALL.len()],
    by_side: [Bitboard; Side::ALL.len()],
    mailbox: [Option<Piece>; SQUARES],
    key: Key,
}

impl Placement {
    pub(crate) const EMPTY: Self = Self {
        by_kind: [Bitboard::EMPTY; Kind::ALL.len()],
        by_side: [Bitboard::EMPTY; Side::ALL.len()],
        mailbox: [None; SQUARES],
        key: Key(0),
    };

    pub(crate) fn on(&self, square: Square) -> Option<Piece> {
        self.mailbox[square.index()]
    }

    pub(crate) fn of_kind(&self, kind: Kind) -> Bitboard {
        self.by_kind[kind.index()]
    }

    pub(crate) fn of_side(&self, side: Side) -> Bitboard {
        self.by_side[side.index()]
    }

    pub(crate) fn occupied(&self) -> Bitboard {
        self.by_side[0] | self.by_side[1]
    }

    /// The key of the pieces alone, without the side to move.
    pub(crate) fn key(&self) -> Key {
        self.key
    }

    /// Puts a piece on an empty square.
    pub(crate) fn put(&mut self, piece: Piece, square: Square) {
        debug_assert!(self.on(square).is_none());
        self.mailbox[square.index()] = Some(piece);
        self.toggle(piece, Bitboard::of(square));
        self.key = self.key.toggled(piece, square);
    }

    /// Removes `piece` from the square on which it stands.
    pub(crate) fn take(&mut self, piece: Piece, square: Square) {
        debug_assert!(self.on(square) == Some(piece));
        self.mailbox[square.index()] = None;
        self.toggle(piece, Bitboard::of(square));
        self.key = self.key.toggled(piece, square);
    }

    fn toggle(&mut self, piece: Piece, squares: Bitboard) {
        self.by_kind[piece.kind().index()] ^= squares;
        self.by_side[piece.side().index()] ^= squares;
    }
}
