//! The plan of a search: a pure calculation that turns the options into one value for the nodes to read.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;

use super::options::{ELO_RANGE, Opponent, Options, Style};
use crate::board::Side;
use crate::endgame::Tables;
use crate::eval::EvalConfig;
use crate::eval::nnue::Network;
use crate::search::{Limits, MateSearch, OnMate, Plan, Pruning, Randomness};
use crate::smp::time::Budget;

/// Value of a draw to a solid player, in centipawns; a risky one has its negative.
const DRAW_BY_STYLE: i32 = 25;
/// Weight of an attack to a risky player, in percent.
const RISKY_ATTACK: i32 = 130;
/// Weight of an attack to a solid player, in percent.
const SOLID_ATTACK: i32 = 80;

/// Rating assumed for the engine at full strength; only its distance to the opponent's counts.
const FULL_STRENGTH_ELO: i32 = 3000;
/// Rating difference that changes the value of a draw by a centipawn.
const ELO_PER_CENTIPAWN: i32 = 20;
/// Maximum change of the value of a draw by the opponent, in centipawns.
const MOST_BY_OPPONENT: i32 = 30;
/// Value of a draw against a person of unknown strength, in centipawns.
const DRAW_WITH_PERSON: i32 = -10;

/// Nodes per move at the weakest level.
const LEAST_NODES: f64 = 100.0;
/// Rating points that double the nodes of a level.
const ELO_PER_DOUBLING: f64 = 220.0;
/// Level from which no randomness is added.
const ELO_WITHOUT_RANDOMNESS: i32 = 2000;
/// Rating points below that level per centipawn of randomness.
const ELO_PER_RANDOM_CENTIPAWN: i32 = 6;

/// A level of play below full strength: few nodes, and randomness at the lower end.
///
/// The scale is the engine's own and was not compared with human ratings. More is always stronger, and 200 points are about 200
/// points of rating.
/// With network F, levels 200 apart won by 166 points (1000 against 800), at most by 301 (1800 against 1600) and by 220 at the
/// top (2800 against 2600), give or take 50, 200 games each (`ci/levels.sh`).
#[derive(Clone, Copy, PartialEq, Debug)]
struct Level {
    nodes: u64,
    /// Randomness in centipawns.
    randomness: i32,
}

impl Level {
    fn of(elo: i32) -> Self {
        let doublings = f64::from(elo - *ELO_RANGE.start() as i32) / ELO_PER_DOUBLING;
        Self {
            // The product is far below the largest integer that a float holds exactly.
            nodes: (LEAST_NODES * doublings.exp2()) as u64,
            randomness: ((ELO_WITHOUT_RANDOMNESS - elo) / ELO_PER_RANDOM_CENTIPAWN).max(0),
        }
    }
}

/// Context of a plan besides the options: the side to move, and the purpose of the search.
pub(super) struct Occasion<'a> {
    /// Side to move at the root, to which the options apply.
    pub(super) mover: Side,
    /// Whether a mate was requested.
    pub(super) wants_mate: bool,
    /// Whether unused time may be used later: the search runs on the clock of a game.
    pub(super) saves_time: bool,
    /// Randomness of the game.
    pub(super) seed: GameSeed,
    /// Evaluation network, if one is used.
    pub(super) network: Option<&'a Arc<Network>>,
    /// Endgame tablebases.
    pub(super) endgames: &'a Arc<Tables>,
}

/// Returns the plan of a search under these options.
pub(super) fn plan(options: &Options, occasion: &Occasion) -> Plan {
    let level = options.limited_elo().map(Level::of);
    let chance = options.randomness.max(level.map_or(0, |level| level.randomness));
    let mut attack_percent = [EvalConfig::EVEN; 2];
    attack_percent[occasion.mover.index()] = match options.style {
        Style::Solid => SOLID_ATTACK,
        Style::Normal => EvalConfig::EVEN,
        Style::Risky => RISKY_ATTACK,
    };
    // A request for a mate demands certainty.
    let pruning = if occasion.wants_mate { Pruning::None } else { options.pruning };
    Plan {
        multipv: options.multipv,
        pruning,
        mates: mate_search(options, pruning),
        knowledge: options.knowledge,
        network: occasion.network.cloned(),
        draw_for_red: match occasion.mover {
            Side::Red => draw_value(options),
            Side::Black => -draw_value(options),
        },
        attack_percent,
        randomness: Randomness {
            margin: if options.analysing { 0 } else { chance },
            seed: occasion.seed.seed(options),
        },
        node_budget: level.map(|level| level.nodes),
        uses_table: options.uses_table,
        // A weakened player should not know endgames by heart.
        endgames: (options.uses_endgames && level.is_none()).then(|| Arc::clone(occasion.endgames)),
        probes_everywhere: options.analysing,
        on_mate: on_mate(options, occasion),
        position_values: Arc::clone(&options.position_values),
        shows_refutations: options.shows_refutations,
        shows_current_line: options.shows_current_line,
        idle_percent: options.idle_percent,
    }
}

