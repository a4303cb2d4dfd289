//! A match that is being played, and the server that shows it.

#![allow(dead_code, reason = "every test crate uses a part of this")]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::arena::Arena;

/// Longest time that anything may take on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A process that ends with its test.
pub(crate) struct Running(pub(crate) Child);

impl Running {
    /// Starts a match with a journal, and waits until its first move is written.
    pub(crate) fn play(arena: &Arena, line: &str, journal: &str) -> Self {
        let mut command = arena.command(&format!("{line} -journal {{}}/{journal}"));
        let running = Self(command.stdout(Stdio::null()).spawn().unwrap());
        let (live, begun) = (arena.path(&format!("{journal}.live")), Instant::now());
        while !std::fs::read_to_string(&live).is_ok_and(|text| text.contains("\"mv\"")) {
            assert!(begun.elapsed() < PATIENCE, "no move comes");
            thread::sleep(Duration::from_millis(10));
        }
        running
    }

    /// Sends a signal, and waits until the process has ended.
    pub(crate) fn end(mut self, signal: &str) {
        Command::new("kill").args([signal, &self.0.id().to_string()]).status().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server that shows a journal.
pub(crate) struct Watch {
    process: Running,
    /// Address of the page, with the token if there is one.
    pub(crate) url: String,
    pub(crate) port: u16,
}

impl Watch {
    /// Starts `watch JOURNAL --serve` with further words.
    pub(crate) fn start(arena: &Arena, words: &str) -> Self {
        let mut process = Running(arena.command(&format!("watch {words}")).stdout(Stdio::piped()).spawn().unwrap());
        let mut line = String::new();
        BufReader::new(process.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.trim().to_owned();
        let port = url.split(':').nth(2).and_then(|rest| rest.split('/').next()?.parse().ok());
        Self { process, port: port.unwrap_or_else(|| panic!("{line:?}")), url }
    }

    pub(crate) fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Sends bytes, and returns what is answered until the connection is closed.
    pub(crate) fn send(&self, request: &[u8]) -> String {
        let mut stream = self.connect();
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Sends a request line such as `GET /` with headers.
    pub(crate) fn request(&self, line: &str, headers: &[&str]) -> String {
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        self.send(format!("{line} HTTP/1.1\r\n{headers}\r\n").as_bytes())
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Opens the stream of changes, with further headers.
    pub(crate) fn events(&self, more: &str) -> Events {
        let mut stream = self.connect();
        write!(stream, "GET /events HTTP/1.1\r\nHost: {}\r\n{more}\r\n", self.host()).unwrap();
        Events { lines: BufReader::new(stream), parts: BTreeMap::new() }
    }
}

/// The changes as a page takes them.
pub(crate) struct Events {
    lines: BufReader<TcpStream>,
    /// All parts so far.
    pub(crate) parts: BTreeMap<String, Value>,
}

impl Events {
    /// Reads until the parts are as wanted.
    #[track_caller]
    pub(crate) fn wait(&mut self, what: &str, is_so: impl Fn(&BTreeMap<String, Value>) -> bool) {
        let begun = Instant::now();
        while !is_so(&self.parts) {
            assert!(begun.elapsed() < PATIENCE, "{what}: {:?}", self.parts);
            let mut line = String::new();
            assert!(self.lines.read_line(&mut line).unwrap() > 0, "{what}: the stream has ended");
            if let Some(data) = line.strip_prefix("data: ") {
                self.parts.extend(serde_json::from_str::<BTreeMap<String, Value>>(data).unwrap());
            }
        }
    }
}
