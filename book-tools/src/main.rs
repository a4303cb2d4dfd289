//! Command line of the book tools.

use std::process::{self, ExitCode};

use book_tools::commands::Arguments;
use chuhe::aside;
use chuhe_engines::process::end_all;
use chuhe_games::replace::leave_nothing_unfinished;
use clap::Parser;

/// As a shell says of who was interrupted.
const INTERRUPTED: i32 = 130;

fn main() -> ExitCode {
    // Without a handler half a file stays, and an engine thinks on; that is no reason not to begin.
    let _ = ctrlc::set_handler(|| {
        end_all();
        leave_nothing_unfinished();
        process::exit(INTERRUPTED);
    });
    match Arguments::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            aside::say(&format!("book-tools: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Whether the reader of the output has read enough, as `head` does.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>());
    io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
