//! The dialogue: lines from the input to the controller, its replies to the output, both to the log.

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Instant;

use crate::departure::{self, Outlet};
use crate::engine::event::{Command, Event, Fault, OutputFormat, Reply, View};
use crate::engine::options::names_log;
use crate::engine::{Controller, FrontEnd, StartError, ViewContext};
use crate::protocol::{self, Interpreter};
use crate::smp::time_slice;
use crate::{aside, interruption, logging, terminal};

/// The user at the other end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Partner {
    /// A program, which speaks a protocol and nothing else.
    Program,
    /// A person at a terminal, who has more commands.
    Person,
}

impl Partner {
    /// Returns the partner at this input.
    pub fn at(input: &impl IsTerminal) -> Self {
        if input.is_terminal() { Self::Person } else { Self::Program }
    }
}

/// Runs the dialogue until `quit`, the end of input, or an interruption by the system. If the output is not read, an
/// interruption or `quit` may end the process from within.
///
/// # Errors
/// If the engine cannot start.
pub fn run<R, W>(partner: Partner, input: R, output: W) -> Result<(), StartError>
where
    R: BufRead + Send + 'static,
    W: Write,
{
    aside::say_panics();
    let outlet = Arc::new(Outlet::default());
    let speaker = Speaker { partner, output, outlet: Arc::clone(&outlet), is_open: true };
    let (mut controller, events) = Controller::new(speaker)?;
    let mut interpreter = Interpreter::default();
    if partner == Partner::Person {
        (controller, interpreter) = (controller.for_terminal(), Interpreter::at_terminal());
        aside::say(terminal::GREETING);
    }
    let complaints = events.clone();
    // The report is dropped if the controller is gone.
    logging::tell_of_the_end(move |error| {
        drop(complaints.send(Event::Rejected(Fault::BadArgument(format!("the log ends: {error}")))));
    });
    if let Err(error) = logging::log_as_environment_says() {
        let fault = Fault::BadArgument(format!("no log: {error}"));
        events.send(Event::Rejected(fault)).expect("the controller holds the other end");
    }
    let interruptions = events.clone();
    // A process that has a listener already keeps it. The event is dropped if the controller is gone.
    let _ = interruption::listen(move || {
        let _ = interruptions.send(Event::Interrupted);
        departure::end_soon()
    });
    let listener = thread::Builder::new().name("reader".to_owned());
    // The thread ends with the input or with the process.
    listener.spawn(move || {
        time_slice::request_short();
        if listen(interpreter, input, &events) == End::Quit {
            outlet.end_unless_read();
        }
    })?;
    controller.run();
    Ok(())
}

/// Reason why no more lines are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// The user has sent `quit`.
    Quit,
    /// The input has ended, or the controller is gone.
    Silence,
}

/// Converts lines to events. Lines are bytes: file names arrive in every encoding.
fn listen(mut interpreter: Interpreter, mut input: impl BufRead, events: &Sender<Event>) -> End {
    let _told = LastWord(events);
    let mut line = Vec::new();
    while let Some(heard) = hear(&mut input, &mut line) {
        let read_at = Instant::now();
        logging::line_in(&line);
        let said = match heard {
            Heard::Line => interpreter.parse(&line),
            Heard::Beginning => interpreter.parse_beginning(&line, LONGEST_LINE),
        };
        for understood in said {
            let quits = understood == Ok(Command::Quit);
            if matches!(&understood, Ok(Command::SetOption { name, .. }) if names_log(name)) {
                logging::order();
            }
            let event = match understood {
                Ok(command) => Event::Command { command, read_at },
                Err(fault) => Event::Rejected(fault),
            };
            let is_heard = events.send(event).is_ok();
            if quits {
                return End::Quit;
            }
            if !is_heard {
                return End::Silence;
            }
        }
    }
    End::Silence
}

/// Guard that reports the end of input to the controller, even after a panic: otherwise it would wait for ever.
struct LastWord<'a>(&'a Sender<Event>);

impl Drop for LastWord<'_> {
    fn drop(&mut self) {
        // A controller that is gone needs no more input.
        let _ = self.0.send(Event::EndOfInput);
    }
}

