//! Ways to use the page beside the mouse: touch, keys and screen readers; colours, board styles, sounds.

use serde_json::json;

use crate::driver::{Browser, Server};

/// Begins a game at a fixed depth.
fn begin(browser: &mut Browser) {
    browser.write("#conditions [data-name=time]", "depth");
    browser.write("#conditions [data-name=depth]", "2");
    browser.click("#play-begin");
}

fn moves(browser: &mut Browser, count: usize) {
    browser.wait(&format!("chuhe.page.play.game.mainLine().length === {count}"));
}

#[test]
#[ignore = "needs a Chromium browser"]
fn a_finger_plays_on_a_phone() {
    let server = Server::start();
    let mut browser = Browser::start("en");
    let phone = json!({ "width": 420, "height": 860, "deviceScaleFactor": 2, "mobile": true });
    browser.send("Emulation.setDeviceMetricsOverride", phone);
    browser.send("Emulation.setTouchEmulationEnabled", json!({ "enabled": true }));
    browser.go(&server.address);
    begin(&mut browser);
    browser.touch("h2e2");
    moves(&mut browser, 2);
    browser.touch("h0g2");
    moves(&mut browser, 4);
    // Buttons are large enough for a finger: 28 px and more of the phone's own.
    let small = browser.eval(
        "[...document.querySelectorAll('button')].filter((e) => e.offsetParent && !e.matches('.move'))
            .filter((e) => e.getBoundingClientRect().height < 28).map((e) => e.outerHTML)",
    );
    assert_eq!(small, json!([]));
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn moves_are_said_to_screen_readers_in_both_languages() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    browser.eval(
        "window.said = []; new MutationObserver(() => said.push(document.getElementById('spoken').textContent))
            .observe(document.getElementById('spoken'), { childList: true }); true",
    );
    browser.eval("chuhe.page.exchange.readText('h2e2 h7e7 e2e6')");
    browser.wait("chuhe.page.desk.game.mainLine().length === 3");
    for said in [
        "Red: h2-e2, red cannon to e2",
        "Black: h7-e7, black cannon to e7",
        "Red: e2-e6, red cannon to e6, takes the black pawn",
    ] {
        browser.key("ArrowRight");
        browser.wait(&format!("said.includes({})", json!(said)));
    }
    browser.key("ArrowUp");
    browser.click("#language");
    browser.eval("chuhe.settings.set('notation', 'chinese')");
    browser.key("ArrowRight");
    browser.wait("said.includes('红方：炮二平五，红炮到 e2')");
    // The keyboard's cursor reads squares, pieces and where they may go.
    browser.eval("document.getElementById('board').focus(); chuhe.page.desk.table.moveCursor(63)");
    browser.wait("said.includes('a7 空')");
    browser.wait("chuhe.page.desk.table.legal.size > 0");
    browser.key("ArrowRight");
    browser.wait("said.includes('b7 黑炮')");
    browser.key("Enter");
    browser.wait("said.some((text) => text.startsWith('黑炮：') && text.includes('b0'))");
    // Every control has a name, and every piece.
    let nameless = "[...document.querySelectorAll('button, select, input, textarea')].filter((e) => e.offsetParent && !e.textContent.trim()
        && !e.getAttribute('aria-label') && !e.closest('label') && !e.title).map((e) => e.outerHTML)";
    assert_eq!(browser.eval(nameless), json!([]));
    assert_eq!(browser.eval("document.querySelectorAll('.pieces .piece:not([aria-label])').length"), 0);
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn the_space_bar_hints_and_the_rules_and_levels_are_named() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    browser.eval("window.asked = []; const link = chuhe.page.link, begin = link.begin; link.begin = function (message, ...rest) { asked.push(message); return begin.call(this, message, ...rest); }; true");
    browser.write("#play-level", "900");
    browser.write("#play-rules", "chinese");
    begin(&mut browser);
    assert!(browser.text("#play-says").contains("Rules of repetition: Chinese rules"));
    assert!(browser.text("#top-player").contains("900 Elo"), "{}", browser.text("#top-player"));
    browser.wait("chuhe.page.desk.table.legal.size > 0");
    browser.key(" ");
    browser.wait("document.querySelector('#play-says .offer')?.textContent.startsWith('Hint: ')");
    browser.tap("h2e2");
    moves(&mut browser, 2);
    let asked = browser
        .eval("(({ elo, rules, limits }) => ({ elo, rules, limits }))(asked.find(({ type }) => type === 'play'))");
    assert_eq!(asked, json!({ "elo": 900, "rules": "chinese", "limits": { "depth": 2 } }));
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn colours_board_styles_pieces_and_sounds_are_chosen_and_kept() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    assert_eq!(browser.eval("chuhe.settings.sounds"), "off", "silent until the reader wants sounds");
    let look = "(() => { const style = getComputedStyle(document.documentElement); return ['--page', '--wood'].map((name) => style.getPropertyValue(name).trim()).join(' ') + ' '
        + document.querySelector('.pieces use').getAttribute('href').slice(1, -2); })()";
    let mut looks = vec![browser.eval(look)];
    for (name, value) in [("theme", "dark"), ("board", "paper"), ("pieces", "letter"), ("theme", "light")] {
        browser.click("#open-settings");
        browser.click(&format!("[data-setting={name}] [data-value={value}]"));
        browser.eval("document.getElementById('settings-dialog').close()");
        let now = browser.eval(look);
        assert!(!looks.contains(&now), "{name} {value}: {now}");
        looks.push(now);
    }
    browser.click("#open-settings");
    browser.click("[data-setting=sounds] [data-value=on]");
    browser.reload();
    assert_eq!(browser.eval(look), looks[4], "kept over a reload");
    assert_eq!(browser.eval("chuhe.settings.sounds"), "on");
    // The system's choice of colours is followed where the reader has made none.
    browser.eval("chuhe.settings.set('theme', 'auto')");
    for scheme in ["dark", "light"] {
        browser.send(
            "Emulation.setEmulatedMedia",
            json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] }),
        );
        browser.wait(&format!("document.documentElement.dataset.theme === '{scheme}'"));
    }
    browser.no_errors();
}
