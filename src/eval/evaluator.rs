//! Static evaluation by a network (NNUE) or by the hand-crafted evaluation (HCE): its settings, the value of a single
//! position, and the values along a line of moves.

use std::sync::Arc;

use super::hce::{self, material_value, placement_value, placement_values, terms};
use super::nnue::{Accumulators, Network};
use super::scaling;
use crate::board::{Delta, Position, Variant};
use crate::score::{MAX_PLY, Score};

/// Extent of the evaluation; each grade takes more into account.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum EvalKind {
    /// Material alone.
    None,
    /// Material and piece-square tables.
    Small,
    /// The full hand-crafted evaluation (HCE), which adds mobility, king attack and the side to move.
    Medium,
    /// The network (NNUE), if there is one; the HCE in variants that the network does not cover.
    #[default]
    Large,
}

/// Settings of the evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EvalConfig {
    /// Extent of the evaluation.
    pub kind: EvalKind,
    /// Weight of each side's attack on the other king, by the side's index, in percent.
    pub attack_percent: [i32; 2],
    /// Identity of the network in use; `None` if the hand-crafted evaluation (HCE) values all positions.
    pub network: Option<u64>,
}

impl EvalConfig {
    /// Attack percentage at which an attack counts unchanged.
    pub const EVEN: i32 = hce::EVEN;
}

impl Default for EvalConfig {
    /// The full hand-crafted evaluation (HCE), with attacks unchanged.
    fn default() -> Self {
        Self { kind: EvalKind::default(), attack_percent: [Self::EVEN; 2], network: None }
    }
}

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
fn nnue(position: &Position, EvalConfig { attack_percent, .. }: EvalConfig, value: i32) -> Score {
    if position.attackers().is_empty() {
        return Score::DRAW;
    }
    let even = [EvalConfig::EVEN; 2];
    let style = if attack_percent == even { 0 } else { terms(position, attack_percent) - terms(position, even) };
    scaling::scaled(position, Score::from_eval(value.saturating_add(position.side().sign() * style)))
}

/// Static value by the hand-crafted evaluation (HCE), where `balance` is material and placement for red.
fn hce(position: &Position, config: EvalConfig, balance: i32) -> Score {
    let red = match config.kind {
        EvalKind::Large | EvalKind::Medium => {
            let red = balance + terms(position, config.attack_percent);
            return scaling::scaled(position, Score::from_eval(position.side().sign() * red));
        }
        EvalKind::Small => balance,
        EvalKind::None => material_value(position),
    };
    Score::from_eval(position.side().sign() * red)
}

/// Incremental evaluator of the end of a line of moves; one per worker.
///
/// Without a network, material and placement are updated move by move and the remaining terms are computed on demand.
/// With a network, its accumulators are updated lazily, when a value is requested.
#[derive(Clone, Debug)]
pub struct Evaluator {
    /// Material and placement for red minus those for black, in centipawns, at each position; the last is the current one.
    balances: Vec<i32>,
    config: EvalConfig,
    accumulators: Option<Accumulators>,
    /// Whether the network values this line.
    uses_network: bool,
}

impl Evaluator {
    /// Creates an evaluator for a line that begins with `position`.
    pub fn new(position: &Position) -> Self {
        let balances = Vec::with_capacity(MAX_PLY + 1);
        let mut evaluator = Self { balances, config: EvalConfig::default(), accumulators: None, uses_network: false };
        evaluator.reset(position);
        evaluator
    }

    /// Changes the evaluation settings, after which the line must be reset; `network` is the one that `config` names.
    pub fn configure(&mut self, config: EvalConfig, network: Option<&Arc<Network>>) {
        debug_assert_eq!(config.network, network.map(|network| network.id()), "the config is that of another network");
        self.config = config;
        let current = self.accumulators.as_ref().map(|accumulators| accumulators.network().id());
        if current != config.network {
            self.accumulators = network.map(|network| Accumulators::new(Arc::clone(network), &Position::start()));
        }
    }

    /// Begins a new line with `position`.
    pub fn reset(&mut self, position: &Position) {
        self.uses_network = self.accumulators.is_some() && networks_know(position);
        match self.active_accumulators() {
            Some(accumulators) => accumulators.reset(position),
            None => {
                self.balances.clear();
                self.balances.push(placement_values(position));
            }
        }
    }

    /// Appends a move to the line.
    pub fn push(&mut self, delta: Delta) {
        if let Some(accumulators) = self.active_accumulators() {
            return accumulators.push(delta);
        }
        let Delta { piece, from, to, captured } = delta;
        let taken = captured.map_or(0, |captured| placement_value(captured, to));
        let balance = self.balance() + placement_value(delta.placed(), to) - placement_value(piece, from) - taken;
        self.balances.push(balance);
    }

    /// Takes back the last move.
    pub fn pop(&mut self) {
        if let Some(accumulators) = self.active_accumulators() {
            return accumulators.pop();
        }
        self.balances.pop();
        debug_assert!(!self.balances.is_empty(), "more moves were taken back than followed");
    }

