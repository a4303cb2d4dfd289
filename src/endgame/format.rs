//! Header of both kinds of table files, results (WDL) and distances (DTC), as bytes in memory. Numbers are little-endian.
//!
//! ```text
//!  0        192                                    end
//!  [ header | first side to move | second to move ]
//! ```
//!
//! A part of a table of results is a sequence of codes of 0, 1 or 2 bits, the lowest bits of a byte first; the header gives the
//! meaning of the codes. A part of a table of distances begins with the starts of its blocks, as `u64` counted from the end of
//! this list, one more than there are blocks. The blocks follow, each a zlib stream with one byte per number: the plies to the
//! end of the game or the next capture. All distances of a part have two bytes if the longest does not fit into one. The header
//! gives the longest, and whether only the distances of losses are meaningful: a win is one ply longer than the loss that it
//! leads to.

use std::hash::Hasher;
use std::io::{self, Write};

use bytemuck::Zeroable;
use twox_hash::XxHash3_64;

use super::error::Fault;
use super::index::Index;
use super::material::Material;
use crate::board::Side;
use crate::pod::pod;

/// Length of the header in bytes.
pub(super) const HEADER_BYTES: usize = size_of::<Header>();

/// Largest file, in bytes, that is checked when it is opened, which takes a few milliseconds. Larger ones are checked on request.
pub(super) const LARGEST_CHECKED: usize = 1 << 26;

/// First bytes of every file.
pub(super) const MAGIC: [u8; 8] = *b"ChuheEg\n";
const BYTE_ORDER: u32 = 0x0102_0304;
const MAJOR: u16 = 1;
/// Major version of distances with two bytes, which older programs would misread.
const MAJOR_OF_TWO_BYTES: u16 = 2;
const MINOR: u16 = 0;
const NAME_BYTES: usize = 48;

/// Kind of table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Content {
    Results = 1,
    Distances = 2,
}

impl Content {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Results => "results",
            Self::Distances => "distances",
        }
    }
}

pod! {
    /// Location and encoding of the entries of one side to move.
    #[derive(PartialEq, Eq, Debug)]
    pub(super) struct Part {
        /// Offset in the file in bytes, a multiple of eight.
        pub(super) offset: u64,
        /// Length in bytes.
        pub(super) bytes: u64,
        /// Results: bits per code. Distances: entries per block.
        pub(super) grain: u32,
        /// Results: the outcome of each code. Distances: the low byte of the longest one (0 if the file does not say), 1 if only
        /// losses are stored, and the high byte of the longest one; if that is not 0, every distance has two bytes.
        pub(super) meanings: [u8; 4],
    }
}

impl Part {
    /// Distances: returns the meanings of a part whose longest distance is `longest`.
    pub(super) fn meanings_of_distances(longest: u16, losses_alone: bool) -> [u8; 4] {
        let [low, high] = longest.to_le_bytes();
        [low, losses_alone.into(), high, 0]
    }

    /// Distances: returns the longest one, 0 if the file does not say.
    pub(super) fn longest(&self) -> u16 {
        u16::from_le_bytes([self.meanings[0], self.meanings[2]])
    }

    /// Distances: whether each has two bytes.
    pub(super) fn has_two_bytes(&self) -> bool {
        self.meanings[2] != 0
    }
}

pod! {
    /// Header of a file.
    #[derive(PartialEq, Eq, Debug)]
    pub(super) struct Header {
        magic: [u8; 8],
        byte_order: u32,
        major: u16,
        minor: u16,
        content: u32,
        reserved: [u8; 36],
        name: [u8; NAME_BYTES],
        size: u64,
        pub(super) parts: [Part; 2],
        body_checksum: u64,
        header_checksum: u64,
        spare: [u8; 16],
    }
}

const _: () = assert!(HEADER_BYTES == 192 && HEADER_BYTES.is_multiple_of(8));

/// Contents of a valid header.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) index: Index,
    pub(super) parts: [Part; 2],
    pub(super) body_checksum: u64,
}

