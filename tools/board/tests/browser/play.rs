//! Games against the engine, by hand and by keys.

use serde_json::json;

use crate::driver::{Browser, Server};

/// Red mates in two moves, whatever Black does.
const NEAR_MATE: &str = "4k4/9/9/9/9/9/9/9/R8/1R1K5 w - - 0 1";

/// Begins a game at a fixed depth from a position.
fn begin(browser: &mut Browser, fen: &str, colour: &str) {
    browser.eval(&format!("chuhe.page.usePosition({}, 'play')", json!(fen)));
    browser.write("#conditions [data-name=time]", "depth");
    browser.write("#conditions [data-name=depth]", "2");
    browser.click(&format!("#play-colour [data-value={colour}]"));
    browser.wait("chuhe.page.desk.node.info");
    browser.click("#play-begin");
}

/// Waits until this many moves have been played.
fn moves(browser: &mut Browser, count: usize) {
    browser.wait(&format!("chuhe.page.play.game.mainLine().length === {count}"));
}

#[test]
#[ignore = "needs a Chromium browser"]
fn short_a_game_is_played_to_mate_over_a_reload() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    begin(&mut browser, NEAR_MATE, "red");
    browser.tap("a1a8");
    moves(&mut browser, 2);
    browser.reload();
    moves(&mut browser, 2);
    browser.drag("b0b9");
    browser.wait("chuhe.page.play.match.phase === 'over'");
    assert_eq!(browser.text("#play-says .outcome"), "Red wins: checkmate.");
    assert!(browser.text("#play-moves").contains("1-0"));
    browser.wait("document.getElementById('spoken').textContent.includes('checkmate')");

    browser.click("#analyse-game");
    browser.wait("document.body.dataset.view === 'analyse'");
    assert_eq!(browser.eval("chuhe.page.analyse.game.mainLine().length"), 3);
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn moves_are_taken_back_and_draws_offered_and_games_resigned() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    begin(&mut browser, start, "black");
    moves(&mut browser, 1);
    assert_eq!(
        browser.eval("chuhe.page.play.game.tip.value"),
        json!(null),
        "a level's values are not those of the moves"
    );
    assert_eq!(browser.eval("chuhe.page.desk.table.flipped"), true, "Black is at the bottom");
    browser.tap("b9c7");
    moves(&mut browser, 3);
    browser.click("#takeback");
    browser.wait("chuhe.page.play.game.mainLine().length === 1 && chuhe.page.desk.table.legal.size > 0");
    browser.click("#offer-draw");
    assert_eq!(browser.eval("chuhe.page.play.match.offer"), "human");
    browser.tap("h9g7");
    browser.wait("chuhe.page.play.match.offer !== 'human'");
    if browser.eval("chuhe.page.play.match.phase") == "on" {
        browser.wait("document.querySelector('.note-box')?.textContent.includes('declines')");
        browser.wait("chuhe.page.desk.table.legal.size > 0");
        browser.click("#hint");
        browser.wait("document.querySelector('#play-says .offer')");
        assert_eq!(browser.eval("document.querySelectorAll('.arrows .tip').length"), 1);
        browser.click("#resign");
        assert_eq!(browser.text("#play-says .outcome"), "Red wins: resignation.");
    }
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn a_loop_that_decides_is_explained_and_marked_before() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    // The first example of the page on rules of repetition: Red gives perpetual check.
    let fen = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1";
    let loops = "chuhe.page.desk.play({ mv: 'f0e0' }); chuhe.page.desk.play({ mv: 'e8f8' });
        chuhe.page.desk.play({ mv: 'e0f0' }); chuhe.page.desk.play({ mv: 'f8e8' });";
    begin(&mut browser, fen, "red");
    // Both sides' moves, so that the loop does not depend on the engine; `think` rests meanwhile.
    browser.eval("chuhe.page.play.think = async () => {}");
    browser.eval(&format!("{loops} true"));
    browser.eval("chuhe.page.desk.play({ mv: 'f0e0' }); chuhe.page.desk.play({ mv: 'e8f8' }); true");
    browser.wait("chuhe.page.desk.table.losing.has('e0f0')");
    browser.wait("document.querySelector('#play-says .warning')");
    browser.tap("e0f0");
    browser.eval("chuhe.page.desk.play({ mv: 'f8e8' }); true");
    browser.wait("chuhe.page.play.match.phase === 'over'");
    let said = browser.text("#play-says");
    for part in ["Black wins: repetition.", "Red checks with every move", "Asian rules: perpetual check loses"] {
        assert!(said.contains(part), "{said}");
    }
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn a_clock_runs_on_over_a_reload_and_falls() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    browser.write("#conditions [data-name=time]", "clock");
    browser.write("#conditions [data-name=minutes]", "0.1");
    browser.write("#conditions [data-name=increment]", "0");
    browser.click("#play-begin");
    browser.tap("h2e2");
    moves(&mut browser, 2);
    let before = browser.eval("chuhe.page.play.clock.left('red')").as_f64().unwrap();
    assert!(before < 6000.0, "{before}");
    browser.reload();
    let after = browser.eval("chuhe.page.play.clock.left('red')").as_f64().unwrap();
    assert!(after < before, "{before} before the reload, {after} after it");
    browser.wait("chuhe.page.play.match.phase === 'over'");
    assert_eq!(browser.text("#play-says .outcome"), "Black wins: time is up.");
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn short_keys_walk_move_and_take_back() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    begin(&mut browser, NEAR_MATE, "red");
    // A cursor on the board: from the king's file to a1, up to a8.
    browser.wait("chuhe.page.desk.table.legal.size > 0");
    browser.eval("document.getElementById('board').focus()");
    browser.eval("chuhe.page.desk.table.moveCursor(0)");
    for key in
        ["ArrowUp", "Enter", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "Enter"]
    {
        browser.key(key);
    }
    moves(&mut browser, 2);
    browser.eval("document.activeElement.blur()");
    browser.key("ArrowLeft");
    browser.wait("chuhe.page.desk.game.ply(chuhe.page.desk.node) === 1");
    assert!(browser.text("#play-says").contains("earlier position"));
    browser.key("ArrowUp");
    browser.wait("chuhe.page.desk.game.ply(chuhe.page.desk.node) === 0");
    browser.key("ArrowDown");
    browser.wait("chuhe.page.desk.game.ply(chuhe.page.desk.node) === 2");
    browser.key("u");
    moves(&mut browser, 0);
    browser.wait("chuhe.page.desk.table.legal.size > 0");
    browser.write("#play-table .move-entry", "车九进七");
    browser.eval("document.querySelector('#play-table .move-form').requestSubmit()");
    moves(&mut browser, 2);
    browser.eval("document.activeElement.blur()");
    browser.key("3");
    browser.wait("document.body.dataset.view === 'watch'");
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn short_the_language_can_be_changed_at_any_time() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "zh-CN");
    assert_eq!(browser.eval("chuhe.untranslated()"), json!([]));
    assert_eq!(browser.eval("document.documentElement.lang"), "zh-CN");
    assert!(browser.text("#tabs").contains("对弈"));
    begin(&mut browser, NEAR_MATE, "red");
    browser.tap("a1a8");
    moves(&mut browser, 2);
    browser.wait("document.querySelector('#play-moves').innerText.includes('车九进七')");
    browser.click("#language");
    browser.wait("document.documentElement.lang === 'en'");
    assert!(browser.text("#tabs").contains("Play") && browser.text("#play-says").contains("Your move"));
    // The moves too, unless the reader has chosen a notation.
    assert!(browser.text("#play-moves").contains("a1-a8"), "{}", browser.text("#play-moves"));
    browser.click("#language");
    browser.wait("document.querySelector('#play-moves').innerText.includes('车九进七')");
    browser.eval("chuhe.settings.set('notation', 'wxf')");
    browser.click("#language");
    assert!(browser.text("#play-moves").contains("R9+7"), "{}", browser.text("#play-moves"));
    let chinese = browser.eval(
        "[...document.querySelectorAll('[data-t]')].filter((e) => /[\\u4e00-\\u9fff]/.test(e.textContent) && !/帥|炮/.test(e.textContent)).length",
    );
    assert_eq!(chinese, 0, "texts that stayed Chinese");
    browser.reload();
    assert_eq!(browser.eval("document.documentElement.lang"), "en", "the choice is kept");
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn a_lost_connection_is_said_and_made_again() {
    let mut server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    begin(&mut browser, NEAR_MATE, "red");
    browser.eval("chuhe.page.link.socket.close()");
    browser.wait("!document.getElementById('connection').hidden");
    browser.wait("document.getElementById('connection').hidden && chuhe.page.link.isUp");
    browser.tap("a1a8");
    moves(&mut browser, 2);
    server.end();
    browser.wait("!document.getElementById('connection').hidden");
    assert!(browser.text("#connection").contains("connection is lost"));
}