/// Returns how mates are searched for: before anything else if nothing is pruned. A mate answers which move is best, not which
/// moves are best, and with dictated values it is not certain.
fn mate_search(options: &Options, pruning: Pruning) -> MateSearch {
    let answers = options.multipv == 1 && options.limited_elo().is_none() && options.position_values.is_empty();
    match pruning {
        _ if !answers => MateSearch::Never,
        Pruning::None => MateSearch::First,
        _ => MateSearch::Probe,
    }
}

/// Returns the effect of a proven mate: only on the clock of a game, where time is worth saving, it may end a search before its
/// limits.
fn on_mate(options: &Options, occasion: &Occasion) -> OnMate {
    if occasion.saves_time && options.forced_at_once && !options.analysing { OnMate::Shorten } else { OnMate::Continue }
}

/// Returns the value of a draw to the engine, in centipawns, by style and opponent. In analysis the engine takes no side.
fn draw_value(options: &Options) -> i32 {
    if options.analysing {
        return 0;
    }
    let own_elo = options.limited_elo().unwrap_or(FULL_STRENGTH_ELO);
    let by_opponent = match options.opponent {
        Some(Opponent { elo: Some(elo), .. }) => elo.saturating_sub(own_elo) / ELO_PER_CENTIPAWN,
        Some(Opponent { elo: None, is_computer: false }) => DRAW_WITH_PERSON,
        Some(Opponent { elo: None, is_computer: true }) | None => 0,
    };
    let by_style = match options.style {
        Style::Solid => DRAW_BY_STYLE,
        Style::Normal => 0,
        Style::Risky => -DRAW_BY_STYLE,
    };
    by_style + by_opponent.clamp(-MOST_BY_OPPONENT, MOST_BY_OPPONENT)
}

/// Returns the limits of a search whose clock counts nodes, so that the same game takes the same nodes; none if it counts time.
pub(super) fn counted(options: &Options, limits: Limits, budget: Option<&Budget>) -> Option<Limits> {
    let rate = options.nodes_per_millisecond;
    let afforded = budget.filter(|_| rate > 0)?.in_nodes(rate);
    Some(Limits { nodes: limits.nodes.into_iter().chain([afforded]).min(), ..limits })
}

/// Randomness of one game.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameSeed(u64);

impl GameSeed {
    /// Draws the randomness of a new game from the system.
    pub(super) fn of_new_game() -> Self {
        Self(RandomState::new().build_hasher().finish())
    }

