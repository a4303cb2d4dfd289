//! The dialogue: lines from the input to the controller, its replies to the output, both to the log.

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Instant;

use crate::engine::event::{Command, Event, Fault, OutputFormat, Reply, View};
use crate::engine::options::names_log;
use crate::engine::{Controller, FrontEnd, StartError, ViewContext};
use crate::io::{OutputState, exit_soon, on_termination_request, report_panics, write_stderr};
use crate::protocol::{self, Interpreter};
use crate::smp::time_slice;
use crate::{logging, terminal};

/// The client at the other end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Client {
    /// A program, which speaks a protocol and nothing else.
    Program,
    /// A person at a terminal, who has more commands.
    Person,
}

impl Client {
    /// Returns the client at this input.
    pub fn at(input: &impl IsTerminal) -> Self {
        if input.is_terminal() { Self::Person } else { Self::Program }
    }
}

/// Runs the dialogue until `quit`, the end of input, or an interruption by the system. If the output is not read, an
/// interruption or `quit` may end the process from within.
///
/// # Errors
/// If the engine cannot start.
pub fn run<R, W>(client: Client, input: R, output: W) -> Result<(), StartError>
where
    R: BufRead + Send + 'static,
    W: Write,
{
    report_panics();
    let output_state = Arc::new(OutputState::default());
    let front_end = Console { client, output, state: Arc::clone(&output_state), is_connected: true };
    let (mut controller, events) = Controller::new(front_end)?;
    let mut interpreter = Interpreter::default();
    if client == Client::Person {
        (controller, interpreter) = (controller.for_terminal(), Interpreter::at_terminal());
        write_stderr(terminal::greeting());
    }
    let log_errors = events.clone();
    // The report is dropped if the controller is gone.
    logging::on_failure(move |error| {
        drop(log_errors.send(Event::Rejected(Fault::BadArgument(format!("the log ends: {error}")))));
    });
    if let Err(error) = logging::log_to_environment_file() {
        let fault = Fault::BadArgument(format!("no log: {error}"));
        events.send(Event::Rejected(fault)).expect("the controller holds the other end");
    }
    let signals = events.clone();
    // A process that has a handler already keeps it. The event is dropped if the controller is gone.
    let _ = on_termination_request(move || {
        let _ = signals.send(Event::Interrupted);
        exit_soon()
    });
    let reader = thread::Builder::new().name("reader".to_owned());
    // The thread ends with the input or with the process.
    reader.spawn(move || {
        time_slice::request_short();
        if read_commands(interpreter, input, &events) == ReadEnd::Quit {
            output_state.exit_if_stuck();
        }
    })?;
    controller.run();
    Ok(())
}

/// Reason why no more lines are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ReadEnd {
    /// The user has sent `quit`.
    Quit,
    /// The input has ended, or the controller is gone.
    Closed,
}

/// Converts lines to events. Lines are bytes: file names arrive in every encoding.
fn read_commands(mut interpreter: Interpreter, mut input: impl BufRead, events: &Sender<Event>) -> ReadEnd {
    let _end_of_input = EndOfInputGuard(events);
    let mut line = Vec::new();
    while let Some(extent) = read_line(&mut input, &mut line) {
        let read_at = Instant::now();
        logging::line_in(&line);
        let commands = match extent {
            Extent::Whole => interpreter.parse(&line),
            Extent::Beginning => interpreter.parse_beginning(&line, LONGEST_LINE),
        };
        for command in commands {
            let quits = command == Ok(Command::Quit);
            if matches!(&command, Ok(Command::SetOption { name, .. }) if names_log(name)) {
                logging::expect_log();
            }
            let event = match command {
                Ok(command) => Event::Command { command, read_at },
                Err(fault) => Event::Rejected(fault),
            };
            let is_sent = events.send(event).is_ok();
            if quits {
                return ReadEnd::Quit;
            }
            if !is_sent {
                return ReadEnd::Closed;
            }
        }
    }
    ReadEnd::Closed
}

/// Guard that reports the end of input to the controller, even after a panic: otherwise it would wait for ever.
struct EndOfInputGuard<'a>(&'a Sender<Event>);

