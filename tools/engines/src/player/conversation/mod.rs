//! Conversation with one process: questions, answers, pondering. Measures the time of an answer without judging it.

mod lenience;

use std::mem;
use std::time::{Duration, Instant};

use chuhe::board::{Move, Position};
use lenience::{Lenience, LineCount};
use regex::Regex;

use crate::player::dialect::{Dialect, GameState, LineKind, Thinking};
use crate::player::eval::Eval;
use crate::player::failure::{Failure, FailureClass, SearchError};
use crate::player::info::{Info, Offer, Reply};
use crate::player::spec::{TimeControl, Timeouts};
use crate::player::variation;
use crate::process::{Delivery, Line, NoLine, Process};

/// Callback during a search; `true` cancels the game.
pub type CancelCheck<'a> = &'a mut dyn FnMut() -> bool;

/// Interval between two calls of a [`CancelCheck`].
const TICK: Duration = Duration::from_millis(20);

/// Maximum number of lines of one search to keep.
const MOST_KEPT_LINES: usize = 100;

/// An answer to `go`, with its moves parsed but not checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchResult {
    /// Move; `None` if the text is not a move at all.
    pub mv: Option<Move>,
    /// Text of the move; `None` if the engine offered none.
    pub text: Option<String>,
    /// Text of the predicted reply.
    pub ponder: Option<String>,
    /// Draw offer or resignation.
    pub offer: Option<Offer>,
    /// Output of the search.
    pub info: Info,
    /// Score reported by the engine.
    pub eval: Option<Eval>,
    /// Last principal variation up to its first illegal move.
    pub variation: Vec<Move>,
    /// Time to deduct from the clock.
    pub elapsed: Duration,
    /// Time at which the question had been sent.
    pub asked: Instant,
    /// Time at which the answer came.
    pub answered: Instant,
}

/// Limits of one answer.
#[derive(Clone, Copy)]
pub(crate) struct Terms<'a> {
    pub(crate) limits: &'a TimeControl,
    pub(crate) margin: Duration,
}

/// Treatment of unrequested answers while an engine gets ready.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answers {
    /// They belong to a finished game.
    Ignored,
    Refused,
}

/// A search on the opponent's time.
struct Pondering {
    /// Position being searched.
    position: Position,
    info: Info,
    /// Answer of a search that has ended too early.
    answer: Option<(Reply, Instant)>,
    lines: LineCount,
}

/// Conversation with a process that has completed the handshake.
pub(crate) struct Conversation {
    process: Process,
    dialect: Box<dyn Dialect>,
    timeouts: Timeouts,
    answers_ready: bool,
    /// Expected answer to the readiness check, while it is outstanding.
    awaited: Option<String>,
    /// Whether that answer came late, so that commands sent since have not been waited for.
    ready_came_late: bool,
    pondering: Option<Pondering>,
    /// Pattern of the lines to keep.
    wanted: Option<Regex>,
    lenience: Lenience,
}

impl Conversation {
    pub(crate) fn new(process: Process, dialect: Box<dyn Dialect>, timeouts: Timeouts, is_lenient: bool) -> Self {
        Self {
            process,
            dialect,
            timeouts,
            answers_ready: true,
            awaited: None,
            ready_came_late: false,
            pondering: None,
            wanted: None,
            lenience: Lenience::new(is_lenient),
        }
    }

    /// Returns a note on each kind of violation that was tolerated.
    pub(crate) fn tolerated(&self) -> &[String] {
        self.lenience.notes()
    }

    /// Keeps lines that match `wanted` in [`Info::lines`] from now on.
    pub(crate) fn keep(&mut self, wanted: Option<Regex>) {
        self.wanted = wanted;
    }

    pub(crate) fn dialect(&mut self) -> &mut dyn Dialect {
        &mut *self.dialect
    }

    pub(crate) fn send(&self, lines: &[String]) {
        self.process.send(lines);
    }

    pub(crate) fn is_alive(&mut self) -> bool {
        self.process.is_alive()
    }

    /// Ends the process and returns the failure with its standard error.
    pub(crate) fn with_stderr(&mut self, failure: Failure) -> Failure {
        failure.of(&mut self.process)
    }

    /// Stops waiting for readiness, unless the outstanding answer comes after all.
    pub(crate) fn stop_waiting_for_ready(&mut self) {
        self.answers_ready = false;
    }

    /// Whether the engine answers readiness checks, as far as known.
    pub(crate) fn answers_ready(&self) -> bool {
        self.answers_ready
    }

