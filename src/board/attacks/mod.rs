//! Where each kind of piece reaches on a given board, and from where a square is reached.

mod jumper;
mod slider;
mod stepper;

pub use jumper::{diagonals, elephant_attacks, horse_attackers, horse_attacks, horse_leg, horse_near};
pub use slider::{SliderAttacks, between, lines, slider_attacks};
pub use stepper::{advisor_attacks, king_attacks, palace, pawn_attackers, pawn_attacks};
