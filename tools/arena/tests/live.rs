//! A running match shown by `watch --serve`: what the page gets, and that no other page gets anything.

#![cfg(unix)]

#[path = "support/arena.rs"]
mod arena;
#[path = "support/watching.rs"]
mod watching;

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use arena::{Arena, refusal};
use chuhe::board::Position;
use serde_json::{Value, json};
use watching::{Running, Watch};

/// Two engines that take 20 ms for a move.
const SLOW: &str = "-engine cmd={zoo} name=A args=ucci_wild_score=30_late=20 -engine cmd={zoo} name=B \
                    args=uci_wild_score=10_late=20 -each tc=60+1 -rounds 500 -maxmoves 12 -concurrency 2 -force \
                    -openings file={openings} -sprt elo0=0 elo1=5";

fn plies(parts: &BTreeMap<String, Value>, seat: &str) -> u64 {
    parts.get(seat).and_then(|seat| seat["plies"].as_u64()).unwrap_or(0)
}

fn games(parts: &BTreeMap<String, Value>) -> u64 {
    parts.get("standing").and_then(|standing| standing["games"].as_u64()).unwrap_or(0)
}

#[test]
fn a_running_match_is_shown_move_by_move() {
    let arena = Arena::new();
    let game = Running::play(&arena, SLOW, "j");
    let watch = Watch::start(&arena, "{}/j --serve");
    assert_eq!(watch.url, format!("http://127.0.0.1:{}/", watch.port), "this computer needs no token");
    let mut events = watch.events("");
    events.wait("both games are under way", |parts| plies(parts, "seat 1") > 2 && plies(parts, "seat 2") > 2);
    let seat = events.parts["seat 1"].clone();
    assert_eq!(events.parts["phase"], "running");
    assert!(Position::from_fen(seat["fen"].as_str().unwrap()).is_ok(), "{seat}");
    assert_eq!(seat["values"].as_array().unwrap().len() as u64, plies(&events.parts, "seat 1"));
    assert!(seat["clocks"].as_array().unwrap().iter().all(|left| left.as_u64().is_some_and(|left| left > 50_000)));
    let engine = usize::from(seat["red"] == "B");
    assert_eq!(seat["thoughts"][engine]["depth"], 3, "{seat}");
    let before = games(&events.parts);
    let is_listed =
        |parts: &BTreeMap<String, Value>| parts.get("recent").is_some_and(|games| games[0]["ending"].is_string());
    events.wait("games end", |parts| games(parts) >= before + 2 && is_listed(parts));
    let standing = &events.parts["standing"];
    assert!(standing["sprt"]["llr"].is_f64() && standing["planned"] == 1000, "{standing}");
    assert_eq!(standing["command"], json!([]), "no paths of this machine");
    let listed = events.parts["recent"][0]["number"].clone();
    assert!(listed.as_u64().is_some_and(|number| number > 0), "{listed}");
    assert_eq!(events.parts["match"]["engines"], json!(["A", "B"]));
    // Another reader gets everything at once.
    let mut other = watch.events("");
    other.wait("all parts", |parts| parts.contains_key("seat 2") && parts.contains_key("recent"));
    game.end("-INT");
    events.wait("the match has stopped", |parts| parts["phase"] == "stopped");
    assert!(!arena.path("j.live").exists(), "the file is gone with the match");
    // A game that has just begun has no move yet.
    assert!(events.parts["seat 1"]["fen"].is_string(), "the last positions stay");
}

