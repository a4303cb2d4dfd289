//! The report in a browser: tests of the replay by moves, keys and clicks, and screenshots.
//!
//! `cargo test -p chuhe-arena --test browser -- --ignored`, with `chromium` or the browser that `CHROMIUM` names; the
//! screenshots go to `target/tmp/report`.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use chuhe::board::Position;
use chuhe::notation::{Notation, write};
use chuhe_games::pgn::read::PgnReader;
use chuhe_games::record::{Eval, GameRecord, MoveRecord};
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

    /// Returns the title that `script` leaves in the narrowest window that the browser has.
    fn title_in_a_narrow_window(&self, script: &str) -> String {
        std::fs::write(self.file(), format!("{}<script>{script}</script>", self.text)).unwrap();
        let elements = self.browse("#game=3&ply=5", &["--dump-dom", "--window-size=500,1000"]);
        elements.split("<title>").nth(1).unwrap().split('<').next().unwrap().to_owned()
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

/// Returns the text of the first element with this `id`, without markup.
#[track_caller]
fn text_of(elements: &str, id: &str, tag: &str) -> String {
    let inside = elements.split(&format!("id=\"{id}\"")).nth(1).unwrap().split_once('>').unwrap().1;
    let inside = inside.split(&format!("</{tag}>")).next().unwrap();
    inside.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect()
}

fn choose(name: &str, value: &str) -> String {
    format!(
        "{{ const s = document.getElementById('choice-{name}'); s.value = '{value}'; s.dispatchEvent(new Event('change')) }}"
    )
}

/// Returns the first eight moves of a game, in the notation of the report.
fn written(game: &GameRecord, notation: Notation) -> Vec<String> {
    let mut position = Position::from_fen(&game.start_fen).unwrap();
    let next = |record: &MoveRecord| {
        let mv = record.mv.parse().unwrap();
        let text = match notation {
            Notation::Iccs => write(&position, mv, notation).to_lowercase(),
            Notation::Wxf => write(&position, mv, notation).replace('N', "H").replace('B', "E"),
            Notation::Chinese => write(&position, mv, notation),
        };
        position = position.play(mv);
        text
    };
    game.moves[..8].iter().map(next).collect()
}

#[test]
#[ignore = "needs a Chromium browser"]
fn moves_are_written_in_the_chosen_notation() {
    let games = support::made_up_games(ENGINES, 4);
    let page = Page::new("notations", report(&games, "Notations"));
    for (value, notation) in [("iccs", Notation::Iccs), ("wxf", Notation::Wxf), ("chinese", Notation::Chinese)] {
        let elements = page.elements_after("#game=3&ply=5", &choose("notation", value));
        let (list, now) = (text_of(&elements, "moves", "ol"), text_of(&elements, "now", "p"));
        let moves = written(&games[2], notation);
        for mv in &moves {
            assert!(list.contains(mv), "{mv} is not in {list}");
        }
        assert!(now.starts_with(&moves[4]), "{} is not in {now}", moves[4]);
        let edge = text_of(&elements, "board", "svg");
        assert_eq!(edge.contains("abcdefghi"), notation == Notation::Iccs, "{edge}");
        assert!(elements.contains(&shown(3, 5)));
    }
}

#[test]
#[ignore = "needs a Chromium browser"]
fn pieces_are_characters_or_letters() {
    let games = support::made_up_games(ENGINES, 3);
    let page = Page::new("letters", report(&games, "Letters"));
    let count = |script: &str| {
        let elements = page.elements_after("#game=3&ply=0", script);
        ["#character-", "#letter-"].map(|name| elements.matches(&format!("href=\"{name}")).count())
    };
    let press = "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'l', bubbles: true }));";
    assert_eq!(count(""), [32, 0]);
    assert_eq!([count(press), count(&choose("pieces", "letter"))], [[0, 32]; 2]);
    assert_eq!(count(&press.repeat(2)), [32, 0]);
}

#[test]
#[ignore = "needs a Chromium browser"]
fn the_board_is_saved_as_a_picture() {
    let games = support::made_up_games(ENGINES, 3);
    let page = Page::new("saved", report(&games, "Saved"));
    let saved = |kind: &str| {
        // The link alone is of interest: a browser without a window may wait for a download for ever.
        let stop = "HTMLAnchorElement.prototype.click = () => {};";
        let script = format!("{stop} document.querySelector('[data-save={kind}]').click()");
        let elements = page.elements_after("#game=3&ply=5", &script);
        let link = elements.split("id=\"saved-board\"").nth(1).unwrap().split('>').next().unwrap().to_owned();
        assert!(link.contains(&format!("download=\"game-3-ply-5.{kind}\"")), "{link}");
        link.split("href=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    let codes = [("%3C", "<"), ("%20", " "), ("%22", "\""), ("%23", "#"), ("%3D", "=")];
    let svg = codes.into_iter().fold(saved("svg"), |text, (code, letter)| text.replace(code, letter));
    let pieces = svg.matches("class=\"piece ").count();
    let start = Position::from_fen(&games[2].start_fen).unwrap();
    let position = games[2].moves[..5].iter().fold(start, |at, record| at.play(record.mv.parse().unwrap()));
    assert_eq!(pieces, position.occupied().count() as usize);
    assert!(svg.starts_with("data:image/svg+xml") && !svg.contains("var(") && svg.contains("#efd7a7"), "{svg}");
    assert!(svg.contains("id=\"character-K\"") && !svg.contains("id=\"letter-K\""), "only what is used is in the file");
    let png = saved("png");
    assert!(png.starts_with("data:image/png;base64,iVBOR") && png.len() > 50_000, "{} characters", png.len());
}

#[test]
#[ignore = "needs a Chromium browser"]
fn mistakes_and_variations_are_shown_with_their_moves() {
    let mut games = support::made_up_games(ENGINES, 3);
    let game = &mut games[2];
    for (index, record) in game.moves.iter_mut().enumerate() {
        // Black, who begins, overlooks something at its fourth move, and red more at its eighth.
        let for_black = if index < 7 {
            0
        } else if index < 16 {
            -250
        } else {
            900
        };
        record.eval = Some(Eval::Centipawns(if index % 2 == 0 { for_black } else { -for_black }));
    }
    let text = |index: usize| game.moves[index].mv.clone();
    let line = format!("info depth 5 score 3 pv {} {} {}", text(4), text(5), text(6));
    game.moves[4].lines = vec![line];
    let page = Page::new("mistakes", report(&games, "Mistakes"));
    let elements = page.browse("#game=3&ply=5", &["--dump-dom"]);
    let list = text_of(&elements, "moves", "ol");
    assert_eq!((list.matches('?').count(), list.matches("??").count()), (3, 1), "{list}");
    for (ply, kind) in [(7, "mistake of black"), (16, "blunder of red")] {
        let circle =
            elements.split("<circle class=\"mistake").find(|part| part.contains(&format!("data-ply=\"{ply}\"")));
        assert!(circle.is_some_and(|circle| circle.contains(kind)), "{kind}");
    }
    let variation = text_of(&elements, "variation", "div");
    let expected = written(&games[2], Notation::Iccs)[4..7].to_vec();
    assert!(expected.iter().all(|mv| variation.contains(mv)), "{expected:?} in {variation}");

    let elements = page.elements_after("#game=3&ply=5", "document.querySelectorAll('#variation button')[2].click()");
    let start = Position::from_fen(&games[2].start_fen).unwrap();
    let position = games[2].moves[..7].iter().fold(start, |at, record| at.play(record.mv.parse().unwrap()));
    let fen: Vec<String> = position.to_fen().split(' ').take(2).map(str::to_owned).collect();
    assert!(elements.contains(&format!("{} data-fen=\"{}\"", shown(3, 5), fen.join(" "))), "the third move is played");
}

/// Shows the elements of a selector that are wider than their place on a page of 420 pixels, as the title of the page. No
/// window of the browser is that narrow, so the body is.
const TOO_WIDE: &str = "document.body.style.maxWidth = '420px'; window.dispatchEvent(new Event('resize'));
    document.title = 'too wide:' + [...document.querySelectorAll('.scroll, .card, .rows, .moves, .controls, #variation')]
        .filter((e) => e.scrollWidth > e.clientWidth).map((e) => ' ' + (e.id || e.className)).join('');";

#[test]
#[ignore = "needs a Chromium browser"]
fn nothing_is_cut_on_a_phone() {
    let games = support::made_up_games(ENGINES, 8);
    let page = Page::new("narrow", report(&games, "Narrow"));
    for notation in ["iccs", "wxf", "chinese"] {
        let script = choose("notation", notation) + TOO_WIDE;
        assert_eq!(page.title_in_a_narrow_window(&script), "too wide:");
    }
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
        let printed = elements.split("id=\"count\" class=\"note\">").nth(1).unwrap();
        printed.split(" of ").next().unwrap().parse::<usize>().unwrap()
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
    page.picture("wide.png", "1280,2700", false);
    page.picture("dark.png", "1280,2700", true);
    page.picture("phone.png", "420,4400", false);
    page.picture("phone-dark.png", "420,4400", true);

    let third = |game: &GameRecord| {
        let renamed = |name: &str| name.replace(ENGINES[1], "Pikafish with a rather long name");
        GameRecord { number: game.number + 40, red: renamed(&game.red), black: renamed(&game.black), ..game.clone() }
    };
    let three: Vec<GameRecord> = games.iter().cloned().chain(games.iter().map(third)).collect();
    Page::new("three", report(&three, "One engine against two others")).picture("three.png", "1200,2400", false);
}
