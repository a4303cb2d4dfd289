//! The values in force.

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::wishes::{Opponent, Style};
use crate::board::{RankBase, Variant};
use crate::book::Choice;
use crate::engine::etiquette::Manners;
use crate::engine::event::Dialect;
use crate::eval::Knowledge;
use crate::rules::{RuleSet, Rules};
use crate::search::{PositionValues, Pruning};

/// The weakest and the strongest level of play, on a scale of our own.
pub const ELO_RANGE: RangeInclusive<i64> = 800..=2800;

/// The skill level of unlimited play, by the scale of other engines; each level below is a hundred points of `elo` weaker.
pub const FULL_SKILL: i32 = 20;

/// The values in force.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Size of the table in MiB; 0 leaves it to the engine.
    pub hash_mebibytes: usize,
    /// Number of workers; 0 takes every physical core.
    pub threads: usize,
    /// The opponent's time is used too, so a move may take longer.
    pub ponder: bool,
    /// `go` counts in milliseconds, not in seconds.
    pub milliseconds: bool,
    /// While a search runs, commands wait for their turn.
    pub batch: bool,
    /// Say what was not understood.
    pub debug: bool,
    /// Kept back from every clock for the way to the user and back.
    pub overhead: Duration,
    /// Where to write the log.
    pub log_file: Option<PathBuf>,
    /// Rules by which repetitions are judged; none: those that users of the protocol expect.
    pub rule_set: Option<RuleSet>,
    /// Plies without a capture that end the game; none: as the rule set says.
    pub limit_plies: Option<u16>,
    /// Whether a game without a capture ends at all.
    pub has_move_limit: bool,
    /// Which game is played.
    pub variant: Variant,
    /// From where ranks are counted; none: as the user's moves show.
    pub rank_base: Option<RankBase>,
    /// The user has said that the game is Xiangqi: those who know several count ranks from one.
    pub game_named: bool,
    /// When and how the opening book is asked.
    pub book: BookSettings,
    /// Whether tables of endgames are asked.
    pub uses_endgames: bool,
    /// Their folders, separated by semicolons.
    pub endgame_folders: OsString,
    /// When a game may be ended early.
    pub manners: Manners,
    /// Think on after an answer without being told to.
    pub auto_ponder: bool,
    /// Spend no time where thinking cannot change the move: an only move, or a mate that is proven.
    pub forced_at_once: bool,
    /// How many best lines are searched for.
    pub lines: usize,
    /// How much the search leaves out.
    pub pruning: Pruning,
    /// How much the evaluation looks at.
    pub knowledge: Knowledge,
    /// The file of the network that values positions; none: what is in the program does.
    pub network_file: Option<PathBuf>,
    /// Most that chance adds to a root move, in centipawns.
    pub randomness: i32,
    /// The seed of chance; 0 is another one for every game.
    pub random_seed: u64,
    /// How much risk is taken.
    pub style: Style,
    /// Share of the processor that stays free, in percent.
    pub idle_percent: u32,
    /// Whether the search uses the table.
    pub uses_table: bool,
    /// Play at the level of `elo`.
    pub limits_strength: bool,
    /// The level of play, on a scale of our own.
    pub elo: i32,
    /// The level of play by another scale, 0 to [`FULL_SKILL`], at which it is not limited.
    pub skill: i32,
    /// The user studies positions, nobody plays.
    pub analysing: bool,
    /// Say how likely a score wins, draws and loses.
    pub shows_wdl: bool,
    /// Say what refutes the moves that are not best.
    pub shows_refutations: bool,
    /// Say where each worker is in the tree.
    pub shows_current_line: bool,
    /// Whom we play against, if we were told.
    pub opponent: Option<Opponent>,
    /// What the user says positions are worth, shared with the searches.
    pub position_values: Arc<PositionValues>,
    /// A millisecond of a clock is worth so many nodes; 0: a millisecond.
    pub nodes_per_millisecond: u64,
}

/// When and how the opening book is asked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BookSettings {
    /// Whether it is; none: it is asked in UCCI, whose users expect it, and not in UCI, whose match runners do not.
    pub used: Option<bool>,
    /// Its files, separated by semicolons; [`EMBEDDED`](crate::book::EMBEDDED) among them is the one in the program.
    pub files: OsString,
    /// How one of its moves is chosen.
    pub method: BookMethod,
    /// For [`BookMethod::Margin`], in centipawns.
    pub margin: u16,
    /// It is asked up to this full move of a game.
    pub moves: u16,
    /// Moves that weigh less are not played.
    pub least_weight: u16,
    /// It is left when it knows fewer plies behind the move than these.
    pub reserve: usize,
}

/// How one of the book's moves is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BookMethod {
    /// In proportion to the weights.
    #[default]
    Weighted,
    /// The best one.
    Best,
    /// In proportion to the weights among those that an engine finds nearly as good as the best.
    Margin,
}

impl BookSettings {
    /// As the book understands it, where chance may give up so many centipawns.
    pub fn choice(&self, randomness: i32) -> Choice {
        let more = u16::try_from(randomness).unwrap_or(0);
        match self.method {
            BookMethod::Weighted => Choice::Weighted,
            BookMethod::Best if more == 0 => Choice::Best,
            BookMethod::Best => Choice::Margin(more),
            BookMethod::Margin => Choice::Margin(self.margin.saturating_add(more)),
        }
    }
}

impl Options {
    /// The level of play on the scale of `elo`; none if it is not limited. Where both options limit it, `limitstrength` counts.
    pub fn limited_elo(&self) -> Option<i32> {
        let [weakest, strongest] = [ELO_RANGE.start(), ELO_RANGE.end()].map(|&elo| elo as i32);
        let by_skill = || weakest + self.skill * (strongest - weakest) / FULL_SKILL;
        if self.limits_strength { Some(self.elo) } else { (self.skill < FULL_SKILL).then(by_skill) }
    }

    /// The rules in force with a user who has greeted in this protocol, if in any: unless told otherwise the league's in UCCI,
    /// which its referee speaks, and else the Asian ones.
    pub fn rules(&self, greeted_in: Option<Dialect>) -> Rules {
        let expected = if greeted_in == Some(Dialect::Ucci) { RuleSet::League } else { RuleSet::Asian };
        let rules = self.rule_set.unwrap_or(expected).rules();
        match self.limit_plies {
            _ if !self.has_move_limit => rules.without_limit(),
            Some(plies) => rules.with_limit(plies),
            None => rules,
        }
    }
}
