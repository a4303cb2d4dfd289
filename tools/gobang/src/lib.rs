//! A Gobang engine: a second game on the game-independent core of Chuhe.
//!
//! Modules, from the lowest layer up:
//!
//! * [`cell`] names the cells, [`rules`] defines what wins and what is banned,
//! * [`event`] lists the events of the engine,
//! * [`pattern`] classifies a stone on one line, [`promise`] on all four,
//! * [`rays`] lists the cells that a stone affects, [`board`] keeps their patterns up to date,
//! * [`search`] is the search, built on `chuhe::smp`'s transposition table and worker pool,
//! * [`engine`] owns the game, the clock and the workers, and answers every question once,
//! * [`agi`] and [`gomocup`] are the two protocols, behind the trait of [`protocol`]; [`dialogue`] reads and writes their lines.
#![deny(unsafe_code)]

pub mod agi;
pub mod board;
pub mod cell;
pub mod dialogue;
pub mod engine;
pub mod event;
pub mod gomocup;
pub mod pattern;
pub mod promise;
pub mod protocol;
pub mod rays;
pub mod rules;
pub mod search;
