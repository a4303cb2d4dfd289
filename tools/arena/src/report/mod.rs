//! Report: one self-contained HTML file with statistics and a replay of every game, made from finished games alone.

mod data;
mod labels;
mod mistakes;
mod series;
mod summary;
mod variation;

use chuhe_games::page;

pub(crate) use labels::time_control;
pub use summary::{EngineSummary, MatchSummary};

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
