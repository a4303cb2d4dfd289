//! What several threads need that search one position together, whatever the game.
//!
//! Knows keys, sixteen bits of a move, scores as numbers, clocks and threads; no board, no rules, no tree. Games sit on it: the
//! engine's own, and the second one in `tools/gobang`.

pub mod counters;
pub mod pool;
pub mod stop;
pub mod table;
pub mod time;
pub mod turns;
pub mod vote;
