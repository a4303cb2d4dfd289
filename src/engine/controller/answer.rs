//! The end of a search: reports on the way, the stop grace of the workers, the choice of a move, and the answer.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::phase::Phase;
use super::session::FrontEnd;
use super::state::Controller;
use super::turn::{ends_view_of_person, is_interruption};
use crate::engine::active::{ActiveSearch, Request};
use crate::engine::choice::{Audience, Choice, Purpose};
use crate::engine::event::{Dialect, News, Reached, Reply, View};
use crate::engine::tb_root::RootChoice;
use crate::search::{Bound, Iteration, Limits, Outcome, SearchContext, SearchId};
use crate::smp::time::Timekeeper;

/// Nodes of a search on the controller's own thread per millisecond that it may take. They need about half of it, so that the
/// system sees a thread that needs little, and schedules it at once.
pub(super) const NODES_PER_MILLISECOND: u64 = 800;

/// Nodes of the short search in place of workers without a time slice.
const MINIMUM_THINK_NODES: u64 = NODES_PER_MILLISECOND;

impl<F: FrontEnd, T: Timekeeper> Controller<F, T> {
    /// Reports what worker 0 has found so far to the user and to the clock.
    pub(super) fn report(&mut self, search: &mut ActiveSearch, lines: Vec<(Iteration, Reached)>) {
        for (line, reached) in lines {
            search.learn_from(&line, reached);
            let line = match line.bound {
                Bound::Exact => line,
                _ if !self.audience(search, reached.at).bounds => continue,
                _ => search.report_bound(line),
            };
            self.session.send(&Reply::Info(search.info(line, reached, &self.session.options)));
        }
    }

    /// Returns the reports that the user receives of a search of this age: clients of UCCI know no bounds.
    fn audience(&self, search: &ActiveSearch, at: Instant) -> Audience {
        let is_uci = self.session.dialect == Dialect::Uci;
        Audience { bounds: is_uci && search.reports_bounds(at), every_answer: is_uci }
    }

    /// Passes a report from inside an iteration on, if the search lets it through.
    pub(super) fn relay(&mut self, id: SearchId, reply: impl FnOnce(&mut ActiveSearch, Instant) -> Option<Reply>) {
        let now = self.clock.now();
        let search = self.phase.requested_search().filter(|search| search.id() == id);
        if let Some(reply) = search.and_then(|search| reply(search, now)) {
            self.session.send(&reply);
        }
    }

    /// Stops the workers because the search was due to end at `due`, and starts their stop grace: a worker without a time slice may
    /// come too late. If the controller itself is that late, the answer does not wait for them.
    pub(super) fn end(&mut self, mut search: ActiveSearch, due: Instant) -> Phase {
        search.stop_workers();
        match search.fall_due(due) {
            Some(until) if until <= self.clock.now() => return self.answer_early(search),
            Some(until) => self.clock.arm(&search.context.stop, until),
            None => {}
        }
        Phase::Thinking(search)
    }

    /// Starts the stop grace of the other workers once worker 0 has ended the search.
    pub(super) fn await_the_others(&mut self, mut search: ActiveSearch) -> ActiveSearch {
        if search.is_ending()
            && let Some(until) = search.fall_due(self.clock.now())
            && !search.is_over()
        {
            self.clock.arm(&search.context.stop, until);
        }
        search
    }

    /// Answers with the results so far, whatever the workers are doing. Without any result, the controller searches a little
    /// itself.
    pub(super) fn answer_early(&mut self, mut search: ActiveSearch) -> Phase {
        tracing::debug!(search = ?search.id(), "answered without waiting for the workers");
        if !search.has_result()
            && let Some(outcome) = self.minimum_think(&search.context)
        {
            search.add_outcome(outcome);
        }
        let choice = self.choose(&search);
        self.observe_latency(&search);
        self.leave(search);
        self.answer(Some(choice))
    }

    /// Searches the position of `search` for a moment on the controller's own thread; `None` if that fails.
    fn minimum_think(&mut self, search: &SearchContext) -> Option<Outcome> {
        let context = SearchContext {
            id: search.id,
            limits: Limits { nodes: Some(MINIMUM_THINK_NODES), ..Limits::default() },
            root_moves: search.root_moves.clone(),
            root_outcome: search.root_outcome,
            rules: search.rules,
            plan: search.plan.clone(),
            ..SearchContext::new(Arc::clone(&search.table), search.history.clone())
        };
        self.session.resources.think(&context)
    }

    /// Leaves a search whose workers may still take their time to end; they begin the next one afterwards.
    pub(super) fn leave(&mut self, mut search: ActiveSearch) {
        if !search.is_over() {
            search.stop_workers();
            self.departing.push(search);
        }
    }

    /// Drops a search without an answer.
    pub(super) fn abandon(&mut self, search: ActiveSearch) -> Phase {
        self.leave(search);
        Phase::Idle
    }

