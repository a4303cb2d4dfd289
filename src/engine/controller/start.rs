//! The start of a search: book move, instant move, search by the workers, or search without any.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::answer::NODES_PER_MILLISECOND;
use super::backlog::Waiting;
use super::phase::Phase;
use super::session::{FrontEnd, NO_POSITION};
use super::state::Controller;
use crate::board::{Move, Position};
use crate::engine::active::{ActiveSearch, Mode, Request};
use crate::engine::event::{Command, Dialect, Event, Go, Reply, TerminalCommand, View};
use crate::engine::plan::counted;
use crate::engine::tb_root::RootChoice;
use crate::score::Score;
use crate::search::{Limits, SearchId};
use crate::smp::time::{Budget, Timekeeper};

/// Maximum duration of a search on the controller's own thread without a clock: no `stop` could end it.
const LONGEST_WITHOUT_WORKERS: Duration = Duration::from_secs(1);

impl<F: FrontEnd, T: Timekeeper> Controller<F, T> {
    /// Answers `go`, read at `read_at`: at once, from the book, or by a search that begins here.
    pub(super) fn go(&mut self, go: &Go, read_at: Instant) -> Phase {
        let delay = self.delay_since(read_at);
        self.session.fit_resources();
        let choices = self.session.choices(go);
        let Some(&position) = self.session.game.position() else { return self.nothing_to_choose(go) };
        if go.limits.depth == Some(0) && self.session.dialect == Dialect::Ucci {
            return self.answer_with_static_value(go, &position);
        }
        if choices.moves.is_empty() {
            return self.nothing_to_choose(go);
        }
        let budget = self.session.budget(go, &position, choices.moves.len());
        // The book takes no time, so it comes before an instant move.
        if let Some(choice) = self.session.book_move(go, &choices.moves) {
            return if go.ponder { self.hold(choice, true) } else { self.answer(Some(choice)) };
        }
        let request = Request {
            asked_at: read_at,
            counts_nodes: false,
            mode: if go.infinite { Mode::Infinite } else { Mode::Limited },
            draw_offered: go.draw,
            tb_hits: choices.hits,
            delay,
            handled_at: self.clock.now(),
            budget,
        };
        match request.budget.clone() {
            Some(budget) if budget.is_instant() && !go.ponder => self.play_instantly(go, choices, request, &budget),
            _ if self.session.resources.workers() == 0 => self.search_without_workers(go, choices, request),
            _ => self.search(go, choices, request),
        }
    }

    /// Builds a search of the current position for this number of workers.
    fn build(
        &mut self,
        workers: usize,
        limits: Limits,
        saves_time: bool,
        choices: RootChoice,
        request: Request,
    ) -> ActiveSearch {
        let history = self.session.game.history().to_vec();
        let context = self.session.context(workers, limits, history, choices, saves_time);
        ActiveSearch::new(Arc::new(context), request)
    }

    /// Starts a search by all workers.
    fn search(&mut self, go: &Go, choices: RootChoice, request: Request) -> Phase {
        let counted = counted(&self.session.options, go.limits, request.budget.as_ref());
        let request = Request { counts_nodes: counted.is_some(), ..request };
        let (workers, limits) = (self.session.resources.workers(), counted.unwrap_or(go.limits));
        let search = self.build(workers, limits, self.saves_time(go), choices, request);
        // Before the workers wake up, which may keep this thread from the processor.
        if !go.ponder {
            self.arm(&search);
        }
        self.session.resources.start(&search.context);
        if go.ponder { Phase::Pondering(search) } else { Phase::Thinking(search) }
    }

    /// Instant move: searches a little on the controller's own thread.
    ///
    /// On a busy machine a worker may wait many milliseconds for a time slice; the controller has just been given one.
    fn play_instantly(&mut self, go: &Go, choices: RootChoice, request: Request, budget: &Budget) -> Phase {
        let affordable = nodes_within(budget.hard());
        let nodes = go.limits.nodes.map_or(affordable, |nodes| nodes.min(affordable));
        let limits = Limits { nodes: Some(nodes), ..go.limits };
        let mut search = self.build(1, limits, true, choices, request);
        let begun = self.clock.now();
        search.request.handled_at = begun;
        let outcome = self.session.resources.think(&search.context);
        search.fall_due(begun + budget.hard());
        match outcome {
            Some(outcome) => search.finished(0, outcome),
            None => search.died(),
        }
        let choice = self.choose(&search);
        self.observe_latency(&search);
        drop(search);
        self.answer(Some(choice))
    }