    /// Waits until the engine has processed everything sent so far; `false` if it has no readiness check.
    pub(crate) fn ready(&mut self, timeout: Duration) -> Result<bool, Failure> {
        self.until_ready(timeout, Answers::Ignored)
    }

    fn until_ready(&mut self, timeout: Duration, answers: Answers) -> Result<bool, Failure> {
        let check = if self.answers_ready { self.dialect.ready_check() } else { None };
        let Some([question, answer]) = check else { return Ok(false) };
        self.process.send(&[question]);
        self.awaited = Some(answer.clone());
        let deadline = Instant::now() + timeout;
        let mut lines = LineCount::default();
        while self.lenience.allows_line(&mut lines, deadline)? {
            let line = self.process.line(deadline).map_err(|reason| Failure::no_line(reason, timeout))?;
            if line.text.trim() == answer {
                self.awaited = None;
                return Ok(true);
            }
            match self.dialect.parse_line(&line.text, &mut Info::default()) {
                LineKind::Failed(failure) => return Err(failure),
                LineKind::Answer(Reply { mv: Some(mv), .. }) if answers == Answers::Refused => {
                    self.lenience.pass_answer(&mv)?;
                }
                LineKind::Answer(_) | LineKind::NeedsCommands(_) | LineKind::Info | LineKind::Other => {}
            }
        }
        Err(Failure::no_line(NoLine::Timeout, timeout))
    }

    pub(crate) fn new_game(&mut self) -> Result<(), Failure> {
        self.pondering = None;
        self.process.send(&self.dialect.new_game());
        self.ready(self.timeouts.new_game.unwrap_or(self.timeouts.ready)).map(|_| ())
    }

    /// Requests a move.
    pub(crate) fn think(
        &mut self,
        state: &GameState,
        terms: Terms,
        is_cancelled: CancelCheck,
    ) -> Result<SearchResult, SearchError> {
        self.reject_unrequested()?;
        let commands = self.question(state, terms.limits, Thinking::OwnTime)?;
        let before = Instant::now();
        let delivery = self.process.send(&commands);
        loop {
            let found = self.finish(state, terms, Info::default(), &delivery, is_cancelled)?;
            if found.answered >= before {
                return Ok(found);
            }
            self.lenience.pass_answer(found.text.as_deref().unwrap_or_default())?;
        }
    }

    /// Returns all commands that start a search of a position.
    fn question(
        &mut self,
        state: &GameState,
        limits: &TimeControl,
        thinking: Thinking,
    ) -> Result<Vec<String>, Failure> {
        let mut commands = self.dialect.position(state)?;
        commands.extend(self.dialect.before_go(state, limits));
        commands.push(self.dialect.go(state, limits, thinking));
        Ok(commands)
    }

    /// Returns all commands that start a search on the engine's own time.
    pub(crate) fn commands(&mut self, state: &GameState, limits: &TimeControl) -> Result<Vec<String>, Failure> {
        self.question(state, limits, Thinking::OwnTime)
    }

    /// Asks the search to end; returns the time within which it has to answer.
    pub(crate) fn stop_search(&self) -> Duration {
        self.process.send(&[self.dialect.stop()]);
        self.timeouts.stop
    }

    /// Returns the next line, waiting until `deadline` at most.
    pub(crate) fn line(&mut self, deadline: Instant) -> Result<Line, NoLine> {
        self.process.line(deadline)
    }

    /// Starts a ponder search; `state` is the one after the predicted move.
    pub(crate) fn ponder(&mut self, state: &GameState, limits: &TimeControl) -> Result<(), Failure> {
        self.reject_unrequested()?;
        let commands = self.question(state, limits, Thinking::OpponentsTime)?;
        self.process.send(&commands);
        let position = *state.position();
        self.pondering = Some(Pondering { position, info: Info::default(), answer: None, lines: LineCount::default() });
        Ok(())
    }

    /// Reads the output of a ponder search so that the engine never blocks. Errors are reported with the next question.
    pub(crate) fn read_output(&mut self) {
        let Some(mut pondering) = self.pondering.take() else { return };
        while self.lenience.reads_on(&mut pondering.lines) {
            let Ok(line) = self.process.waiting_line() else { break };
            keep(&self.wanted, &line.text, &mut pondering.info);
            self.check_pv(&line.text, &pondering.position, &mut pondering.info);
            self.note_late_ready(&line.text);
            if let LineKind::Answer(reply) = self.dialect.parse_line(&line.text, &mut pondering.info) {
                pondering.answer = Some((reply, line.read_at));
            }
        }
        self.pondering = Some(pondering);
    }

