//! Our own file format: a page of header, sorted records of sixteen bytes, and an index by the top bits of the keys.
//! Independent of where the bytes lie. Numbers are little-endian.
//!
//! ```text
//!  0       4096                     4096 + 16 n                          end
//!  [ header | n records, by key        | 2^bits + 1 starts of buckets, u64 ]
//! ```

use bytemuck::Zeroable;
use twox_hash::XxHash3_64;

use super::error::Fault;
use super::key::{KEY_SEED, Symmetry, canonical};
use crate::board::{Move, Position};
use crate::pod::pod;

/// Bytes before the first record.
pub const HEADER_BYTES: usize = 4096;
/// Bytes of a record.
pub const RECORD_BYTES: usize = size_of::<Record>();
/// Most bits of a key that an index may use.
pub(super) const MAX_INDEX_BITS: u32 = 28;

const MAGIC: [u8; 8] = *b"ChuheBk\n";
const BYTE_ORDER: u32 = 0x0102_0304;
const MAJOR: u16 = 1;
const MINOR: u16 = 0;
/// Body kind: records in a row, as this module describes; 2 is reserved for compressed blocks.
const FLAT: u32 = 1;
/// Flag: keys are equal for mirror images.
const MIRROR: u32 = 1;
/// Flag: keys are equal for red and black.
const COLOURS: u32 = 2;
/// Flag: records are in key order, and no move occurs twice under one key.
const SORTED_UNIQUE: u32 = 4;
const KNOWN_FLAGS: u32 = MIRROR | COLOURS | SORTED_UNIQUE;

pod! {
    /// One move of one position.
    ///
    /// ```text
    ///  bit of info   15     14       13 .. 8   7 .. 0
    ///              [scored][forbidden][  0  ][ depth ]
    /// ```
    #[derive(PartialEq, Eq, Debug)]
    pub struct Record {
        /// Key of the position, from [`canonical`].
        pub key: u64,
        /// [`Move::bits`] of the move in the stored position.
        pub mv: u16,
        /// Centipawns for the mover after this move, as in [`crate::score::Score::raw`], if the record is scored.
        pub score: i16,
        /// Weight: how often the move is chosen, relative to the others of its position.
        pub weight: u16,
        /// Flags and depth.
        pub info: u16,
    }
}

const _: () = assert!(size_of::<Record>() == 16 && align_of::<Record>() == 8);

impl Record {
    const SCORED: u16 = 1 << 15;
    const FORBIDDEN: u16 = 1 << 14;
    const DEPTH: u16 = 0xFF;

    /// Creates a record without a score. `mv` must already be the stored move.
    pub fn new(key: u64, mv: Move, weight: u16) -> Self {
        Self { key, mv: mv.bits(), score: 0, weight, info: 0 }
    }

    /// Returns the record with a score in centipawns for the mover, found `depth` plies deep.
    #[must_use]
    pub fn scored(self, score: i16, depth: u8) -> Self {
        Self { score, info: self.info & Self::FORBIDDEN | Self::SCORED | u16::from(depth), ..self }
    }

    /// Returns the record without a score.
    #[must_use]
    pub fn unscored(self) -> Self {
        Self { score: 0, info: self.info & Self::FORBIDDEN, ..self }
    }

    /// Returns the record with its move forbidden, or allowed again.
    #[must_use]
    pub fn forbidden(self, forbidden: bool) -> Self {
        let flag = if forbidden { Self::FORBIDDEN } else { 0 };
        Self { info: self.info & !Self::FORBIDDEN | flag, ..self }
    }

    /// The stored move; `None` if the bits are not a move from one square to another.
    pub fn turned_move(&self) -> Option<Move> {
        Move::from_bits(self.mv).filter(|mv| !mv.is_promotion())
    }

    /// Score in centipawns and depth in plies, if an engine has analysed the move.
    pub fn eval(&self) -> Option<(i16, u8)> {
        let depth = (self.info & Self::DEPTH) as u8;
        (self.info & Self::SCORED != 0).then_some((self.score, depth))
    }

    /// Whether the move must never be played from a book. A search may still play it.
    pub fn is_forbidden(&self) -> bool {
        self.info & Self::FORBIDDEN != 0
    }

    /// Sort key of the file: by key, then the heaviest first, then by move.
    pub fn order(&self) -> (u64, u16, u16) {
        (self.key, !self.weight, self.mv)
    }
}

pod! {
    /// The header: the first page of a book.
    pub struct Header {
        magic: [u8; 8],
        byte_order: u32,
        major: u16,
        minor: u16,
        header_bytes: u32,
        record_bytes: u32,
        body_kind: u32,
        flags: u32,
        count: u64,
        index_offset: u64,
        index_bits: u32,
        /// Centipawns in one unit of a score.
        score_unit: u32,
        key_seed: u64,
        /// Key of the start position, which shows whether reader and writer compute the same keys.
        key_check: u64,
        /// Seconds since 1970, or 0 if the same input must give the same bytes.
        built_at: u64,
        /// xxh3 of the input of the book, or 0.
        sources: u64,
        min_ply: u16,
        max_ply: u16,
        reserved: [u8; 3988],
        /// xxh3 of records and index.
        body_checksum: u64,
        /// xxh3 of this page up to here.
        checksum: u64,
    }
}