    /// Fallback without threads: searches on the controller's own thread until a limit is reached or the alarm raises the stop
    /// flag. An answer that waits for `ponderhit` or `stop` does so with this result.
    fn search_without_workers(&mut self, go: &Go, choices: RootChoice, request: Request) -> Phase {
        // Nothing moves the deadline on the way, so it is where the search would end on average.
        let end = match &request.budget {
            Some(budget) => request.asked_at + budget.soft(),
            None => self.clock.now() + LONGEST_WITHOUT_WORKERS,
        };
        let request = Request { mode: Mode::Limited, ..request };
        let mut search = self.build(1, go.limits, self.saves_time(go), choices, request);
        self.clock.arm(&search.context.stop, end);
        match self.session.resources.think(&search.context) {
            Some(outcome) => search.finished(0, outcome),
            None => search.died(),
        }
        let choice = self.choose(&search);
        drop(search);
        let hit_is_enough = go.ponder && (!go.infinite || self.ends_infinite_search(&choice));
        if go.ponder || !go.is_bounded() { self.hold(choice, hit_is_enough) } else { self.answer(Some(choice)) }
    }

    /// Whether time that this search does not use is saved for later moves.
    fn saves_time(&self, go: &Go) -> bool {
        self.session.game.position().is_some_and(|position| go.saves_time(position.side()))
    }

    /// UCCI's `go depth 0`: answers with the static evaluation alone.
    fn answer_with_static_value(&mut self, go: &Go, position: &Position) -> Phase {
        let value = self.session.static_value(position, &go.limits);
        self.session.send(&Reply::StaticValue(value));
        if go.ponder { Phase::Holding { choice: None, hit_is_enough: true } } else { self.answer(None) }
    }

    /// Answers without a move: there is no position, no legal move, or every move is banned.
    fn nothing_to_choose(&mut self, go: &Go) -> Phase {
        let is_uci = self.session.dialect == Dialect::Uci;
        if is_uci {
            let value = match self.session.game.position() {
                None => Score::DRAW,
                Some(position) if position.legal_moves().is_empty() => Score::mated_in(0),
                Some(position) => self.session.static_value(position, &go.limits),
            };
            self.session.send(&Reply::StaticValue(value));
        }
        let waits_for_stop = is_uci && !go.is_bounded();
        let hit_is_enough = go.ponder && !(is_uci && go.infinite);
        if go.ponder || waits_for_stop { Phase::Holding { choice: None, hit_is_enough } } else { self.answer(None) }
    }

    fn arm(&mut self, search: &ActiveSearch) {
        if let Some(deadline) = search.deadline() {
            self.clock.arm(&search.context.stop, deadline);
        }
    }

    /// Ends a search whose answer is wanted at once.
    pub(super) fn stop(&mut self, mut search: ActiveSearch, now: Instant) -> Phase {
        search.release();
        self.end(search, now)
    }

    /// Ends a search whose answer is thrown away: another move than the expected one was played.
    pub(super) fn ponder_miss(&mut self, mut search: ActiveSearch, now: Instant) -> Phase {
        search.discard();
        self.end(search, now)
    }

    /// Continues a search on the engine's own time: the expected move was played, as was read at `read_at`.
    pub(super) fn ponder_hit(&mut self, mut search: ActiveSearch, read_at: Instant, draw_offered: bool) -> Phase {
        if !search.is_infinite() {
            search.release();
        }
        search.start_clock(read_at, draw_offered, self.delay_since(read_at), self.clock.now());
        self.think_on(search, read_at)
    }

    /// Continues a search on its clock, unless its time is spent at `now` or its workers have ended.
    fn think_on(&mut self, search: ActiveSearch, now: Instant) -> Phase {
        if search.is_ending() || search.is_time_spent(now) {
            return self.end(search, now);
        }
        self.think_on_the_clock(search)
    }

    /// Continues a search whose deadline may have moved.
    pub(super) fn think_on_the_clock(&mut self, search: ActiveSearch) -> Phase {
        self.arm(&search);
        Phase::Thinking(search)
    }

    /// Whether auto-ponder may go on while the engine carries out the command.
    pub(super) fn may_go_on_pondering(&mut self, search: &ActiveSearch, command: &Command) -> bool {
        match command {
            Command::IsReady | Command::Probe(_) | Command::Position(_) | Command::Debug(_) | Command::Quit => true,
            Command::Go(go) => self.expected_budget(search, go).is_some(),
            _ => false,
        }
    }

    /// Goes on with auto-ponder after a `position`, if it is still about the same game.
    pub(super) fn go_on_pondering(&mut self, search: ActiveSearch) -> Phase {
        let goes_on = is_same_game(self.session.game.history(), &search.context.history);
        if goes_on { Phase::AutoPonder(search) } else { self.abandon(search) }
    }

