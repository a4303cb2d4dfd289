//! Memory of the table: one private mapping, on huge pages where the system offers them. Knows no keys and no
//! entries.
//!
//! Used by all builds except those for miri and loom, which cannot map memory and use `heap.rs`.
#![allow(unsafe_code)]

use std::io;
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};
use std::{iter, slice, thread};

use memmap2::{MmapOptions, MmapRaw};

use super::cluster::Cluster;

/// Zeroed memory, viewed as clusters.
pub(super) struct Clusters {
    /// Mapping that holds at least `len` clusters, is aligned for them, and has no other user.
    map: MmapRaw,
    len: usize,
}

const _: () = assert!(size_of::<Cluster>() == 64 && align_of::<Cluster>() == 64);

const SMALL_PAGE: usize = 4 << 10;
const HUGE_PAGE: usize = 2 << 20;
/// Minimum part of the memory for one thread, in bytes.
const SMALLEST_PART: usize = 16 << 20;
/// Stack size of a thread that does nothing but write to memory.
const STACK: usize = 64 << 10;

impl Clusters {
    /// Maps memory, which the system provides page by page as it is written to.
    pub(super) fn new(len: usize) -> io::Result<Self> {
        let bytes = len.checked_mul(size_of::<Cluster>()).ok_or(io::ErrorKind::OutOfMemory)?;
        let map = MmapRaw::from(MmapOptions::new().len(bytes).map_anon()?);
        assert!(map.as_ptr().cast::<Cluster>().is_aligned() && map.len() >= bytes, "pages are larger than clusters");
        offer_huge_pages(&map);
        Ok(Self { map, len })
    }

    /// Touches all pages, so that no search has to wait for one: on a virtual machine, a fresh huge page took ten
    /// milliseconds.
    pub(super) fn touch(&mut self, threads: usize) {
        self.in_parts(threads, touch);
    }

    /// Clears all clusters.
    pub(super) fn clear(&mut self, threads: usize) {
        self.in_parts(threads, |part| part.fill(0));
    }

    fn in_parts(&mut self, threads: usize, work: fn(&mut [u8])) {
        self.in_parts_by(threads, STACK, work);
    }

    /// Does the work in parts, on the caller's thread and others; on the caller's alone if the system refuses such a
    /// stack.
    fn in_parts_by(&mut self, threads: usize, stack: usize, work: fn(&mut [u8])) {
        let bytes = self.bytes();
        let part = bytes.len().div_ceil(threads.max(1)).max(SMALLEST_PART).next_multiple_of(HUGE_PAGE);
        let helpers = bytes.len().div_ceil(part).saturating_sub(1);
        let parts = Mutex::new(bytes.chunks_mut(part));
        let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
        let help = || iter::from_fn(next).for_each(work);
        thread::scope(|scope| {
            let hire = |_| thread::Builder::new().stack_size(stack).spawn_scoped(scope, help);
            let helpers: Vec<_> = (0..helpers).map_while(|number| hire(number).ok()).collect();
            help();
            // The scope would join them too, but in a way that the thread sanitizer does not see.
            helpers.into_iter().for_each(|helper| helper.join().expect("writing to memory does not panic"));
        });
    }

    fn bytes(&mut self) -> &mut [u8] {
        let length = self.len * size_of::<Cluster>();
        // SAFETY: `new` has checked that the mapping is that long; it is initialised (the system gives zeroed pages) and
        // lives as long as `self`, whose exclusive borrow says that no cluster is borrowed.
        unsafe { slice::from_raw_parts_mut(self.map.as_mut_ptr(), length) }
    }
}

impl Deref for Clusters {
    type Target = [Cluster];

    fn deref(&self) -> &[Cluster] {
        // SAFETY: `new` has checked length and alignment; the memory lives as long as `self`; any bytes are valid atomic
        // words, and while `self` is shared they change only through those atomics.
        unsafe { slice::from_raw_parts(self.map.as_mut_ptr().cast(), self.len) }
    }
}

/// Makes the system provide the pages now, near the processor that runs this.
fn touch(part: &mut [u8]) {
    // Each byte is written back as it is, in a way that the compiler cannot remove.
    part.iter_mut().step_by(SMALL_PAGE).for_each(|byte| *byte = std::hint::black_box(*byte));
}

#[cfg(target_os = "linux")]
fn offer_huge_pages(map: &MmapRaw) {
    // A hint: without huge pages the table is slower, not wrong.
    let _ = map.advise(memmap2::Advice::HugePage);
}

#[cfg(not(target_os = "linux"))]
fn offer_huge_pages(_: &MmapRaw) {}

/// Prefetches a cluster into the cache.
#[cfg(target_arch = "x86_64")]
pub(super) fn prefetch(cluster: &Cluster) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a hint that never faults; besides, the address is that of a cluster, which the reference vouches for.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(cluster).cast()) };
}

/// Does nothing: this architecture has no stable way to prefetch.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn prefetch(_: &Cluster) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_in_parts_reaches_every_byte_once() {
        let bytes = 2 * SMALLEST_PART + 3 * SMALL_PAGE;
        for threads in [0, 1, 2, 3, 100] {
            let mut clusters = Clusters::new(bytes / size_of::<Cluster>()).unwrap();
            clusters.in_parts(threads, |part| part.iter_mut().for_each(|byte| *byte += 1));
            clusters.touch(threads);
            assert!(clusters.bytes().iter().all(|&byte| byte == 1), "{threads} threads");
        }
    }

    #[test]
    fn work_is_done_without_the_threads_that_the_system_refuses() {
        let refused = usize::MAX >> 1;
        assert!(thread::Builder::new().stack_size(refused).spawn(|| ()).is_err());
        let mut clusters = Clusters::new(3 * SMALLEST_PART / size_of::<Cluster>()).unwrap();
        clusters.in_parts_by(3, refused, |part| part.iter_mut().for_each(|byte| *byte += 1));
        assert!(clusters.bytes().iter().all(|&byte| byte == 1));
    }

    #[test]
    fn more_than_the_address_space_is_an_error() {
        for len in [usize::MAX, usize::MAX / size_of::<Cluster>(), isize::MAX as usize / size_of::<Cluster>()] {
            assert!(Clusters::new(len).is_err());
        }
    }
}
