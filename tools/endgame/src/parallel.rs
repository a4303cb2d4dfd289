//! Parallel loop over a range of numbers.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

/// Numbers per piece; every piece begins at a multiple of it.
pub(crate) const PIECE: u64 = 1 << 14;

/// Calls `work` for all of `0..size` in pieces, on several threads, until `cancel` is set, and `done` with the length of each
/// finished piece. Returns false if cancelled.
pub fn for_each_range(
    threads: usize,
    size: u64,
    cancel: &AtomicBool,
    done: impl Fn(u64) + Sync,
    work: impl Fn(Range<u64>) + Sync,
) -> bool {
    let next = AtomicU64::new(0);
    let share = || {
        while !cancel.load(Ordering::Relaxed) {
            let start = next.fetch_add(PIECE, Ordering::Relaxed);
            if start >= size {
                return;
            }
            let piece = start..size.min(start + PIECE);
            let length = piece.end - piece.start;
            work(piece);
            done(length);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(share);
        }
        share();
    });
    !cancel.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_its_turn_once() {
        let size = 3 * PIECE + 17;
        for threads in [1, 3] {
            let (sum, reported) = (AtomicU64::new(0), AtomicU64::new(0));
            let add = |to: &AtomicU64, number| {
                to.fetch_add(number, Ordering::Relaxed);
            };
            let whole = for_each_range(
                threads,
                size,
                &AtomicBool::new(false),
                |count| add(&reported, count),
                |piece| piece.for_each(|number| add(&sum, number)),
            );
            assert!(whole);
            assert_eq!((sum.into_inner(), reported.into_inner()), (size * (size - 1) / 2, size));
        }
        assert!(!for_each_range(2, size, &AtomicBool::new(true), |_| panic!("called"), |_| panic!("done")));
    }
}
