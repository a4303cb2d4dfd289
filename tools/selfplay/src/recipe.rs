//! Recipe: everything a game depends on besides its number. Games of equal recipe and number are equal.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Result, bail, ensure};
use chuhe::bench;
use chuhe::eval::nnue::Network;
use chuhe::rules::{RuleSet, Rules};
use chuhe::search::{OnMate, Plan};
use chuhe_games::json;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

/// Name of the hand-crafted evaluation (HCE).
pub const CLASSICAL: &str = "classical";

/// Name of an evaluation in recipes: the identity of the network, or [`CLASSICAL`].
pub fn name_of(network: Option<&Network>) -> String {
    network.map_or_else(|| CLASSICAL.to_owned(), |network| format!("{:016x}", network.id()))
}

/// Depth of the fingerprint's searches, in plies.
///
/// They take a fraction of a second, and any real change of search or evaluation changes some score or node count.
const FINGERPRINT_DEPTH: u32 = 7;

/// Settings of a run, written into each of its files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Engine that plays.
    pub engine: Engine,
    /// Evaluation, as named by [`name_of`].
    pub network: String,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Rules that judge the games: a name of [`RuleSet`].
    pub rules: String,
    /// Search effort per move.
    pub effort: Effort,
    /// Random openings.
    pub opening: Opening,
    /// Early ends of games.
    pub adjudication: Adjudication,
}

/// Engine that plays.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Engine {
    /// Commit the engine was built from, as stated at build time or on the command line.
    pub commit: String,
    /// Hash of the results of a short bench with the evaluation of the games; unlike the commit, it cannot be misstated.
    pub fingerprint: String,
}

/// Search effort per move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effort {
    /// Soft limit: an iteration that ends at this number of nodes or beyond is the last.
    pub soft_nodes: u64,
    /// Hard limit: the search is aborted at this number of nodes.
    pub hard_nodes: u64,
    /// Size of the transposition table, in MiB.
    pub table_mebibytes: usize,
}

/// Random openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// Minimum number of random plies.
    pub fewest_plies: usize,
    /// Maximum number of random plies.
    pub most_plies: usize,
    /// Soft node limit of the search that evaluates the opening; the hard limit is scaled as for a move.
    pub nodes: u64,
    /// Largest absolute score of an accepted opening, in centipawns.
    pub limit: i32,
}

/// Conditions under which games end before the rules end them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adjudication {
    /// Score from which a side is winning, in centipawns.
    pub won_score: i32,
    /// Successive plies with a winning score that win the game, searches of both sides counted.
    pub won_plies: u32,
    /// Largest absolute score of a level position, in centipawns.
    pub level_score: i32,
    /// Successive plies with a level score that draw the game.
    pub level_plies: u32,
    /// First ply at which a position counts as level, random plies included.
    pub level_after: usize,
    /// Number of plies after which a game is drawn, random plies included.
    pub most_plies: usize,
}

impl Opening {
    /// Default of [`Opening::nodes`] for a soft limit of moves.
    pub fn default_nodes(soft_nodes: u64) -> u64 {
        const FACTOR: u64 = 8;
        soft_nodes.saturating_mul(FACTOR)
    }
}

impl Default for Opening {
    fn default() -> Self {
        Self { fewest_plies: 8, most_plies: 12, nodes: 4000, limit: 600 }
    }
}

impl Default for Adjudication {
    fn default() -> Self {
        Self { won_score: 1200, won_plies: 6, level_score: 8, level_plies: 12, level_after: 70, most_plies: 400 }
    }
}

impl Engine {
    /// Describes the engine of this program with the evaluation by `network`, or the hand-crafted one.
    ///
    /// The commit is `commit`, or the value of the variable `CHUHE_COMMIT` at build time.
    ///
    /// # Errors
    /// If the memory for a search cannot be allocated.
    pub fn this(commit: Option<String>, network: Option<&Arc<Network>>) -> io::Result<Self> {
        let built_from = option_env!("CHUHE_COMMIT").unwrap_or("unknown");
        Ok(Self { commit: commit.unwrap_or_else(|| built_from.to_owned()), fingerprint: fingerprint(network)? })
    }
}

