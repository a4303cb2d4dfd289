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
    browser.wait("document.getElementById('share').style.height.endsWith('%')");
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
    let book = browser.text(".moves-table");
    assert!(book.contains('%') && book.contains("Weight"), "{book}");
    assert!(browser.eval("chuhe.page.desk.node.knowledge.book[0].weight").as_u64() > Some(0));
    browser.eval("chuhe.page.analyse.addPanel(); true");
    browser.wait("chuhe.page.analyse.panels[1].lines.length === 3");
    browser.wait("document.querySelectorAll('.arrows .tip.other').length > 0");
    browser.click(".moves-table [data-mv]");
    browser.wait("chuhe.page.analyse.game.mainLine().length === 1");
    browser.wait("chuhe.page.analyse.panels.every((panel) => panel.lines.length === 3)");
    // A won ending: the tablebases know it.
    browser.eval("chuhe.page.usePosition('4k4/9/9/9/9/9/9/9/R8/3K5 w - - 0 1', 'analyse')");
    browser.wait("document.querySelector('.verdict.win')");
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn lines_notations_and_resources_are_changed_while_it_searches() {
    let server = Server::start();
    let mut browser = analysing(&server);
    browser.write("[data-option=multipv]", "5");
    browser.wait("document.querySelectorAll('.engine-panel .lines li').length === 5");
    browser.write("[data-option=hash]", "16");
    browser.write("[data-option=threads]", "2");
    browser.wait("chuhe.page.analyse.panels[0].options.threads === Math.min(2, chuhe.page.link.hello.threads)");
    browser.wait("chuhe.page.analyse.panels[0].lines.length === 5");
    browser.write("[data-option=hash]", "999999");
    assert_eq!(
        browser.eval("chuhe.page.analyse.options.hash === chuhe.page.link.hello.hash"),
        true,
        "the server's limit"
    );
    browser.write("[data-option=hash]", "16");
    for (notation, form) in [("chinese", "[\\u4e00-\\u9fff]{2}"), ("wxf", "^[A-Z][1-9][=+-]"), ("iccs", "^[a-i][0-9]-")]
    {
        browser.eval(&format!("chuhe.settings.set('notation', '{notation}')"));
        browser.wait(&format!("/{form}/.test(document.querySelector('.pv-move')?.textContent)"));
    }
    // A move of a line that changes between the press and the release of the button is played all the same.
    let place = browser.eval("(() => { const box = document.querySelector('.pv-move').getBoundingClientRect(); return [box.x + 5, box.y + 5]; })()");
    browser.mouse("mousePressed", &place);
    browser.eval("chuhe.page.analyse.panels[0].render()");
    browser.mouse("mouseReleased", &place);
    browser.wait("chuhe.page.analyse.game.mainLine().length === 1");
    // The space bar turns the engine off and on.
    browser.eval("document.activeElement.blur()");
    browser.key(" ");
    browser.wait("document.querySelector('.engine-panel').classList.contains('off')");
    browser.key(" ");
    browser.wait("chuhe.page.analyse.panels[0].lines.length === 5");
    browser.no_errors();
}

/// Opens a game whose last move loses a rook for nothing, and begins its analysis.
fn begin_review(browser: &mut Browser) {
    browser.eval("chuhe.page.exchange.readText('h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 h0h7')");
    browser.wait("chuhe.page.view === chuhe.page.analyse && chuhe.page.desk.game.mainLine().length === 7");
    browser.click("#engine-on-a");
    browser.click("#review-begin");
}

/// Number of positions that the running analysis of a game has valued.
const VALUED: &str = "chuhe.page.analyse.review.state.known.length";

#[test]
#[ignore = "needs a Chromium browser"]
fn short_a_whole_game_is_analysed_over_a_reload() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    begin_review(&mut browser);
    browser.wait(&format!("{VALUED} >= 3"));
    browser.reload();
    // It goes on where it was, and says so.
    assert!(browser.eval(VALUED).as_u64() >= Some(3));
    assert!(browser.eval("document.querySelector('progress').value").as_f64() >= Some(0.37));
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

