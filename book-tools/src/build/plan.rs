//! Plan of a build: the moves to take, and the statistics of the ones taken.

use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::{Context, Result, bail};
use chuhe::board::Side;
use chuhe::book::Symmetry;
use chuhe_console::choice::one_of;
use chuhe_games::game::Outcome;
use clap::Args;
use serde::{Deserialize, Serialize};

use crate::aggregate::Rules;
use crate::tuple::Points;

/// Bytes of a file to read at once: a fraction of the memory, within useful limits.
const PIECES: RangeInclusive<usize> = 4 << 10..=32 << 20;

/// Words for the results of games.
const RESULTS: [(&str, Outcome); 3] =
    [("red", Outcome::Won(Side::Red)), ("black", Outcome::Won(Side::Black)), ("draw", Outcome::Drawn)];

/// Words for the results of a player.
const ENDS: [(&str, Points); 3] = [("won", Points::Win), ("drawn", Points::Draw), ("lost", Points::Loss)];

/// Selection of moves from games, and rules for making a book of them.
#[derive(Clone, PartialEq, Debug, Args)]
pub struct Plan {
    /// Symmetry: which positions share their records.
    #[arg(skip)]
    pub symmetry: Symmetry,
    /// Leave out the first plies of each game.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub min_ply: u16,
    /// Number of plies of each game to take.
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub max_ply: u16,
    /// Minimum rating of the mover.
    // 0 takes all, any other value leaves out unknown ratings.
    #[arg(long, value_name = "ELO", default_value_t = 0)]
    pub min_rating: u16,
    /// Take the moves of one side only.
    #[arg(long = "colour", value_name = "COLOUR", value_parser = one_of([("red", Side::Red), ("black", Side::Black)]))]
    pub side: Option<Side>,
    /// Take only the moves of this player, by name in any case: a book from one's own games.
    #[arg(long, value_name = "NAME")]
    pub player: Option<String>,
    /// Take only games that ended so for --player, separated by commas.
    #[arg(long, value_name = "END", value_delimiter = ',', requires = "player", value_parser = one_of(ENDS))]
    pub player_result: Vec<Points>,
    /// Leave out games with an unknown end.
    #[arg(long = "finished")]
    pub only_finished: bool,
    /// Take only games with these results, separated by commas.
    #[arg(long = "result", value_name = "END", value_delimiter = ',', value_parser = one_of(RESULTS))]
    pub outcomes: Vec<Outcome>,
    /// Take variations too.
    // With an unknown end.
    #[arg(long)]
    pub variations: bool,
    /// Drop duplicate games.
    #[arg(long = "dedup")]
    pub unique: bool,
    /// Weights and filters of moves.
    #[command(flatten)]
    pub rules: Rules,
    /// Memory for sorting, such as 512MiB.
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = size)]
    pub memory: usize,
    /// Time stamp for the header, in seconds since 1970, or 0.
    #[arg(skip)]
    pub built_at: u64,
}

/// Parses a number of bytes such as `512MiB`.
fn size(text: &str) -> Result<usize> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let shift = match &text[digits.len()..] {
        "" | "B" => 0,
        "KiB" | "K" | "k" => 10,
        "MiB" | "M" => 20,
        "GiB" | "G" => 30,
        unit => bail!("invalid unit {unit:?} (possible values: KiB, MiB, GiB)"),
    };
    let number: usize = digits.parse().with_context(|| format!("{text:?} is not a size"))?;
    number.checked_mul(1 << shift).with_context(|| format!("{text:?} is too much"))
}

#[cfg(test)]
impl Default for Plan {
    fn default() -> Self {
        Self {
            symmetry: Symmetry::default(),
            min_ply: 0,
            max_ply: 40,
            min_rating: 0,
            side: None,
            player: None,
            player_result: vec![],
            only_finished: false,
            outcomes: vec![],
            variations: false,
            unique: false,
            rules: Rules::default(),
            memory: 1 << 30,
            built_at: 0,
        }
    }
}

impl Plan {
    /// Returns the number of bytes of a file to read at once.
    pub(super) fn piece(&self) -> usize {
        (self.memory / 16).clamp(*PIECES.start(), *PIECES.end())
    }
}

/// Statistics of a build.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// Games taken.
    pub games: u64,
    /// Duplicate games.
    pub repeated: u64,
    /// Games without any selected move.
    #[serde(default)]
    pub unwanted: u64,
    /// Games that do not replay, and files without any readable game.
    pub faults: u64,
    /// Variations taken.
    #[serde(default)]
    pub variations: u64,
    /// Variations taken that break off at a move that cannot be played.
    #[serde(default)]
    pub broken: u64,
    /// Moves taken.
    pub tuples: u64,
    /// Records of the book.
    pub records: u64,
    /// Moves with a weight of zero, which have no record.
    #[serde(default)]
    pub worthless: u64,
}

/// Error message for a build without any move.
pub(super) const NOTHING: &str = "no move was taken: no game could be read, or nothing of them is wanted";

/// Returns the error message for a build without any move; a name is easily misspelt.
pub(super) fn nothing(plan: &Plan) -> String {
    let doubt = |player| format!("{NOTHING}; check the name of --player {player:?}");
    plan.player.as_ref().map_or_else(|| NOTHING.to_owned(), doubt)
}

/// Whether a path has this file name extension.
pub(super) fn has_ending(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|ending| ending == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in [("100", 100), ("3KiB", 3 << 10), ("2M", 2 << 20), ("1GiB", 1 << 30)] {
            assert_eq!(size(text).unwrap(), bytes);
        }
        for text in ["", "GiB", "1TB", "99999999999999999G", "-1"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