    /// Static value of `position`, the end of the line, for the side to move.
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let config = self.config;
        if let Some(accumulators) = self.active_accumulators() {
            return nnue(position, config, accumulators.value(position));
        }
        debug_assert_eq!(self.balance(), placement_values(position), "the line and the position differ");
        hce(position, config, self.balance())
    }

    /// The network's accumulators, if the network values this line.
    fn active_accumulators(&mut self) -> Option<&mut Accumulators> {
        self.accumulators.as_mut().filter(|_| self.uses_network)
    }

    fn balance(&self) -> i32 {
        *self.balances.last().expect("the first balance is never taken back")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Variant;
    use crate::board::random_games::{random_games, random_games_in};
    use crate::eval::nnue;

    #[test]
    #[cfg_attr(miri, ignore = "many positions")]
    fn both_symmetries_leave_the_value_alone() {
        random_games(10, 20, |position| {
            let value = |position: &Position| Evaluator::new(position).evaluate(position);
            assert_eq!(value(&position.mirrored()), value(position), "{}", position.to_fen());
            assert_eq!(value(&position.colours_swapped()), value(position), "{}", position.to_fen());
        });
    }

    #[test]
    #[cfg_attr(miri, ignore = "many positions")]
    fn following_moves_agrees_with_starting_afresh() {
        for variant in Variant::ALL {
            random_games_in(variant, 11, 10, |position| {
                let mut evaluator = Evaluator::new(position);
                for mv in position.legal_moves() {
                    let child = position.play(mv);
                    evaluator.push(position.delta(mv));
                    assert_eq!(evaluator.evaluate(&child), Evaluator::new(&child).evaluate(&child));
                    evaluator.pop();
                }
            });
        }
    }

    fn network() -> (EvalConfig, Arc<Network>) {
        let network = Arc::new(nnue::random_network(9));
        (EvalConfig { network: Some(network.id()), ..EvalConfig::default() }, network)
    }

    /// The value by an evaluator on a new line, and the value without a line.
    fn values(position: &Position, config: EvalConfig, network: &Arc<Network>) -> [Score; 2] {
        let mut evaluator = Evaluator::new(position);
        evaluator.configure(config, Some(network));
        evaluator.reset(position);
        [evaluator.evaluate(position), value(position, config, Some(network))]
    }

    #[test]
    fn a_network_is_asked_along_a_line_as_without_one() {
        let (config, network) = network();
        let mut evaluator = Evaluator::new(&Position::start());
        evaluator.configure(config, Some(&network));
        random_games(12, if cfg!(miri) { 1 } else { 3 }, |position| {
            evaluator.reset(position);
            for mv in position.legal_moves().into_iter().take(if cfg!(miri) { 2 } else { 50 }) {
                let child = position.play(mv);
                evaluator.push(position.delta(mv));
                let found = evaluator.evaluate(&child);
                assert_eq!(found, value(&child, config, Some(&network)));
                assert_eq!(found, Score::from_eval(network.value(&child)));
                evaluator.pop();
            }
        });
        evaluator.configure(EvalConfig::default(), None);
        evaluator.reset(&Position::start());
        assert_eq!(evaluator.evaluate(&Position::start()), value(&Position::start(), EvalConfig::default(), None));
    }

    #[test]
    fn networks_value_no_other_variant_and_no_bare_material() {
        let (config, network) = network();
        let promotion = Position::start().in_variant(Variant::Promotion).unwrap();
        assert_eq!(values(&promotion, config, &network), [value(&promotion, EvalConfig::default(), None); 2]);
        let guards = Position::from_fen("4k4/9/9/9/9/9/9/4B4/4A4/2BAK4 w").unwrap();
        assert_ne!(network.value(&guards), 0);
        assert_eq!(values(&guards, config, &network), [Score::DRAW; 2]);
    }

    #[test]
    fn style_weights_of_attacks_are_added_to_the_network_value() {
        let (config, network) = network();
        let hollow_cannon = "rnbakabnr/9/7c1/p1p3p1p/4C4/9/P1P3P1P/7C1/9/RNBAKABNR";
        for (side, sign) in [("w", 1), ("b", -1)] {
            let position = Position::from_fen(&format!("{hollow_cannon} {side}")).unwrap();
            let risky = EvalConfig { attack_percent: [130, EvalConfig::EVEN], ..config };
            let difference = |network| {
                let value = |config: EvalConfig| {
                    let network: Option<&Network> = network;
                    let config = EvalConfig { network: network.map(Network::id), ..config };
                    super::value(&position, config, network).raw()
                };
                sign * (value(risky) - value(config))
            };
            assert!(difference(None) > 10);
            assert_eq!(difference(Some(&network)), difference(None));
        }
    }

    #[test]
    fn a_rook_more_is_better_and_the_start_is_even() {
        let value = |fen: &str| value(&Position::from_fen(fen).unwrap(), EvalConfig::default(), None);
        assert!(value(crate::board::START_FEN).raw().abs() < 50);
        let rook_up = "rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
        assert!(value(rook_up).raw() > 500);
    }

    #[test]
    fn nobody_is_winning_without_an_attacker() {
        let position = Position::from_fen("4k4/9/9/9/9/9/9/4B4/4A4/2BAK4 w").unwrap();
        assert_eq!(Evaluator::new(&position).evaluate(&position), Score::DRAW);
    }
}
