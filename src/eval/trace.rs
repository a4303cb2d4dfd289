//! Breakdown of the static value into its parts, for display.

use super::evaluator::{EvalConfig, networks_know, value};
use super::hce::{material, placement_value};
use super::nnue::Network;
use crate::board::{Kind, Piece, Position, Square};
use crate::score::Score;

/// A term of the evaluation, for each side, in centipawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    /// The name of the term.
    pub name: &'static str,
    /// Red's share.
    pub red: i32,
    /// Black's share.
    pub black: i32,
}

/// The value of a piece on its square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceValue {
    /// The piece.
    pub piece: Piece,
    /// The square on which it stands.
    pub square: Square,
    /// Value for its side with the piece minus that without it, in centipawns.
    pub value: i32,
}

/// The parts of a static value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Parts {
    /// Parts of the hand-crafted evaluation (HCE).
    Hce {
        /// Terms that each side has on its own.
        by_side: [Term; 2],
        /// Sum of the terms that depend on both sides, for red, in centipawns.
        rest: i32,
    },
    /// Parts of a network's value (NNUE). A network has no terms, but it can value the position without a piece; kings
    /// are left out.
    Nnue(Vec<PieceValue>),
}

/// A static value and its parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explained {
    /// Its parts.
    pub parts: Parts,
    /// The value for the side to move.
    pub value: Score,
}

/// Returns the static value of `position` with its parts, by `network` or by the hand-crafted evaluation (HCE).
pub fn explain(position: &Position, network: Option<&Network>) -> Explained {
    let config = EvalConfig { network: network.map(Network::id), ..EvalConfig::default() };
    let value = value(position, config, network);
    let parts = match network.filter(|_| networks_know(position)) {
        Some(network) => Parts::Nnue(piece_values(position, network)),
        None => hce_terms(position, value),
    };
    Explained { parts, value }
}

/// The terms of the hand-crafted evaluation (HCE), which add up to `value`.
fn hce_terms(position: &Position, value: Score) -> Parts {
    let (mut by_kind, mut by_square) = ([0; 2], [0; 2]);
    for (piece, square) in pieces(position) {
        let side = piece.side().index();
        by_kind[side] += material(piece.kind());
        // Black's values are negative.
        by_square[side] += piece.side().sign() * placement_value(piece, square) - material(piece.kind());
    }
    let term = |name, [red, black]: [i32; 2]| Term { name, red, black };
    let by_side = [term("material", by_kind), term("placement", by_square)];
    let red = position.side().sign() * value.raw();
    let rest = red - by_side.iter().map(|term| term.red - term.black).sum::<i32>();
    Parts::Hce { by_side, rest }
}

fn piece_values(position: &Position, network: &Network) -> Vec<PieceValue> {
    let whole = network.value(position);
    let piece_value = |(piece, square): (Piece, Square)| {
        let for_mover = whole - network.value(&position.without(square));
        let value = if piece.side() == position.side() { for_mover } else { -for_mover };
        PieceValue { piece, square, value }
    };
    pieces(position).filter(|(piece, _)| piece.kind() != Kind::King).map(piece_value).collect()
}

fn pieces(position: &Position) -> impl Iterator<Item = (Piece, Square)> {
    position.occupied().into_iter().filter_map(|square| Some((position.piece_on(square)?, square)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::nnue::{FEATURES, OutputBuckets, Shape, VALUE_UNIT, Weights};

    const ROOK_UP: &str = "rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

    #[test]
    fn both_sides_have_the_same_at_the_start() {
        let Explained { parts, value } = explain(&Position::start(), None);
        let Parts::Hce { by_side, rest } = parts else { panic!("there is no network") };
        for Term { name, red, black } in by_side {
            assert!(red == black && (red != 0 || name == "placement"), "{name}");
        }
        assert_eq!(rest, value.raw());
    }

    #[test]
    fn a_missing_rook_is_missing_in_the_material() {
        let rook_up = Position::from_fen(&format!("{ROOK_UP} w")).unwrap();
        let Parts::Hce { by_side: [term, _], .. } = explain(&rook_up, None).parts else {
            panic!("there is no network")
        };
        assert_eq!(term.red - term.black, material(Kind::Rook));
    }

    /// A network that values each own piece at 300 centipawns, wherever it stands, and nothing else.
    fn counting() -> Network {
        let shape = Shape { width: 32, output_buckets: OutputBuckets::ByPieces(1), king_buckets: 1 };
        let weights = Weights {
            biases: vec![0; 32],
            feature_weights: vec![0; FEATURES * 32],
            output_weights: vec![0; 64],
            output_biases: vec![0],
            psqt: (0..FEATURES).map(|input| if input < 343 { VALUE_UNIT } else { -VALUE_UNIT }).collect(),
        };
        Network::new(shape, 300, &weights).unwrap()
    }

    #[test]
    fn a_piece_is_worth_to_a_network_what_is_missing_without_it() {
        let network = counting();
        for (side, sign) in [("w", 1), ("b", -1)] {
            let position = Position::from_fen(&format!("{ROOK_UP} {side}")).unwrap();
            let Explained { parts, value } = explain(&position, Some(&network));
            assert_eq!(value.raw(), sign * 300);
            let Parts::Nnue(values) = parts else { panic!("there is a network") };
            assert_eq!(values.len(), 29);
            assert!(values.iter().all(|piece| piece.value == 300), "{values:?}");
        }
        let promotion = Position::start().in_variant(crate::board::Variant::Promotion).unwrap();
        assert!(matches!(explain(&promotion, Some(&network)).parts, Parts::Hce { .. }));
    }
}