const _: () = assert!(size_of::<Header>() == HEADER_BYTES);
const CHECKED_BYTES: usize = HEADER_BYTES - size_of::<u64>();

/// Description of a book by its writer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct About {
    /// Symmetries under which positions share their records.
    pub symmetry: Symmetry,
    /// Seconds since 1970, or 0 if the same input must give the same bytes.
    pub built_at: u64,
    /// Hash of the input of the book, or 0.
    pub sources: u64,
    /// Plies from the start of a game to the first position.
    pub min_ply: u16,
    /// Plies from the start of a game to the last position.
    pub max_ply: u16,
}

/// Layout and contents of a book whose header has been checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Number of records.
    pub count: u64,
    /// Description by the writer.
    pub about: About,
    /// xxh3 of records and index.
    pub body_checksum: u64,
    pub(super) index_bits: u32,
}

impl Layout {
    /// Bytes of the whole file; `None` if the number overflows.
    pub fn file_bytes(&self) -> Option<u64> {
        let index = (1_u64 << self.index_bits) + 1;
        let records = self.count.checked_mul(RECORD_BYTES as u64)?;
        records.checked_add(index * size_of::<u64>() as u64)?.checked_add(HEADER_BYTES as u64)
    }
}

/// Seed of the generator of a book's keys.
const fn key_seed(symmetry: Symmetry) -> u64 {
    match symmetry {
        Symmetry::MirrorAndColours | Symmetry::Mirror => KEY_SEED,
        // Another generator, whose key is zero.
        Symmetry::EleEye => 0,
    }
}

fn key_check(symmetry: Symmetry) -> u64 {
    canonical(&Position::start(), symmetry).0
}

impl Header {
    pub(super) fn new(layout: &Layout) -> Self {
        let about = layout.about;
        let mut header = Self {
            magic: MAGIC,
            byte_order: BYTE_ORDER,
            major: MAJOR,
            minor: MINOR,
            header_bytes: HEADER_BYTES as u32,
            record_bytes: RECORD_BYTES as u32,
            body_kind: FLAT,
            flags: match about.symmetry {
                Symmetry::MirrorAndColours => KNOWN_FLAGS,
                Symmetry::Mirror | Symmetry::EleEye => MIRROR | SORTED_UNIQUE,
            },
            count: layout.count,
            index_offset: HEADER_BYTES as u64 + layout.count * RECORD_BYTES as u64,
            index_bits: layout.index_bits,
            score_unit: 1,
            key_seed: key_seed(about.symmetry),
            key_check: key_check(about.symmetry),
            built_at: about.built_at,
            sources: about.sources,
            min_ply: about.min_ply,
            max_ply: about.max_ply,
            body_checksum: layout.body_checksum,
            ..Self::zeroed()
        };
        header.checksum = header.own_checksum();
        header
    }

    fn own_checksum(&self) -> u64 {
        XxHash3_64::oneshot(&bytemuck::bytes_of(self)[..CHECKED_BYTES])
    }

    /// Whether a file that begins with `start` is meant to be a book in our own format, valid or not.
    pub fn is_ours(start: &[u8]) -> bool {
        start.starts_with(&MAGIC)
    }

    /// Reads and checks the header of a file that is `found` bytes long and begins with `start`.
    ///
    /// # Errors
    /// Returns the first fault.
    pub fn read(start: &[u8], found: u64) -> Result<Layout, Fault> {
        if !Self::is_ours(start) {
            return Err(Fault::Foreign);
        }
        let page = start.get(..HEADER_BYTES).ok_or(Fault::Truncated { found, expected: HEADER_BYTES as u64 })?;
        let header: Self = bytemuck::pod_read_unaligned(page);
        let layout = header.check()?;
        let expected = layout.file_bytes().ok_or(Fault::Header)?;
        match found {
            _ if found < expected => Err(Fault::Truncated { found, expected }),
            _ if found > expected => Err(Fault::TooLong { found, expected }),
            _ => Ok(layout),
        }
    }

    fn check(&self) -> Result<Layout, Fault> {
        if self.byte_order != BYTE_ORDER || cfg!(target_endian = "big") {
            return Err(Fault::ByteOrder);
        }
        if self.major != MAJOR || self.flags & !KNOWN_FLAGS != 0 {
            return Err(Fault::Newer { major: self.major, minor: self.minor });
        }
        if self.checksum != self.own_checksum() {
            return Err(Fault::Header);
        }
        if self.body_kind != FLAT {
            return Err(Fault::NewerBody(self.body_kind));
        }
        let symmetry = match self.flags & COLOURS {
            0 if self.key_seed == key_seed(Symmetry::EleEye) => Symmetry::EleEye,
            0 => Symmetry::Mirror,
            _ => Symmetry::MirrorAndColours,
        };
        if self.key_seed != key_seed(symmetry) || self.key_check != key_check(symmetry) || self.flags & MIRROR == 0 {
            return Err(Fault::Keys);
        }
        let Self { built_at, sources, min_ply, max_ply, .. } = *self;
        let about = About { symmetry, built_at, sources, min_ply, max_ply };
        let layout =
            Layout { count: self.count, about, body_checksum: self.body_checksum, index_bits: self.index_bits };
        let is_possible = self.count <= u64::MAX / (2 * RECORD_BYTES as u64) && self.index_bits <= MAX_INDEX_BITS;
        if is_possible && self.agrees_with(&Self::new(&layout)) { Ok(layout) } else { Err(Fault::Header) }
    }

