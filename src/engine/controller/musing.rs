//! Thinking on after an answer without having been told to: for users who do not know `go ponder`.
//!
//! Nothing is said while the engine muses. The next `position` and `go` decide whether it has mused about the right
//! move; then the search goes on as their answer, and what was thought so far costs nothing.

use std::time::Instant;

use super::{Controller, Phase, Surroundings};
use crate::board::Position;
use crate::engine::event::{Command, Event, Go, Reply};
use crate::engine::game::root_moves;
use crate::engine::ongoing::{Choice, Ongoing};
use crate::search::Limits;
use crate::time::Timekeeper;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Begins to think about the position after the move just played and its expected answer, if the user wants that.
    pub(super) fn muse(&mut self, choice: &Choice) -> Phase {
        let expected = choice.ponder.filter(|_| self.options.auto_ponder && choice.in_game);
        let (Some(expected), Some(position)) = (expected, self.game.position()) else { return Phase::Idle };
        let played = position.play(choice.best);
        let mut history = self.game.history().to_vec();
        history.extend([played, played.play(expected)]);
        let moves = root_moves(&history, &[], &[], &self.options.rules());
        if moves.is_empty() {
            return Phase::Idle;
        }
        let search = self.start(Limits::default(), history, moves);
        Phase::Musing(search)
    }

    /// What a command does to an engine that muses: all but a few make it stop first.
    pub(super) fn disturb(&mut self, phase: Phase, command: &Command) -> Phase {
        let harmless = matches!(command, Command::IsReady | Command::Probe(_) | Command::Position(_) | Command::Go(_));
        match phase {
            Phase::Musing(search) if !harmless => self.abandon(search),
            phase => phase,
        }
    }

    /// After a `position` that was meant for an idle engine.
    pub(super) fn goes_on_musing(&mut self, search: Ongoing) -> Phase {
        if is_same_game(self.game.history(), search.history()) { Phase::Musing(search) } else { self.abandon(search) }
    }

    /// The expected move was played, or another one.
    pub(super) fn go_after_musing(&mut self, mut search: Ongoing, go: &Go, read_at: Instant) -> Phase {
        let moves = self.game.root_moves(&go.search_moves, &self.options.rules());
        let fits = is_same_game(self.game.history(), search.history()) && moves == search.root_moves();
        let counts_nodes = self.options.nodes_per_millisecond > 0;
        let unlimited = go.limits == Limits::default() && !go.ponder && !counts_nodes;
        let budget = self.game.position().and_then(|position| self.budget(go, position, moves.len()));
        match budget {
            Some(budget) if fits && unlimited && self.openings(&moves).is_empty() => {
                search.adopt(budget, read_at, go.draw);
                self.go_on(search)
            }
            _ => {
                self.phase = self.abandon(search);
                self.go(go, read_at)
            }
        }
    }

    /// The search is the answer to a `go` from now on.
    fn go_on(&mut self, search: Ongoing) -> Phase {
        if let Some(iteration) = search.last() {
            let info = search.info(iteration.clone(), self.clock.now(), &self.options);
            self.say(&Reply::Info(info));
        }
        if search.is_over() {
            let choice = self.choose(&search);
            drop(search);
            return self.answer(Some(choice));
        }
        if search.has_thought_enough(self.clock.now()) {
            self.end(&search, self.clock.now());
        } else {
            self.start_clock(&search);
        }
        Phase::Thinking(search)
    }

    /// Stops the search and waits for its workers, who will be here in no time.
    fn abandon(&mut self, mut search: Ongoing) -> Phase {
        search.end();
        while !search.is_over() {
            match self.queue.recv().expect("the pool holds a sender") {
                Event::Finished { search: id, worker, outcome } if id == search.id() => {
                    search.finished(worker, outcome)
                }
                Event::Died(id) if id == search.id() => search.died(),
                event @ (Event::Command { .. } | Event::Rejected(_) | Event::EndOfInput | Event::Interrupted) => {
                    self.put_off(event)
                }
                // What the search has to say interests nobody.
                _ => {}
            }
        }
        Phase::Idle
    }
}

/// Whether two games have the same last position and the same way to it, as far back as it matters: a capture or the
/// beginning of the shorter account.
fn is_same_game(game: &[Position], other: &[Position]) -> bool {
    let (Some(last), Some(_)) = (game.last(), other.last()) else { return false };
    let reversible = usize::from(last.reversible_plies()) + 1;
    game.iter().rev().zip(other.iter().rev()).take(reversible).all(|(one, two)| one.key() == two.key())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(moves: &str) -> Vec<Position> {
        let mut line = vec![Position::start()];
        for mv in moves.split_whitespace() {
            line.push(line[line.len() - 1].play(mv.parse().unwrap()));
        }
        line
    }

    #[test]
    fn the_way_to_a_position_matters_as_far_as_the_last_capture() {
        let quiet = line("h2e2 h9g7 h0g2");
        assert!(is_same_game(&quiet, &quiet) && is_same_game(&quiet, &quiet[1..]));
        assert!(!is_same_game(&quiet, &line("h0g2 h9g7 h2e2")), "another way, which repeats other positions");
        assert!(!is_same_game(&quiet, &quiet[..3]) && !is_same_game(&quiet, &[]) && !is_same_game(&[], &quiet));
        let (one, two) = (line("h2e2 h9g7 h0g2 i9h9 e2e6"), line("h0g2 h9g7 h2e2 i9h9 e2e6"));
        assert!(is_same_game(&one, &two), "the capture wipes out how it came about");
    }
}
