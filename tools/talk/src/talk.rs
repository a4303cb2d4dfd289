//! One conversation: performs the acts of the user and checks the output of the engine.

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use chuhe::engine::event::Command;
use chuhe::protocol::Interpreter;
use crossbeam::channel::RecvTimeoutError;

use crate::act::{Act, COMMENT, HEARD};
use crate::model::{Input, Model};
use crate::process::{Engine, Watch};
use crate::search::Objection;

/// Limit of processor time for the answer to `isready`.
const READY: Duration = Duration::from_secs(2);
/// Limit of processor time for the answer to `isready` if it has to wait for the end of a search.
const READY_IN_BATCH: Duration = Duration::from_secs(120);
/// Limit of wall-clock time, valid even on a busy machine.
const NEVER: Duration = Duration::from_secs(120);
/// Limit of time for the end of the process.
const END: Duration = Duration::from_secs(1);
/// Interval at which the processor time of a silent engine is read.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Number of bytes that the engine reads of a longer line.
const LONGEST_LINE: usize = 1 << 20;

/// A fault of the engine, with the conversation up to it.
#[derive(Debug)]
pub struct Finding {
    /// Description of the fault.
    pub objection: Objection,
    /// All acts and lines.
    pub transcript: String,
}

/// A conversation in progress.
struct Talk {
    engine: Engine,
    model: Model,
    interpreter: Interpreter,
    /// Input that was written without a line end so far.
    begun: Vec<u8>,
    transcript: String,
    asked: usize,
    ready: usize,
    answers: usize,
    started: Instant,
    /// Whether the output of the engine has ended.
    is_silent: bool,
}

/// Holds a conversation with the engine at `program`, which runs in `folder`.
///
/// # Errors
/// If the system cannot run the engine. A fault of the engine is returned as `Ok(Some(..))`.
pub fn hold(program: &Path, folder: &Path, acts: &[Act]) -> Result<Option<Finding>> {
    let mut talk = Talk {
        engine: Engine::start(program, folder)?,
        model: Model::default(),
        interpreter: Interpreter::default(),
        begun: Vec::new(),
        transcript: String::new(),
        asked: 0,
        ready: 0,
        answers: 0,
        started: Instant::now(),
        is_silent: false,
    };
    let is_end = |act: &&Act| matches!(act, Act::Quit | Act::Close);
    let end = acts.iter().find(is_end).unwrap_or(&Act::Close);
    for act in acts.iter().take_while(|act| !is_end(act)) {
        talk.note(&act.write());
        if let Err(objection) = talk.perform(act) {
            return Ok(Some(talk.give_up(objection)));
        }
    }
    talk.note(&end.write());
    talk.end(end)
}

impl Talk {
    fn note(&mut self, line: &str) {
        self.transcript += line;
        self.transcript.push('\n');
    }

    fn perform(&mut self, act: &Act) -> Result<(), Objection> {
        match act {
            Act::Say(line) => self.say(line),
            Act::Part(bytes) => self.write(bytes),
            Act::Pause(time) => return self.listen(*time, |_| false),
            Act::Await(time) => {
                let before = self.answers;
                return self.listen(*time, |talk| talk.answers > before || !talk.model.may_be_busy());
            }
            Act::Ask => {
                self.say(b"isready");
                return self.await_ready();
            }
            Act::Quit | Act::Close => {}
        }
        self.listen(Duration::ZERO, |_| false)
    }

    fn say(&mut self, line: &[u8]) {
        self.write(&[line, b"\n"].concat());
    }

