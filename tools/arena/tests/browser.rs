//! The report in a browser: tests of the replay by moves, keys and clicks, and screenshots.
//!
//! `cargo test -p chuhe-arena --test browser -- --ignored`, with `chromium` or the browser that `CHROMIUM` names; the
//! screenshots go to `target/tmp/report`.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use chuhe::board::Position;
use chuhe_games::pgn::read::PgnReader;
use chuhe_games::record::GameRecord;
use support::report::{ENGINES, report, two_thousand_games};

/// A page in its own folder, so that tests can run in parallel.
struct Page {
    folder: PathBuf,
    text: String,
}

impl Page {
    fn new(name: &str, text: String) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let page = Self { folder, text };
        std::fs::write(page.file(), &page.text).unwrap();
        page
    }

    fn file(&self) -> PathBuf {
        self.folder.join("report.html")
    }

    /// Returns the page's elements after its scripts and then `script` have run.
    fn elements_after(&self, fragment: &str, script: &str) -> String {
        std::fs::write(self.file(), format!("{}<script>{script}</script>", self.text)).unwrap();
        self.browse(fragment, &["--dump-dom"])
    }

    /// Returns the page's elements after keys were pressed at ply 5 of game 3.
    fn elements_after_keys(&self, keys: &[&str]) -> String {
        let press = |key: &&str| {
            format!("document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true }}));")
        };
        self.elements_after("#game=3&ply=5", &keys.iter().map(press).collect::<String>())
    }

    fn picture(&self, name: &str, window: &str, is_dark: bool) {
        let picture = self.folder.join(name);
        let _ = std::fs::remove_file(&picture);
        let (screenshot, size) = (format!("--screenshot={}", picture.display()), format!("--window-size={window}"));
        let scheme = format!("--blink-settings=preferredColorScheme={}", u8::from(!is_dark));
        self.browse("#game=3&ply=31", &[&screenshot, &size, &scheme]);
        assert!(picture.metadata().is_ok_and(|file| file.len() > 20_000), "{name} is empty");
    }

    fn browse(&self, fragment: &str, arguments: &[&str]) -> String {
        let browser = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".into());
        let profile = self.folder.join(format!("profile-{}", std::process::id()));
        let output = Command::new(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--hide-scrollbars", "--virtual-time-budget=3000"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .args(arguments)
            .arg(format!("file://{}{fragment}", self.file().display()))
            .output()
            .expect("the browser can be started");
        let _ = std::fs::remove_dir_all(&profile);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

fn shown(game: u32, ply: usize) -> String {
    format!("data-game=\"{game}\" data-ply=\"{ply}\"")
}

#[test]
#[ignore = "needs a Chromium browser"]
fn the_board_shows_the_wanted_ply_of_the_wanted_game() {
    let games = support::made_up_games(ENGINES, 6);
    let page = Page::new("replay", report(&games, "Replay"));
    for (game, ply) in [(&games[0], 0), (&games[0], 7), (&games[3], 8), (&games[4], usize::MAX)] {
        let ply = ply.min(game.moves.len());
        let start = Position::from_fen(&game.start_fen).unwrap();
        let position = game.moves[..ply].iter().fold(start, |at, record| at.play(record.mv.parse().unwrap()));
        let fen: Vec<String> = position.to_fen().split(' ').take(2).map(str::to_owned).collect();
        let elements = page.browse(&format!("#game={}&ply={ply}", game.number), &["--dump-dom"]);
        let expected = format!("{} data-fen=\"{}\"", shown(game.number, ply), fen.join(" "));
        assert!(elements.contains(&expected), "{expected} is not on the page");
        let pieces = elements.matches("class=\"piece ").count();
        assert_eq!(pieces, position.occupied().count() as usize, "game {} ply {ply}", game.number);
    }
}

#[test]
#[ignore = "needs a Chromium browser"]
fn keys_and_clicks_move_through_the_games() {
    let games = support::made_up_games(ENGINES, 8);
    let page = Page::new("keys", report(&games, "Keys"));
    let last = games[2].moves.len();
    for (keys, expected) in [
        (&["ArrowRight", "ArrowRight", "ArrowLeft"][..], shown(3, 6)),
        (&["End", "ArrowRight"], shown(3, last)),
        (&["Home", "ArrowLeft"], shown(3, 0)),
        (&["]", "ArrowRight"], shown(4, 1)),
    ] {
        assert!(page.elements_after_keys(keys).contains(&expected), "{keys:?} do not lead to {expected}");
    }
    for (place, expected) in [
        ("[data-number=\"7\"] td", shown(7, 0)),
        ("#moves [data-ply=\"9\"]", shown(3, 9)),
        ("[data-go=back]", shown(3, 4)),
    ] {
        let elements = page.elements_after("#game=3&ply=5", &format!("document.querySelector('{place}').click()"));
        assert!(elements.contains(&expected), "a click on {place} does not lead to {expected}");
    }
}

#[test]
#[ignore = "needs a Chromium browser"]
fn positions_and_games_can_be_copied() {
    let games = support::made_up_games(ENGINES, 4);
    let page = Page::new("copies", report(&games, "Copies"));
    let start = Position::from_fen(&games[2].start_fen).unwrap();
    let position = games[2].moves[..5].iter().fold(start, |at, record| at.play(record.mv.parse().unwrap()));
    let copied = |what: &str| {
        let elements =
            page.elements_after("#game=3&ply=5", &format!("document.querySelector('[data-copy={what}]').click()"));
        let text = elements.split("<textarea").nth(1).unwrap().split('>').nth(1).unwrap();
        text.split("</textarea").next().unwrap().replace("</textarea", "")
    };
    assert_eq!(copied("fen"), position.to_fen());
    let pgn = copied("pgn");
    let game = PgnReader::new(&pgn).next().unwrap().unwrap();
    let moves: Vec<String> = game.moves.iter().map(ToString::to_string).collect();
    assert_eq!(moves, games[2].moves.iter().map(|record| record.mv.clone()).collect::<Vec<_>>(), "{pgn}");
    assert_eq!(game.start.to_fen(), start.to_fen());
}

#[test]
#[ignore = "needs a Chromium browser"]
fn games_are_filtered_by_engine_and_opening() {
    let mut games = support::made_up_games(ENGINES, 8);
    games[7].red = "A third".into();
    let page = Page::new("filters", report(&games, "Filters"));
    let count = |select: &str, value: &str| {
        let script = format!(
            "const s = document.getElementById('{select}'); s.value = '{value}'; s.dispatchEvent(new Event('change'))"
        );
        let elements = page.elements_after("#game=1", &script);
        let told = elements.split("id=\"count\" class=\"note\">").nth(1).unwrap();
        told.split(" of ").next().unwrap().parse::<usize>().unwrap()
    };
    assert_eq!(count("filter-engine", "2 *"), 1, "games of the third");
    let openings = [count("filter-opening", "0"), count("filter-opening", "1"), count("filter-opening", "")];
    assert_eq!(openings, [4, 4, 8]);
}

#[test]
#[ignore = "needs a Chromium browser"]
fn two_thousand_games_are_shown_without_a_long_wait() {
    let page = Page::new("many", report(&two_thousand_games(), "Two thousand games"));
    let begun = Instant::now();
    let elements = page.browse("#game=1999&ply=3", &["--dump-dom"]);
    assert!(elements.contains("2000 of 2000 games") && elements.contains(&shown(1999, 3)));
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
}

#[test]
#[ignore = "needs a Chromium browser"]
fn pictures_are_made_to_be_looked_at() {
    let games = support::made_up_games(ENGINES, 40);
    let page = Page::new("pictures", report(&games, "Chuhe 0.1 against Fairy-Stockfish"));
    page.picture("wide.png", "1200,2400", false);
    page.picture("dark.png", "1200,2400", true);
    page.picture("phone.png", "400,4000", false);
    page.picture("phone-dark.png", "400,4000", true);

    let third = |game: &GameRecord| {
        let renamed = |name: &str| name.replace(ENGINES[1], "Pikafish with a rather long name");
        GameRecord { number: game.number + 40, red: renamed(&game.red), black: renamed(&game.black), ..game.clone() }
    };
    let three: Vec<GameRecord> = games.iter().cloned().chain(games.iter().map(third)).collect();
    Page::new("three", report(&three, "One engine against two others")).picture("three.png", "1200,2400", false);
}
