//! The report as text; `browser.rs` tests its appearance.

mod support;

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
