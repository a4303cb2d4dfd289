//! The complete state machine: what each event does in each phase, and when input has to wait. All transitions between phases
//! are decided here; the files beside this one implement them.

use std::mem;
use std::ops::ControlFlow;
use std::time::Instant;

use super::backlog::{Waiting, acts_at_once};
use super::phase::Phase;
use super::state::{Controller, Surroundings};
use crate::engine::event::{Command, Dialect, Event, Fault, Reached, Reply, View};
use crate::engine::ongoing::Choice;
use crate::search::{Bound, Iteration, SearchId};
use crate::smp::time::Timekeeper;

impl<S: Surroundings, T: Timekeeper> Controller<S, T> {
    /// Handles an event that is due.
    pub(super) fn hear(&mut self, event: Event) -> ControlFlow<()> {
        self.react(event)?;
        if self.is_talking_to_nobody() {
            self.backlog.clear();
            self.input_has_ended = true;
        }
        if self.quits {
            return self.answer_before_the_end();
        }
        // A user at a terminal who leaves does not wait for the engine's move.
        if self.input_has_ended && self.thinks_for_a_person() {
            return ControlFlow::Break(());
        }
        if self.input_has_ended { self.bring_to_an_end() } else { ControlFlow::Continue(()) }
    }

    fn react(&mut self, event: Event) -> ControlFlow<()> {
        match event {
            Event::Command { command, read_at } => return self.obey(command, read_at),
            Event::Rejected(fault) => self.reject(fault),
            Event::EndOfInput => self.input_has_ended = true,
            Event::Interrupted => return ControlFlow::Break(()),
            Event::TimeUp(alarm) => {
                if let Some(due) = self.clock.hear(alarm) {
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
                if let Some(search) = self.searched(id) {
                    search.finished(worker, outcome);
                    self.conclude();
                }
            }
            Event::Died(id) => {
                if let Some(search) = self.searched(id) {
                    search.died();
                    self.regret(id);
                    self.conclude();
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Carries out a command as the phase demands; combinations that are not listed are ignored.
    fn obey(&mut self, command: Command, read_at: Instant) -> ControlFlow<()> {
        let phase = match self.leave_phase() {
            Phase::Musing(search) if !self.goes_on_musing_at(&search, &command) => {
                let event = Event::Command { command, read_at };
                self.backlog.push_front(Waiting { event, for_its_turn: false });
                self.phase = self.abandon(search);
                return ControlFlow::Continue(());
            }
            // UCI clients that know their engine may leave out the handshake.
            Phase::Boot if matches!(command, Command::Go(_) | Command::Perft { .. }) => self.begin_ungreeted(),
            phase => phase,
        };
        self.echo(&phase, &command);
        self.phase = match (phase, command) {
            (phase, Command::Quit) => {
                self.phase = phase;
                return self.quit();
            }
            (phase, Command::Debug(on)) => {
                self.options.debug = on;
                phase
            }
            (phase @ (Phase::Boot | Phase::Idle), Command::Handshake(dialect)) => self.shake_hands(&phase, dialect),
            (Phase::Boot, Command::SetOption { name, value }) => self.set_unsaid(&name, &value),
            (Phase::Idle, Command::SetOption { name, value }) => self.set(&name, &value),
            (Phase::Idle, Command::IsReady) => self.make_ready(),
            (phase, Command::IsReady) => self.say_ready(phase),
            (Phase::Boot, Command::Position(text)) => self.set_up_unsaid(&text),
            (Phase::Idle, Command::Position(text)) => self.set_up(&text),
            (Phase::Musing(search), Command::Position(text)) => self.set_up_while_musing(search, &text),
            (Phase::Idle, Command::DoMove(mv)) => self.play(mv),
            (Phase::Idle, Command::BanMoves(moves)) => self.ban(&moves),
            (Phase::Idle, Command::Go(go)) => self.go(&go, read_at),
            (Phase::Musing(search), Command::Go(go)) => self.adopt(search, &go, read_at),
            (Phase::Idle, Command::Perft { depth }) => self.count(depth),
            (Phase::Counting(count), Command::Stop) => self.stop_counting(count),
            // UCCI: the client waits for an answer that has already been given, or was never asked for.
            (Phase::Idle, Command::Stop) if self.dialect == Dialect::Ucci => self.answer(None),
            (Phase::Thinking(search), Command::Stop) => self.stop(search, read_at),
            (Phase::Pondering(search), Command::Stop) => self.miss(search, read_at),
            (Phase::Holding { choice, .. }, Command::Stop) => self.answer(choice.map(Choice::thrown_away)),
            (Phase::Pondering(search), Command::PonderHit { draw }) => self.hit(search, read_at, draw),
            (Phase::Holding { choice, hit_is_enough: true }, Command::PonderHit { draw }) => {
                self.answer_hit(choice, read_at, draw)
            }
            (Phase::Boot, Command::Probe(_)) => Phase::Boot,
            (phase, Command::Probe(text)) => self.probe(phase, &text),
            (phase @ (Phase::Boot | Phase::Idle), Command::Show(View::Board(_))) if !self.is_for_person => {
                self.describe_board(phase)
            }
            (phase, Command::Show(View::Board(_))) if !self.is_for_person => self.ignore(phase),
            (Phase::Idle, Command::Show(view)) => self.show(view),
            (Phase::Boot, Command::Show(view)) => {
                self.show(view);
                Phase::Boot
            }
            (Phase::Idle, Command::Flip) => self.flip(),
            (phase, Command::Wish(wish)) => self.fulfil(phase, wish, read_at),
            (phase, Command::Show(_) | Command::Flip) => self.put_a_person_off(phase),
            (phase, _) => self.ignore(phase),
        };
        ControlFlow::Continue(())
    }

    /// Handles input that was not understood or is invalid.
    fn reject(&mut self, fault: Fault) {
        let text = match (&self.phase, fault) {
            (Phase::Boot, Fault::BadArgument(text)) => return self.unsaid.push(text),
            (Phase::Boot, Fault::BadPosition(text)) => {
                self.game.forget();
                self.unsaid_of_game = vec![text];
                return;
            }
            (Phase::Boot, Fault::InPart(text)) => return self.unsaid_of_game.push(text),
            (Phase::Boot, Fault::BadProbe(_) | Fault::NotUnderstood(_)) => return,
            (_, Fault::BadProbe(why)) => return self.nothing_to_probe(&why),
            (Phase::Idle | Phase::Musing(_), Fault::BadPosition(text)) => {
                self.game.forget();
                text
            }
            // Positions that are given during a search are ignored, with their faults.
            (_, Fault::BadPosition(_)) => return,
            (Phase::Idle | Phase::Musing(_), Fault::InPart(text)) => text,
            (_, Fault::InPart(_)) => return,
            (_, Fault::BadArgument(text)) => text,
            (_, Fault::NotUnderstood(text)) if self.options.debug => text,
            (_, Fault::NotUnderstood(_)) => return,
        };
        self.message(text);
    }

    /// Handles `quit`. UCI answers the running search first, but no queued input; UCCI ends at once.
    fn quit(&mut self) -> ControlFlow<()> {
        if self.dialect == Dialect::Ucci {
            return ControlFlow::Break(());
        }
        self.quits = true;
        self.backlog.clear();
        // There is no next move to ponder on.
        self.options.auto_ponder = false;
        ControlFlow::Continue(())
    }

    /// Stops the running search after `quit`; its answer waits for nothing else.
    fn answer_before_the_end(&mut self) -> ControlFlow<()> {
        let now = self.clock.now();
        self.phase = match self.leave_phase() {
            Phase::Pondering(search) => self.miss(search, now),
            Phase::Thinking(search) if !search.is_ending() || !search.is_released() => self.stop(search, now),
            Phase::Holding { choice, .. } => self.answer(choice.map(Choice::thrown_away)),
            // A script that does not wait for the total might take a part of it for all.
            Phase::Counting(count) => {
                drop(count);
                self.message("perft was stopped, not all of the moves are counted".to_owned());
                Phase::Idle
            }
            phase => phase,
        };
        let is_busy = matches!(self.phase, Phase::Thinking(_)) && self.surroundings.hears();
        if is_busy { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Winds up after the end of input. As no `stop` can follow, endless searches end now; bounded ones go on as long as the
    /// output is read. Continues as long as there is an answer to give or a batch to work off.
    fn bring_to_an_end(&mut self) -> ControlFlow<()> {
        let (now, is_heard) = (self.clock.now(), self.surroundings.hears());
        self.phase = match self.leave_phase() {
            Phase::Pondering(search) => self.miss(search, now),
            Phase::Thinking(search) if !search.is_bounded() && !search.is_ending() => self.stop(search, now),
            Phase::Thinking(mut search) if !is_heard => {
                search.end();
                Phase::Thinking(search)
            }
            Phase::Holding { choice, .. } => self.answer(choice.map(Choice::thrown_away)),
            phase => phase,
        };
        let is_counting = matches!(self.phase, Phase::Counting(_));
        let is_busy = matches!(self.phase, Phase::Thinking(_)) || is_heard && (is_counting || !self.backlog.is_empty());
        if is_busy { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Whether the output is not read any more, so that its answers are of no use.
    fn is_talking_to_nobody(&self) -> bool {
        !self.surroundings.hears()
    }

    /// Handles the alarm that was set for `due`; only a running search has one.
    fn time_is_up(&mut self, due: Instant) {
        let due = due.min(self.clock.now());
        self.phase = match self.leave_phase() {
            Phase::Thinking(search) if search.is_due() => self.answer_early(search),
            Phase::Thinking(search) => self.end(search, due),
            phase => phase,
        };
    }

    /// Reports a result of worker 0 to the user, and adapts the deadline to it.
    fn iteration(&mut self, id: SearchId, iteration: Iteration, reached: Reached) {
        let now = self.clock.now();
        let Some(search) = self.phase.search().filter(|search| search.id() == id) else { return };
        let is_exact = iteration.bound == Bound::Exact;
        let lines = search.gather(iteration, reached);
        if lines.is_empty() {
            return;
        }
        self.phase = match self.leave_phase() {
            Phase::Musing(mut search) => {
                lines.iter().for_each(|(line, reached)| search.learn_from(line, *reached));
                Phase::Musing(search)
            }
            Phase::Pondering(mut search) => {
                self.report(&mut search, lines);
                Phase::Pondering(search)
            }
            Phase::Thinking(mut search) => {
                self.report(&mut search, lines);
                match search {
                    search if search.is_ending() => Phase::Thinking(search),
                    search if is_exact && search.has_thought_enough(now) => self.end(search, now),
                    search => self.think_against_the_clock(search),
                }
            }
            phase => phase,
        };
    }

    /// Handles the end of a worker in any search; once all have ended, the answer goes out or is held.
    fn conclude(&mut self) {
        self.departing.retain(|search| !search.is_over());
        self.phase = match self.leave_phase() {
            Phase::Thinking(search) => match self.await_the_others(search) {
                search if !search.is_over() => Phase::Thinking(search),
                search => self.answer_or_hold(search),
            },
            Phase::Pondering(search) if search.is_over() => {
                let choice = self.choose(&search);
                let hit_is_enough = !search.is_endless() || self.is_found(&choice);
                self.hold(choice, hit_is_enough)
            }
            phase => phase,
        };
    }

    /// Takes the phase; the caller sets the next one.
    pub(super) fn leave_phase(&mut self) -> Phase {
        mem::replace(&mut self.phase, Phase::Idle)
    }

    /// Ignores a command that means nothing in this phase, with a message in debug mode.
    fn ignore(&mut self, phase: Phase) -> Phase {
        if self.options.debug && !matches!(phase, Phase::Boot) {
            self.message("ignored in this state".to_owned());
        }
        phase
    }

    /// Whether input during a search is queued: in UCI, and in UCCI in batch mode; otherwise it is ignored.
    fn queues_input(&self) -> bool {
        self.options.batch || self.dialect == Dialect::Uci
    }

    /// Whether input waits for the end of the search. A search that has been stopped counts as over: input behind `stop` is
    /// meant for the time after it.
    pub(super) fn input_waits(&self) -> bool {
        match &self.phase {
            Phase::Thinking(search) => search.is_ending() || self.queues_input(),
            Phase::Pondering(_) | Phase::Holding { .. } | Phase::Counting(_) => self.queues_input(),
            Phase::Boot | Phase::Idle | Phase::Musing(_) => false,
        }
    }

    /// Whether input that waits now was sent ahead of its turn, so that its clock does not run yet.
    pub(super) fn waits_for_its_turn(&self) -> bool {
        let is_as_good_as_over = matches!(&self.phase, Phase::Thinking(search) if search.is_ending());
        self.queues_input() && self.input_waits() && (self.options.batch || !is_as_good_as_over)
    }

    /// Whether UCI handles the event now, ahead of queued input. Input behind `stop` waits for the answer, since a client that
    /// relies on `readyok` could take it for the answer to a later `go`; `quit` never waits.
    pub(super) fn is_heard_at_once(&self, event: &Event) -> bool {
        if self.options.batch || self.dialect == Dialect::Ucci {
            return false;
        }
        let quits = matches!(event, Event::Command { command: Command::Quit, .. });
        let is_for_person =
            self.is_for_person && matches!(event, Event::Command { command: Command::Show(_) | Command::Flip, .. });
        match &self.phase {
            Phase::Thinking(search) if search.is_ending() => quits,
            Phase::Thinking(_) | Phase::Pondering(_) | Phase::Holding { .. } | Phase::Counting(_) => {
                acts_at_once(event) || is_for_person
            }
            Phase::Boot | Phase::Idle | Phase::Musing(_) => quits,
        }
    }

    /// Whether the event overtakes queued input: UCI handles it at any time, or it ends what does not end by itself.
    pub(super) fn is_awaited(&self, event: &Event) -> bool {
        let is_hit = matches!(event, Event::Command { command: Command::PonderHit { .. }, .. });
        let is_end = matches!(event, Event::EndOfInput)
            || matches!(event, Event::Command { command: Command::Stop | Command::Quit, .. });
        let ends_it = match &self.phase {
            _ if !self.queues_input() => false,
            Phase::Thinking(search) => is_end && !search.is_ending() && !search.is_bounded(),
            Phase::Holding { hit_is_enough: false, .. } => is_end,
            Phase::Pondering(_) | Phase::Holding { .. } => is_end || is_hit,
            Phase::Boot | Phase::Idle | Phase::Musing(_) | Phase::Counting(_) => false,
        };
        let is_idle = matches!(self.phase, Phase::Boot | Phase::Idle | Phase::Musing(_));
        ends_it || !is_idle && self.is_heard_at_once(event)
    }

    /// Whether the event is meant for the running search: a `stop` that crosses its end needs no answer of its own.
    pub(super) fn is_meant_for_the_search(&self, event: &Event) -> bool {
        let is_word = matches!(event, Event::Command { command: Command::Stop | Command::PonderHit { .. }, .. });
        is_word && matches!(&self.phase, Phase::Thinking(search) if !(self.options.batch && search.is_bounded()))
    }

    /// Whether the event is a command to an idle engine that may change the table or the workers. It waits for workers that are
    /// still leaving earlier searches; the next search does not.
    pub(super) fn waits_for_workers(&self, event: &Event) -> bool {
        let Event::Command { command, .. } = event else { return false };
        let is_idle = matches!(self.phase, Phase::Idle) && !self.departing.is_empty();
        let may_change =
            matches!(command, Command::Handshake(_) | Command::SetOption { .. } | Command::IsReady | Command::Wish(_));
        is_idle && may_change
    }
}
