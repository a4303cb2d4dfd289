//! Positions and variants of the game. Positions are values: playing a move returns the next one.

use super::attacks::between;
use super::bitboard::Bitboard;
use super::guard::{Guard, attackers, king_square};
use super::moves::Move;
use super::piece::{Kind, Piece, Side};
use super::placement::Placement;
use super::square::Square;
use super::zobrist::Key;

/// A variant of the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Variant {
    /// Xiangqi.
    #[default]
    Standard,
    /// Xiangqi in which advisors and elephants on their back rank may become pawns.
    Promotion,
}

impl Variant {
    /// Both variants.
    pub const ALL: [Self; 2] = [Self::Standard, Self::Promotion];
}

/// A position: the placement, the side to move, and the checks and pins against its king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    placement: Placement,
    guard: Guard,
    side: Side,
    variant: Variant,
    reversible_plies: u16,
    move_number: u16,
}

const _: () = assert!(size_of::<Position>() <= 384);

/// The changes that a move makes to the board, which describe it completely.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Delta {
    /// The piece that moves.
    pub piece: Piece,
    /// The square that it leaves.
    pub from: Square,
    /// The square to which it goes; equal to `from` for a promotion.
    pub to: Square,
    /// The captured piece.
    pub captured: Option<Piece>,
}

impl Delta {
    /// The piece on `to` after the move: the moved piece, or the pawn of a promotion.
    pub fn placed(&self) -> Piece {
        if self.from == self.to { promoted(self.piece.side()) } else { self.piece }
    }
}

/// Returns the piece that a promotion of `side` yields: a pawn.
#[cold] // kept out of line, since the standard game never calls it
fn promoted(side: Side) -> Piece {
    Piece::new(side, Kind::Pawn)
}

impl Position {
    pub(crate) fn new(
        placement: Placement,
        side: Side,
        variant: Variant,
        reversible_plies: u16,
        move_number: u16,
    ) -> Self {
        let guard = Guard::examine(&placement, side);
        Self { placement, guard, side, variant, reversible_plies, move_number }
    }

    /// The side to move.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The variant of the game.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The position without the piece on `square`, which must not be a king. The side that is not to move may be in
    /// check then, so the position may be examined, but not played on.
    pub(crate) fn without(&self, square: Square) -> Self {
        let mut placement = self.placement;
        if let Some(piece) = placement.on(square) {
            placement.take(piece, square);
        }
        Self::new(placement, self.side, self.variant, self.reversible_plies, self.move_number)
    }

