//! A Gobang engine: a second game on the core of Chuhe, which knows none.
//!
//! From below:
//!
//! * [`cell`] names the cells, [`rules`] who wins and what is banned,
//! * [`event`] is all that can happen,
//! * [`pattern`] says what a stone makes of a line, [`promise`] what of four, [`rays`] which cells it matters to, [`board`] keeps
//!   that for all cells,
//! * [`search`] looks ahead, on `chuhe::smp`'s table and as one of its thinkers,
//! * [`engine`] is the game, the clock and the workers, and answers every question once,
//! * [`agi`] and [`gomocup`] are two ways to talk to it, [`dialogue`] reads lines and writes them.
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
pub mod rays;
pub mod rules;
pub mod search;
