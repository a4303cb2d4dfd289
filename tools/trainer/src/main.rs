//! Command line of the trainer.

use std::process::ExitCode;

use chuhe_console::ending;
use chuhe_trainer::cli;

fn main() -> ExitCode {
    ending::of("chuhe-trainer", cli::run(std::env::args_os()).map(|()| ExitCode::SUCCESS))
}
