//! Line input and output: the queue between the reader, the engine and the protocol chosen by the first line.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, Sender};
use std::time::Instant;

use crate::agi::Agi;
use crate::engine::Engine;
use crate::event::Event;
use crate::gomocup::Gomocup;
use crate::protocol::{Protocol, SearchEffect};

/// Maximum length of a line, in bytes; the rest of a longer line is discarded.
const LONGEST_LINE: usize = 1 << 16;

/// Reads lines until the end of the input and sends them to the queue.
///
/// # Errors
/// If reading fails; [`Event::End`] is sent in that case too.
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
    // The receiver may be gone already.
    let _ = events.send(Event::End);
    result
}

/// Runs the conversation until its last line.
///
/// # Errors
/// If writing fails.
pub fn talk(engine: &mut Engine, queue: &Receiver<Event>, output: &mut impl Write) -> io::Result<()> {
    Talk { engine, queue, output, waiting: VecDeque::new(), protocol: None }.run()
}

struct Talk<'a, W> {
    engine: &'a mut Engine,
    queue: &'a Receiver<Event>,
    output: &'a mut W,
    /// Lines that arrived while a search had to end first.
    waiting: VecDeque<Event>,
    protocol: Option<Box<dyn Protocol>>,
}

impl<W: Write> Talk<'_, W> {
    fn run(&mut self) -> io::Result<()> {
        while let Some(event) = self.waiting.pop_front().or_else(|| self.queue.recv().ok()) {
            match event {
                Event::Line(line) => {
                    if self.execute(&line)? {
                        break;
                    }
                }
                Event::End => {
                    self.finish_search()?;
                    break;
                }
                news => self.handle(news)?,
            }
        }
        Ok(())
    }

    /// Executes a line; returns whether it ends the conversation.
    fn execute(&mut self, line: &str) -> io::Result<bool> {
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
            match protocol.effect_on_search(line) {
                SearchEffect::Nothing => {}
                SearchEffect::Answer => self.finish_search()?,
                SearchEffect::End => {
                    self.engine.stop_silently();
                    self.finish_search()?;
                }
            }
        }
        let Some(protocol) = &mut self.protocol else { return Ok(false) };
        let response = protocol.handle(line, self.engine, Instant::now());
        self.write(&response.lines)?;
        Ok(response.is_last)
    }

    /// Ends the search, after its answer if one is due.
    fn finish_search(&mut self) -> io::Result<()> {
        if self.engine.owes_an_answer() {
            self.engine.stop();
        }
        while self.engine.is_thinking() {
            if !self.engine.owes_an_answer() {
                self.engine.stop_silently();
            }
            match self.queue.recv() {
                Ok(line @ (Event::Line(_) | Event::End)) => self.waiting.push_back(line),
                Ok(news) => self.handle(news)?,
                Err(_) => break,
            }
        }
        Ok(())
    }

    fn handle(&mut self, news: Event) -> io::Result<()> {
        let now = Instant::now();
        for reply in self.engine.handle(news, now) {
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
    fn the_rest_of_a_line_that_is_too_long_is_discarded() {
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
