//! Speed of a machine, by which clocks are scaled on another one.

use std::io;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::thread;

use anyhow::Result;
use chuhe::bench::{self, RULES};
use chuhe::eval::nnue::Network;

/// Depth of the searches: less than a second.
const DEPTH: u32 = 10;

/// Returns the nodes per second of a thread while all threads of this machine search the positions of the benchmark.
///
/// # Errors
/// If there is no memory for the searches.
pub fn of_a_thread() -> Result<f64> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let search = || bench::run(DEPTH, &RULES.rules(), Network::embedded(), &mut io::sink());
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(search)).collect();
        let speeds = workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        let speeds: Vec<f64> = speeds.collect::<io::Result<_>>()?;
        Ok(speeds.iter().sum::<f64>() / threads as f64)
    })
}
