//! Legal move generation: captures, quiet moves or both, listed or only counted.

use std::ops::ControlFlow;

use super::attacks::{advisor_attacks, elephant_attacks, horse_attacks, king_attacks, pawn_attacks, slider_attacks};
use super::bitboard::Bitboard;
use super::moves::{Move, MoveList};
use super::piece::Kind;
use super::position::{Position, Variant};
use super::square::Square;

/// Destinations to be generated.
#[derive(Clone, Copy)]
struct Wanted {
    captures: Bitboard,
    quiets: Bitboard,
}

impl Position {
    /// All legal moves.
    ///
    /// ```
    /// assert_eq!(chuhe::board::Position::start().legal_moves().len(), 44);
    /// ```
    pub fn legal_moves(&self) -> MoveList {
        self.list(self.anywhere())
    }

    /// The legal captures.
    pub fn captures(&self) -> MoveList {
        self.list(self.onto_pieces())
    }

    /// The legal quiet moves, promotions included.
    pub fn quiets(&self) -> MoveList {
        self.list(self.onto_empty_squares())
    }

    /// Calls `take` with the square of each piece and its legal captures, a set that may be empty.
    pub(crate) fn for_captures(&self, mut take: impl FnMut(Square, Bitboard)) {
        let _ = self.for_each_piece(self.onto_pieces(), |from, targets| {
            take(from, targets);
            ControlFlow::Continue(())
        });
    }

    /// Calls `take` with the square of each piece and its legal quiet moves, a set that may be empty.
    pub(crate) fn for_quiets(&self, mut take: impl FnMut(Square, Bitboard)) {
        let _ = self.for_each_piece(self.onto_empty_squares(), |from, targets| {
            take(from, targets);
            ControlFlow::Continue(())
        });
    }

    /// The number of legal moves.
    pub fn count_legal_moves(&self) -> u64 {
        let mut count = 0;
        let _ = self.for_each_piece(self.anywhere(), |_, targets| {
            count += u64::from(targets.count());
            ControlFlow::Continue(())
        });
        count
    }

    /// Whether the side to move has a legal move; without one it has lost, in check or not.
    pub fn has_legal_move(&self) -> bool {
        // Nearly always some pawn can step, which is cheap to test.
        if self.some_free_pawn_steps() {
            return true;
        }
        let found = self.for_each_piece(self.anywhere(), |_, targets| match targets.any() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        });
        found.is_break()
    }

    /// Whether the side to move is not in check and has a pawn that is not pinned and can step.
    fn some_free_pawn_steps(&self) -> bool {
        let (side, guard) = (self.side(), self.guard());
        let targets = !(self.of_side(side) | guard.hollow);
        let free = self.pieces(side, Kind::Pawn) & !guard.pinned;
        guard.checkers.is_empty() && free.into_iter().any(|from| (pawn_attacks(side, from) & targets).any())
    }

    fn onto_pieces(&self) -> Wanted {
        Wanted { captures: self.of_side(!self.side()), quiets: Bitboard::EMPTY }
    }

    fn onto_empty_squares(&self) -> Wanted {
        Wanted { captures: Bitboard::EMPTY, quiets: !self.occupied() }
    }

    fn anywhere(&self) -> Wanted {
        Wanted { captures: self.of_side(!self.side()), quiets: !self.occupied() }
    }

    fn list(&self, wanted: Wanted) -> MoveList {
        let mut list = MoveList::new();
        let _ = self.for_each_piece(wanted, |from, targets| {
            for to in targets {
                list.push(Move::new(from, to));
            }
            ControlFlow::Continue(())
        });
        list
    }

    /// Calls `take` with each own piece that has a target and with its legal targets, until `take` breaks.
    #[inline(always)] // one instance per use: counting and listing are the engine's hottest loops
    fn for_each_piece(
        &self,
        wanted: Wanted,
        mut take: impl FnMut(Square, Bitboard) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (side, occupied, pinned) = (self.side(), self.occupied(), self.guard().pinned);
        let (own, open) = (self.of_side(side), self.open());
        let targets = wanted.captures | wanted.quiets;
        let mut take_safe = |from: Square, reach: Bitboard| {
            if reach.is_empty() {
                return ControlFlow::Continue(());
            }
            let safe = if pinned.has(from) { self.allowed(from) } else { open };
            take(from, reach & safe)
        };
        for from in own & self.of_kind(Kind::Rook) {
            take_safe(from, slider_attacks(from, occupied).rook & targets)?;
        }
        for from in own & self.of_kind(Kind::Cannon) {
            let reach = slider_attacks(from, occupied);
            take_safe(from, (reach.rook & wanted.quiets) | (reach.cannon & wanted.captures))?;
        }
        for from in own & self.of_kind(Kind::Horse) {
            take_safe(from, horse_attacks(from, occupied) & targets)?;
        }
        for from in own & self.of_kind(Kind::Pawn) {
            take_safe(from, pawn_attacks(side, from) & targets)?;
        }
        for from in own & self.of_kind(Kind::Elephant) {
            take_safe(from, elephant_attacks(from, occupied) & targets)?;
        }
        for from in own & self.of_kind(Kind::Advisor) {
            take_safe(from, advisor_attacks(from) & targets)?;
        }
        let king = self.king(side);
        let steps = king_attacks(king) & targets;
        take(king, steps.into_iter().filter(|&to| self.king_may_step_to(to)).collect())?;
        if self.variant() == Variant::Promotion && wanted.quiets.any() {
            for from in self.promotable() {
                take(from, Bitboard::of(from))?;
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::naive::naive_legal_moves;
    use crate::board::random_games::random_games_in;

    #[test]
    fn the_generator_agrees_with_a_naive_one() {
        for variant in Variant::ALL {
            random_games_in(variant, 4, if cfg!(miri) { 1 } else { 60 }, |position| {
                let mut moves: Vec<_> = position.legal_moves().iter().map(|mv| mv.bits()).collect();
                let mut split: Vec<_> =
                    position.captures().iter().chain(&position.quiets()).map(|mv| mv.bits()).collect();
                let mut naive: Vec<_> = naive_legal_moves(position).iter().map(|mv| mv.bits()).collect();
                moves.sort_unstable();
                split.sort_unstable();
                naive.sort_unstable();
                assert_eq!(moves, naive, "{}", position.to_fen());
                assert_eq!(moves, split, "{}", position.to_fen());
                assert_eq!(position.count_legal_moves(), naive.len() as u64);
                assert_eq!(position.has_legal_move(), !naive.is_empty());
                assert!(position.captures().iter().all(|&mv| position.is_capture(mv)));
            });
        }
    }

    #[test]
    fn legality_of_any_pair_of_squares_agrees_with_the_list() {
        for variant in Variant::ALL {
            random_games_in(variant, 5, if cfg!(miri) { 0 } else { 3 }, |position| {
                let moves = position.legal_moves();
                for from in Square::all() {
                    for to in Square::all().filter(|&to| (from.index(), to.index()) != (0, 0)) {
                        let mv = Move::new(from, to);
                        assert_eq!(position.is_legal(mv), moves.contains(&mv), "{mv} in {}", position.to_fen());
                    }
                }
            });
        }
    }

    #[test]
    fn a_move_gives_check_exactly_when_the_next_position_is_in_check() {
        for variant in Variant::ALL {
            random_games_in(variant, 6, if cfg!(miri) { 1 } else { 60 }, |position| {
                for mv in position.legal_moves() {
                    assert_eq!(position.gives_check(mv), position.play(mv).in_check(), "{mv} in {}", position.to_fen());
                }
            });
        }
    }
}
