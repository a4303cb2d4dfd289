//! Requests that are not those of the page: nothing is started, nothing is read, and the page goes on.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;
use tungstenite::Message;

use crate::support::Board;

/// Files that a server must not show.
const SECRETS: [&str; 2] = ["root:", "[package]"];

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

#[test]
fn foreign_pages_and_names_are_refused_before_anything_else() {
    let board = Board::start();
    let (host, cookie) = (board.host(), board.cookie());
    let own = format!("http://{host}");
    let local = format!("localhost:{}", board.port);
    assert!(board.socket(&host, Some(&own), Some(&cookie)).is_ok());
    assert!(board.socket(&local, Some(&format!("http://{local}")), Some(&cookie)).is_ok());
    let evil = format!("evil.example:{}", board.port);
    let (evil_origin, other_port) = (format!("http://{evil}"), format!("http://127.0.0.1:{}", board.port ^ 1));
    let wrong_token = format!("chuhe-board-{}={}", board.port, "0".repeat(48));
    for (host, origin, cookie) in [
        (&host, Some("http://evil.example"), Some(&cookie)),
        (&host, Some("null"), Some(&cookie)),
        (&host, Some(other_port.as_str()), Some(&cookie)),
        (&host, None, Some(&cookie)),
        // A name that an attacker points to this machine (DNS rebinding).
        (&evil, Some(evil_origin.as_str()), Some(&cookie)),
        (&host, Some(own.as_str()), None),
        (&host, Some(own.as_str()), Some(&wrong_token)),
    ] {
        let refused = board.socket(host, origin, cookie.map(String::as_str)).err();
        assert_eq!(refused, Some(403), "{host} {origin:?} {cookie:?}");
    }
}

#[test]
fn requests_without_the_token_get_nothing() {
    let board = Board::start();
    let (host, token) = (format!("Host: {}", board.host()), &board.token);
    for line in
        ["GET /", "GET /main.js", "GET /xiangqi.js", "GET /nothing", "GET /?token=", "GET /?token=0", "DELETE /"]
    {
        let answer = board.request(line, &[&host], b"");
        assert_eq!(status(&answer), "403", "{line}: {answer}");
        assert!(!answer.contains("<html") && !answer.contains(token.as_str()));
    }
    let asset = board.request(&format!("GET /main.js?token={token}"), &[&host], b"");
    assert_eq!(status(&asset), "403", "only the page itself may be asked for by token");
    let first = board.request(&format!("GET /?token={token}"), &[&host], b"");
    assert_eq!(status(&first), "200");
    let lower = first.to_ascii_lowercase();
    for part in
        ["set-cookie: chuhe-board-", "samesite=strict", "httponly", "content-security-policy: default-src 'none'"]
    {
        assert!(lower.contains(part), "{part}");
    }
    let foreign = board.request(&format!("GET /?token={token}"), &["Host: evil.example"], b"");
    assert_eq!(status(&foreign), "403", "not even with the token");
    let later = board.own_request("GET /", b"");
    assert!(status(&later) == "200" && !later.to_ascii_lowercase().contains("set-cookie"));
}

#[test]
fn no_path_leads_out_of_the_page() {
    let board = Board::start();
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/....//....//etc/passwd",
        "//etc/passwd",
        "/..\\..\\Cargo.toml",
        "/index.html%00.js",
        "/engines.toml",
        "/page/../../Cargo.toml",
        "/upload/../../../etc/passwd",
        "/ws/../../Cargo.toml",
    ] {
        let answer = board.own_request(&format!("GET {path}"), b"");
        assert!(["400", "404", "405"].contains(&status(&answer)), "{path}: {answer}");
        assert!(SECRETS.iter().all(|secret| !answer.contains(secret)), "{path}");
    }
    let mut page = board.page();
    for name in ["../engines.toml", "/etc/passwd", "..", "engines.toml", "journals"] {
        for request in
            [json!({ "type": "watch", "name": name }), json!({ "type": "journal_game", "name": name, "number": 1 })]
        {
            let answer = page.ask(request);
            assert_eq!((&answer["type"], &answer["code"]), (&json!("error"), &json!("not_found")), "{name}");
        }
    }
}

#[test]
fn large_uploads_are_refused_without_keeping_them() {
    let board = Board::start();
    let fine = board.own_request("POST /upload?name=../../a.txt", b"h2e2 h9g7");
    assert!(status(&fine) == "200" && fine.contains("\"format\":\"list\""), "{fine}");
    #[cfg(target_os = "linux")]
    let before = board.memory();
    let answer = board.own_request("POST /upload?name=a.pgn", &vec![b'x'; 100 << 20]);
    // A client that is still sending may see a closed connection in place of the answer.
    assert!(["413", ""].contains(&status(&answer)), "{answer}");
    let (host, cookie) = (board.host(), board.cookie());
    let chunked = [
        format!("Host: {host}"),
        format!("Origin: http://{host}"),
        format!("Cookie: {cookie}"),
        "Transfer-Encoding: chunked".to_owned(),
    ];
    let chunk = [b"100000\r\n".to_vec(), vec![b'x'; 1 << 20], b"\r\n".to_vec()].concat();
    let body = [chunk.repeat(20), b"0\r\n\r\n".to_vec()].concat();
    let headers: Vec<_> = chunked.iter().map(String::as_str).collect();
    let answer = board.request("POST /upload?name=a.pgn", &headers, &body);
    assert!(["413", ""].contains(&status(&answer)), "{answer}");
    #[cfg(target_os = "linux")]
    assert!(board.memory() < before + 64, "{} MiB after {before}", board.memory());
    let rubbish = board.own_request("POST /upload?name=a.xqf", &[7; 5000]);
    assert!(rubbish.contains("\"code\":\"unreadable\""), "{rubbish}");
}

