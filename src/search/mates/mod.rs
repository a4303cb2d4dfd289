//! Mate search by proof numbers (PNS, df-pn), beside the main search.
//!
//! A line of checks, which takes the main search many plies, is a narrow tree here. Knows positions and the thread
//! context, but neither the transposition table nor the evaluation.

mod child;
mod memory;
mod proof;
mod solver;
mod stage;
#[cfg(test)]
mod tests;
mod way;

pub(super) use solver::{Answer, Solver, Terms};
pub(super) use stage::Means;
