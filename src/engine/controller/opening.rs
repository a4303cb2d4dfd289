//! Answers from the opening book.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

use super::state::{Controller, Surroundings};
use crate::board::{Move, Position};
use crate::book::{Candidate, choose};
use crate::engine::event::{Bound, Dialect, Effort, Go, Info, Iteration, Reply};
use crate::engine::ongoing::Choice;
use crate::engine::wdl;
use crate::score::Score;
use crate::search::{luck, static_value};
use crate::smp::time::Timekeeper;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Returns the book's move after reporting all its candidates; none if a search is needed. Only `moves`, the playable ones,
    /// are considered.
    pub(super) fn answer_from_book(&mut self, go: &Go, moves: &[Move]) -> Option<Choice> {
        if go.is_analysis() || self.options.analysing {
            return None;
        }
        let candidates = self.openings(moves);
        let chosen = choose(&candidates, self.options.book.choice(self.options.randomness), self.chance()?)?;
        for candidate in &candidates {
            self.say(&Reply::BookMove { mv: candidate.mv, weight: candidate.weight });
        }
        let position = *self.game.position()?;
        let next = position.play(chosen.mv);
        let reply = self.resources.book().candidates(&next).first().map(|candidate| candidate.mv);
        if self.dialect == Dialect::Uci {
            let value = || static_value(&position, &self.plan(position.side(), &go.limits, false));
            let score = chosen.score().unwrap_or_else(value);
            let pv = [chosen.mv].into_iter().chain(reply).collect();
            self.say(&Reply::Info(self.book_line(&position, score, pv)));
        }
        let score = chosen.score().unwrap_or(Score::from_eval(1));
        Some(Choice {
            best: chosen.mv,
            ponder: reply,
            score,
            draw: Score::DRAW,
            draw_offered: go.draw,
            in_game: false,
            missed: false,
        })
    }

    /// Returns the report before a book move in UCI: programs expect a score and a variation with every answer.
    fn book_line(&self, position: &Position, score: Score, pv: Vec<Move>) -> Info {
        let (rank, depth, selective_depth, bound) = (1, 0, 0, Bound::Exact);
        let iteration = Iteration { rank, depth, selective_depth, score, bound, pv, nodes: 0, best_move_permille: 0 };
        let hashfull = self.resources.table().permille_full();
        let effort = Effort { nodes: 0, elapsed: Duration::ZERO, hashfull, table_hits: 0 };
        Info { iteration, effort, wdl: self.options.shows_wdl.then(|| wdl::chances(score, position)) }
    }

    /// Returns a random number, or the one of this position if the user has set a seed. None without a position.
    fn chance(&self) -> Option<u64> {
        let position = self.game.position()?;
        Some(match self.options.random_seed {
            // Each hash map of the library has random keys of its own, so the hash of nothing is a random number.
            0 => RandomState::new().build_hasher().finish(),
            seed => luck(seed, position.key()),
        })
    }

    /// Returns the book's moves, if it may be used, without those that repeat a position of this game.
    pub(super) fn openings(&self, moves: &[Move]) -> Vec<Candidate> {
        let settings = &self.options.book;
        let is_used = settings.used.unwrap_or(self.dialect == Dialect::Ucci);
        let Some(position) = self.game.position().filter(|_| is_used) else { return Vec::new() };
        if position.move_number() > settings.moves {
            return Vec::new();
        }
        let is_new = |mv: Move| {
            let next = position.play(mv).key();
            self.game.history().iter().all(|earlier| earlier.key() != next)
        };
        let book = self.resources.book();
        let fits = |candidate: &Candidate| {
            moves.contains(&candidate.mv)
                && candidate.weight >= settings.least_weight
                && is_new(candidate.mv)
                && (settings.reserve == 0 || book.continues(&position.play(candidate.mv), settings.reserve))
        };
        book.candidates(position).into_iter().filter(fits).collect()
    }
}
