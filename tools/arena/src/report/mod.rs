//! The report: one HTML file that needs no network, with every game to be replayed. Knows what happened, not how.

mod data;
mod labels;
mod series;

use chuhe_games::record::GameRecord;

use crate::sprt::Sprt;

/// All that the report tells.
#[derive(Clone, Copy, Debug)]
pub struct MatchSummary<'a> {
    /// Heading.
    pub title: &'a str,
    /// The finished games in any order.
    pub games: &'a [GameRecord],
    /// The engines in the order in which they were given; others that appear in the games follow.
    pub engines: &'a [EngineSummary],
    /// The test of the first engine against the second, if there is one.
    pub sprt: Option<&'a Sprt>,
    /// What else a reader should know (time control, rules, openings, machine): a name and a value each.
    pub conditions: &'a [(String, String)],
}

/// An engine for the list of engines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSummary {
    /// As in the games.
    pub name: String,
    /// Protocol, version, options: one line.
    pub details: String,
}

const TEMPLATE: &str = include_str!("template.html");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = concat!(
    include_str!("script/chart.js"),
    "\n",
    include_str!("script/board.js"),
    "\n",
    include_str!("script/replay.js"),
    "\n",
    include_str!("script/page.js"),
);

/// Near the beginning of every report.
const MARK: &[u8] = b"<meta name=\"generator\" content=\"chuhe-arena\">";

/// Whether a file that begins so is a report.
pub fn is_report(start: &[u8]) -> bool {
    start.windows(MARK.len()).any(|part| part == MARK)
}

/// The report as the text of an HTML file.
pub fn write(summary: &MatchSummary<'_>) -> String {
    let json = serde_json::to_string(&data::Data::new(summary)).expect("plain data can be written as JSON");
    let parts = [
        ("{{title}}", escape_html(summary.title)),
        ("{{style}}", STYLE.to_owned()),
        ("{{script}}", SCRIPT.to_owned()),
        ("{{data}}", escape_json(&json)),
    ];
    // Each part is looked for behind the last one, so that no data can be taken for a place to fill.
    let (mut rest, mut text) = (TEMPLATE, String::new());
    for (place, part) in parts {
        let (before, after) = rest.split_once(place).expect("the template has a place for every part");
        text += before;
        text += &part;
        rest = after;
    }
    text + rest
}

fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Nothing inside a script element may look like its end; in JSON such characters stand in strings only.
fn escape_json(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}
