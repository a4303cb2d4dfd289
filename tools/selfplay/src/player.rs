//! Plays games of the engine against itself. A game depends only on the recipe and its number, not on earlier games.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Result, ensure};
use chuhe::board::{Move, Position, Side};
use chuhe::eval::nnue::Network;
use chuhe::rules::{self, Rules, Verdict, judge};
use chuhe::search::{self, Bound, Iteration, Limits, Observer, Plan, SearchContext, Searcher};
use chuhe::smp::shared::StopFlag;
use chuhe::smp::table::Table;
use chuhe::splitmix::SplitMix64;
use chuhe_games::game::Outcome;

use crate::adjudication::Adjudicator;
use crate::game::{Ending, Game, Played};
use crate::opening;
use crate::recipe::Recipe;

/// Engine of one thread.
pub struct Player {
    recipe: Recipe,
    rules: Rules,
    plan: Plan,
    searcher: Searcher,
    table: Arc<Table>,
}

/// Soft limit: stops a search after the first iteration that ends at this number of nodes or beyond.
struct SoftLimit<'a> {
    stop: &'a StopFlag,
    nodes: u64,
}

impl Observer for SoftLimit<'_> {
    fn iteration(&mut self, iteration: Iteration) {
        if iteration.bound == Bound::Exact && iteration.nodes >= self.nodes {
            self.stop.raise();
        }
    }
}

impl Player {
    /// Creates an engine that plays by `recipe`, given the available `network`.
    ///
    /// # Errors
    /// If the recipe is inconsistent, has unknown rules or needs another network, or the table cannot be allocated.
    pub fn new(recipe: &Recipe, network: Option<&Arc<Network>>) -> Result<Self> {
        ensure!(recipe.effort.soft_nodes > 0, "a search needs nodes");
        ensure!(recipe.effort.hard_nodes >= recipe.effort.soft_nodes, "the hard limit is below the soft one");
        ensure!(recipe.opening.fewest_plies <= recipe.opening.most_plies, "the longest opening is below the shortest");
        Ok(Self {
            recipe: recipe.clone(),
            rules: recipe.rules()?,
            plan: recipe.plan(network)?,
            searcher: Searcher::new(0),
            table: Arc::new(Table::new(recipe.effort.table_mebibytes)?),
        })
    }

    /// Plays game `number`; returns `None` once `cancel` is raised.
    pub fn play(&mut self, number: u64, cancel: &AtomicBool) -> Option<Game> {
        self.clear();
        let mut random = opening::generator(self.recipe.seed, number);
        let (rejected, opening, mut history) = self.open(&mut random, cancel)?;
        let mut adjudicator = Adjudicator::new(self.recipe.adjudication);
        let (mut moves, mut nodes) = (Vec::new(), 0);
        let (result, ending) = loop {
            let ply = history.len() - 1;
            if let Some(end) = end_by_rules(&history, &self.rules).or_else(|| adjudicator.too_long(ply)) {
                break end;
            }
            if cancel.load(Ordering::Relaxed) {
                return None;
            }
            let outcome = self.think(&history, self.recipe.effort.soft_nodes);
            nodes += outcome.nodes;
            let (position, mv, score) = (history[ply], outcome.pv[0], outcome.score.raw());
            moves.push(Played { mv, score: i16::try_from(score).expect("scores fit sixteen bits") });
            if let Some(end) = adjudicator.update(ply, for_red(position.side(), score)) {
                break end;
            }
            history.push(position.play(mv));
        };
        Some(Game { number, opening, moves, result, ending, nodes, rejected })
    }

    /// Clears the table and histories of the previous game.
    fn clear(&mut self) {
        Arc::get_mut(&mut self.table).expect("the last search has dropped its share").clear(1);
        self.searcher.new_game();
    }

    /// Tries openings until one is balanced; returns it with the number of rejected ones.
    fn open(&mut self, random: &mut SplitMix64, cancel: &AtomicBool) -> Option<(u32, Vec<Move>, Vec<Position>)> {
        let wanted = self.recipe.opening;
        let mut rejected = 0;
        while !cancel.load(Ordering::Relaxed) {
            if let Some((moves, history)) = opening::attempt(&wanted, &self.rules, random)
                && self.think(&history, wanted.nodes).score.raw().abs() <= wanted.limit
            {
                return Some((rejected, moves, history));
            }
            rejected += 1;
        }
        None
    }

