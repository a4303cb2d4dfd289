//! Hash table of the mate search: proof numbers by position, of a fixed size or as large as memory allows.

use bytemuck::{Pod, Zeroable};

use super::proof::ProofNumbers;
use crate::board::Key;

/// Number of buckets: 24 MiB.
const BUCKETS: usize = 1 << 18;
/// Minimum number of buckets, so few that there is always memory for them.
const MIN_BUCKETS: usize = 1 << 6;
const BUCKET: usize = 4;

/// Table entry of one position.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Entry {
    key: u64,
    pn: u32,
    dn: u32,
    /// Nodes spent on the position.
    work: u32,
    /// Number of the search that stored it; 0 for an empty entry.
    generation: u32,
}

const _: () = assert!(size_of::<Entry>() == 24);

/// Stored result of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stored {
    pub(super) numbers: ProofNumbers,
    /// Nodes spent on the position.
    pub(super) work: u32,
}

/// Hash table of the mate search. It allocates its memory at the first store.
pub(super) struct PnTable {
    buckets: Box<[[Entry; BUCKET]]>,
    generation: u32,
}

impl PnTable {
    pub(super) fn new() -> Self {
        Self { buckets: Box::default(), generation: 0 }
    }

    /// Forgets all entries.
    pub(super) fn clear(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.buckets = Box::default();
            self.generation = 1;
        }
    }

    /// Returns the stored result of the position with this key.
    pub(super) fn probe(&self, key: Key) -> Option<Stored> {
        let bucket = self.buckets.get(self.bucket_index(key))?;
        let entry = bucket.iter().find(|entry| entry.key == key.0 && entry.generation == self.generation)?;
        let numbers = ProofNumbers { pn: entry.pn, dn: entry.dn };
        Some(Stored { numbers, work: entry.work })
    }

    /// Stores a result, in place of the one with the least work if the bucket is full.
    pub(super) fn store(&mut self, key: Key, stored: Stored) {
        if self.buckets.is_empty() {
            self.buckets = buckets(BUCKETS);
        }
        let index = self.bucket_index(key);
        let generation = self.generation;
        let worth = |entry: &Entry| match (entry.generation == generation, entry.key == key.0) {
            (true, true) => 0,
            (false, _) => 1,
            (true, false) => entry.work.saturating_add(2),
        };
        let Stored { numbers: ProofNumbers { pn, dn }, work } = stored;
        if let Some(entry) = self.buckets[index].iter_mut().min_by_key(|entry| worth(entry)) {
            *entry = Entry { key: key.0, pn, dn, work, generation };
        }
    }

    /// Returns the index of the bucket for this key; 0 while there are no buckets.
    fn bucket_index(&self, key: Key) -> usize {
        // The high half of the product is less than the number of buckets, so it fits.
        ((u128::from(key.0) * self.buckets.len() as u128) >> u64::BITS) as usize
    }
}

/// Allocates up to `most` buckets, halving the number until it fits: a slower mate search is better than a failed
/// one.
fn buckets(most: usize) -> Box<[[Entry; BUCKET]]> {
    if most <= MIN_BUCKETS {
        return bytemuck::zeroed_slice_box(MIN_BUCKETS);
    }
    bytemuck::try_zeroed_slice_box(most).unwrap_or_else(|()| buckets(most / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_table_stores_like_a_large_one() {
        let stored = Stored { numbers: ProofNumbers { pn: 3, dn: 5 }, work: 7 };
        for count in [MIN_BUCKETS, BUCKETS] {
            let mut table = PnTable { buckets: buckets(count), generation: 1 };
            for key in [0, u64::MAX / 3, u64::MAX] {
                assert_eq!(table.probe(Key(key)), None);
                table.store(Key(key), stored);
                assert_eq!(table.probe(Key(key)), Some(stored));
            }
        }
    }
}
