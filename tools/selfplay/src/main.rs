//! Command line of the generator.

use std::process::ExitCode;

use chuhe_console::ending;
use chuhe_selfplay::cli;

fn main() -> ExitCode {
    ending::of("chuhe-selfplay", cli::run(std::env::args_os()))
}
