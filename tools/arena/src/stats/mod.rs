//! Statistics of a match between two engines: counts, score, and Elo with error bars. Independent of the games.
//!
//! The unit of evidence is the pair, one opening played with both colours: its two games are not independent, but pairs are.
//! The formulas follow Michel Van den Bergh's notes for fishtest ("Comments on normalized Elo"), where the score of a pair is
//! the mean of its games and the standard deviation per game is the square root of two times that of a pair.

mod estimate;
mod outcomes;
mod tally;

pub(crate) use estimate::NORMALISED_ELO_PER_T;
pub use estimate::{Estimate, Interval};
pub use outcomes::Outcomes;
pub(crate) use outcomes::mean_and_variance;
pub use tally::{Tally, come_in_pairs, standings};
