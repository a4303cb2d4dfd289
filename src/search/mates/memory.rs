//! Hash table of the mate search: proof numbers by position, of a fixed size or as large as memory allows.

use bytemuck::{Pod, Zeroable};

use super::proof::Numbers;
use crate::board::Key;

/// Number of buckets: 24 MiB.
const BUCKETS: usize = 1 << 18;
/// Minimum number of buckets, so few that there is always memory for them.
const BUCKETS_AT_LEAST: usize = 1 << 6;
const BUCKET: usize = 4;

/// Table entry of one position.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Entry {
    key: u64,
    win: u32,
    fail: u32,
    /// Nodes spent on the position.
    work: u32,
    /// Number of the search that stored it; 0 for an empty entry.
    era: u32,
}

const _: () = assert!(size_of::<Entry>() == 24);

/// Stored result of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    pub(super) numbers: Numbers,
    /// Nodes spent on the position.
    pub(super) work: u32,
}

/// Hash table of the mate search. It allocates its memory at the first store.
pub(super) struct Memory {
    buckets: Box<[[Entry; BUCKET]]>,
    era: u32,
}

impl Memory {
    pub(super) fn new() -> Self {
        Self { buckets: Box::default(), era: 0 }
    }

    /// Forgets all entries.
    pub(super) fn forget(&mut self) {
        self.era = self.era.wrapping_add(1);
        if self.era == 0 {
            self.buckets = Box::default();
            self.era = 1;
        }
    }

    /// Returns the stored result of the position with this key.
    pub(super) fn probe(&self, key: Key) -> Option<Known> {
        let bucket = self.buckets.get(self.place(key))?;
        let entry = bucket.iter().find(|entry| entry.key == key.0 && entry.era == self.era)?;
        let numbers = Numbers { win: entry.win, fail: entry.fail };
        Some(Known { numbers, work: entry.work })
    }

    /// Stores a result, in place of the one with the least work if the bucket is full.
    pub(super) fn keep(&mut self, key: Key, known: Known) {
        if self.buckets.is_empty() {
            self.buckets = buckets(BUCKETS);
        }
        let place = self.place(key);
        let era = self.era;
        let worth = |entry: &Entry| match (entry.era == era, entry.key == key.0) {
            (true, true) => 0,
            (false, _) => 1,
            (true, false) => entry.work.saturating_add(2),
        };
        let Known { numbers: Numbers { win, fail }, work } = known;
        if let Some(entry) = self.buckets[place].iter_mut().min_by_key(|entry| worth(entry)) {
            *entry = Entry { key: key.0, win, fail, work, era };
        }
    }

    /// Returns the index of the bucket for this key; 0 while there are no buckets.
    fn place(&self, key: Key) -> usize {
        // The high half of the product is less than the number of buckets, so it fits.
        ((u128::from(key.0) * self.buckets.len() as u128) >> u64::BITS) as usize
    }
}

/// Allocates up to `most` buckets, halving the number until it fits: a slower mate search is better than a failed
/// one.
fn buckets(most: usize) -> Box<[[Entry; BUCKET]]> {
    if most <= BUCKETS_AT_LEAST {
        return bytemuck::zeroed_slice_box(BUCKETS_AT_LEAST);
    }
    bytemuck::try_zeroed_slice_box(most).unwrap_or_else(|()| buckets(most / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_memory_remembers_like_a_large_one() {
        let known = Known { numbers: Numbers { win: 3, fail: 5 }, work: 7 };
        for count in [BUCKETS_AT_LEAST, BUCKETS] {
            let mut memory = Memory { buckets: buckets(count), era: 1 };
            for key in [0, u64::MAX / 3, u64::MAX] {
                assert_eq!(memory.probe(Key(key)), None);
                memory.keep(Key(key), known);
                assert_eq!(memory.probe(Key(key)), Some(known));
            }
        }
    }
}
