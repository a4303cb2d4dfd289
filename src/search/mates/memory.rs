//! What is known of positions while a mate is looked for: a table of its own, of a fixed size.

use bytemuck::{Pod, Zeroable};

use super::proof::Numbers;
use crate::board::Key;

/// Twenty-four mebibytes.
const BUCKETS: usize = 1 << 18;
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
        let bucket = self.buckets.get(place(key))?;
        let entry = bucket.iter().find(|entry| entry.key == key.0 && entry.era == self.era)?;
        let numbers = Numbers { win: entry.win, fail: entry.fail };
        Some(Known { numbers, work: entry.work })
    }

    /// Keeps what is known of it, at the cost of what was found with the least work.
    pub(super) fn keep(&mut self, key: Key, known: Known) {
        if self.buckets.is_empty() {
            self.buckets = bytemuck::zeroed_slice_box(BUCKETS);
        }
        let era = self.era;
        let worth = |entry: &Entry| match (entry.era == era, entry.key == key.0) {
            (true, true) => 0,
            (false, _) => 1,
            (true, false) => entry.work.saturating_add(2),
        };
        let Known { numbers: Numbers { win, fail }, work } = known;
        if let Some(entry) = self.buckets[place(key)].iter_mut().min_by_key(|entry| worth(entry)) {
            *entry = Entry { key: key.0, win, fail, work, era };
        }
    }
}

fn place(key: Key) -> usize {
    (key.0 >> (u64::BITS - BUCKETS.ilog2())) as usize
}
