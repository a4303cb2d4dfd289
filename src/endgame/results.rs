//! Result tables (WDL): the outcome of every placement with either side to move, read in place without unpacking.

use std::io::{self, Write};
use std::path::Path;

use twox_hash::XxHash3_64;

use super::error::Fault;
use super::format::{Checksum, Content, HEADER_BYTES, Header, LARGEST_CHECKED, Layout, Part};
use super::index::Index;
use crate::board::Side;
use crate::file::{self, Bytes};

/// File extension of result tables.
pub const RESULTS_EXTENSION: &str = "wdl";

/// Largest file that is copied into memory, in bytes. Larger ones are mapped, which takes the same time for any size.
const LARGEST_COPY: usize = 1 << 20;

/// Outcome for the side to move against every defence, under any rules of repetition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// Neither side can win.
    Draw,
    /// The side to move wins.
    Win,
    /// The side to move loses.
    Loss,
    /// The outcome depends on the rules of repetition.
    Open,
}

impl Outcome {
    /// All outcomes, in the order of their codes.
    pub const ALL: [Self; 4] = [Self::Draw, Self::Win, Self::Loss, Self::Open];

    /// Returns the outcome for the other side.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Loss => Self::Win,
            even => even,
        }
    }
}

/// Result table of one material.
pub struct Results {
    bytes: Bytes,
    layout: Layout,
}

