//! Games in and out: every format, pictures, links, the editor.

use std::fs;

use serde_json::json;

use crate::driver::{Browser, Server};
use crate::watch::{HEADER, game};

const PGN: &str = "[Game \"Chinese Chess\"]\n[Red \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. 炮二平五 马８进７ {usual} (1... 马２进３) 2. 马二进三 1-0\n";
const DHTMLXQ: &str = "[DhtmlXQ]\n[DhtmlXQ_title]a[/DhtmlXQ_title]\n[DhtmlXQ_binit]0919293949596979891777062646668600102030405060708012720323436383[/DhtmlXQ_binit]\n[DhtmlXQ_movelist]774770627967[/DhtmlXQ_movelist]\n[DhtmlXQ_move_0_2_1]10227967[/DhtmlXQ_move_0_2_1]\n[/DhtmlXQ]\n";

/// Returns an XQF file of the first version: `h2e2 h9g7`, with a comment before the moves and on the second one.
fn xqf() -> Vec<u8> {
    let side = |back: u8, cannons: u8, pawns: u8| {
        let back = (0..9).map(move |file| file * 10 + back);
        back.chain([1, 7].map(|file| file * 10 + cannons))
            .chain([0, 2, 4, 6, 8].map(|file| file * 10 + pawns))
            .collect::<Vec<u8>>()
    };
    let mut bytes = vec![0; 1024];
    bytes[..3].copy_from_slice(b"XQ\x0a");
    bytes[16..48].copy_from_slice(&[side(0, 2, 3), side(9, 7, 6)].concat());
    // The second comment is in the code page of older programs.
    let records = [(0, 0, true, &b"opening"[..]), (72, 42, true, b""), (79, 67, false, &[0xb3, 0xa3, 0xbc, 0xfb])];
    for (from, to, next, comment) in records {
        bytes.extend([from + 24, to + 32, if next { 0xF0 } else { 0 }, 0, comment.len() as u8, 0, 0, 0]);
        bytes.extend(comment);
    }
    bytes
}

/// Waits until the page shows a loaded game with this many moves, and returns the moves.
fn loaded(browser: &mut Browser, count: usize) -> String {
    browser
        .wait(&format!("chuhe.page.view === chuhe.page.analyse && chuhe.page.desk.game.mainLine().length === {count}"));
    let moves = browser.eval("chuhe.page.desk.game.mainLine().map((node) => node.mv).join(' ')");
    browser.eval("chuhe.page.analyse.load(new chuhe.page.desk.game.constructor(chuhe.page.link.hello.start))");
    moves.as_str().unwrap().to_owned()
}

