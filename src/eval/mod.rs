//! What a position is worth without looking ahead. Knows the board, not the search.

pub mod classical;
mod drawish;
mod evaluator;
mod explain;
pub mod nnue;
mod outlook;
mod value;

pub use classical::placement_value;
pub use evaluator::Evaluator;
pub use explain::{Explained, Parts, Term, Worth, explain};
pub use outlook::{Knowledge, Outlook};
pub use value::value;
