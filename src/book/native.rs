//! Books in our own format: sorted records, found by key.

use twox_hash::XxHash3_64;

use super::choice::Candidate;
use super::error::Fault;
use super::format::{HEADER_BYTES, Header, Layout, RECORD_BYTES, Record};
use super::key::canonical;
use crate::board::{Move, Position};
use crate::file::Bytes;
use crate::score::Score;

/// A book file in our own format.
pub struct NativeBook {
    bytes: Bytes,
    layout: Layout,
}

impl NativeBook {
    /// Creates a book from a file that was read or mapped. Checks its header and its length, and, if it was read, also the
    /// checksum of its records and its index.
    pub(super) fn checked(bytes: Bytes) -> Result<Self, Fault> {
        let is_mapped = bytes.is_mapped();
        let book = Self::read(bytes)?;
        if is_mapped || book.body_is_whole() { Ok(book) } else { Err(Fault::Body) }
    }

    /// Creates a book from a copy of bytes in memory.
    ///
    /// # Errors
    /// If the bytes are not a valid book.
    pub fn copied(bytes: &[u8]) -> Result<Self, Fault> {
        Self::read(Bytes::copied(bytes))
    }

    /// The embedded book, made by the engine's own analysis: `ci/book.sh` has the command. Its header and its length are checked, as for a mapped file, in constant time.
    ///
    /// # Errors
    /// If the embedded book is not valid, which the tests rule out.
    pub fn embedded() -> Result<Self, Fault> {
        /// Bytes aligned for records.
        #[repr(C)]
        struct Aligned<T: ?Sized> {
            start: [Record; 0],
            bytes: T,
        }
        static BOOK: &Aligned<[u8]> = &Aligned { start: [], bytes: *include_bytes!("embedded.book") };
        let Aligned { start: [], bytes } = BOOK;
        Self::read(Bytes::Embedded(bytes))
    }

    fn read(bytes: Bytes) -> Result<Self, Fault> {
        let layout = Header::read(&bytes, bytes.len() as u64)?;
        // The length is right, so this fails only if the bytes are not aligned for records.
        bytemuck::try_cast_slice::<u8, Record>(records_of(&bytes, &layout)).map_err(|_| Fault::Header)?;
        bytemuck::try_cast_slice::<u8, u64>(index_of(&bytes, &layout)).map_err(|_| Fault::Header)?;
        Ok(Self { bytes, layout })
    }

    /// The layout that the header describes.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// All records, in the order of [`Record::order`].
    pub fn records(&self) -> &[Record] {
        bytemuck::cast_slice(records_of(&self.bytes, &self.layout))
    }

    fn index(&self) -> &[u64] {
        bytemuck::cast_slice(index_of(&self.bytes, &self.layout))
    }

    /// The records of one key, heaviest first.
    pub fn records_of_key(&self, key: u64) -> &[Record] {
        let bucket = self.bucket(key);
        // All keys of the bucket have the same first bits; the others predict the place of a key in it.
        let rest = u128::from(key << self.layout.index_bits);
        let expected = (rest * bucket.len() as u128) >> u64::BITS;
        let start = first_from(bucket, key, expected as usize);
        let length = bucket[start..].iter().take_while(|record| record.key == key).count();
        &bucket[start..start + length]
    }

    /// The records whose keys begin like `key`; empty if the index has been altered.
    fn bucket(&self, key: u64) -> &[Record] {
        let bucket = key.checked_shr(u64::BITS - self.layout.index_bits).unwrap_or(0);
        let place = |at: u64| {
            let at = usize::try_from(at).ok()?;
            usize::try_from(*self.index().get(at)?).ok()
        };
        let range = place(bucket).zip(place(bucket + 1));
        range.and_then(|(start, end)| self.records().get(start..end)).unwrap_or_default()
    }

    /// The legal moves that the book contains for `position`, heaviest first.
    pub fn candidates(&self, position: &Position) -> Vec<Candidate> {
        let (key, frame) = canonical(position, self.layout.about.symmetry);
        let records = self.records_of_key(key).iter().filter(|record| !record.is_forbidden());
        let candidate = |record: &Record| {
            let mv = frame.apply(record.turned_move()?);
            let eval = record.eval().map(|(score, depth)| (Score::from_table(score, 0), depth));
            position.is_legal(mv).then_some(Candidate { mv, weight: record.weight, eval })
        };
        let mut candidates: Vec<_> = records.filter_map(candidate).collect();
        candidates.sort_by_key(Candidate::order);
        candidates
    }

    /// The moves of `position` that must never be played.
    pub fn forbidden(&self, position: &Position) -> Vec<Move> {
        let (key, frame) = canonical(position, self.layout.about.symmetry);
        let records = self.records_of_key(key).iter().filter(|record| record.is_forbidden());
        records.filter_map(|record| record.turned_move()).map(|mv| frame.apply(mv)).collect()
    }

    fn body_is_whole(&self) -> bool {
        XxHash3_64::oneshot(&self.bytes[HEADER_BYTES..]) == self.layout.body_checksum
    }

    /// Reads the whole book and checks its checksum, its order and its index.
    ///
    /// # Errors
    /// If they do not agree.
    pub fn verify(&self) -> Result<(), Fault> {
        let records = self.records();
        let is_sorted = records.is_sorted_by_key(Record::order);
        let finds_itself = |index: usize| {
            let record = &records[index];
            self.bucket(record.key).as_ptr_range().contains(&std::ptr::from_ref(record))
        };
        if self.body_is_whole() && is_sorted && (0..records.len()).all(finds_itself) {
            Ok(())
        } else {
            Err(Fault::Body)
        }
    }
}

/// Distance from the expected place that is searched first: twice the average error among 256 keys.
const NEAR: usize = 16;

/// Interpolation search: the index of the first record whose key is not less than `key`.
///
/// Keys are almost evenly spread, so the neighbourhood of `expected` is searched first: bisecting all the records would
/// fetch more of them from memory.
fn first_from(records: &[Record], key: u64, expected: usize) -> usize {
    let near = expected.saturating_sub(NEAR)..records.len().min(expected + NEAR);
    let begins_before = near.start == 0 || records[near.start].key < key;
    let ends_behind = near.end == records.len() || records[near.end].key >= key;
    let range = if begins_before && ends_behind { near } else { 0..records.len() };
    range.start + records[range].partition_point(|record| record.key < key)
}

fn records_of<'a>(bytes: &'a [u8], layout: &Layout) -> &'a [u8] {
    &bytes[HEADER_BYTES..index_start(layout)]
}

fn index_of<'a>(bytes: &'a [u8], layout: &Layout) -> &'a [u8] {
    &bytes[index_start(layout)..]
}

fn index_start(layout: &Layout) -> usize {
    // The whole file is in memory, so its offsets fit.
    HEADER_BYTES + layout.count as usize * RECORD_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Move;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_key_is_found_wherever_it_is_expected(
            mut keys in prop::collection::vec(0..300_u64, 0..200),
            key in 0..300_u64,
            expected in 0..300_usize,
        ) {
            keys.sort_unstable();
            let mv: Move = "h2e2".parse().unwrap();
            let records: Vec<_> = keys.iter().map(|&key| Record::new(key, mv, 1)).collect();
            let expected = expected.min(records.len());
            prop_assert_eq!(first_from(&records, key, expected), keys.partition_point(|&other| other < key));
        }
    }
}
