//! Slot of the table: two words that show by themselves whether they belong together.

use crate::sync::{AtomicU64, Ordering::Relaxed};

/// A key and its data, written and read without a lock.
///
/// The guard holds `key ^ data`. Two workers may store at the same time, or one while another loads, and leave the
/// guard of one store beside the data of the other; the pair then matches neither key. So `Relaxed` is enough: no
/// order between the two words is relied upon, and nothing else is published through them. (Robert Hyatt and Timothy
/// Mann: "A lock-less transposition table implementation for parallel search chess engines".)
#[derive(Debug)]
#[repr(C)]
pub(super) struct Slot {
    guard: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    /// Returns the data stored under `key`, never zero.
    pub(super) fn load(&self, key: u64) -> Option<u64> {
        let data = self.data();
        (self.guard.load(Relaxed) == guard(key, data) && data != 0).then_some(data)
    }

    /// Returns the data, whatever its key; zero if the slot is empty.
    pub(super) fn data(&self) -> u64 {
        self.data.load(Relaxed)
    }

    /// Replaces the contents of the slot.
    pub(super) fn store(&self, key: u64, data: u64) {
        self.guard.store(guard(key, data), Relaxed);
        self.data.store(data, Relaxed);
    }
}

/// Constructor for slots built one by one; in the mapped table they are zeroed memory.
#[cfg(any(test, miri, loom))]
impl Slot {
    pub(super) fn empty() -> Self {
        Self { guard: AtomicU64::new(0), data: AtomicU64::new(0) }
    }
}

#[cfg(not(unguarded))]
fn guard(key: u64, data: u64) -> u64 {
    key ^ data
}

/// Deliberate mistake that the model below must find; see `ci/loom.sh`.
#[cfg(unguarded)]
fn guard(key: u64, _: u64) -> u64 {
    key
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_slot_answers_to_its_key_alone() {
        let slot = Slot::empty();
        assert_eq!(slot.load(7), None);
        slot.store(7, 9);
        assert_eq!((slot.load(7), slot.load(8), slot.data()), (Some(9), None, 9));
    }

    #[test]
    fn an_empty_slot_is_not_the_entry_of_key_zero() {
        assert_eq!(Slot::empty().load(0), None);
    }

    #[test]
    fn the_halves_of_two_stores_answer_to_neither_key() {
        let (red, black, torn) = (Slot::empty(), Slot::empty(), Slot::empty());
        red.store(0x11, 0x1101);
        black.store(0x22, 0x2201);
        torn.guard.store(red.guard.load(Relaxed), Relaxed);
        torn.data.store(black.data(), Relaxed);
        assert_eq!((torn.load(0x11), torn.load(0x22)), (None, None));
    }
}

/// Model of every interleaving of two writers and a reader, run by loom.
#[cfg(all(test, loom))]
mod model {
    use super::*;
    use loom::sync::Arc;
    use loom::thread;

    const KEYS: [u64; 2] = [0x11, 0x22];

    /// Returns data that names the key it is stored under, so that a mixed-up pair is detected.
    fn payload(key: u64) -> u64 {
        key << 32 | 1
    }

    fn assert_no_mixture(slot: &Slot, key: u64) {
        let data = slot.load(key);
        assert!(data.is_none_or(|data| data == payload(key)), "key {key:#x} found the data {data:x?} of another");
    }

    #[test]
    fn a_key_never_finds_the_data_of_another() {
        loom::model(|| {
            let slot = Arc::new(Slot::empty());
            let writers = KEYS.map(|key| {
                let slot = Arc::clone(&slot);
                thread::spawn(move || slot.store(key, payload(key)))
            });
            // One key is enough, the writers differ in nothing else; two take twenty times longer.
            assert_no_mixture(&slot, KEYS[0]);
            for writer in writers {
                writer.join().unwrap();
            }
            KEYS.into_iter().for_each(|key| assert_no_mixture(&slot, key));
        });
    }
}
