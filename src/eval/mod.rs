//! Static evaluation: the value of a position without search. Depends on the board, not on the search.

mod config;
mod evaluator;
pub mod hce;
pub mod nnue;
mod scaling;
mod trace;
mod value;

pub use config::{EvalConfig, EvalKind};
pub use evaluator::Evaluator;
pub use hce::placement_value;
pub use trace::{Explained, Parts, Term, Worth, explain};
pub use value::value;
