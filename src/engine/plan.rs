//! What the options mean to a search: one pure calculation, whose value the nodes look at as it is.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;

use super::options::{ELO_RANGE, Opponent, Options, Style};
use crate::board::Side;
use crate::endgame::Tables;
use crate::eval::Outlook;
use crate::eval::nnue::Network;
use crate::search::{Limits, MateSearch, Noise, OnMate, Plan, Pruning};
use crate::smp::time::Budget;

/// What a draw is worth to a solid player, in centipawns; a risky one dislikes it as much.
const DRAW_BY_STYLE: i32 = 25;
/// What an attack weighs to a risky player, in percent.
const RISKY_ATTACK: i32 = 130;
/// The same for a solid one.
const SOLID_ATTACK: i32 = 80;

/// The rating that we take for ours at full strength; only its distance to the opponent's counts.
const FULL_STRENGTH_ELO: i32 = 3000;
/// Rating points of difference that change the value of a draw by a centipawn.
const ELO_PER_CENTIPAWN: i32 = 20;
/// Most that the opponent changes the value of a draw, in centipawns.
const MOST_BY_OPPONENT: i32 = 30;
/// The value of a draw against a person of unknown strength, in centipawns.
const DRAW_WITH_PERSON: i32 = -10;

/// The weakest level's nodes for a move.
const LEAST_NODES: f64 = 100.0;
/// Rating points within which a level gets twice the nodes.
const ELO_PER_DOUBLING: f64 = 220.0;
/// The level from which nothing is left to chance.
const NOISELESS_ELO: i32 = 2000;
/// Rating points below it that add a centipawn of chance.
const ELO_PER_NOISE: i32 = 6;

/// A level of play below full strength: few nodes, and at the lower end chance.
///
/// The scale is the engine's own and was not held against people. More is always stronger, and 200 points are about 200
/// points of rating: with network F, neighbours 200 apart won by 166 points (1000 against 800), at most by 301 (1800
/// against 1600) and by 220 at the top (2800 against 2600), give or take 50, 200 games each (`ci/levels.sh`).
#[derive(Clone, Copy, PartialEq, Debug)]
struct Level {
    nodes: u64,
    /// In centipawns.
    noise: i32,
}

impl Level {
    fn of(elo: i32) -> Self {
        let doublings = f64::from(elo - *ELO_RANGE.start() as i32) / ELO_PER_DOUBLING;
        Self {
            // Far below the largest integer that a float holds exactly.
            nodes: (LEAST_NODES * doublings.exp2()) as u64,
            noise: ((NOISELESS_ELO - elo) / ELO_PER_NOISE).max(0),
        }
    }
}

/// What a search shall do besides the options: for whom, and to which end.
pub(super) struct Occasion<'a> {
    /// Who is to move at the root: the side that the options are about.
    pub(super) mover: Side,
    /// A mate was asked for.
    pub(super) wants_mate: bool,
    /// Time that it does not use may be used later: it runs on the clock of a game.
    pub(super) saves_time: bool,
    /// The luck of the game.
    pub(super) luck: Luck,
    /// What values positions, if a network does.
    pub(super) network: Option<&'a Arc<Network>>,
    /// What is known of endgames.
    pub(super) endgames: &'a Arc<Tables>,
}

/// What a search shall do under these options.
pub(super) fn plan(options: &Options, occasion: &Occasion) -> Plan {
    let level = options.limited_elo().map(Level::of);
    let chance = options.randomness.max(level.map_or(0, |level| level.noise));
    let mut attack_percent = [Outlook::EVEN; 2];
    attack_percent[occasion.mover.index()] = match options.style {
        Style::Solid => SOLID_ATTACK,
        Style::Normal => Outlook::EVEN,
        Style::Risky => RISKY_ATTACK,
    };
    // Who asks for a mate wants to know for certain.
    let pruning = if occasion.wants_mate { Pruning::None } else { options.pruning };
    Plan {
        lines: options.lines,
        pruning,
        mates: mate_search(options, pruning),
        knowledge: options.knowledge,
        network: occasion.network.cloned(),
        draw_for_red: match occasion.mover {
            Side::Red => draw_value(options),
            Side::Black => -draw_value(options),
        },
        attack_percent,
        noise: Noise { margin: if options.analysing { 0 } else { chance }, seed: occasion.luck.seed(options) },
        node_budget: level.map(|level| level.nodes),
        uses_table: options.uses_table,
        // Who wants a weaker player does not want one who knows the end by heart.
        endgames: (options.uses_endgames && level.is_none()).then(|| Arc::clone(occasion.endgames)),
        asks_everywhere: options.analysing,
        on_mate: on_mate(options, occasion),
        position_values: Arc::clone(&options.position_values),
        shows_refutations: options.shows_refutations,
        shows_current_line: options.shows_current_line,
    }
}

