//! Transposition table (TT): search results by position, shared by all workers without locks.
//!
//! Knows keys, entries and memory, but neither the meaning of a score, nor the search, nor the game: a move is
//! sixteen bits.
//!
//! ```text
//!  Table   = Cluster, Cluster, ...   a cluster is one cache line; key * clusters >> 64 chooses it, so any size works
//!  Cluster = Slot, Slot, Slot, Slot  replacement happens inside a cluster
//!  Slot    = [ guard ] [ data ]      guard = key ^ data, so a torn pair is always a miss
//! ```
//!
//! ```
//! use chuhe::smp::table::{Bound, Entry, Table};
//!
//! let table = Table::new(1)?;
//! let entry = Entry { mv: None, score: 31, eval: Some(17), depth: 9, bound: Bound::Lower, tt_pv: false };
//! table.store(0x1234_5678_9ABC_DEF0, entry);
//! assert_eq!(table.probe(0x1234_5678_9ABC_DEF0), Some(entry));
//! assert_eq!(table.probe(0x1234_5678_9ABC_DEF1), None);
//! # Ok::<(), chuhe::smp::table::TableError>(())
//! ```

mod capacity;
mod cluster;
mod entry;
#[cfg_attr(any(miri, loom), path = "heap.rs")]
mod memory;
mod slot;

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::{fmt, io};

pub use capacity::TableError;
pub use entry::{Bound, Entry};

use cluster::Cluster;
use entry::Age;
use memory::Clusters;

const CLUSTERS_PER_MEBIBYTE: usize = (1 << 20) / 64;

/// If a size that was available is gone, its gain over the held size shrinks by one part in this many per attempt.
const STEPS_BACK: usize = 8;

/// Smallest size, in mebibytes.
const SMALLEST: usize = 1;

/// Transposition table (TT): entries by key. Workers share it by reference; a sole owner may clear and resize it.
pub struct Table {
    clusters: Clusters,
    mebibytes: usize,
    /// Age of the entries stored now. One thread advances it while others store.
    age: AtomicU8,
}

impl Table {
    /// Creates an empty table of this many mebibytes (at least one).
    ///
    /// Its pages become real as they are used, or by [`Table::warm_up`].
    ///
    /// # Errors
    /// If the memory is not available. The machine is asked first, so that a large size is refused and not
    /// overcommitted.
    pub fn new(mebibytes: usize) -> Result<Self, TableError> {
        let mebibytes = mebibytes.max(SMALLEST);
        capacity::check(mebibytes, 0)?;
        let clusters = Clusters::new(mebibytes * CLUSTERS_PER_MEBIBYTE)
            .map_err(|reason| TableError::Refused { mebibytes, reason })?;
        Ok(Self { clusters, mebibytes, age: AtomicU8::default() })
    }

    /// Resizes and empties the table.
    ///
    /// The memory held so far is given back first: there need not be room for both.
    ///
    /// # Errors
    /// Like [`Table::new`]; the table then keeps its size. It keeps its entries too, unless the system refused what
    /// had seemed available. If the system refuses the old size as well, the table gets the smallest size.
    pub fn resize(&mut self, mebibytes: usize) -> Result<(), TableError> {
        let held = self.mebibytes;
        capacity::check(mebibytes.max(SMALLEST), held)?;
        *self = Self::new(SMALLEST)?;
        match Self::new(mebibytes) {
            Ok(table) => *self = table,
            Err(refused) => {
                if let Ok(table) = Self::new(held) {
                    *self = table;
                }
                return Err(refused);
            }
        }
        Ok(())
    }

    /// Like [`Table::resize`], but takes the largest size available if the one asked for is not.
    ///
    /// `fits` says whether there is room for everything else beside a table of this many mebibytes.
    ///
    /// # Errors
    /// The reason why the size asked for is not available.
    pub fn resize_as_far_as(&mut self, mebibytes: usize, fits: impl Fn(usize) -> bool) -> Result<(), TableError> {
        let refused = match self.resize_if(mebibytes, &fits) {
            Ok(()) => return Ok(()),
            Err(refused) => refused,
        };
        let held = self.mebibytes;
        // Sizes up to `had` are available, from `too_large` on they are not. A table made for one attempt would be in
        // the way of the next one.
        let (mut had, mut too_large) = (held, capacity::most(mebibytes, held) + 1);
        while had + 1 < too_large {
            let middle = had.midpoint(too_large);
            match self.resize_if(middle, &fits).and_then(|()| self.resize(held)) {
                Ok(()) => had = middle,
                Err(_) => too_large = middle,
            }
        }
        // Other processes may have taken some of it meanwhile, but hardly half.
        while had > self.mebibytes && self.resize_if(had, &fits).is_err() {
            had -= (had - held).div_ceil(STEPS_BACK);
        }
        Err(refused)
    }

