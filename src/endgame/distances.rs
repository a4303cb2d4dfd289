//! Distance tables (DTC, distance to conversion): plies to the end of the game or the next capture, with a winner that hurries
//! and a loser that delays.
//!
//! A file consists of compressed blocks, which are unpacked one at a time, since probes are rare.

use std::io::{self, Cursor, Read, Seek, Write};
use std::path::Path;

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::error::Fault;
use super::format::{Checksum, Content, Header, LARGEST_CHECKED, Layout, Part};
use super::index::Index;
use crate::board::Side;
use crate::file::{self, Bytes};

/// File extension of distance tables.
pub const DISTANCES_EXTENSION: &str = "dtc";

/// Largest file that is copied into memory, in bytes. Larger ones are mapped.
const LARGEST_COPY: usize = 1 << 20;

/// Entries per block: small enough for the search, which unpacks a whole block to read one entry.
const BLOCK: u32 = 1 << 13;
/// Entries per block where only the size of the file matters.
const LARGEST_BLOCK: u32 = 1 << 16;

/// Compression level of zlib, 0 to 10: higher ones take longer and gain little.
const EFFORT: u8 = 6;

const START_BYTES: usize = size_of::<u64>();

/// Distance table of one material.
pub struct Distances {
    bytes: Bytes,
    layout: Layout,
}

impl Distances {
    /// Opens a file: copies or maps it.
    ///
    /// # Errors
    /// If the file cannot be read or is not a valid table.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let distances = Self::read(Bytes::of_file(file::open(path)?, LARGEST_COPY)?)?;
        if distances.bytes.len() <= LARGEST_CHECKED {
            distances.verify()?;
        }
        Ok(distances)
    }

    /// Copies a table from memory.
    ///
    /// # Errors
    /// If the bytes are not a valid table.
    pub fn copied(bytes: &[u8]) -> Result<Self, Fault> {
        Self::read(Bytes::copied(bytes))
    }

    fn read(bytes: Bytes) -> Result<Self, Fault> {
        let layout = Header::read(&bytes, Content::Distances)?;
        let sound = |part: &Part| {
            let starts = layout.index.size().checked_div(part.grain.into()).and_then(|blocks| blocks.checked_add(2));
            let starts = starts.and_then(|starts| starts.checked_mul(START_BYTES as u64));
            part.grain <= LARGEST_BLOCK && starts.is_some_and(|starts| starts <= part.bytes)
        };
        if layout.parts.iter().all(sound) { Ok(Self { bytes, layout }) } else { Err(Fault::Header) }
    }

    /// Checks the checksum of the body.
    ///
    /// # Errors
    /// If it does not match.
    pub fn verify(&self) -> Result<(), Fault> {
        if self.layout.body_is_whole(&self.bytes) { Ok(()) } else { Err(Fault::Body) }
    }

    /// Returns the index of the placements.
    pub fn index(&self) -> &Index {
        &self.layout.index
    }

    /// Returns the longest distance with `mover` to move, if the file says.
    pub fn longest(&self, mover: Side) -> Option<u16> {
        Some(self.layout.parts[mover.index()].longest()).filter(|&longest| longest > 0)
    }

    /// Whether only the distances of losses are meaningful.
    pub fn knows_losses_alone(&self) -> bool {
        self.layout.parts[0].meanings[1] != 0
    }

    /// Returns the plies to the end of the game or the next capture for a placement with `mover` to move; meaningless for draws.
    ///
    /// # Errors
    /// If the block is damaged.
    pub fn distance(&self, mover: Side, number: u64) -> Result<u16, Fault> {
        let part = &self.layout.parts[mover.index()];
        let grain = u64::from(part.grain);
        let block = self.block(mover, number / grain)?;
        // The remainder of a number of 32 bits.
        entry(&block, part, (number % grain) as usize).ok_or(Fault::Body)
    }

    /// Returns the distances of all placements.
    ///
    /// # Errors
    /// If a block is damaged.
    pub fn all(&self, mover: Side) -> Result<Vec<u16>, Fault> {
        let part = &self.layout.parts[mover.index()];
        let (size, grain) = (self.layout.index.size(), u64::from(part.grain));
        let mut all = vec![];
        for block in 0..size.div_ceil(grain) {
            let block = self.block(mover, block)?;
            all.extend((0..).map_while(|at| entry(&block, part, at)));
        }
        if all.len() as u64 == size { Ok(all) } else { Err(Fault::Body) }
    }

    /// Unpacks a block.
    fn block(&self, mover: Side, block: u64) -> Result<Vec<u8>, Fault> {
        let part = &self.layout.parts[mover.index()];
        let stream = self.stream(self.layout.part(&self.bytes, mover), part.grain, block).ok_or(Fault::Body)?;
        decompress_to_vec_zlib_with_limit(stream, part.grain as usize * entry_bytes(part)).map_err(|_| Fault::Body)
    }

    fn stream<'a>(&self, part: &'a [u8], grain: u32, block: u64) -> Option<&'a [u8]> {
        let starts = usize::try_from(self.layout.index.size().div_ceil(grain.into()) + 1).ok()?;
        let start = |at: usize| -> Option<usize> {
            let word = part.get(at * START_BYTES..(at + 1) * START_BYTES)?;
            usize::try_from(u64::from_le_bytes(word.try_into().ok()?)).ok()
        };
        let block = usize::try_from(block).ok()?;
        part.get(starts * START_BYTES..)?.get(start(block)?..start(block + 1)?)
    }
}

