//! Pages of entries, in memory or in a scratch file.

use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, TryLockError, Weak};

use anyhow::{Context, Result, bail};

use super::cell::Cell;
use crate::plies::at;

/// Entries of a page: a power of two between these, of which the limit has about [`PAGES`].
pub(super) const FEWEST_IN_A_PAGE: u64 = 1 << 12;
const MOST_IN_A_PAGE: u64 = 1 << 20;
const PAGES: u64 = 1 << 10;

/// Pages of several lists of entries that are in memory. Second-chance replacement: a page that was used since it was looked at
/// last stays.
#[derive(Debug)]
pub struct PageCache {
    /// Limit of the pages in memory, in bytes.
    limit: u64,
    folder: PathBuf,
    entries_of_a_page: u64,
    /// Bytes of the pages in memory.
    resident: AtomicU64,
    /// The pages in memory.
    queue: Mutex<VecDeque<Weak<dyn Resident>>>,
    has_failed: AtomicBool,
    fault: Mutex<Option<io::Error>>,
}

impl PageCache {
    pub(super) fn new(limit: u64, folder: &Path) -> Self {
        let entries = (limit / PAGES).clamp(FEWEST_IN_A_PAGE, MOST_IN_A_PAGE);
        Self {
            limit,
            folder: folder.to_owned(),
            entries_of_a_page: 1 << entries.ilog2(),
            resident: AtomicU64::new(0),
            queue: Mutex::default(),
            has_failed: AtomicBool::new(false),
            fault: Mutex::default(),
        }
    }

    /// Whether a scratch file could not be read or written.
    pub(super) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// Checks that the scratch files could be read and written.
    pub(super) fn check(&self) -> Result<()> {
        match &*lock(&self.fault) {
            Some(fault) => bail!("a scratch file in {}: {fault}", self.folder.display()),
            None => Ok(()),
        }
    }

    /// Returns the bytes of the pages in memory.
    #[cfg(test)]
    pub(super) fn resident(&self) -> u64 {
        self.resident.load(Ordering::Relaxed)
    }

    /// Creates a file without a name.
    pub(super) fn scratch_file(&self) -> Result<File> {
        let cannot = || format!("a scratch file in {}", self.folder.display());
        tempfile::tempfile_in(&self.folder).with_context(cannot)
    }

    /// Loads a page, unless another thread has done so.
    fn load<C: Cell>(&self, page: &Arc<Page<C>>) {
        let mut queue = lock(&self.queue);
        let mut cells = page.cells.write().unwrap_or_else(PoisonError::into_inner);
        if !cells.is_empty() {
            return;
        }
        self.make_room(&mut queue, page.bytes());
        *cells = page.read().unwrap_or_else(|error| {
            self.fail(error);
            page.filled()
        });
        self.resident.fetch_add(page.bytes(), Ordering::Relaxed);
        let page: Weak<Page<C>> = Arc::downgrade(page);
        queue.push_back(page);
    }

    /// Evicts pages until `bytes` more fit, or until the rest is in use.
    fn make_room(&self, queue: &mut VecDeque<Weak<dyn Resident>>, bytes: u64) {
        for _ in 0..2 * queue.len() {
            if self.resident.load(Ordering::Relaxed) + bytes <= self.limit {
                return;
            }
            let Some(oldest) = queue.pop_front() else { return };
            // The pages of a list that was dropped are gone.
            if oldest.upgrade().is_some_and(|page| page.take_used() || !page.evict()) {
                queue.push_back(oldest);
            }
        }
    }

    fn fail(&self, error: io::Error) {
        lock(&self.fault).get_or_insert(error);
        self.has_failed.store(true, Ordering::Relaxed);
    }
}

fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Page that is in memory.
trait Resident: Send + Sync + fmt::Debug {
    /// Returns whether the page was used since the last call.
    fn take_used(&self) -> bool;
    /// Moves the page to its file; returns false if a thread is using it.
    fn evict(&self) -> bool;
}

/// Consecutive entries of a list.
struct Page<C: Cell> {
    /// The entries; none while they are in the file.
    cells: RwLock<Box<[C]>>,
    length: usize,
    fill: C::Value,
    was_used: AtomicBool,
    /// Whether an entry has changed since the page was read.
    is_dirty: AtomicBool,
    /// Whether the file has the page; before that all entries have the value `fill`.
    is_in_file: AtomicBool,
    file: Arc<Mutex<File>>,
    /// Place in the file in bytes.
    offset: u64,
    cache: Arc<PageCache>,
}

impl<C: Cell> fmt::Debug for Page<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Page").field("offset", &self.offset).field("length", &self.length).finish_non_exhaustive()
    }
}

impl<C: Cell> Page<C> {
    fn bytes(&self) -> u64 {
        (self.length * C::BYTES) as u64
    }

    fn filled(&self) -> Box<[C]> {
        (0..self.length).map(|_| C::new(self.fill)).collect()
    }

    fn read(&self) -> io::Result<Box<[C]>> {
        if !self.is_in_file.load(Ordering::Relaxed) {
            return Ok(self.filled());
        }
        let mut bytes = vec![0; self.length * C::BYTES];
        let mut file = lock(&self.file);
        file.seek(SeekFrom::Start(self.offset))?;
        file.read_exact(&mut bytes)?;
        Ok(bytes.chunks_exact(C::BYTES).map(C::from_bytes).collect())
    }

