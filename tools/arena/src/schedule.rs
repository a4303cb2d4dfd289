//! Schedule of a match: pairing, opening and colours of each game.
//!
//! It is pure arithmetic over the game number, so a match can be resumed at any game.

use std::collections::HashSet;
use std::hash::Hash;

use chuhe::splitmix::SplitMix64;
use chuhe_console::words::Share;
use serde::{Deserialize, Serialize};

/// Tournament format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tournament {
    /// Round robin: every engine plays every other.
    #[default]
    RoundRobin,
    /// Gauntlet: the first engine, or the seeds, play all others.
    Gauntlet,
    /// Swiss system: in each round engines with about equal points meet.
    Swiss,
}

/// Games that share an opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// Each encounter has openings of its own, a new one after each repetition.
    Fresh,
    /// Each encounter has one opening for all of its games.
    Encounter,
    /// Each round has one opening for all of its games.
    Round,
    /// An opening is kept for its repetitions, also from one encounter to the next.
    Keep,
}

/// Schedule of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// First and second engine of each encounter of a round; empty in a Swiss tournament, where results decide them.
    encounters: Vec<[usize; 2]>,
    /// Number of encounters of a round.
    per_round: u32,
    rounds: u32,
    games: u32,
    repeat: u32,
    swap: bool,
    reverse: bool,
    policy: Option<Policy>,
    /// Indices of openings in the order in which they are played.
    openings: Vec<usize>,
}

/// Parameters of a schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Tournament format.
    pub tournament: Tournament,
    /// Games that share an opening; `None` if all encounters of a round begin with the same ones.
    pub policy: Option<Policy>,
    /// Number of engines.
    pub engines: usize,
    /// Number of engines that play a gauntlet against the others.
    pub seeds: usize,
    /// Number of times that all encounters are played.
    pub rounds: u32,
    /// Games per encounter.
    pub games: u32,
    /// Number of successive games of an encounter with the same opening.
    pub repeat: u32,
    /// Whether colours are exchanged from game to game.
    pub swap: bool,
    /// Whether the second engine of an encounter has Red first.
    pub reverse: bool,
}

/// A game of the schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Planned {
    /// Number of the game, from 1.
    pub number: u32,
    /// Round, from 1.
    pub round: u32,
    /// Index of the engine with the red pieces.
    pub red: usize,
    /// Index of the engine with the black pieces.
    pub black: usize,
    /// Index of the opening.
    pub opening: usize,
}

impl Schedule {
    /// Returns the game numbers of a part, or of the whole match.
    pub fn numbers(&self, shard: Option<Share>) -> impl Iterator<Item = u32> {
        (1..=self.len()).filter(move |number| shard.is_none_or(|shard| self.has(shard, *number)))
    }

    /// Returns the number of games of a part, or of the whole match.
    pub fn count(&self, shard: Option<Share>) -> u32 {
        shard.map_or(self.len(), |_| u32::try_from(self.numbers(shard).count()).expect("a part of all games"))
    }

    /// Whether game `number` belongs to a part. Parts are contiguous and have about the same number of pairs.
    pub fn has(&self, shard: Share, number: u32) -> bool {
        let [pair, pairs] = [number, self.len()].map(|game| u128::from(game.div_ceil(2)));
        pair.saturating_sub(1) * u128::from(shard.of) / pairs.max(1) + 1 == u128::from(shard.number)
    }

