//! The engine inside the process: the same controller that serves UCCI and UCI, on a thread of its own.

use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use chuhe::engine::event::{
    Bound, Clock, ClockMode, ClockUnit, Closing, Command, Dialect, Effort, Event, Go, Info, Limits, OutputFormat, Reply,
};
use chuhe::engine::options::OPTIONS;
use chuhe::engine::{Controller, FrontEnd};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::fault::error;
use crate::interruption::PATIENCE;
use crate::position::Position;
use crate::score::Score;

/// One line of a search.
#[pyclass(module = "chuhe", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct Line {
    /// Number of the line among the best, from 1.
    multipv: usize,
    /// Depth of the iteration, in plies.
    depth: u32,
    /// Deepest line looked at, in plies.
    seldepth: u32,
    /// Value for the side to move.
    score: Score,
    /// `"exact"`, `"lower"` or `"upper"`: what the score is.
    bound: &'static str,
    /// The moves, best first, in coordinates.
    moves: Vec<String>,
    /// Chances of win, draw and loss in thousandths, if the option `UCI_ShowWDL` is on.
    wdl: Option<(u32, u32, u32)>,
    /// Nodes of the whole search so far.
    nodes: u64,
    /// Milliseconds since the start of the search.
    time: u64,
}

#[pymethods]
impl Line {
    fn __repr__(&self) -> String {
        format!("<Line {} depth {} {} {}>", self.multipv, self.depth, self.score.text(), self.moves.join(" "))
    }
}

impl From<&Info> for Line {
    fn from(info: &Info) -> Self {
        let Info { iteration, effort, wdl } = info;
        Self {
            multipv: iteration.pv_index,
            depth: iteration.depth,
            seldepth: iteration.selective_depth,
            score: iteration.score.into(),
            bound: match iteration.bound {
                Bound::Exact => "exact",
                Bound::Lower => "lower",
                Bound::Upper => "upper",
            },
            moves: iteration.pv.iter().map(ToString::to_string).collect(),
            wdl: wdl.map(|[wins, draws, losses]| (wins, draws, losses)),
            nodes: effort.nodes,
            time: milliseconds(effort),
        }
    }
}

fn milliseconds(effort: &Effort) -> u64 {
    u64::try_from(effort.elapsed.as_millis()).unwrap_or(u64::MAX)
}

/// The result of a search.
#[pyclass(module = "chuhe", frozen, get_all)]
#[derive(Default)]
pub(crate) struct SearchResult {
    /// The best move, in coordinates; None if there is no legal move.
    best: Option<String>,
    /// The expected reply.
    ponder: Option<String>,
    /// The best lines, the first one best.
    lines: Vec<Line>,
    /// Nodes of all threads.
    nodes: u64,
    /// Milliseconds.
    time: u64,
    /// Fill of the table, in thousandths.
    hashfull: u32,
    /// Hits in the endgame tables.
    tbhits: u64,
    /// Whether the move comes from the opening book.
    from_book: bool,
    /// `"draw"` if the engine offers a draw, `"resign"` if it resigns, else None.
    closing: Option<&'static str>,
    /// Messages of the engine.
    messages: Vec<String>,
}

#[pymethods]
impl SearchResult {
    /// Value of the best line, or None without one.
    #[getter]
    fn score(&self) -> Option<Score> {
        self.lines.first().map(|line| line.score.clone())
    }

    /// Depth of the best line, in plies.
    #[getter]
    fn depth(&self) -> u32 {
        self.lines.first().map_or(0, |line| line.depth)
    }

    fn __repr__(&self) -> String {
        let score = self.lines.first().map_or_else(String::new, |line| line.score.text());
        format!("<SearchResult {} {score} depth {}>", self.best.as_deref().unwrap_or("-"), self.depth())
    }
}

impl SearchResult {
    fn take_effort(&mut self, effort: &Effort) {
        self.nodes = effort.nodes;
        self.time = milliseconds(effort);
        self.hashfull = effort.hashfull;
        self.tbhits = effort.table_hits;
    }

    /// Takes a line in place of the earlier one of its number; bounds do not replace exact scores of their depth.
    fn take_line(&mut self, line: Line) {
        let place = line.multipv - 1;
        match self.lines.get_mut(place) {
            Some(known) => *known = line,
            None => self.lines.push(line),
        }
    }

