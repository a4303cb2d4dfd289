//! Incremental evaluation along a line of moves.

use std::sync::Arc;

use super::config::EvalConfig;
use super::hce::{placement_value, placement_values};
use super::nnue::{Accumulators, Network};
use super::value::{hce, networks_know, nnue};
use crate::board::{Delta, Position};
use crate::score::Score;

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
    is_learnt: bool,
}

impl Evaluator {
    /// Creates an evaluator for a line that begins with `position`.
    pub fn new(position: &Position) -> Self {
        let balances = Vec::with_capacity(crate::score::MAX_PLY + 1);
        let mut evaluator = Self { balances, config: EvalConfig::default(), accumulators: None, is_learnt: false };
        evaluator.reset(position);
        evaluator
    }

    /// Changes the evaluation settings, after which the line must be reset; `network` is the one that `config` names.
    pub fn look_through(&mut self, config: EvalConfig, network: Option<&Arc<Network>>) {
        debug_assert_eq!(config.network, network.map(|network| network.id()), "the config is that of another network");
        self.config = config;
        let followed = self.accumulators.as_ref().map(|accumulators| accumulators.network().id());
        if followed != config.network {
            self.accumulators = network.map(|network| Accumulators::new(Arc::clone(network), &Position::start()));
        }
    }

    /// Begins a new line with `position`.
    pub fn reset(&mut self, position: &Position) {
        self.is_learnt = self.accumulators.is_some() && networks_know(position);
        match self.learnt() {
            Some(accumulators) => accumulators.reset(position),
            None => {
                self.balances.clear();
                self.balances.push(placement_values(position));
            }
        }
    }

    /// Appends a move to the line.
    pub fn push(&mut self, delta: Delta) {
        if let Some(accumulators) = self.learnt() {
            return accumulators.push(delta);
        }
        let Delta { piece, from, to, captured } = delta;
        let taken = captured.map_or(0, |captured| placement_value(captured, to));
        let balance = self.balance() + placement_value(delta.placed(), to) - placement_value(piece, from) - taken;
        self.balances.push(balance);
    }

    /// Takes back the last move.
    pub fn pop(&mut self) {
        if let Some(accumulators) = self.learnt() {
            return accumulators.pop();
        }
        self.balances.pop();
        debug_assert!(!self.balances.is_empty(), "more moves were taken back than followed");
    }

    /// Static value of `position`, the end of the line, for the side to move.
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let config = self.config;
        if let Some(accumulators) = self.learnt() {
            return nnue(position, config, accumulators.value(position));
        }
        debug_assert_eq!(self.balance(), placement_values(position), "the line and the position differ");
        hce(position, config, self.balance())
    }

    /// The network's accumulators, if the network values this line.
    fn learnt(&mut self) -> Option<&mut Accumulators> {
        self.accumulators.as_mut().filter(|_| self.is_learnt)
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
    use crate::eval::{nnue, value};

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

    fn learnt() -> (EvalConfig, Arc<Network>) {
        let network = Arc::new(nnue::random_network(9));
        (EvalConfig { network: Some(network.id()), ..EvalConfig::default() }, network)
    }

    /// The value by an evaluator on a new line, and the value without a line.
    fn values(position: &Position, config: EvalConfig, network: &Arc<Network>) -> [Score; 2] {
        let mut evaluator = Evaluator::new(position);
        evaluator.look_through(config, Some(network));
        evaluator.reset(position);
        [evaluator.evaluate(position), value(position, config, Some(network))]
    }

    #[test]
    fn a_network_is_asked_along_a_line_as_without_one() {
        let (config, network) = learnt();
        let mut evaluator = Evaluator::new(&Position::start());
        evaluator.look_through(config, Some(&network));
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
        evaluator.look_through(EvalConfig::default(), None);
        evaluator.reset(&Position::start());
        assert_eq!(evaluator.evaluate(&Position::start()), value(&Position::start(), EvalConfig::default(), None));
    }

    #[test]
    fn networks_are_not_asked_what_they_have_not_learnt() {
        let (config, network) = learnt();
        let promotion = Position::start().in_variant(Variant::Promotion).unwrap();
        assert_eq!(values(&promotion, config, &network), [value(&promotion, EvalConfig::default(), None); 2]);
        let guards = Position::from_fen("4k4/9/9/9/9/9/9/4B4/4A4/2BAK4 w").unwrap();
        assert_ne!(network.value(&guards), 0);
        assert_eq!(values(&guards, config, &network), [Score::DRAW; 2]);
    }

    #[test]
    fn attacks_that_weigh_more_are_added_to_what_was_learnt() {
        let (config, network) = learnt();
        let hollow_cannon = "rnbakabnr/9/7c1/p1p3p1p/4C4/9/P1P3P1P/7C1/9/RNBAKABNR";
        for (side, sign) in [("w", 1), ("b", -1)] {
            let position = Position::from_fen(&format!("{hollow_cannon} {side}")).unwrap();
            let risky = EvalConfig { attack_percent: [130, EvalConfig::EVEN], ..config };
            let difference = |network| {
                let value = |config: EvalConfig| {
                    let network: Option<&Network> = network;
                    let config = EvalConfig { network: network.map(Network::id), ..config };
                    crate::eval::value(&position, config, network).raw()
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