/// How mates are looked for: whoever leaves out nothing wants to see them. A mate is the answer to what the best move is, not
/// to what the best moves are, and where the user dictates values it is not certain.
fn mate_search(options: &Options, pruning: Pruning) -> MateSearch {
    let answers = options.lines == 1 && options.limited_elo().is_none() && options.position_values.is_empty();
    match pruning {
        _ if !answers => MateSearch::Never,
        Pruning::None => MateSearch::First,
        _ => MateSearch::Probe,
    }
}

/// Only the clock of a game, which is better saved, lets a proven mate end a search before its limits.
fn on_mate(options: &Options, occasion: &Occasion) -> OnMate {
    if occasion.saves_time && options.forced_at_once && !options.analysing { OnMate::Shorten } else { OnMate::Continue }
}

/// What a draw is worth to us, in centipawns: a matter of taste, and of whom we play. In analysis there is no `us`.
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

/// The limits of a search whose clock is counted in nodes: the same game takes the same nodes then. None if it is not.
pub(super) fn counted(options: &Options, limits: Limits, budget: Option<&Budget>) -> Option<Limits> {
    let rate = options.nodes_per_millisecond;
    let afforded = budget.filter(|_| rate > 0)?.in_nodes(rate);
    Some(Limits { nodes: limits.nodes.into_iter().chain([afforded]).min(), ..limits })
}

/// The luck of one game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Luck(u64);

impl Luck {
    /// Another one for every game, drawn from the system.
    pub(super) fn of_new_game() -> Self {
        Self(RandomState::new().build_hasher().finish())
    }

    /// The seed for a search: the user's, if he has named one.
    fn seed(self, options: &Options) -> u64 {
        if options.random_seed == 0 { self.0 } else { options.random_seed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Knowledge;
    use std::sync::LazyLock;

    /// None: those in the program take hours to unpack under miri.
    static TABLES: LazyLock<Arc<Tables>> = LazyLock::new(|| Arc::new(Tables::empty()));

    fn occasion(mover: Side) -> Occasion<'static> {
        Occasion { mover, wants_mate: false, saves_time: false, luck: Luck(7), network: None, endgames: &TABLES }
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
        let (lines, draw, noise) = (default.lines, default.draw_for_red, default.noise.margin);
        assert_eq!((lines, draw, noise, default.node_budget), (1, 0, 0, None));
        assert_eq!((default.pruning, default.knowledge), (Pruning::Large, Knowledge::Large));
        assert_eq!(default.attack_percent, [Outlook::EVEN; 2]);
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
        assert!(playing.draw_for_red < 0 && playing.noise.margin > 0);
        let analysing = with(&[&game[..], &[("UCI_AnalyseMode", "true")]].concat());
        assert_eq!((analysing.draw_for_red, analysing.noise.margin), (0, 0));
    }

    #[test]
    fn a_higher_level_has_more_nodes_and_no_more_chance() {
        let levels: Vec<Level> = (800..=2800).step_by(100).map(Level::of).collect();
        for pair in levels.windows(2) {
            assert!(pair[0].nodes < pair[1].nodes && pair[0].noise >= pair[1].noise, "{pair:?}");
        }
        assert!(levels[0].noise > 0 && levels[levels.len() - 1].noise == 0);
        assert_eq!(with(&[("elo", "900")]).node_budget, None);
        assert_eq!(with(&[("elo", "900"), ("limitstrength", "true")]).node_budget, Some(Level::of(900).nodes));
    }

    #[test]
    fn skill_levels_are_those_of_elo_and_the_last_is_full_strength() {
        let same = |skill: &str, elo: &str| {
            let [by_skill, by_elo] =
                [with(&[("Skill Level", skill)]), with(&[("limitstrength", "true"), ("elo", elo)])];
            let of = |plan: &Plan| (plan.node_budget, plan.noise.margin, plan.mates, plan.endgames.is_some());
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
        let seeds = [Luck::of_new_game(), Luck::of_new_game()].map(|luck| luck.seed(&options));
        assert_ne!(seeds[0], seeds[1]);
        options.set("randomseed", "42").unwrap();
        assert_eq!(Luck::of_new_game().seed(&options), 42);
    }
}
