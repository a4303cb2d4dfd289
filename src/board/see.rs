//! Static exchange evaluation (SEE): whether a capture gains once both sides have recaptured on that square.
//!
//! Attackers are looked up again after every capture, because in Xiangqi a piece that leaves may be a screen, a leg or
//! an eye. A recapture that would expose the capturer's king does not count, in particular one by the king itself.

use super::attacks::{
    advisor_attacks, diagonals, elephant_attacks, horse_attackers, king_attacks, lines, pawn_attackers, slider_attacks,
};
use super::bitboard::Bitboard;
use super::guard::attackers;
use super::moves::Move;
use super::piece::{Kind, Side};
use super::position::Position;
use super::square::Square;

/// The value of a kind in an exchange, in centipawns.
pub const fn exchange_value(kind: Kind) -> i32 {
    match kind {
        Kind::King => 10_000,
        Kind::Advisor | Kind::Elephant => 200,
        Kind::Horse => 400,
        Kind::Rook => 900,
        Kind::Cannon => 450,
        Kind::Pawn => 120,
    }
}

/// Capture order of the pieces that attack from nearby, cheapest first; [`FAR`] follows.
const NEAR: [Kind; 4] = [Kind::Pawn, Kind::Elephant, Kind::Advisor, Kind::Horse];
/// Capture order of the pieces that attack along lines, with the king last.
const FAR: [Kind; 3] = [Kind::Cannon, Kind::Rook, Kind::King];

impl Position {
    /// Whether playing the legal move `mv` and then exchanging on its square gains at least `threshold` centipawns.
    ///
    /// ```
    /// use chuhe::board::Position;
    /// let start = Position::start();
    /// let cannon_takes_horse = "h2h9".parse().unwrap();
    /// assert!(!start.exchange_gains(cannon_takes_horse, 0)); // the rook takes back
    /// assert!(start.exchange_gains(cannon_takes_horse, -50));
    /// ```
    pub fn exchange_gains(&self, mv: Move, threshold: i32) -> bool {
        let (square, delta) = (mv.to(), self.delta(mv));
        let captured = delta.captured.map_or(0, |piece| exchange_value(piece.kind()));
        if captured < threshold {
            return false;
        }
        // Gain that the next capture needs, beyond what was won before, to turn the exchange.
        let mut at_stake = exchange_value(delta.placed().kind()) - (captured - threshold);
        let mut occupied = self.occupied().without(mv.from()).with(square);
        let mut side = self.side();
        let mut gains = true;
        while at_stake >= i32::from(gains) {
            side = !side;
            let Some((from, kind)) = self.cheapest_capture(square, occupied, side) else { break };
            occupied = occupied.without(from);
            gains = !gains;
            at_stake = exchange_value(kind) - at_stake;
        }
        gains
    }

    /// The cheapest piece of `side` that may capture on `square` when only `occupied` squares have pieces. Lines are
    /// examined only if no cheaper piece may capture.
    fn cheapest_capture(&self, square: Square, occupied: Bitboard, side: Side) -> Option<(Square, Kind)> {
        let of = |kind: Kind| self.of_kind(kind);
        let own = self.of_side(side) & occupied.without(square);
        let near = pawn_attackers(side, square) & of(Kind::Pawn)
            | elephant_attacks(square, occupied) & of(Kind::Elephant)
            | advisor_attacks(square) & of(Kind::Advisor)
            | horse_attackers(square, occupied) & of(Kind::Horse);
        self.cheapest_of(&NEAR, near & own, square, occupied, side).or_else(|| {
            let reach = slider_attacks(square, occupied);
            let far =
                reach.cannon & of(Kind::Cannon) | reach.rook & of(Kind::Rook) | king_attacks(square) & of(Kind::King);
            self.cheapest_of(&FAR, far & own, square, occupied, side)
        })
    }

