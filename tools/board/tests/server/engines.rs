//! Engines that flood, hang and die: the page receives a message, memory stays bounded, and no process is left.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Board, Page};

fn play(page: &mut Page, engine: &str) -> Value {
    page.ask(json!({ "type": "play", "engine": engine, "limits": { "movetime": 100 } }))
}

#[test]
#[ignore = "waits a minute; ci/board.sh runs it"]
fn an_engine_that_fails_is_named_and_started_again() {
    let board = Board::start();
    let mut page = board.page();
    board.add_zoo(
        &mut page,
        &[
            ("dies", &["ucci", "dies", "wails"]),
            ("early", &["ucci", "dies-early"]),
            ("mute", &["ucci", "mute"]),
            ("illegal", &["ucci", "illegal"]),
            ("megabyte", &["ucci", "megabyte"]),
            ("none", &["ucci", "offers-none"]),
            ("good", &["uci-zero", "score=5"]),
        ],
    );
    for (engine, part) in
        [("dies", "line 3 of 3"), ("illegal", "not legal"), ("megabyte", "end of line"), ("none", "no move")]
    {
        for _ in 0..2 {
            let answer = play(&mut page, engine);
            assert_eq!((&answer["code"], &answer["engine"]), (&json!("engine_failed"), &json!(engine)), "{answer}");
            assert!(answer["detail"].as_str().unwrap().contains(part), "{answer}");
        }
    }
    assert_eq!(play(&mut page, "early")["code"], "engine_failed");
    assert_eq!(play(&mut page, "mute")["code"], "engine_failed");
    let good = play(&mut page, "good");
    assert_eq!((&good["type"], &good["score"]), (&json!("played"), &json!({ "cp": 5 })), "{good}");
    let missing =
        page.ask(json!({ "type": "engines_save", "engines": [{ "name": "x", "command": "/nowhere/engine" }] }));
    assert_eq!(missing["type"], "engines");
    assert_eq!(play(&mut page, "x")["code"], "engine_failed");
    board.wait_for_children(0);
}

#[test]
fn an_engine_that_hangs_is_ended_when_the_page_has_waited_enough() {
    let board = Board::start();
    let mut page = board.page();
    board.add_zoo(&mut page, &[("hangs", &["ucci", "hangs"])]);
    let number = page.send(json!({ "type": "play", "engine": "hangs", "limits": { "movetime": 100 } }));
    assert_eq!(page.ask(json!({ "type": "position" }))["side"], "red", "the page goes on");
    let answer = page.answer(number);
    assert_eq!(answer["code"], "engine_failed");
    assert!(answer["detail"].as_str().unwrap().contains("no answer"), "{answer}");
    board.wait_for_children(0);
}

#[test]
fn a_flood_becomes_a_few_messages_and_no_memory() {
    let board = Board::start();
    let mut page = board.page();
    board.add_zoo(&mut page, &[("floods", &["ucci", "floods"])]);
    let before = board.memory();
    let started = Instant::now();
    let job = page.send(json!({ "type": "analyse", "slot": "a", "engine": "floods" }));
    let (mut lines, mut end) = (0_u128, None);
    while end.is_none() {
        let message = page.next();
        match message["type"].as_str() {
            Some("lines") => lines += 1,
            Some("analysed") => end = Some(message),
            _ => {}
        }
        if started.elapsed() > Duration::from_secs(3) && end.is_none() {
            page.send(json!({ "type": "stop", "job": job }));
        }
    }
    let end = end.unwrap();
    println!("a flood: {:.1} messages a second", f64::from(lines as u32) / started.elapsed().as_secs_f64());
    assert!(
        lines > 0 && lines <= 2 + started.elapsed().as_millis() / 30,
        "{lines} messages in {:?}",
        started.elapsed()
    );
    assert_eq!((&end["reason"], &end["code"]), (&json!("failed"), &json!("engine_failed")), "{end}");
    assert!(board.memory() < before + 64, "{} MiB after {before}", board.memory());
    board.wait_for_children(0);
}

#[test]
fn a_page_that_does_not_read_costs_no_memory() {
    let board = Board::start();
    let mut page = board.page();
    let before = board.memory();
    // Answers of some ten kilobytes each, left unread.
    for _ in 0..3000 {
        let request = json!({ "id": 1, "type": "position" }).to_string();
        if page.socket.send(tungstenite::Message::Text(request.into())).is_err() {
            break;
        }
    }
    std::thread::sleep(Duration::from_millis(500));
    assert!(board.memory() < before + 128, "{} MiB after {before}", board.memory());
    assert_eq!(board.page().ask(json!({ "type": "ping" }))["type"], "pong");
}

#[test]
fn engines_end_with_their_page_and_with_the_server() {
    let board = Board::start();
    let mut page = board.page();
    board.add_zoo(&mut page, &[("deaf", &["ucci", "stops-only", "deaf-to-quit"])]);
    page.send(json!({ "type": "analyse", "slot": "a", "engine": "Chuhe" }));
    page.send(json!({ "type": "analyse", "slot": "b", "engine": "deaf" }));
    board.wait_for_children(2);
    drop(page);
    board.wait_for_children(0);
    let mut page = board.page();
    page.send(json!({ "type": "analyse", "slot": "a", "engine": "Chuhe" }));
    board.wait_for_children(1);
    assert!(board.interrupt(), "Ctrl-C ends the server during an analysis");
}

#[test]
fn an_idle_engine_ends_and_comes_back() {
    let board = Board::start_with(&["--idle", "1"]);
    let mut page = board.page();
    assert_eq!(play(&mut page, "Chuhe")["type"], "played");
    board.wait_for_children(0);
    assert_eq!(play(&mut page, "Chuhe")["type"], "played");
}

#[test]
fn more_engines_than_allowed_are_refused() {
    let board = Board::start();
    let mut pages: Vec<Page> = (0..4).map(|_| board.page()).collect();
    board.add_zoo(&mut pages[0], &[("holds", &["ucci", "stops-only"])]);
    for (number, page) in pages.iter_mut().enumerate() {
        for slot in ["a", "b", "c", "d"] {
            page.send(json!({ "type": "analyse", "slot": slot, "engine": "holds" }));
        }
        // Of the last page no analysis runs: all processes belong to the others.
        if number < 3 {
            assert_eq!(page.ask(json!({ "type": "analyse", "slot": "e", "engine": "holds" }))["code"], "too_many");
        }
    }
    let refused = pages[3].wait(|message| message["type"] == "analysed");
    assert_eq!((&refused["reason"], &refused["code"]), (&json!("failed"), &json!("too_many")), "{refused}");
    assert!(board.children() <= 12);
}

#[test]
fn analyses_that_have_ended_make_room() {
    let board = Board::start();
    let mut page = board.page();
    board.add_zoo(&mut page, &[("holds", &["ucci", "stops-only"])]);
    for slot in ["a", "b", "c", "d"] {
        let job = page.send(json!({ "type": "analyse", "slot": slot, "engine": "holds" }));
        page.send(json!({ "type": "stop", "job": job }));
        page.wait(|message| message["type"] == "analysed");
    }
    let started = Instant::now();
    // The worker may hold a job a moment longer than its answer takes.
    while page.ask(json!({ "type": "analyse", "slot": "e", "engine": "holds" }))["type"] != "analysing" {
        assert!(started.elapsed() < Duration::from_secs(10), "four slots that do not run are no hindrance");
        std::thread::sleep(Duration::from_millis(20));
    }
}