    /// Whether the fields that follow from the rest of the header are as this version writes them.
    fn agrees_with(&self, expected: &Self) -> bool {
        let derived = |header: &Self| {
            (header.header_bytes, header.record_bytes, header.flags, header.index_offset, header.score_unit)
        };
        derived(self) == derived(expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout() -> Layout {
        let about = About { built_at: 7, sources: 8, min_ply: 1, max_ply: 40, ..About::default() };
        Layout { count: 3, about, body_checksum: 99, index_bits: 2 }
    }

    fn read(header: &Header) -> Result<Layout, Fault> {
        Header::read(bytemuck::bytes_of(header), 4096 + 3 * 16 + 5 * 8)
    }

    #[test]
    fn a_header_survives_its_bytes() {
        assert_eq!(read(&Header::new(&layout())).unwrap(), layout());
        for symmetry in [Symmetry::Mirror, Symmetry::EleEye] {
            let one_sided = Layout { about: About { symmetry, ..layout().about }, ..layout() };
            assert_eq!(read(&Header::new(&one_sided)).unwrap(), one_sided);
        }
    }

    #[test]
    fn every_altered_byte_is_noticed() {
        let header = Header::new(&layout());
        // A checksum of this many bytes takes miri long.
        for at in (0..HEADER_BYTES).step_by(if cfg!(miri) { 97 } else { 1 }) {
            let mut bytes = bytemuck::bytes_of(&header).to_vec();
            bytes[at] ^= 0x10;
            assert!(Header::read(&bytes, 4096 + 3 * 16 + 5 * 8).is_err(), "byte {at}");
        }
    }

    /// Returns `header` with a correct checksum.
    fn sealed(mut header: Header) -> Header {
        header.checksum = header.own_checksum();
        header
    }

    #[test]
    fn every_fault_has_its_name() {
        let good = Header::new(&layout());
        let fault = |header: Header| read(&sealed(header)).unwrap_err().to_string();
        assert_eq!(fault(Header { magic: *b"SQLite f", ..good }), Fault::Foreign.to_string());
        assert_eq!(fault(Header { byte_order: 0x0403_0201, ..good }), Fault::ByteOrder.to_string());
        assert_eq!(fault(Header { major: 2, minor: 1, ..good }), Fault::Newer { major: 2, minor: 1 }.to_string());
        assert_eq!(fault(Header { flags: 8 | good.flags, ..good }), Fault::Newer { major: 1, minor: 0 }.to_string());
        assert!(read(&sealed(Header { minor: 1, ..good })).is_ok());
        assert_eq!(fault(Header { body_kind: 2, ..good }), Fault::NewerBody(2).to_string());
        assert_eq!(fault(Header { key_seed: 1, ..good }), Fault::Keys.to_string());
        assert_eq!(fault(Header { key_check: 1, ..good }), Fault::Keys.to_string());
        for header in [
            Header { count: u64::MAX, ..good },
            Header { index_bits: 60, ..good },
            Header { index_offset: 8, ..good },
            Header { record_bytes: 8, ..good },
            Header { flags: good.flags & !SORTED_UNIQUE, ..good },
        ] {
            assert_eq!(fault(header), Fault::Header.to_string());
        }
        assert_eq!(
            read(&Header { count: 4, ..good }).unwrap_err().to_string(),
            Fault::Header.to_string(),
            "without a new checksum"
        );
    }

    #[test]
    fn the_length_must_be_what_the_header_says() {
        let header = Header::new(&layout());
        let bytes = bytemuck::bytes_of(&header);
        let expected = 4096 + 3 * 16 + 5 * 8;
        assert!(matches!(Header::read(bytes, expected - 1), Err(Fault::Truncated { .. })));
        assert!(matches!(Header::read(bytes, expected + 1), Err(Fault::TooLong { .. })));
        assert!(matches!(Header::read(&bytes[..100], 100), Err(Fault::Truncated { expected: 4096, .. })));
    }

    #[test]
    fn a_record_keeps_what_it_is_reported() {
        let mv: Move = "h2e2".parse().unwrap();
        let record = Record::new(5, mv, 300);
        assert_eq!((record.turned_move(), record.eval(), record.is_forbidden()), (Some(mv), None, false));
        let record = record.scored(-31, 17).forbidden(true);
        assert_eq!((record.eval(), record.is_forbidden()), (Some((-31, 17)), true));
        assert_eq!(record.scored(4, 1).forbidden(false).eval(), Some((4, 1)));
        assert_eq!(record.unscored().eval(), None);
        assert!(record.unscored().is_forbidden());
        assert_eq!(Record { mv: u16::MAX, ..record }.turned_move(), None);
    }
}
