//! Command line of the arena.

fn main() {}
