//! Mates by force, looked for by proof numbers beside the search: what it needs many plies for, a line of checks, is a
//! narrow tree here. Knows positions and the world, neither the table nor what positions are worth.

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
