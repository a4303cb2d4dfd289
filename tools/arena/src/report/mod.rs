//! The report: one HTML file that needs no network, with every game to be replayed. Knows what happened, not how.

mod data;
mod labels;
mod series;

use chuhe_games::page;
use chuhe_games::record::GameRecord;

use crate::sprt::Sprt;
use crate::stats::Tally;

pub(crate) use labels::time_control;

/// All that the report tells.
#[derive(Clone, Copy, Debug)]
pub struct MatchSummary<'a> {
    /// Heading.
    pub title: &'a str,
    /// The finished games in any order.
    pub games: &'a [GameRecord],
    /// The engines in the order in which they were given; others that appear in the games follow.
    pub engines: &'a [EngineSummary],
    /// The test of the first engine against the second, if there is one, and the games that it has looked at.
    pub sprt: Option<(&'a Sprt, Tally)>,
    /// What else a reader should know (time control, rules, openings, machine): a name and a value each.
    pub conditions: &'a [(String, String)],
    /// What plays the same match again: a name and a value each.
    pub repeat: &'a [(String, String)],
}

/// An engine for the list of engines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSummary {
    /// As in the games.
    pub name: String,
    /// Protocol, version, options: one line.
    pub details: String,
}

/// By which a report is known.
const GENERATOR: &str = "chuhe-arena";

const SCRIPT: &str =
    concat!(include_str!("script/chart.js"), include_str!("script/replay.js"), include_str!("script/page.js"));

/// Whether a file that begins so is a report.
pub fn is_report(start: &[u8]) -> bool {
    page::is_made_by(GENERATOR, start)
}

/// The report as the text of an HTML file.
pub fn write(summary: &MatchSummary<'_>) -> String {
    let data = serde_json::to_string(&data::Data::new(summary)).expect("plain data can be written as JSON");
    page::Page {
        generator: GENERATOR,
        title: summary.title,
        style: include_str!("style.css"),
        body: include_str!("body.html"),
        script: SCRIPT,
        data: &data,
    }
    .text()
}