    fn write(&self, cells: &[C]) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(self.length * C::BYTES);
        cells.iter().for_each(|cell| cell.append_to(&mut bytes));
        let mut file = lock(&self.file);
        file.seek(SeekFrom::Start(self.offset))?;
        file.write_all(&bytes)
    }

    /// Returns the entries, which stay in memory as long as the guard lives. A thread may have one guard only.
    fn pin(self: &Arc<Self>) -> RwLockReadGuard<'_, Box<[C]>> {
        loop {
            let cells = self.cells.read().unwrap_or_else(PoisonError::into_inner);
            if !cells.is_empty() {
                if !self.was_used.load(Ordering::Relaxed) {
                    self.was_used.store(true, Ordering::Relaxed);
                }
                return cells;
            }
            drop(cells);
            self.cache.load(self);
        }
    }

    /// Notes a change. The caller has a guard.
    fn changed(&self) {
        if !self.is_dirty.load(Ordering::Relaxed) {
            self.is_dirty.store(true, Ordering::Relaxed);
        }
    }
}

impl<C: Cell> Resident for Page<C> {
    fn take_used(&self) -> bool {
        self.was_used.swap(false, Ordering::Relaxed)
    }

    fn evict(&self) -> bool {
        let mut cells = match self.cells.try_write() {
            Ok(cells) => cells,
            Err(TryLockError::Poisoned(error)) => error.into_inner(),
            Err(TryLockError::WouldBlock) => return false,
        };
        // After a failure nothing is worth keeping, and the memory stays within its limit.
        if self.is_dirty.swap(false, Ordering::Relaxed) && !self.cache.has_failed() {
            match self.write(&cells) {
                Ok(()) => self.is_in_file.store(true, Ordering::Relaxed),
                Err(error) => self.cache.fail(error),
            }
        }
        *cells = Box::default();
        self.cache.resident.fetch_sub(self.bytes(), Ordering::Relaxed);
        true
    }
}

impl<C: Cell> Drop for Page<C> {
    fn drop(&mut self) {
        if !self.cells.get_mut().unwrap_or_else(PoisonError::into_inner).is_empty() {
            self.cache.resident.fetch_sub(self.bytes(), Ordering::Relaxed);
        }
    }
}

/// List of entries in pages.
pub(crate) struct Pages<C: Cell> {
    pages: Vec<Arc<Page<C>>>,
    size: u64,
    /// Binary logarithm of the entries of a page.
    shift: u32,
}

impl<C: Cell> Pages<C> {
    /// Creates `size` entries with the value `fill`.
    pub(super) fn new(cache: &Arc<PageCache>, size: u64, fill: C::Value) -> Result<Self> {
        let file = Arc::new(Mutex::new(cache.scratch_file()?));
        let step = cache.entries_of_a_page;
        let page = |first: u64| {
            Arc::new(Page {
                cells: RwLock::default(),
                length: at(step.min(size - first)),
                fill,
                was_used: AtomicBool::new(false),
                is_dirty: AtomicBool::new(false),
                is_in_file: AtomicBool::new(false),
                file: Arc::clone(&file),
                offset: first * C::BYTES as u64,
                cache: Arc::clone(cache),
            })
        };
        let pages = (0..size.div_ceil(step)).map(|number| page(number * step)).collect();
        Ok(Self { pages, size, shift: step.ilog2() })
    }

    /// Number of entries.
    pub(super) fn len(&self) -> u64 {
        self.size
    }

    /// Returns an entry.
    pub(super) fn get(&self, number: u64) -> C::Value {
        let (page, place) = self.find(number);
        page.pin()[place].load()
    }

    /// Calls `take` with these numbers and their entries. It must not use any entries itself.
    pub(super) fn for_each(&self, numbers: Range<u64>, mut take: impl FnMut(u64, C::Value)) {
        let mut next = numbers.start;
        while next < numbers.end {
            let (page, place) = self.find(next);
            let cells = page.pin();
            for cell in cells[place..].iter().take(at(numbers.end - next)) {
                take(next, cell.load());
                next += 1;
            }
        }
    }

    /// Stores an entry.
    pub(super) fn set(&self, number: u64, value: C::Value) {
        let (page, place) = self.find(number);
        let cells = page.pin();
        cells[place].store(value);
        page.changed();
    }

    /// Replaces an entry, see [`Cell::update`].
    pub(super) fn update(
        &self,
        number: u64,
        change: impl FnMut(C::Value) -> Option<C::Value>,
    ) -> Result<C::Value, C::Value> {
        let (page, place) = self.find(number);
        let cells = page.pin();
        let before = cells[place].update(change);
        if before.is_ok() {
            page.changed();
        }
        before
    }

    /// Returns the page of a number, and its place there.
    fn find(&self, number: u64) -> (&Arc<Page<C>>, usize) {
        (&self.pages[at(number >> self.shift)], at(number & ((1 << self.shift) - 1)))
    }

    /// Empties the file.
    #[cfg(test)]
    pub(super) fn lose(&self) {
        lock(&self.pages[0].file).set_len(0).unwrap();
    }
}