#[test]
fn the_last_position_of_a_game_is_that_of_the_journal() {
    let arena = Arena::new();
    let _game = Running::play(&arena, SLOW, "j");
    let watch = Watch::start(&arena, "{}/j --serve");
    let mut events = watch.events("");
    let has_ended = |seat: &Value| !seat["result"].is_null();
    events.wait("a game ends", |parts| ["seat 1", "seat 2"].iter().any(|seat| parts.get(*seat).is_some_and(has_ended)));
    let seat = ["seat 1", "seat 2"].into_iter().filter_map(|seat| events.parts.get(seat)).find(|seat| has_ended(seat));
    let seat = seat.unwrap();
    let journal = arena.read("j");
    let line = journal.lines().find(|line| line.starts_with(&format!("{{\"number\":{},", seat["number"]))).unwrap();
    let game: Value = serde_json::from_str(line).unwrap();
    let start = Position::from_fen(game["start_fen"].as_str().unwrap()).unwrap();
    let moves = game["moves"].as_array().unwrap();
    let last = moves.iter().fold(start, |at, played| at.play(played["mv"].as_str().unwrap().parse().unwrap()));
    assert_eq!((&seat["fen"], seat["plies"].as_u64()), (&json!(last.to_fen()), Some(moves.len() as u64)));
}