    /// Returns the seed of a search: the user's, if one is set.
    fn seed(self, options: &Options) -> u64 {
        if options.random_seed == 0 { self.0 } else { options.random_seed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::EvalKind;
    use std::sync::LazyLock;

    /// Empty: the built-in ones take hours to unpack under miri.
    static TABLES: LazyLock<Arc<Tables>> = LazyLock::new(|| Arc::new(Tables::empty()));

    fn occasion(mover: Side) -> Occasion<'static> {
        Occasion { mover, wants_mate: false, saves_time: false, seed: GameSeed(7), network: None, endgames: &TABLES }
    }

    fn with(settings: &[(&str, &str)]) -> Plan {
        let mut options = Options::default();
        for (name, value) in settings {
            options.set(name, value).unwrap();
        }
        plan(&options, &occasion(Side::Red))
    }

    #[test]
    fn the_default_is_full_strength() {
        let default = with(&[]);
        let (lines, draw, noise) = (default.multipv, default.draw_for_red, default.randomness.margin);
        assert_eq!((lines, draw, noise, default.node_budget), (1, 0, 0, None));
        assert_eq!((default.pruning, default.knowledge), (Pruning::Large, EvalKind::Large));
        assert_eq!(default.attack_percent, [EvalConfig::EVEN; 2]);
        assert!(default.uses_table);
    }

    #[test]
    fn the_stronger_the_opponent_the_more_welcome_a_draw() {
        let draw = |opponent: &str| with(&[("UCI_Opponent", opponent)]).draw_for_red;
        assert!(draw("none 2200 human A") < draw("none 2900 computer B"));
        assert!(draw("none 2900 computer B") < draw("none 3400 computer C"));
        assert_eq!(draw("none none computer D"), 0);
        assert!(draw("none none human E") < 0);
        assert_eq!(draw("none 2147483647 human F"), MOST_BY_OPPONENT);
        assert_eq!(draw("none -2147483648 human G"), -MOST_BY_OPPONENT);
    }

    #[test]
    fn taste_is_that_of_the_side_to_move_at_the_root_and_who_asks_for_a_mate_sees_everything() {
        let mut options = Options::default();
        options.set("style", "risky").unwrap();
        let [red, black] = [Side::Red, Side::Black].map(|mover| plan(&options, &occasion(mover)));
        assert_eq!((red.attack_percent, black.attack_percent), ([RISKY_ATTACK, 100], [100, RISKY_ATTACK]));
        assert!(red.draw_for_red < 0 && black.draw_for_red == -red.draw_for_red);
        assert_eq!((red.draw(Side::Red), red.draw(Side::Black)), (black.draw(Side::Black), black.draw(Side::Red)));
        let certain = plan(&options, &Occasion { wants_mate: true, ..occasion(Side::Red) });
        assert_eq!((red.pruning, certain.pruning), (Pruning::Large, Pruning::None));
        assert_eq!((red.mates, certain.mates), (MateSearch::Probe, MateSearch::First));
        options.set("multipv", "2").unwrap();
        let several = plan(&options, &Occasion { wants_mate: true, ..occasion(Side::Red) });
        assert_eq!(several.mates, MateSearch::Never);
    }

    #[test]
    fn only_the_clock_of_a_game_lets_a_mate_end_a_search() {
        let on_mate = |settings: &[(&str, &str)], saves_time| {
            let mut options = Options::default();
            settings.iter().for_each(|(name, value)| drop(options.set(name, value).unwrap()));
            plan(&options, &Occasion { saves_time, ..occasion(Side::Red) }).on_mate
        };
        assert_eq!((on_mate(&[], true), on_mate(&[], false)), (OnMate::Shorten, OnMate::Continue));
        assert_eq!(on_mate(&[("forcedatonce", "false")], true), OnMate::Continue);
        assert_eq!(on_mate(&[("UCI_AnalyseMode", "true")], true), OnMate::Continue);
    }

    #[test]
    fn analysis_is_impartial() {
        let game = [("style", "risky"), ("randomness", "huge"), ("UCI_Opponent", "none 1500 human A")];
        let playing = with(&game);
        assert!(playing.draw_for_red < 0 && playing.randomness.margin > 0);
        let analysing = with(&[&game[..], &[("UCI_AnalyseMode", "true")]].concat());
        assert_eq!((analysing.draw_for_red, analysing.randomness.margin), (0, 0));
    }

    #[test]
    fn a_higher_level_has_more_nodes_and_no_more_chance() {
        let levels: Vec<Level> = (800..=2800).step_by(100).map(Level::of).collect();
        for pair in levels.windows(2) {
            assert!(pair[0].nodes < pair[1].nodes && pair[0].randomness >= pair[1].randomness, "{pair:?}");
        }
        assert!(levels[0].randomness > 0 && levels[levels.len() - 1].randomness == 0);
        assert_eq!(with(&[("elo", "900")]).node_budget, None);
        assert_eq!(with(&[("elo", "900"), ("limitstrength", "true")]).node_budget, Some(Level::of(900).nodes));
    }

    #[test]
    fn skill_levels_are_those_of_elo_and_the_last_is_full_strength() {
        let same = |skill: &str, elo: &str| {
            let [by_skill, by_elo] =
                [with(&[("Skill Level", skill)]), with(&[("limitstrength", "true"), ("elo", elo)])];
            let of = |plan: &Plan| (plan.node_budget, plan.randomness.margin, plan.mates, plan.endgames.is_some());
            assert_eq!(of(&by_skill), of(&by_elo), "{skill}");
            assert!(by_skill.node_budget.is_some() && by_skill.endgames.is_none());
        };
        for (skill, elo) in [("0", "800"), ("1", "900"), ("10", "1800"), ("19", "2700")] {
            same(skill, elo);
        }
        assert_eq!(with(&[("Skill Level", "20")]).node_budget, None);
        let both = with(&[("Skill Level", "3"), ("limitstrength", "true"), ("elo", "2000")]);
        assert_eq!(both.node_budget, Some(Level::of(2000).nodes), "a limit in points is more precise");
    }

    #[test]
    fn games_differ_unless_the_user_names_a_seed() {
        let mut options = Options::default();
        let seeds = [GameSeed::of_new_game(), GameSeed::of_new_game()].map(|seed| seed.seed(&options));
        assert_ne!(seeds[0], seeds[1]);
        options.set("randomseed", "42").unwrap();
        assert_eq!(GameSeed::of_new_game().seed(&options), 42);
    }
}
