//! Command line of the solver.

use std::process::ExitCode;

use chuhe_endgame::cli;

fn main() -> ExitCode {
    match cli::run(std::env::args_os()) {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("chuhe-endgame: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the reader of the output has read enough, as `head` does.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>());
    io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
