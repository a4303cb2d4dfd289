//! Messages on stderr, aside from the protocol. They are lost if stderr is not read: no thread waits for long.

use std::backtrace::Backtrace;
use std::io::{self, Write};
use std::panic;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// Maximum wait for a line, so that it is there before the process goes on or ends.
const PATIENCE: Duration = Duration::from_millis(100);

/// Writes a line to stderr, if it is read.
pub fn say(line: &str) {
    let text = format!("{line}\n");
    say_to(io::stderr(), text);
}

/// Reports panics on stderr and in the log, so that their threads do not wait for a reader.
pub fn say_panics() {
    panic::set_hook(Box::new(|info| {
        let thread = thread::current();
        let line = format!("thread '{}': {info}", thread.name().unwrap_or("without a name"));
        tracing::error!("{line}");
        say(&format!("{line}\n{}", Backtrace::capture()));
    }));
}

fn say_to(mut out: impl Write + Send + 'static, text: String) {
    let (said, is_said) = channel();
    let speaker = thread::Builder::new().name("aside".to_owned());
    let spoken = speaker.spawn(move || {
        // There is no third place to report an error.
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        let _ = said.send(());
    });
    if spoken.is_ok() {
        let _ = is_said.recv_timeout(PATIENCE);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::thread::JoinHandle;

    use super::*;

    /// A writer that blocks until the lock is free.
    struct Full(Arc<Mutex<Vec<u8>>>);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_line_that_nobody_reads_is_not_waited_for() {
        let heard = Arc::new(Mutex::new(vec![]));
        let full = heard.lock().unwrap();
        let out = Full(Arc::clone(&heard));
        let speaker: JoinHandle<()> = thread::spawn(move || say_to(out, "once\n".to_owned()));
        speaker.join().unwrap();
        assert!(full.is_empty());
        drop(full);
        say_to(Full(Arc::clone(&heard)), "twice\n".to_owned());
        assert!(String::from_utf8_lossy(&heard.lock().unwrap()).contains("twice\n"));
    }
}
