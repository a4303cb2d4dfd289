//! The dialogue: lines from the input to the controller, its replies to the output, both to the log.

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::thread;
use std::time::Instant;

use crossbeam::channel::Sender;

use crate::engine::event::{Command, Event, Fault, Reply, Voice};
use crate::engine::{Controller, StartError, Surroundings};
use crate::logging;
use crate::protocol::{self, Interpreter};

/// Talks until `quit` or the end of the input.
///
/// # Errors
/// If the engine cannot start.
pub fn run<R, W>(input: R, output: W) -> Result<(), StartError>
where
    R: BufRead + Send + 'static,
    W: Write,
{
    let (controller, events) = Controller::new(Speaker { output })?;
    if let Err(error) = logging::log_as_environment_says() {
        let fault = Fault::BadArgument(format!("no log: {error}"));
        events.send(Event::Rejected(fault)).expect("the controller holds the other end");
    }
    let listener = thread::Builder::new().name("reader".to_owned());
    let listener = listener.spawn(move || listen(Interpreter, input, &events))?;
    controller.run();
    // The controller has ended because the listener has.
    listener.join().expect("the reader does not panic");
    Ok(())
}

/// Turns lines into events. Lines are bytes: file names arrive in every encoding.
fn listen(mut interpreter: Interpreter, mut input: impl BufRead, events: &Sender<Event>) {
    let mut line = Vec::new();
    // An input that cannot be read has ended.
    while input.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
        let read_at = Instant::now();
        logging::line_in(&line);
        for understood in interpreter.parse(&line) {
            let quits = understood == Ok(Command::Quit);
            let event = match understood {
                Ok(command) => Event::Command { command, read_at },
                Err(fault) => Event::Rejected(fault),
            };
            if events.send(event).is_err() || quits {
                return;
            }
        }
        line.clear();
    }
    // A controller that is gone needs no more input.
    let _ = events.send(Event::EndOfInput);
}

struct Speaker<W> {
    output: W,
}

impl<W: Write> Surroundings for Speaker<W> {
    fn say(&mut self, reply: &Reply, voice: &Voice) {
        let lines = protocol::lines(reply, voice);
        lines.lines().for_each(logging::line_out);
        // Written at once, so that nothing is ever half written or held back in a pipe. Whoever has closed our output
        // will close our input too.
        let _ = self.output.write_all(lines.as_bytes()).and_then(|()| self.output.flush());
    }

    fn log_to(&mut self, file: Option<&Path>) -> io::Result<()> {
        logging::log_to(file)
    }
}
