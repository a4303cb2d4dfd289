//! Static evaluation: the value of a position without search. Depends on the board, not on the search.

mod evaluator;
pub mod hce;
pub mod nnue;
mod scaling;
mod trace;

pub use evaluator::{EvalConfig, EvalKind, Evaluator, value};
pub use hce::placement_value;
pub use trace::{Explained, Parts, PieceValue, Term, explain};
