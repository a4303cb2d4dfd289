//! External sorting: sorted runs on disk, merged as they are read. The output depends only on the
//! items, not on their order, the memory or the number of threads.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, IntoInnerError, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use bytemuck::Pod;
use rayon::slice::ParallelSliceMut;

/// Item that can be sorted: plain data with an order.
pub trait Item: Pod + Ord + Send {}

impl<T: Pod + Ord + Send> Item for T {}

/// Minimum number of items in a run.
const LEAST_ITEMS: usize = 1024;
/// Number of bytes to read from a run at once, if memory allows.
const READ_AHEAD: usize = 1 << 20;
const LEAST_READ_AHEAD: usize = 1 << 12;

/// Maximum number of runs to read at once: the number of open files of a process is limited to a few hundred.
const MOST_OPEN: usize = 256;

/// Prefix of the file name of a run.
const RUN: &str = "run-";

/// Returns the path of a run.
pub fn run_path(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("{RUN}{number:05}"))
}

/// Sorter that takes items in any order.
pub struct Sorter<T> {
    folder: PathBuf,
    memory: usize,
    capacity: usize,
    buffer: Vec<T>,
    runs: Vec<PathBuf>,
    most_open: usize,
}

impl<T: Item> Sorter<T> {
    /// Creates a sorter that uses about `memory` bytes at most and keeps its runs in `folder`.
    pub fn new(folder: &Path, memory: usize) -> Self {
        // Half for the buffer, the other half for its producer and for the merge.
        let capacity = (memory / 2 / size_of::<T>()).max(LEAST_ITEMS);
        Self { folder: folder.to_owned(), memory, capacity, buffer: vec![], runs: vec![], most_open: MOST_OPEN }
    }

    /// Resumes with runs that an earlier sorter has left.
    pub fn with_runs(mut self, runs: Vec<PathBuf>) -> Self {
        self.runs = runs;
        self
    }

    /// Returns the runs on disk.
    pub fn runs(&self) -> &[PathBuf] {
        &self.runs
    }

    /// Takes items; returns whether it has written a run, which then holds everything taken so far.
    ///
    /// # Errors
    /// If the run cannot be written.
    pub fn take(&mut self, items: &[T]) -> Result<bool> {
        self.buffer.extend_from_slice(items);
        if self.buffer.len() < self.capacity {
            return Ok(false);
        }
        self.write_run()?;
        Ok(true)
    }

    /// Writes the items in memory to a run.
    ///
    /// # Errors
    /// If the run cannot be written.
    pub fn flush(&mut self) -> Result<()> {
        if self.buffer.is_empty() { Ok(()) } else { self.write_run() }
    }

    fn write_run(&mut self) -> Result<()> {
        self.buffer.par_sort_unstable();
        let path = run_path(&self.folder, self.runs.len());
        write_items(&path, self.buffer.iter().map(|item| Ok(*item)))?;
        self.runs.push(path);
        self.buffer.clear();
        Ok(())
    }

    /// Returns all items in order.
    ///
    /// # Errors
    /// If a run cannot be opened.
    pub fn finish(mut self) -> Result<Merge<T>> {
        self.buffer.par_sort_unstable();
        self.make_fewer_runs()?;
        let mut runs = self.open(&self.runs)?;
        runs.push(Run::in_memory(self.buffer));
        Merge::new(runs)
    }

    /// Merges runs into longer ones until all of them can be read at once. The old runs stay, for resuming an
    /// interrupted build.
    fn make_fewer_runs(&mut self) -> Result<()> {
        let mut made = self.runs.len();
        while self.runs.len() > self.most_open {
            let mut longer = vec![];
            for runs in self.runs.chunks(self.most_open) {
                let path = run_path(&self.folder, made);
                write_items(&path, Merge::new(self.open(runs)?)?)?;
                longer.push(path);
                made += 1;
            }
            self.runs = longer;
        }
        Ok(())
    }

    fn open(&self, runs: &[PathBuf]) -> Result<Vec<Run<T>>> {
        let read_ahead = (self.memory / 4 / runs.len().max(1)).clamp(LEAST_READ_AHEAD, READ_AHEAD);
        let read_ahead = read_ahead / size_of::<T>() * size_of::<T>();
        runs.iter().map(|path| Run::open(path, read_ahead)).collect()
    }
}

/// Writes a run.
fn write_items<T: Item>(path: &Path, items: impl Iterator<Item = Result<T>>) -> Result<()> {
    let cannot = || format!("{}: cannot be written", path.display());
    let mut file = BufWriter::new(File::create(path).with_context(cannot)?);
    for item in items {
        file.write_all(bytemuck::bytes_of(&item?)).with_context(cannot)?;
    }
    file.into_inner().map_err(IntoInnerError::into_error).and_then(|file| file.sync_all()).with_context(cannot)
}

