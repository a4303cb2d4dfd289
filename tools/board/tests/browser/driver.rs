//! A browser driven by the protocol of its developer tools, and the server that it visits.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{Message, WebSocket};

/// Longest wait for anything that a page does.
const PATIENCE: Duration = Duration::from_secs(60);

/// Switches of the browser: no network of its own, no window.
const SWITCHES: [&str; 14] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--enable-precise-memory-info",
    "--remote-debugging-port=0",
    "about:blank",
];

/// One test at a time: two browsers on a small machine would disturb each other's times.
static ALONE: Mutex<()> = Mutex::new(());

/// Returns the path of a program of the workspace, which `ci/build.sh` builds.
pub(crate) fn program(name: &str) -> PathBuf {
    let deps = std::env::current_exe().unwrap();
    deps.parent().unwrap().parent().unwrap().join(name).with_extension(std::env::consts::EXE_EXTENSION)
}

/// Returns the path of the misbehaving engine, which `ci/board.sh` and `cargo test` build.
pub(crate) fn zoo() -> PathBuf {
    program("examples/zoo-for-board")
}

/// Returns a file of engines in which each misbehaves as its arguments say.
pub(crate) fn zoo_file(engines: &[(&str, &str)]) -> String {
    let entry = |(name, arguments): &(&str, &str)| {
        let arguments: Vec<&str> = arguments.split(' ').collect();
        format!("[[engines]]\nname = {name:?}\ncommand = {:?}\nargs = {arguments:?}\nprotocol = \"ucci\"\n", zoo())
    };
    engines.iter().map(entry).collect()
}

/// The program with its page.
pub(crate) struct Server {
    process: Child,
    pub(crate) address: String,
    pub(crate) folder: TempDir,
}

impl Server {
    pub(crate) fn start() -> Self {
        Self::start_with("")
    }

    /// Starts the program with a file of engines.
    pub(crate) fn start_with(engines: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        // The driver serves the tests of the arena's page too, which do not have this program.
        let Some(program) = option_env!("CARGO_BIN_EXE_chuhe-board") else { panic!("no test of the board") };
        if !engines.is_empty() {
            fs::write(folder.path().join("board.toml"), engines).unwrap();
        }
        let mut process = Command::new(program)
            .args(["--no-open", "--journals"])
            .arg(folder.path())
            .arg("--engines")
            .arg(folder.path().join("board.toml"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map_while(Result::ok);
        let address = lines.find_map(|line| Some(line[line.find("http://")?..].split_whitespace().next()?.to_owned()));
        thread::spawn(move || lines.for_each(drop));
        Self { process, address: address.expect("the program prints its address"), folder }
    }

    /// Returns the resident memory in MiB.
    #[cfg(target_os = "linux")]
    pub(crate) fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1024
    }

    pub(crate) fn end(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

/// A browser with one page.
pub(crate) struct Browser {
    process: Child,
    socket: WebSocket<TcpStream>,
    number: u64,
    /// Errors that the page has reported.
    pub(crate) errors: Vec<String>,
    _profile: TempDir,
    _alone: MutexGuard<'static, ()>,
}

impl Browser {
    /// Starts the browser and opens an address in this language.
    pub(crate) fn open(address: &str, language: &str) -> Self {
        let mut browser = Self::start(language);
        browser.go(address);
        browser
    }

    /// Starts the browser that `CHROMIUM` names, or `chromium`, with an empty page.
    pub(crate) fn start(language: &str) -> Self {
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let profile = tempfile::tempdir().unwrap();
        let program = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".into());
        let process = Command::new(program)
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(format!("--accept-lang={language}"))
            .args(SWITCHES)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the browser starts");
        let socket = connect(profile.path());
        let mut browser = Self { process, socket, number: 0, errors: vec![], _profile: profile, _alone: alone };
        for domain in ["Runtime", "Log", "Page"] {
            browser.send(&format!("{domain}.enable"), json!({}));
        }
        browser.size(1280, 900);
        browser
    }

    /// Sends a command and returns its result.
    pub(crate) fn send(&mut self, method: &str, parameters: Value) -> Value {
        self.number += 1;
        let id = self.number;
        let text = json!({ "id": id, "method": method, "params": parameters }).to_string();
        self.socket.send(Message::text(text)).expect("the browser listens");
        loop {
            let message = self.socket.read().unwrap_or_else(|error| panic!("{method}: {error}"));
            let Message::Text(text) = message else { continue };
            let mut message: Value = serde_json::from_str(&text).unwrap();
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].take();
            }
            self.take_event(&message);
        }
    }

    /// Keeps what a page has complained about: exceptions, refused resources, violations of the policy.
    fn take_event(&mut self, message: &Value) {
        let parameters = &message["params"];
        let entry = &parameters["entry"];
        match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => self.errors.push(parameters["exceptionDetails"].to_string()),
            Some("Log.entryAdded") if entry["level"] == "error" => {
                self.errors.push(format!("{} {}", entry["text"], entry["url"]));
            }
            _ => {}
        }
    }

