//! Report: one self-contained HTML file with statistics and a replay of every game, made from finished games alone.

mod data;
mod labels;
mod mistakes;
mod series;
mod variation;

use chuhe_games::page;
use chuhe_games::record::GameRecord;

use crate::sprt::Sprt;
use crate::stats::Tally;

pub(crate) use labels::time_control;

/// Contents of the report.
#[derive(Clone, Copy, Debug)]
pub struct MatchSummary<'a> {
    /// Heading of the report.
    pub title: &'a str,
    /// Finished games in any order.
    pub games: &'a [GameRecord],
    /// Engines in the order in which they were given; others that appear in the games follow.
    pub engines: &'a [EngineSummary],
    /// SPRT of the first engine against the second, if there is one, and the games that it has counted.
    pub sprt: Option<(&'a Sprt, Tally)>,
    /// Further conditions (time control, rules, openings, machine) as names and values.
    pub conditions: &'a [(String, String)],
    /// Command and inputs that reproduce the match, as names and values.
    pub repeat: &'a [(String, String)],
}

/// An engine in the list of engines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSummary {
    /// Name of the engine in the games.
    pub name: String,
    /// Name by which the engine introduced itself, usually with its version; empty if unknown.
    pub version: String,
    /// Protocol, time control and options on one line.
    pub details: String,
}

/// Name of the generator, which identifies a report.
const GENERATOR: &str = "chuhe-arena";

const SCRIPT: &str =
    concat!(include_str!("script/chart.js"), include_str!("script/replay.js"), include_str!("script/page.js"));

/// Whether a file that begins with `start` is a report.
pub fn is_report(start: &[u8]) -> bool {
    page::is_made_by(GENERATOR, start)
}

/// Returns the report as the text of an HTML file.
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
