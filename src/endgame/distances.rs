//! Tables of distances: how many plies until the game ends or something is taken, if the winner hurries and the loser
//! does not. In blocks that are unpacked one at a time, since they are asked for rarely.

use std::io::{self, Write};
use std::path::Path;

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use super::error::Fault;
use super::format::{Content, Header, LARGEST_CHECKED, Layout, Part};
use super::index::Index;
use crate::board::Side;
use crate::file::{self, Bytes};

/// How such files end.
pub const DISTANCES_EXTENSION: &str = "dtc";

/// In bytes. Larger tables are mapped.
const LARGEST_COPY: usize = 1 << 20;

/// Numbers in a block: the search looks into some, and has to unpack them whole.
const BLOCK: u32 = 1 << 13;
/// The same where size is all that counts.
const LARGEST_BLOCK: u32 = 1 << 16;

/// Of zlib, of 0 to 10: more takes longer and gains little.
const EFFORT: u8 = 6;

const START_BYTES: usize = size_of::<u64>();

/// The distances of one material.
pub struct Distances {
    bytes: Bytes,
    layout: Layout,
}

impl Distances {
    /// Reads or maps a file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let distances = Self::read(Bytes::of_file(file::open(path)?, LARGEST_COPY)?)?;
        if distances.bytes.len() <= LARGEST_CHECKED {
            distances.verify()?;
        }
        Ok(distances)
    }

    /// Takes a copy of a table that is in memory.
    ///
    /// # Errors
    /// What is wrong with it.
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

    /// Checks the sum of the body.
    ///
    /// # Errors
    /// If it is another one.
    pub fn verify(&self) -> Result<(), Fault> {
        if self.layout.body_is_whole(&self.bytes) { Ok(()) } else { Err(Fault::Body) }
    }

    /// The numbers of its placements.
    pub fn index(&self) -> &Index {
        &self.layout.index
    }

    /// The longest distance with `mover` to move, if the file says.
    pub fn longest(&self, mover: Side) -> Option<u8> {
        Some(self.layout.parts[mover.index()].meanings[0]).filter(|&longest| longest > 0)
    }

    /// Whether only the distances of losses mean anything.
    pub fn knows_losses_alone(&self) -> bool {
        self.layout.parts[0].meanings[1] != 0
    }

    /// Plies to the end of the game or to the next capture, for `mover`, which is to move, in the placement of this number; of a
    /// draw this says nothing.
    ///
    /// # Errors
    /// If the block is damaged.
    pub fn distance(&self, mover: Side, number: u64) -> Result<u8, Fault> {
        let grain = u64::from(self.layout.parts[mover.index()].grain);
        let block = self.block(mover, number / grain)?;
        // A remainder of a number of 32 bits.
        block.get((number % grain) as usize).copied().ok_or(Fault::Body)
    }

    /// The distances of all placements.
    ///
    /// # Errors
    /// If a block is damaged.
    pub fn all(&self, mover: Side) -> Result<Vec<u8>, Fault> {
        let (size, grain) = (self.layout.index.size(), u64::from(self.layout.parts[mover.index()].grain));
        let mut all = vec![];
        for block in 0..size.div_ceil(grain) {
            all.extend(self.block(mover, block)?);
        }
        if all.len() as u64 == size { Ok(all) } else { Err(Fault::Body) }
    }

    fn block(&self, mover: Side, block: u64) -> Result<Vec<u8>, Fault> {
        let grain = self.layout.parts[mover.index()].grain;
        let part = self.layout.part(&self.bytes, mover);
        let stream = self.stream(part, grain, block).ok_or(Fault::Body)?;
        decompress_to_vec_zlib_with_limit(stream, grain as usize).map_err(|_| Fault::Body)
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

/// Writes a table; `distance` is 0 where nobody wins.
///
/// # Errors
/// If it cannot be written.
pub fn write_distances(out: &mut impl Write, index: &Index, distance: impl Fn(Side, u64) -> u8) -> io::Result<()> {
    let longest = Side::ALL.map(|mover| (0..index.size()).map(|number| distance(mover, number)).max().unwrap_or(0));
    write(out, index, BLOCK, longest.map(|longest| [longest, 0, 0, 0]), distance)
}

/// Writes a smaller table, of losses alone: `distance` is asked for all numbers, and `is_lost` says which of them the side to move
/// loses.
///
/// # Errors
/// If it cannot be written.
pub fn write_losses(
    out: &mut impl Write,
    index: &Index,
    distance: impl Fn(Side, u64) -> u8,
    is_lost: impl Fn(Side, u64) -> bool,
) -> io::Result<()> {
    let longest = Side::ALL.map(|mover| (0..index.size()).map(|number| distance(mover, number)).max().unwrap_or(0));
    // What means nothing is what came before, so that the file can be compressed well.
    let mut last = 0;
    write(out, index, LARGEST_BLOCK, longest.map(|longest| [longest, 1, 0, 0]), |mover, number| {
        if is_lost(mover, number) {
            last = distance(mover, number);
        }
        last
    })
}

fn write(
    out: &mut impl Write,
    index: &Index,
    grain: u32,
    meanings: [[u8; 4]; 2],
    mut distance: impl FnMut(Side, u64) -> u8,
) -> io::Result<()> {
    let mut body = vec![];
    let parts = Side::ALL.map(|mover| {
        let offset = body.len() as u64;
        let blocks = (0..index.size()).step_by(grain as usize).map(|first| {
            let numbers = first..index.size().min(first + u64::from(grain));
            let bytes: Vec<u8> = numbers.map(|number| distance(mover, number)).collect();
            compress_to_vec_zlib(&bytes, EFFORT)
        });
        let blocks: Vec<Vec<u8>> = blocks.collect();
        let mut start = 0;
        for length in blocks.iter().map(Vec::len).chain([0]) {
            body.extend(u64::to_le_bytes(start));
            start += length as u64;
        }
        blocks.iter().for_each(|block| body.extend(block));
        let bytes = body.len() as u64 - offset;
        body.resize(body.len().next_multiple_of(8), 0);
        Part { offset, bytes, grain, meanings: meanings[mover.index()] }
    });
    let header = Header::new(Content::Distances, index, parts, &body);
    out.write_all(bytemuck::bytes_of(&header))?;
    out.write_all(&body)
}

#[cfg(test)]
mod tests {
    use super::super::format::HEADER_BYTES;
    use super::*;

    fn index() -> Index {
        Index::new("KPP-KA".parse().unwrap()).unwrap()
    }

    fn distance(mover: Side, number: u64) -> u8 {
        (number / 1000 % 100) as u8 + 100 * mover.index() as u8
    }

    fn written() -> Vec<u8> {
        let mut bytes = vec![];
        write_distances(&mut bytes, &index(), distance).unwrap();
        bytes
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
            assert_eq!(distances.longest(mover), Some(99 + 100 * mover.index() as u8));
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
