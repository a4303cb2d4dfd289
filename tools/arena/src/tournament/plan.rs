//! Games still to be played, in their order. A round of a Swiss tournament is paired when the one before it is over.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use chuhe_games::record::{GameRecord, GameResult};

use crate::schedule::{Planned, Schedule};
use crate::settings::Settings;
use crate::swiss::{Meeting, pairings};

/// Interval at which a worker asks whether the next round has been paired.
const LOOK: Duration = Duration::from_millis(5);

/// Games that are left.
pub(super) struct Plan<'a> {
    schedule: &'a Schedule,
    settings: &'a Settings,
    /// Numbers of the games that are left, the next one last.
    left: Mutex<Vec<u32>>,
    /// Results of a Swiss tournament: half points of Red and Black, and their engines, by game number.
    results: Mutex<BTreeMap<u32, [(usize, u32); 2]>>,
}

impl<'a> Plan<'a> {
    /// Returns the games that are not among `done`.
    pub(super) fn new(schedule: &'a Schedule, settings: &'a Settings, done: &[GameRecord]) -> Self {
        let numbers: BTreeSet<u32> = done.iter().map(|game| game.number).collect();
        let mut left: Vec<u32> = schedule.numbers(settings.shard).filter(|number| !numbers.contains(number)).collect();
        left.reverse();
        let plan = Self { schedule, settings, left: Mutex::new(left), results: Mutex::default() };
        done.iter().for_each(|game| plan.count(game));
        plan
    }

    /// Counts a finished game before its worker asks for another one.
    pub(super) fn count(&self, game: &GameRecord) {
        if !self.schedule.is_swiss() {
            return;
        }
        let place = |name: &str| self.settings.engines.iter().position(|engine| engine.name == name);
        let half_points = match game.result {
            GameResult::Red => [2, 0],
            GameResult::Black => [0, 2],
            GameResult::Draw => [1, 1],
            GameResult::Unfinished => return,
        };
        if let (Some(red), Some(black)) = (place(&game.red), place(&game.black)) {
            let result = [(red, half_points[0]), (black, half_points[1])];
            self.results.lock().unwrap_or_else(PoisonError::into_inner).insert(game.number, result);
        }
    }

    /// Returns the next game, waiting for the round before it to end; `None` at the end or when `stopped`.
    pub(super) fn next(&self, stopped: &impl Fn() -> bool) -> Option<Planned> {
        while !stopped() {
            let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
            let number = *left.last()?;
            if let Some(game) = self.game(number) {
                left.pop();
                return Some(game);
            }
            drop(left);
            thread::sleep(LOOK);
        }
        None
    }

    /// Returns a game; `None` while its round cannot be paired.
    fn game(&self, number: u32) -> Option<Planned> {
        if !self.schedule.is_swiss() {
            return self.schedule.game(number);
        }
        let (round, encounter) = self.schedule.place(number);
        let pairs = pairings(self.settings.engines.len(), self.settings.games, round, &self.before(round)?);
        self.schedule.game_between(number, *pairs.get(encounter)?)
    }

    /// Returns all encounters before a round; `None` while one of their games is missing.
    fn before(&self, round: u32) -> Option<Vec<Meeting>> {
        let results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        let mut meetings: BTreeMap<(u32, usize), Meeting> = BTreeMap::new();
        for number in (1..=self.schedule.len()).take_while(|number| self.schedule.place(*number).0 < round) {
            let [red, black] = *results.get(&number)?;
            let place = self.schedule.place(number);
            let engines = [red.0.min(black.0), red.0.max(black.0)];
            let meeting = meetings.entry(place).or_insert(Meeting { round: place.0, engines, half_points: [0; 2] });
            for (engine, half_points) in [red, black] {
                meeting.half_points[usize::from(engine == engines[1])] += half_points;
            }
        }
        Some(meetings.into_values().collect())
    }
}
