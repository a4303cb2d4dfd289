//! Parallel search with shared memory (SMP): workers, table, time and vote, independent of the game.
//!
//! Knows keys, moves of sixteen bits, scores as numbers, clocks and threads; no board, no rules, no tree. Two games
//! build on it: the engine's own, and the one in `tools/gobang`.

pub mod pool;
pub mod shared;
pub mod table;
pub mod time;
pub mod time_slice;
pub mod vote;
