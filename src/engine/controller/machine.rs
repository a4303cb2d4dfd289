//! The state machine: the effect of each event in each phase.

use std::mem;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::backlog::Waiting;
use super::phase::Phase;
use super::session::FrontEnd;
use super::state::{Controller, RunState};
use super::turn::QueuePolicy;
use crate::engine::active::ActiveSearch;
use crate::engine::choice::Choice;
use crate::engine::event::{Command, Dialect, Event, Fault, Reached, Reply, View};
use crate::search::{Bound, Iteration, SearchId};
use crate::smp::time::Timekeeper;
use crate::smp::time_slice;

impl<F: FrontEnd, T: Timekeeper> Controller<F, T> {
    /// Handles events until `quit` or the end of input, then joins all threads.
    pub fn run(mut self) {
        time_slice::request_short();
        tracing::info!(options = ?self.session.options, "the engine begins");
        loop {
            let event = self.next_event();
            let (begun, slow_read_at) = (self.clock.now(), slow_read_at(&event));
            if self.handle(event).is_break() {
                return self.shut_down();
            }
            let done = self.clock.now();
            if let Some(read_at) = slow_read_at
                && done.saturating_duration_since(begun) >= SLOW_COMMAND
            {
                // The commands after this one waited for no work that was done before it was read.
                self.slow_commands.retain(|&[_, done]| done > read_at);
                self.slow_commands.push([begun, done]);
            }
        }
    }

    pub(super) fn shut_down(self) {
        let Self { phase, departing, session, clock, .. } = self;
        let was_greeted = !matches!(phase, Phase::Boot);
        // The search first, so that its workers can be joined.
        drop((phase, departing, clock));
        session.shut_down(was_greeted);
    }

    /// Returns the next event that is due.
    fn next_event(&mut self) -> Event {
        loop {
            if let Some(event) = self.next_waiting() {
                return event;
            }
            let event = self.inbox.receive(&self.clock);
            if let Some(event) = self.unless_early(event) {
                return event;
            }
        }
    }

    pub(super) fn next_waiting(&mut self) -> Option<Event> {
        let (policy, now) = (self.policy(), self.clock.now());
        self.inbox.next_waiting(policy, &mut self.phase, now)
    }

    pub(super) fn unless_early(&mut self, event: Event) -> Option<Event> {
        let policy = self.policy();
        match self.inbox.unless_early(policy, &self.phase, event) {
            Ok(due) => due,
            Err(message) => {
                self.session.message(message);
                None
            }
        }
    }

    fn policy(&self) -> QueuePolicy {
        QueuePolicy {
            dialect: self.session.dialect,
            batch: self.session.options.batch,
            is_for_person: self.session.is_for_person,
            has_departing: !self.departing.is_empty(),
        }
    }

    /// Handles an event that is due.
    pub(super) fn handle(&mut self, event: Event) -> ControlFlow<()> {
        self.react(event)?;
        if !self.session.front.is_connected() {
            // The client is gone, so the answers to come are not wanted.
            self.inbox.backlog.clear();
            if self.run_state == RunState::Running {
                self.run_state = RunState::InputEnded;
            }
        }
        match self.run_state {
            RunState::Running => ControlFlow::Continue(()),
            RunState::Quitting => self.answer_before_the_end(),
            // A person who leaves waits for no move of the engine.
            RunState::InputEnded if self.session.thinks_for_a_person() => ControlFlow::Break(()),
            RunState::InputEnded => self.bring_to_an_end(),
        }
    }