#[test]
#[ignore = "needs a Chromium browser"]
fn short_every_format_is_read_by_pasting_or_as_a_file() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    let texts = [
        (PGN, "h2e2 h9g7 h0g2"),
        (DHTMLXQ, "h2e2 h9g7 h0g2"),
        ("1.炮二平五 马８进７ 2.马二进三", "h2e2 h9g7 h0g2"),
        ("C2=5 H8+7", "h2e2 h9g7"),
        ("h2e2 h9g7 1-0", "h2e2 h9g7"),
        ("position startpos moves h2e2", "h2e2"),
    ];
    for (text, moves) in texts {
        browser.click("#open-load");
        browser.write("#paste", text);
        browser.click("#read-it");
        assert_eq!(loaded(&mut browser, moves.split(' ').count()), moves, "{text}");
    }
    browser.click("#open-load");
    browser.write("#paste", "3k5/9/9/9/9/9/9/9/4R4/4K4 w");
    browser.click("#read-it");
    browser.wait("chuhe.page.desk.game.start.startsWith('3k5/')");

    let path = server.folder.path().join("game.xqf");
    fs::write(&path, xqf()).unwrap();
    browser.upload(&path);
    browser.wait("chuhe.page.desk.game.mainLine().length === 2");
    // A reload in the middle keeps the game with its comments.
    browser.reload();
    assert_eq!(browser.eval("chuhe.page.desk.game.root.comment"), "opening");
    assert_eq!(browser.eval("chuhe.page.desk.game.mainLine()[1].comment"), "常见");
    assert!(browser.text("#analyse-moves").contains("常见"));
    assert_eq!(loaded(&mut browser, 2), "h2e2 h9g7");

    browser.eval(&format!(
        "(() => {{ const data = new DataTransfer(); data.items.add(new File([{}], 'two.pgn'));
           window.dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true, cancelable: true }})); }})()",
        json!(format!("{PGN}\n{}", PGN.replace("\"A\"", "\"Third\"")))
    ));
    browser.wait("document.querySelectorAll('.game-row').length === 2");
    assert!(browser.text(".found").contains("Third"));
    browser.click(".game-row[data-game='1']");
    browser.wait("chuhe.page.desk.game.tags.Red === 'Third'");
    assert_eq!(browser.eval("chuhe.page.desk.game.mainLine()[0].children.length"), 2, "with its variation");
    assert_eq!(browser.eval("chuhe.page.desk.game.mainLine()[1].comment"), "usual");
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn the_files_of_other_programs_are_loaded() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "zh-CN");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/games");
    // A browser takes no path with dots.
    let folder = folder.canonicalize().unwrap();
    let journal = server.folder.path().join("own.journal");
    fs::write(&journal, format!("{HEADER}{}", game(1, "Red", "h2e2 h9g7 h0g2"))).unwrap();
    let files = [
        (folder.join("small.cbr"), "红方", "h2e2 h9g7"),
        (folder.join("small.che"), "红方", "h2e2 h9g7 h0g2 i9h9"),
        (folder.join("small.mxq"), "甲", "h2e2 h9g7 h0g2 i9h9"),
        (folder.join("big5.pgn"), "許銀川", "h2e2 h9g7 h0g2 i9h9"),
        (folder.join("ranks.pgn"), "a", "h2e2 h9g7 h0g2 i9h9"),
        (journal, "Chuhe", "h2e2 h9g7 h0g2"),
    ];
    for (path, red, moves) in files {
        browser.upload(&path);
        let count = moves.split(' ').count();
        browser.wait(&format!("chuhe.page.desk.game.mainLine().length === {count}"));
        assert_eq!(browser.text("#bottom-player"), red, "{}", path.display());
        assert_eq!(loaded(&mut browser, count), moves, "{}", path.display());
    }
    // A library: its games are offered.
    browser.upload(&folder.join("small.cbl"));
    browser.wait("document.querySelectorAll('.game-row').length === 2");
    assert!(browser.text(".found").contains("红方"));
    browser.click(".game-row[data-game='1']");
    browser.wait("chuhe.page.desk.game.mainLine()[1]?.comment === '常见'");
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn large_texts_links_and_the_clipboard_are_read() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    // More than a message may hold: it goes as a file.
    let large = PGN.repeat(8000);
    assert!(large.len() > 1 << 20);
    browser.eval(&format!("chuhe.page.exchange.readText({})", json!(large)));
    browser.wait("document.querySelectorAll('.game-row').length === 500");
    assert!(browser.text(".found").contains("8000 games"));
    browser.eval("document.getElementById('load-dialog').close()");
    // What is too large for the server is refused, and the connection stays.
    browser.eval("chuhe.page.exchange.readText('x'.repeat(5 << 20))");
    browser.wait("document.querySelector('.note-box.urgent')?.textContent.includes('too large')");
    let refused = browser
        .eval("chuhe.page.link.ask({ type: 'read', text: '炮'.repeat(400000) }).catch((trouble) => trouble.code)");
    assert_eq!((refused, browser.eval("chuhe.page.link.isUp")), (json!("too_large"), json!(true)));
    browser.eval("document.getElementById('notes').replaceChildren()");
    // A link of another start is read as well as a game.
    browser.click("#open-load");
    browser.write("#paste", "http://127.0.0.1:1/#start=rnbakabnr%2F9%2F1c5c1%2Fp1p1p1p1p%2F9%2F9%2FP1P1P1P1P%2F1C5C1%2F9%2FRNBAKABNR%20w&moves=h2e2h9g7");
    browser.click("#read-it");
    browser.wait("chuhe.page.desk.game.ply(chuhe.page.desk.node) === 2");
    // A link with a move that is not legal says so and changes nothing.
    browser.eval("location.hash = '#moves=h2e2h2e2'");
    browser.wait("document.querySelector('.note-box.urgent')?.textContent.includes('h2e2')");
    assert_eq!(browser.eval("chuhe.page.desk.game.mainLine().length"), 2);
    browser.eval(
        "(() => { const data = new DataTransfer(); data.setData('text/plain', 'c3c4 c6c5 b0c2');
           document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true })); })()",
    );
    assert_eq!(loaded(&mut browser, 3), "c3c4 c6c5 b0c2");
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn what_is_no_game_is_said_and_changes_nothing() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    browser.eval("chuhe.page.exchange.readText('<img src=x onerror=alert(1)> is not a game')");
    browser.wait("document.querySelector('.note-box.urgent')");
    assert_eq!(browser.eval("document.querySelectorAll('#notes img').length"), 0);
    browser.click("#notes button");
    // What a dialog has to say lies above it, is short, and can be closed.
    browser.size(420, 740);
    browser.click("#open-load");
    browser.write("#paste", &"x".repeat(100_000));
    browser.click("#read-it");
    browser.wait("document.querySelector('.note-box.urgent')");
    let seen = "(() => { const box = document.querySelector('.note-box').getBoundingClientRect();
        return document.elementFromPoint(box.x + 20, box.y + 10)?.closest('.note-box') && box.height < 300; })()";
    assert_eq!(browser.eval(seen), true, "{}", browser.text("#notes"));
    browser.click("#notes button");
    browser.wait("!document.querySelector('.note-box')");
    browser.click("#load-dialog header button");
    browser.size(1280, 900);
    // A hostile name stays a name.
    browser.eval(&format!(
        "chuhe.page.exchange.readText({})",
        json!(PGN.replace("\"A\"", "\"<img src=x onerror=alert(1)>\""))
    ));
    browser.wait("document.getElementById('bottom-player').textContent.includes('<img')");
    assert_eq!(browser.eval("document.querySelectorAll('img').length"), 0);
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn games_and_boards_are_saved() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    let folder = server.folder.path().join("saved");
    fs::create_dir(&folder).unwrap();
    browser.send("Browser.setDownloadBehavior", json!({ "behavior": "allow", "downloadPath": folder }));
    browser.eval(&format!("chuhe.page.exchange.readText({})", json!(PGN)));
    browser.wait("chuhe.page.desk.game.mainLine().length === 3");
    browser.key("ArrowDown");
    browser.wait("chuhe.page.desk.node.info");
    browser.click("#open-save");
    for kind in ["pgn", "fen", "svg", "png"] {
        browser.click(&format!("#save-{kind}"));
    }
    let read = |name: &str| {
        let begun = std::time::Instant::now();
        loop {
            match fs::read(folder.join(name)) {
                Ok(bytes) if !bytes.is_empty() => return bytes,
                _ => assert!(
                    begun.elapsed().as_secs() < 30,
                    "{name}: {:?}",
                    fs::read_dir(&folder).unwrap().collect::<Vec<_>>()
                ),
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    };
    let pgn = String::from_utf8(read("game.pgn")).unwrap();
    assert!(pgn.contains("H2-E2") && pgn.contains("{usual}") && pgn.contains("B9-C7"), "{pgn}");
    assert!(String::from_utf8(read("position.fen")).unwrap().contains("/1C2C1N2/9/RNBAKAB1R b"));
    let svg = String::from_utf8(read("board.svg")).unwrap();
    assert!(svg.contains("<svg") && !svg.contains("var(--") && !svg.contains("undefined"));
    assert_eq!(&read("board.png")[..4], b"\x89PNG");
    browser.click("#copy-link");
    let link = browser.eval("document.getElementById('saved-text').value");
    let link = link.as_str().unwrap().to_owned();
    assert!(link.ends_with("&moves=h2e2h9g7h0g2"), "{link}");
    browser.eval("document.getElementById('save-dialog').close()");
    browser.eval("chuhe.page.analyse.load(new chuhe.page.desk.game.constructor(chuhe.page.link.hello.start))");
    browser.eval(&format!("location.hash = ''; location.hash = {}", json!(link.split_once('#').unwrap().1)));
    assert_eq!(loaded(&mut browser, 3), "h2e2 h9g7 h0g2");
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn a_position_is_set_up() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    browser.click("#open-editor");
    browser.write("#editor-fen", "3k5/9/9/9/9/9/9/9/9/4K4 w");
    browser.wait("document.querySelectorAll('.pieces .piece').length === 2");
    browser.click(".tool[data-piece=R]");
    browser.tap_square("a5");
    browser.wait("document.getElementById('editor-fen').value.startsWith('3k5/9/9/9/R8/')");
    browser.wait("!document.getElementById('editor-analyse').disabled");
    // Two kings that face each other are refused.
    browser.write("#editor-fen", "4k4/9/9/9/9/9/9/9/9/4K4 w");
    browser.wait("document.getElementById('editor-analyse').disabled");
    browser.write("#editor-fen", "3k5/9/9/9/R8/9/9/9/9/4K4 b - - 0 1");
    browser.wait("!document.getElementById('editor-analyse').disabled");
    browser.click("#editor-analyse");
    browser.wait("document.body.dataset.view === 'analyse' && chuhe.page.desk.node.info?.side === 'black'");
    browser.no_errors();
}
