//! Command line of the trainer.

use std::process::ExitCode;

use chuhe_trainer::cli;

fn main() -> ExitCode {
    match cli::run(std::env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("chuhe-trainer: {error:#}");
            ExitCode::FAILURE
        }
    }
}