/// Bytes per distance in a part.
fn entry_bytes(part: &Part) -> usize {
    if part.has_two_bytes() { size_of::<u16>() } else { size_of::<u8>() }
}

/// Returns the distance at a place in a block.
fn entry(block: &[u8], part: &Part, at: usize) -> Option<u16> {
    if !part.has_two_bytes() {
        return block.get(at).copied().map(u16::from);
    }
    let bytes = block.get(at * size_of::<u16>()..)?.first_chunk()?;
    Some(u16::from_le_bytes(*bytes))
}

/// Writes a table; `distance` must return 0 for draws.
///
/// # Errors
/// If it cannot be written.
pub fn write_distances(out: &mut impl Write, index: &Index, distance: impl Fn(Side, u64) -> u16) -> io::Result<()> {
    write_distances_through(out, &mut Cursor::new(vec![]), index, distance)
}

/// Writes a table like [`write_distances`], but keeps the compressed blocks in `scratch`, an empty file, and not in memory.
///
/// # Errors
/// If the table or the scratch file cannot be written, or that cannot be read.
pub fn write_distances_through(
    out: &mut impl Write,
    scratch: &mut (impl Read + Write + Seek),
    index: &Index,
    distance: impl Fn(Side, u64) -> u16,
) -> io::Result<()> {
    let longest = Side::ALL.map(|mover| (0..index.size()).map(|number| distance(mover, number)).max().unwrap_or(0));
    let meanings = longest.map(|longest| Part::meanings_of_distances(longest, false));
    write(out, scratch, index, BLOCK, meanings, distance)
}

/// Writes a smaller table, of losses only. `distance` is called for every number; `is_lost` says whether the side to move loses.
///
/// # Errors
/// If it cannot be written.
pub fn write_losses(
    out: &mut impl Write,
    index: &Index,
    distance: impl Fn(Side, u64) -> u16,
    is_lost: impl Fn(Side, u64) -> bool,
) -> io::Result<()> {
    let longest = Side::ALL.map(|mover| (0..index.size()).map(|number| distance(mover, number)).max().unwrap_or(0));
    // Unused entries repeat the one before, so that the file compresses well.
    let mut last = 0;
    let meanings = longest.map(|longest| Part::meanings_of_distances(longest, true));
    write(out, &mut Cursor::new(vec![]), index, LARGEST_BLOCK, meanings, |mover, number| {
        if is_lost(mover, number) {
            last = distance(mover, number);
        }
        last
    })
}

