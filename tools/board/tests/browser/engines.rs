//! Engines of the user: added on the page, asked for moves, and what the page says of those that fail.

use serde_json::json;

use crate::driver::{Browser, Server, zoo, zoo_file};

/// Begins a game against an engine of the list, with the human as Red.
fn begin(browser: &mut Browser, engine: &str) {
    browser.key("1");
    browser.eval("chuhe.page.play.reset()");
    browser.write("#play-engine", engine);
    browser.write("#conditions [data-name=time]", "movetime");
    browser.write("#conditions [data-name=seconds]", "0.1");
    browser.click("#play-begin");
}

#[test]
#[ignore = "needs a Chromium browser"]
fn an_engine_is_added_tested_and_removed_on_the_page() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    browser.click("#open-settings");
    browser.click("#open-engines");
    browser.wait("document.getElementById('engines-dialog').open");
    assert!(browser.text("#engines-dialog").contains("board.toml"), "the page says where the list is kept");
    browser.click("#add-an-engine");
    browser.write("[data-field=name]", "My <b>engine</b>");
    browser.write("[data-field=command]", &zoo().display().to_string());
    browser.write("[data-field=args]", "uci-zero score=5");
    browser.click("#save-engines");
    browser.wait("document.querySelector('#engines-dialog .test-engine')");
    browser.click("#engines-dialog .test-engine");
    browser.wait("document.querySelector('.engine-row [role=status]').textContent.includes('zoo answers: UCI')");
    let kept = std::fs::read_to_string(server.folder.path().join("board.toml")).unwrap();
    assert!(kept.contains("My <b>engine</b>") && kept.contains("score=5"), "{kept}");
    // A reload in the middle keeps it; its name stays a name.
    browser.reload();
    begin(&mut browser, "My <b>engine</b>");
    assert_eq!(browser.eval("document.querySelectorAll('b b, select b').length"), 0);
    browser.tap("h2e2");
    browser.wait("chuhe.page.play.game.mainLine().length === 2");
    assert_eq!(browser.eval("chuhe.page.play.ours ?? chuhe.page.play.form.ours.hidden"), true, "levels are Chuhe's");

    browser.click("#open-settings");
    browser.click("#open-engines");
    browser.wait("document.getElementById('engines-dialog').open");
    browser.click("#engines-dialog .engine-row .icon-button");
    browser.click("#save-engines");
    browser.wait("chuhe.page.link.hello.engines.length === 1");
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn engines_offer_draws_accept_them_and_resign_by_the_words_of_ucci() {
    let server = Server::start_with(&zoo_file(&[
        ("offers", "ucci score=0 draw"),
        ("resigns", "ucci scores-low resign"),
        ("plays", "ucci score=30"),
    ]));
    let mut browser = Browser::open(&server.address, "en");
    begin(&mut browser, "offers");
    browser.tap("h2e2");
    browser.wait("document.getElementById('play-says').textContent.includes('offers a draw')");
    // A move declines it; the next offer is accepted.
    browser.tap("h0g2");
    browser.wait("chuhe.page.play.game.mainLine().length === 4");
    browser.wait("document.getElementById('play-says').textContent.includes('offers a draw')");
    browser.reload();
    browser.click("#accept-draw");
    assert_eq!(browser.text("#play-says .outcome"), "Draw: agreement.");

    begin(&mut browser, "offers");
    browser.wait("chuhe.page.desk.table.legal.size > 0");
    browser.click("#offer-draw");
    browser.tap("h2e2");
    browser.wait("chuhe.page.play.match.phase === 'over'");
    assert_eq!(browser.text("#play-says .outcome"), "Draw: agreement.", "the engine accepts");

    begin(&mut browser, "plays");
    browser.wait("chuhe.page.desk.table.legal.size > 0");
    browser.click("#offer-draw");
    browser.tap("h2e2");
    browser.wait("document.querySelector('.note-box')?.textContent.includes('plays declines the draw')");
    assert_eq!(browser.eval("chuhe.page.play.match.phase"), "on");

    begin(&mut browser, "resigns");
    browser.tap("h2e2");
    browser.wait("chuhe.page.play.match.phase === 'over'");
    let notes = browser.text("#notes");
    assert_eq!(browser.text("#play-says .outcome"), "Red wins: resignation.", "{notes}");
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn what_an_engine_does_wrong_is_said_and_the_page_goes_on() {
    let server = Server::start_with(&zoo_file(&[
        ("dies", "ucci dies wails"),
        ("hangs", "ucci hangs"),
        ("floods", "ucci floods"),
        ("illegal", "ucci illegal"),
    ]));
    let mut browser = Browser::open(&server.address, "en");
    for (engine, said) in
        [("dies", "line 3 of 3"), ("illegal", "not legal"), ("hangs", "no answer"), ("floods", "lines")]
    {
        begin(&mut browser, engine);
        browser.tap("h2e2");
        browser.wait("chuhe.page.play.match.phase === 'over'");
        assert_eq!(browser.text("#play-says .outcome"), "Red wins: the engine failed.", "{engine}");
        let note = browser.text(".note-box.urgent");
        assert!(note.contains("The engine failed.") && note.contains(engine) && note.contains(said), "{note}");
        browser.eval("document.getElementById('notes').replaceChildren()");
    }
    browser.key("2");
    browser.write(".engine-panel select", "floods");
    browser.wait("document.querySelector('.note-box.urgent')?.textContent.includes('floods')");
    browser.wait("document.querySelector('.engine-panel').classList.contains('off')");
    // Chuhe takes its place.
    browser.write(".engine-panel select", "Chuhe");
    browser.click("#engine-on-a");
    browser.wait("chuhe.page.analyse.panels[0].lines.length === 3");
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn four_engines_search_side_by_side_and_a_fifth_has_no_place() {
    let server = Server::start_with(&zoo_file(&[("other", "ucci score=5")]));
    let mut browser = Browser::open(&server.address, "en");
    browser.key("2");
    browser.wait("chuhe.page.analyse.panels[0].lines.length === 3");
    for count in 2..=4 {
        browser.click(".engine-options .icon-button");
        browser.wait(&format!("chuhe.page.analyse.panels[{}].lines.length === 3", count - 1));
    }
    assert_eq!(browser.eval("document.querySelector('.engine-options .icon-button').disabled"), true);
    browser.reload();
    browser.wait("chuhe.page.analyse.panels.filter((panel) => panel.lines.length === 3).length === 4");
    browser.write(".engine-panel[data-slot=b] select", "other");
    browser
        .wait("chuhe.page.analyse.panels[1].lines[0]?.depth === 3 && chuhe.page.analyse.panels[1].lines.length === 1");
    browser.click(".engine-panel[data-slot=c] .engine-head .icon-button");
    assert_eq!(browser.eval("chuhe.page.analyse.panels.map(({ slot }) => slot)"), json!(["a", "b", "d"]));
    browser.no_errors();
}