impl Results {
    /// Opens a file: copies or maps it.
    ///
    /// # Errors
    /// If the file cannot be read or is not a valid table.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let bytes = Bytes::of_file(file::open(path)?, LARGEST_COPY)?;
        let results = Self::read(bytes)?;
        if results.bytes.len() <= LARGEST_CHECKED {
            results.verify()?;
        }
        Ok(results)
    }

    /// Copies a table from memory.
    ///
    /// # Errors
    /// If the bytes are not a valid table.
    pub fn copied(bytes: &[u8]) -> Result<Self, Fault> {
        Self::read(Bytes::copied(bytes))
    }

    fn read(bytes: Bytes) -> Result<Self, Fault> {
        let layout = Header::read(&bytes, Content::Results)?;
        let sound = |part: &Part| {
            let bits = layout.index.size().checked_mul(part.grain.into());
            let known = part.meanings.iter().all(|&meaning| usize::from(meaning) < Outcome::ALL.len());
            known && part.grain <= 2 && bits.is_some_and(|bits| bits.div_ceil(8) == part.bytes)
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

    /// Returns a hash that identifies the table and its version.
    pub(super) fn id(&self) -> u64 {
        // The header has the checksum of the body.
        XxHash3_64::oneshot(&self.bytes[..HEADER_BYTES])
    }

    /// Returns the index of the placements.
    pub fn index(&self) -> &Index {
        &self.layout.index
    }

    /// Returns the outcome of a placement with `mover` to move. Meaningless if the other side's king could be captured, or two
    /// pieces share a square.
    pub fn outcome(&self, mover: Side, number: u64) -> Outcome {
        let Part { grain, meanings, .. } = self.layout.parts[mover.index()];
        let part = self.layout.part(&self.bytes, mover);
        let bit = number * u64::from(grain);
        // The length of the part was checked, so this stays within it; a code of 0 bits needs no byte.
        let byte = part.get((bit / 8) as usize).copied().unwrap_or(0);
        let code = byte >> (bit % 8) & ((1 << grain) - 1);
        Outcome::ALL[usize::from(meanings[usize::from(code)])]
    }
}

/// Writes a table. `outcome` is called several times for every number and side to move, and returns `None` for impossible
/// placements.
///
/// # Errors
/// If it cannot be written.
pub fn write_results(
    out: &mut impl Write,
    index: &Index,
    outcome: impl Fn(Side, u64) -> Option<Outcome>,
) -> io::Result<()> {
    let (size, outcome) = (index.size(), &outcome);
    let outcomes = |mover| (0..size).map(move |number| outcome(mover, number));
    let codes = Side::ALL.map(|mover| Codes::new(outcomes(mover)));
    let mut offset = 0_u64;
    let parts = codes.each_ref().map(|codes| {
        let bytes = (size * u64::from(codes.bits)).div_ceil(8);
        let part = Part { offset, bytes, grain: codes.bits, meanings: codes.meanings };
        offset = (offset + bytes).next_multiple_of(8);
        part
    });
    // Packed twice, since the body can be larger than the memory.
    let write_body = |out: &mut dyn Write| {
        let mut sides = Side::ALL.into_iter().zip(&codes);
        sides.try_for_each(|(mover, codes)| codes.pack(outcomes(mover), out))
    };
    let mut checksum = Checksum::default();
    write_body(&mut checksum)?;
    let header = Header::new(Content::Results, index, parts, checksum.finish());
    out.write_all(bytemuck::bytes_of(&header))?;
    write_body(out)
}

/// Codes of the outcomes of a part: as few bits as those that occur need.
struct Codes {
    bits: u32,
    /// Outcome of each code.
    meanings: [u8; Outcome::ALL.len()],
    /// Code of each outcome.
    codes: [u8; Outcome::ALL.len()],
}

impl Codes {
    fn new(outcomes: impl Iterator<Item = Option<Outcome>>) -> Self {
        let mut occurs = [false; Outcome::ALL.len()];
        outcomes.flatten().for_each(|outcome| occurs[outcome as usize] = true);
        let (mut meanings, mut codes) = ([0; Outcome::ALL.len()], [0; Outcome::ALL.len()]);
        let mut count = 0_u8;
        for at in (0..Outcome::ALL.len()).filter(|&at| occurs[at]) {
            meanings[usize::from(count)] = at as u8;
            codes[at] = count;
            count += 1;
        }
        Self { bits: count.max(1).next_power_of_two().ilog2(), meanings, codes }
    }

    /// Writes the codes, the lowest bits of a byte first, and zeros up to a multiple of eight bytes.
    fn pack(&self, outcomes: impl Iterator<Item = Option<Outcome>>, out: &mut dyn Write) -> io::Result<()> {
        if self.bits == 0 {
            return Ok(());
        }
        let (mut word, mut bits, mut code) = (0_u64, 0, 0);
        for outcome in outcomes {
            // An impossible placement repeats the code before it, so that the file compresses well.
            code = outcome.map_or(code, |outcome| self.codes[outcome as usize]);
            word |= u64::from(code) << bits;
            bits += self.bits;
            if bits == u64::BITS {
                out.write_all(&word.to_le_bytes())?;
                (word, bits) = (0, 0);
            }
        }
        if bits > 0 { out.write_all(&word.to_le_bytes()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index() -> Index {
        Index::new("KP-KA".parse().unwrap()).unwrap()
    }

    fn written(outcome: impl Fn(Side, u64) -> Option<Outcome>) -> Vec<u8> {
        let mut bytes = vec![];
        write_results(&mut bytes, &index(), outcome).unwrap();
        bytes
    }

    /// Returns outcomes in an order without a pattern, some of them `None`.
    fn mixed(outcomes: &'static [Outcome]) -> impl Fn(Side, u64) -> Option<Outcome> {
        move |mover, number| {
            let chance = crate::splitmix::mix(number * 2 + mover.index() as u64) as usize;
            (!chance.is_multiple_of(7)).then_some(outcomes[chance % outcomes.len()])
        }
    }

    #[test]
    fn what_is_written_is_read_in_as_few_bits_as_it_needs() {
        use Outcome::{Draw, Loss, Open, Win};
        for (outcomes, bits) in [
            (&[Draw] as &'static [Outcome], 0),
            (&[Loss], 0),
            (&[Draw, Win], 1),
            (&[Loss, Win], 1),
            (&[Loss, Open, Win], 2),
            (&Outcome::ALL, 2),
        ] {
            let outcome = mixed(outcomes);
            let bytes = written(&outcome);
            let part = (index().size() * bits).div_ceil(8).next_multiple_of(8);
            assert_eq!(bytes.len() as u64, HEADER_BYTES as u64 + 2 * part, "{outcomes:?}");
            let results = Results::copied(&bytes).unwrap();
            results.verify().unwrap();
            for number in 0..index().size() {
                for mover in Side::ALL {
                    let expected = outcome(mover, number);
                    assert!(expected.is_none_or(|expected| results.outcome(mover, number) == expected));
                }
            }
        }
    }

    /// Returns the message for a file with these bytes.
    fn fault(bytes: &[u8]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        std::fs::write(&path, bytes).unwrap();
        Results::open(&path).err().expect("this is not a table").to_string()
    }

    #[test]
    #[cfg_attr(miri, ignore = "opens files")]
    fn every_fault_has_its_line() {
        let whole = written(mixed(&Outcome::ALL));
        let length = whole.len();
        for cut in [0, 5, 100, HEADER_BYTES, length - 1] {
            assert!(fault(&whole[..cut]).starts_with("truncated"), "{cut}");
        }
        assert!(fault(&[whole.as_slice(), &[0]].concat()).starts_with("altered"));
        assert_eq!(fault(b"SQLite format 3 and much more of that"), "foreign: no table of results");
        // One byte of the header at a time: every change is detected.
        for at in 0..HEADER_BYTES {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fault(&bytes);
        }
        let mut bytes = whole.clone();
        bytes[length / 2] ^= 16;
        assert_eq!(fault(&bytes), Fault::Body.to_string());
    }

    #[test]
    #[cfg_attr(miri, ignore = "many thousand numbers")]
    fn a_table_that_is_mapped_is_checked_too() {
        let index = Index::new("KNC-KAA".parse().unwrap()).unwrap();
        let mut bytes = vec![];
        write_results(&mut bytes, &index, |_, number| Some(Outcome::ALL[number as usize % 4])).unwrap();
        let length = bytes.len();
        assert!(length > LARGEST_COPY);
        bytes[length / 2] ^= 16;
        assert_eq!(fault(&bytes), Fault::Body.to_string());
    }
}