    pub(crate) fn is_pondering(&self) -> bool {
        self.pondering.is_some()
    }

    /// Reports that the predicted move was played: the clock of `state` starts now.
    pub(crate) fn ponder_hit(
        &mut self,
        state: &GameState,
        terms: Terms,
        is_cancelled: CancelCheck,
    ) -> Result<SearchResult, SearchError> {
        self.read_output();
        let (info, answer) = self.pondering.take().map(|it| (it.info, it.answer)).unwrap_or_default();
        if let Some((reply, _)) = answer {
            let now = Instant::now();
            return Ok(self.result(state, reply, info, now, now));
        }
        let delivery = self.process.send(self.dialect.ponder_hit(state.draw_offered).as_slice());
        self.finish(state, terms, info, &delivery, is_cancelled)
    }

    /// Ends the ponder search after another move; its answer is discarded.
    pub(crate) fn ponder_miss(&mut self, is_cancelled: CancelCheck) -> Result<(), SearchError> {
        self.read_output();
        let Some(pondering) = self.pondering.take() else { return Ok(()) };
        let deadline = Instant::now() + self.timeouts.stop;
        if pondering.answer.is_none() {
            self.process.send(&[self.dialect.stop()]);
            let answer = self.answer(deadline, None, &mut Info::default(), is_cancelled)?;
            answer.ok_or_else(|| Failure::no_line(NoLine::Timeout, self.timeouts.stop))?;
            if self.dialect.answers_idle_stop() {
                // The search may have ended by itself while `stop` was on its way; then `stop` is answered as well.
                self.ready(self.timeouts.ready)?;
            }
        }
        Ok(())
    }

    /// Ends the process like [`Conversation::quit`], even during a search.
    pub(crate) fn abort(self) {
        self.process.send(&[self.dialect.stop()]);
        self.quit();
    }

    /// Ends the process with `quit`, or by force after a timeout.
    pub(crate) fn quit(mut self) {
        self.process.send(&["quit"]);
        let deadline = Instant::now() + self.timeouts.quit;
        // Reading on lets an engine with much output finish.
        while Instant::now() < deadline && self.process.line(deadline).is_ok() {}
        self.process.wait_exit(deadline.saturating_duration_since(Instant::now()));
    }

    /// Waits for the answer to a question in transit; the clock starts once the question is delivered.
    fn finish(
        &mut self,
        state: &GameState,
        terms: Terms,
        info: Info,
        delivery: &Delivery,
        is_cancelled: CancelCheck,
    ) -> Result<SearchResult, SearchError> {
        let sent = Instant::now();
        let asked = || delivery.at().map_or(sent, |at| at.max(sent));
        let clock = state.own_clock().time.or(terms.limits.move_time);
        let allowed = clock.unwrap_or(self.timeouts.unclocked_move) + terms.margin;
        let mut info = info;
        let answer = loop {
            let begun = asked();
            match self.answer(begun + allowed, Some(state.position()), &mut info, is_cancelled)? {
                None if asked() > begun => {}
                answer => break answer,
            }
        };
        let asked = asked();
        if let Some((reply, at)) = answer {
            return match at.saturating_duration_since(asked).checked_sub(allowed) {
                Some(late) if !late.is_zero() => Err(time_loss(late, terms.margin).into()),
                _ => Ok(self.result(state, reply, info, asked, at)),
            };
        }
        self.process.send(&[self.dialect.stop()]);
        let late_answer = self.answer(Instant::now() + self.timeouts.stop, None, &mut info, is_cancelled)?;
        match (late_answer, clock) {
            // Read in time, but handed over late by the machine.
            (Some((reply, at)), _) if at.saturating_duration_since(asked) <= allowed => {
                Ok(self.result(state, reply, info, asked, at))
            }
            (Some((_, at)), Some(clock)) => {
                Err(time_loss(at.saturating_duration_since(asked + clock), terms.margin).into())
            }
            (_, _) => Err(Failure::no_line(NoLine::Timeout, asked.elapsed()).into()),
        }
    }

