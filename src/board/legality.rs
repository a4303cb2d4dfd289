//! Legality of moves, and moves that give check.

use super::attacks::{
    advisor_attacks, between, diagonals, elephant_attacks, horse_attackers, horse_attacks, horse_leg, horse_near,
    king_attacks, lines, pawn_attackers, pawn_attacks, slider_attacks,
};
use super::bitboard::Bitboard;
use super::guard::{Screens, attackers};
use super::moves::Move;
use super::piece::{Kind, Piece, Side};
use super::position::{Delta, Position};
use super::square::Square;

impl Position {
    /// Squares to which a piece on `from`, other than the king, may go without leaving its king attacked.
    ///
    /// Each enemy attacker imposes no limit or names the squares that keep it harmless or make it so; their
    /// intersection remains.
    pub(crate) fn allowed(&self, from: Square) -> Bitboard {
        let (side, placement) = (self.side(), self.placement());
        let king = self.king(side);
        let enemy = self.of_side(!side);
        let others = self.occupied().without(from);
        let aligned = enemy & lines(king);
        let mut allowed = Bitboard::ALL;
        for attacker in aligned & (placement.of_kind(Kind::Rook) | placement.of_kind(Kind::King)) {
            let gap = between(king, attacker);
            if (gap & others).is_empty() {
                allowed &= gap.with(attacker);
            }
        }
        for cannon in aligned & placement.of_kind(Kind::Cannon) {
            let gap = between(king, cannon);
            match Screens::of(gap & others) {
                Screens::None => allowed &= !gap,
                Screens::One => allowed &= (gap & !others).with(cannon),
                Screens::Two | Screens::More => {}
            }
        }
        for horse in enemy & placement.of_kind(Kind::Horse) & horse_near(king) {
            let leg = horse_leg(horse, king);
            if !others.has(leg) {
                allowed &= Bitboard::of(horse).with(leg);
            }
        }
        for pawn in enemy & placement.of_kind(Kind::Pawn) & pawn_attackers(!side, king) {
            allowed &= Bitboard::of(pawn);
        }
        allowed
    }

    /// Squares to which any piece that is not pinned may go: those that capture or block the checking piece and do not
    /// make the moved piece a screen.
    pub(crate) fn open(&self) -> Bitboard {
        let guard = self.guard();
        guard.checkers.into_iter().fold(!guard.hollow, |open, checker| open & self.answers(checker))
    }

    /// Squares on which a piece that is not pinned captures or blocks the piece on `checker`.
    fn answers(&self, checker: Square) -> Bitboard {
        let king = self.king(self.side());
        let of = |kind: Kind| self.of_kind(kind).has(checker);
        let between = if of(Kind::Pawn) {
            Bitboard::EMPTY
        } else if of(Kind::Horse) {
            Bitboard::of(horse_leg(checker, king))
        } else {
            between(king, checker) & !self.occupied() // a cannon is blocked by a second screen
        };
        between.with(checker)
    }

    fn open_to(&self, from: Square) -> Bitboard {
        if self.guard().pinned.has(from) { self.allowed(from) } else { self.open() }
    }

    /// Whether the king of the side to move would be safe on `to`, having left its square.
    pub(crate) fn king_may_step_to(&self, to: Square) -> bool {
        let side = self.side();
        let occupied = self.occupied().without(self.king(side)).with(to);
        attackers(self.placement(), to, occupied, self.of_side(!side).without(to)).is_empty()
    }

    /// The enemy pieces that would attack the king of the side to move if `square` were empty, and do not now.
    pub fn pinners(&self, square: Square) -> Bitboard {
        let side = self.side();
        let (king, enemy) = (self.king(side), self.of_side(!side));
        attackers(self.placement(), king, self.occupied().without(square), enemy) & !self.checkers()
    }

