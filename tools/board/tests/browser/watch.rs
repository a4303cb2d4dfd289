//! Matches of the arena, while they are played and afterwards, and engines against each other.

use std::fs::OpenOptions;
use std::io::Write;

use serde_json::{Value, json};

use crate::driver::{Browser, Server};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Returns a game as the arena writes it.
pub(crate) fn game(number: u32, result: &str, moves: &str) -> String {
    let moves: Vec<Value> = moves
        .split(' ')
        .zip([20, -15, 30, 10, 60, -80, 200, -190].into_iter().cycle())
        .map(|(mv, value)| {
            json!({ "mv": mv, "eval": { "Centipawns": value }, "depth": 9, "selective_depth": null, "nodes": null, "time_ms": 40,
                    "left_ms": null, "ponder_hit": false })
        })
        .collect();
    let (red, black) = if number % 2 == 1 { ("Chuhe", "Other") } else { ("Other", "Chuhe") };
    let ending = if result == "Draw" { ("Agreement", "draw agreed") } else { ("Resignation", "resignation") };
    let game = json!({ "round": number.div_ceil(2), "red": red, "black": black, "start_fen": START, "opening": null, "moves": moves,
        "result": result, "ending": { "class": ending.0, "text": ending.1 }, "started_at_ms": 0, "duration_ms": 900, "time_control": "1+0.1" });
    // The arena writes the number first.
    let text = game.to_string();
    format!("{{\"number\":{number},{}\n", &text[1..])
}

/// Adds to the journal of the server's folder as a match does.
pub(crate) fn append(server: &Server, text: &str) {
    let path = server.folder.path().join("match.journal");
    let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

pub(crate) const HEADER: &str =
    "{\"version\":\"1\",\"command\":[\"-engine\",\"cmd=a\",\"-engine\",\"cmd=b\",\"-rounds\",\"4\"]}\n";

#[test]
#[ignore = "needs a Chromium browser"]
fn short_a_match_is_watched_while_it_is_played() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    browser.key("3");
    browser.wait("document.getElementById('view-watch').textContent.includes('no journal in the folder yet')");
    append(&server, HEADER);
    append(&server, &game(1, "Red", "h2e2 h9g7 h0g2 i9h9"));
    browser.wait("document.querySelectorAll('#journal-games tr').length === 1");
    browser.wait("chuhe.page.watch.game.mainLine().length === 4");
    assert_eq!(browser.text("#bottom-player"), "Chuhe");
    browser.wait("!document.querySelector('.curve:not(.closed)').hidden");

    let added = game(2, "Draw", "c3c4 c6c5 c4c5");
    let (half, rest) = added.split_at(added.len() / 2);
    append(&server, half);
    append(&server, rest);
    browser.wait("document.querySelectorAll('#journal-games tr').length === 2");
    browser.wait("chuhe.page.watch.game.mainLine().length === 3");
    assert!(browser.text("#standing").contains("1 – 1 – 0"), "{}", browser.text("#standing"));
    assert_eq!(browser.text("#watch-says"), "Game 2: 1/2-1/2 · agreement", "the ending in the words of the page");

    browser.reload();
    assert_eq!(browser.eval("document.body.dataset.view"), "watch");
    browser.wait("document.querySelectorAll('#journal-games tr').length === 2");
    append(&server, &game(3, "Black", "b2e2 b9c7"));
    browser.wait("document.querySelectorAll('#journal-games tr').length === 3");
    browser.wait("chuhe.page.watch.game.mainLine().length === 2");

    // An older game that was chosen stays, whatever ends meanwhile.
    browser.click("#journal-games [data-number='1']");
    browser.wait("chuhe.page.watch.game.mainLine().length === 4");
    append(&server, &game(4, "Red", "b2e2"));
    browser.wait("document.querySelectorAll('#journal-games tr').length === 4");
    assert_eq!(browser.eval("chuhe.page.watch.game.mainLine().length"), 4);
    browser.key("ArrowUp");
    browser.key(" ");
    browser.wait("chuhe.page.desk.game.ply(chuhe.page.desk.node) === 4");
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn two_engines_play_to_the_end_over_a_reload() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    browser.key("3");
    browser.click("#watch-source [data-value=duel]");
    browser.write("#view-watch .conditions [data-name=time]", "depth");
    browser.write("#view-watch .conditions [data-name=depth]", "1");
    browser.click("#duel-begin");
    browser.wait("chuhe.page.watch.game.mainLine().length > 5");
    browser.reload();
    browser.wait("chuhe.page.watch.game.mainLine().length > 10");
    browser.wait("!chuhe.page.watch.duel.conditions.running");
    let said = browser.text("#duel-says");
    assert!(["Red wins", "Black wins", "Draw"].iter().any(|word| said.contains(word)), "{said}");
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn a_match_and_the_engines_of_the_page_keep_their_games() {
    let server = Server::start();
    append(&server, &(HEADER.to_owned() + &game(1, "Red", "h2e2 h9g7 h0g2 i9h9")));
    let mut browser = Browser::open(&server.address, "en");
    browser.key("3");
    browser.wait("chuhe.page.watch.game.mainLine().length === 4");
    browser.click("#watch-source [data-value=duel]");
    assert_eq!(browser.eval("chuhe.page.watch.game.mainLine().length"), 0);
    browser.write("#view-watch .conditions [data-name=time]", "depth");
    browser.write("#view-watch .conditions [data-name=depth]", "1");
    browser.click("#duel-begin");
    browser.wait("chuhe.page.watch.game.mainLine().length > 3");
    browser.click("#watch-source [data-value=arena]");
    assert_eq!(browser.eval("chuhe.page.watch.game.mainLine().length"), 4);
    assert_eq!(browser.text("#watch-says"), "Game 1: 1-0 · resignation");
    // The engines play on meanwhile, over a reload too.
    let played = browser.eval("chuhe.page.watch.duel.game.mainLine().length");
    browser.wait(&format!("chuhe.page.watch.duel.game.mainLine().length > {played}"));
    browser.reload();
    browser.wait("chuhe.page.watch.game.mainLine().length === 4");
    browser.click("#watch-source [data-value=duel]");
    browser.wait(&format!(
        "chuhe.page.watch.game.mainLine().length > {played} && !chuhe.page.watch.duel.conditions.running"
    ));
    browser.no_errors();
}