/// Hash of the moves, scores and node counts of the bench positions, searched with this network or the hand-crafted evaluation.
///
/// Evaluations that the games do not use have no influence.
///
/// # Errors
/// If the memory for a search cannot be allocated.
pub fn fingerprint(network: Option<&Arc<Network>>) -> io::Result<String> {
    static KNOWN: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    // Locked during the computation, so that other threads do not repeat it.
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let name = name_of(network.map(|network| &**network));
    if let Some(known) = known.get(&name) {
        return Ok(known.clone());
    }
    let mut printed = Vec::new();
    bench::run(FINGERPRINT_DEPTH, &RuleSet::Asian.rules(), network, &mut printed)?;
    // The last line contains the speed.
    let findings =
        printed.trim_ascii_end().iter().rposition(|byte| *byte == b'\n').map_or(&printed[..0], |end| &printed[..end]);
    let found = format!("{:016x}", XxHash3_64::oneshot(findings));
    known.insert(name, found.clone());
    Ok(found)
}

impl Effort {
    /// Default of [`Effort::table_mebibytes`].
    pub const DEFAULT_TABLE: usize = 4;

    /// Default of [`Effort::hard_nodes`] for a soft limit.
    pub fn default_hard(soft_nodes: u64) -> u64 {
        const FACTOR: u64 = 8;
        soft_nodes.saturating_mul(FACTOR)
    }

    /// Hard limit of a search with another soft limit, scaled by the same factor as for a move.
    pub fn hard_limit(self, soft_nodes: u64) -> u64 {
        let product = u128::from(soft_nodes) * u128::from(self.hard_nodes);
        u64::try_from(product / u128::from(self.soft_nodes)).unwrap_or(u64::MAX)
    }
}

impl Recipe {
    /// Rules of the games.
    ///
    /// # Errors
    /// If there are no rules of this name.
    pub fn rules(&self) -> Result<Rules> {
        Ok(self.rules.parse::<RuleSet>()?.rules())
    }

    /// Search settings of the recipe besides its limits, given the available `network`.
    ///
    /// # Errors
    /// If the recipe needs another network.
    pub fn plan(&self, network: Option<&Arc<Network>>) -> Result<Plan> {
        let network = network.filter(|_| self.network != CLASSICAL);
        let name = name_of(network.map(|network| &**network));
        ensure!(
            name == self.network,
            "these games are valued by {}, not by {name}: -network names its file",
            self.network
        );
        Ok(Plan { network: network.cloned(), on_mate: OnMate::Stop, ..Plan::default() })
    }

    /// Checks that this program plays the same games, given the available `network`.
    ///
    /// # Errors
    /// If it would play other games; the error names the difference.
    pub fn check_playable(&self, network: Option<&Arc<Network>>) -> Result<()> {
        self.rules()?;
        let own = fingerprint(self.plan(network)?.network.as_ref())?;
        if own != self.engine.fingerprint {
            bail!(
                "made by another engine: its fingerprint is {} (commit {}), this one's {own}",
                self.engine.fingerprint,
                self.engine.commit
            );
        }
        Ok(())
    }

    /// First difference from `other`, in words: `effort.soft_nodes is 500 here and 1000 there`.
    ///
    /// The commit is ignored, because the fingerprint identifies the engine.
    pub fn difference(&self, other: &Self) -> Option<String> {
        // Compared before the fingerprint, which differs with the network.
        if self.network != other.network {
            return Some(format!("network is {:?} here and {:?} there", self.network, other.network));
        }
        let plain = |recipe: &Self| {
            let engine = Engine { commit: String::new(), ..recipe.engine.clone() };
            Self { engine, ..recipe.clone() }
        };
        json::difference(&plain(self), &plain(other))
            .map(|(name, here, there)| format!("{name} is {here} here and {there} there"))
    }
}

