//! File format of a network. Numbers are little-endian; each part begins at a multiple of 64 bytes, padded with zeros.
//!
//! ```text
//!  header                64 bytes: magic, version, byte order, input set and output set (u16 each), features of a king
//!                        bucket, width, output buckets, QA and QB, scale, king buckets, bytes of the rest, and the
//!                        checksum (xxh3) of everything else
//!  biases                i16  width
//!  feature weights       i16  features x width
//!  output weights        i16  output buckets x 2 x width, the side to move first
//!  output biases         i32  output buckets
//!  PSQT                  i32  features
//! ```
//!
//! Input set, width and output set are the shape of a network. Input set 1 has one king bucket and stores 0 as their
//! number; input set 2 has 3 or 6 king buckets, whose features follow each other. Output set 0 has 1 to 16 output buckets,
//! selected by the number of pieces; output set 1 has 16, selected by material.

use std::fmt;
use std::hash::Hasher;
use std::io;

use bytemuck::{Pod, Zeroable, bytes_of, pod_read_unaligned};
use twox_hash::XxHash3_64;

use super::features::{FEATURES, KING_BUCKET_COUNTS};
use super::outputs::{MOST_OUTPUT_BUCKETS, OutputBuckets};

/// QA, the unit of an accumulator: activations are clamped to the range from 0 to this.
pub const QA: i32 = 255;
/// QB, the unit of the output weights.
pub const QB: i32 = 64;
/// QA times QB, the unit of output sums, output biases and the PSQT column; [`super::Network::scale`] converts it to
/// centipawns.
pub const VALUE_UNIT: i32 = QA * QB;

const MAGIC: [u8; 8] = *b"ChuheNN\n";
const VERSION: u32 = 1;
const BYTE_ORDER: u32 = 0x0102_0304;
/// Input set 1: one feature for each piece and square in mirrored perspectives, one king bucket.
const SQUARES: u16 = 1;
/// Input set 2: input set 1 with several king buckets.
const SQUARES_OF_KING_BUCKETS: u16 = 2;
/// Output set 0: output buckets selected by the number of pieces.
const BY_PIECES: u16 = 0;
/// Output set 1: output buckets selected by material.
const BY_MATERIAL: u16 = 1;

/// Widths are multiples of this, so that the weights of each feature fill whole cache lines.
pub(super) const WIDTH_STEP: usize = LINE / size_of::<i16>();
pub(super) const MOST_WIDTH: usize = 4096;
const MOST_SCALE: i32 = 10_000;

pub(super) const LINE: usize = 64;

/// The contents of a cache line, aligned as one.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct Line([u8; LINE]);

impl Line {
    pub(super) const ZERO: Self = Self([0; LINE]);
}

/// Error: a file is not a network that can be used. The message is a single line.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file could not be read.
    #[error("cannot be read: {0}")]
    Io(io::Error),
    /// The file has a property that this program cannot use.
    #[error("{what}: expected {expected}, found {found}")]
    Unfit {
        /// The name of the property.
        what: &'static str,
        /// The expected value.
        expected: String,
        /// The value that was found.
        found: String,
    },
}

/// Converts without keeping the error as a source: the message contains it, and a report of the causes would repeat it.
impl From<io::Error> for NetworkError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl NetworkError {
    pub(super) fn unfit(what: &'static str, expected: impl ToString, found: impl ToString) -> Self {
        Self::Unfit { what, expected: expected.to_string(), found: found.to_string() }
    }

    /// Returns an error unless `found` is as expected.
    fn unless_equal<T: PartialEq + ToString>(what: &'static str, expected: T, found: T) -> Result<(), Self> {
        if expected == found { Ok(()) } else { Err(Self::unfit(what, expected, found)) }
    }
}

/// The dimensions of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Values in the accumulator of each perspective: a multiple of 32 up to 4,096.
    pub width: usize,
    /// Output buckets, and the pieces that select one.
    pub output_buckets: OutputBuckets,
    /// King buckets, selected by the square of the own king: one of [`KING_BUCKET_COUNTS`].
    pub king_buckets: usize,
}

impl Shape {
    /// The largest supported shape.
    const LARGEST: Self = Self {
        width: MOST_WIDTH,
        output_buckets: OutputBuckets::ByPieces(MOST_OUTPUT_BUCKETS),
        king_buckets: KING_BUCKET_COUNTS[KING_BUCKET_COUNTS.len() - 1],
    };

