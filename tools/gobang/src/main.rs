//! `chuhe-gobang`: reads stdin, searches, writes stdout.

use std::io::{self, BufReader};
use std::sync::mpsc::channel;
use std::thread;

use anyhow::Result;
use chuhe_gobang::dialogue;
use chuhe_gobang::engine::Engine;
use clap::Parser;

/// A Gobang engine that speaks AGI and Gomocup's protocol.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Number of search threads.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Size of the transposition table, in MiB.
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let (events, queue) = channel();
    let mut engine = Engine::new(arguments.threads.into(), usize::try_from(arguments.hash)?, events.clone())?;
    // The reader waits for stdin until the process ends.
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || dialogue::read(BufReader::new(io::stdin()), &events))?;
    dialogue::talk(&mut engine, &queue, &mut io::stdout())?;
    Ok(())
}