#[test]
fn an_arena_that_was_killed_leaves_a_match_that_is_not_running() {
    let arena = Arena::new();
    Running::play(&arena, SLOW, "j").end("-KILL");
    let live = arena.path("j.live");
    let old = std::time::SystemTime::now() - Duration::from_secs(60);
    fs::File::options().write(true).open(&live).unwrap().set_modified(old).unwrap();
    let watch = Watch::start(&arena, "{}/j --serve 0");
    let mut events = watch.events("");
    events.wait("the phase is known", |parts| parts.contains_key("phase"));
    assert_eq!(events.parts["phase"], "stopped");
    // The match goes on, in the same file.
    let _game = Running::play(&arena, SLOW, "j");
    events.wait("it is running again", |parts| parts["phase"] == "running");
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

/// Returns an arena with the journal of a finished match.
fn finished() -> Arena {
    let arena = Arena::new();
    arena.play(
        "-engine cmd={zoo} name=A args=ucci_wild -engine cmd={zoo} name=B args=ucci_wild -each nodes=1 -maxmoves 3 -journal {}/j",
    );
    fs::write(arena.path("secret.txt"), "secret").unwrap();
    arena
}

#[test]
fn foreign_names_and_pages_are_refused() {
    let arena = finished();
    let watch = Watch::start(&arena, "{}/j --serve --host Arena.lan");
    let own = format!("Host: {}", watch.host());
    assert_eq!(status(&watch.request("GET /", &[&own])), "200");
    for host in [format!("localhost:{}", watch.port), format!("arena.lan:{}", watch.port)] {
        assert_eq!(status(&watch.request("GET /", &[&format!("Host: {host}")])), "200", "{host}");
    }
    // Names that an attacker points to this machine (DNS rebinding), other ports, none, two.
    let evil = format!("Host: evil.example:{}", watch.port);
    let other = format!("Host: 127.0.0.1:{}", watch.port ^ 1);
    for headers in [vec![evil.as_str()], vec![other.as_str()], vec![], vec![own.as_str(), own.as_str()]] {
        for path in ["/", "/events", "/match.js", "/nothing"] {
            let answer = watch.request(&format!("GET {path}"), &headers);
            assert_eq!(status(&answer), "403", "{path} {headers:?}: {answer}");
            assert!(!answer.contains("<html") && !answer.contains("\"now\""));
        }
    }
    for origin in ["http://evil.example", "null", "https://127.0.0.1"] {
        let answer = watch.request("GET /events", &[&own, &format!("Origin: {origin}")]);
        assert_eq!(status(&answer), "403", "{origin}");
    }
}

#[test]
fn nothing_but_the_page_is_served() {
    let arena = finished();
    let watch = Watch::start(&arena, "{}/j --serve");
    let own = format!("Host: {}", watch.host());
    for path in ["/", "/match.js", "/tile.js", "/standing.js", "/words.js", "/match.css", "/xiangqi.js", "/xiangqi.css"]
    {
        let answer = watch.request(&format!("GET {path}"), &[&own]);
        assert_eq!(status(&answer), "200", "{path}");
        for header in
            ["content-security-policy: default-src 'none'", "x-frame-options: DENY", "cache-control: no-store"]
        {
            assert!(answer.contains(header), "{header}");
        }
    }
    for path in [
        "/j",
        "/secret.txt",
        "/../secret.txt",
        "/..%2fsecret.txt",
        "//etc/passwd",
        "/etc/passwd",
        "/index.html",
        "/%00",
        "/match.js/",
        "http://evil.example/",
        "*",
    ] {
        let answer = watch.request(&format!("GET {path}"), &[&own]);
        assert!(matches!(status(&answer), "404" | "400"), "{path}: {answer}");
        assert!(!answer.contains("secret") && !answer.contains("root:"));
    }
    for method in ["POST", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE"] {
        assert_eq!(status(&watch.request(&format!("{method} /"), &[&own])), "405", "{method}");
    }
    let long = format!("GET / HTTP/1.1\r\n{own}\r\nX: {}\r\n\r\n", "x".repeat(40_000));
    for rubbish in [b"hello\r\n\r\n".as_slice(), b"\x16\x03\x01\r\n\r\n", b"GET / HTTP/9\r\n\r\n", long.as_bytes()] {
        assert!(matches!(status(&watch.send(rubbish)), "400" | ""), "{:?}", &rubbish[..5]);
    }
    let many = format!("GET / HTTP/1.1\r\n{own}\r\n{}\r\n", "X: y\r\n".repeat(100));
    assert_eq!(status(&watch.send(many.as_bytes())), "400");
    assert_eq!(status(&watch.request("GET /", &[&own])), "200", "it goes on");
}

#[test]
fn other_computers_need_the_token() {
    let arena = finished();
    let watch = Watch::start(&arena, "{}/j --serve 0.0.0.0");
    let (own, token) =
        (format!("Host: {}", watch.host()), watch.url.split_once("/?token=").expect("a token").1.to_owned());
    for line in ["GET /", "GET /events", "GET /match.js", "GET /?token=", "GET /?token=0", "GET /nothing"] {
        let answer = watch.request(line, &[&own]);
        assert!(status(&answer) == "403" && !answer.contains(&token), "{line}: {answer}");
    }
    let asset = watch.request(&format!("GET /match.js?token={token}"), &[&own]);
    assert_eq!(status(&asset), "403", "only the page itself may be asked for by token");
    let first = watch.request(&format!("GET /?token={token}"), &[&own]);
    let cookie = first.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("a cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = format!("Cookie: {}\r\n", cookie.split(';').next().unwrap());
    assert_eq!(status(&watch.request("GET /match.js", &[&own, cookie.trim()])), "200");
    let mut events = watch.events(&cookie);
    events.wait("the match is known", |parts| parts.contains_key("match") && parts["phase"] == "over");
    let foreign = watch.request(&format!("GET /?token={token}"), &["Host: evil.example"]);
    assert_eq!(status(&foreign), "403", "not even with the token");
}

#[test]
fn wrong_words_and_files_are_refused() {
    let arena = finished();
    for (words, part) in [
        ("watch {}/j --serve nowhere", "\"nowhere\" is not an address"),
        ("watch {}/j --serve 70000", "is not an address"),
        ("watch {}/j --serve --port 8000", "unknown option --port"),
        ("watch {}/j --serve --host", "needs a name"),
        ("watch {}/j serve", "watch takes a journal"),
        ("watch {}/secret.txt --serve", "secret.txt"),
        ("watch {}/none --serve", "none"),
    ] {
        let error = refusal(&arena, words);
        assert!(error.contains(part), "{words}: {error}");
    }
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let error = refusal(&arena, &format!("watch {{}}/j --serve {}", taken.local_addr().unwrap().port()));
    assert!(error.contains("cannot listen at 127.0.0.1:"), "{error}");
    fs::write(arena.path("k.live"), "my diary\n").unwrap();
    let match_line = SLOW.replace("{openings}", arena::OPENINGS);
    let error = refusal(&arena, &format!("{match_line} -journal {{}}/k"));
    assert!(error.contains("k.live holds something that is not replaced"), "{error}");
}
