//! Static evaluation of a single position, by a network (NNUE) or by the hand-crafted evaluation (HCE).

use super::config::{EvalConfig, EvalKind};
use super::hce::{material_value, placement_values, terms};
use super::nnue::Network;
use super::scaling;
use crate::board::{Kind, Position, Side, Variant};
use crate::score::Score;

/// Static value of `position` for the side to move, computed from scratch; `network` is the one that `config` names.
pub fn value(position: &Position, config: EvalConfig, network: Option<&Network>) -> Score {
    match network {
        Some(network) if networks_know(position) => nnue(position, config, network.value(position)),
        _ => hce(position, config, placement_values(position)),
    }
}

/// Whether networks cover the variant of `position`: they are trained on games of the standard variant.
pub(super) fn networks_know(position: &Position) -> bool {
    position.variant() == Variant::Standard
}

/// Static value by NNUE, where `value` is the network's output for the side to move.
///
/// Attack weights other than 100 % add the difference of the hand-crafted terms. Positions without attackers are draws.
pub(super) fn nnue(position: &Position, EvalConfig { attack_percent, .. }: EvalConfig, value: i32) -> Score {
    let guards = position.of_kind(Kind::King) | position.of_kind(Kind::Advisor) | position.of_kind(Kind::Elephant);
    if guards == position.occupied() {
        return Score::DRAW;
    }
    let even = [EvalConfig::EVEN; 2];
    let style = if attack_percent == even { 0 } else { terms(position, attack_percent) - terms(position, even) };
    scaling::scaled(position, Score::from_eval(value.saturating_add(for_mover(position, style))))
}

/// Static value by the hand-crafted evaluation (HCE), where `balance` is material and placement for red.
pub(super) fn hce(position: &Position, config: EvalConfig, balance: i32) -> Score {
    let red = match config.knowledge {
        EvalKind::Large | EvalKind::Medium => {
            let red = balance + terms(position, config.attack_percent);
            return scaling::scaled(position, Score::from_eval(for_mover(position, red)));
        }
        EvalKind::Small => balance,
        EvalKind::None => material_value(position),
    };
    Score::from_eval(for_mover(position, red))
}

fn for_mover(position: &Position, red: i32) -> i32 {
    match position.side() {
        Side::Red => red,
        Side::Black => -red,
    }
}
