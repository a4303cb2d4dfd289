//! Pipes of a process: lines and bytes, each read or written by a thread of its own.

use std::io::{self, BufRead, BufReader, Write};
use std::sync::mpsc::{Receiver, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use chuhe::smp::time_slice;

/// Maximum length of a line in bytes, its end not counted; a longer one ends the conversation.
pub const MAX_LINE: usize = 64 << 10;

/// Number of bytes kept of the standard error, counted from its end.
pub(super) const MAX_STDERR: usize = 64 << 10;

/// Direction of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// Sent to the program.
    Sent,
    /// Received from its standard output.
    Received,
    /// Received from its standard error.
    Error,
}

/// Callback for every line and its direction, called by several threads.
pub type Listener = Arc<dyn Fn(Direction, &str) + Send + Sync>;

/// Callback for every line: the engine's name, the direction, the line.
pub type Log = Arc<dyn Fn(&str, Direction, &str) + Send + Sync>;

/// A line written by the program, with a time stamp.
#[derive(Clone, Debug)]
pub struct Line {
    /// Text without the line end; invalid UTF-8 is replaced.
    pub text: String,
    /// Arrival of the line end.
    pub read_at: Instant,
}

/// Delivery of lines to a program. The thread that hands them over may have to wait for the processor, which is not the
/// program's fault.
#[derive(Clone, Default, Debug)]
pub struct Delivery(Arc<OnceLock<Instant>>);

impl Delivery {
    /// Returns when the lines were handed over; `None` until then.
    pub fn at(&self) -> Option<Instant> {
        self.0.get().copied()
    }
}

/// Bytes to write, and the delivery to mark when writing begins.
pub(super) type Parcel = (Vec<u8>, Delivery);

pub(super) enum Output {
    Line(Line),
    Overlong,
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes incoming commands until either end is closed.
pub(super) fn feed(mut input: impl Write, commands: &Receiver<Parcel>) {
    time_slice::request_short();
    while let Ok((bytes, Delivery(at))) = commands.recv() {
        // The time is taken before writing, as the program may answer before the write returns.
        at.get_or_init(Instant::now);
        if input.write_all(&bytes).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// Splits the output into lines, whatever bytes they hold, until it ends, exceeds the limit, or the receiver is dropped.
pub(super) fn forward(mut output: BufReader<impl io::Read>, lines: &SyncSender<Output>, listener: Option<&Listener>) {
    time_slice::request_short();
    let (mut bytes, mut read_at) = (Vec::new(), Instant::now());
    loop {
        // Lines that arrive in one piece have one time, however late this thread comes to the second one.
        let has_arrived = output.buffer().contains(&b'\n');
        match read_line(&mut output, &mut bytes) {
            Read::Line => {
                if !has_arrived {
                    read_at = Instant::now();
                }
                let text = text_of(&bytes);
                if let Some(listener) = listener {
                    listener(Direction::Received, &text);
                }
                if lines.send(Output::Line(Line { text, read_at })).is_err() {
                    return;
                }
            }
            Read::End => return,
            Read::Overlong => {
                // An error means that the receiver is gone, so the reason does not matter.
                let _ = lines.send(Output::Overlong);
                return;
            }
        }
    }
}

/// Reads the standard error to its end, so that the program does not block on it.
pub(super) fn drain(mut errors: impl BufRead, stderr_text: &Mutex<String>, listener: Option<&Listener>) {
    let mut bytes = Vec::new();
    while read_line(&mut errors, &mut bytes) != Read::End {
        let text = text_of(&bytes);
        if let Some(listener) = listener {
            listener(Direction::Error, &text);
        }
        let mut all = lock(stderr_text);
        all.push_str(&text);
        all.push('\n');
        if all.len() > 2 * MAX_STDERR {
            let cut = all.ceil_char_boundary(all.len() - MAX_STDERR);
            all.drain(..cut);
        }
    }
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end_matches(['\r', '\n']).to_owned()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Read {
    Line,
    Overlong,
    End,
}

/// Reads the next line into `bytes`, or its first [`MAX_LINE`] bytes. A last line needs no end.
pub(super) fn read_line(input: &mut impl BufRead, bytes: &mut Vec<u8>) -> Read {
    bytes.clear();
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            // A broken pipe ends the text like a closed one.
            Err(_) => &[],
        };
        if available.is_empty() {
            return if bytes.is_empty() { Read::End } else { Read::Line };
        }
        let end = available.iter().position(|&byte| byte == b'\n');
        let wanted = end.unwrap_or(available.len());
        let taken = wanted.min(MAX_LINE - bytes.len());
        bytes.extend_from_slice(&available[..taken]);
        let overlong = taken < wanted;
        input.consume(if overlong { taken } else { end.map_or(taken, |end| end + 1) });
        match (overlong, end) {
            (true, _) => return Read::Overlong,
            (false, Some(_)) => return Read::Line,
            (false, None) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::*;

    /// Reader that blocks until it is released.
    struct Waits(Option<Receiver<()>>);

    impl Write for Waits {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if let Some(gate) = self.0.take() {
                gate.recv().expect("the test tells it");
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_are_handed_over_when_it_is_their_turn() {
        let (input, commands) = mpsc::sync_channel(2);
        let deliveries = [Delivery::default(), Delivery::default()];
        for delivery in &deliveries {
            input.send((b"line\n".to_vec(), delivery.clone())).unwrap();
        }
        drop(input);
        assert!(deliveries.iter().all(|delivery| delivery.at().is_none()));
        let (tell, gate) = mpsc::channel();
        let feeder = thread::spawn(move || feed(Waits(Some(gate)), &commands));
        while deliveries[0].at().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
        assert!(deliveries[1].at().is_none(), "the first line is not taken yet");
        let taken = Instant::now();
        tell.send(()).unwrap();
        feeder.join().unwrap();
        assert!(deliveries[0].at().is_some_and(|at| at <= taken), "who is slow to take it pays for that");
        assert!(deliveries[1].at().is_some_and(|at| at >= taken));
    }
}