    /// Bytes of the largest file.
    pub(super) const MOST_FILE_BYTES: usize = Self::LARGEST.file_bytes();

    /// Checks that networks of this shape are supported.
    ///
    /// # Errors
    /// Names the dimension that is not supported.
    pub fn check(self) -> Result<(), NetworkError> {
        let Self { width, output_buckets, king_buckets } = self;
        if !width.is_multiple_of(WIDTH_STEP) || !(WIDTH_STEP..=MOST_WIDTH).contains(&width) {
            let expected = format!("a multiple of {WIDTH_STEP} up to {MOST_WIDTH}");
            Err(NetworkError::unfit("width", expected, width))
        } else if !(1..=MOST_OUTPUT_BUCKETS).contains(&output_buckets.count()) {
            let expected = format!("1 to {MOST_OUTPUT_BUCKETS}");
            Err(NetworkError::unfit("output buckets", expected, output_buckets.count()))
        } else if !KING_BUCKET_COUNTS.contains(&king_buckets) {
            let expected = KING_BUCKET_COUNTS.map(|count| count.to_string()).join(" or ");
            Err(NetworkError::unfit("king buckets", expected, king_buckets))
        } else {
            Ok(())
        }
    }

    /// Features of all king buckets.
    pub const fn features(self) -> usize {
        self.king_buckets * FEATURES
    }

    /// Bytes of a file with a network of this shape.
    pub const fn file_bytes(self) -> usize {
        Parts::of(self).psqt.end * LINE
    }
}

/// Names what differs between shapes in use, such as `512 wide, 16 outputs by material`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, output_buckets, king_buckets } = self;
        write!(f, "{width} wide, {output_buckets}")?;
        if *king_buckets > 1 { write!(f, ", {king_buckets} king buckets") } else { Ok(()) }
    }
}

/// The parts of a file after its header.
#[derive(Clone)]
pub(super) struct Parts {
    pub(super) biases: Part,
    pub(super) feature_weights: Part,
    pub(super) output_weights: Part,
    pub(super) output_biases: Part,
    pub(super) psqt: Part,
}

/// The place of a part in the file.
#[derive(Clone)]
pub(super) struct Part {
    pub(super) name: &'static str,
    /// First cache line, and the one after the last.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Number of values in the part.
    pub(super) numbers: usize,
}

impl Part {
    const fn new<T>(name: &'static str, start: usize, numbers: usize) -> Self {
        Self { name, start, end: start + (numbers * size_of::<T>()).div_ceil(LINE), numbers }
    }
}

impl Parts {
    pub(super) const fn of(shape: Shape) -> Self {
        let (width, output_buckets) = (shape.width, shape.output_buckets.count());
        let biases = Part::new::<i16>("biases", size_of::<Header>() / LINE, width);
        let feature_weights = Part::new::<i16>("feature weights", biases.end, shape.features() * width);
        let output_weights = Part::new::<i16>("output weights", feature_weights.end, output_buckets * 2 * width);
        let output_biases = Part::new::<i32>("output biases", output_weights.end, output_buckets);
        let psqt = Part::new::<i32>("PSQT", output_biases.end, shape.features());
        Self { biases, feature_weights, output_weights, output_biases, psqt }
    }
}

/// The first bytes of a file.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Header {
    magic: [u8; 8],
    version: u32,
    byte_order: u32,
    input_set: u16,
    output_set: u16,
    features: u32,
    width: u32,
    output_buckets: u32,
    qa: i32,
    qb: i32,
    pub(super) scale: i32,
    king_buckets: u32,
    payload_bytes: u64,
    pub(super) checksum: u64,
}

const _: () = assert!(size_of::<Header>() == LINE);

