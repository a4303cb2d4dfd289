//! Times that a player notices, printed with `--nocapture`. The bounds leave room for a busy machine and a debug build.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::Board;

#[test]
fn answers_come_at_once_and_analysis_soon() {
    let started = Instant::now();
    let board = Board::start();
    let mut page = board.page();
    let ready = started.elapsed();
    let job = page.send(json!({ "type": "analyse", "slot": "a", "engine": "Chuhe" }));
    page.wait(|message| message["type"] == "lines" && message["job"] == job);
    let analysed = started.elapsed();

    // A move while the engine is searching: its position is what the page draws next.
    let moves: Vec<String> = ["h2e2", "h9g7", "h0g2", "i9h9"].map(str::to_owned).to_vec();
    let mut times: Vec<Duration> = (0..100)
        .map(|round| {
            let started = Instant::now();
            assert_eq!(page.position(&moves[..round % 4])["type"], "position");
            started.elapsed()
        })
        .collect();
    times.sort();

    let (begun, mut updates) = (Instant::now(), 0);
    while begun.elapsed() < Duration::from_secs(2) {
        updates += u32::from(page.next()["type"] == "lines");
    }
    let rate = f64::from(updates) / begun.elapsed().as_secs_f64();
    println!("start to page: {ready:.0?}; to the first analysis: {analysed:.0?}");
    println!("a move: {:.1?} in the middle, {:.1?} at worst of {}", times[50], times[99], times.len());
    println!("updates: {rate:.1} a second");
    assert!(times[50] < Duration::from_millis(50), "{:?}", times[50]);
    assert!(analysed < Duration::from_secs(10), "{analysed:?}");
    assert!(rate <= 31.0, "{rate}");
}
