//! Command line of the book tools.

use clap::Parser;

/// Builds, merges, verifies and prints Chuhe's opening books.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {}

fn main() {
    Arguments::parse();
}
