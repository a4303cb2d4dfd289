//! Contents of a report.

use chuhe_games::record::GameRecord;

use crate::sprt::Sprt;
use crate::stats::Tally;

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