    /// Loads an address and waits until the page is connected.
    pub(crate) fn go(&mut self, address: &str) {
        self.send("Page.navigate", json!({ "url": address }));
        self.wait("document.body?.dataset.ready === 'true'");
    }

    pub(crate) fn reload(&mut self) {
        self.eval("document.body.dataset.ready = 'old'");
        self.send("Page.reload", json!({}));
        self.wait("document.body?.dataset.ready === 'true'");
    }

    /// Returns the value of an expression, which may be a promise.
    pub(crate) fn eval(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let mut answer = self.send("Runtime.evaluate", asked);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].take()
    }

    pub(crate) fn text(&mut self, selector: &str) -> String {
        let text = self.eval(&format!("document.querySelector({}).innerText", json!(selector)));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until an expression is true.
    pub(crate) fn wait(&mut self, expression: &str) {
        let begun = Instant::now();
        // A page that is being replaced has no place to evaluate anything.
        let asked = json!({ "expression": format!("Boolean({expression})"), "returnByValue": true });
        while self.send("Runtime.evaluate", asked.clone())["result"]["value"] != true {
            if begun.elapsed() > PATIENCE {
                let page = self.eval("document.body.innerText");
                panic!("not in time: {expression}\n{:?}\n{}", self.errors, page.as_str().unwrap_or_default());
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Clicks on the middle of the element of a selector.
    pub(crate) fn click(&mut self, selector: &str) {
        // A hand gets there before it presses: what it leaves may change its size.
        let place = self.middle(selector);
        self.send("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": place[0], "y": place[1] }));
        let place = self.middle(selector);
        self.mouse("mousePressed", &place);
        self.mouse("mouseReleased", &place);
    }

    /// Returns where the middle of the element of a selector is, after scrolling there.
    fn middle(&mut self, selector: &str) -> Value {
        let place = self.eval(&format!(
            "(() => {{ const e = document.querySelector({}); if (!e) return null; e.scrollIntoView({{ block: 'center' }});
               const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2, b.width]; }})()",
            json!(selector)
        ));
        assert!(place[2].as_f64().is_some_and(|width| width > 0.0), "{selector} is not shown");
        place
    }

    pub(crate) fn mouse(&mut self, kind: &str, place: &Value) {
        let buttons = u8::from(kind != "mouseReleased");
        let event = json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "buttons": buttons, "clickCount": 1 });
        self.send("Input.dispatchMouseEvent", event);
    }

    /// Returns where a square such as `h2` is in the window.
    fn place(&mut self, square: &str) -> Value {
        self.eval(&format!(
            "(() => {{ const table = chuhe.page.desk.table; table.svg.scrollIntoView({{ block: 'center' }});
               const [x, y] = table.point('abcdefghi'.indexOf('{0}'[0]) + 9 * '{0}'[1]);
               const box = table.svg.getBoundingClientRect(), scale = box.width / table.svg.viewBox.baseVal.width;
               return [box.x + x * scale, box.y + y * scale]; }})()",
            square
        ))
    }

    /// Moves a piece by two taps, once the page knows that it may.
    pub(crate) fn tap(&mut self, mv: &str) {
        self.wait("chuhe.page.desk.table.legal.size > 0");
        self.tap_square(&mv[..2]);
        self.tap_square(&mv[2..]);
    }

    pub(crate) fn tap_square(&mut self, square: &str) {
        let place = self.place(square);
        self.mouse("mousePressed", &place);
        self.mouse("mouseReleased", &place);
    }

    /// Moves a piece by dragging it.
    pub(crate) fn drag(&mut self, mv: &str) {
        self.wait("chuhe.page.desk.table.legal.size > 0");
        let (from, to) = (self.place(&mv[..2]), self.place(&mv[2..]));
        self.mouse("mousePressed", &from);
        let middle = json!([
            (from[0].as_f64().unwrap() + to[0].as_f64().unwrap()) / 2.0,
            (from[1].as_f64().unwrap() + to[1].as_f64().unwrap()) / 2.0
        ]);
        self.mouse("mouseMoved", &middle);
        self.mouse("mouseMoved", &to);
        self.mouse("mouseReleased", &to);
    }

    /// Moves a piece by two touches of a finger.
    pub(crate) fn touch(&mut self, mv: &str) {
        self.wait("chuhe.page.desk.table.legal.size > 0");
        for square in [&mv[..2], &mv[2..]] {
            let place = self.place(square);
            let points = json!([{ "x": place[0], "y": place[1] }]);
            self.send("Input.dispatchTouchEvent", json!({ "type": "touchStart", "touchPoints": points }));
            self.send("Input.dispatchTouchEvent", json!({ "type": "touchEnd", "touchPoints": [] }));
        }
    }

    /// Gives a file to the field of the dialog that loads games.
    pub(crate) fn upload(&mut self, path: &Path) {
        let document = self.send("DOM.getDocument", json!({}));
        let asked = json!({ "nodeId": document["root"]["nodeId"], "selector": "#file" });
        let node = self.send("DOM.querySelector", asked);
        self.send("DOM.setFileInputFiles", json!({ "files": [path], "nodeId": node["nodeId"] }));
    }

    pub(crate) fn key(&mut self, key: &str) {
        let text = if key.len() == 1 { key } else { "" };
        let kind = if text.is_empty() { "rawKeyDown" } else { "keyDown" };
        self.send("Input.dispatchKeyEvent", json!({ "type": kind, "key": key, "text": text }));
        self.send("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": key }));
    }

    /// Writes into the field of a selector.
    pub(crate) fn write(&mut self, selector: &str, text: &str) {
        self.eval(&format!(
            "(() => {{ const e = document.querySelector({}); e.focus(); e.value = {};
               e.dispatchEvent(new Event('input', {{ bubbles: true }})); e.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()",
            json!(selector),
            json!(text)
        ));
    }

    /// Sets the size of the window.
    pub(crate) fn size(&mut self, width: u32, height: u32) {
        let device = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.send("Emulation.setDeviceMetricsOverride", device);
    }

    /// Writes a picture of the window.
    pub(crate) fn picture(&mut self, path: &Path) {
        // Pieces that move are at their places by then.
        thread::sleep(Duration::from_millis(400));
        let picture = self.send("Page.captureScreenshot", json!({ "format": "png" }));
        fs::write(path, decoded(picture["data"].as_str().unwrap())).unwrap();
    }

    /// Fails if the page has complained.
    pub(crate) fn no_errors(&self) {
        assert!(self.errors.is_empty(), "{:#?}", self.errors);
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Connects to the page of the browser that uses this profile.
fn connect(profile: &Path) -> WebSocket<TcpStream> {
    let begun = Instant::now();
    let port = loop {
        let found = fs::read_to_string(profile.join("DevToolsActivePort")).ok();
        if let Some(port) = found.and_then(|text| text.lines().next()?.parse::<u16>().ok()) {
            break port;
        }
        assert!(begun.elapsed() < PATIENCE, "the browser does not start");
        thread::sleep(Duration::from_millis(50));
    };
    let address = loop {
        let pages: Value = serde_json::from_str(&fetch(port, "/json/list")).unwrap_or_default();
        let page = pages.as_array().and_then(|pages| pages.iter().find(|page| page["type"] == "page").cloned());
        if let Some(address) = page.and_then(|page| page["webSocketDebuggerUrl"].as_str().map(str::to_owned)) {
            break address;
        }
        assert!(begun.elapsed() < PATIENCE, "the browser has no page");
        thread::sleep(Duration::from_millis(50));
    };
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    tungstenite::client(address.as_str(), stream).expect("the browser takes the connection").0
}

/// Returns the body that a local server answers with.
fn fetch(port: u16, path: &str) -> String {
    let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else { return String::new() };
    stream.set_read_timeout(Some(Duration::from_secs(1))).unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n");
    let mut answer = vec![];
    if stream.write_all(request.as_bytes()).is_ok() {
        let _ = stream.read_to_end(&mut answer);
    }
    let text = String::from_utf8_lossy(&answer).into_owned();
    text.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default()
}

/// Decodes base64.
fn decoded(text: &str) -> Vec<u8> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u8> = text.bytes().filter_map(value).collect();
    let group = |four: &[u8]| -> Vec<u8> {
        let bits = four.iter().fold(0_u32, |bits, digit| bits << 6 | u32::from(*digit)) << (6 * (4 - four.len()));
        bits.to_be_bytes()[1..four.len()].to_vec()
    };
    digits.chunks(4).flat_map(group).collect()
}
