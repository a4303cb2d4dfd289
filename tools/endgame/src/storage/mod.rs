//! Storage of the entries of all placements: in memory, or in pages of which only those in use are in memory and the others in a
//! scratch file.
//!
//! A page has consecutive numbers. These share their kings and defenders, or nearly so: a quiet move of an attacker stays in
//! its page or close to it, and a move of a king or a defender leads to one of a few other pages. That is why few pages suffice.

mod cell;
mod page;

use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use anyhow::Result;

use crate::plies::{at, entries};
use cell::Cell;
pub use page::PageCache;
use page::Pages;

/// Place of the entries of a material.
#[derive(Clone, Debug, Default)]
pub enum Storage {
    /// All in memory.
    #[default]
    Memory,
    /// In pages, of which a limited number is in memory.
    Paged(Arc<PageCache>),
}

impl Storage {
    /// Creates a storage that keeps `limit` bytes of entries in memory, and the others in scratch files of `folder`. The system
    /// removes these files even if the program is killed.
    pub fn paged(limit: u64, folder: &Path) -> Self {
        Self::Paged(Arc::new(PageCache::new(limit, folder)))
    }

    /// Creates a file without a name for data that need not stay in memory; `None` if all may.
    ///
    /// # Errors
    /// If there can be none.
    pub(crate) fn scratch_file(&self) -> Result<Option<File>> {
        match self {
            Self::Memory => Ok(None),
            Self::Paged(cache) => cache.scratch_file().map(Some),
        }
    }

    /// Whether a scratch file could not be read or written: the entries are lost.
    pub(crate) fn has_failed(&self) -> bool {
        matches!(self, Self::Paged(cache) if cache.has_failed())
    }

    /// Checks that the scratch files could be read and written.
    ///
    /// # Errors
    /// If one could not.
    pub(crate) fn check(&self) -> Result<()> {
        match self {
            Self::Memory => Ok(()),
            Self::Paged(cache) => cache.check(),
        }
    }
}

/// List of entries, one for every number of a material.
pub(crate) enum Entries<C: Cell> {
    /// In memory.
    Memory(Vec<C>),
    /// In pages.
    Paged(Pages<C>),
}

impl<C: Cell> Entries<C> {
    /// Creates `size` entries with this value.
    ///
    /// # Errors
    /// If the memory does not suffice, or there can be no scratch file.
    pub(crate) fn new(storage: &Storage, size: u64, value: C::Value) -> Result<Self> {
        Ok(match storage {
            Storage::Memory => Self::Memory(entries(size, || C::new(value))?),
            Storage::Paged(cache) => Self::Paged(Pages::new(cache, size, value)?),
        })
    }