    fn resize_if(&mut self, mebibytes: usize, fits: impl Fn(usize) -> bool) -> Result<(), TableError> {
        capacity::check(mebibytes, self.mebibytes)?;
        if !fits(mebibytes) {
            return Err(TableError::Refused { mebibytes, reason: io::ErrorKind::OutOfMemory.into() });
        }
        self.resize(mebibytes)
    }

    /// Returns a good size for this machine: an eighth of the available memory, between 16 and 128 MiB.
    ///
    /// The size is 64 MiB where the system does not report the available memory.
    pub fn automatic_mebibytes() -> usize {
        capacity::automatic()
    }

    /// Returns the largest size that [`Table::new`] considers, in mebibytes.
    pub const fn largest_mebibytes() -> usize {
        capacity::LARGEST
    }

    /// Returns the size, in mebibytes.
    pub fn mebibytes(&self) -> usize {
        self.mebibytes
    }

    /// Makes the memory real, with up to `threads` threads.
    ///
    /// On a virtual machine this can take seconds per gibibyte, so it is for moments when no clock runs. Without it,
    /// the first searches do it bit by bit.
    pub fn warm_up(&mut self, threads: usize) {
        self.clusters.touch(threads);
    }

    /// Clears the table, with up to `threads` threads.
    pub fn clear(&mut self, threads: usize) {
        self.clusters.clear(threads);
        self.age = AtomicU8::default();
    }

    /// Begins a new search: the entries stored so far are worth less from now on.
    ///
    /// Workers still on their way out of the last search store as if they belonged to the new one.
    pub fn advance_age(&self) {
        self.age.store(self.age().next().0, Relaxed);
    }