    /// Writes to the engine, and passes completed lines to the model.
    fn write(&mut self, bytes: &[u8]) {
        self.begun.extend_from_slice(bytes);
        while let Some(at) = self.begun.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.begun.drain(..=at).collect();
            self.understand(&line);
        }
        self.engine.write(bytes.to_vec());
    }

    fn understand(&mut self, line: &[u8]) {
        let understood = match line.get(..LONGEST_LINE).filter(|_| line.len() > LONGEST_LINE) {
            Some(beginning) => self.interpreter.parse_beginning(beginning, LONGEST_LINE),
            None => self.interpreter.parse(line),
        };
        for understood in understood {
            self.asked += usize::from(understood == Ok(Command::IsReady));
            self.model.add_input(understood.into());
        }
    }

    /// Processes output until `enough` holds or the time is over.
    fn listen(&mut self, time: Duration, enough: impl Fn(&Self) -> bool) -> Result<(), Objection> {
        let deadline = Instant::now() + time;
        while !self.is_silent && !enough(self) {
            match self.engine.output.recv_deadline(deadline) {
                Ok(line) => self.accept_line(&line)?,
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => self.is_silent = true,
            }
        }
        Ok(())
    }

    fn accept_line(&mut self, line: &[u8]) -> Result<(), Objection> {
        let _ = writeln!(self.transcript, "{HEARD}{}", line.strip_suffix(b"\n").unwrap_or(line).escape_ascii());
        let line = line.strip_suffix(b"\n").ok_or("a line without its end")?;
        self.model.accept_line(line)?;
        self.ready += usize::from(line == b"readyok");
        self.answers += usize::from(line.starts_with(b"bestmove") || line == b"nobestmove");
        Ok(())
    }

    fn await_ready(&mut self) -> Result<(), Objection> {
        let timeout = if self.model.may_be_in_batch() { READY_IN_BATCH } else { READY };
        let (since, before) = (Instant::now(), self.engine.worked());
        while self.ready < self.asked && !self.is_silent {
            self.listen(POLL_INTERVAL, |talk| talk.ready == talk.asked)?;
            let worked = self.engine.worked().zip(before).map(|(now, before)| now.saturating_sub(before));
            if self.ready < self.asked && (worked.is_some_and(|worked| worked > timeout) || since.elapsed() > NEVER) {
                let (worked, threads) = (worked.unwrap_or_default(), self.engine.threads());
                return Err(format!("isready is not answered, after {worked:?} of work: {threads}"));
            }
        }
        Ok(())
    }

    fn end(mut self, act: &Act) -> Result<Option<Finding>> {
        let waits = self.model.may_be_in_batch() || *act == Act::Close && self.model.may_be_busy();
        let mut watch = Watch::begin(&self.engine);
        if *act == Act::Quit {
            if !self.begun.is_empty() {
                self.write(b"\n");
            }
            self.say(b"quit");
        } else {
            let last = std::mem::take(&mut self.begun);
            if !last.is_empty() {
                self.understand(&last);
            }
            self.model.add_input(Input::EndOfInput);
            self.engine.close();
        }
        while !self.is_silent && watch.since.elapsed() < NEVER {
            if let Err(objection) = self.listen(Watch::LOOK, |_| false) {
                return Ok(Some(self.give_up(objection)));
            }
            watch.look(&self.engine);
        }
        if !self.is_silent {
            let objection = format!("it does not end: {}", self.engine.threads());
            return Ok(Some(self.give_up(objection)));
        }
        let heard = self.model.end();
        let ending = self.engine.end(watch, NEVER)?;
        let stderr_text = ending.stderr_text.escape_ascii().to_string();
        let objection = match ending.status {
            _ if !ending.stderr_text.is_empty() => Some(format!("it complains on stderr: {stderr_text}")),
            None => Some("it does not end".into()),
            Some(status) if !status.success() => Some(format!("it ends with {status}")),
            _ if heard.is_err() => heard.err(),
            _ if !waits && (ending.took > END || ending.worked > END) => {
                Some(format!("it takes {:?} to end, and {:?} of work", ending.took, ending.worked))
            }
            _ => None,
        };
        let end = format!("{COMMENT}ended after {:?}", self.started.elapsed());
        self.transcript += &end;
        Ok(objection.map(|objection| Finding { objection, transcript: self.transcript }))
    }

    /// Ends the engine and records how it ended, as this may explain the fault.
    fn give_up(mut self, objection: Objection) -> Finding {
        let states = self.model.describe();
        self.note(&format!("{COMMENT}{objection}"));
        self.note(&format!("{COMMENT}it should be in one of {states}"));
        self.engine.write(b"\nquit\n".to_vec());
        self.engine.close();
        // Further output is ignored, but must not block the engine.
        let watch = Watch::begin(&self.engine);
        let ending = self.engine.end(watch, Duration::from_secs(5));
        if let Ok(ending) = ending {
            let stderr_text = ending.stderr_text.escape_ascii();
            let _ = writeln!(self.transcript, "{COMMENT}ended with {:?}, stderr \"{stderr_text}\"", ending.status);
        }
        Finding { objection, transcript: self.transcript }
    }
}