    pub(crate) fn result(
        &mut self,
        state: &GameState,
        reply: Reply,
        info: Info,
        asked: Instant,
        at: Instant,
    ) -> SearchResult {
        let mv = reply.mv.as_deref().and_then(|text| self.dialect.read_move(text, state.position()));
        let elapsed = at.saturating_duration_since(asked);
        let Reply { mv: text, ponder, offer } = reply;
        let eval = info.raw_score.map(|raw_score| self.dialect.eval(raw_score));
        let read = |text: &str| self.dialect.read_known_move(text);
        let variation = info.variation.as_deref().map(|text| variation::legal_moves(text, state.position(), read));
        let variation = variation.unwrap_or_default();
        SearchResult { mv, text, ponder, offer, info, eval, variation, elapsed, asked, answered: at }
    }

    /// Returns the next answer, or `None` if there is none until `deadline`. With `position`, the position being searched, the
    /// variations are checked.
    pub(crate) fn answer(
        &mut self,
        deadline: Instant,
        position: Option<&Position>,
        info: &mut Info,
        is_cancelled: CancelCheck,
    ) -> Result<Option<(Reply, Instant)>, SearchError> {
        let started = Instant::now();
        let mut next_tick = started + TICK;
        let mut lines = LineCount::default();
        while self.lenience.allows_line(&mut lines, deadline)? {
            let line = loop {
                if Instant::now() >= next_tick {
                    if is_cancelled() {
                        return Err(SearchError::Cancelled);
                    }
                    next_tick = Instant::now() + TICK;
                }
                match self.process.line(deadline.min(next_tick)) {
                    Ok(line) => break line,
                    Err(NoLine::Timeout) if Instant::now() >= deadline => return Ok(None),
                    Err(NoLine::Timeout) => {}
                    Err(reason) => return Err(Failure::no_line(reason, started.elapsed()).into()),
                }
            };
            let Line { text, read_at } = line;
            keep(&self.wanted, &text, info);
            if let Some(position) = position {
                self.check_pv(&text, position, info);
            }
            self.note_late_ready(&text);
            match self.dialect.parse_line(&text, info) {
                LineKind::Answer(reply) => return Ok(Some((reply, read_at))),
                LineKind::NeedsCommands(commands) => drop(self.process.send(&commands)),
                LineKind::Failed(failure) => return Err(failure.into()),
                LineKind::Info | LineKind::Other => {}
            }
        }
        Ok(None)
    }

    /// Records the first illegal move in a search's variations. They are checked as they arrive, on the clock of the engine that
    /// thinks.
    fn check_pv(&self, line: &str, position: &Position, info: &mut Info) {
        if info.illegal_pv.is_none() {
            info.illegal_pv = variation::illegal_move(line, position, |text| self.dialect.read_known_move(text));
        }
    }

    /// Resumes waiting for readiness if the line is the answer that had been given up.
    fn note_late_ready(&mut self, line: &str) {
        if !self.answers_ready && self.awaited.as_deref() == Some(line.trim()) {
            (self.answers_ready, self.ready_came_late) = (true, true);
        }
    }

    /// Rejects answers that precede their question.
    pub(crate) fn reject_unrequested(&mut self) -> Result<(), Failure> {
        let mut lines = LineCount::default();
        while self.lenience.allows_line(&mut lines, Instant::now())? {
            let line = match self.process.waiting_line() {
                Ok(line) => line,
                Err(NoLine::Timeout) if self.dialect.may_say_more() || mem::take(&mut self.ready_came_late) => {
                    return self.until_ready(self.timeouts.ready, Answers::Refused).map(|_| ());
                }
                Err(NoLine::Timeout) => return Ok(()),
                Err(reason) => return Err(Failure::no_line(reason, Duration::ZERO)),
            };
            self.note_late_ready(&line.text);
            match self.dialect.parse_line(&line.text, &mut Info::default()) {
                LineKind::Answer(Reply { mv: Some(mv), .. }) => self.lenience.pass_answer(&mv)?,
                LineKind::Failed(failure) => return Err(failure),
                // UCCI answers a late `stop` too, without a move.
                LineKind::Answer(_) | LineKind::NeedsCommands(_) | LineKind::Info | LineKind::Other => {}
            }
        }
        Ok(())
    }
}

fn keep(wanted: &Option<Regex>, line: &str, info: &mut Info) {
    if info.lines.len() < MOST_KEPT_LINES && wanted.as_ref().is_some_and(|wanted| wanted.is_match(line)) {
        info.lines.push(line.to_owned());
    }
}

fn time_loss(late: Duration, margin: Duration) -> Failure {
    let text = if margin.is_zero() {
        format!("{late:.1?} too late")
    } else {
        format!("{late:.1?} too late, the margin being {margin:?}")
    };
    Failure::new(FailureClass::TimeLoss, text)
}

#[cfg(all(test, unix))]
mod tests;
