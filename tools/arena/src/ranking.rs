//! Ranking of a tournament as a table, and the list of how the games of each engine ended.

use std::collections::BTreeMap;

use chuhe_games::record::{EndingClass, GameRecord, GameResult};

use crate::output::{error, reason, rounded};
use crate::schedule::Tournament;
use crate::settings::{Column, Settings};
use crate::stats::{Tally, come_in_pairs, standings};

/// Returns the ranking as a table; in a gauntlet its engines come first, with rank 0, as in cutechess-cli.
pub(crate) fn ranking(settings: &Settings, games: &[GameRecord]) -> Vec<String> {
    let columns = settings.columns.as_deref().unwrap_or(&Column::USUAL);
    let mut table = standings(games);
    let is_seed = |name: &str| {
        let seeds = settings.engines.iter().take(settings.seeds.max(1));
        settings.tournament == Tournament::Gauntlet && seeds.into_iter().any(|engine| engine.name == name)
    };
    table.sort_by_key(|(name, _)| !is_seed(name));
    let seeds = table.iter().filter(|(name, _)| is_seed(name)).count();
    let width = table.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(25);
    let layout = Layout { settings, games, width, in_pairs: come_in_pairs(games) };
    let head = columns.iter().map(|&column| layout.pad(column, head(column).to_owned()));
    let row = |(place, (name, tally)): (usize, &(String, Tally))| {
        let rank = (place + 1).saturating_sub(seeds);
        let cells = columns.iter().map(|&column| layout.pad(column, layout.cell(column, rank, name, tally)));
        cells.collect::<Vec<_>>().join(" ").trim_end().to_owned()
    };
    let head = head.collect::<Vec<_>>().join(" ").trim_end().to_owned();
    [head].into_iter().chain(table.iter().enumerate().map(row)).collect()
}

const fn head(column: Column) -> &'static str {
    match column {
        Column::Rank => "Rank",
        Column::Name => "Name",
        Column::Elo => "Elo",
        Column::Error => "+/-",
        Column::Games => "Games",
        Column::Wins => "Wins",
        Column::Losses => "Losses",
        Column::Draws => "Draws",
        Column::Points => "Points",
        Column::Score => "Score",
        Column::DrawRatio => "Draw",
        Column::Red => "Red",
        Column::Black => "Black",
        Column::Time => "Time",
        Column::Illegal => "Illegal",
        Column::Disconnections => "Discon",
        Column::Stalls => "Stall",
        Column::TimeControl => "TC",
    }
}

/// Widths and sources of the cells.
struct Layout<'a> {
    settings: &'a Settings,
    games: &'a [GameRecord],
    /// Width of the names.
    width: usize,
    in_pairs: bool,
}

impl Layout<'_> {
    fn pad(&self, column: Column, text: String) -> String {
        match column {
            Column::Rank => format!("{text:>4}"),
            Column::Name => format!("{text:<width$}", width = self.width),
            Column::Points => format!("{text:>8}"),
            Column::TimeControl => format!("{text:>14}"),
            _ => format!("{text:>7}"),
        }
    }

    fn cell(&self, column: Column, rank: usize, name: &str, tally: &Tally) -> String {
        let elo = tally.estimate().map(|estimate| estimate.elo);
        let percent = |share: Option<f64>| format!("{:.1}%", 100.0 * share.unwrap_or(0.0));
        match column {
            Column::Rank => rank.to_string(),
            Column::Name => name.to_owned(),
            Column::Elo => format!("{:.1}", elo.map_or(0.0, |elo| rounded(elo.value, 1))),
            Column::Error => format!("{:.1}", elo.as_ref().map_or(f64::INFINITY, error)),
            Column::Games => tally.games().to_string(),
            Column::Wins => tally.wins.to_string(),
            Column::Losses => tally.losses.to_string(),
            Column::Draws => tally.draws.to_string(),
            Column::Points => format!("{:.1}", tally.points()),
            Column::Score => percent(tally.score()),
            Column::DrawRatio => percent(tally.draw_ratio()),
            Column::Red => percent(self.with_colour(name, true).score()),
            Column::Black => percent(self.with_colour(name, false).score()),
            Column::Time => self.lost(name, &[EndingClass::TimeLoss]),
            Column::Illegal => self.lost(name, &[EndingClass::IllegalMove, EndingClass::BannedMove]),
            Column::Disconnections => {
                self.lost(name, &[EndingClass::Crash, EndingClass::Killed, EndingClass::ProtocolViolation])
            }
            Column::Stalls => self.lost(name, &[EndingClass::Hang, EndingClass::NoHandshake]),
            Column::TimeControl => {
                let engine = self.settings.engines.iter().find(|engine| engine.name == name);
                engine.map_or_else(String::new, |engine| engine.time.to_string())
            }
        }
    }

    /// Returns the results of an engine with Red or with Black.
    fn with_colour(&self, name: &str, is_red: bool) -> Tally {
        let games = self.games.iter().filter(|game| (if is_red { &game.red } else { &game.black }) == name);
        Tally::of(games, name, None, self.in_pairs)
    }

    fn lost(&self, name: &str, classes: &[EndingClass]) -> String {
        let is_so = |game: &&GameRecord| game.loser() == Some(name) && classes.contains(&game.ending.class);
        self.games.iter().filter(is_so).count().to_string()
    }
}