    /// The first attacker, in the order of `kinds`, that may capture on `square`.
    #[inline] // one instance per list of kinds
    fn cheapest_of(
        &self,
        kinds: &[Kind],
        attackers: Bitboard,
        square: Square,
        occupied: Bitboard,
        side: Side,
    ) -> Option<(Square, Kind)> {
        if attackers.is_empty() {
            return None;
        }
        kinds.iter().find_map(|&kind| {
            let may_capture = |&from: &Square| self.may_capture(from, kind, square, occupied, side);
            (attackers & self.of_kind(kind)).into_iter().find(may_capture).map(|from| (from, kind))
        })
    }

    /// Whether the king of `side` is safe after its piece on `from` has captured on `square`.
    fn may_capture(&self, from: Square, kind: Kind, square: Square, occupied: Bitboard, side: Side) -> bool {
        let king = if kind == Kind::King { square } else { self.king(side) };
        let exposes = kind == Kind::King || lines(king).has(from) || diagonals(king).has(from);
        let enemies = self.of_side(!side) & occupied.without(square);
        !exposes || attackers(self.placement(), king, occupied.without(from), enemies).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::random_games::random_games;

    fn gain(fen: &str, mv: &str) -> i32 {
        let position = Position::from_fen(fen).unwrap();
        let mv = mv.parse().unwrap();
        assert!(position.is_legal(mv), "{mv} in {fen}");
        exact_gain(&position, mv)
    }

    /// The largest threshold that is still reached.
    fn exact_gain(position: &Position, mv: Move) -> i32 {
        (-1000..=1000).rev().step_by(10).find(|&threshold| position.exchange_gains(mv, threshold)).unwrap()
    }

    /// The gain on `square`, found by playing the captures out; `None` if a check gets in the way.
    fn played_out(position: &Position, square: Square) -> Option<i32> {
        if position.in_check() {
            return None;
        }
        let legal: Vec<Move> = position.captures().into_iter().filter(|mv| mv.to() == square).collect();
        let kind = |mv: &&Move| position.delta(**mv).piece.kind();
        let cheapest = NEAR.into_iter().chain(FAR).find_map(|wanted| legal.iter().find(|mv| kind(mv) == wanted));
        let Some(&mv) = cheapest else { return Some(0) };
        let taken = exchange_value(position.delta(mv).captured.unwrap().kind());
        Some((taken - played_out(&position.play(mv), square)?).max(0))
    }

    #[test]
    fn exchanges_end_as_if_they_were_played_out() {
        let mut compared = 0;
        random_games(9, if cfg!(miri) { 0 } else { 200 }, |position| {
            for mv in position.captures() {
                let taken = exchange_value(position.delta(mv).captured.unwrap().kind());
                if let Some(loss) = played_out(&position.play(mv), mv.to()) {
                    assert_eq!(exact_gain(position, mv), taken - loss, "{mv} in {}", position.to_fen());
                    compared += 1;
                }
            }
        });
        assert!(cfg!(miri) || compared > 10_000, "{compared}");
    }

    #[test]
    fn a_rook_that_is_taken_back_costs_the_difference() {
        assert_eq!(gain("3kr4/9/9/9/9/4p4/9/9/4R4/5K3 w", "e1e4"), 120 - 900);
        assert_eq!(gain("3k5/9/9/9/9/4p4/9/9/4R4/5K3 w", "e1e4"), 120);
    }

    #[test]
    fn a_cannon_takes_back_only_while_it_has_a_screen() {
        assert_eq!(gain("5k3/9/9/4r4/9/4p4/9/4R4/9/3KC4 w", "e2e4"), 120 - 900);
        assert_eq!(gain("5k3/9/9/4r4/9/4p4/9/4R4/4A4/3KC4 w", "e2e4"), 120);
    }

    #[test]
    fn a_king_does_not_take_back_into_check() {
        assert_eq!(gain("4k4/R3a4/9/9/9/9/9/9/9/5K3 w", "a8e8"), 200 - 900);
        assert_eq!(gain("4k4/R3a4/9/9/9/9/9/9/9/4RK3 w", "a8e8"), 200);
    }

    #[test]
    fn a_king_does_not_take_back_onto_an_open_file_to_the_other_king() {
        assert_eq!(gain("4k4/R3a4/9/9/9/9/9/9/9/4K4 w", "a8e8"), 200);
    }
}