    /// Returns a schedule over `openings`, which are played in this order and repeated when they run out.
    ///
    /// # Panics
    /// If there is no opening, or `repeat` is 0.
    pub fn new(shape: &Shape, openings: Vec<usize>) -> Self {
        assert!(!openings.is_empty() && shape.repeat > 0, "a match has an opening, played at least once");
        let rest = |first: usize| (first + 1..shape.engines).map(move |second| [first, second]);
        let encounters = match shape.tournament {
            Tournament::Gauntlet => {
                let seeds = shape.seeds.max(1);
                let others = |seed| (seeds..shape.engines).map(move |other| [seed, other]);
                (0..seeds).flat_map(others).collect()
            }
            Tournament::RoundRobin => (0..shape.engines).flat_map(rest).collect(),
            Tournament::Swiss => vec![],
        };
        let per_round = if shape.tournament == Tournament::Swiss { shape.engines / 2 } else { encounters.len() };
        let per_round = u32::try_from(per_round).expect("few engines");
        let Shape { rounds, games, repeat, swap, reverse, policy, .. } = *shape;
        Self { encounters, per_round, rounds, games, repeat, swap, reverse, policy, openings }
    }

    /// Returns the number of planned games.
    pub fn len(&self) -> u32 {
        self.rounds.saturating_mul(self.per_round).saturating_mul(self.games)
    }

    /// Whether the schedule has no games.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the results of a round decide who meets in the next one.
    pub fn is_swiss(&self) -> bool {
        self.encounters.is_empty()
    }

    /// Returns the round of game `number` and its encounter within the round, both from 0.
    pub fn place(&self, number: u32) -> (u32, usize) {
        let encounter = number.saturating_sub(1) / self.games;
        (encounter / self.per_round.max(1), (encounter % self.per_round.max(1)) as usize)
    }

    /// Returns game `number`, from 1; `None` after the last one, and in a Swiss tournament.
    pub fn game(&self, number: u32) -> Option<Planned> {
        self.game_between(number, *self.encounters.get(self.place(number).1)?)
    }

    /// Returns game `number`, from 1, between the engines of its encounter; `None` after the last one.
    pub fn game_between(&self, number: u32, [first, second]: [usize; 2]) -> Option<Planned> {
        let index = number.checked_sub(1).filter(|_| number <= self.len())?;
        let ((round, _), game) = (self.place(number), index % self.games);
        // With an odd number of games an encounter begins with the other colour in every other round.
        let is_odd = (u64::from(round) * u64::from(self.games) + u64::from(game)) % 2 == 1;
        let exchanged = (self.swap && is_odd) != self.reverse;
        let (red, black) = if exchanged { (second, first) } else { (first, second) };
        let at = usize::try_from(self.turn(index) % self.openings.len() as u64).expect("an index of a list");
        Some(Planned { number, round: round + 1, red, black, opening: self.openings[at] })
    }

    /// Returns the number of openings before that of the game with this index.
    fn turn(&self, index: u32) -> u64 {
        let [encounter, game] = [index / self.games, index % self.games].map(u64::from);
        let round = encounter / u64::from(self.per_round.max(1));
        let (each, repeated) = (u64::from(self.games.div_ceil(self.repeat)), game / u64::from(self.repeat));
        match self.policy {
            None => round * each + repeated,
            Some(Policy::Fresh) => encounter * each + repeated,
            Some(Policy::Encounter) => encounter,
            Some(Policy::Round) => round,
            Some(Policy::Keep) => u64::from(index / self.repeat),
        }
    }

    /// Returns the first game that repeats an earlier one: the same engines, colours and opening.
    ///
    /// `beginning` maps equal openings to equal values.
    pub fn first_repetition<B: Eq + Hash>(&self, beginning: impl Fn(usize) -> B) -> Option<u32> {
        let mut seen = HashSet::new();
        let mut repeats = |game: Planned| !seen.insert((beginning(game.opening), game.red, game.black));
        (1..=self.len()).find(|&number| self.game(number).is_some_and(&mut repeats))
    }
}

