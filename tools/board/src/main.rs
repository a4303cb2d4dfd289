//! Command line of the board.

use std::process::ExitCode;

use chuhe_board::cli;
use chuhe_console::ending;

fn main() -> ExitCode {
    ending::of("chuhe-board", cli::run(std::env::args_os()))
}