    /// Takes a reply; returns whether it is the last one of the search.
    fn take(&mut self, reply: &Reply) -> bool {
        match reply {
            Reply::Info(info) => {
                self.take_effort(&info.effort);
                self.take_line(info.into());
            }
            Reply::Effort(effort) => self.take_effort(effort),
            Reply::BookMove { .. } => self.from_book = true,
            Reply::Message(text) => self.messages.push(text.clone()),
            Reply::NoBestMove => return true,
            Reply::BestMove { best, ponder, closing } => {
                self.best = Some(best.to_string());
                self.ponder = ponder.map(|mv| mv.to_string());
                self.closing = closing.map(|closing| match closing {
                    Closing::Draw => "draw",
                    Closing::Resign => "resign",
                });
                return true;
            }
            _ => {}
        }
        false
    }
}

/// Front end of the controller: replies into a queue.
struct Front(Sender<Reply>);

impl FrontEnd for Front {
    fn send(&mut self, reply: &Reply, _format: &OutputFormat) {
        // The receiver is gone with the object.
        let _ = self.0.send(reply.clone());
    }

    fn log_to(&mut self, file: Option<&Path>) -> io::Result<()> {
        file.map_or(Ok(()), |_| Err(io::Error::other("the Python module writes no log")))
    }
}

/// The engine, searching on threads of its own.
///
/// `Engine(threads=4, hash=256, options={"Repetition Rule": "league"})`: `hash` is the size of the transposition table in MiB;
/// all options of UCI and UCCI are taken. One engine searches one position at a time: several engines search side by side.
/// Without options it plays at full strength without the opening book, by the Asian rules.
#[pyclass(module = "chuhe", frozen)]
pub(crate) struct Engine {
    events: Sender<Event>,
    replies: Mutex<Receiver<Reply>>,
    thread: Option<JoinHandle<()>>,
}

impl Engine {
    fn send(&self, command: Command) -> PyResult<()> {
        let event = Event::Command { command, read_at: Instant::now() };
        self.events.send(event).map_err(|_| error("the engine has ended"))
    }

    /// Waits until no other thread uses the engine. Called without the interpreter's lock, as all below.
    fn idle(&self) -> PyResult<MutexGuard<'_, Receiver<Reply>>> {
        loop {
            match self.replies.try_lock() {
                Ok(replies) => return Ok(replies),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => {
                    Python::attach(|py| py.check_signals())?;
                    thread::sleep(Duration::from_millis(2));
                }
            }
        }
    }

    /// Passes replies to `take` until it returns true. A signal stops the search; its exception follows once that has ended.
    fn collect(&self, replies: &Receiver<Reply>, mut take: impl FnMut(&Reply) -> PyResult<bool>) -> PyResult<()> {
        let mut raised = None;
        loop {
            let signal = match replies.recv_timeout(PATIENCE) {
                Ok(reply) => match take(&reply) {
                    Ok(true) => return raised.map_or(Ok(()), Err),
                    Ok(false) => continue,
                    Err(fault) => Some(fault),
                },
                Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals()).err(),
                Err(RecvTimeoutError::Disconnected) => return Err(error("the engine has ended")),
            };
            if let (Some(signal), None) = (signal, &raised) {
                raised = Some(signal);
                self.send(Command::Stop)?;
            }
        }
    }

    /// Waits until all commands are carried out; returns the messages until then.
    fn settle(&self, replies: &Receiver<Reply>) -> PyResult<Vec<String>> {
        self.send(Command::IsReady)?;
        let mut messages = vec![];
        self.collect(replies, |reply| {
            if let Reply::Message(text) = reply {
                messages.push(text.clone());
            }
            Ok(*reply == Reply::Ready)
        })?;
        Ok(messages)
    }

    /// Sets an option; a message about it is a fault.
    fn set(&self, name: &str, value: &str) -> PyResult<()> {
        let is_named = |other: &str| other.eq_ignore_ascii_case(name);
        if !OPTIONS.iter().any(|option| option.names().any(is_named)) {
            return Err(error(format!("there is no option {name:?}")));
        }
        let replies = self.idle()?;
        self.send(Command::SetOption { name: name.to_owned(), value: value.into() })?;
        let messages = self.settle(&replies)?;
        if messages.is_empty() { Ok(()) } else { Err(error(messages.join("; "))) }
    }
}

/// The text of an option's value: `true` and `false` in small letters.
fn option_text(value: &pyo3::Bound<'_, PyAny>) -> PyResult<String> {
    let text = value.str()?.to_string();
    Ok(if value.is_instance_of::<PyBool>() { text.to_lowercase() } else { text })
}

