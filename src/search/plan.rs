//! What a search shall do besides keeping its limits: what the options of the user come to, ready for the nodes.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use crate::board::{Key, Side};
use crate::endgame::Tables;
use crate::eval::nnue::Network;
use crate::eval::{Knowledge, Outlook};
use crate::score::Score;
use crate::splitmix::mix;

/// How much the search dares to leave out on the strength of static values; each grade leaves out more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Pruning {
    /// Every move is searched to the full depth: slow, for those who look for what others overlook.
    None,
    /// Null moves, and reductions of late moves.
    Small,
    /// Whole nodes by margins as well.
    Medium,
    /// Single moves as well: full strength.
    #[default]
    Large,
}

impl Pruning {
    /// Whether a free move of the opponent may prove a node.
    pub(super) fn passes(self) -> bool {
        self >= Self::Small
    }

    /// Whether late moves, and nodes without a known move, are searched less deep.
    pub(super) fn reduces(self) -> bool {
        self >= Self::Small
    }

    /// Whether static margins may decide a node.
    pub(super) fn prunes_nodes(self) -> bool {
        self >= Self::Medium
    }

    /// Whether moves may be left out.
    pub(super) fn prunes_moves(self) -> bool {
        self >= Self::Large
    }
}

/// What part of a search looks for mates by force alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum MateSearch {
    /// None.
    #[default]
    Never,
    /// A little: what checks alone lead to is seen by it far beyond the horizon.
    Probe,
    /// Most of it, and first.
    First,
}

/// Conduct of a search in which a mate is proven, for either side, before one of its limits is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OnMate {
    /// Searches on, for a shorter mate: the first one that is proven is seldom the shortest.
    #[default]
    Continue,
    /// Ends after an effort to shorten it: at least as many nodes again as the proof took. For the clock of a game.
    Shorten,
    /// Ends at once. For games that are made by the million, and for measurements of how soon a mate is seen.
    Stop,
}

/// Chance in the choice of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Noise {
    /// Most that a root move is given on top of its value, in centipawns; 0 leaves nothing to chance.
    pub margin: i32,
    /// The same seed gives the same moves the same luck in the same position.
    pub seed: u64,
}

impl Noise {
    /// What `mv`, as its bits, is given in the position with this key: 0 to the margin, in centipawns.
    pub(crate) fn bonus(self, position: Key, mv: u16) -> i32 {
        if self.margin <= 0 {
            return 0;
        }
        let luck = mix(self.seed ^ mix(position.0 ^ u64::from(mv)));
        i32::try_from(luck % (u64::from(self.margin.unsigned_abs()) + 1)).expect("less than the margin")
    }
}

/// A number by which chance decides about the position with this key: always the same for a seed.
pub(crate) fn luck(seed: u64, position: Key) -> u64 {
    mix(seed ^ mix(position.0))
}

/// Values that the user dictates, in centipawns for red.
pub type PositionValues = BTreeMap<Key, i32>;

/// How a search is conducted; the default is full strength.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many best root moves are searched for and reported, from 1.
    pub lines: usize,
    /// How much is left out.
    pub pruning: Pruning,
    /// How much of the search looks for mates alone.
    pub mates: MateSearch,
    /// How much the evaluation looks at.
    pub knowledge: Knowledge,
    /// The network that is asked where `knowledge` is large; none: there is nothing but what was written by hand.
    pub network: Option<Arc<Network>>,
    /// What a draw is worth to red, in centipawns; to black it is worth as much less.
    pub draw_for_red: i32,
    /// What each side's attack on the other king weighs, by the side's index, in percent.
    pub attack_percent: [i32; 2],
    /// Chance among the root moves.
    pub noise: Noise,
    /// Most nodes of all workers together, for a level of play: unlike a limit it is no promise of an answer, and
    /// however small it is, a mate in one is played.
    pub node_budget: Option<u64>,
    /// Whether what is found is kept in the table, and what is there believed.
    pub uses_table: bool,
    /// What is known of endgames; none: nothing is asked.
    pub endgames: Option<Arc<Tables>>,
    /// Where that is asked: right after a capture, so that whoever wins has to come nearer to the next one, or everywhere,
    /// which suits those who only look.
    pub asks_everywhere: bool,
    /// Whether a proven mate ends the search before its limits do.
    pub on_mate: OnMate,
    /// What the user says of single positions; it holds wherever they are met, except at the root.
    pub position_values: Arc<PositionValues>,
    /// Report what refutes the root moves that are not played.
    pub shows_refutations: bool,
    /// Report where each worker is in the tree.
    pub shows_current_line: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            lines: 1,
            pruning: Pruning::default(),
            mates: MateSearch::default(),
            knowledge: Knowledge::default(),
            network: Network::embedded().cloned(),
            draw_for_red: 0,
            attack_percent: [Outlook::EVEN; 2],
            noise: Noise::default(),
            node_budget: None,
            uses_table: true,
            endgames: None,
            asks_everywhere: false,
            on_mate: OnMate::default(),
            position_values: Arc::default(),
            shows_refutations: false,
            shows_current_line: false,
        }
    }
}

