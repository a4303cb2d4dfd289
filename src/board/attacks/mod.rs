//! Attack tables: the squares that each kind of piece attacks, and the squares from which it attacks.

mod jumper;
mod slider;
mod stepper;

pub use jumper::{diagonals, elephant_attacks, horse_attackers, horse_attacks, horse_leg, horse_near};
pub use slider::{SliderAttacks, between, lines, slider_attacks};
pub use stepper::{advisor_attacks, king_attacks, palace, pawn_attackers, pawn_attacks};
