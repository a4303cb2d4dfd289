//! Standing of a match: the results of each engine, counted as `chuhe-arena stats` does, and the number of planned games.

use chuhe::board::Side;
use chuhe_games::json;
use chuhe_games::record::GameRecord;
use serde_json::{Value, json};

/// Results of an engine.
struct Row {
    name: String,
    won: u64,
    drawn: u64,
    lost: u64,
}

/// Standing of a match.
#[derive(Default)]
pub(super) struct Standing {
    /// Engines in the order of the command line.
    rows: Vec<Row>,
    played: u64,
    total: Option<u64>,
}

impl Standing {
    /// Reads what the header of a journal says: the engines and the number of games.
    pub(super) fn read_header(&mut self, line: &[u8]) {
        let Ok(header) = json::read::<Value>(line) else { return };
        let conditions = &header["conditions"];
        let names = (1..).map_while(|number| conditions[format!("engine {number}")]["name"].as_str());
        for name in names {
            self.row(name);
        }
        let words = header["command"].as_array().map_or(&[][..], Vec::as_slice);
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        self.total = self.total.or_else(|| planned(&words));
    }

    /// Counts a game that has ended.
    pub(super) fn count(&mut self, game: &GameRecord) {
        let outcome = game.result.outcome();
        for (name, side) in [(&game.red, Side::Red), (&game.black, Side::Black)] {
            let row = self.row(name);
            match outcome.map(|outcome| outcome.half_points(side)) {
                Some(2) => row.won += 1,
                Some(1) => row.drawn += 1,
                Some(_) => row.lost += 1,
                None => {}
            }
        }
        self.played += u64::from(outcome.is_some());
    }

    fn row(&mut self, name: &str) -> &mut Row {
        let place = self.rows.iter().position(|row| row.name == name).unwrap_or_else(|| {
            self.rows.push(Row { name: name.to_owned(), won: 0, drawn: 0, lost: 0 });
            self.rows.len() - 1
        });
        &mut self.rows[place]
    }

    /// Adds the standing to a message.
    pub(super) fn tell(&self, message: &mut Value) {
        let row = |row: &Row| json!({ "name": row.name, "won": row.won, "drawn": row.drawn, "lost": row.lost });
        message["standing"] = self.rows.iter().map(row).collect();
        message["played"] = json!(self.played);
        message["total"] = json!(self.total);
    }
}

/// Returns the number of games that the words of a command plan; `None` if they do not say it.
fn planned(words: &[&str]) -> Option<u64> {
    let is = |word: &str, name: &str| word.starts_with('-') && word.trim_start_matches('-') == name;
    let value = |name: &str| words.get(words.iter().position(|word| is(word, name))? + 1).copied();
    let number = |name: &str, otherwise: u64| value(name).map_or(Some(otherwise), |word| word.parse().ok());
    // A test without -rounds ends when it is decided.
    let is_open = value("sprt").is_some() && value("rounds").is_none();
    if is_open || value("shard").is_some() || value("seeds").is_some() {
        return None;
    }
    let engines = words.iter().filter(|word| is(word, "engine")).count() as u64;
    let encounters = match value("tournament") {
        Some("gauntlet") => engines.checked_sub(1)?,
        Some("swiss") => engines / 2,
        _ => engines * engines.checked_sub(1)? / 2,
    };
    number("rounds", 1)?.checked_mul(number("games", 2)?)?.checked_mul(encounters).filter(|games| *games > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_says_engines_and_games() {
        let conditions =
            "\"conditions\":{\"draw\":null,\"engine 1\":{\"name\":\"new\"},\"engine 2\":{\"name\":\"base\"}}";
        let mut standing = Standing::default();
        standing.read_header(
            format!("{{\"command\":[\"-engine\",\"-engine\",\"-rounds\",\"5\"],{conditions}}}").as_bytes(),
        );
        let mut told = json!({});
        standing.tell(&mut told);
        assert_eq!((&told["standing"][0]["name"], &told["standing"][1]["name"]), (&json!("new"), &json!("base")));
        assert_eq!((&told["played"], &told["total"]), (&json!(0), &json!(10)));
    }

    #[test]
    fn games_are_planned_for_every_form_of_tournament() {
        for (line, games) in [
            ("-engine a -engine b", Some(2)),
            ("-engine a -engine b -rounds 5 -games 1", Some(5)),
            ("--engine a --engine b --rounds 5", Some(10)),
            ("-engine a -engine b -engine c -engine d -rounds 3", Some(36)),
            ("-engine a -engine b -engine c -rounds 3 -tournament gauntlet", Some(12)),
            ("-engine a -engine b -engine c -engine d -engine e -rounds 3 -tournament swiss", Some(12)),
            ("-engine a -engine b -shard 1/2", None),
            ("-engine a -rounds 4", None),
            ("-engine a -engine b -sprt elo0=0 elo1=5", None),
            ("-engine a -engine b -sprt elo0=0 elo1=5 -rounds 500", Some(1000)),
            ("-config file=a.json", None),
            ("-engine a -engine b -rounds many", None),
        ] {
            assert_eq!(planned(&line.split(' ').collect::<Vec<_>>()), games, "{line}");
        }
    }
}
