//! The values of the options in force.

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::parsing::{Opponent, Style};
use crate::board::{RankBase, Variant};
use crate::book::Choice;
use crate::engine::draw_policy::DrawPolicyOptions;
use crate::engine::event::Dialect;
use crate::eval::EvalKind;
use crate::rules::{RuleSet, Rules};
use crate::search::{PositionValues, Pruning};

/// Range of the levels of play, on the engine's own scale.
pub const ELO_RANGE: RangeInclusive<i64> = 800..=2800;

/// Skill level of unlimited play, on the scale of other engines; each level below it is a hundred points of `elo` weaker.
pub const FULL_SKILL: i32 = 20;

/// The values of the options in force.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Size of the transposition table in MiB; 0: chosen by the engine.
    pub hash_mebibytes: usize,
    /// Number of workers; 0: all physical cores.
    pub threads: usize,
    /// Whether the opponent's time is used too, so that a move may take longer.
    pub ponder: bool,
    /// Whether `go` counts in milliseconds rather than seconds.
    pub milliseconds: bool,
    /// Whether commands during a search are queued.
    pub batch: bool,
    /// Whether input that was not understood is reported.
    pub debug: bool,
    /// Overhead deducted from every clock, for the way to the user and back.
    pub overhead: Duration,
    /// File of the log.
    pub log_file: Option<PathBuf>,
    /// Repetition rules; none: those that users of the protocol expect.
    pub rule_set: Option<RuleSet>,
    /// Move limit: plies without a capture that end the game; none: that of the rule set.
    pub limit_plies: Option<u16>,
    /// Whether there is a move limit at all.
    pub has_move_limit: bool,
    /// The variant that is played.
    pub variant: Variant,
    /// Rank base; none: the one that the user's moves show.
    pub rank_base: Option<RankBase>,
    /// Whether the user has named the game Xiangqi: clients that know several games count ranks from one.
    pub game_named: bool,
    /// Settings of the opening book.
    pub book: BookSettings,
    /// Whether endgame tablebases are probed.
    pub uses_endgames: bool,
    /// Folders of endgame tablebases, separated by semicolons.
    pub endgame_folders: OsString,
    /// Draw and resignation policy.
    pub draw_policy: DrawPolicyOptions,
    /// Whether to ponder after an answer without `go ponder` (auto-ponder).
    pub auto_ponder: bool,
    /// Whether to move at once where thinking cannot change the move: an only move, or a proven mate.
    pub forced_at_once: bool,
    /// Number of best lines to search (MultiPV).
    pub multipv: usize,
    /// Grade of pruning.
    pub pruning: Pruning,
    /// Grade of evaluation knowledge.
    pub knowledge: EvalKind,
    /// File of the evaluation network; none: the built-in evaluation.
    pub network_file: Option<PathBuf>,
    /// Maximum random bonus of a root move, in centipawns.
    pub randomness: i32,
    /// Random seed; 0: another one for every game.
    pub random_seed: u64,
    /// Style of play.
    pub style: Style,
    /// Share of the processor that stays free, in percent.
    pub idle_percent: u32,
    /// Whether the search uses the transposition table.
    pub uses_table: bool,
    /// Whether play is limited to the level of `elo`.
    pub limits_strength: bool,
    /// Level of play, on the engine's own scale.
    pub elo: i32,
    /// Skill level, on another scale: 0 to [`FULL_SKILL`], at which play is not limited.
    pub skill: i32,
    /// Whether the user analyses positions rather than playing a game.
    pub analysing: bool,
    /// Whether probabilities of win, draw and loss (WDL) are shown.
    pub shows_wdl: bool,
    /// Whether refutations of the other root moves are shown.
    pub shows_refutations: bool,
    /// Whether the line that each worker searches is shown.
    pub shows_current_line: bool,
    /// The opponent, if the user has named one.
    pub opponent: Option<Opponent>,
    /// Values of positions that the user dictates, shared with the searches.
    pub position_values: Arc<PositionValues>,
    /// Nodes that stand for a millisecond of a clock (`nodestime`); 0: clocks count time.
    pub nodes_per_millisecond: u64,
}

