//! Progress of a walk over a book, at a terminal.

use std::time::Duration;

use chuhe_console::live::{Live, per_second};

/// Number of moves in a book from which on a walk takes noticeable time.
const LARGE: usize = 50_000;
/// Number of positions between two checks of the clock.
const STRIDE: u64 = 1024;

/// Progress of a walk over a book: a bar and the counts so far, shown at a terminal for large books.
pub struct Progress {
    /// Live line; `None` if nothing is shown.
    live: Option<Live>,
    positions: u64,
    found: u64,
    moves: u64,
}

impl Progress {
    /// Creates the progress for a book with this number of moves.
    pub fn new(moves: usize) -> Self {
        // Standard output is for results: without a terminal for a bar, nothing is shown.
        let live = (moves >= LARGE).then(|| Live::new(moves as u64, Duration::MAX));
        Self { live, moves: moves as u64, ..Self::silent() }
    }

    /// Creates progress that is not shown.
    pub fn silent() -> Self {
        Self { live: None, positions: 0, found: 0, moves: 0 }
    }

    /// Counts a position with this number of moves of the book.
    pub fn step(&mut self, moves: usize) {
        self.positions += 1;
        self.found += moves as u64;
        if let Some(live) = self.live.as_ref().filter(|_| self.positions.is_multiple_of(STRIDE)) {
            // A book for both sides may return a move twice, once for either colour.
            live.at(self.found.min(self.moves), |elapsed| state(self.positions, self.found, self.moves, elapsed));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(live) = self.live.take() {
            live.end();
        }
    }
}

fn state(positions: u64, found: u64, moves: u64, elapsed: Duration) -> String {
    let speed = per_second(positions, elapsed);
    format!("{positions} positions, {found} moves found of {moves}, {speed:.0} positions a second")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_tells_what_is_found_and_how_fast() {
        let line = state(3000, 5000, 1_000_000, Duration::from_secs(2));
        assert_eq!(line, "3000 positions, 5000 moves found of 1000000, 1500 positions a second");
    }
}