impl Plan {
    /// How positions are valued.
    pub fn outlook(&self) -> Outlook {
        Outlook {
            knowledge: self.knowledge,
            attack_percent: self.attack_percent,
            network: self.network_in_use().map(|network| network.id()),
        }
    }

    /// The network that is asked, if one is.
    pub fn network_in_use(&self) -> Option<&Arc<Network>> {
        self.network.as_ref().filter(|_| self.knowledge == Knowledge::Large)
    }

    /// What a draw is worth to a side.
    pub fn draw(&self, side: Side) -> Score {
        Score::from_eval(match side {
            Side::Red => self.draw_for_red,
            Side::Black => -self.draw_for_red,
        })
    }

    /// Changes the keys under which the table keeps what was found, so that a search never believes one that pruned or
    /// valued otherwise; 0 at full strength.
    pub fn table_salt(&self) -> u64 {
        let Self { pruning, draw_for_red, asks_everywhere, ref position_values, .. } = *self;
        let outlook = self.outlook();
        let endgames = self.endgames.as_ref().map(|tables| (tables.id(), asks_everywhere));
        let full = Self::default();
        let plain = pruning == full.pruning && draw_for_red == 0 && outlook == full.outlook() && endgames.is_none();
        if plain && position_values.is_empty() {
            return 0;
        }
        let mut hasher = DefaultHasher::new();
        (pruning, draw_for_red, outlook, position_values, endgames).hash(&mut hasher);
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Move, Position};
    use crate::eval::nnue::{FEATURES, Shape, Weights};

    fn network(bias: i32) -> Network {
        let shape = Shape { width: 32, outputs: 1, kings: 1 };
        let weights = Weights {
            biases: vec![0; 32],
            rows: vec![0; FEATURES * 32],
            outputs: vec![0; 64],
            output_biases: vec![bias],
            pieces: vec![0; FEATURES],
        };
        Network::new(shape, 400, &weights).unwrap()
    }

    #[test]
    fn luck_stays_within_its_margin_and_depends_on_seed_and_position() {
        let start = Position::start();
        let bonuses = |seed, margin, key| -> Vec<i32> {
            start.legal_moves().iter().map(|mv: &Move| Noise { margin, seed }.bonus(key, mv.bits())).collect()
        };
        let some = bonuses(1, 30, start.key());
        assert!(some.iter().all(|bonus| (0..=30).contains(bonus)) && some.iter().any(|&bonus| bonus != some[0]));
        assert_eq!(bonuses(1, 30, start.key()), some);
        assert_ne!(bonuses(2, 30, start.key()), some);
        assert_ne!(bonuses(1, 30, Key(7)), some);
        assert!(bonuses(1, 0, start.key()).iter().all(|&bonus| bonus == 0));
    }

    #[test]
    fn whoever_sees_things_differently_has_a_table_of_his_own() {
        let plain = Plan::default();
        assert_eq!(plain.table_salt(), 0);
        let noisy = Plan { noise: Noise { margin: 9, seed: 9 }, lines: 4, ..Plan::default() };
        assert_eq!(noisy.table_salt(), 0);
        let mut salts = vec![0];
        let dictated = Arc::new(PositionValues::from([(Key(1), 5)]));
        for other in [
            Plan { pruning: Pruning::None, ..Plan::default() },
            Plan { knowledge: Knowledge::Small, ..Plan::default() },
            Plan { draw_for_red: -20, ..Plan::default() },
            Plan { attack_percent: [120, 100], ..Plan::default() },
            Plan { position_values: dictated, ..Plan::default() },
            Plan { network: Some(Arc::new(network(1))), ..Plan::default() },
            Plan { network: Some(Arc::new(network(2))), ..Plan::default() },
            Plan { endgames: Some(Arc::default()), ..Plan::default() },
            Plan { endgames: Some(Arc::default()), asks_everywhere: true, ..Plan::default() },
        ] {
            salts.push(other.table_salt());
        }
        // A network that nobody asks changes nothing.
        let small = Plan { knowledge: Knowledge::Small, ..Plan::default() };
        let unasked = Plan { network: Some(Arc::new(network(1))), ..small.clone() };
        assert_eq!(unasked.table_salt(), small.table_salt());
        let different: std::collections::HashSet<_> = salts.iter().collect();
        assert_eq!(different.len(), salts.len());
    }
}
