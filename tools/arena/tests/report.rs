//! The report as text, and, where there is a browser, as it is seen.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use chuhe::board::Position;
use chuhe_arena::record::GameRecord;
use chuhe_arena::report::{EngineSummary, MatchSummary, write};
use chuhe_arena::sprt::{Model, Sprt};

const HOSTILE: &str = "</script><img src=x onerror=alert(1)>{{data}}";

fn report(games: &[GameRecord], title: &str) -> String {
    let engine = |name: &str, details: &str| EngineSummary { name: name.into(), details: details.into() };
    let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).unwrap();
    write(&MatchSummary {
        title,
        games,
        engines: &[engine("Chuhe 0.1 楚河", "UCCI, Hash=16"), engine("Fairy-Stockfish", "UCI, Threads=1")],
        sprt: Some(&sprt),
        conditions: &[("time control".into(), "10+0.1".into()), ("rules".into(), "asian".into())],
    })
}

#[test]
fn no_name_can_leave_its_place_and_nothing_is_fetched() {
    let mut games = support::made_up_games(["Chuhe 0.1 楚河", "Fairy-Stockfish"], 2);
    games[0].red = HOSTILE.into();
    games[0].ending.text = HOSTILE.into();
    let text = report(&games, HOSTILE);
    assert!(!text.contains("<img"), "a name became markup");
    assert!(text.matches("</script>").count() == 3 && text.matches("{{data}}").count() == 4);
    let addresses = text.replace("http://www.w3.org/2000/svg", "");
    for word in ["http:", "https:", "url(", "@import", "src=\"", "fetch("] {
        assert!(!addresses.contains(word), "{word}");
    }
}

#[test]
fn an_empty_match_has_a_report() {
    assert!(report(&[], "nothing yet").contains("\"games\":[]"));
}

#[test]
fn two_thousand_games_stay_small() {
    let some = support::made_up_games(["Chuhe 0.1 楚河", "Fairy-Stockfish"], 10);
    let games: Vec<GameRecord> =
        (0..2000).map(|index| GameRecord { number: index as u32 + 1, ..some[index % some.len()].clone() }).collect();
    let plies: usize = games.iter().map(|game| game.moves.len()).sum();
    let text = report(&games, "long");
    assert!(text.len() < plies * 25 + 1_000_000, "{} bytes for {plies} plies", text.len());
}

/// Pictures go to `target/tmp/report`. Looks for the browser in `CHROMIUM`, then for `chromium`.
#[test]
#[ignore = "needs a Chromium browser"]
fn a_browser_shows_the_replay_of_every_ply() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("report");
    std::fs::create_dir_all(&folder).unwrap();
    let games = support::made_up_games(["Chuhe 0.1 楚河", "Fairy-Stockfish"], 40);
    let page = folder.join("report.html");
    std::fs::write(&page, report(&games, "Chuhe 0.1 against Fairy-Stockfish")).unwrap();

    for (number, ply) in [(1, 0), (1, 7), (4, 8), (5, usize::MAX)] {
        let game = &games[number - 1];
        let ply = ply.min(game.moves.len());
        let start = Position::from_fen(&game.start_fen).unwrap();
        let position = game.moves[..ply].iter().fold(start, |at, record| at.play(record.mv.parse().unwrap()));
        let fen: Vec<String> = position.to_fen().split(' ').take(2).map(str::to_owned).collect();
        let dom = browse(&folder, &page, &format!("#game={number}&ply={ply}"), &["--dump-dom"]);
        let expected = format!("data-game=\"{number}\" data-ply=\"{ply}\" data-fen=\"{}\"", fen.join(" "));
        assert!(dom.contains(&expected), "{expected} is not on the page");
        assert_eq!(dom.matches("class=\"piece ").count() as u32, position.occupied().count());
    }
    let keys = |keys: &[&str]| -> String {
        let press = |key: &&str| {
            format!("document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true }}));")
        };
        let script: String = keys.iter().map(press).collect();
        let pressed = folder.join("pressed.html");
        let text = std::fs::read_to_string(&page).unwrap();
        std::fs::write(&pressed, format!("{text}<script>{script}</script>")).unwrap();
        browse(&folder, &pressed, "#game=3&ply=5", &["--dump-dom"])
    };
    let last = games[2].moves.len();
    assert!(keys(&["ArrowRight", "ArrowRight", "ArrowLeft"]).contains("data-game=\"3\" data-ply=\"6\""));
    assert!(keys(&["End", "ArrowRight"]).contains(&format!("data-game=\"3\" data-ply=\"{last}\"")));
    assert!(keys(&["Home", "ArrowLeft"]).contains("data-game=\"3\" data-ply=\"0\""));
    assert!(keys(&["]", "ArrowRight"]).contains("data-game=\"4\" data-ply=\"1\""));
    let click = format!(
        "{}<script>document.querySelector('[data-number=\"7\"] td').click()</script>",
        std::fs::read_to_string(&page).unwrap()
    );
    let clicked = folder.join("clicked.html");
    std::fs::write(&clicked, click).unwrap();
    let dom = browse(&folder, &clicked, "", &["--dump-dom"]);
    assert!(dom.contains("data-game=\"7\" data-ply=\"0\""));

    let longer: Vec<GameRecord> = games
        .iter()
        .flat_map(|game| {
            let third = |mut game: GameRecord, by: u32| {
                game.number += by;
                if by > 0 {
                    game.red = game.red.replace("Fairy-Stockfish", "Pikafish with a rather long name");
                    game.black = game.black.replace("Fairy-Stockfish", "Pikafish with a rather long name");
                }
                game
            };
            [third(game.clone(), 0), third(game.clone(), 40)]
        })
        .collect();
    let table = folder.join("three.html");
    std::fs::write(&table, report(&longer, "Three engines, one against the others")).unwrap();
    for (page, name, window, dark) in [
        (&page, "wide.png", "1200,2100", false),
        (&page, "dark.png", "1200,2100", true),
        (&page, "phone.png", "400,3600", false),
        (&page, "phone-dark.png", "400,3600", true),
        (&table, "three.png", "1200,2300", false),
    ] {
        let picture = folder.join(name);
        let _ = std::fs::remove_file(&picture);
        let mut arguments = vec![format!("--screenshot={}", picture.display()), format!("--window-size={window}")];
        if dark {
            arguments.push("--blink-settings=preferredColorScheme=0".into());
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        browse(&folder, page, "#game=3&ply=31", &arguments);
        assert!(picture.metadata().is_ok_and(|file| file.len() > 20_000), "{name} is empty");
    }
}

fn browse(folder: &Path, page: &Path, fragment: &str, arguments: &[&str]) -> String {
    let browser = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".into());
    let profile = folder.join(format!("profile-{}", std::process::id()));
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--hide-scrollbars", "--virtual-time-budget=3000"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(arguments)
        .arg(format!("file://{}{fragment}", page.display()))
        .output()
        .expect("the browser can be started");
    let _ = std::fs::remove_dir_all(&profile);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