impl Drop for EndOfInputGuard<'_> {
    fn drop(&mut self) {
        // A controller that is gone needs no more input.
        let _ = self.0.send(Event::EndOfInput);
    }
}

/// Maximum length of a line, in bytes: 100,000 moves and more fit into it.
const LONGEST_LINE: usize = 1 << 20;

/// Part of a line that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extent {
    Whole,
    /// The first [`LONGEST_LINE`] bytes of a longer line.
    Beginning,
}

/// Reads the next line; none if the input has ended or cannot be read.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> Option<Extent> {
    line.clear();
    let length = input.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', line).ok().filter(|&length| length > 0)?;
    if length < LONGEST_LINE || line.ends_with(b"\n") {
        return Some(Extent::Whole);
    }
    // If even the end of the line cannot be read, there is no next line.
    let _ = input.skip_until(b'\n');
    Some(Extent::Beginning)
}

/// Front end on stdout.
struct Console<W> {
    client: Client,
    output: W,
    state: Arc<OutputState>,
    /// Whether the last write succeeded, so that the other end is still open.
    is_connected: bool,
}

impl<W: Write> Console<W> {
    /// Formats `reply` as lines for the client.
    fn lines(&self, reply: &Reply, format: &OutputFormat) -> String {
        match self.client {
            Client::Program => protocol::lines(reply, format),
            Client::Person => terminal::lines(reply, format),
        }
    }

    /// Writes lines at once and in one piece, so that none is half written or held back in a pipe.
    fn write(&mut self, lines: &str) {
        lines.lines().for_each(logging::line_out);
        let output = &mut self.output;
        let written = self.state.write(|| output.write_all(lines.as_bytes()).and_then(|()| output.flush()));
        self.is_connected = written.is_ok();
    }
}

impl<W: Write> FrontEnd for Console<W> {
    fn send(&mut self, reply: &Reply, format: &OutputFormat) {
        self.write(&self.lines(reply, format));
    }

    fn send_all(&mut self, replies: &[Reply], format: &OutputFormat) {
        self.write(&replies.iter().map(|reply| self.lines(reply, format)).collect::<String>());
    }

    fn is_connected(&self) -> bool {
        self.is_connected
    }

    fn set_busy(&mut self, is_busy: bool) {
        self.state.set_busy(is_busy);
    }

    fn leave_time(&mut self, to_read: bool) {
        self.state.leave_time(to_read);
    }

    fn log_to(&mut self, file: Option<&Path>) -> io::Result<()> {
        logging::log_to(file)
    }

    fn show(&mut self, view: View, context: &ViewContext, is_wanted: &dyn Fn() -> bool) {
        let shown = terminal::show(view, context, is_wanted, &mut self.output).and_then(|()| self.output.flush());
        self.is_connected = shown.is_ok();
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
        let mut front_end =
            Console { client: Client::Program, output: Pieces::default(), state: Arc::default(), is_connected: true };
        let replies = ["one", "two"].map(|text| Reply::Message(text.to_owned()));
        front_end.send_all(&replies, &OutputFormat::default());
        front_end.send(&replies[0], &OutputFormat::default());
        let count = |piece: &Vec<u8>| piece.iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(front_end.output.0.iter().map(count).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn of_a_line_that_is_too_long_the_beginning_is_kept_and_the_next_is_heard() {
        let (longest, longer) = ("x".repeat(LONGEST_LINE - 1), "x".repeat(LONGEST_LINE));
        let text = format!("{longest}\n{longer}\nisready\nquit {longer}");
        let (mut input, mut line) = (text.as_bytes(), Vec::new());
        assert_eq!((read_line(&mut input, &mut line), line.len()), (Some(Extent::Whole), LONGEST_LINE));
        assert_eq!((read_line(&mut input, &mut line), line.len()), (Some(Extent::Beginning), LONGEST_LINE));
        assert_eq!((read_line(&mut input, &mut line), line.as_slice()), (Some(Extent::Whole), b"isready\n".as_slice()));
        assert_eq!((read_line(&mut input, &mut line), line.len()), (Some(Extent::Beginning), LONGEST_LINE));
        assert!(line.starts_with(b"quit xxx"));
        assert_eq!(read_line(&mut input, &mut line), None);
    }
}
