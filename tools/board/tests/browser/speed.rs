//! Times and memory: from a key to the drawn move, to the first analysis, and under a flood of lines.

use std::time::Instant;

use serde_json::json;

use crate::driver::{Browser, Server};

/// Milliseconds from a key press to the frame that shows the move, and the largest that passes.
const DRAWN: f64 = 50.0;

/// Seconds of the flood, unless `CHUHE_BOARD_SECONDS` says otherwise.
const FLOOD: u32 = 20;

#[test]
#[ignore = "needs a Chromium browser"]
fn short_a_key_draws_a_move_in_time() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    let moves = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 b0c2 c9e7 h0h6 h7i7 h6g6 i7i9 g6f6 d9e8";
    browser.eval(&format!("chuhe.page.exchange.readText({})", json!(moves)));
    browser.wait("chuhe.page.view === chuhe.page.analyse && chuhe.page.desk.game.mainLine().length === 16");
    browser.click("#engine-on-a");
    // From the event to the second frame after it: by then the first one is on the screen.
    let script = "(async () => {
        const times = [];
        for (let round = 0; round < 30; round++) {
            const key = round < 15 ? 'ArrowRight' : 'ArrowLeft', before = chuhe.page.desk.node, begun = performance.now();
            document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            times.push(performance.now() - begun);
            if (chuhe.page.desk.node === before) throw new Error('nothing moved');
            await new Promise((done) => setTimeout(done, 30));
        }
        return times.sort((a, b) => a - b);
    })()";
    let times: Vec<f64> = serde_json::from_value(browser.eval(script)).unwrap();
    let (median, last) = (times[times.len() / 2], times[times.len() - 1]);
    println!("from a key to the drawn move: {median:.1} ms, at most {last:.1} ms");
    assert!(median < DRAWN, "{times:?}");
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn the_first_lines_come_within_a_second() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    let begun = Instant::now();
    browser.key("2");
    browser.wait("chuhe.page.analyse.panels[0].lines.length > 0");
    let elapsed = begun.elapsed();
    println!("from the key to the first lines: {} ms", elapsed.as_millis());
    assert!(elapsed.as_millis() < 1000, "{elapsed:?}");
}

#[test]
#[ignore = "needs a Chromium browser"]
fn a_flood_of_lines_does_not_fill_the_memory() {
    let seconds = std::env::var("CHUHE_BOARD_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(FLOOD);
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    browser.key("2");
    browser.wait("chuhe.page.analyse.panels[0].lines.length === 3");
    browser.click("#engine-on-a");
    // Thirty messages a second with 20 lines of 30 moves each, as many as the server may send.
    browser.eval(
        "(() => {
            const panel = chuhe.page.analyse.panels[0], legal = chuhe.page.desk.node.info.legal;
            panel.state.on = true; panel.job = { close() {}, stop() {} }; panel.node = chuhe.page.desk.node;
            window.flood = { count: 0 };
            flood.timer = setInterval(() => {
                const pv = (rank) => Array.from({ length: 30 }, (_, at) => ({ ...legal[(rank + at + flood.count) % legal.length] }));
                const lines = Array.from({ length: 20 }, (_, rank) => ({ rank: rank + 1, depth: 20, score: { cp: 50 - flood.count % 100 - rank }, wdl: [300, 500, 200], bound: null, pv: pv(rank) }));
                panel.hear(panel.job, panel.node, { type: 'lines', depth: 20, seldepth: 40, nodes: 1e6 * ++flood.count, nps: 1e6, ms: 33 * flood.count, lines });
            }, 1000 / 30);
        })()",
    );
    let used = |browser: &mut Browser| {
        browser.send("HeapProfiler.collectGarbage", json!({}));
        browser.eval("performance.memory.usedJSHeapSize").as_f64().unwrap() / 1e6
    };
    std::thread::sleep(std::time::Duration::from_secs(3));
    let before = used(&mut browser);
    std::thread::sleep(std::time::Duration::from_secs(u64::from(seconds)));
    let (after, count) = (used(&mut browser), browser.eval("flood.count"));
    println!("{count} messages of 20 lines in {} s: {before:.1} MB before, {after:.1} MB after", seconds + 3);
    assert!(count.as_f64().unwrap() > 25.0 * f64::from(seconds), "{count} messages");
    assert!(after < before + 4.0, "{before} MB grew to {after} MB");
    browser.eval("clearInterval(flood.timer)");
    browser.no_errors();
}