fn write(
    out: &mut impl Write,
    scratch: &mut (impl Read + Write + Seek),
    index: &Index,
    grain: u32,
    meanings: [[u8; 4]; 2],
    mut distance: impl FnMut(Side, u64) -> u16,
) -> io::Result<()> {
    let mut offset = 0_u64;
    let mut parts = vec![];
    for mover in Side::ALL {
        let mut part = Part { offset, bytes: 0, grain, meanings: meanings[mover.index()] };
        let starts = write_blocks(scratch, index, &part, |number| distance(mover, number))?;
        let end = starts.last().copied().unwrap_or(0);
        part.bytes = (starts.len() * START_BYTES) as u64 + end;
        offset = (offset + part.bytes).next_multiple_of(8);
        parts.push((part, starts));
    }
    let mut checksum = Checksum::default();
    write_body(&mut checksum, scratch, &parts)?;
    let parts_of_header = [parts[0].0, parts[1].0];
    let header = Header::new(Content::Distances, index, parts_of_header, checksum.finish());
    out.write_all(bytemuck::bytes_of(&header))?;
    write_body(out, scratch, &parts)
}

/// Writes the blocks of a part, and returns their starts and the end of the last one.
fn write_blocks(
    scratch: &mut impl Write,
    index: &Index,
    part: &Part,
    mut distance: impl FnMut(u64) -> u16,
) -> io::Result<Vec<u64>> {
    let mut starts = vec![0];
    let mut end = 0;
    for first in (0..index.size()).step_by(part.grain as usize) {
        let numbers = first..index.size().min(first + u64::from(part.grain));
        let words = numbers.map(|number| distance(number).to_le_bytes());
        let bytes: Vec<u8> = words.flat_map(|word| word.into_iter().take(entry_bytes(part))).collect();
        let block = compress_to_vec_zlib(&bytes, EFFORT);
        scratch.write_all(&block)?;
        end += block.len() as u64;
        starts.push(end);
    }
    Ok(starts)
}

