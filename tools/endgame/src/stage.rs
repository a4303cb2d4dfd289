//! Stages of solving a table, and their shares of the work.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use chuhe::board::Side;
use chuhe::endgame::Index;

/// Pass over all placements of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Initialisation by the moves of each placement.
    Moves,
    /// Retrograde step from the placements that are decided in this many plies.
    Plies(u16),
    /// Search for draws that a side can hold by innocent moves.
    Innocent {
        /// The side that holds.
        side: Side,
        /// Number of earlier passes.
        round: u32,
    },
    /// Search for draws that a side can hold by quiet moves.
    Quiet {
        /// The side that holds.
        side: Side,
        /// Number of earlier passes.
        round: u32,
    },
}

/// Formats a stage as in `moves`, `12 plies` or `draws of the first side, round 3`.
impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |side| if side == Side::Red { "first" } else { "second" };
        match *self {
            Self::Moves => write!(f, "moves"),
            Self::Plies(plies) => write!(f, "{plies} plies"),
            Self::Innocent { side, round } => write!(f, "draws of the {} side, round {}", name(side), round + 1),
            Self::Quiet { side, round } => {
                write!(f, "draws without checks of the {} side, round {}", name(side), round + 1)
            }
        }
    }
}

/// Ends of consecutive parts of the work, as shares of the whole.
struct Parts {
    moves: f64,
    plies: f64,
    innocent: [f64; 2],
    quiet: [f64; 2],
}

/// Parts where one side alone attacks: no draw is in doubt.
const ONE_ATTACKS: Parts = Parts { moves: 0.35, plies: 0.80, innocent: [0.90, 1.0], quiet: [1.0, 1.0] };
/// Parts where both sides attack: most of the time goes into held draws, and some draws are in doubt.
const BOTH_ATTACK: Parts = Parts { moves: 0.06, plies: 0.11, innocent: [0.48, 0.85], quiet: [0.93, 1.0] };

/// Passes after which half of a part counts as done, since their total is not known in advance.
const HALF_OF_PLIES: f64 = 20.0;
const HALF_OF_ROUNDS: f64 = 6.0;

impl Stage {
    /// Returns the finished share of the whole work, 0 to 1, at this share of the stage.
    pub fn share(self, done: f64, both_attack: bool) -> f64 {
        let parts = if both_attack { BOTH_ATTACK } else { ONE_ATTACKS };
        let between = |from: f64, to: f64, looks: f64, half: f64| from + (to - from) * looks / (looks + half);
        let rounds = |from: f64, to: f64, round: u32| between(from, to, f64::from(round) + done, HALF_OF_ROUNDS);
        match self {
            Self::Moves => parts.moves * done,
            Self::Plies(plies) => between(parts.moves, parts.plies, f64::from(plies) + done, HALF_OF_PLIES),
            Self::Innocent { side: Side::Red, round } => rounds(parts.plies, parts.innocent[0], round),
            Self::Innocent { side: Side::Black, round } => rounds(parts.innocent[0], parts.innocent[1], round),
            Self::Quiet { side: Side::Red, round } => rounds(parts.innocent[1], parts.quiet[0], round),
            Self::Quiet { side: Side::Black, round } => rounds(parts.quiet[0], parts.quiet[1], round),
        }
    }
}

/// Whether both sides have attackers.
pub fn both_attack(index: &Index) -> bool {
    Side::ALL.into_iter().all(|side| index.material().force(side).attackers() > 0)
}

/// Progress of one table.
pub struct Course {
    size: u64,
    both_attack: bool,
    effort: u64,
    /// Stage that was reported last, and its finished placements.
    now: Mutex<(Stage, u64)>,
}

impl Course {
    /// Starts the progress of a table whose total cost is `effort`.
    pub fn new(index: &Index, effort: u64) -> Self {
        Self { size: index.size(), both_attack: both_attack(index), effort, now: Mutex::new((Stage::Moves, 0)) }
    }

    /// Adds finished placements of a stage and returns the finished effort.
    pub fn reach(&self, stage: Stage, placements: u64) -> u64 {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        let before = if now.0 == stage { now.1 } else { 0 };
        *now = (stage, before + placements);
        let done = now.1 as f64 / self.size as f64;
        (self.effort as f64 * stage.share(done, self.both_attack)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_comes_on_with_every_part_of_a_stage() {
        let index = Index::new("KR-KN".parse().unwrap()).unwrap();
        let (course, size) = (Course::new(&index, 1_000_000), index.size());
        let rounds = (0..3).map(|round| Stage::Innocent { side: Side::Black, round });
        let stages: Vec<Stage> = [Stage::Moves, Stage::Plies(0), Stage::Plies(1)].into_iter().chain(rounds).collect();
        let reached: Vec<u64> = stages
            .into_iter()
            .flat_map(|stage| [size / 2, size - size / 2].map(|more| course.reach(stage, more)))
            .collect();
        assert!(reached.is_sorted_by(|one, next| one < next) && reached[0] > 0, "{reached:?}");
        assert!(reached.iter().all(|&effort| effort < 1_000_000));
    }

    #[test]
    fn every_look_brings_the_work_on() {
        let rounds = |stage: fn(Side, u32) -> Stage| {
            Side::ALL.into_iter().flat_map(move |side| (0..30).map(move |round| stage(side, round)))
        };
        let innocent = rounds(|side, round| Stage::Innocent { side, round });
        let quiet = rounds(|side, round| Stage::Quiet { side, round });
        let stages: Vec<Stage> =
            [Stage::Moves].into_iter().chain((0..300).map(Stage::Plies)).chain(innocent).chain(quiet).collect();
        let shares = |both_attack: bool, stages: &[Stage]| -> Vec<f64> {
            stages.iter().flat_map(|stage| [0.25, 0.75].map(|done| stage.share(done, both_attack))).collect()
        };
        let both = shares(true, &stages);
        assert!(both.is_sorted_by(|one, next| one < next) && both.iter().all(|share| (0.0..1.0).contains(share)));
        // Without doubtful draws there are no quiet stages.
        let one = shares(false, &stages[..301 + 60]);
        assert!(one.is_sorted_by(|one, next| one < next) && one.iter().all(|share| (0.0..1.0).contains(share)));
    }

    #[test]
    fn a_stage_says_what_it_is() {
        let side = Side::Black;
        assert_eq!(Stage::Plies(12).to_string(), "12 plies");
        assert_eq!(Stage::Innocent { side, round: 2 }.to_string(), "draws of the second side, round 3");
        assert_eq!(Stage::Quiet { side, round: 0 }.to_string(), "draws without checks of the second side, round 1");
    }
}
