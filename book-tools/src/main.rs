//! Command line of the book tools.

use std::env;
use std::process::{self, ExitCode};

use book_tools::commands::Arguments;
use chuhe::io::on_termination_request;
use chuhe_console::ending;
use chuhe_engines::process::end_all;
use chuhe_games::replace::leave_nothing_unfinished;

fn main() -> ExitCode {
    // Without a handler, an interruption leaves half a file and a running engine; that is no reason to refuse to start.
    let _ = on_termination_request(|| {
        end_all();
        leave_nothing_unfinished();
        process::exit(ending::INTERRUPTED.into());
    });
    ending::of("book-tools", Arguments::read(env::args_os()).run().map(|()| ExitCode::SUCCESS))
}
