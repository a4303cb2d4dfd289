//! Matches that the real arena plays while the page watches them: `ci/build.sh` builds the programs.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::driver::{Browser, Server, program, zoo};

/// Positions to begin with.
const OPENINGS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/openings.epd");

/// A match in the folder of a server; it ends with its test.
struct Match(Child, PathBuf);

impl Match {
    /// Starts a match by the words of a line: `{chuhe}` and `{zoo}` are engines, and `_` a space inside a word.
    fn start(server: &Server, line: &str) -> Self {
        let journal = server.folder.path().join("match.journal");
        let fill = |word: &str| {
            let word = word.replace('_', " ").replace("{chuhe}", &program("chuhe").display().to_string());
            word.replace("{zoo}", &zoo().display().to_string())
        };
        let process = Command::new(program("chuhe-arena"))
            .args(line.split_whitespace().map(fill))
            .args(["-openings", &format!("file={OPENINGS}"), "-journal"])
            .arg(&journal)
            .current_dir(server.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .expect("ci/build.sh has built the arena");
        Self(process, journal)
    }

    fn is_running(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    /// Waits for the end of the match; returns what `chuhe-arena stats --json` says of it.
    fn finish(mut self) -> Value {
        assert!(self.0.wait().unwrap().success(), "the match is played to its end");
        let stats = Command::new(program("chuhe-arena")).arg("stats").arg(&self.1).arg("--json").output().unwrap();
        serde_json::from_slice(&stats.stdout).unwrap_or_else(|error| panic!("{error}: {stats:?}"))
    }
}

impl Drop for Match {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns the standing of `chuhe-arena stats --json` in the page's form.
fn standing(stats: &Value) -> Vec<Value> {
    let row = |engine: &Value| json!({ "name": engine["name"], "won": engine["wins"], "drawn": engine["draws"], "lost": engine["losses"] });
    let mut rows: Vec<Value> = stats["engines"].as_array().unwrap().iter().map(row).collect();
    rows.sort_by_key(|row| row["name"].to_string());
    rows
}

/// Fails unless the page shows the result of the match as the arena counts it.
fn compare(browser: &mut Browser, stats: &Value) {
    let games = stats["games"].as_u64().unwrap();
    browser.wait(&format!("chuhe.page.watch.match.played === {games} && chuhe.page.watch.playing.length === 0"));
    browser.wait(&format!("document.querySelectorAll('#journal-games tr').length === {games}"));
    let shown = browser.eval("chuhe.page.watch.match.standing.toSorted((a, b) => (a.name < b.name ? -1 : 1))");
    assert_eq!(shown, Value::from(standing(stats)));
    let text = browser.text("#standing");
    assert!(text.contains(&format!("{games} / {} games", stats["planned"])), "{text}");
    for engine in standing(stats) {
        let score = format!("{} – {} – {}", engine["won"], engine["drawn"], engine["lost"]);
        let (name, is_first) = (engine["name"].as_str().unwrap(), engine["name"] == stats["engines"][0]["name"]);
        let has_a_row = is_first || stats["engines"].as_array().unwrap().len() > 2;
        assert!(text.contains(name) && (!has_a_row || text.contains(&score)), "{name} {score}: {text}");
    }
}

/// Number of moves of the game under way on the board, 0 if there is another game.
const PLIES: &str = "(chuhe.page.watch.choice.part ? chuhe.page.watch.game.mainLine().length : 0)";

#[test]
#[ignore = "needs a Chromium browser"]
fn a_match_of_the_arena_is_watched_while_it_is_played() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    browser.key("3");
    browser.wait("document.getElementById('view-watch').textContent.includes('no journal in the folder yet')");
    let mut game = Match::start(
        &server,
        "-engine cmd={chuhe} name=Chuhe option.usebook=false -engine cmd={zoo} name=Zoo args=ucci_wild_score=15_late=400 \
         -each nodes=300 -rounds 1 -maxmoves 30",
    );

    // A game is on the board while it is played, and its moves come as they are played.
    browser.wait(&format!("document.querySelector('#journal-games .under-way') && {PLIES} > 0"));
    let before = browser.eval(PLIES);
    browser.wait(&format!("{PLIES} > {before}"));
    assert_eq!(browser.text("#watch-says"), "Game 1: under way");
    assert_eq!(browser.eval("chuhe.page.desk.node === chuhe.page.watch.game.tip"), true);
    assert!(browser.text("#standing").contains("0 / 2 games"), "{}", browser.text("#standing"));
    // Who looks at an earlier move stays there.
    browser.key("ArrowUp");
    let before = browser.eval(PLIES);
    browser.wait(&format!("{PLIES} > {before}"));
    assert_eq!(browser.eval("chuhe.page.desk.game.ply(chuhe.page.desk.node)"), 0);
    browser.key("ArrowDown");

    // The standing grows.
    browser.wait("chuhe.page.watch.match.played >= 1");
    assert!(game.is_running(), "the page is not behind the match");
    let played = browser.eval("chuhe.page.watch.match.played");
    browser.reload();
    assert_eq!(browser.eval("document.body.dataset.view"), "watch");
    browser.wait(&format!("chuhe.page.watch.match.played >= {played} && {PLIES} > 0"));
    browser.click("#language");
    browser.wait("document.getElementById('watch-says').textContent.endsWith('局：进行中')");
    browser.click("#language");
    assert!(game.is_running(), "the page goes on within the match");
    browser.wait(&format!("chuhe.page.watch.match.played > {played}"));

    let stats = game.finish();
    compare(&mut browser, &stats);
    // The last game is shown to its end, and every game can be replayed with its values.
    browser.wait("!chuhe.page.watch.choice.part");
    browser.click("#journal-games [data-number='1']");
    browser.wait("document.getElementById('watch-says').textContent.startsWith('Game 1: ')");
    browser.wait("chuhe.page.watch.game.mainLine().filter((node) => node.value).length > 5");
    assert!(!fs::exists(server.folder.path().join("match.journal.live")).unwrap());
    browser.no_errors();
}

#[test]
#[ignore = "needs a Chromium browser"]
fn a_tournament_of_three_engines_has_the_standing_of_the_arena() {
    let server = Server::start();
    let mut browser = Browser::open(&server.address, "en");
    browser.key("3");
    // The first one loses everything, so that the order of the table is not that of the command.
    let game = Match::start(
        &server,
        "-engine cmd={zoo} name=Quitter args=ucci_wild_gives-up -engine cmd={chuhe} name=Chuhe option.usebook=false \
         -engine cmd={zoo} name=Zoo args=ucci_wild -each nodes=300 -rounds 2 -maxmoves 15 -concurrency 2",
    );
    let stats = game.finish();
    compare(&mut browser, &stats);
    let first = browser.text("#standing tr:first-child");
    assert!(!first.contains("Quitter"), "the best engine stands first: {first}");
    browser.no_errors();
}
