//! Pictures of the page for the manual, and widths at which nothing may be cut.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::driver::{Browser, Server};
use crate::watch::{HEADER, append, game};

const GAME: &str = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 b0c2 c9e7 h0h6 h7i7 h6g6 i7i9 g6f6 d9e8 c2d4 b7b3 e2e6";

/// Opens a game with a variation and a comment in it.
fn open_game(browser: &mut Browser) {
    browser.eval(&format!("chuhe.page.exchange.readText({})", json!(GAME)));
    browser.wait("chuhe.page.view === chuhe.page.analyse && chuhe.page.desk.game.mainLine().length === 19");
    browser.eval("document.getElementById('notes').replaceChildren()");
}

/// Analyses the whole game, and shows its middle.
fn analyse_game(browser: &mut Browser) {
    browser.eval("chuhe.page.analyse.panels[0].turn(false); chuhe.page.analyse.review.state.ms = 100");
    browser.eval("chuhe.page.analyse.review.begin()");
    browser.wait("document.querySelector('#review-summary table')");
    browser.eval("chuhe.page.desk.go(chuhe.page.desk.game.mainLine()[13])");
}

fn play_game(browser: &mut Browser) {
    browser.write("#conditions [data-name=time]", "depth");
    browser.write("#conditions [data-name=depth]", "4");
    browser.click("#play-begin");
    for (count, mv) in [(2, "h2e2"), (4, "h0g2")] {
        browser.tap(mv);
        browser.wait(&format!("chuhe.page.play.game.mainLine().length === {count}"));
    }
    browser.wait("chuhe.page.desk.table.legal.size > 0");
    browser.click("#hint");
    browser.wait("document.querySelector('#play-says .offer')");
}

/// Elements that stick out of the window.
const TOO_WIDE: &str = "[...document.querySelectorAll('body *')].filter((e) => {
    const box = e.getBoundingClientRect();
    return box.width > 0 && box.right > innerWidth + 1 && !e.closest('.game-rows, .pv, .spoken, svg');
}).map((e) => e.tagName + '.' + e.className + '#' + e.id).slice(0, 5)";

/// Notes of dialogs that touch the field below them, whose frame would cover them.
const TOO_CLOSE: &str = "[...document.querySelectorAll('dialog[open] > .note + *')].filter((e) => {
    const [above, box] = [e.previousElementSibling.getBoundingClientRect(), e.getBoundingClientRect()];
    return box.height > 0 && box.top < above.bottom + 4;
}).map((e) => e.previousElementSibling.textContent)";

#[test]
#[ignore = "needs a Chromium browser"]
fn nothing_is_cut_from_a_phone_to_a_large_screen() {
    let server = Server::start();
    append(&server, HEADER);
    append(&server, &game(1, "Red", "h2e2 h9g7 h0g2 i9h9"));
    for language in ["en", "zh-CN"] {
        let mut browser = Browser::open(&server.address, language);
        open_game(&mut browser);
        for (width, height) in [(420, 860), (768, 1024), (1280, 800), (3840, 2160)] {
            browser.size(width, height);
            for view in ["1", "2", "3"] {
                browser.key(view);
                browser.wait(&format!(
                    "document.querySelector('.tab:nth-child({view})').getAttribute('aria-pressed') === 'true'"
                ));
                assert_eq!(browser.eval(TOO_WIDE), json!([]), "{language}, {width} px, view {view}");
                let board = browser
                    .eval("document.querySelector('#board svg').getBoundingClientRect().height")
                    .as_f64()
                    .unwrap();
                assert!(board > 330.0 && board < f64::from(height), "a board {board} high in {width}x{height}");
            }
            for dialog in ["#open-load", "#open-save", "#open-settings", "#open-engines"] {
                browser.eval(&format!("document.querySelector('{dialog}').click()"));
                browser.wait("document.querySelector('dialog[open]')");
                assert_eq!(browser.eval(TOO_WIDE), json!([]), "{language}, {width} px, {dialog}");
                assert_eq!(browser.eval(TOO_CLOSE), json!([]), "{language}, {width} px, {dialog}");
                browser.eval("document.querySelectorAll('dialog[open]').forEach((dialog) => dialog.close())");
            }
            browser.eval("chuhe.page.openEditor()");
            browser.wait("document.querySelectorAll('.tool').length === 15");
            assert_eq!(browser.eval(TOO_WIDE), json!([]), "{language}, {width} px, the editor");
            browser.eval("chuhe.page.closeEditor()");
        }
        browser.no_errors();
    }
}

/// Draws the page in all its forms into the folder of the tests, to be looked at, and the pictures of the manual into the folder
/// of `CHUHE_BOARD_PICTURES`, where there is one.
#[test]
#[ignore = "needs a Chromium browser"]
fn pictures_are_made_to_be_looked_at() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("board");
    std::fs::create_dir_all(&folder).unwrap();
    let manual = std::env::var_os("CHUHE_BOARD_PICTURES").map(PathBuf::from);
    let server = Server::start();
    append(&server, HEADER);
    for (number, result, plies) in [(1, "Red", 19), (2, "Draw", 12), (3, "Red", 15), (4, "Black", 19), (5, "Draw", 19)]
    {
        let moves: Vec<&str> = GAME.split(' ').take(plies).collect();
        append(&server, &game(number, result, &moves.join(" ")));
    }
    for (name, tag) in [("en", "en"), ("zh", "zh-CN")] {
        let mut browser = Browser::open(&server.address, tag);
        // Each view is shown in the manual in one of the themes.
        let take = |browser: &mut Browser, view: &str, shown: &str| {
            for (theme, width, height) in
                [("light", 1100, 760), ("dark", 1100, 760), ("light", 420, 1500), ("dark", 420, 1500)]
            {
                browser.eval(&format!("chuhe.settings.set('theme', '{theme}')"));
                browser.size(width, height);
                browser.eval("document.getElementById('notes').replaceChildren(); scrollTo(0, 0)");
                let path = folder.join(format!("{view}-{name}-{width}-{theme}.png"));
                browser.picture(&path);
                if let Some(manual) = manual.as_ref().filter(|_| theme == shown && width > 420) {
                    std::fs::copy(&path, manual.join(format!("board-{view}-{name}.png"))).unwrap();
                }
            }
            browser.size(1100, 760);
            browser.eval("chuhe.settings.set('theme', 'light')");
        };
        play_game(&mut browser);
        take(&mut browser, "play", "light");
        open_game(&mut browser);
        browser.eval("chuhe.page.desk.go(chuhe.page.desk.game.mainLine()[7])");
        browser
            .wait("chuhe.page.analyse.panels[0].lines.length === 3 && chuhe.page.analyse.panels[0].best.depth >= 12");
        take(&mut browser, "analyse", "light");
        analyse_game(&mut browser);
        take(&mut browser, "game", "dark");
        browser.key("3");
        browser.wait("chuhe.page.watch.game.mainLine().length > 5");
        browser.key("ArrowUp");
        browser.eval("chuhe.page.desk.go(chuhe.page.desk.game.mainLine()[11])");
        take(&mut browser, "watch", "dark");
        browser.no_errors();
    }
}