    /// The piece on `square`.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.placement.on(square)
    }

    /// All squares with a piece.
    pub fn occupied(&self) -> Bitboard {
        self.placement.occupied()
    }

    /// The pieces of a side.
    pub fn of_side(&self, side: Side) -> Bitboard {
        self.placement.of_side(side)
    }

    /// The pieces of a kind, both sides.
    pub fn of_kind(&self, kind: Kind) -> Bitboard {
        self.placement.of_kind(kind)
    }

    /// The pieces of one side and kind.
    pub fn pieces(&self, side: Side, kind: Kind) -> Bitboard {
        self.placement.of_kind(kind) & self.placement.of_side(side)
    }

    /// The attackers of both sides: rooks, horses, cannons and pawns, which can cross the river.
    pub fn attackers(&self) -> Bitboard {
        self.of_kind(Kind::Rook) | self.of_kind(Kind::Horse) | self.of_kind(Kind::Cannon) | self.of_kind(Kind::Pawn)
    }

    /// The square of the king of `side`.
    pub fn king(&self, side: Side) -> Square {
        king_square(&self.placement, side)
    }

    /// The Zobrist key of the placement and the side to move.
    pub fn key(&self) -> Key {
        match self.side {
            Side::Red => self.placement.key(),
            Side::Black => self.placement.key().passed(),
        }
    }

    /// The key after `mv`, for prefetching its table entry before the move is played.
    pub fn key_after(&self, mv: Move) -> Key {
        self.key_with(self.delta(mv))
    }

    /// The key after the move with these changes.
    pub(crate) fn key_with(&self, delta: Delta) -> Key {
        let key = self.key().passed().toggled(delta.piece, delta.from).toggled(delta.placed(), delta.to);
        delta.captured.map_or(key, |piece| key.toggled(piece, delta.to))
    }

    /// The enemy pieces that give check.
    pub fn checkers(&self) -> Bitboard {
        self.guard.checkers
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.guard.checkers.any()
    }

    pub(crate) fn guard(&self) -> &Guard {
        &self.guard
    }

    pub(crate) fn placement(&self) -> &Placement {
        &self.placement
    }

    /// Plies since the last capture or promotion, as counted by the FEN and the moves since; saturates.
    pub fn reversible_plies(&self) -> u16 {
        self.reversible_plies
    }

    /// The number of the next move, 1 at the start; increases after black's moves and saturates.
    pub fn move_number(&self) -> u16 {
        self.move_number
    }

    /// Whether `mv` is a capture.
    pub fn is_capture(&self, mv: Move) -> bool {
        self.piece_on(mv.to()).is_some() && !mv.is_promotion()
    }

    /// The piece that `mv` moves.
    ///
    /// # Panics
    /// If no piece stands where the move begins.
    pub fn moving_piece(&self, mv: Move) -> Piece {
        self.piece_on(mv.from()).expect("a move starts on a piece")
    }

    /// The changes that `mv` makes.
    ///
    /// # Panics
    /// If no piece stands where the move begins.
    pub fn delta(&self, mv: Move) -> Delta {
        Delta {
            piece: self.moving_piece(mv),
            from: mv.from(),
            to: mv.to(),
            captured: self.piece_on(mv.to()).filter(|_| !mv.is_promotion()),
        }
    }

    /// The position after `mv`, which must be legal here.
    ///
    /// ```
    /// use chuhe::board::Position;
    /// let next = Position::start().play("h2e2".parse().unwrap());
    /// assert_eq!(next.to_fen(), "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1");
    /// ```
    #[must_use]
    pub fn play(&self, mv: Move) -> Self {
        let mut next = *self;
        next.change(self.delta(mv));
        next
    }

    /// Applies the changes of a move, after which the other side is to move.
    pub(crate) fn change(&mut self, delta: Delta) {
        if let Some(captured) = delta.captured {
            self.placement.take(captured, delta.to);
        }
        self.placement.take(delta.piece, delta.from);
        self.placement.put(delta.placed(), delta.to);
        let irreversible = delta.captured.is_some() || delta.from == delta.to;
        self.reversible_plies = if irreversible { 0 } else { self.reversible_plies.saturating_add(1) };
        self.hand_over();
    }

    /// The position after a null move (a pass), which does not count towards the move limit.
    ///
    /// A side in check should not pass, except to examine what would be attacked then.
    #[must_use]
    pub fn pass(&self) -> Self {
        let mut next = *self;
        next.hand_over();
        next
    }

    /// Gives the turn to the other side.
    pub(crate) fn hand_over(&mut self) {
        self.move_number = self.move_number.saturating_add(u16::from(self.side == Side::Black));
        self.side = !self.side;
        self.guard = Guard::examine(&self.placement, self.side);
    }

    /// Whether only empty squares lie between the two kings on one file.
    pub fn kings_face(&self) -> bool {
        let (red, black) = (self.king(Side::Red), self.king(Side::Black));
        red.file() == black.file() && (between(red, black) & self.occupied()).is_empty()
    }

    /// Pieces of the side to move that attack the other side's king; after a legal move there are none.
    pub(crate) fn attackers_of_waiting_king(&self) -> Bitboard {
        let king = self.king(!self.side);
        attackers(&self.placement, king, self.occupied(), self.of_side(self.side))
    }
}
