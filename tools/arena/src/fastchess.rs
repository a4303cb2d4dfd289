//! Results in the format of fastchess: a block between dashed lines, which scripts read.

use std::collections::BTreeMap;

use chuhe_engines::player::EngineSpec;
use chuhe_games::record::{GameRecord, GameResult};

use crate::settings::OpeningsFile;
use crate::stats::{Interval, Tally};

/// Separator of two blocks.
const DASHES: &str = "--------------------------------------------------";

/// Placeholder for an unknown value.
const NOTHING: &str = "NULL";

/// Drawn pairs: with two decided games, and with two draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct EvenPairs {
    decided: u64,
    drawn: u64,
}

/// Returns `A vs B (10+0.1, 1t, 16MB, book.epd)`, with the values of both engines where they differ.
pub(crate) fn heading(engines: [&EngineSpec; 2], openings: Option<&OpeningsFile>) -> String {
    let both = |word: fn(&EngineSpec) -> String| {
        let [first, second] = engines.map(word);
        if first == second { first } else { format!("{first} - {second}") }
    };
    let threads = both(|engine| setting(engine, &["threads"], "t"));
    let memory = both(|engine| setting(engine, &["hash", "hashsize"], "MB"));
    let book = openings.and_then(|file| Some(file.path.file_name()?.to_string_lossy().into_owned()));
    let book = book.unwrap_or_else(|| NOTHING.to_owned());
    let [first, second] = engines.map(|engine| &engine.name);
    format!("{first} vs {second} ({}, {threads}, {memory}, {book})", both(|engine| engine.time.to_string()))
}

fn setting(engine: &EngineSpec, names: &[&str], unit: &str) -> String {
    let is_called = |name: &str| names.iter().any(|known| name.eq_ignore_ascii_case(known));
    let value = engine.options.iter().rev().find(|(name, _)| is_called(name)).map(|(_, value)| value);
    value.map_or_else(|| NOTHING.to_owned(), |value| format!("{value}{unit}"))
}

/// Counts the drawn pairs of a match between two engines.
pub(crate) fn even_pairs(games: &[GameRecord]) -> EvenPairs {
    let mut halves = BTreeMap::new();
    let mut even = EvenPairs::default();
    for game in games {
        let Some((other, red)) = halves.remove(&game.number.div_ceil(2)) else {
            halves.insert(game.number.div_ceil(2), (game.result, &game.red));
            continue;
        };
        match (game.result, other) {
            // The colours were not exchanged.
            _ if *red == game.red => {}
            (GameResult::Draw, GameResult::Draw) => even.drawn += 1,
            // The same colour won twice, so each engine won once.
            (GameResult::Red, GameResult::Red) | (GameResult::Black, GameResult::Black) => even.decided += 1,
            _ => {}
        }
    }
    even
}

/// Returns the lines of the block; `test` is the line about the SPRT.
pub(crate) fn block(heading: &str, tally: &Tally, even: EvenPairs, test: Option<&str>) -> Vec<String> {
    let Some(estimate) = tally.estimate() else { return Vec::new() };
    let mut lines = vec![
        DASHES.to_owned(),
        format!("Results of {heading}:"),
        format!("Elo: {}, nElo: {}", interval(&estimate.elo), interval(&estimate.normalised_elo)),
        format!(
            "LOS: {:.2} %, DrawRatio: {:.2} %, PairsRatio: {}",
            100.0 * estimate.superiority,
            100.0 * tally.even_pair_ratio().unwrap_or(0.0),
            ratio(tally.pairs_ratio())
        ),
        format!(
            "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({:.2} %)",
            tally.games(),
            tally.wins,
            tally.losses,
            tally.draws,
            tally.points(),
            100.0 * tally.score().unwrap_or(0.5)
        ),
        format!("Ptnml(0-2): {:?}, WL/DD Ratio: {}", tally.pairs, ratio(even.ratio())),
    ];
    lines.extend(test.map(str::to_owned));
    lines.push(DASHES.to_owned());
    lines
}

impl EvenPairs {
    fn ratio(self) -> Option<f64> {
        (self.decided + self.drawn > 0).then(|| self.decided as f64 / self.drawn as f64)
    }
}

fn interval(interval: &Interval) -> String {
    // Adding zero removes the minus sign of a negative zero.
    format!("{} +/- {}", number(interval.value + 0.0), number(interval.known_error().unwrap_or(f64::NAN)))
}

fn ratio(ratio: Option<f64>) -> String {
    number(ratio.unwrap_or(f64::NAN))
}

/// Formats a number as C++ does.
fn number(number: f64) -> String {
    if number.is_nan() { "nan".to_owned() } else { format!("{number:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::made_up::game;
    use chuhe_games::record::EndingClass;

    #[test]
    fn the_block_is_worded_as_fastchess_words_it() {
        // Counts of a block that the developers of fastchess have published.
        let tally = Tally { wins: 1, losses: 2, draws: 7, pairs: [0, 1, 4, 0, 0] };
        let even = EvenPairs { decided: 1, drawn: 3 };
        let lines = block("a vs b (2+0.02, NULL, NULL, openings.pgn)", &tally, even, Some("LLR: 0.02"));
        assert_eq!(lines[1], "Results of a vs b (2+0.02, NULL, NULL, openings.pgn):");
        assert!(lines[2].starts_with("Elo: -34.86 +/- ") && lines[2].contains(", nElo: -"), "{}", lines[2]);
        assert!(lines[3].ends_with(" %, DrawRatio: 80.00 %, PairsRatio: 0.00"), "{}", lines[3]);
        assert_eq!(lines[4], "Games: 10, Wins: 1, Losses: 2, Draws: 7, Points: 4.5 (45.00 %)");
        assert_eq!(lines[5], "Ptnml(0-2): [0, 1, 4, 0, 0], WL/DD Ratio: 0.33");
        assert_eq!((lines[6].as_str(), &lines[0]), ("LLR: 0.02", &lines[7]));
        assert!(block("", &Tally::default(), even, None).is_empty());
    }

    #[test]
    fn what_is_no_number_is_written_as_there() {
        let tally = Tally { wins: 2, losses: 0, draws: 0, pairs: [0, 0, 0, 0, 1] };
        let lines = block("", &tally, EvenPairs::default(), None);
        assert_eq!(lines[2], "Elo: inf +/- nan, nElo: inf +/- nan");
    }

    #[test]
    fn the_heading_names_what_is_set() {
        let engine = |name: &str, options: &[(&str, &str)]| EngineSpec {
            options: options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            ..EngineSpec::new(name)
        };
        let (first, second) = (engine("a", &[("Threads", "1"), ("Hash", "8")]), engine("b", &[("threads", "1")]));
        assert_eq!(heading([&first, &second], None), "a vs b (st=1, 1t, 8MB - NULL, NULL)");
    }

    #[test]
    fn even_pairs_are_decided_or_drawn() {
        use GameResult::{Black, Draw, Red};
        let results = [Red, Red, Draw, Draw, Red, Black, Black, Black, Draw, Red, Draw];
        let games: Vec<GameRecord> = results
            .iter()
            .zip(1..)
            .map(|(&result, number)| {
                let (red, black) = if number % 2 == 1 { ("a", "b") } else { ("b", "a") };
                game(number, red, black, result, EndingClass::Mate)
            })
            .collect();
        assert_eq!(even_pairs(&games), EvenPairs { decided: 2, drawn: 1 });
        // Without exchanged colours one engine has won both games.
        let games = [1, 2].map(|number| game(number, "a", "b", Red, EndingClass::Mate));
        assert_eq!(even_pairs(&games), EvenPairs::default());
    }
}