/// Writes the parts, each with the starts of its blocks, the blocks from `scratch`, and zeros up to a multiple of eight bytes.
fn write_body(out: &mut impl Write, scratch: &mut (impl Read + Seek), parts: &[(Part, Vec<u64>)]) -> io::Result<()> {
    scratch.rewind()?;
    for (part, starts) in parts {
        for start in starts {
            out.write_all(&start.to_le_bytes())?;
        }
        let blocks = starts.last().copied().unwrap_or(0);
        if io::copy(&mut scratch.by_ref().take(blocks), out)? < blocks {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let gap = part.bytes.next_multiple_of(8) - part.bytes;
        out.write_all(&[0; 7][..gap as usize])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::format::HEADER_BYTES;
    use super::*;

    fn index() -> Index {
        Index::new("KPP-KA".parse().unwrap()).unwrap()
    }

    fn distance(mover: Side, number: u64) -> u16 {
        (number / 1000 % 100) as u16 + 100 * mover.index() as u16
    }

    /// Returns distances, of which Red's longest is 255 plies and Black's does not fit into a byte.
    fn long_distance(mover: Side, number: u64) -> u16 {
        (number / 1000 % 100) as u16 + [156, 278][mover.index()]
    }

    fn written_with(distance: impl Fn(Side, u64) -> u16) -> Vec<u8> {
        let mut bytes = vec![];
        write_distances(&mut bytes, &index(), distance).unwrap();
        bytes
    }

    fn written() -> Vec<u8> {
        written_with(distance)
    }

    #[test]
    #[cfg_attr(miri, ignore = "many thousand numbers")]
    fn distances_beyond_a_byte_are_read_as_they_are_written_and_earlier_versions_refuse_them() {
        let bytes = written_with(long_distance);
        let distances = Distances::copied(&bytes).unwrap();
        distances.verify().unwrap();
        for mover in Side::ALL {
            let all = distances.all(mover).unwrap();
            assert!((0..index().size()).map(|number| long_distance(mover, number)).eq(all));
            for number in (0..index().size()).step_by(9_999).chain([index().size() - 1]) {
                assert_eq!(distances.distance(mover, number).unwrap(), long_distance(mover, number));
            }
        }
        assert_eq!(Side::ALL.map(|mover| distances.longest(mover)), [Some(255), Some(377)]);
        assert!(!distances.knows_losses_alone());
        // Files with two-byte distances have major version 2, which older programs refuse.
        assert_eq!([&bytes[12..14], &written()[12..14]], [[2, 0], [1, 0]]);
        let mut bytes = vec![];
        write_losses(&mut bytes, &index(), long_distance, |mover, _| mover == Side::Black).unwrap();
        let distances = Distances::copied(&bytes).unwrap();
        assert!(distances.knows_losses_alone());
        assert_eq!(distances.distance(Side::Black, 99_000).unwrap(), 377);
    }

    #[test]
    #[cfg_attr(miri, ignore = "many thousand numbers")]
    fn what_is_written_is_read() {
        assert!(index().size() > 4 * u64::from(BLOCK));
        let bytes = written();
        assert!((bytes.len() as u64) < index().size() / 10);
        let distances = Distances::read(Bytes::copied(&bytes)).unwrap();
        distances.verify().unwrap();
        for mover in Side::ALL {
            let all = distances.all(mover).unwrap();
            assert!((0..index().size()).map(|number| distance(mover, number)).eq(all));
            for number in (0..index().size()).step_by(9_999).chain([index().size() - 1]) {
                assert_eq!(distances.distance(mover, number).unwrap(), distance(mover, number));
            }
            assert_eq!(distances.longest(mover), Some(99 + 100 * mover.index() as u16));
        }
        assert!(!distances.knows_losses_alone());
    }

    #[test]
    #[cfg_attr(miri, ignore = "many thousand numbers")]
    fn losses_alone_take_less_room_and_say_no_less_of_losses() {
        let is_lost = |mover, number: u64| mover == Side::Black && !(number / 1000).is_multiple_of(3);
        let mut bytes = vec![];
        write_losses(&mut bytes, &index(), distance, is_lost).unwrap();
        assert!(bytes.len() < written().len() / 2);
        let distances = Distances::copied(&bytes).unwrap();
        assert!(distances.knows_losses_alone());
        assert_eq!(Side::ALL.map(|mover| distances.longest(mover)), [Some(99), Some(199)]);
        for number in (0..index().size()).step_by(997).filter(|&number| is_lost(Side::Black, number)) {
            assert_eq!(distances.distance(Side::Black, number).unwrap(), distance(Side::Black, number));
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "many thousand numbers")]
    fn a_damaged_block_is_noticed_whatever_has_changed() {
        let whole = written();
        for at in (HEADER_BYTES..whole.len()).step_by(97) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x55;
            let distances = Distances::read(Bytes::copied(&bytes)).unwrap();
            assert!(matches!(distances.verify(), Err(Fault::Body)));
            for number in (0..index().size()).step_by(BLOCK as usize / 2) {
                for mover in Side::ALL {
                    if let Ok(found) = distances.distance(mover, number) {
                        assert_eq!(found, distance(mover, number), "byte {at}");
                    }
                }
            }
        }
        assert!(matches!(Distances::read(Bytes::copied(&whole[..whole.len() - 1])), Err(Fault::Truncated { .. })));
        assert!(matches!(Distances::read(Bytes::copied(b"ChuheBk\n")), Err(Fault::Foreign("distances"))));
    }
}
