//! Retry on `EAGAIN`: shared streams may have been made non-blocking by another process, so an attempt that would block is
//! repeated.

use std::io::{self, ErrorKind, Read, Write};
use std::thread;
use std::time::Duration;

/// Pause between two attempts.
const NAP: Duration = Duration::from_millis(2);

/// A stream that waits, even if it was made non-blocking.
///
/// ```
/// use std::io::Read;
/// let mut text = String::new();
/// chuhe::stream::Patient(b"isready\n".as_slice()).read_to_string(&mut text).unwrap();
/// assert_eq!(text, "isready\n");
/// ```
pub struct Patient<S>(
    /// The stream itself.
    pub S,
);

impl<R: Read> Read for Patient<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        patiently(|| self.0.read(bytes))
    }
}

impl<W: Write> Write for Patient<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        patiently(|| self.0.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        patiently(|| self.0.flush())
    }
}

fn patiently<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match attempt() {
            Err(error) if error.kind() == ErrorKind::WouldBlock => thread::sleep(NAP),
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, LineWriter};

    use super::*;

    /// A stream that gives or takes a few bytes every other time.
    struct Reluctant<S> {
        stream: S,
        tries: usize,
    }

    impl<S> Reluctant<S> {
        fn is_willing(&mut self) -> io::Result<usize> {
            self.tries += 1;
            if self.tries.is_multiple_of(2) { Ok(3) } else { Err(ErrorKind::WouldBlock.into()) }
        }
    }

    impl Read for Reluctant<&[u8]> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            let most = self.is_willing()?.min(bytes.len());
            self.stream.read(&mut bytes[..most])
        }
    }

    impl Write for Reluctant<Vec<u8>> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let most = self.is_willing()?.min(bytes.len());
            self.stream.write(&bytes[..most])
        }

        fn flush(&mut self) -> io::Result<()> {
            self.is_willing().map(drop)
        }
    }

    #[test]
    fn nothing_is_lost_on_the_way_in() {
        let input = Reluctant { stream: b"position startpos\ngo depth 3\n".as_slice(), tries: 0 };
        let lines: Vec<String> = BufReader::new(Patient(input)).lines().map(Result::unwrap).collect();
        assert_eq!(lines, ["position startpos", "go depth 3"]);
    }

    #[test]
    fn nothing_is_lost_on_the_way_out() {
        // Built as the standard output is.
        let mut output = Patient(LineWriter::new(Reluctant { stream: vec![], tries: 0 }));
        for line in ["info depth 1\ninfo depth 2\n", "bestmove h2e2\n"] {
            output.write_all(line.as_bytes()).and_then(|()| output.flush()).unwrap();
        }
        let written = &output.0.get_ref().stream;
        assert_eq!(String::from_utf8_lossy(written), "info depth 1\ninfo depth 2\nbestmove h2e2\n");
    }
}
