//! What is known of positions while a mate is looked for: a table of its own, of a fixed size or what there is memory for.

use bytemuck::{Pod, Zeroable};

use super::proof::Numbers;
use crate::board::Key;

/// Twenty-four mebibytes.
const BUCKETS: usize = 1 << 18;
/// So few that there is always memory for them.
const BUCKETS_AT_LEAST: usize = 1 << 6;
const BUCKET: usize = 4;

/// What is known of one position.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Entry {
    key: u64,
    win: u32,
    fail: u32,
    /// Nodes that were spent on it.
    work: u32,
    /// Of which search it is; 0 is an empty place.
    era: u32,
}

const _: () = assert!(size_of::<Entry>() == 24);

/// What was found of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    pub(super) numbers: Numbers,
    /// Nodes that were spent on it.
    pub(super) work: u32,
}

/// The table. It asks for its memory when something is kept for the first time.
pub(super) struct Memory {
    buckets: Box<[[Entry; BUCKET]]>,
    era: u32,
}

impl Memory {
    pub(super) fn new() -> Self {
        Self { buckets: Box::default(), era: 0 }
    }

    /// Forgets everything.
    pub(super) fn forget(&mut self) {
        self.era = self.era.wrapping_add(1);
        if self.era == 0 {
            self.buckets = Box::default();
            self.era = 1;
        }
    }

    /// What is known of the position with this key.
    pub(super) fn recall(&self, key: Key) -> Option<Known> {
        let bucket = self.buckets.get(self.place(key))?;
        let entry = bucket.iter().find(|entry| entry.key == key.0 && entry.era == self.era)?;
        let numbers = Numbers { win: entry.win, fail: entry.fail };
        Some(Known { numbers, work: entry.work })
    }

    /// Keeps what is known of it, at the cost of what was found with the least work.
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

    /// The bucket of the position with this key, if there are any.
    fn place(&self, key: Key) -> usize {
        // The high half of the product is less than the number of buckets, so it fits.
        ((u128::from(key.0) * self.buckets.len() as u128) >> u64::BITS) as usize
    }
}

/// As many as can be had, by halves: a search that finds mates later is better than one that fails.
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
                assert_eq!(memory.recall(Key(key)), None);
                memory.keep(Key(key), known);
                assert_eq!(memory.recall(Key(key)), Some(known));
            }
        }
    }
}
