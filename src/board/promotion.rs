//! Promotions in the variant in which advisors and elephants may become pawns.
//!
//! A side that is not in check and has fewer than five pawns may spend its move on turning one of its advisors or
//! elephants on a back rank into a pawn, on the square where it stands. The move begins and ends there: `d0d0`.

use super::bitboard::Bitboard;
use super::piece::Kind;
use super::position::{Position, Variant};
use super::square::RANKS;

const BACK_RANKS: Bitboard = Bitboard(Bitboard::rank(0).0 | Bitboard::rank(RANKS - 1).0);

impl Position {
    /// Pieces of the side to move that may be promoted. No promotion exposes the king: the square stays occupied by its side.
    #[cold] // like `promoted`
    pub fn promotable(&self) -> Bitboard {
        let side = self.side();
        let may_promote = self.variant() == Variant::Promotion
            && !self.in_check()
            && self.pieces(side, Kind::Pawn).count() < Kind::Pawn.most();
        if may_promote {
            (self.pieces(side, Kind::Advisor) | self.pieces(side, Kind::Elephant)) & BACK_RANKS
        } else {
            Bitboard::EMPTY
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::random_games::random_games_in;
    use crate::board::{Delta, Move, Piece, perft};

    fn in_promotion(fen: &str) -> Position {
        Position::from_fen_in(fen, Variant::Promotion).unwrap()
    }

    /// The promotions of a position, in coordinates.
    fn promotions(position: &Position) -> String {
        let moves = position.legal_moves().into_iter().filter(|mv| mv.is_promotion());
        let mut texts: Vec<String> = moves.map(|mv| mv.to_string()).collect();
        texts.sort();
        texts.join(" ")
    }

    const FOUR_PAWNS: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P3P1P/1C5C1/9/RNBAKABNR";

    #[test]
    fn advisors_and_elephants_at_home_may_become_pawns() {
        assert_eq!(promotions(&in_promotion(FOUR_PAWNS)), "c0c0 d0d0 f0f0 g0g0");
        let black = in_promotion("rnbakabnr/9/1c5c1/p1p3p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b");
        assert_eq!(promotions(&black), "c9c9 d9d9 f9f9 g9g9");
        assert_eq!(promotions(&in_promotion("4k4/9/9/9/9/9/9/4B4/4A4/2BK1A3 w")), "c0c0 f0f0");
    }

    #[test]
    fn nobody_promotes_in_the_standard_game_with_five_pawns_or_in_check() {
        let standard = Position::from_fen(FOUR_PAWNS).unwrap();
        assert_eq!((promotions(&standard).as_str(), standard.legal_moves().len()), ("", 43));
        assert!(!standard.is_legal("d0d0".parse().unwrap()));
        assert_eq!(promotions(&Position::start().in_variant(Variant::Promotion).unwrap()), "");
        assert_eq!(promotions(&in_promotion("4k4/9/9/9/9/9/9/4r4/9/2BAKA3 w")), "");
    }

    #[test]
    fn a_promotion_replaces_the_piece_and_ends_the_reversible_history() {
        let before = in_promotion("4k4/9/9/9/9/9/9/9/9/3K1AB2 w - - 30 40");
        let mv: Move = "f0f0".parse().unwrap();
        let after = before.play(mv);
        assert_eq!(after.to_fen(), "4k4/9/9/9/9/9/9/9/9/3K1PB2 b - - 0 40");
        assert_eq!((after.key(), after.variant()), (before.key_after(mv), Variant::Promotion));
        let square = mv.to();
        let delta = Delta { piece: Piece::RedAdvisor, from: square, to: square, captured: None };
        assert_eq!((before.delta(mv), delta.placed()), (delta, Piece::RedPawn));
        assert!(!before.is_capture(mv) && !before.gives_check(mv));
        assert!(before.quiets().contains(&mv) && !before.captures().contains(&mv));
    }

    #[test]
    fn a_promotion_risks_the_pawn_and_takes_nothing() {
        let promote: Move = "f0f0".parse().unwrap();
        let safe = in_promotion("3k5/9/9/9/9/9/9/9/9/4KA3 w");
        assert!(safe.exchange_gains(promote, 0) && !safe.exchange_gains(promote, 1));
        let attacked = in_promotion("3k1r3/9/9/9/9/9/9/9/4K4/5A3 w");
        assert!(attacked.exchange_gains(promote, -120) && !attacked.exchange_gains(promote, -119));
    }

    #[test]
    fn a_promotion_can_be_the_only_move() {
        let fen = "3k5/9/9/9/9/9/9/9/1p1pp4/2B2K3 w";
        assert!(!Position::from_fen(fen).unwrap().has_legal_move());
        assert!(in_promotion(fen).has_legal_move());
        assert_eq!(promotions(&in_promotion(fen)), "c0c0");
    }

    /// Worked out by hand: 1. d0d1 leaves black 2 moves and then red 5 or 4; f0e1 2, then 5 or 5; f0f0 2, then 3 or 2.
    #[test]
    fn a_small_tree_has_as_many_leaves_as_counted_by_hand() {
        let position = in_promotion("4k4/9/9/9/9/9/9/9/9/3K1A3 w");
        assert_eq!([1, 2, 3].map(|depth| perft(&position, depth)), [3, 6, 24]);
        let standard = position.in_variant(Variant::Standard).unwrap();
        assert_eq!([1, 2, 3].map(|depth| perft(&standard, depth)), [2, 4, 17]);
    }

    #[test]
    fn random_games_see_many_promotions() {
        let (mut promotions, mut promoted_pawns) = (0, 0);
        random_games_in(Variant::Promotion, 14, if cfg!(miri) { 0 } else { 20 }, |position| {
            promotions += position.promotable().count();
            promoted_pawns += u32::from(position.in_variant(Variant::Standard).is_err());
        });
        assert!(cfg!(miri) || promotions > 1000 && promoted_pawns > 500, "{promotions} {promoted_pawns}");
    }
}
