//! Cluster of the table: one cache line of slots, and the replacement policy.

use super::entry::{Age, Bound, Entry};
use super::slot::Slot;

/// Number of slots in a cluster.
pub(super) const SLOTS: usize = 4;

/// Plies of depth that an entry loses with every search begun since it was stored.
const PLIES_PER_AGE: i32 = 8;
/// Plies by which a bound is too shallow to replace the entry of the same position.
const TOO_SHALLOW_PLIES: u8 = 4;
/// Bonus in plies for a position of a principal variation.
const PV_BONUS_PLIES: u8 = 2;

/// Cluster of the table: the slots in which an entry may lie.
///
/// A store goes, in this order of preference, to the slot that holds the same position, to an empty slot, to the slot
/// with the least worth.
#[derive(Debug)]
#[repr(C, align(64))]
pub(super) struct Cluster([Slot; SLOTS]);

impl Cluster {
    /// Returns the entry stored under `key`.
    pub(super) fn find(&self, key: u64) -> Option<Entry> {
        self.0.iter().find_map(|slot| slot.load(key)).and_then(Entry::unpack).map(|(entry, _)| entry)
    }

    /// Stores `entry`; the present entry of the same position stays if it is better, except for its move.
    pub(super) fn store(&self, key: u64, entry: Entry, now: Age) {
        let (slot, entry) = self.of_same_position(key, entry, now).unwrap_or_else(|| (self.least_worth(now), entry));
        slot.store(key, entry.pack(now));
    }

    /// Returns the number of entries of this age.
    pub(super) fn count(&self, age: Age) -> usize {
        self.0.iter().filter_map(|slot| Entry::unpack(slot.data())).filter(|&(_, of_entry)| of_entry == age).count()
    }

    fn of_same_position(&self, key: u64, new: Entry, now: Age) -> Option<(&Slot, Entry)> {
        let (slot, word) = self.0.iter().find_map(|slot| Some((slot, slot.load(key)?)))?;
        let (old, age) = Entry::unpack(word)?;
        let kept = if supersedes(new, old) || age != now { new } else { old };
        Some((slot, Entry { mv: new.mv.or(old.mv), ..kept }))
    }

    fn least_worth(&self, now: Age) -> &Slot {
        let worth = |slot: &&Slot| worth(slot.data(), now);
        self.0.iter().min_by_key(worth).expect("a cluster has slots")
    }
}

/// Constructor for clusters built one by one; in the mapped table they are zeroed memory.
#[cfg(any(test, miri, loom))]
impl Cluster {
    pub(super) fn empty() -> Self {
        Self(std::array::from_fn(|_| Slot::empty()))
    }
}

/// Whether `new` should replace `old`, an entry of the same position and search.
fn supersedes(new: Entry, old: Entry) -> bool {
    let bonus = if new.tt_pv { PV_BONUS_PLIES } else { 0 };
    new.bound == Bound::Exact || new.depth.saturating_add(bonus + TOO_SHALLOW_PLIES) > old.depth
}

/// Returns the worth of the entry in `word`: depth less age; nothing is worth less than an empty slot.
fn worth(word: u64, now: Age) -> Option<i32> {
    Entry::unpack(word).map(|(entry, age)| i32::from(entry.depth) - PLIES_PER_AGE * i32::from(now.since(age)))
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::num::NonZeroU16;

    fn entry(depth: u8) -> Entry {
        Entry { mv: None, score: i16::from(depth), eval: None, depth, bound: Bound::Lower, tt_pv: false }
    }

    fn mv(bits: u16) -> Option<NonZeroU16> {
        NonZeroU16::new(bits)
    }

    /// Creates a full cluster with the keys 1 to 4 at these depths.
    fn cluster_of(depths: [u8; SLOTS]) -> Cluster {
        let cluster = Cluster::empty();
        for (key, depth) in (1..).zip(depths) {
            cluster.store(key, entry(depth), Age::default());
        }
        cluster
    }

    fn keys_in(cluster: &Cluster) -> Vec<u64> {
        (0..10).filter(|&key| cluster.find(key).is_some()).collect()
    }

    #[test]
    fn replacement_prefers_the_same_position() {
        let cluster = cluster_of([9, 9, 9, 1]);
        cluster.store(2, entry(8), Age::default());
        assert_eq!(keys_in(&cluster), [1, 2, 3, 4]);
        assert_eq!(cluster.find(2), Some(entry(8)));
    }

    #[test]
    fn replacement_prefers_an_empty_slot_to_a_shallow_one() {
        let cluster = Cluster::empty();
        for key in 0..4 {
            cluster.store(key, entry(0), Age::default());
        }
        assert_eq!(keys_in(&cluster), [0, 1, 2, 3]);
    }

    #[test]
    fn replacement_takes_the_shallowest_of_one_search() {
        let cluster = cluster_of([9, 7, 3, 5]);
        cluster.store(5, entry(1), Age::default());
        assert_eq!(keys_in(&cluster), [1, 2, 4, 5]);
    }

    #[test]
    fn a_search_of_age_costs_eight_plies() {
        let now = Age::default().next();
        for (old, fresh, remaining) in [(10, 3, [2, 3, 4, 5]), (12, 3, [1, 3, 4, 5])] {
            let cluster = cluster_of([old, fresh, 30, 30]);
            cluster.store(2, entry(fresh), now);
            cluster.store(5, entry(0), now);
            assert_eq!(keys_in(&cluster), remaining, "depth {old} of the last search, depth {fresh} of this one");
        }
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_old_move() {
        let cluster = Cluster::empty();
        cluster.store(1, Entry { mv: mv(0x1234), ..entry(4) }, Age::default());
        cluster.store(1, entry(6), Age::default().next());
        assert_eq!(cluster.find(1), Some(Entry { mv: mv(0x1234), ..entry(6) }));
    }

    #[test]
    fn a_much_shallower_bound_leaves_only_its_move() {
        let cluster = Cluster::empty();
        cluster.store(1, Entry { mv: mv(0x1234), ..entry(12) }, Age::default());
        cluster.store(1, Entry { mv: mv(0x0ABC), ..entry(8) }, Age::default());
        assert_eq!(cluster.find(1), Some(Entry { mv: mv(0x0ABC), ..entry(12) }));
    }

    #[test]
    fn a_shallower_entry_replaces_when_it_is_near_exact_on_a_pv_or_newer() {
        let (now, later) = (Age::default(), Age::default().next());
        let exact = Entry { bound: Bound::Exact, ..entry(1) };
        let on_a_pv = Entry { tt_pv: true, ..entry(7) };
        for (new, age) in [(entry(9), now), (on_a_pv, now), (exact, now), (entry(1), later)] {
            let cluster = Cluster::empty();
            cluster.store(1, entry(12), now);
            cluster.store(1, new, age);
            assert_eq!(cluster.find(1), Some(new));
        }
    }

    #[test]
    fn counting_knows_ages() {
        let now = Age::default().next();
        let cluster = cluster_of([1, 2, 3, 4]);
        cluster.store(1, entry(9), now);
        assert_eq!((cluster.count(now), cluster.count(Age::default())), (1, 3));
        assert_eq!(Cluster::empty().count(Age::default()), 0);
    }
}