/// Returns the order of `count` openings, shuffled if there is a seed, then beginning with the `start`th, from 1.
pub fn opening_order(count: usize, start: usize, seed: Option<u64>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    if let Some(seed) = seed {
        SplitMix64::new(seed).shuffle(&mut order);
    }
    if count > 0 {
        order.rotate_left((start.max(1) - 1) % count);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(tournament: Tournament, engines: usize, rounds: u32, games: u32) -> Shape {
        Shape { tournament, policy: None, engines, seeds: 1, rounds, games, repeat: 2, swap: true, reverse: false }
    }

    fn plan(schedule: &Schedule) -> Vec<(u32, usize, usize, usize)> {
        let games = (1..=schedule.len()).map(|number| schedule.game(number).unwrap());
        games.map(|game| (game.round, game.red, game.black, game.opening)).collect()
    }

    #[test]
    fn a_match_of_two_exchanges_colours_within_each_opening() {
        let schedule = Schedule::new(&shape(Tournament::RoundRobin, 2, 3, 2), vec![5, 7]);
        assert_eq!(
            plan(&schedule),
            [(1, 0, 1, 5), (1, 1, 0, 5), (2, 0, 1, 7), (2, 1, 0, 7), (3, 0, 1, 5), (3, 1, 0, 5)]
        );
        assert_eq!((schedule.game(0), schedule.game(7)), (None, None));
    }

    #[test]
    fn everyone_meets_everyone_from_the_same_openings() {
        let schedule = Schedule::new(&shape(Tournament::RoundRobin, 3, 2, 2), vec![0, 1]);
        let pairs: Vec<_> =
            plan(&schedule).chunks(2).map(|pair| (pair[0].0, pair[0].1, pair[0].2, pair[0].3)).collect();
        assert_eq!(pairs, [(1, 0, 1, 0), (1, 0, 2, 0), (1, 1, 2, 0), (2, 0, 1, 1), (2, 0, 2, 1), (2, 1, 2, 1)]);
    }

    #[test]
    fn in_a_gauntlet_only_the_first_engine_meets_the_others() {
        let schedule = Schedule::new(&shape(Tournament::Gauntlet, 4, 1, 2), vec![0]);
        assert_eq!(schedule.len(), 6);
        assert!(plan(&schedule).iter().all(|game| game.1 == 0 || game.2 == 0));
    }

    #[test]
    fn seeds_play_the_gauntlet_and_reversed_colours_are_exchanged() {
        let two = Shape { seeds: 2, ..shape(Tournament::Gauntlet, 4, 1, 2) };
        let pairs: Vec<_> = plan(&Schedule::new(&two, vec![0])).chunks(2).map(|pair| (pair[0].1, pair[0].2)).collect();
        assert_eq!(pairs, [(0, 2), (0, 3), (1, 2), (1, 3)]);
        let reversed = Shape { reverse: true, ..shape(Tournament::RoundRobin, 2, 1, 2) };
        let reds = |shape: &Shape| plan(&Schedule::new(shape, vec![0])).iter().map(|game| game.1).collect::<Vec<_>>();
        assert_eq!(reds(&reversed), [1, 0]);
        assert_eq!(reds(&Shape { swap: false, ..reversed }), [1, 1]);
    }

    #[test]
    fn the_policy_decides_which_games_share_an_opening() {
        let openings = |policy| {
            let shape = Shape { policy, ..shape(Tournament::RoundRobin, 3, 2, 4) };
            plan(&Schedule::new(&shape, (0..99).collect())).iter().step_by(2).map(|game| game.3).collect::<Vec<_>>()
        };
        assert_eq!(openings(None), [0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3]);
        assert_eq!(openings(Some(Policy::Fresh)), (0..12).collect::<Vec<_>>());
        assert_eq!(openings(Some(Policy::Encounter)), [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        assert_eq!(openings(Some(Policy::Round)), [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]);
        assert_eq!(openings(Some(Policy::Keep)), (0..12).collect::<Vec<_>>());
        let odd = Shape { policy: Some(Policy::Keep), repeat: 3, ..shape(Tournament::RoundRobin, 3, 1, 2) };
        let kept: Vec<_> = plan(&Schedule::new(&odd, vec![5, 6])).iter().map(|game| game.3).collect();
        assert_eq!(kept, [5, 5, 5, 6, 6, 6], "through the encounters");
    }

    #[test]
    fn a_swiss_tournament_knows_its_length_but_not_its_encounters() {
        let schedule = Schedule::new(&shape(Tournament::Swiss, 5, 3, 2), vec![7, 8]);
        assert_eq!((schedule.len(), schedule.is_swiss(), schedule.game(1)), (12, true, None));
        assert_eq!([1, 2, 3, 5].map(|number| schedule.place(number)), [(0, 0), (0, 0), (0, 1), (1, 0)]);
        let game = schedule.game_between(6, [4, 2]).unwrap();
        assert_eq!((game.round, game.red, game.black, game.opening), (2, 2, 4, 8));
        assert_eq!(schedule.game_between(13, [0, 1]), None);
    }

    #[test]
    fn openings_that_run_out_begin_games_again() {
        let first = |rounds, openings: usize| {
            let schedule = Schedule::new(&shape(Tournament::RoundRobin, 2, rounds, 2), (0..openings).collect());
            schedule.first_repetition(|opening| opening)
        };
        assert_eq!((first(3, 3), first(4, 3), first(4_000, 500)), (None, Some(7), Some(1_001)));
        let three = Schedule::new(&shape(Tournament::RoundRobin, 3, 2, 2), vec![0, 1]);
        assert_eq!(three.first_repetition(|opening| opening), None);
        let five = Schedule::new(&shape(Tournament::RoundRobin, 2, 5, 2), (0..5).collect());
        assert_eq!(five.first_repetition(|opening| opening % 3), Some(7), "the fourth opening is the first one again");
        let stay = Shape { swap: false, ..shape(Tournament::RoundRobin, 2, 1, 4) };
        assert_eq!(Schedule::new(&stay, vec![0, 1]).first_repetition(|opening| opening), Some(2));
    }

    #[test]
    fn colours_stay_when_asked_to_and_alternate_by_round_otherwise() {
        let stay = Shape { swap: false, ..shape(Tournament::RoundRobin, 2, 1, 4) };
        let reds: Vec<_> = plan(&Schedule::new(&stay, vec![0, 1])).iter().map(|game| (game.1, game.3)).collect();
        assert_eq!(reds, [(0, 0), (0, 0), (0, 1), (0, 1)]);
        let single = Schedule::new(&shape(Tournament::RoundRobin, 2, 4, 1), vec![0, 1, 2]);
        let reds: Vec<_> = plan(&single).iter().map(|game| (game.1, game.3)).collect();
        assert_eq!(reds, [(0, 0), (1, 1), (0, 2), (1, 0)]);
    }

    #[test]
    fn the_parts_of_a_match_are_all_of_it_and_keep_pairs_together() {
        let schedule = Schedule::new(&shape(Tournament::RoundRobin, 2, 11, 2), vec![0]);
        for count in [1, 2, 3, 4, 7, 11, 30] {
            let part = |number| schedule.numbers(Some(Share { number, of: count })).collect::<Vec<u32>>();
            let parts: Vec<Vec<u32>> = (1..=count).map(part).collect();
            assert_eq!(parts.concat(), (1..=22).collect::<Vec<_>>(), "{count}");
            assert!(
                parts.iter().all(|part| part.len() % 2 == 0 && part.len() <= 2 * 11_usize.div_ceil(count as usize))
            );
        }
        assert_eq!(schedule.numbers(None).count(), 22);
        assert_eq!(schedule.numbers(Some(Share { number: 4, of: 3 })).count(), 0);
    }

    #[test]
    fn a_seed_fixes_the_order_and_the_start_turns_it() {
        assert_eq!(opening_order(4, 3, None), [2, 3, 0, 1]);
        let shuffled = opening_order(50, 1, Some(7));
        assert_eq!(shuffled, opening_order(50, 1, Some(7)));
        assert_ne!(shuffled, opening_order(50, 1, Some(8)));
        let mut sorted = shuffled.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).collect::<Vec<_>>());
        assert_eq!(opening_order(50, 11, Some(7))[0], shuffled[10]);
    }
}
