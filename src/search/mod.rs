//! The search: one worker's memory and its way through the tree. Knows positions, not the world.

mod context;
mod report;

pub use context::{Limits, NodeCounters, SearchContext, SearchId, StopFlag, Stopped};
pub use report::{Iteration, Outcome, Reporter, ScoreBound, Silent};
