//! Static evaluation: the value of a position without search. Depends on the board, not on the search.

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
