//! The engine's command line.

use std::io::{self, BufReader, Write};
use std::process::ExitCode;
use std::time::Instant;

use chuhe::board::{Position, START_FEN, perft_by_move};
use chuhe::protocol::Ucci;
use chuhe::{bench, dialogue};
use clap::{Parser, Subcommand};

/// A Xiangqi (Chinese chess) engine. Without a command it speaks UCCI on stdin and stdout.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Subcommand)]
enum Task {
    /// Search fixed positions to a fixed depth with one thread; the number of nodes is the engine's signature.
    Bench {
        /// In plies.
        #[arg(default_value_t = bench::DEPTH)]
        depth: u32,
    },
    /// Count the leaf nodes of the move tree.
    Perft {
        /// In plies.
        depth: u32,
        /// The position, as one argument.
        #[arg(default_value = START_FEN)]
        fen: String,
    },
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("chuhe: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    match Arguments::parse().task {
        None => dialogue::run(Ucci, BufReader::new(io::stdin()), io::stdout())?,
        Some(Task::Bench { depth }) => bench::run(depth, &mut io::stdout())?,
        Some(Task::Perft { depth, fen }) => perft(&Position::from_fen(&fen)?, depth, &mut io::stdout())?,
    }
    Ok(())
}

fn perft(position: &Position, depth: u32, out: &mut impl Write) -> io::Result<()> {
    let started = Instant::now();
    let counts = perft_by_move(position, depth);
    let seconds = started.elapsed().as_secs_f64();
    for (mv, nodes) in &counts {
        writeln!(out, "{mv} {nodes}")?;
    }
    let nodes = if depth == 0 { 1 } else { counts.iter().map(|(_, nodes)| nodes).sum() };
    writeln!(out, "{nodes} nodes {:.1} Mnodes/s", bench::per_second(nodes, seconds) / 1e6)
}
