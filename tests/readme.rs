//! The tables and examples in the README match the program.

use chuhe::engine::event::{Dialect, OutputFormat, Reply};
use chuhe::engine::options::{Row, rows};
use chuhe::protocol::lines;
use chuhe::score::Score;

const README: &str = include_str!("../README.md");

/// Formats a text as code; an empty one stays empty.
fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{text}`") }
}

#[test]
fn the_readme_lists_the_options_of_the_registry() {
    let lines = rows().into_iter().map(|Row { ucci, uci, values, default, about }| {
        format!("| {} | {} | {values} | {} | {about} |", code(ucci), code(uci), code(&default))
    });
    let head = ["| UCCI | UCI | values | default | does |".to_owned(), "|---|---|---|---|---|".to_owned()];
    let table = head.into_iter().chain(lines).collect::<Vec<_>>().join("\n");
    let readme = README.replace("\r\n", "\n");
    assert!(readme.contains(&table), "the README shall contain this table:\n\n{table}\n");
}

/// Whether `shown` lists all lines of `said` in order, where `...` stands for any number of lines.
fn is_shown(shown: &[&str], said: &[&str]) -> bool {
    match shown {
        [] => said.is_empty(),
        ["...", rest @ ..] => (0..=said.len()).any(|left_out| is_shown(rest, &said[left_out..])),
        [line, rest @ ..] => said.first() == Some(line) && is_shown(rest, &said[1..]),
    }
}

#[test]
fn the_handshakes_of_the_dialogues_are_what_the_engine_says() {
    for (dialect, greeting, end) in [(Dialect::Ucci, "> ucci", "ucciok"), (Dialect::Uci, "> uci", "uciok")] {
        let text = lines(&Reply::Introduction, &OutputFormat { dialect, ..OutputFormat::default() });
        let said: Vec<&str> = text.lines().collect();
        let mut shown: Vec<&str> = README.lines().skip_while(|line| *line != greeting).skip(1).collect();
        shown.truncate(1 + shown.iter().position(|line| *line == end).expect("the handshake has an end"));
        assert!(is_shown(&shown, &said), "behind {greeting} the README shows {shown:#?}");
    }
}

#[test]
fn the_numbers_of_decided_games_are_those_of_ucci() {
    let number = |score| {
        let told =
            lines(&Reply::StaticValue(score), &OutputFormat { dialect: Dialect::Ucci, ..OutputFormat::default() });
        told.trim()
            .rsplit(' ')
            .next()
            .and_then(|number| number.parse::<i32>().ok())
            .expect("the score is the last word")
    };
    let grouped = |number: i32| format!("{},{:03}", number / 1000, number % 1000);
    let known = grouped(number(Score::known_win_in(0)) / 100 * 100);
    let [banned, mate] = [-Score::banned_in(0), Score::mate_in(0)].map(|score| grouped(number(score)));
    let text = README.split_whitespace().collect::<Vec<_>>().join(" ");
    for told in [
        format!("a known win some {known},"),
        format!("perpetual check or chase {banned} less the plies to it, a mate {mate} less these."),
        format!("near 31,000 ({banned}), one by the other side's perpetual check or chase."),
    ] {
        assert!(text.contains(&told), "the README shall say: {told}");
    }
}
