//! A small server for the page: `GET` of its few files, and the changes of the match as server-sent events. One thread for each
//! of a few connections, so that the arena needs no asynchronous runtime.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use chuhe_games::page::{Denial, Guard, HEADERS};
use httparse::{EMPTY_HEADER, Request, Status};

use super::files::{POLICY, find};
use super::hub::Hub;
use crate::seats;

/// Maximum number of connections; more are closed at once.
const MOST_CONNECTIONS: usize = 64;

/// Maximum length of the head of a request, in bytes.
const LONGEST_HEAD: usize = 16 << 10;

/// Maximum number of headers of a request.
const MOST_HEADERS: usize = 64;

/// Time for the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);

/// Time in which a reader must take a part of an answer.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

/// Interval of comments in a stream without changes: they show a reader that has gone.
const SIGN_OF_LIFE: Duration = Duration::from_secs(5);

/// A server that listens and does not answer yet.
pub(super) struct Server {
    listener: TcpListener,
    guard: Guard,
    /// Whether the token is needed: without it only this computer can ask.
    needs_token: bool,
}

impl Server {
    /// Opens the socket; browsers may reach it by `hosts` too.
    ///
    /// # Errors
    /// If the address cannot be used.
    pub(super) fn open(address: SocketAddr, hosts: &[String]) -> Result<Self> {
        let listener = TcpListener::bind(address).with_context(|| format!("cannot listen at {address}"))?;
        let address = listener.local_addr()?;
        let guard = Guard::new("chuhe-arena", address, hosts).context("no random numbers")?;
        Ok(Self { listener, guard, needs_token: !address.ip().is_loopback() })
    }

    /// Returns the address of the page, with the token if it is needed.
    pub(super) fn url(&self) -> String {
        if self.needs_token { self.guard.url() } else { self.guard.address() }
    }

    /// Answers in threads of its own until the process ends.
    pub(super) fn begin(self, hub: Hub) {
        let (server, open) = (Arc::new(self), Arc::new(AtomicUsize::new(0)));
        thread::spawn(move || {
            loop {
                match server.listener.accept() {
                    Ok((stream, _)) => {
                        let (server, hub, seat) = (Arc::clone(&server), hub.clone(), Seat::take(&open));
                        if let Some(seat) = seat {
                            thread::spawn(move || {
                                // An error means that the client has gone.
                                let _ = server.connection(&stream, &hub);
                                let _ = stream.shutdown(Shutdown::Both);
                                drop(seat);
                            });
                        }
                    }
                    // The system has no more descriptors, or the client has gone.
                    Err(_) => thread::sleep(Duration::from_millis(50)),
                }
            }
        });
    }

    /// Answers one request.
    fn connection(&self, stream: &TcpStream, hub: &Hub) -> io::Result<()> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
        let Some(head) = read_head(stream)? else { return answer(stream, "400 Bad Request", TEXT, "", "no request\n") };
        let mut headers = [EMPTY_HEADER; MOST_HEADERS];
        let mut request = Request::new(&mut headers);
        if !matches!(request.parse(&head), Ok(Status::Complete(_))) {
            return answer(stream, "400 Bad Request", TEXT, "", "no request\n");
        }
        let (path, query) =
            request.path.unwrap_or_default().split_once('?').unwrap_or((request.path.unwrap_or_default(), ""));
        let cookie = match self.check(&request, path, query) {
            Ok(cookie) => cookie,
            Err(denial) => return answer(stream, "403 Forbidden", TEXT, "", &self.guard.text(denial)),
        };
        match (request.method, path) {
            (Some("GET"), "/events") => send_events(stream, hub),
            (Some("GET"), path) => match find(path) {
                Some((kind, text)) => answer(stream, "200 OK", kind, &cookie, &text),
                None => answer(stream, "404 Not Found", TEXT, "", "not found\n"),
            },
            _ => answer(stream, "405 Method Not Allowed", TEXT, "allow: GET\r\n", "GET only\n"),
        }
    }

    /// Checks host, origin and token; returns a header with the cookie for the first request, which has the token in its address.
    fn check(&self, request: &Request<'_, '_>, path: &str, query: &str) -> Result<String, Denial> {
        let values = |name: &'static str| {
            let named = request.headers.iter().filter(move |header| header.name.eq_ignore_ascii_case(name));
            named.map(|header| header.value)
        };
        self.guard.check_source(values("host"), values("origin"), false)?;
        if !self.needs_token {
            return Ok(String::new());
        }
        if path == "/" && self.guard.has_token(query) {
            return Ok(format!("set-cookie: {}\r\n", self.guard.cookie()));
        }
        self.guard.check_cookie(values("cookie")).map(|()| String::new())
    }
}

/// One of the connections that are allowed at a time.
struct Seat(Arc<AtomicUsize>);

impl Seat {
    fn take(open: &Arc<AtomicUsize>) -> Option<Self> {
        let seat = Self(Arc::clone(open));
        (open.fetch_add(1, Ordering::Relaxed) < MOST_CONNECTIONS).then_some(seat)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

const TEXT: &str = "text/plain; charset=utf-8";

/// Reads until the empty line after the headers; `None` if there is no such line in time, or the head is too long.
fn read_head(mut stream: &TcpStream) -> io::Result<Option<Vec<u8>>> {
    let begun = Instant::now();
    let (mut head, mut part) = (Vec::new(), [0; 2048]);
    while head.len() <= LONGEST_HEAD {
        if head.windows(4).any(|end| end == b"\r\n\r\n") {
            return Ok(Some(head));
        }
        let left = HEAD_TIMEOUT.saturating_sub(begun.elapsed());
        if left.is_zero() {
            break;
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut part) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(read) => head.extend_from_slice(&part[..read]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// Returns the beginning of an answer: status and headers; `more` are further headers with their line ends.
fn heading(status: &str, kind: &str, more: &str) -> String {
    let common: String = HEADERS.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\nconnection: close\r\ncontent-security-policy: {POLICY}\r\n{common}{more}"
    )
}

fn answer(mut stream: &TcpStream, status: &str, kind: &str, more: &str, text: &str) -> io::Result<()> {
    let head = heading(status, kind, &format!("{more}content-length: {}\r\n", text.len()));
    stream.write_all(format!("{head}\r\n{text}").as_bytes())
}

/// Sends all parts of the match, then those that change, until the reader has gone.
fn send_events(mut stream: &TcpStream, hub: &Hub) -> io::Result<()> {
    stream.write_all(format!("{}\r\n", heading("200 OK", "text/event-stream", "")).as_bytes())?;
    let mut changes = 0;
    loop {
        let (now, parts) = hub.wait(changes, SIGN_OF_LIFE);
        changes = now;
        let text = match parts {
            Some(parts) => format!("data: {{\"now\":{},{parts}}}\n\n", seats::now()),
            None => ":\n\n".to_owned(),
        };
        stream.write_all(text.as_bytes())?;
    }
}
