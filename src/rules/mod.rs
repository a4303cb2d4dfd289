//! Is the game over, and who is to blame. Knows positions, not the search.

mod ruleset;

pub use ruleset::RuleSet;
