//! The report as text; `browser.rs` tests its appearance.

mod support;

use chuhe::board::Position;
use chuhe::notation::read_any;
use chuhe_games::record::{Ending, EndingClass, GameResult};
use serde_json::Value;
use support::report::{ENGINES, report, two_thousand_games};

const HOSTILE: &str = "</script><img src=x onerror=alert(1)>{{data}}";

#[test]
fn no_name_can_leave_its_place_and_nothing_is_fetched() {
    let mut games = support::made_up_games(ENGINES, 2);
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

fn data(text: &str) -> Value {
    let json = text.split("id=\"data\">").nth(1).unwrap().split("</script>").next().unwrap();
    serde_json::from_str(json).unwrap()
}

#[test]
fn endings_are_counted_and_the_most_frequent_comes_first() {
    let mut games = support::made_up_games(ENGINES, 10);
    games.iter_mut().for_each(|game| game.ending = Ending::new(EndingClass::Mate, "mated"));
    games[9].ending = Ending::new(EndingClass::TimeLoss, "late");
    games[0].result = GameResult::Unfinished;
    let data = data(&report(&games, "endings"));
    let endings = data["endings"].as_array().unwrap();
    assert_eq!(endings.iter().map(|ending| &ending["games"]).collect::<Vec<_>>(), [9, 1]);
    assert_eq!((&endings[0]["label"], &endings[1]["is_failure"]), (&"mate".into(), &true.into()));
    assert_eq!((0..10).map(|game| data["games"][game]["ending"].as_u64().unwrap()).sum::<u64>(), 1);
}

#[test]
fn engines_have_their_version_and_their_speed() {
    let mut games = support::made_up_games(ENGINES, 2);
    for record in games.iter_mut().flat_map(|game| &mut game.moves) {
        (record.nodes, record.time_ms, record.depth) = (Some(3000), 20, Some(7));
    }
    // The second engine is black, then red.
    games[0].moves.iter_mut().skip(1).step_by(2).for_each(|record| record.nodes = None);
    games[1].moves.iter_mut().step_by(2).for_each(|record| record.nodes = None);
    let data = data(&report(&games, "speed"));
    let [first, second] = [&data["engines"][0], &data["engines"][1]];
    assert_eq!(first["version"], "Chuhe 0.1.0");
    assert_eq!(
        (&first["speed"]["nodes_per_second"], &first["speed"]["nodes_per_move"]),
        (&150_000.into(), &3000.into())
    );
    assert_eq!((&first["speed"]["depth"], &first["speed"]["time_ms"]), (&7.0.into(), &20.into()));
    assert!(second["speed"]["nodes_per_second"].is_null() && second["speed"]["time_ms"] == 20);
    assert_eq!(data["played"][0], games[0].started_at_ms);
}

#[test]
fn every_move_has_its_names() {
    let games = support::made_up_games(ENGINES, 4);
    let data = data(&report(&games, "names"));
    for (index, game) in games.iter().enumerate() {
        let mut position = Position::from_fen(&game.start_fen).unwrap();
        let names = data["games"][index]["names"].as_array().unwrap();
        assert_eq!(names.len(), game.moves.len());
        for (record, name) in game.moves.iter().zip(names) {
            let name = &data["names"][name.as_u64().unwrap() as usize];
            let mv = read_any(&position, name[1].as_str().unwrap()).unwrap();
            assert_eq!((mv.to_string(), read_any(&position, name[0].as_str().unwrap())), (record.mv.clone(), Ok(mv)));
            position = position.play(mv);
        }
    }
}

#[test]
fn an_empty_match_has_a_report() {
    assert!(report(&[], "nothing yet").contains("\"games\":[]"));
}

#[test]
fn two_thousand_games_stay_small() {
    let games = two_thousand_games();
    let plies: usize = games.iter().map(|game| game.moves.len()).sum();
    let text = report(&games, "long");
    assert!(text.len() < plies * 25 + 1_000_000, "{} bytes for {plies} plies", text.len());
}
