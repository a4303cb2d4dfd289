//! The start of a search: from `go` to its moves, its limits and the threads that search.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::phase::Phase;
use super::state::{Controller, Surroundings};
use crate::board::{Position, Side};
use crate::engine::endings::{Kept, keep_best};
use crate::engine::event::{Dialect, Go, Reply};
use crate::engine::ongoing::Ongoing;
use crate::engine::options::Options;
use crate::engine::plan::{Occasion, counted, plan};
use crate::rules::{Rules, move_limit_reached};
use crate::search::{Limits, Plan, SearchContext, SearchId, static_value};
use crate::smp::counters::NodeCounters;
use crate::smp::stop::StopFlag;
use crate::smp::time::{Budget, Circumstances, Clock, Horizon, Timekeeper};

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Answers at once, from the book, or starts a search.
    pub(super) fn go(&mut self, go: &Go, read_at: Instant) -> Phase {
        let late = self.heard_late(read_at);
        self.prepare();
        let choices = self.choices(go);
        match self.game.position() {
            Some(position) if go.limits.depth == Some(0) && self.dialect == Dialect::Ucci => {
                let value = static_value(position, &self.plan(position.side(), &go.limits, false));
                self.say(&Reply::StaticValue(value));
                if go.ponder { Phase::Holding { choice: None, hit_is_enough: true } } else { self.answer(None) }
            }
            Some(position) if !choices.moves.is_empty() => {
                let budget = self.budget(go, position, choices.moves.len());
                let saves_time = go.saves_time(position.side());
                // A look-up in the book takes no time, so it comes before the instant move.
                if let Some(choice) = self.answer_from_book(go, &choices.moves) {
                    return if go.ponder { self.hold(choice, true) } else { self.answer(Some(choice)) };
                }
                if let Some(budget) = budget.as_ref().filter(|budget| budget.is_at_once() && !go.ponder) {
                    return self.answer_at_once(go, choices, budget.clone(), read_at, late);
                }
                if self.resources.workers() == 0 {
                    return self.go_alone(go, choices, budget, read_at);
                }
                let history = self.game.history().to_vec();
                let counted = counted(&self.options, go.limits, budget.as_ref());
                let hits = choices.hits;
                let mut search = self.search(counted.unwrap_or(go.limits), history, choices, saves_time);
                search.add_table_hits(hits);
                search.ask(budget, read_at, go.draw);
                search.begin_late(late, self.clock.now());
                if go.infinite {
                    search.wait_for_stop();
                }
                if counted.is_some() {
                    search.count_nodes();
                }
                // Set before the workers are woken, since they may take the processor from the controller.
                if !go.ponder {
                    self.start_clock(&search);
                }
                self.resources.start(search.context());
                if go.ponder { Phase::Pondering(search) } else { Phase::Thinking(search) }
            }
            _ => self.nothing_to_choose(go),
        }
    }

    /// Returns the moves to choose among: the playable ones that endgame tablebases do not rule out. Analysis, searches for
    /// several lines and play at limited strength see all playable moves.
    pub(super) fn choices(&mut self, go: &Go) -> Kept {
        let rules = self.rules(self.game.history());
        let moves = self.game.root_moves(&go.search_moves, &rules);
        let looks_into = go.is_analysis() || self.options.analysing || self.options.lines > 1;
        let asks = self.options.uses_endgames && self.options.limited_elo().is_none() && !looks_into;
        if asks { keep_best(self.resources.endgames(), self.game.history(), moves, &rules) } else { Kept::all(moves) }
    }

    pub(super) fn budget(&self, go: &Go, position: &Position, choices: usize) -> Option<Budget> {
        let clock = go.clock_of(position.side())?.to_time(&self.options);
        let Options { overhead, ponder, forced_at_once, nodes_per_millisecond, .. } = self.options;
        // Searches that count nodes must be reproducible, however busy the machine is.
        let lateness = if nodes_per_millisecond > 0 { Duration::ZERO } else { self.lateness.expected() };
        let circumstances = Circumstances { overhead, lateness, ponder, move_number: position.move_number() };
        let of_this_move = go.move_time.map(|time| Budget::new(&for_this_move(time), &circumstances));
        // A `go` with both moves and a time per move asks for the value of these moves, and has no clock to save.
        let is_looked_into = !go.search_moves.is_empty() && clock.horizon == Horizon::ThisMove;
        let is_forced = choices == 1 && forced_at_once && !is_looked_into;
        let budget = if is_forced { Budget::at_once } else { Budget::new };
        let of_game = budget(&clock, &circumstances);
        // A time per move is used in full where the game clock allows it.
        Some(of_this_move.filter(|of_this_move| of_this_move.hard() < of_game.hard()).unwrap_or(of_game))
    }

    /// Creates a search of the last position of `history` for all workers, without starting it.
    pub(super) fn search(
        &mut self,
        limits: Limits,
        history: Vec<Position>,
        choices: Kept,
        saves_time: bool,
    ) -> Ongoing {
        let context = Arc::new(self.context(self.resources.workers(), limits, history, choices, saves_time));
        tracing::debug!(search = self.searches, ?limits, "the search begins");
        Ongoing::new(context, self.clock.now())
    }

    /// Creates the context of the next search.
    pub(super) fn context(
        &mut self,
        workers: usize,
        limits: Limits,
        history: Vec<Position>,
        choices: Kept,
        saves_time: bool,
    ) -> SearchContext {
        self.resources.advance_age();
        self.searches += 1;
        let id = SearchId(self.searches);
        let attendant = self.resources.observer(id, workers, &self.options);
        let plan = self.plan(history.last().map_or(Side::Red, Position::side), &limits, saves_time);
        let rules = self.rules(&history);
        SearchContext {
            id,
            table: Arc::clone(self.resources.table()),
            stop: StopFlag::default(),
            limits,
            counters: NodeCounters::new(workers),
            history,
            root_moves: choices.moves,
            known: choices.outcome,
            rules,
            plan,
            observer: Some(attendant),
        }
    }

    /// Returns the rules in force at the end of `history`. Once a game goes on beyond the move limit, the limit is left out,
    /// since all moves would be equal under it.
    pub(super) fn rules(&self, history: &[Position]) -> Rules {
        let rules = self.rules_in_force();
        if move_limit_reached(history, &rules) { rules.without_limit() } else { rules }
    }

    /// Returns the plan of a search with these limits, with `mover` to move at the root.
    pub(super) fn plan(&self, mover: Side, limits: &Limits, saves_time: bool) -> Plan {
        let (network, endgames) = (self.resources.network(), self.resources.endgames());
        let wants_mate = limits.mate.is_some();
        plan(&self.options, &Occasion { mover, wants_mate, saves_time, luck: self.luck, network, endgames })
    }

    pub(super) fn start_clock(&mut self, search: &Ongoing) {
        if let Some(deadline) = search.deadline() {
            self.clock.arm(&search.context().stop, deadline);
        }
    }

    /// Stops a search whose answer is wanted at once.
    pub(super) fn stop(&mut self, mut search: Ongoing, now: Instant) -> Phase {
        search.release();
        self.end(search, now)
    }

    /// Stops a search after an unexpected move; its answer is thrown away.
    pub(super) fn miss(&mut self, mut search: Ongoing, now: Instant) -> Phase {
        search.miss();
        self.stop(search, now)
    }

    /// Handles `ponderhit`: the search goes on, now with our clock running, unless it has already ended.
    pub(super) fn hit(&mut self, mut search: Ongoing, now: Instant, draw_offered: bool) -> Phase {
        if !search.is_endless() {
            search.release();
        }
        search.hit(now, draw_offered);
        search.begin_late(self.heard_late(now), self.clock.now());
        self.think_on(search, now)
    }

    /// Starts the clock of a search that has been running for a while.
    pub(super) fn think_on(&mut self, search: Ongoing, now: Instant) -> Phase {
        if search.is_ending() || search.has_thought_enough(now) {
            return self.end(search, now);
        }
        self.think_against_the_clock(search)
    }

    /// Sets the alarm to the deadline, which may have moved.
    pub(super) fn think_against_the_clock(&mut self, search: Ongoing) -> Phase {
        self.start_clock(&search);
        Phase::Thinking(search)
    }
}

/// Returns a clock for one move alone, from milliseconds.
fn for_this_move(milliseconds: i64) -> Clock {
    let remaining = Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0));
    Clock { remaining, horizon: Horizon::ThisMove, opponent: None }
}