    /// The pieces of both sides that attack `square`, whichever stands there; pins do not count.
    pub fn attackers_of(&self, square: Square) -> Bitboard {
        let (of, occupied) = (|kind: Kind| self.of_kind(kind), self.occupied());
        let reach = slider_attacks(square, occupied);
        let pawns = |side: Side| pawn_attackers(side, square) & self.pieces(side, Kind::Pawn);
        (reach.rook & of(Kind::Rook))
            | (reach.cannon & of(Kind::Cannon))
            | (horse_attackers(square, occupied) & of(Kind::Horse))
            | (elephant_attacks(square, occupied) & of(Kind::Elephant))
            | (advisor_attacks(square) & of(Kind::Advisor))
            | (king_attacks(square) & of(Kind::King))
            | pawns(Side::Red)
            | pawns(Side::Black)
    }

    /// Pseudo-legal destinations of `piece` on `from`: own pieces are excluded, the safety of the king is ignored.
    pub fn reach(&self, piece: Piece, from: Square) -> Bitboard {
        let (side, occupied) = (piece.side(), self.occupied());
        let reach = match piece.kind() {
            Kind::King => king_attacks(from),
            Kind::Advisor => advisor_attacks(from),
            Kind::Elephant => elephant_attacks(from, occupied),
            Kind::Horse => horse_attacks(from, occupied),
            Kind::Rook => slider_attacks(from, occupied).rook,
            Kind::Cannon => {
                let reach = slider_attacks(from, occupied);
                (reach.rook & !occupied) | (reach.cannon & occupied)
            }
            Kind::Pawn => pawn_attacks(side, from),
        };
        reach & !self.of_side(side)
    }

    /// Whether `mv` is legal here; accepts any move.
    pub fn is_legal(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        match self.piece_on(from) {
            Some(piece) if piece.side() == self.side() && self.reach(piece, from).has(to) => {
                if piece.kind() == Kind::King { self.king_may_step_to(to) } else { self.open_to(from).has(to) }
            }
            _ => mv.is_promotion() && self.promotable().has(from),
        }
    }

    /// Whether `mv` would be legal if the present checks did not matter: after it, nothing attacks the mover's king
    /// that does not attack it already.
    pub fn is_legal_but_for_checks(&self, mv: Move) -> bool {
        if !self.in_check() {
            return self.is_legal(mv);
        }
        let (side, from, to) = (self.side(), mv.from(), mv.to());
        let goes = |piece: Piece| piece.side() == side && self.reach(piece, from).has(to);
        self.piece_on(from).is_some_and(goes) && {
            let after = self.play(mv);
            (after.attackers_of_waiting_king() & !self.checkers()).is_empty()
        }
    }

    /// Whether the legal move `mv` gives check, directly or by discovery.
    ///
    /// Promotions never give check and need no special case: they open no line, and a pawn on its own back rank attacks
    /// only the rank ahead.
    pub fn gives_check(&self, mv: Move) -> bool {
        let Delta { piece, from, to, .. } = self.delta(mv);
        let side = self.side();
        let king = self.king(!side);
        // Away from the king's lines and its diagonal neighbours, only a horse can give check.
        let watched = lines(king) | diagonals(king);
        if !watched.has(from) && !watched.has(to) {
            return piece.kind() == Kind::Horse && horse_attackers(king, self.occupied()).has(to);
        }
        let occupied = self.occupied().without(from).with(to);
        let moved = Bitboard::of(to);
        let of = |kind: Kind| {
            let stayed = self.pieces(side, kind).without(from);
            if piece.kind() == kind { stayed | moved } else { stayed }
        };
        let (rooks, cannons) = (of(Kind::Rook) & lines(king), of(Kind::Cannon) & lines(king));
        let slides = || {
            let reach = slider_attacks(king, occupied);
            (reach.rook & rooks | reach.cannon & cannons).any()
        };
        let horses = of(Kind::Horse) & horse_near(king);
        (rooks | cannons).any() && slides()
            || horses.any() && (horse_attackers(king, occupied) & horses).any()
            || (pawn_attackers(side, king) & of(Kind::Pawn)).any()
    }
}