    fn react(&mut self, event: Event) -> ControlFlow<()> {
        match event {
            Event::Command { command, read_at } => return self.obey(command, read_at),
            Event::Rejected(fault) => self.reject(fault),
            Event::EndOfInput if self.run_state == RunState::Running => self.run_state = RunState::InputEnded,
            Event::EndOfInput => {}
            Event::Interrupted => return ControlFlow::Break(()),
            Event::TimeUp(alarm) => {
                if let Some(due) = self.clock.accept(alarm) {
                    self.time_is_up(due);
                }
            }
            Event::Iteration(id, iteration, reached) => self.iteration(id, iteration, reached),
            Event::Counted { count, mv, leaves } => self.counted(count, mv, leaves),
            Event::CountEnded(count) => self.count_ended(count),
            Event::RootMove(id, begun) => self.relay(id, |search, now| search.current_move(begun, now)),
            Event::Refutation(id, refutation) => self.relay(id, |_, _| Some(Reply::Refutation(refutation.line))),
            Event::CurrentLine(id, current) => self.relay(id, |search, now| search.current_line(current, now)),
            Event::ProvenMoves(id, proven) => self.relay(id, |search, _| search.proven_moves(proven)),
            Event::Finished { search: id, worker, outcome } => {
                if let Some(search) = self.search_by_id(id) {
                    search.finished(worker, outcome);
                    self.conclude();
                }
            }
            Event::Died(id) => {
                if let Some(search) = self.search_by_id(id) {
                    search.died();
                    tracing::error!(search = ?id, "a worker has failed");
                    self.session.message("a search thread has failed; the game goes on without its result".to_owned());
                    self.conclude();
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Carries out each command in each phase; combinations that are not listed are ignored.
    fn obey(&mut self, command: Command, read_at: Instant) -> ControlFlow<()> {
        let phase = match self.take_phase() {
            Phase::AutoPonder(search) if !self.may_go_on_pondering(&search, &command) => {
                let event = Event::Command { command, read_at };
                self.inbox.backlog.push_front(Waiting { event, for_its_turn: false });
                self.phase = self.abandon(search);
                return ControlFlow::Continue(());
            }
            // Clients of UCI may omit the handshake.
            Phase::Boot if matches!(command, Command::Go(_) | Command::Perft { .. }) => {
                self.session.begin_without_handshake();
                Phase::Idle
            }
            phase => phase,
        };
        if !matches!(phase, Phase::Boot) {
            self.session.echo(&command);
        }
        let session = &mut self.session;
        self.phase = match (phase, command) {
            (phase, Command::Quit) => {
                self.phase = phase;
                return self.quit();
            }
            (phase, Command::Debug(on)) => {
                session.options.debug = on;
                phase
            }
            (phase @ (Phase::Boot | Phase::Idle), Command::Handshake(dialect)) => {
                session.shake_hands(matches!(phase, Phase::Boot), dialect);
                Phase::Idle
            }
            (phase @ (Phase::Boot | Phase::Idle), Command::SetOption { name, value }) => {
                session.set(&name, &value);
                phase
            }
            (Phase::Idle, Command::IsReady) => {
                session.make_ready();
                Phase::Idle
            }
            (phase, Command::IsReady) => {
                session.send(&Reply::Ready);
                phase
            }
            (Phase::Boot, Command::Position(text)) => {
                session.set_up_before_handshake(&text);
                Phase::Boot
            }
            (Phase::Idle, Command::Position(text)) => {
                session.leave_the_game();
                session.set_up(&text);
                Phase::Idle
            }
            (Phase::AutoPonder(search), Command::Position(text)) => {
                session.set_up(&text);
                self.go_on_pondering(search)
            }
            (Phase::Idle, Command::DoMove(mv)) => {
                session.play(mv);
                Phase::Idle
            }
            (Phase::Idle, Command::BanMoves(moves)) => {
                session.game.ban(&moves);
                Phase::Idle
            }
            (Phase::Idle, Command::Go(go)) => self.go(&go, read_at),
            (Phase::AutoPonder(search), Command::Go(go)) => self.adopt(search, &go, read_at),
            (Phase::Idle, Command::Perft { depth }) => self.count(depth),
            (Phase::Counting(count), Command::Stop) => {
                session.message(PERFT_STOPPED.to_owned());
                session.send(&Reply::AllLeaves(count.leaves));
                Phase::Idle
            }
            // UCCI: the client waits for an answer that was given already, or never asked for.
            (Phase::Idle, Command::Stop) if session.dialect == Dialect::Ucci => self.answer(None),
            (Phase::Thinking(search), Command::Stop) => self.stop(search, read_at),
            (Phase::Pondering(search), Command::Stop) => self.ponder_miss(search, read_at),
            (Phase::Holding { choice, .. }, Command::Stop) => self.answer(choice.map(Choice::discarded)),
            (Phase::Pondering(search), Command::PonderHit { draw }) => self.ponder_hit(search, read_at, draw),
            (Phase::Holding { choice, hit_is_enough: true }, Command::PonderHit { draw }) => {
                self.answer_hit(choice, read_at, draw)
            }
            (Phase::Boot, Command::Probe(_)) => Phase::Boot,
            (phase, Command::Probe(text)) => {
                session.probe(&text);
                phase
            }
            (phase @ (Phase::Boot | Phase::Idle), Command::Show(View::Board(_))) if !session.is_for_person => {
                session.describe_board();
                phase
            }
            (phase, Command::Show(View::Board(_))) if !session.is_for_person => self.ignore(phase),
            (phase @ (Phase::Boot | Phase::Idle), Command::Show(view)) => {
                self.show(view);
                phase
            }
            (Phase::Idle, Command::Flip) => {
                session.flip();
                self.show(View::Board(None));
                Phase::Idle
            }
            (phase, Command::Terminal(command)) => self.play_at_terminal(phase, command, read_at),
            (phase, Command::Show(_) | Command::Flip) => self.refuse_during_search(phase),
            (phase, _) => self.ignore(phase),
        };
        ControlFlow::Continue(())
    }

    /// Reports input that was not understood or is wrong, where a report is due.
    fn reject(&mut self, fault: Fault) {
        let session = &mut self.session;
        match (&self.phase, fault) {
            (Phase::Boot, fault) => session.reject_before_handshake(fault),
            (_, Fault::BadProbe(why)) => session.nothing_to_probe(&why),
            (Phase::Idle | Phase::AutoPonder(_), Fault::BadPosition(text)) => {
                session.game.forget();
                session.message(text);
            }
            (Phase::Idle | Phase::AutoPonder(_), Fault::InPart(text)) | (_, Fault::BadArgument(text)) => {
                session.message(text);
            }
            // A position or `go` during a search is ignored, and so are its faults.
            (_, Fault::BadPosition(_) | Fault::InPart(_)) => {}
            (_, Fault::NotUnderstood(text)) => {
                if session.options.debug {
                    session.message(text);
                }
            }
        }
    }

    /// UCI answers the active search before the end, but no commands that wait; UCCI ends at once.
    fn quit(&mut self) -> ControlFlow<()> {
        if self.session.dialect == Dialect::Ucci {
            return ControlFlow::Break(());
        }
        self.run_state = RunState::Quitting;
        self.inbox.backlog.clear();
        // There will be no next move to ponder about.
        self.session.options.auto_ponder = false;
        ControlFlow::Continue(())
    }

    /// Stops the active search after `quit`; its answer waits for nothing else.
    fn answer_before_the_end(&mut self) -> ControlFlow<()> {
        let now = self.clock.now();
        self.phase = match self.take_phase() {
            Phase::Pondering(search) => self.ponder_miss(search, now),
            Phase::Thinking(search) if !search.is_ending() || !search.is_released() => self.stop(search, now),
            Phase::Holding { choice, .. } => self.answer(choice.map(Choice::discarded)),
            Phase::Counting(count) => {
                drop(count);
                // Without the sum: a script might take a part of it for the whole.
                self.session.message(PERFT_STOPPED.to_owned());
                Phase::Idle
            }
            phase => phase,
        };
        let is_busy = matches!(self.phase, Phase::Thinking(_)) && self.session.front.is_connected();
        if is_busy { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Brings the engine to its end after the end of input: no `stop` can come any more, so a search that waits for one is
    /// stopped. Goes on as long as there is an answer to give or a batch to work off.
    fn bring_to_an_end(&mut self) -> ControlFlow<()> {
        let (now, is_heard) = (self.clock.now(), self.session.front.is_connected());
        self.phase = match self.take_phase() {
            Phase::Pondering(search) => self.ponder_miss(search, now),
            Phase::Thinking(search) if !search.is_bounded() && !search.is_ending() => self.stop(search, now),
            Phase::Thinking(mut search) if !is_heard => {
                search.stop_workers();
                Phase::Thinking(search)
            }
            Phase::Holding { choice, .. } => self.answer(choice.map(Choice::discarded)),
            phase => phase,
        };
        let is_counting = matches!(self.phase, Phase::Counting(_));
        let is_busy =
            matches!(self.phase, Phase::Thinking(_)) || is_heard && (is_counting || !self.inbox.backlog.is_empty());
        if is_busy { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Ends a search whose alarm, set for `due`, has fired; no other phase has one.
    fn time_is_up(&mut self, due: Instant) {
        let due = due.min(self.clock.now());
        self.phase = match self.take_phase() {
            Phase::Thinking(search) if search.is_due() => self.answer_early(search),
            Phase::Thinking(search) => self.end(search, due),
            phase => phase,
        };
    }

    /// Passes an iteration of worker 0 on to the user and to the clock.
    fn iteration(&mut self, id: SearchId, iteration: Iteration, reached: Reached) {
        let now = self.clock.now();
        let Some(search) = self.phase.search().filter(|search| search.id() == id) else { return };
        let is_exact = iteration.bound == Bound::Exact;
        let lines = search.gather(iteration, reached);
        if lines.is_empty() {
            return;
        }
        self.phase = match self.take_phase() {
            Phase::AutoPonder(mut search) => {
                lines.iter().for_each(|(line, reached)| search.learn_from(line, *reached));
                Phase::AutoPonder(search)
            }
            Phase::Pondering(mut search) => {
                self.report(&mut search, lines);
                Phase::Pondering(search)
            }
            Phase::Thinking(mut search) => {
                self.report(&mut search, lines);
                match search {
                    search if search.is_ending() => Phase::Thinking(search),
                    search if is_exact && search.is_time_spent(now) => self.end(search, now),
                    search => self.think_on_the_clock(search),
                }
            }
            phase => phase,
        };
    }

    /// Sends or holds the answer once all workers of the search have ended.
    fn conclude(&mut self) {
        self.departing.retain(|search| !search.is_over());
        self.phase = match self.take_phase() {
            Phase::Thinking(search) => match self.await_the_others(search) {
                search if !search.is_over() => Phase::Thinking(search),
                search => self.answer_or_hold(search),
            },
            Phase::Pondering(search) if search.is_over() => {
                let choice = self.choose(&search);
                let hit_is_enough = !search.is_infinite() || self.ends_infinite_search(&choice);
                self.hold(choice, hit_is_enough)
            }
            phase => phase,
        };
    }

    /// Takes the phase out; another one has to follow at once.
    pub(super) fn take_phase(&mut self) -> Phase {
        mem::replace(&mut self.phase, Phase::Idle)
    }

    /// Ignores a command that has no meaning in this phase; debug mode says so.
    fn ignore(&mut self, phase: Phase) -> Phase {
        if self.session.options.debug && !matches!(phase, Phase::Boot) {
            self.session.message("ignored in this state".to_owned());
        }
        phase
    }

    /// Returns the search with this number that some worker has not ended yet.
    fn search_by_id(&mut self, id: SearchId) -> Option<&mut ActiveSearch> {
        self.phase.search().into_iter().chain(&mut self.departing).find(|search| search.id() == id)
    }
}

/// Returns when the event was read, if it may take long by itself and not because the machine is busy.
fn slow_read_at(event: &Event) -> Option<Instant> {
    match event {
        Event::Command { command: Command::SetOption { .. } | Command::IsReady, read_at } => Some(*read_at),
        _ => None,
    }
}

/// Message for a count that was stopped.
const PERFT_STOPPED: &str = "perft was stopped, not all of the moves are counted";

/// Minimum duration of long work: time spent waiting for it does not count as latency of the machine.
const SLOW_COMMAND: Duration = Duration::from_millis(2);