    /// Sends the answer of a search whose workers have ended, or holds it for a command of the user.
    pub(super) fn answer_or_hold(&mut self, search: ActiveSearch) -> Phase {
        let choice = self.choose(&search);
        let is_due = search.is_released() || search.is_bounded() || self.ends_infinite_search(&choice);
        if is_due {
            self.observe_latency(&search);
        }
        // It holds the table, which the next search needs for itself.
        drop(search);
        if is_due { self.answer(Some(choice)) } else { self.hold(choice, false) }
    }

    /// Whether the choice ends a search without limits: only in UCCI, and only if it decides the game.
    pub(super) fn ends_infinite_search(&self, choice: &Choice) -> bool {
        self.session.dialect == Dialect::Ucci && choice.is_decisive()
    }

    /// Holds the answer for a command of the user; the reports that belong to it are sent now.
    pub(super) fn hold(&mut self, choice: Choice, hit_is_enough: bool) -> Phase {
        self.session.send_last_reports();
        Phase::Holding { choice: Some(choice), hit_is_enough }
    }

    /// Chooses the move of a search. The reports that belong to it are sent with the answer.
    pub(super) fn choose(&mut self, search: &ActiveSearch) -> Choice {
        self.clock.disarm();
        let now = self.clock.now();
        let (choice, unreported) = search.choose(self.audience(search, now));
        let reports = &mut self.session.last_reports;
        if let Some(iteration) = unreported {
            reports.push(Reply::Info(search.info(iteration, search.reached(now), &self.session.options)));
        }
        reports.push(Reply::Effort(search.effort(now)));
        choice
    }

    /// Answers `go`. In a game the engine may go on pondering by itself.
    pub(super) fn answer(&mut self, choice: Option<Choice>) -> Phase {
        if self.session.thinks_for_a_person() {
            return self.answer_a_person(choice);
        }
        let Some(choice) = choice else {
            self.session.send(&Reply::NoBestMove);
            return Phase::Idle;
        };
        let closing = self.session.closing(&choice);
        self.session.send(&Reply::BestMove { best: choice.best, ponder: choice.ponder, closing });
        if choice.purpose != Purpose::Discarded {
            self.session.game.answer(choice.best);
        }
        match closing {
            Some(_) => Phase::Idle,
            None => self.ponder_by_itself(&choice),
        }
    }

    /// Plays the answer on the board of a person at a terminal.
    fn answer_a_person(&mut self, choice: Option<Choice>) -> Phase {
        self.session.send_last_reports();
        self.session.stop_thinking_for_a_person();
        let Some(choice) = choice else {
            self.session.message("the engine has no move that it may play".to_owned());
            return Phase::Idle;
        };
        self.session.game.play_known(choice.best);
        self.show(View::Game(News::Answered));
        Phase::Idle
    }

    /// Auto-ponder: searches the position after the expected reply, if the user wants that.
    fn ponder_by_itself(&mut self, choice: &Choice) -> Phase {
        let Some((history, moves)) = self.session.expected_game(choice) else { return Phase::Idle };
        let workers = self.session.resources.workers();
        let context = self.session.context(workers, Limits::default(), history, RootChoice::all(moves), true);
        let search = ActiveSearch::new(Arc::new(context), Request::unasked(self.clock.now()));
        self.session.resources.start(&search.context);
        Phase::AutoPonder(search)
    }

    /// Answers `ponderhit`, read at `read_at`, with a choice that was held for it.
    pub(super) fn answer_hit(&mut self, choice: Option<Choice>, read_at: Instant, draw_offered: bool) -> Phase {
        let delay = self.delay_since(read_at);
        self.session.latency.observe(delay);
        self.answer(choice.map(|choice| choice.with_offer(draw_offered)))
    }

    /// Returns the delay of a command that starts the clock, read at `read_at`.
    ///
    /// The thread that reads waits for its time slice as well, unobserved; its delay is taken to be as long. Work of the engine
    /// itself does not count as the machine's latency.
    pub(super) fn delay_since(&self, read_at: Instant) -> Duration {
        let own = |&[begun, done]: &[Instant; 2]| done.saturating_duration_since(begun.max(read_at));
        let waited = self.clock.now().saturating_duration_since(read_at);
        2 * waited.saturating_sub(self.slow_commands.iter().map(own).sum())
    }

    /// Records the latency of the answer that is sent now.
    pub(super) fn observe_latency(&mut self, search: &ActiveSearch) {
        self.session.latency.observe(search.latency(self.clock.now()));
    }

    /// Shows a view as long as it is wanted, and receives events meanwhile. A program sends all its commands before it reads, so
    /// only an interruption ends its view.
    pub(super) fn show(&mut self, view: View) {
        let ends = if self.session.is_for_person { ends_view_of_person } else { is_interruption };
        let inbox = RefCell::new(&mut self.inbox);
        self.session.show(view, &|| !inbox.borrow_mut().receives_any(ends));
        self.inbox.drop_stop_of_view();
    }
}
