//! Auto-ponder: the engine thinks on after its answer, for clients that do not send `go ponder`.
//!
//! Nothing is printed meanwhile. The next `position` and `go` show whether the expected move was played. If so, the search goes
//! on as their answer, and the time spent so far is free.

use std::time::Instant;

use super::phase::Phase;
use super::state::{Controller, Surroundings};
use crate::board::Position;
use crate::engine::endings::Kept;
use crate::engine::event::{Command, Go, Reply};
use crate::engine::game::root_moves;
use crate::engine::ongoing::{Choice, Ongoing};
use crate::search::Limits;
use crate::smp::time::{Budget, Timekeeper};

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Ponders on the position after the move just played and its expected reply, if the option is set.
    pub(super) fn muse(&mut self, choice: &Choice) -> Phase {
        let expected = choice.ponder.filter(|_| self.options.auto_ponder && choice.in_game);
        let (Some(expected), Some(position)) = (expected, self.game.position()) else { return Phase::Idle };
        let played = position.play(choice.best);
        let mut history = self.game.history().to_vec();
        history.extend([played, played.play(expected)]);
        let moves = root_moves(&history, &[], None, &self.rules(&history));
        // Without workers the search would have no result.
        if moves.is_empty() || self.resources.workers() == 0 {
            return Phase::Idle;
        }
        let search = self.search(Limits::default(), history, Kept::all(moves), true);
        self.resources.start(search.context());
        Phase::Musing(search)
    }

    /// Whether the engine may ponder on while it carries out the command, which otherwise waits until it has stopped.
    pub(super) fn goes_on_musing_at(&mut self, search: &Ongoing, command: &Command) -> bool {
        match command {
            Command::IsReady | Command::Probe(_) | Command::Position(_) | Command::Debug(_) | Command::Quit => true,
            Command::Go(go) => self.expected_budget(search, go).is_some(),
            _ => false,
        }
    }

    /// Continues after a `position` that was meant for an idle engine.
    pub(super) fn go_on_musing(&mut self, search: Ongoing) -> Phase {
        let goes_on = is_same_game(self.game.history(), search.history());
        if goes_on { Phase::Musing(search) } else { self.abandon(search) }
    }

    /// Detaches a search whose result is not needed.
    pub(super) fn abandon(&mut self, search: Ongoing) -> Phase {
        self.leave(search);
        Phase::Idle
    }

    /// Returns the limits of a `go` that the search under way can answer; none if the expected move was not played, or if the
    /// `go` asks for another kind of search.
    fn expected_budget(&mut self, search: &Ongoing, go: &Go) -> Option<Budget> {
        let moves = self.choices(go).moves;
        let fits = is_same_game(self.game.history(), search.history()) && moves == search.root_moves();
        let counts_nodes = self.options.nodes_per_millisecond > 0;
        let unlimited = go.limits == Limits::default() && !go.ponder && !counts_nodes;
        let budget = self.game.position().and_then(|position| self.budget(go, position, moves.len()))?;
        (fits && unlimited && self.openings(&moves).is_empty()).then_some(budget)
    }

    /// Makes the search under way the answer to this `go`, read at `read_at`: the expected move was played.
    pub(super) fn adopt(&mut self, mut search: Ongoing, go: &Go, read_at: Instant) -> Phase {
        let budget = self.expected_budget(&search, go).expect("any other `go` waits until the engine is idle");
        search.adopt(budget, read_at, go.draw);
        search.begin_late(self.heard_late(read_at), self.clock.now());
        self.go_on(search)
    }

    /// Reports the search so far, then answers or goes on with the clock running.
    fn go_on(&mut self, search: Ongoing) -> Phase {
        if let Some((iteration, reached)) = search.last().cloned() {
            self.say(&Reply::Info(search.info(iteration, reached, &self.options)));
        }
        if search.is_over() {
            let choice = self.choose(&search);
            drop(search);
            return self.answer(Some(choice));
        }
        self.think_on(search, self.clock.now())
    }
}

/// Whether two games have the same last position and the same moves before it, back to the last capture or to the start of the
/// shorter one.
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