/// Summary for users, in one line.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Effort { soft_nodes, hard_nodes, table_mebibytes } = self.effort;
        let Engine { commit, fingerprint } = &self.engine;
        write!(
            f,
            "seed {}, {soft_nodes} to {hard_nodes} nodes a move, table of {table_mebibytes} MiB, {} rules, {} evaluation, engine \
             {commit} ({fingerprint})",
            self.seed, self.rules, self.network
        )
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Recipe of quick games.
    pub(crate) fn quick(seed: u64) -> Recipe {
        Recipe {
            engine: Engine { commit: "test".into(), fingerprint: fingerprint(None).unwrap() },
            network: CLASSICAL.into(),
            seed,
            rules: "asian".into(),
            effort: Effort { soft_nodes: 30, hard_nodes: 240, table_mebibytes: 1 },
            opening: Opening { nodes: 100, ..Opening::default() },
            adjudication: Adjudication { most_plies: 60, ..Adjudication::default() },
        }
    }

    #[test]
    fn a_difference_is_named() {
        let (one, mut other) = (quick(1), quick(1));
        assert_eq!(one.difference(&other), None);
        other.effort.soft_nodes = 31;
        assert_eq!(one.difference(&other).unwrap(), "effort.soft_nodes is 30 here and 31 there");
        assert_eq!(quick(2).difference(&one).unwrap(), "seed is 2 here and 1 there");
    }

    #[test]
    fn only_the_same_engine_with_known_rules_and_network_can_play_a_recipe() {
        assert!(quick(1).check_playable(None).is_ok());
        let message = |recipe: Recipe| format!("{:#}", recipe.check_playable(None).unwrap_err());
        let engine = Engine { commit: "c0ffee".into(), fingerprint: "0".into() };
        assert!(
            message(Recipe { engine, ..quick(1) }).contains("another engine: its fingerprint is 0 (commit c0ffee)")
        );
        assert!(message(Recipe { network: "123".into(), ..quick(1) }).contains("are valued by 123, not by classical"));
        assert!(message(Recipe { rules: "fifa".into(), ..quick(1) }).contains("fifa"));
    }

    #[test]
    fn a_search_is_cut_as_much_later_as_its_soft_limit_is_larger_however_large_both_are() {
        let limit =
            |soft_nodes, hard_nodes, other| Effort { soft_nodes, hard_nodes, table_mebibytes: 4 }.hard_limit(other);
        assert_eq!([limit(500, 4000, 500), limit(500, 4000, 4000)], [4000, 32_000]);
        // The product of the limits exceeds 64 bits.
        assert_eq!(limit(1 << 33, 1 << 36, 1 << 33), 1 << 36);
        assert_eq!([limit(u64::MAX, u64::MAX, u64::MAX), limit(500, u64::MAX, 4000)], [u64::MAX; 2]);
        assert_eq!(limit(u64::MAX, u64::MAX, 4000), 4000);
    }

    #[test]
    fn the_fingerprint_is_that_of_what_values_the_games() {
        // A program may be built without an embedded network.
        let embedded = Network::embedded();
        let Some(network) = embedded.map(|network| name_of(Some(network))) else { return };
        let valued = |engine| Recipe { engine, network: network.clone(), ..quick(1) };
        let [by_hand, nnue] = [None, embedded].map(|network| Engine::this(None, network).unwrap());
        assert_ne!(by_hand, nnue);
        assert!(valued(nnue.clone()).check_playable(embedded).is_ok());
        assert!(valued(by_hand).check_playable(embedded).is_err());
        assert!(Recipe { engine: nnue, ..quick(1) }.check_playable(embedded).is_err());
    }

    #[test]
    fn the_fingerprint_does_not_depend_on_the_clock() {
        let printed = |depth| {
            let mut printed = Vec::new();
            bench::run(depth, &RuleSet::Asian.rules(), Network::embedded(), &mut printed).unwrap();
            String::from_utf8(printed).unwrap()
        };
        let (first, second) = (printed(2), printed(2));
        let findings = |text: &str| text.trim_end().rsplit_once('\n').unwrap().0.to_owned();
        assert_eq!(findings(&first), findings(&second));
        assert!(!findings(&first).contains("nps"));
    }
}
