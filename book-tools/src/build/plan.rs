//! Plan of a build: the moves to take, and the statistics of the ones taken.

use std::ops::RangeInclusive;
use std::path::Path;

use chuhe::board::Side;
use chuhe::book::Symmetry;
use chuhe_games::game::Outcome;
use serde::{Deserialize, Serialize};

use crate::aggregate::Rules;

/// Bytes of a file to read at once: a fraction of the memory, within useful limits.
const PIECES: RangeInclusive<usize> = 4 << 10..=32 << 20;

/// Selection of moves from games, and rules for making a book of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// Symmetry: which positions share their records.
    pub symmetry: Symmetry,
    /// Minimum number of plies before a move.
    pub min_ply: u16,
    /// Number of plies before a move from which on moves are left out.
    pub max_ply: u16,
    /// Minimum rating of the player; 0 takes all, any other value leaves out unknown ratings.
    pub min_rating: u16,
    /// Side whose moves are taken; both if `None`.
    pub side: Option<Side>,
    /// Whether games with an unknown end are left out.
    pub only_finished: bool,
    /// Results of the games to take; all if empty.
    pub outcomes: Vec<Outcome>,
    /// Whether variations are taken too, with an unknown end.
    pub variations: bool,
    /// Whether duplicate games are dropped.
    pub unique: bool,
    /// Weights and filters of moves.
    pub rules: Rules,
    /// Memory for sorting, in bytes.
    pub memory: usize,
    /// Time stamp for the header, in seconds since 1970, or 0.
    pub built_at: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            symmetry: Symmetry::default(),
            min_ply: 0,
            max_ply: 40,
            min_rating: 0,
            side: None,
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

/// Whether a path has this file name extension.
pub(super) fn has_ending(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|ending| ending == wanted)
}