    /// Number of entries.
    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Memory(cells) => cells.len() as u64,
            Self::Paged(pages) => pages.len(),
        }
    }

    /// Returns an entry.
    pub(crate) fn get(&self, number: u64) -> C::Value {
        match self {
            Self::Memory(cells) => cells[at(number)].load(),
            Self::Paged(pages) => pages.get(number),
        }
    }

    /// Calls `take` with these numbers and their entries. It must not use any entries itself.
    pub(crate) fn for_each(&self, numbers: Range<u64>, mut take: impl FnMut(u64, C::Value)) {
        match self {
            Self::Memory(cells) => {
                let cells = &cells[at(numbers.start)..at(numbers.end)];
                numbers.zip(cells).for_each(|(number, cell)| take(number, cell.load()));
            }
            Self::Paged(pages) => pages.for_each(numbers, take),
        }
    }

    /// Stores an entry.
    pub(crate) fn set(&self, number: u64, value: C::Value) {
        match self {
            Self::Memory(cells) => cells[at(number)].store(value),
            Self::Paged(pages) => pages.set(number, value),
        }
    }

    /// Replaces an entry by what `change` returns, and returns the old one: `Err` if `change` returned `None`.
    pub(crate) fn update(
        &self,
        number: u64,
        change: impl FnMut(C::Value) -> Option<C::Value>,
    ) -> Result<C::Value, C::Value> {
        match self {
            Self::Memory(cells) => cells[at(number)].update(change),
            Self::Paged(pages) => pages.update(number, change),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU8, AtomicU16};
    use std::thread;

    use super::page::FEWEST_IN_A_PAGE;
    use super::*;

    /// Limit of four pages.
    const LIMIT: u64 = 4 * FEWEST_IN_A_PAGE;

    fn resident(storage: &Storage) -> u64 {
        let Storage::Paged(cache) = storage else { panic!("in memory") };
        cache.resident()
    }

    #[test]
    fn pages_hold_what_memory_holds_within_their_limit() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::paged(LIMIT, folder.path());
        let size = 20 * FEWEST_IN_A_PAGE + 17;
        let bytes = Entries::<AtomicU8>::new(&storage, size, 9).unwrap();
        let words = Entries::<AtomicU16>::new(&storage, size, u16::MAX).unwrap();
        assert_eq!((bytes.len(), words.len()), (size, size));
        let value = |number: u64| chuhe::splitmix::mix(number);
        for number in (0..size).step_by(3) {
            bytes.set(number, value(number) as u8);
            words.set(number, value(number) as u16);
            assert!(resident(&storage) <= LIMIT);
        }
        for number in 0..size {
            let is_set = number.is_multiple_of(3);
            assert_eq!(bytes.get(number), if is_set { value(number) as u8 } else { 9 });
            assert_eq!(words.get(number), if is_set { value(number) as u16 } else { u16::MAX });
        }
        let across_pages = FEWEST_IN_A_PAGE - 3..3 * FEWEST_IN_A_PAGE + 5;
        let mut visited = vec![];
        words.for_each(across_pages.clone(), |number, word| visited.push((number, word)));
        assert_eq!(visited, across_pages.map(|number| (number, words.get(number))).collect::<Vec<_>>());
        assert_eq!(bytes.update(1, |before| before.checked_sub(10)), Err(9));
        assert_eq!(bytes.update(1, |before| before.checked_sub(9)), Ok(9));
        assert_eq!(
            (bytes.get(1), bytes.get(size - 1)),
            (0, if (size - 1).is_multiple_of(3) { value(size - 1) as u8 } else { 9 })
        );
        drop((bytes, words));
        assert_eq!(resident(&storage), 0);
        storage.check().unwrap();
        assert_eq!(folder.path().read_dir().unwrap().count(), 0, "the scratch files have no names");
    }

    #[test]
    fn threads_lose_no_change_while_pages_come_and_go() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::paged(LIMIT, folder.path());
        let size = 9 * FEWEST_IN_A_PAGE;
        let words = Entries::<AtomicU16>::new(&storage, size, 0).unwrap();
        let add = |number| words.update(number, |before| before.checked_add(1)).is_ok();
        thread::scope(|scope| {
            for thread in 0..4 {
                // Each in another order.
                scope.spawn(move || {
                    let order = (0..size).map(|number| (number * 4099 * (2 * thread + 1) + thread * 977) % size);
                    assert!(order.step_by(7).chain((0..size).step_by(5)).map(add).fold(true, |all, one| all & one));
                });
            }
        });
        let sum: u64 = (0..size).map(|number| u64::from(words.get(number))).sum();
        assert_eq!(sum, 4 * (size.div_ceil(7) + size.div_ceil(5)));
        assert!(resident(&storage) <= LIMIT);
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_named() {
        let storage = Storage::paged(LIMIT, Path::new("no such folder"));
        let error = Entries::<AtomicU8>::new(&storage, 10, 0).err().unwrap();
        assert!(format!("{error:#}").starts_with("a scratch file in no such folder: "), "{error:#}");
    }

    #[test]
    fn a_file_that_loses_its_pages_is_a_failure() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::paged(LIMIT, folder.path());
        let size = 9 * FEWEST_IN_A_PAGE;
        let bytes = Entries::<AtomicU8>::new(&storage, size, 0).unwrap();
        (0..size).for_each(|number| bytes.set(number, 1));
        // The first pass writes every changed page.
        let sum = || (0..size).map(|number| u64::from(bytes.get(number))).sum::<u64>();
        assert_eq!(sum(), size);
        let Entries::Paged(pages) = &bytes else { panic!("in memory") };
        pages.lose();
        assert!(!storage.has_failed());
        assert!(sum() < size && storage.has_failed());
        assert!(storage.check().unwrap_err().to_string().starts_with("a scratch file in "));
    }
}