impl Header {
    /// Creates the header of a file, whose shape is supported, with this after it.
    pub(super) fn new(shape: Shape, scale: i32, payload: &[u8]) -> Self {
        let Shape { width, output_buckets: outputs, king_buckets } = shape;
        let [width, output_buckets, king_buckets] = [width, outputs.count(), king_buckets].map(|number| number as u32);
        let (input_set, king_buckets) =
            if king_buckets == 1 { (SQUARES, 0) } else { (SQUARES_OF_KING_BUCKETS, king_buckets) };
        let header = Self {
            magic: MAGIC,
            version: VERSION,
            byte_order: BYTE_ORDER,
            input_set,
            output_set: match outputs {
                OutputBuckets::ByPieces(_) => BY_PIECES,
                OutputBuckets::ByMaterial => BY_MATERIAL,
            },
            features: FEATURES as u32,
            width,
            output_buckets,
            qa: QA,
            qb: QB,
            scale,
            king_buckets,
            payload_bytes: payload.len() as u64,
            checksum: 0,
        };
        Self { checksum: header.checksum(payload), ..header }
    }

    /// Reads the header of a complete file, which it describes.
    pub(super) fn read(bytes: &[u8]) -> Result<(Self, Shape), NetworkError> {
        let header: Self = match bytes.first_chunk::<LINE>() {
            Some(line) if line.starts_with(&MAGIC) => pod_read_unaligned(line),
            _ => {
                let begin = bytes[..bytes.len().min(MAGIC.len())].escape_ascii();
                return Err(NetworkError::unfit("file", MAGIC.escape_ascii(), begin));
            }
        };
        let shape = header.shape()?;
        NetworkError::unless_equal("bytes", shape.file_bytes(), bytes.len())?;
        let [expected, found] = [header.checksum, header.checksum(&bytes[LINE..])].map(|sum| format!("{sum:016x}"));
        NetworkError::unless_equal("sum", expected, found)?;
        Ok((header, shape))
    }

    /// The dimensions, if everything else in the header is supported by this program.
    fn shape(&self) -> Result<Shape, NetworkError> {
        let expect = NetworkError::unless_equal::<u32>;
        expect("byte order", BYTE_ORDER, self.byte_order)?;
        expect("version", VERSION, self.version)?;
        let (king_buckets, output_buckets) = (self.input_set()?, self.output_set()?);
        expect("features", FEATURES as u32, self.features)?;
        let [expected, found] = [[QA, QB], [self.qa, self.qb]].map(|units| format!("{units:?}"));
        NetworkError::unless_equal("units", expected, found)?;
        if !(1..=MOST_SCALE).contains(&self.scale) {
            return Err(NetworkError::unfit("scale", format!("1 to {MOST_SCALE}"), self.scale));
        }
        let shape = Shape { width: self.width as usize, output_buckets, king_buckets };
        shape.check()?;
        NetworkError::unless_equal("bytes after the header", (shape.file_bytes() - LINE) as u64, self.payload_bytes)?;
        Ok(shape)
    }

    /// The number of king buckets.
    fn input_set(&self) -> Result<usize, NetworkError> {
        match (self.input_set, self.king_buckets as usize) {
            (SQUARES, 0) => Ok(1),
            (SQUARES, count) => Err(NetworkError::unfit("king buckets", 0, count)),
            (SQUARES_OF_KING_BUCKETS, count) if count > 1 => Ok(count),
            (SQUARES_OF_KING_BUCKETS, count) => Err(NetworkError::unfit("king buckets", "3 or 6", count)),
            (other, _) => {
                let expected = format!("{SQUARES} or {SQUARES_OF_KING_BUCKETS}");
                Err(NetworkError::unfit("input set", expected, other))
            }
        }
    }

    /// The output buckets.
    fn output_set(&self) -> Result<OutputBuckets, NetworkError> {
        let count = self.output_buckets as usize;
        match self.output_set {
            BY_PIECES => Ok(OutputBuckets::ByPieces(count)),
            BY_MATERIAL => {
                NetworkError::unless_equal("output buckets", OutputBuckets::ByMaterial.count(), count)?;
                Ok(OutputBuckets::ByMaterial)
            }
            other => Err(NetworkError::unfit("output set", format!("{BY_PIECES} or {BY_MATERIAL}"), other)),
        }
    }