/// Settings of the opening book.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BookSettings {
    /// Whether it is used; none: in UCCI, whose users expect it, but not in UCI, whose match runners do not.
    pub used: Option<bool>,
    /// Its files, separated by semicolons; [`EMBEDDED`](crate::book::EMBEDDED) stands for the built-in one.
    pub files: OsString,
    /// Method of choosing among its moves.
    pub method: BookMethod,
    /// Margin for [`BookMethod::Margin`], in centipawns.
    pub margin: u16,
    /// Last full move of a game at which it is used.
    pub moves: u16,
    /// Minimum weight of a move to be played.
    pub least_weight: u16,
    /// Minimum number of plies that it has to know after a move.
    pub reserve: usize,
}

/// Method of choosing among the moves of the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BookMethod {
    /// At random, in proportion to the weights.
    #[default]
    Weighted,
    /// Always the best one.
    Best,
    /// At random, in proportion to the weights, among moves that an engine scores nearly as high as the best.
    Margin,
}

impl BookSettings {
    /// Returns the choice in the book's own terms, where randomness may give up this number of centipawns.
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
    /// Returns the level of play on the scale of `elo`; none if it is not limited. Where both options limit it, `limitstrength`
    /// counts.
    pub fn limited_elo(&self) -> Option<i32> {
        let [weakest, strongest] = [ELO_RANGE.start(), ELO_RANGE.end()].map(|&elo| elo as i32);
        let by_skill = || weakest + self.skill * (strongest - weakest) / FULL_SKILL;
        if self.limits_strength { Some(self.elo) } else { (self.skill < FULL_SKILL).then(by_skill) }
    }

    /// Returns the rules in force for a user who has greeted in this protocol, if in any. By default these are the league's in
    /// UCCI, which its referee speaks, and otherwise the Asian ones.
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

#[cfg(test)]
mod tests {
    use super::*;

    const GREETINGS: [Option<Dialect>; 3] = [None, Some(Dialect::Ucci), Some(Dialect::Uci)];

    fn set(options: &mut Options, name: &str, value: &str) {
        let applied = options.set(name, value).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(applied.clamped, None, "{name} {value}");
    }

    fn rules_with(name: &str, value: &str) -> Rules {
        let mut options = Options::default();
        set(&mut options, name, value);
        options.rules(Some(Dialect::Uci))
    }

    #[test]
    fn unless_reported_otherwise_the_rules_are_those_of_the_protocol() {
        let [none, ucci, uci] = GREETINGS.map(|greeting| Options::default().rules(greeting));
        assert_eq!([none, ucci, uci], [RuleSet::Asian, RuleSet::League, RuleSet::Asian].map(RuleSet::rules));
        for set_by_user in RuleSet::ALL {
            let mut options = Options::default();
            set(&mut options, "Repetition Rule", set_by_user.name());
            assert!(
                GREETINGS.iter().all(|&greeting| options.rules(greeting) == set_by_user.rules()),
                "{set_by_user:?}"
            );
        }
    }

    #[test]
    fn the_rules_have_the_names_that_other_engines_announce() {
        for (value, named) in [
            ("AsianRule", RuleSet::Asian),
            ("WXF", RuleSet::Asian),
            ("ChineseRule", RuleSet::Chinese),
            ("ComputerRule", RuleSet::Pikafish),
            ("AllowChase", RuleSet::CheckBan),
            ("NoJudgement", RuleSet::AlwaysDraw),
        ] {
            assert_eq!(rules_with("Repetition Rule", value), named.rules(), "{value}");
        }
    }

    #[test]
    fn the_move_limit_is_set_in_moves_or_plies_and_lifted() {
        for (name, value, limit) in [
            ("movelimit", "60", Some(120)),
            ("movelimit", "0", Some(120)),
            ("Move Limit", "1000", Some(2000)),
            ("Rule60MaxPly", "99", Some(99)),
            ("Sixty Move Rule", "true", Some(120)),
            ("Sixty Move Rule", "false", None),
        ] {
            assert_eq!(rules_with(name, value).limit_plies(), limit, "{name} {value}");
        }
        let mut options = Options::default();
        set(&mut options, "Sixty Move Rule", "false");
        set(&mut options, "Rule60MaxPly", "80");
        assert_eq!(options.rules(None).limit_plies(), None);
        set(&mut options, "Sixty Move Rule", "true");
        assert_eq!(options.rules(None).limit_plies(), Some(80));
    }
}