    /// Returns the entry of the position with this key.
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.cluster(key).find(key)
    }

    /// Stores `entry`, or as much of it as is better than the present one. The replacement policy is in `cluster.rs`.
    pub fn store(&self, key: u64, entry: Entry) {
        self.cluster(key).store(key, entry, self.age());
    }

    /// Prefetches the cluster of `key`, which will be probed soon.
    pub fn prefetch(&self, key: u64) {
        memory::prefetch(self.cluster(key));
    }

    /// Returns how full this search has made the table (hashfull), in thousandths, judged by the first thousand
    /// slots.
    pub fn permille_full(&self) -> u32 {
        const SAMPLE: usize = 1000 / cluster::SLOTS;
        let age = self.age();
        let filled: usize = self.clusters[..SAMPLE].iter().map(|cluster| cluster.count(age)).sum();
        u32::try_from(filled).expect("at most a thousand")
    }

    fn age(&self) -> Age {
        // Relaxed, here and above: an entry may have either age when it is stored while a search begins.
        Age(self.age.load(Relaxed))
    }

    fn cluster(&self, key: u64) -> &Cluster {
        // The high half of the product is less than the number of clusters, so it fits.
        let index = ((u128::from(key) * self.clusters.len() as u128) >> u64::BITS) as usize;
        &self.clusters[index]
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("mebibytes", &self.mebibytes).field("age", &self.age()).finish_non_exhaustive()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::cell::Cell;

    use super::*;

    const STORED: u64 = if cfg!(miri) { 50 } else { 4000 };

    fn small() -> Table {
        Table::new(1).unwrap()
    }

    fn entry(score: i16) -> Entry {
        Entry { mv: None, score, eval: None, depth: 5, bound: Bound::Exact, tt_pv: false }
    }

    /// Returns a key, spreading small numbers over all keys.
    fn key(number: u64) -> u64 {
        number.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn hits(table: &Table) -> u64 {
        (0..STORED).map(|number| u64::from(table.probe(key(number)) == Some(entry(3)))).sum()
    }

    fn filled(table: Table) -> Table {
        table.advance_age();
        (0..STORED).for_each(|number| table.store(key(number), entry(3)));
        assert_eq!(hits(&table), STORED);
        table
    }

    #[test]
    fn a_new_table_knows_nothing() {
        let table = small();
        assert_eq!(table.mebibytes(), 1);
        assert_eq!(table.permille_full(), 0);
        assert_eq!(hits(&table), 0);
        assert_eq!(table.probe(0), None);
        assert_eq!(table.probe(u64::MAX), None);
    }

    #[test]
    fn the_lowest_and_the_highest_key_have_a_place() {
        let table = small();
        for key in [0, u64::MAX] {
            table.prefetch(key);
            table.store(key, entry(7));
            assert_eq!(table.probe(key), Some(entry(7)));
        }
    }

    #[test]
    fn clearing_forgets_everything() {
        let mut table = filled(small());
        table.clear(3);
        assert_eq!(hits(&table), 0);
        assert_eq!(table.age(), Age::default());
    }

    #[test]
    #[cfg_attr(miri, ignore = "33 MiB are too many there")]
    fn any_size_is_cleared_by_several_threads_to_its_last_cluster() {
        let mut table = filled(Table::new(33).unwrap());
        table.store(u64::MAX, entry(1));
        table.clear(3);
        assert_eq!(table.mebibytes(), 33);
        assert_eq!(table.clusters.len(), 33 * CLUSTERS_PER_MEBIBYTE);
        assert!(table.clusters.iter().all(|cluster| cluster.count(Age::default()) == 0));
    }

    #[test]
    fn fullness_counts_the_entries_of_this_search() {
        let table = small();
        let clusters = table.clusters.len() as u64;
        // One entry in each of the first hundred clusters.
        let keys = || (0..100).map(|cluster| cluster * (u64::MAX / clusters + 1));
        table.advance_age();
        keys().for_each(|key| table.store(key, entry(0)));
        assert_eq!(table.permille_full(), 100);
        table.advance_age();
        assert_eq!(table.permille_full(), 0);
        keys().for_each(|key| table.store(key, entry(0)));
        assert_eq!(table.permille_full(), 100);
    }

    #[test]
    fn resizing_empties_the_table() {
        let mut table = filled(small());
        table.resize(2).unwrap();
        assert_eq!(table.mebibytes(), 2);
        assert_eq!(hits(&table), 0);
    }

    #[test]
    fn a_failed_resize_keeps_size_and_entries() {
        let mut table = filled(small());
        assert!(table.resize(Table::largest_mebibytes() + 1).is_err());
        assert_eq!(table.mebibytes(), 1);
        assert_eq!(hits(&table), STORED);
    }

    #[test]
    fn the_largest_table_that_fits_is_found() {
        for (wanted, room, had) in [(7, 100, 7), (100, 12, 12), (13, 12, 12), (50, 1, 1)] {
            let mut table = filled(small());
            let resized = table.resize_as_far_as(wanted, |mebibytes| mebibytes <= room);
            assert_eq!((resized.is_ok(), table.mebibytes()), (wanted == had, had));
        }
        let mut table = small();
        let absurd = Table::largest_mebibytes() + 1;
        let error = table.resize_as_far_as(absurd, |mebibytes| mebibytes <= 5).unwrap_err();
        assert!(matches!(error, TableError::TooLarge { mebibytes } if mebibytes == absurd));
        assert_eq!(table.mebibytes(), 5);
    }

    #[test]
    fn memory_taken_meanwhile_costs_little_more() {
        let found = Cell::new(false);
        let mut table = small();
        let resized = table.resize_as_far_as(50, |mebibytes| {
            let left = if mebibytes == 16 && found.replace(true) { 15 } else { 16 };
            mebibytes <= left
        });
        assert!(resized.is_err());
        assert_eq!(table.mebibytes(), 14);
    }

    #[test]
    fn a_size_of_zero_means_one() {
        assert_eq!(Table::new(0).unwrap().mebibytes(), 1);
    }

    #[test]
    fn an_absurd_size_gives_an_error() {
        for mebibytes in [Table::largest_mebibytes() + 1, usize::MAX] {
            assert!(matches!(Table::new(mebibytes), Err(TableError::TooLarge { .. })));
        }
    }
}