    /// The checksum of everything but the checksum itself.
    fn checksum(&self, payload: &[u8]) -> u64 {
        let mut hash = XxHash3_64::new();
        hash.write(bytes_of(&Self { checksum: 0, ..*self }));
        hash.write(payload);
        hash.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::network::Network;
    use super::super::network::tests::{SMALL, random_weights, small};
    use super::*;

    /// The bytes after a change of the header, with a matching checksum.
    fn summed(change: impl FnOnce(&mut Header)) -> Vec<u8> {
        let mut bytes = small().bytes().to_vec();
        let mut header: Header = pod_read_unaligned(&bytes[..LINE]);
        change(&mut header);
        header.checksum = header.checksum(&bytes[LINE..]);
        bytes[..LINE].copy_from_slice(bytes_of(&header));
        bytes
    }

    #[track_caller]
    fn error(bytes: &[u8]) -> String {
        Network::from_bytes(bytes).expect_err("it is refused").to_string()
    }

    #[test]
    fn every_flipped_byte_and_every_missing_one_is_refused() {
        let good = small().bytes().to_vec();
        let mut bytes = good.clone();
        for at in (0..good.len()).step_by(if cfg!(miri) { 4099 } else { 1 }) {
            bytes[at] ^= 1 << (at % 8);
            assert!(Network::from_bytes(&bytes).is_err(), "byte {at}");
            bytes[at] = good[at];
            assert!(Network::from_bytes(&good[..at]).is_err(), "cut at {at}");
        }
        for at in 0..if cfg!(miri) { 1 } else { LINE } {
            bytes[at] = !bytes[at];
            assert!(Network::from_bytes(&bytes).is_err(), "byte {at}");
            bytes[at] = good[at];
        }
        assert!(Network::from_bytes(&[good, vec![0]].concat()).is_err());
    }

    #[test]
    fn what_is_wrong_is_said_in_one_line() {
        assert_eq!(error(b""), r"file: expected ChuheNN\n, found ");
        assert_eq!(error(b"PNG and so on"), r"file: expected ChuheNN\n, found PNG and ");
        assert_eq!(error(&summed(|header| header.version = 2)), "version: expected 1, found 2");
        assert_eq!(error(&summed(|header| header.input_set = 7)), "input set: expected 1 or 2, found 7");
        assert_eq!(error(&summed(|header| header.output_set = 3)), "output set: expected 0 or 1, found 3");
        assert_eq!(error(&summed(|header| header.output_set = 1)), "output buckets: expected 16, found 3");
        assert_eq!(error(&summed(|header| header.features = 690)), "features: expected 689, found 690");
        assert_eq!(error(&summed(|header| header.width = 33)), "width: expected a multiple of 32 up to 4096, found 33");
        assert_eq!(error(&summed(|header| header.output_buckets = 0)), "output buckets: expected 1 to 16, found 0");
        assert_eq!(error(&summed(|header| header.qb = 32)), "units: expected [255, 64], found [255, 32]");
        assert_eq!(error(&summed(|header| header.scale = 0)), "scale: expected 1 to 10000, found 0");
        assert_eq!(error(&summed(|header| header.king_buckets = 1)), "king buckets: expected 0, found 1");
        let of_king_buckets = |count| {
            let change = move |header: &mut Header| (header.input_set, header.king_buckets) = (2, count);
            error(&summed(change))
        };
        assert_eq!(of_king_buckets(0), "king buckets: expected 3 or 6, found 0");
        assert_eq!(of_king_buckets(4), "king buckets: expected 1 or 3 or 6, found 4");
        assert!(of_king_buckets(6).starts_with("bytes after the header: expected "), "{}", of_king_buckets(6));
        let bytes = SMALL.file_bytes();
        let wrong = format!("bytes: expected {bytes}, found {}", bytes - 1);
        assert_eq!(error(&small().bytes()[..bytes - 1]), wrong);
        let wider = Shape { width: 64, ..SMALL }.file_bytes() - LINE;
        let expected = format!("bytes after the header: expected {wider}, found {}", bytes - LINE);
        assert_eq!(error(&summed(|header| header.width = 64)), expected);
        let mut altered = small().bytes().to_vec();
        altered[bytes - 1] ^= 1;
        assert!(error(&altered).starts_with("sum: expected "));
    }

    #[test]
    fn numbers_that_do_not_fill_the_shape_are_refused() {
        let mut weights = random_weights(SMALL, 2);
        weights.psqt.pop();
        let error = Network::new(SMALL, 400, &weights).err().unwrap();
        assert_eq!(error.to_string(), "PSQT: expected 689, found 688");
    }
}