#[pymethods]
impl Engine {
    /// Starts the engine. `hash` is in MiB.
    #[new]
    #[pyo3(signature = (threads=1, hash=64, options=None))]
    fn new(py: Python<'_>, threads: u32, hash: u32, options: Option<&pyo3::Bound<'_, PyDict>>) -> PyResult<Self> {
        let (sender, replies) = channel();
        let (controller, events) = Controller::new(Front(sender)).map_err(error)?;
        let thread = thread::Builder::new().name("chuhe".to_owned()).spawn(move || controller.run())?;
        let engine = Self { events, replies: Mutex::new(replies), thread: Some(thread) };
        let mut values = vec![("Hash".to_owned(), hash.to_string()), ("Threads".to_owned(), threads.to_string())];
        for (name, value) in options.into_iter().flatten() {
            values.push((name.extract()?, option_text(&value)?));
        }
        py.detach(|| {
            engine.send(Command::Handshake(Dialect::Uci))?;
            values.iter().try_for_each(|(name, value)| engine.set(name, value))
        })?;
        Ok(engine)
    }

    /// Sets an option of UCI or UCCI.
    fn set_option(&self, py: Python<'_>, name: &str, value: &pyo3::Bound<'_, PyAny>) -> PyResult<()> {
        let value = option_text(value)?;
        py.detach(|| self.set(name, &value))
    }

    /// Forgets the last game.
    fn new_game(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.set("newgame", ""))
    }

    /// Ends the search that another thread has started.
    fn stop(&self) -> PyResult<()> {
        self.send(Command::Stop)
    }

    /// Searches a position and returns the result.
    ///
    /// At least one limit: `depth` in plies, `nodes`, `movetime` in milliseconds, `mate` in moves, `clock` as milliseconds left
    /// and the increment, or `infinite` until `stop`. `multipv` lines are searched; `banmoves` are not played, `searchmoves`
    /// alone are. `on_line` is called with each `Line` as it comes; an exception in it ends the search.
    #[pyo3(signature = (position, *, depth=None, nodes=None, movetime=None, mate=None, clock=None, infinite=false,
        multipv=1, banmoves=vec![], searchmoves=vec![], draw_offered=false, on_line=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn search(
        &self,
        py: Python<'_>,
        position: PyRef<'_, Position>,
        depth: Option<u32>,
        nodes: Option<u64>,
        movetime: Option<u32>,
        mate: Option<u32>,
        clock: Option<(i64, i64)>,
        infinite: bool,
        multipv: u32,
        banmoves: Vec<String>,
        searchmoves: Vec<String>,
        draw_offered: bool,
        on_line: Option<Py<PyAny>>,
    ) -> PyResult<SearchResult> {
        let read = |texts: &[String]| texts.iter().map(|text| position.coordinates(text)).collect::<PyResult<Vec<_>>>();
        let (banned, searched) = (read(&banmoves)?, read(&searchmoves)?);
        let clock = movetime
            .map(|time| (i64::from(time), ClockMode::ThisMove))
            .or(clock.map(|(time, increment)| (time, ClockMode::Increment(increment))));
        let go = Go {
            draw: draw_offered,
            infinite,
            limits: Limits { depth, nodes, mate },
            clock: clock.map(|(time, mode)| Clock { time, mode, opponent_time: None, unit: ClockUnit::Milliseconds }),
            search_moves: searched,
            ..Go::default()
        };
        if !infinite && !go.is_bounded() {
            return Err(error("a search needs a limit: depth, nodes, movetime, mate, clock, or infinite=True"));
        }
        let game = position.game_text();
        drop(position);
        py.detach(|| {
            self.set("MultiPV", &multipv.to_string())?;
            let replies = self.idle()?;
            self.send(Command::Position(game))?;
            if !banned.is_empty() {
                self.send(Command::BanMoves(banned))?;
            }
            // Whatever is wrong with the position is said before the search.
            let mut result = SearchResult { messages: self.settle(&replies)?, ..SearchResult::default() };
            self.send(Command::Go(go))?;
            self.collect(&replies, |reply| {
                if let (Reply::Info(info), Some(call)) = (reply, &on_line) {
                    Python::attach(|py| call.call1(py, (Line::from(info),)))?;
                }
                Ok(result.take(reply))
            })?;
            Ok(result)
        })
    }

    /// Ends the engine, which frees its memory; without it that happens with the object.
    fn close(&self) {
        let _ = self.send(Command::Quit);
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __exit__(
        &self,
        _kind: &pyo3::Bound<'_, PyAny>,
        _value: &pyo3::Bound<'_, PyAny>,
        _trace: &pyo3::Bound<'_, PyAny>,
    ) {
        self.close();
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.close();
        if let Some(thread) = self.thread.take() {
            // The thread does not use Python and so ends without the interpreter's lock.
            let _ = thread.join();
        }
    }
}
