//! Lines in, lines out: the queue between a reader, the engine, and the protocol that the first line has chosen.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, Sender};
use std::time::Instant;

use crate::agi::Agi;
use crate::engine::{Engine, Reply};
use crate::event::Event;
use crate::gomocup::Gomocup;

/// A way to talk.
pub trait Protocol {
    /// What the line asks of a search that is under way.
    fn asks_of_search(&self, line: &str) -> Demand;

    /// Obeys a line.
    fn hear(&mut self, line: &str, engine: &mut Engine, now: Instant) -> Heard;

    /// What is written of what the engine says.
    fn report(&mut self, reply: &Reply, engine: &mut Engine, now: Instant) -> Vec<String>;
}

/// What a line asks of a search that is under way when it comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Demand {
    /// Nothing.
    Nothing,
    /// To be over, with its answer.
    Answer,
    /// To be over, without one: what it was about is given up.
    End,
}

/// What follows from a line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Heard {
    /// What is written.
    pub lines: Vec<String>,
    /// Whether this was the last line.
    pub is_last: bool,
}

impl Heard {
    /// One line is written.
    pub fn line(text: impl Into<String>) -> Self {
        Self { lines: vec![text.into()], is_last: false }
    }
}

/// No line is longer, in bytes; the rest of one that is has no meaning, and is thrown away.
const LONGEST_LINE: usize = 1 << 16;

/// Reads lines until there are none, and puts them into the queue.
///
/// # Errors
/// If reading fails; the end is in the queue then too.
pub fn read(mut input: impl BufRead, events: &Sender<Event>) -> io::Result<()> {
    let mut all_lines = || -> io::Result<()> {
        let mut bytes = vec![];
        while io::Read::take(&mut input, LONGEST_LINE as u64).read_until(b'\n', &mut bytes)? > 0 {
            if bytes.len() == LONGEST_LINE && !bytes.ends_with(b"\n") {
                input.skip_until(b'\n')?;
            }
            let line = String::from_utf8_lossy(&bytes).trim().to_owned();
            bytes.clear();
            if events.send(Event::Line(line)).is_err() {
                break;
            }
        }
        Ok(())
    };
    let result = all_lines();
    // Nobody may be left to hear it.
    let _ = events.send(Event::End);
    result
}

/// Talks until the last line.
///
/// # Errors
/// If writing fails: nobody listens.
pub fn talk(engine: &mut Engine, queue: &Receiver<Event>, output: &mut impl Write) -> io::Result<()> {
    Talk { engine, queue, output, waiting: VecDeque::new(), protocol: None }.run()
}

struct Talk<'a, W> {
    engine: &'a mut Engine,
    queue: &'a Receiver<Event>,
    output: &'a mut W,
    /// Lines that have come while a search had to end first.
    waiting: VecDeque<Event>,
    protocol: Option<Box<dyn Protocol>>,
}

impl<W: Write> Talk<'_, W> {
    fn run(&mut self) -> io::Result<()> {
        while let Some(event) = self.waiting.pop_front().or_else(|| self.queue.recv().ok()) {
            match event {
                Event::Line(line) => {
                    if self.obey(&line)? {
                        break;
                    }
                }
                Event::End => {
                    self.settle()?;
                    break;
                }
                news => self.hear(news)?,
            }
        }
        Ok(())
    }

    /// Obeys a line and says whether it was the last.
    fn obey(&mut self, line: &str) -> io::Result<bool> {
        if line.is_empty() {
            return Ok(false);
        }
        if self.protocol.is_none() {
            self.protocol = chosen_by(line);
        }
        let Some(protocol) = &mut self.protocol else {
            let is_last = line.eq_ignore_ascii_case("QUIT");
            self.write(&[if is_last { "BYE" } else { "INFO STRING the first line is AGI, or START 15" }])?;
            return Ok(is_last);
        };
        if self.engine.is_thinking() {
            match protocol.asks_of_search(line) {
                Demand::Nothing => {}
                Demand::Answer => self.settle()?,
                Demand::End => {
                    self.engine.hush();
                    self.settle()?;
                }
            }
        }
        let Some(protocol) = &mut self.protocol else { return Ok(false) };
        let heard = protocol.hear(line, self.engine, Instant::now());
        self.write(&heard.lines)?;
        Ok(heard.is_last)
    }

    /// Ends a search, and lets it answer if it has to.
    fn settle(&mut self) -> io::Result<()> {
        if self.engine.owes_an_answer() {
            self.engine.stop();
        }
        while self.engine.is_thinking() {
            if !self.engine.owes_an_answer() {
                self.engine.hush();
            }
            match self.queue.recv() {
                Ok(line @ (Event::Line(_) | Event::End)) => self.waiting.push_back(line),
                Ok(news) => self.hear(news)?,
                Err(_) => break,
            }
        }
        Ok(())
    }

    fn hear(&mut self, news: Event) -> io::Result<()> {
        let now = Instant::now();
        for reply in self.engine.hear(news, now) {
            let Some(protocol) = &mut self.protocol else { continue };
            let lines = protocol.report(&reply, self.engine, now);
            self.write(&lines)?;
        }
        Ok(())
    }

    fn write(&mut self, lines: &[impl AsRef<str>]) -> io::Result<()> {
        for line in lines {
            writeln!(self.output, "{}", line.as_ref())?;
        }
        self.output.flush()
    }
}

fn chosen_by(line: &str) -> Option<Box<dyn Protocol>> {
    if Agi::begins_with(line) {
        Some(Box::new(Agi::default()))
    } else if Gomocup::begins_with(line) {
        Some(Box::new(Gomocup::default()))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn what_is_left_of_a_line_that_is_too_long_is_no_line() {
        let (longest, longer) = ("A".repeat(LONGEST_LINE - 1), "A".repeat(LONGEST_LINE));
        let (events, queue) = channel();
        read(format!("{longest}\n{longer}QUIT\nISREADY\n{longer}\nSTOP\n{longer}QUIT").as_bytes(), &events).unwrap();
        drop(events);
        let lines: Vec<String> = queue
            .iter()
            .map_while(|event| match event {
                Event::Line(line) => Some(line),
                _ => None,
            })
            .collect();
        assert!(lines == [&longest, &longer, "ISREADY", &longer, "STOP", &longer], "{} lines", lines.len());
    }
}