impl Header {
    /// Creates the header of a file with the body of this checksum; offsets of `parts` are relative to the body.
    pub(super) fn new(content: Content, index: &Index, parts: [Part; 2], body_checksum: u64) -> Self {
        let mut name = [0; NAME_BYTES];
        let text = index.material().to_string();
        name[..text.len()].copy_from_slice(text.as_bytes());
        let mut header = Self {
            magic: MAGIC,
            byte_order: BYTE_ORDER,
            major: if content == Content::Distances && parts.iter().any(Part::has_two_bytes) {
                MAJOR_OF_TWO_BYTES
            } else {
                MAJOR
            },
            minor: MINOR,
            content: content as u32,
            name,
            size: index.size(),
            parts: parts.map(|part| Part { offset: part.offset + HEADER_BYTES as u64, ..part }),
            body_checksum,
            ..Self::zeroed()
        };
        header.header_checksum = header.checksum();
        header
    }

    fn checksum(&self) -> u64 {
        let mut hash = XxHash3_64::default();
        hash.write(bytemuck::bytes_of(&Self { header_checksum: 0, ..*self }));
        hash.finish()
    }

    /// Reads and checks the header of a file with the expected content.
    pub(super) fn read(bytes: &[u8], content: Content) -> Result<Layout, Fault> {
        let found = bytes.len() as u64;
        if !bytes.starts_with(&MAGIC[..bytes.len().min(MAGIC.len())]) {
            return Err(Fault::Foreign(content.name()));
        }
        let Some(header) = bytes.get(..HEADER_BYTES) else {
            return Err(Fault::Truncated { found, expected: HEADER_BYTES as u64 });
        };
        let header: Self = bytemuck::pod_read_unaligned(header);
        if header.byte_order != BYTE_ORDER {
            return Err(Fault::ByteOrder);
        }
        if header.major != MAJOR && !(header.major == MAJOR_OF_TWO_BYTES && content == Content::Distances) {
            return Err(Fault::Newer { major: header.major, minor: header.minor });
        }
        if header.header_checksum != header.checksum() {
            return Err(Fault::Header);
        }
        if header.content != content as u32 {
            return Err(Fault::Foreign(content.name()));
        }
        let layout = header.layout().ok_or(Fault::Header)?;
        let expected = header.end().ok_or(Fault::Header)?;
        if found < expected {
            return Err(Fault::Truncated { found, expected });
        }
        if found > expected {
            return Err(Fault::TooLong { found, expected });
        }
        Ok(layout)
    }

    /// Returns the layout, if the header is consistent.
    fn layout(&self) -> Option<Layout> {
        let name = self.name.split(|&byte| byte == 0).next().unwrap_or_default();
        let name = std::str::from_utf8(name).ok()?;
        let material: Material = name.parse().ok()?;
        let index = Index::new(material).filter(|index| index.size() == self.size && material.to_string() == name)?;
        Some(Layout { index, parts: self.parts, body_checksum: self.body_checksum })
    }

    /// Returns the end of the file in bytes; `None` unless the parts are contiguous.
    fn end(&self) -> Option<u64> {
        let mut end = HEADER_BYTES as u64;
        for part in &self.parts {
            if part.offset != end {
                return None;
            }
            end = end.checked_add(part.bytes)?.checked_next_multiple_of(8)?;
        }
        Some(end)
    }
}

/// Writer that computes the checksum of a body.
#[derive(Default)]
pub(super) struct Checksum(XxHash3_64);

impl Checksum {
    pub(super) fn finish(&self) -> u64 {
        self.0.finish()
    }
}

impl Write for Checksum {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Layout {
    /// Returns the bytes of `mover`'s part.
    pub(super) fn part<'a>(&self, bytes: &'a [u8], mover: Side) -> &'a [u8] {
        let Part { offset, bytes: length, .. } = self.parts[mover.index()];
        // `Header::read` has checked that the parts lie within the file, which is in memory as a whole.
        &bytes[offset as usize..(offset + length) as usize]
    }

    /// Whether the body matches its checksum; reads all of it.
    pub(super) fn body_is_whole(&self, bytes: &[u8]) -> bool {
        XxHash3_64::oneshot(&bytes[HEADER_BYTES..]) == self.body_checksum
    }
}
