//! Answers from the opening book.

use std::hash::{BuildHasher, Hasher, RandomState};

use super::state::{Controller, Surroundings};
use crate::board::Move;
use crate::book::{Candidate, choose};
use crate::engine::event::{Dialect, Go, Reply};
use crate::engine::ongoing::Choice;
use crate::score::Score;
use crate::search::luck;
use crate::smp::time::Timekeeper;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// The book's move, with all it knows about the position said; none if the search has to find one. `moves` are those
    /// that may be played: the book is not asked about others.
    pub(super) fn answer_from_book(&mut self, go: &Go, moves: &[Move]) -> Option<Choice> {
        if go.is_analysis() || self.options.analysing {
            return None;
        }
        let candidates = self.openings(moves);
        let chosen = choose(&candidates, self.options.book.choice(self.options.randomness), self.chance()?)?;
        for candidate in &candidates {
            self.say(&Reply::BookMove { mv: candidate.mv, weight: candidate.weight });
        }
        let next = self.game.position()?.play(chosen.mv);
        let reply = self.resources.book().candidates(&next).first().map(|candidate| candidate.mv);
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

    /// Another number every time, or the one of this position if the user has named a seed. None without a position.
    fn chance(&self) -> Option<u64> {
        let position = self.game.position()?;
        Some(match self.options.random_seed {
            // Two keys of the library's hash maps are never the same, so the hash of nothing is as good as chance.
            0 => RandomState::new().build_hasher().finish(),
            seed => luck(seed, position.key()),
        })
    }

    /// What the book would play, if it may be asked: none of the moves that lead back to a position of this game.
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
