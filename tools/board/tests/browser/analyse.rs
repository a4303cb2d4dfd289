//! Analysis: lines, variations, comments, book, several engines, the whole game.

use serde_json::json;

use crate::driver::{Browser, Server};

/// Returns a page that analyses, with its engine on.
fn analysing(server: &Server) -> Browser {
    let mut browser = Browser::open(&server.address, "en");
    browser.key("2");
    browser.wait("chuhe.page.analyse.panels[0].lines.length === 3");
    browser
}

#[test]
#[ignore = "needs a Chromium browser"]
fn short_a_position_is_analysed_over_a_reload() {
    let server = Server::start();
    let mut browser = analysing(&server);
    browser.wait("document.querySelectorAll('.engine-panel .lines li').length === 3");
    browser.wait("document.querySelectorAll('.arrows .tip').length > 0");
    browser.wait("document.querySelector('.big-score').textContent.match(/[0-9]/)");
    browser.wait("document.querySelector('.facts').textContent.includes('depth')");
    assert!(browser.eval("document.querySelector('.chances').children.length") == 3);
    // The move of a line that is clicked is played.
    browser.click(".pv-move[data-rank='1'][data-index='1']");
    browser.wait("chuhe.page.analyse.game.mainLine().length === 2");
    browser.wait("chuhe.page.analyse.panels[0].lines.length === 3");
    browser.reload();
    assert_eq!(browser.eval("document.body.dataset.view"), "analyse");
    assert_eq!(browser.eval("chuhe.page.analyse.game.mainLine().length"), 2);
    browser.wait("chuhe.page.analyse.panels[0].lines.length === 3");
    browser.click("#engine-on-a");
    browser.wait("document.querySelector('.engine-panel').classList.contains('off')");
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn variations_and_comments_grow_a_tree() {
    let server = Server::start();
    let mut browser = analysing(&server);
    browser.tap("h2e2");
    browser.tap("h9g7");
    browser.key("ArrowLeft");
    browser.tap("b9c7");
    browser.write("#comment", "the other horse");
    browser.wait("document.querySelector('#analyse-moves .variation .remark')?.textContent === 'the other horse'");
    assert_eq!(browser.eval("chuhe.page.analyse.game.isMain(chuhe.page.desk.node)"), false);
    browser.eval("document.activeElement.blur()");
    browser.click("#promote");
    assert_eq!(browser.eval("chuhe.page.analyse.game.isMain(chuhe.page.desk.node)"), true);
    browser.reload();
    assert_eq!(browser.eval("chuhe.page.desk.node.comment"), "the other horse");
    browser.send("Input.dispatchKeyEvent", json!({ "type": "rawKeyDown", "key": "ArrowLeft", "modifiers": 8 }));
    browser.wait("chuhe.page.desk.node.mv === 'h9g7'");
    browser.click("#prune");
    assert_eq!(browser.eval("chuhe.page.analyse.game.mainLine().map((node) => node.mv)"), json!(["h2e2", "b9c7"]));
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn the_book_is_shown_and_two_engines_side_by_side() {
    let server = Server::start();
    let mut browser = analysing(&server);
    browser.wait("document.querySelectorAll('.moves-table [data-mv]').length > 2");
    assert!(browser.text(".moves-table").contains('%'));
    browser.eval("chuhe.page.analyse.addPanel()");
    browser.wait("chuhe.page.analyse.panels[1].lines.length === 3");
    browser.wait("document.querySelectorAll('.arrows .tip.other').length > 0");
    browser.click(".moves-table [data-mv]");
    browser.wait("chuhe.page.analyse.game.mainLine().length === 1");
    browser.wait("chuhe.page.analyse.panels.every((panel) => panel.lines.length === 3)");
    // A won ending: the tablebases know it.
    browser.eval("chuhe.page.usePosition('4k4/9/9/9/9/9/9/9/R8/4K4 w - - 0 1', 'analyse')");
    browser.wait("document.querySelector('.verdict.win')");
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn short_a_whole_game_is_analysed_over_a_reload() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    // Red's last move loses the rook for nothing.
    browser.eval("chuhe.page.exchange.readText('h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 h0h7')");
    browser.wait("chuhe.page.view === chuhe.page.analyse && chuhe.page.desk.game.mainLine().length === 7");
    browser.click("#engine-on-a");
    browser.click("#review-begin");
    browser.wait("chuhe.page.desk.game.mainLine().filter((node) => node.value).length >= 2");
    browser.reload();
    browser.wait("document.querySelector('progress').value > 0");
    browser.wait("document.querySelector('#review-summary table')");
    let summary = browser.text("#review-summary");
    assert!(summary.contains("Accuracy") && summary.matches('%').count() == 2, "{summary}");
    let nags = browser.eval("chuhe.page.analyse.game.mainLine()[6].nags");
    assert_eq!(nags, json!([4]), "the loss of the rook is a blunder");
    // The curve goes where it is clicked.
    browser.click(".curve:not(.closed)");
    browser.wait("[3, 4].includes(chuhe.page.desk.game.ply(chuhe.page.desk.node))");
    let pgn = browser.eval(
        "chuhe.page.link.ask({ type: 'export', format: 'pgn', notation: 'iccs', game: chuhe.page.desk.game.toMessage() }).then((file) => file.text)",
    );
    let pgn = pgn.as_str().unwrap();
    assert!(pgn.contains("[%eval ") && pgn.contains("H0-H7"), "{pgn}");
    browser.no_errors();
}