#[test]
#[ignore = "needs a Chromium browser"]
fn an_analysis_of_a_game_outlives_its_connection_and_is_saved_in_the_language_of_the_page() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    begin_review(&mut browser);
    browser.wait(&format!("{VALUED} >= 3"));
    browser.eval("chuhe.page.link.socket.close()");
    browser.wait("!document.getElementById('connection').hidden");
    browser.wait("chuhe.page.link.isUp && chuhe.page.analyse.review.job");
    assert!(browser.text("#view-analyse").contains("Going on with position"), "{}", browser.text("#view-analyse"));
    browser.wait("document.querySelector('#review-summary table')");
    // It can be stopped, which keeps what there is.
    browser.click("#review-begin");
    browser.wait(&format!("{VALUED} >= 2"));
    browser.eval("chuhe.page.analyse.review.stop()");
    browser.wait("document.querySelector('#review-summary table')");

    browser.eval("chuhe.page.desk.go(chuhe.page.desk.game.tip)");
    browser.eval("chuhe.page.desk.game.tip.comment = '[%eval -4.00/9] [%best C3-C4] blunder'; chuhe.page.desk.game.tip.nags = [4]");
    browser.write("#comment", "hurried");
    let saved = "chuhe.page.link.ask({ type: 'export', format: 'pgn', notation: 'iccs', game: chuhe.page.desk.game.toMessage() }).then((file) => file.text)";
    let english = browser.eval(saved);
    assert!(english.as_str().unwrap().contains("[%best C3-C4] blunder hurried"), "{english}");
    browser.click("#language");
    let chinese = browser.eval(saved);
    assert!(chinese.as_str().unwrap().contains("[%best C3-C4] 败着 hurried"), "{chinese}");
    // Another analysis keeps the reader's words.
    browser.eval(
        "chuhe.page.analyse.review.keep([chuhe.page.desk.game.root, ...chuhe.page.desk.game.mainLine()], { accuracy: {}, counts: {}, plies: [
            { ply: 7, mv: 'h0h7', after: { cp: -500 }, expectation: 0.1, mark: 'blunder', pv: [], comment: '[%eval -5.00/9] blunder' }] })",
    );
    assert_eq!(browser.eval("chuhe.page.desk.game.tip.comment"), "[%eval -5.00/9] blunder hurried");
    // Read back, in either language, the mark is a sign and the comment the reader's.
    for text in [english, chinese] {
        browser.eval(&format!("chuhe.page.exchange.readText({text})"));
        browser
            .wait("chuhe.page.desk.node === chuhe.page.desk.game.root && chuhe.page.desk.game.mainLine().length === 7");
        let tip = browser.eval("[chuhe.page.desk.game.constructor.plainComment(chuhe.page.desk.game.tip), chuhe.page.desk.game.tip.nags, chuhe.page.desk.game.tip.value.score]");
        assert_eq!(tip, json!(["hurried", [4], { "cp": -400 }]));
        browser.eval("chuhe.page.desk.go(chuhe.page.desk.game.tip)");
    }
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn mates_of_a_saved_analysis_are_read_back() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    let game = "[FEN \"4k4/9/9/9/9/9/9/9/R8/1R1K5 w - - 0 1\"]\n\n1. a1a8 {[%eval +M2/9]} e9f9 {[%eval #1/9]} 2. b0b9 {[%eval #]} 1-0\n";
    browser.eval(&format!("chuhe.page.exchange.readText({})", json!(game)));
    browser.wait("chuhe.page.desk.game.mainLine().length === 3");
    let scores = browser.eval("chuhe.page.desk.game.mainLine().map((node) => node.value.score)");
    assert_eq!(scores, json!([{ "mate": 2 }, { "mate": 1 }, { "mate": 0, "winner": "red" }]));
    browser.wait("document.querySelector('.curve:not(.closed) path.line')");
    browser.no_errors();
}
