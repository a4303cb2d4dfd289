//! The board's program in a folder of its own, and a page without a browser.

#![allow(dead_code, reason = "every test crate uses a part of this")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// Longest time that any answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Returns the path of the misbehaving engine, which cargo builds for tests.
pub(crate) fn zoo() -> PathBuf {
    let deps = std::env::current_exe().unwrap();
    deps.parent().unwrap().parent().unwrap().join("examples/zoo-for-board")
}

/// A running server.
pub(crate) struct Board {
    pub(crate) folder: TempDir,
    child: Child,
    _output: BufReader<ChildStdout>,
    pub(crate) port: u16,
    pub(crate) token: String,
}

impl Board {
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts the server with further arguments, in which `{}` is its folder.
    pub(crate) fn start_with(arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("journals")).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_chuhe-board"));
        command.arg("--no-open").arg("--engines").arg(folder.path().join("engines.toml"));
        command.arg("--journals").arg(folder.path().join("journals"));
        let place = folder.path().display().to_string();
        command.args(arguments.iter().map(|word| word.replace("{}", &place)));
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let rest = line.trim().strip_prefix("http://127.0.0.1:").unwrap_or_else(|| panic!("{line}"));
        let (port, token) = rest.split_once("/?token=").unwrap();
        let (port, token) = (port.parse().unwrap(), token.to_owned());
        Self { folder, child, _output: output, port, token }
    }

    pub(crate) fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub(crate) fn cookie(&self) -> String {
        format!("chuhe-board-{}={}", self.port, self.token)
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.host()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends a request as it is, and returns the whole answer; empty if the server closes the connection without one.
    pub(crate) fn raw(&self, request: &[u8]) -> String {
        let mut stream = self.connect();
        // A server that has seen enough may close the connection before the end of the request.
        drop(stream.write_all(request));
        let mut answer = Vec::new();
        drop(stream.read_to_end(&mut answer));
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Sends a request with these header lines.
    pub(crate) fn request(&self, line: &str, headers: &[&str], body: &[u8]) -> String {
        let mut text = format!("{line} HTTP/1.1\r\n");
        headers.iter().for_each(|header| text += &format!("{header}\r\n"));
        self.raw(&[text.as_bytes(), b"\r\n", body].concat())
    }

    /// Sends a request as a page of this server would.
    pub(crate) fn own_request(&self, line: &str, body: &[u8]) -> String {
        let (host, cookie) = (self.host(), self.cookie());
        let headers = [
            format!("Host: {host}"),
            format!("Origin: http://{host}"),
            format!("Cookie: {cookie}"),
            format!("Content-Length: {}", body.len()),
        ];
        self.request(line, &headers.iter().map(String::as_str).collect::<Vec<_>>(), body)
    }

    /// Opens a websocket with these headers; returns the status of the answer if it is refused.
    pub(crate) fn socket(&self, host: &str, origin: Option<&str>, cookie: Option<&str>) -> Result<Page, u16> {
        let mut request = format!("ws://127.0.0.1:{}/ws", self.port).into_client_request().unwrap();
        let headers = request.headers_mut();
        headers.insert("Host", host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert("Origin", origin.parse().unwrap());
        }
        if let Some(cookie) = cookie {
            headers.insert("Cookie", cookie.parse().unwrap());
        }
        match tungstenite::client(request, self.connect()) {
            Ok((socket, _)) => Ok(Page { socket, number: 0, waiting: Vec::new() }),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(answer))) => {
                Err(answer.status().as_u16())
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// Opens a page, after its greeting.
    pub(crate) fn page(&self) -> Page {
        let host = self.host();
        let mut page = self.socket(&host, Some(&format!("http://{host}")), Some(&self.cookie())).unwrap();
        let hello = page.next();
        assert_eq!(hello["type"], "hello");
        page
    }

    /// Adds engines that misbehave: names with the arguments of the zoo.
    pub(crate) fn add_zoo(&self, page: &mut Page, engines: &[(&str, &[&str])]) {
        let entries: Vec<Value> = engines
            .iter()
            .map(|(name, arguments)| {
                let protocol = if arguments.contains(&"ucci") { "ucci" } else { "uci" };
                json!({ "name": name, "command": zoo(), "args": arguments, "protocol": protocol })
            })
            .collect();
        let answer = page.ask(json!({ "type": "engines_save", "engines": entries }));
        assert_eq!(answer["type"], "engines", "{answer}");
    }

    /// Returns the resident memory in MiB.
    #[cfg(target_os = "linux")]
    pub(crate) fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1024
    }

    /// Returns the number of processes that the server has started and that still run.
    #[cfg(target_os = "linux")]
    pub(crate) fn children(&self) -> usize {
        let own = self.child.id().to_string();
        let status = |entry: fs::DirEntry| fs::read_to_string(entry.path().join("stat")).ok();
        let stats = fs::read_dir("/proc").unwrap().filter_map(|entry| status(entry.unwrap()));
        let is_child = |stat: &String| {
            let mut fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
            let (state, parent) = (fields.next(), fields.next());
            parent == Some(own.as_str()) && state != Some("Z")
        };
        stats.filter(is_child).count()
    }

    /// Waits until the server has this number of processes.
    #[cfg(target_os = "linux")]
    pub(crate) fn wait_for_children(&self, number: usize) {
        let started = Instant::now();
        while self.children() != number {
            assert!(started.elapsed() < PATIENCE, "{} processes instead of {number}", self.children());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Asks the server to end as Ctrl-C does; returns whether it does so in time.
    #[cfg(unix)]
    pub(crate) fn interrupt(mut self) -> bool {
        let _ = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        let started = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            if started.elapsed() > Duration::from_secs(5) {
                return false;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        true
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A page without a browser.
pub(crate) struct Page {
    pub(crate) socket: WebSocket<TcpStream>,
    number: u64,
    /// Messages that were read while another one was awaited.
    waiting: Vec<Value>,
}

impl Page {
    /// Sends a request; returns its number.
    pub(crate) fn send(&mut self, mut request: Value) -> u64 {
        self.number += 1;
        request["id"] = json!(self.number);
        self.socket.send(Message::Text(request.to_string().into())).unwrap();
        self.number
    }

    /// Sends a request and returns its answer.
    pub(crate) fn ask(&mut self, request: Value) -> Value {
        let number = self.send(request);
        self.answer(number)
    }

    /// Returns the answer to a request.
    pub(crate) fn answer(&mut self, number: u64) -> Value {
        self.wait(|message| message["re"] == number)
    }

    /// Returns the next message that fits, and keeps the others.
    pub(crate) fn wait(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.waiting.iter().position(&fits) {
            return self.waiting.remove(at);
        }
        let started = Instant::now();
        loop {
            assert!(started.elapsed() < PATIENCE, "no such message; waiting: {:?}", self.waiting);
            let message = self.next();
            if fits(&message) {
                return message;
            }
            if message["type"] != "lines" {
                self.waiting.push(message);
            }
        }
    }

    /// Returns the next message.
    pub(crate) fn next(&mut self) -> Value {
        self.try_next().expect("the server sends messages")
    }

    /// Returns the next message; `None` if the server has closed the connection.
    pub(crate) fn try_next(&mut self) -> Option<Value> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Moves on: the position after these moves.
    pub(crate) fn position(&mut self, moves: &[String]) -> Value {
        self.ask(json!({ "type": "position", "moves": moves }))
    }
}
