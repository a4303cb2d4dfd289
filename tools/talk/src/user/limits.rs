//! Limits on commands, so that a conversation takes little time and memory.

use chuhe::board::Side;
use chuhe::engine::event::{Command, Go};

/// Maximum size of the table, in MiB; more would test the machine.
pub(super) const MOST_HASH: i64 = 128;
/// Maximum number of threads; more would test the machine.
const MOST_THREADS: i64 = 8;

/// Whether a command is within the limits.
///
/// In batch mode later commands wait for the end of a search. In UCI, where commands are queued, they wait for a search with a
/// limit, because there may be no `stop` left for it.
pub(super) fn is_within_limits(command: &Command, in_batch: bool, queues: bool) -> bool {
    match command {
        Command::SetOption { name, value } => is_option_within_limits(name, &value.to_string_lossy(), in_batch),
        Command::Go(go) if in_batch => is_short(go),
        Command::Go(go) => !queues || !go.is_bounded() || is_short(&Go { ponder: false, ..go.clone() }),
        Command::Perft { depth } => *depth <= 3,
        Command::Quit => false,
        _ => true,
    }
}

fn is_option_within_limits(name: &str, value: &str, in_batch: bool) -> bool {
    let name: String = name.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect();
    let at_most =
        |most: i64| value.trim().parse::<i64>().map_or(value.bytes().all(|byte| !byte.is_ascii_digit()), |n| n <= most);
    match name.as_str() {
        "hash" | "hashsize" => at_most(MOST_HASH),
        "threads" => at_most(MOST_THREADS),
        "batch" => in_batch,
        "usemillisec" | "nodestime" => !in_batch,
        "logfile" | "debuglogfile" | "bookfiles" | "bookfile" | "evalapi" | "evalfile" => is_own_path(value),
        _ => true,
    }
}

/// Whether a value names only files in the engine's own folder, existing or not.
fn is_own_path(value: &str) -> bool {
    value.split(';').all(|path| path.is_empty() || path == "<embedded>" || path.starts_with("./"))
}

/// Whether a search soon ends by itself.
fn is_short(go: &Go) -> bool {
    let clock = go.clock_of(Side::Red);
    let is_small =
        go.limits.depth.is_some_and(|depth| depth <= 4) || go.limits.nodes.is_some_and(|nodes| nodes <= 20_000);
    !go.ponder && (is_small || clock.is_some_and(|clock| clock.time <= 500))
}