#[test]
fn hundreds_of_connections_leave_room_for_the_page() {
    let board = Board::start();
    let mut page = board.page();
    #[cfg(target_os = "linux")]
    let before = board.memory();
    let mut open = Vec::new();
    for number in 0..300 {
        if let Ok(mut stream) = TcpStream::connect(board.host()) {
            // Half a request, which never ends.
            drop(stream.write_all(format!("GET /{number} HTTP/1.1\r\nHost: ").as_bytes()));
            open.push(stream);
        }
    }
    assert_eq!(page.ask(json!({ "type": "ping" }))["type"], "pong");
    #[cfg(target_os = "linux")]
    assert!(board.memory() < before + 64, "{} MiB after {before}", board.memory());
    // The server gives up those that never finish their request.
    let started = Instant::now();
    loop {
        let answer = board.own_request("GET /", b"");
        if status(&answer) == "200" {
            break;
        }
        assert!(started.elapsed() < Duration::from_secs(40), "no room: {answer}");
        std::thread::sleep(Duration::from_millis(200));
    }
    drop(open);
}

/// Returns the result of `attempt`, which is repeated for up to ten seconds.
fn eventually<T>(what: &str, attempt: impl Fn() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = attempt() {
            return found;
        }
        assert!(started.elapsed() < Duration::from_secs(10), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_page_too_many_is_refused_and_a_closed_one_makes_room() {
    let board = Board::start();
    let (host, cookie) = (board.host(), board.cookie());
    let origin = format!("http://{host}");
    let mut pages: Vec<_> = (0..8).map(|_| board.page()).collect();
    assert_eq!(board.socket(&host, Some(&origin), Some(&cookie)).err(), Some(503));
    assert_eq!(status(&board.own_request("GET /seat", b"")), "503", "as the page asks");
    drop(pages.pop());
    // The server learns of a closed connection some time after the client has closed it.
    let last = eventually("a closed page makes room", || board.socket(&host, Some(&origin), Some(&cookie)).ok());
    assert_eq!(status(&board.own_request("GET /seat", b"")), "503", "the place is taken again");
    drop(last);
    eventually("the page hears of it", || (status(&board.own_request("GET /seat", b"")) == "204").then_some(()));
    assert_eq!(pages[0].ask(json!({ "type": "ping" }))["type"], "pong");
}

#[test]
fn malformed_messages_are_answered_and_malformed_frames_end_the_page() {
    let board = Board::start();
    let mut page = board.page();
    for text in ["", "{", "[]", "null", "7", "{\"id\":-1}", &format!("{{\"id\":1,\"type\":{}", "[".repeat(200_000))] {
        page.socket.send(Message::Text(text.into())).unwrap();
        let answer = page.next();
        assert_eq!((&answer["type"], &answer["code"]), (&json!("error"), &json!("bad_message")), "{text:.40}");
    }
    assert_eq!(page.ask(json!({ "type": "launch", "command": "/bin/true" }))["code"], "unknown_type");
    assert_eq!(page.ask(json!({ "type": "position", "moves": vec!["h2e2"; 3000] }))["code"], "too_large");
    assert_eq!(page.ask(json!({ "type": "play", "engine": "/bin/sh", "moves": [] }))["code"], "bad_engine");
    // A byte that no frame begins with, a frame that says it is longer than memory, and bytes for text.
    for frame in [&[0xff_u8; 16][..], &[0x81, 0xff, 0x7f, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4], &[0x82, 0x80, 0, 0, 0, 0]] {
        let mut other = board.page();
        other.socket.get_mut().write_all(frame).unwrap();
        assert!(other.try_next().is_none(), "{frame:?}");
    }
    let mut other = board.page();
    drop(other.socket.send(Message::Text("x".repeat((1 << 20) + 1).into())));
    assert!(other.try_next().is_none(), "more than a message may hold");
    assert_eq!(page.ask(json!({ "type": "ping" }))["type"], "pong");
    for request in ["\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n"] {
        assert!(["400", ""].contains(&status(&board.raw(request.as_bytes()))), "{request:?}");
    }
    let long = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", "x".repeat(1 << 20));
    assert!(["431", "400", ""].contains(&status(&board.raw(long.as_bytes()))));
}