/// Returns how often each kind of win, draw and loss has occurred, engine by engine, as cutechess-cli does.
pub(crate) fn outcomes(games: &[GameRecord]) -> Vec<String> {
    let mut counts: BTreeMap<&str, BTreeMap<String, usize>> = BTreeMap::new();
    for game in games {
        for name in [&game.red, &game.black] {
            let kind = match game.loser() {
                Some(loser) if loser == name => "Loss: ",
                Some(_) => "Win: ",
                None => "",
            };
            let text = reason(game);
            let text = text.split([':', ';']).next().unwrap_or_default();
            if game.result != GameResult::Unfinished {
                *counts.entry(name).or_default().entry(format!("{kind}{text}")).or_default() += 1;
            }
        }
    }
    let mut lines = vec![];
    for (name, counts) in counts {
        lines.push(format!("Player: {name}"));
        lines.extend(counts.iter().map(|(text, count)| format!("   \"{text}\": {count}")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use chuhe_engines::player::EngineSpec;

    use super::*;
    use crate::made_up::game;

    fn settings(names: &[&str], tournament: Tournament) -> Settings {
        let engines = names.iter().map(|name| EngineSpec::new(*name)).collect();
        Settings { engines, tournament, seeds: 1, ..Settings::default() }
    }

    fn words(line: &str) -> String {
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_table_has_a_line_for_each_engine() {
        let games = [
            game(1, "long name", "B", GameResult::Red, EndingClass::Mate),
            game(2, "B", "long name", GameResult::Draw, EndingClass::Repetition),
        ];
        let table = ranking(&settings(&["long name", "B"], Tournament::RoundRobin), &games);
        assert_eq!(table.len(), 3);
        assert!(table[1].starts_with("   1 long name ") && table[1].contains("75.0%"), "{table:?}");
        assert_eq!(words(&table[0]), "Rank Name Elo +/- Games Score Draw");
    }

    #[test]
    fn who_has_won_or_lost_everything_is_ahead_or_behind_without_bound() {
        let games = [
            game(1, "A", "B", GameResult::Red, EndingClass::Mate),
            game(2, "B", "A", GameResult::Black, EndingClass::Mate),
            game(3, "C", "D", GameResult::Unfinished, EndingClass::Interrupted),
        ];
        let table = ranking(&settings(&["A", "B", "C", "D"], Tournament::RoundRobin), &games);
        let of = |name: &str| table.iter().find_map(|line| line.split_once(&format!(" {name} "))).unwrap().1;
        assert_eq!(words(of("A")), "inf inf 2 100.0% 0.0%");
        assert_eq!(words(of("B")), "-inf inf 2 0.0% 0.0%");
        assert_eq!(words(of("C")), "0.0 inf 0 0.0% 0.0%");
    }

    #[test]
    fn nobody_is_worse_by_nothing() {
        let games = [1, 2].map(|number| game(number, "A", "B", GameResult::Draw, EndingClass::Repetition));
        let table = ranking(&settings(&["A", "B"], Tournament::RoundRobin), &games);
        assert!(table.iter().all(|line| !line.contains("-0.0")), "{table:?}");
    }

    #[test]
    fn the_engine_of_a_gauntlet_is_above_the_ranks() {
        let games = [
            game(1, "A", "B", GameResult::Black, EndingClass::Mate),
            game(3, "A", "C", GameResult::Draw, EndingClass::Mate),
        ];
        let ranks = |tournament| -> Vec<String> {
            let table = ranking(&settings(&["A", "B", "C"], tournament), &games);
            table[1..].iter().map(|line| line.split_whitespace().take(2).collect()).collect()
        };
        assert_eq!(ranks(Tournament::Gauntlet), ["0A", "1B", "2C"]);
        assert_eq!(ranks(Tournament::RoundRobin), ["1B", "2C", "3A"]);
    }

    #[test]
    fn the_table_has_the_columns_that_are_wanted() {
        let games = [
            game(1, "A", "B", GameResult::Red, EndingClass::TimeLoss),
            game(2, "B", "A", GameResult::Draw, EndingClass::Repetition),
        ];
        let columns =
            Some(vec![Column::Name, Column::Wins, Column::Red, Column::Black, Column::Time, Column::TimeControl]);
        let settings = Settings { columns, ..settings(&["A", "B"], Tournament::RoundRobin) };
        let table: Vec<String> = ranking(&settings, &games).iter().map(|line| words(line)).collect();
        assert_eq!(table, ["Name Wins Red Black Time TC", "A 1 100.0% 50.0% 0 st=1", "B 0 50.0% 0.0% 1 st=1"]);
    }

    #[test]
    fn the_outcomes_of_each_engine_are_listed() {
        let games = [
            game(1, "A", "B", GameResult::Red, EndingClass::Mate),
            game(2, "B", "A", GameResult::Draw, EndingClass::Agreement),
            game(3, "A", "B", GameResult::Red, EndingClass::Mate),
        ];
        let lines = outcomes(&games);
        assert_eq!(lines[..3], ["Player: A", "   \"Draw by agreement\": 1", "   \"Win: Red mates\": 2"]);
        assert_eq!(lines[3..], ["Player: B", "   \"Draw by agreement\": 1", "   \"Loss: Red mates\": 2"]);
    }
}