/// Removes the runs of a folder.
pub fn remove_runs(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for run in entries.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(RUN.as_bytes())) {
        let _ = fs::remove_file(run.path());
    }
}

/// Sorted items, some of them in memory, the rest in a file.
struct Run<T> {
    file: Option<(File, PathBuf)>,
    block: Vec<T>,
    at: usize,
}

impl<T: Item> Run<T> {
    fn open(path: &Path, read_ahead: usize) -> Result<Self> {
        let file = File::open(path).with_context(|| format!("{}: cannot be read", path.display()))?;
        let block = vec![bytemuck::Zeroable::zeroed(); read_ahead / size_of::<T>()];
        let at = block.len();
        Ok(Self { file: Some((file, path.to_owned())), block, at })
    }

    fn in_memory(block: Vec<T>) -> Self {
        Self { file: None, block, at: 0 }
    }

    fn next(&mut self) -> Result<Option<T>> {
        if self.at == self.block.len()
            && let Some((file, path)) = &mut self.file
        {
            let read =
                read_items(file, &mut self.block).with_context(|| format!("{}: cannot be read", path.display()))?;
            self.block.truncate(read);
            self.at = 0;
        }
        let item = self.block.get(self.at).copied();
        self.at += usize::from(item.is_some());
        Ok(item)
    }
}

/// Fills `block` from the file; returns the number of items read.
fn read_items<T: Item>(file: &mut impl Read, block: &mut [T]) -> io::Result<usize> {
    let bytes: &mut [u8] = bytemuck::cast_slice_mut(block);
    let mut filled = 0;
    while filled < bytes.len() {
        match file.read(&mut bytes[filled..])? {
            0 => break,
            read => filled += read,
        }
    }
    if !filled.is_multiple_of(size_of::<T>()) {
        let reason = format!("truncated: not a multiple of {} bytes", size_of::<T>());
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, reason));
    }
    Ok(filled / size_of::<T>())
}

/// Reads a file of items in blocks.
///
/// # Errors
/// If the file cannot be read, or `each` fails.
pub fn for_each_block<T: Item>(path: &Path, mut each: impl FnMut(&[T]) -> Result<()>) -> Result<()> {
    let place = || format!("{}: cannot be read", path.display());
    let mut file = BufReader::new(chuhe::file::open(path).with_context(place)?);
    let mut block = vec![bytemuck::Zeroable::zeroed(); READ_AHEAD / size_of::<T>()];
    loop {
        match read_items(&mut file, &mut block).with_context(place)? {
            0 => return Ok(()),
            read => each(&block[..read])?,
        }
    }
}

/// Iterator over the merged runs.
pub struct Merge<T> {
    runs: Vec<Run<T>>,
    heads: BinaryHeap<Reverse<(T, usize)>>,
}

impl<T: Item> Merge<T> {
    fn new(mut runs: Vec<Run<T>>) -> Result<Self> {
        let mut heads = BinaryHeap::with_capacity(runs.len());
        for (index, run) in runs.iter_mut().enumerate() {
            if let Some(item) = run.next()? {
                heads.push(Reverse((item, index)));
            }
        }
        Ok(Self { runs, heads })
    }

    fn smallest(&mut self) -> Result<Option<T>> {
        let Some(mut head) = self.heads.peek_mut() else { return Ok(None) };
        let Reverse((item, index)) = *head;
        match self.runs[index].next()? {
            Some(next) => head.0.0 = next,
            None => {
                std::collections::binary_heap::PeekMut::pop(head);
            }
        }
        Ok(Some(item))
    }
}

impl<T: Item> Iterator for Merge<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Self::Item> {
        self.smallest().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuple::{Points, Tuple};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_memory_gives_the_same_order(
            numbers in prop::collection::vec((0..50_u64, 0..9_u16), 0..5000),
            block in 1..900_usize,
            most_open in 2..6_usize,
        ) {
            let tuples: Vec<_> = numbers.iter().map(|&(key, mv)| Tuple::new(key, mv, 1, 2, Points::Win)).collect();
            let mut expected = tuples.clone();
            expected.sort();
            let folder = tempfile::tempdir().unwrap();
            let mut sorter = Sorter { most_open, ..Sorter::new(folder.path(), 1) };
            for part in tuples.chunks(block) {
                let before = sorter.runs().len();
                prop_assert_eq!(sorter.take(part).unwrap(), sorter.runs().len() > before);
            }
            let found: Result<Vec<_>> = sorter.finish().unwrap().collect();
            prop_assert_eq!(found.unwrap(), expected);
            remove_runs(folder.path());
            prop_assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }

    #[test]
    fn a_cut_run_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tuples");
        fs::write(&path, [0; 40]).unwrap();
        assert!(format!("{:#}", for_each_block(&path, |_: &[Tuple]| Ok(())).unwrap_err()).contains("truncated"));
    }
}
