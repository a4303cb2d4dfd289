//! Command line of the solver.

use std::process::ExitCode;

use chuhe_console::ending;
use chuhe_endgame::cli;

fn main() -> ExitCode {
    ending::of("chuhe-endgame", cli::run(std::env::args_os()))
}