/// Maximum length of a line, in bytes: 100,000 moves and more fit into it.
const LONGEST_LINE: usize = 1 << 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Heard {
    Line,
    /// The first [`LONGEST_LINE`] bytes of one that is longer.
    Beginning,
}

/// Reads the next line; none if the input has ended or cannot be read.
fn hear(input: &mut impl BufRead, line: &mut Vec<u8>) -> Option<Heard> {
    line.clear();
    let length = input.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', line).ok().filter(|&length| length > 0)?;
    if length < LONGEST_LINE || line.ends_with(b"\n") {
        return Some(Heard::Line);
    }
    // If even the end of the line cannot be read, there is no next line.
    let _ = input.skip_until(b'\n');
    Some(Heard::Beginning)
}

struct Speaker<W> {
    partner: Partner,
    output: W,
    outlet: Arc<Outlet>,
    /// Whether the last write succeeded, so that the other end is still open.
    is_open: bool,
}

impl<W: Write> Speaker<W> {
    /// Formats `reply` as lines for the partner.
    fn lines(&self, reply: &Reply, voice: &OutputFormat) -> String {
        match self.partner {
            Partner::Program => protocol::lines(reply, voice),
            Partner::Person => terminal::lines(reply, voice),
        }
    }

    /// Writes lines at once and in one piece, so that none is half written or held back in a pipe.
    fn write(&mut self, lines: &str) {
        lines.lines().for_each(logging::line_out);
        let output = &mut self.output;
        let written = self.outlet.write(|| output.write_all(lines.as_bytes()).and_then(|()| output.flush()));
        self.is_open = written.is_ok();
    }
}

impl<W: Write> FrontEnd for Speaker<W> {
    fn say(&mut self, reply: &Reply, voice: &OutputFormat) {
        self.write(&self.lines(reply, voice));
    }

    fn say_together(&mut self, replies: &[Reply], voice: &OutputFormat) {
        self.write(&replies.iter().map(|reply| self.lines(reply, voice)).collect::<String>());
    }

    fn hears(&self) -> bool {
        self.is_open
    }

    fn at_work(&mut self, is_at_work: bool) {
        self.outlet.at_work(is_at_work);
    }

    fn leave_time(&mut self, to_read: bool) {
        self.outlet.leave_time(to_read);
    }

    fn log_to(&mut self, file: Option<&Path>) -> io::Result<()> {
        logging::log_to(file)
    }

    fn show(&mut self, view: View, scene: &ViewContext, is_wanted: &dyn Fn() -> bool) {
        let shown = terminal::show(view, scene, is_wanted, &mut self.output).and_then(|()| self.output.flush());
        self.is_open = shown.is_ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A writer that keeps each piece as it is written.
    #[derive(Default)]
    struct Pieces(Vec<Vec<u8>>);

    impl Write for Pieces {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.push(bytes.to_vec());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_is_said_together_is_one_piece() {
        let mut speaker =
            Speaker { partner: Partner::Program, output: Pieces::default(), outlet: Arc::default(), is_open: true };
        let replies = ["one", "two"].map(|text| Reply::Message(text.to_owned()));
        speaker.say_together(&replies, &OutputFormat::default());
        speaker.say(&replies[0], &OutputFormat::default());
        let count = |piece: &Vec<u8>| piece.iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(speaker.output.0.iter().map(count).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn of_a_line_that_is_too_long_the_beginning_is_kept_and_the_next_is_heard() {
        let (longest, longer) = ("x".repeat(LONGEST_LINE - 1), "x".repeat(LONGEST_LINE));
        let text = format!("{longest}\n{longer}\nisready\nquit {longer}");
        let (mut input, mut line) = (text.as_bytes(), Vec::new());
        assert_eq!((hear(&mut input, &mut line), line.len()), (Some(Heard::Line), LONGEST_LINE));
        assert_eq!((hear(&mut input, &mut line), line.len()), (Some(Heard::Beginning), LONGEST_LINE));
        assert_eq!((hear(&mut input, &mut line), line.as_slice()), (Some(Heard::Line), b"isready\n".as_slice()));
        assert_eq!((hear(&mut input, &mut line), line.len()), (Some(Heard::Beginning), LONGEST_LINE));
        assert!(line.starts_with(b"quit xxx"));
        assert_eq!(hear(&mut input, &mut line), None);
    }
}