    /// Returns the budget of a `go` that asks for the position of the auto-ponder search; `None` if it does not, or if its
    /// answer has to be found otherwise.
    fn expected_budget(&mut self, search: &ActiveSearch, go: &Go) -> Option<Budget> {
        let moves = self.session.choices(go).moves;
        let fits =
            is_same_game(self.session.game.history(), &search.context.history) && moves == search.context.root_moves;
        let counts_nodes = self.session.options.nodes_per_millisecond > 0;
        let is_plain = go.limits == Limits::default() && !go.ponder && !counts_nodes;
        let budget =
            self.session.game.position().and_then(|position| self.session.budget(go, position, moves.len()))?;
        (fits && is_plain && self.session.book_candidates(&moves).is_empty()).then_some(budget)
    }

    /// Turns the auto-ponder search into the answer to this `go`: the expected move was played.
    pub(super) fn adopt(&mut self, mut search: ActiveSearch, go: &Go, read_at: Instant) -> Phase {
        let budget = self.expected_budget(&search, go).expect("any other `go` waits until the engine is idle");
        search.adopt(budget);
        search.start_clock(read_at, go.draw, self.delay_since(read_at), self.clock.now());
        if let Some((iteration, reached)) = search.last.clone() {
            self.session.send(&Reply::Info(search.info(iteration, reached, &self.session.options)));
        }
        if search.is_over() {
            let choice = self.choose(&search);
            drop(search);
            return self.answer(Some(choice));
        }
        let now = self.clock.now();
        self.think_on(search, now)
    }

    /// Starts `go perft`, which counts the leaves below each legal move. Clients wait for the last line, which always comes.
    pub(super) fn count(&mut self, depth: u32) -> Phase {
        let id = self.session.next_search();
        let Some(&position) = self.session.game.position() else {
            self.session.message(NO_POSITION.to_owned());
            self.session.send(&Reply::AllLeaves(0));
            return Phase::Idle;
        };
        match self.session.resources.count(id, position, depth) {
            Ok(count) => Phase::Counting(count),
            Err(error) => {
                self.session.message(format!("no thread for perft: {error}"));
                self.session.send(&Reply::AllLeaves(0));
                Phase::Idle
            }
        }
    }

    /// Reports the leaves below a root move.
    pub(super) fn counted(&mut self, id: SearchId, mv: Move, leaves: u64) {
        if let Phase::Counting(count) = &mut self.phase
            && count.id == id
        {
            count.leaves = count.leaves.saturating_add(leaves);
            self.session.send(&Reply::Leaves { mv, leaves });
        }
    }

    /// Reports the sum once all root moves have been counted.
    pub(super) fn count_ended(&mut self, id: SearchId) {
        if let Phase::Counting(count) = &self.phase
            && count.id == id
        {
            self.session.send(&Reply::AllLeaves(count.leaves));
            self.phase = Phase::Idle;
        }
    }

    /// Carries out a command of a person who plays, read at `read_at`.
    pub(super) fn play_at_terminal(&mut self, phase: Phase, command: TerminalCommand, read_at: Instant) -> Phase {
        match phase {
            Phase::Idle => {}
            // Takebacks, new games and the like drop the engine's next move.
            Phase::Thinking(search)
                if self.session.thinks_for_a_person() && !matches!(command, TerminalCommand::Move(_)) =>
            {
                self.clock.disarm();
                self.session.stop_thinking_for_a_person();
                let event = Event::Command { command: Command::Terminal(command), read_at };
                self.inbox.backlog.push_front(Waiting { event, for_its_turn: false });
                return self.abandon(search);
            }
            phase => return self.refuse_during_search(phase),
        }
        let played = self.session.play_as(command);
        if let Some(news) = played.view {
            self.show(View::Game(news));
        }
        let go = if played.may_think { self.session.go_if_it_is_our_turn() } else { None };
        go.map_or(Phase::Idle, |go| self.go(&go, read_at))
    }

    /// Refuses a view during a search: a person may not be aware of the search.
    pub(super) fn refuse_during_search(&mut self, phase: Phase) -> Phase {
        self.session.message("not during a search, which ends with the word stop".to_owned());
        phase
    }
}

/// Returns the nodes that fit into this time, at least one.
fn nodes_within(time: Duration) -> u64 {
    let nodes = time.as_micros().saturating_mul(u128::from(NODES_PER_MILLISECOND)) / 1000;
    u64::try_from(nodes).unwrap_or(u64::MAX).max(1)
}

/// Whether two games have the same last position and the same moves to it, as far back as it matters: to the last capture or the
/// beginning of the shorter one.
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