    /// Searches the last position of `history` with this soft limit, in nodes.
    fn think(&mut self, history: &[Position], soft_nodes: u64) -> search::Outcome {
        let effort = self.recipe.effort;
        self.table.advance_age();
        // Positions before the last capture cannot recur.
        let past = usize::from(history[history.len() - 1].reversible_plies()).min(history.len() - 1);
        let context = SearchContext {
            limits: Limits { nodes: Some(effort.hard_limit(soft_nodes)), ..Limits::default() },
            rules: self.rules,
            plan: self.plan.clone(),
            ..SearchContext::new(Arc::clone(&self.table), history[history.len() - 1 - past..].to_vec())
        };
        self.searcher.think(&context, &mut SoftLimit { stop: &context.stop, nodes: soft_nodes })
    }
}

/// Converts a score from the side to move's point of view to red's.
pub fn for_red(side: Side, score: i32) -> i32 {
    match side {
        Side::Red => score,
        Side::Black => -score,
    }
}

/// Result by the rules, if the game is over.
pub fn end_by_rules(history: &[Position], rules: &Rules) -> Option<(Outcome, Ending)> {
    let Verdict { loser, ending } = judge(history, rules)?;
    let result = loser.map_or(Outcome::Drawn, |side| Outcome::Won(!side));
    let ending = match ending {
        rules::Ending::Checkmate => Ending::Checkmate,
        rules::Ending::Stalemate => Ending::Stalemate,
        rules::Ending::Repetition(_) => Ending::Repetition,
        rules::Ending::MoveLimit => Ending::MoveLimit,
        rules::Ending::NoAttackers => Ending::NoAttackers,
    };
    Some((result, ending))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::tests::quick;
    use crate::recipe::{Adjudication, Effort};

    fn play(player: &mut Player, number: u64) -> Game {
        player.play(number, &AtomicBool::new(false)).unwrap()
    }

    #[test]
    fn a_game_does_not_depend_on_those_before() {
        let recipe = quick(5);
        let mut player = Player::new(&recipe, None).unwrap();
        let first: Vec<Game> = (0..4).map(|number| play(&mut player, number)).collect();
        for number in [3, 1, 2, 1] {
            assert_eq!(play(&mut player, number), first[usize::try_from(number).unwrap()]);
        }
        assert_eq!(play(&mut Player::new(&recipe, None).unwrap(), 2), first[2]);
        assert_ne!(play(&mut Player::new(&quick(6), None).unwrap(), 2), first[2]);
    }

    #[test]
    fn games_go_to_the_end_that_the_rules_give_them() {
        let recipe = Recipe {
            adjudication: Adjudication { won_score: 40_000, level_score: -1, ..Adjudication::default() },
            ..quick(2)
        };
        let mut player = Player::new(&recipe, None).unwrap();
        for number in 0..3 {
            let game = play(&mut player, number);
            let history = game.legal().unwrap();
            assert_eq!(history.len(), game.opening.len() + game.moves.len() + 1);
            assert!(!matches!(game.ending, Ending::Won | Ending::Level), "{game:?}");
            let end = end_by_rules(&history, &recipe.rules().unwrap());
            assert_eq!(end.unwrap_or((Outcome::Drawn, Ending::TooLong)), (game.result, game.ending));
        }
    }

    #[test]
    fn an_iteration_is_finished_beyond_the_soft_limit_and_cut_at_the_hard_one() {
        let effort = Effort { soft_nodes: 300, hard_nodes: 2400, table_mebibytes: 1 };
        let history = [Position::start()];
        let mut player = Player::new(&Recipe { effort, ..quick(1) }, None).unwrap();
        player.clear();
        let soft = player.think(&history, 300);
        assert!((300..=2400).contains(&soft.nodes), "{soft:?}");
        let mut player =
            Player::new(&Recipe { effort: Effort { hard_nodes: 300, ..effort }, ..quick(1) }, None).unwrap();
        player.clear();
        let hard = player.think(&history, 300);
        assert_eq!(hard.nodes, 300);
        assert!(hard.depth < soft.depth, "{hard:?} {soft:?}");
    }

    #[test]
    fn whoever_is_reported_to_end_gives_up() {
        let mut player = Player::new(&quick(1), None).unwrap();
        assert_eq!(player.play(0, &AtomicBool::new(true)), None);
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        let effort = Effort { hard_nodes: 10, ..quick(1).effort };
        assert!(Player::new(&Recipe { effort, ..quick(1) }, None).is_err());
        assert!(Player::new(&Recipe { network: "other".into(), ..quick(1) }, None).is_err());
    }
}
