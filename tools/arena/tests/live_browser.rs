//! The page of a running match in a Chromium browser: games move, the words are those of the reader, nothing is cut on a phone.
//!
//! `cargo test -p chuhe-arena --test live_browser -- --ignored`, with `chromium` or the browser that `CHROMIUM` names; the
//! screenshots go to `target/tmp/live`.

#![cfg(unix)]

#[path = "support/arena.rs"]
mod arena;
#[allow(dead_code, reason = "shared with the tests of the board, which use all of it")]
#[path = "../../board/tests/browser/driver.rs"]
mod driver;
#[path = "support/watching.rs"]
mod watching;

use std::fs;
use std::path::Path;

use arena::Arena;
use driver::Browser;
use serde_json::json;
use watching::{Running, Watch};

const PAIR: &str = "-engine cmd={zoo} name=Chuhe_with_a_long_name args=ucci_wild_score=42_late=60 -engine cmd={zoo} name=Fairy \
                    args=uci_wild_score=15_late=60 -each tc=60+1 -rounds 500 -maxmoves 20 -concurrency 4 -force -openings \
                    file={openings} -sprt elo0=0 elo1=5";

/// Returns the selectors of elements that are wider than their place.
const TOO_WIDE: &str = "[...document.querySelectorAll('body, .card, .side, .duel, .facts, .tools, header')]
    .filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.className || e.tagName).join(' ')";

#[test]
#[ignore = "needs a Chromium browser"]
fn the_page_follows_the_games() {
    let arena = Arena::new();
    let game = Running::play(&arena, PAIR, "j");
    let watch = Watch::start(&arena, "{}/j --serve");
    let mut browser = Browser::open(&watch.url, "en-GB");
    browser.wait("document.querySelectorAll('.tile').length === 4");
    browser.wait("document.querySelectorAll('.tile .piece').length > 60");
    let plies = "[...document.querySelectorAll('.tile')].map((e) => e.dataset.game + ':' + e.dataset.plies).join()";
    let before = browser.eval(plies);
    browser.wait(&format!("{plies} !== {before}"));
    browser.wait("document.querySelectorAll('#recent tr[data-number]').length > 3");
    assert_eq!(browser.text("#phase"), "running");
    assert!(browser.text("[data-fact=llr]").starts_with("LLR "));
    assert!(browser.text("[data-fact=games]").ends_with("of 1000"));
    // A game that has just begun has no value yet.
    browser.wait("document.querySelector('.tile .value').innerText.includes('depth 3')");
    let clock = browser.text(".tile .clock");
    assert!(clock.contains(':') || clock.contains('.'), "{clock}");

    // In the reader's other language, with letters, and both are kept.
    browser.click("#language");
    browser.click("#pieces");
    assert_eq!(browser.text("#phase"), "进行中");
    browser.wait("document.querySelectorAll('.tile use[href^=\"#letter-\"]').length > 60");
    browser.reload();
    assert_eq!(browser.text("#phase"), "进行中");

    game.end("-INT");
    browser.wait("document.getElementById('phase').dataset.phase === 'stopped'");
    browser.no_errors();
    drop(watch);
    browser.wait("document.getElementById('phase').dataset.phase === 'lost'");
}

#[test]
#[ignore = "needs a Chromium browser"]
fn nothing_is_cut_and_pictures_can_be_looked_at() {
    let arena = Arena::new();
    let _game = Running::play(&arena, PAIR, "j");
    let watch = Watch::start(&arena, "{}/j --serve");
    let mut browser = Browser::open(&watch.url, "en-GB");
    browser.wait("document.querySelectorAll('#recent tr[data-number]').length > 7");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("live");
    fs::create_dir_all(&folder).unwrap();
    for language in ["en", "zh"] {
        for scheme in ["light", "dark"] {
            let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
            browser.send("Emulation.setEmulatedMedia", media);
            for (width, height) in [(420, 1700), (1280, 1250)] {
                browser.size(width, height);
                assert_eq!(browser.eval(TOO_WIDE), "", "{language} {width}");
                browser.picture(&folder.join(format!("{language}-{scheme}-{width}.png")));
            }
        }
        browser.click("#language");
    }
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn one_board_and_a_table_of_several_engines_fit_too() {
    let arena = Arena::new();
    let third = PAIR.replace("-concurrency 4", "-concurrency 1").replace(" -sprt elo0=0 elo1=5", "");
    let line = format!("{third} -engine cmd={{zoo}} name=Third args=ucci_wild_late=20");
    let _game = Running::play(&arena, &line, "j");
    let watch = Watch::start(&arena, "{}/j --serve 0.0.0.0");
    let mut browser = Browser::open(&watch.url, "zh-CN");
    browser.wait("document.querySelectorAll('#table tbody tr').length > 1");
    assert_eq!(browser.eval("location.search"), "", "the token is in no history");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("live");
    fs::create_dir_all(&folder).unwrap();
    for (width, height) in [(420, 1500), (1280, 1250)] {
        browser.size(width, height);
        assert_eq!(browser.eval(TOO_WIDE), "", "{width}");
        browser.picture(&folder.join(format!("three-{width}.png")));
    }
    browser.no_errors();
}
