//! Command line of the endgame tablebase generator.

use std::process::ExitCode;

use chuhe_console::ending;
use chuhe_endgame::cli;

fn main() -> ExitCode {
    ending::of("chuhe-endgame", cli::run(std::env::args_os()))
}
