//! File format of a network. Numbers are little-endian; each part begins at a multiple of 64 bytes, padded with zeros.
//!
//! ```text
//!  header                64 bytes: magic, version, byte order, architecture, features of a king bucket, width, output
//!                        buckets, QA and QB, scale, king buckets, bytes of the rest, and the checksum (xxh3) of
//!                        everything else
//!  biases                i16  width
//!  rows                  i16  features x width: the feature weights
//!  weights of outputs    i16  output buckets x 2 x width, the side to move first
//!  biases of outputs     i32  output buckets
//!  pieces                i32  features: the PSQT column
//! ```
//!
//! Files of architecture 1 have one king bucket and store 0 as their number. Those of architecture 2 have 3 or 6 king
//! buckets, which follow each other in rows and pieces.

use std::borrow::Cow;
use std::fmt;
use std::hash::Hasher;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use bytemuck::{Pod, Zeroable, bytes_of, cast_slice, cast_slice_mut, pod_read_unaligned};
use twox_hash::XxHash3_64;

use super::features::{FEATURES, KING_SETS, MOST_KING_SETS, Perspective};
use super::units::{QA, QB};
use crate::board::{Piece, Square};
use crate::file;

const MAGIC: [u8; 8] = *b"ChuheNN\n";
const VERSION: u32 = 1;
const BYTE_ORDER: u32 = 0x0102_0304;
/// Architecture 1: mirrored perspectives, one SCReLU layer, output buckets by the number of pieces, and a PSQT column.
const ARCHITECTURE: u32 = 1;
/// Architecture 2: architecture 1 with several king buckets.
const ARCHITECTURE_OF_SETS: u32 = 2;

/// Widths are multiples of this, so that each row fills whole cache lines.
const WIDTH_STEP: usize = LINE / size_of::<i16>();
const MOST_WIDTH: usize = 4096;
const MOST_OUTPUTS: usize = 16;
const MOST_SCALE: i32 = 10_000;

const LINE: usize = 64;

/// Zeros for the widest row.
static NOTHING: [Line; MOST_WIDTH / WIDTH_STEP] = [Line::ZERO; MOST_WIDTH / WIDTH_STEP];

/// The contents of a cache line, aligned as one.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct Line([u8; LINE]);

impl Line {
    pub(super) const ZERO: Self = Self([0; LINE]);
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Header {
    magic: [u8; 8],
    version: u32,
    byte_order: u32,
    architecture: u32,
    inputs: u32,
    width: u32,
    outputs: u32,
    accumulator_unit: i32,
    output_unit: i32,
    scale: i32,
    sets: u32,
    payload_bytes: u64,
    sum: u64,
}

const HEADER_LINES: usize = 1;
const _: () = assert!(size_of::<Header>() == HEADER_LINES * LINE);

/// The dimensions of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Values in the accumulator of each perspective: a multiple of 32 up to 4,096.
    pub width: usize,
    /// Output buckets, selected by the number of pieces: 1 to 16.
    pub outputs: usize,
    /// King buckets, selected by the square of the own king: one of [`KING_SETS`].
    pub kings: usize,
}

/// All parameters of a network, quantised by the units of [`super`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// Biases of an accumulator.
    pub biases: Vec<i16>,
    /// Feature weights: one row for each feature.
    pub rows: Vec<i16>,
    /// Output weights: for each output bucket those of the side to move, then those of the other side.
    pub outputs: Vec<i16>,
    /// Output biases: one for each output bucket.
    pub output_biases: Vec<i32>,
    /// PSQT column: the value of a piece by itself, by feature.
    pub pieces: Vec<i32>,
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
}

/// A network in memory: its file, aligned, in owned memory or in that of the program.
#[derive(Clone)]
pub struct Network {
    shape: Shape,
    parts: Parts,
    scale: i32,
    id: u64,
    lines: Cow<'static, [Line]>,
}

/// Ranges of its parts, in cache lines from the beginning.
#[derive(Clone)]
struct Parts {
    biases: Range<usize>,
    rows: Range<usize>,
    outputs: Range<usize>,
    output_biases: Range<usize>,
    pieces: Range<usize>,
}

impl Network {
    /// Creates a network from its parameters; one unit of its values is `scale` centipawns, 1 to 10,000.
    ///
    /// # Errors
    /// If the parameters do not fit the shape, the shape or the scale is not supported, or some sum could overflow.
    pub fn new(shape: Shape, scale: i32, weights: &Weights) -> Result<Self, NetworkError> {
        shape.check()?;
        let Shape { width, outputs, .. } = shape;
        let count = |what, expected: usize, found: usize| {
            if expected == found { Ok(()) } else { Err(NetworkError::unfit(what, expected, found)) }
        };
        count("biases", width, weights.biases.len())?;
        count("rows", shape.inputs() * width, weights.rows.len())?;
        count("weights of outputs", outputs * 2 * width, weights.outputs.len())?;
        count("biases of outputs", outputs, weights.output_biases.len())?;
        count("pieces", shape.inputs(), weights.pieces.len())?;
        let mut bytes = vec![0; shape.file_bytes()];
        let mut put =
            |part: Range<usize>, numbers: &[u8]| bytes[part.start * LINE..][..numbers.len()].copy_from_slice(numbers);
        let little = |numbers: &[i32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
        let short = |numbers: &[i16]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
        let parts = Parts::of(shape);
        put(parts.biases, &short(&weights.biases));
        put(parts.rows, &short(&weights.rows));
        put(parts.outputs, &short(&weights.outputs));
        put(parts.output_biases, &little(&weights.output_biases));
        put(parts.pieces, &little(&weights.pieces));
        let narrow = |number: usize| u32::try_from(number).expect("shapes are small");
        let mut header = Header {
            magic: MAGIC,
            version: VERSION,
            byte_order: BYTE_ORDER,
            architecture: if shape.kings == 1 { ARCHITECTURE } else { ARCHITECTURE_OF_SETS },
            inputs: narrow(FEATURES),
            width: narrow(width),
            outputs: narrow(outputs),
            accumulator_unit: QA,
            output_unit: QB,
            scale,
            sets: if shape.kings == 1 { 0 } else { narrow(shape.kings) },
            payload_bytes: (shape.file_bytes() - LINE) as u64,
            sum: 0,
        };
        header.sum = sum(&header, &bytes[LINE..]);
        bytes[..LINE].copy_from_slice(bytes_of(&header));
        Self::from_bytes(&bytes)
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// If the file cannot be read or is not a network that can be used.
    pub fn read(path: &Path) -> Result<Self, NetworkError> {
        let largest = Shape { width: MOST_WIDTH, outputs: MOST_OUTPUTS, kings: MOST_KING_SETS }.file_bytes() as u64;
        let mut bytes = vec![];
        file::open(path)?.take(largest + 1).read_to_end(&mut bytes)?;
        Self::from_bytes(&bytes)
    }

    /// Creates a network from the bytes of a file, which are copied to aligned memory.
    ///
    /// # Errors
    /// If the bytes are not a network that can be used.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let header = Header::of(bytes)?;
        let mut lines = vec![Line::ZERO; bytes.len() / LINE];
        cast_slice_mut(&mut lines).copy_from_slice(bytes);
        Self::of(&header, Cow::Owned(lines))
    }

    /// Creates a network that uses the bytes of a file in place.
    ///
    /// # Errors
    /// If the bytes are not a network that can be used.
    ///
    /// # Panics
    /// If they do not begin at a multiple of 64.
    pub(super) fn in_place(bytes: &'static [u8]) -> Result<Self, NetworkError> {
        let header = Header::of(bytes)?;
        Self::of(&header, Cow::Borrowed(cast_slice(bytes)))
    }

    /// Creates a network from a complete file.
    fn of(header: &Header, lines: Cow<'static, [Line]>) -> Result<Self, NetworkError> {
        let shape = header.shape()?;
        let network = Self { shape, parts: Parts::of(shape), scale: header.scale, id: header.sum, lines };
        network.bounds().check()?;
        Ok(network)
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        cast_slice(&self.lines)
    }

    /// The dimensions of the network.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Centipawns in one unit of the network's values.
    pub fn scale(&self) -> i32 {
        self.scale
    }

    /// Identity of the network: the checksum of its file.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The biases of an accumulator.
    pub fn biases(&self) -> &[i16] {
        self.part(&self.parts.biases)
    }

    /// The weights that a feature adds to the accumulator of its perspective.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn row(&self, input: usize) -> &[i16] {
        let width = self.shape.width;
        &self.part::<i16>(&self.parts.rows)[input * width..][..width]
    }

    /// The weights of all features, for several lookups.
    pub(super) fn inputs(&self) -> Inputs<'_> {
        Inputs { rows: self.part(&self.parts.rows), pieces: self.pieces(), width: self.shape.width }
    }

    /// The weights of an output bucket, for the side to move and for the other side.
    ///
    /// # Panics
    /// If there is no such output bucket.
    pub fn output(&self, output: usize) -> [&[i16]; 2] {
        let width = self.shape.width;
        let weights = &self.part::<i16>(&self.parts.outputs)[output * 2 * width..][..2 * width];
        [&weights[..width], &weights[width..]]
    }

    /// The biases of the output buckets.
    pub fn output_biases(&self) -> &[i32] {
        &self.part(&self.parts.output_biases)[..self.shape.outputs]
    }

    /// The PSQT column: the value of a piece by itself, by feature.
    pub fn pieces(&self) -> &[i32] {
        &self.part(&self.parts.pieces)[..self.shape.inputs()]
    }

    fn part<T: Pod>(&self, part: &Range<usize>) -> &[T] {
        cast_slice(&self.lines[part.start..part.end])
    }
}

/// Weights of the features of a network.
#[derive(Clone, Copy)]
pub(super) struct Inputs<'a> {
    rows: &'a [i16],
    pieces: &'a [i32],
    width: usize,
}

/// Weights of one feature.
#[derive(Clone, Copy)]
pub(super) struct Addend<'a> {
    /// Row that is added to the accumulator.
    pub(super) row: &'a [i16],
    /// Value that is added to the sum of the PSQT column.
    pub(super) piece: i32,
}

impl<'a> Inputs<'a> {
    /// The weights of `piece` on `square` in a perspective: zeros where it cannot stand in the standard game.
    #[inline(always)] // work that the features of one move share is done once
    pub(super) fn of(self, perspective: Perspective, piece: Piece, square: Square) -> Addend<'a> {
        match perspective.feature(piece, square) {
            Some(input) => Addend { row: &self.rows[input * self.width..][..self.width], piece: self.pieces[input] },
            None => Addend { row: &cast_slice(&NOTHING)[..self.width], piece: 0 },
        }
    }
}

/// Prints the identity and the dimensions, not the parameters.
impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { width, outputs, kings } = self.shape;
        write!(f, "Network {:016x} ({width} wide, {outputs} outputs, {kings} sets of inputs)", self.id)
    }
}

impl Header {
    /// Reads the header of a complete file.
    fn of(bytes: &[u8]) -> Result<Self, NetworkError> {
        let header: Self = match bytes.first_chunk::<LINE>() {
            Some(line) if line.starts_with(&MAGIC) => pod_read_unaligned(line),
            _ => {
                let begin = bytes[..bytes.len().min(MAGIC.len())].escape_ascii();
                return Err(NetworkError::unfit("file", MAGIC.escape_ascii(), begin));
            }
        };
        let expected = header.shape()?.file_bytes();
        if bytes.len() != expected {
            return Err(NetworkError::unfit("bytes", expected, bytes.len()));
        }
        let found = sum(&header, &bytes[LINE..]);
        if found != header.sum {
            return Err(NetworkError::unfit("sum", format!("{:016x}", header.sum), format!("{found:016x}")));
        }
        Ok(header)
    }

    /// The dimensions, if everything else in the header is supported by this program.
    fn shape(&self) -> Result<Shape, NetworkError> {
        let expect = |what, expected: u32, found: u32| {
            if expected == found { Ok(()) } else { Err(NetworkError::unfit(what, expected, found)) }
        };
        expect("byte order", BYTE_ORDER, self.byte_order)?;
        expect("version", VERSION, self.version)?;
        let kings = match (self.architecture, self.sets as usize) {
            (ARCHITECTURE, 0) => 1,
            (ARCHITECTURE, sets) => return Err(NetworkError::unfit("sets of inputs", 0, sets)),
            (ARCHITECTURE_OF_SETS, sets) if sets > 1 => sets,
            (ARCHITECTURE_OF_SETS, sets) => return Err(NetworkError::unfit("sets of inputs", "3 or 6", sets)),
            (other, _) => {
                let expected = format!("{ARCHITECTURE} or {ARCHITECTURE_OF_SETS}");
                return Err(NetworkError::unfit("architecture", expected, other));
            }
        };
        expect("inputs", FEATURES as u32, self.inputs)?;
        let units = [QA, QB];
        let found = [self.accumulator_unit, self.output_unit];
        if units != found {
            return Err(NetworkError::unfit("units", format!("{units:?}"), format!("{found:?}")));
        }
        if !(1..=MOST_SCALE).contains(&self.scale) {
            return Err(NetworkError::unfit("scale", format!("1 to {MOST_SCALE}"), self.scale));
        }
        let shape = Shape { width: self.width as usize, outputs: self.outputs as usize, kings };
        shape.check()?;
        let payload = (shape.file_bytes() - LINE) as u64;
        if payload == self.payload_bytes {
            Ok(shape)
        } else {
            Err(NetworkError::unfit("bytes behind the header", payload, self.payload_bytes))
        }
    }
}

impl Shape {
    /// Checks that networks of this shape are supported.
    ///
    /// # Errors
    /// Names the dimension that is not supported.
    pub fn check(self) -> Result<(), NetworkError> {
        let Self { width, outputs, kings } = self;
        if !width.is_multiple_of(WIDTH_STEP) || !(WIDTH_STEP..=MOST_WIDTH).contains(&width) {
            let expected = format!("a multiple of {WIDTH_STEP} up to {MOST_WIDTH}");
            Err(NetworkError::unfit("width", expected, width))
        } else if !(1..=MOST_OUTPUTS).contains(&outputs) {
            Err(NetworkError::unfit("outputs", format!("1 to {MOST_OUTPUTS}"), outputs))
        } else if !KING_SETS.contains(&kings) {
            Err(NetworkError::unfit("sets of inputs", KING_SETS.map(|sets| sets.to_string()).join(" or "), kings))
        } else {
            Ok(())
        }
    }

    /// Features of all king buckets.
    pub fn inputs(self) -> usize {
        self.kings * FEATURES
    }

    /// Bytes of a file with a network of this shape.
    pub fn file_bytes(self) -> usize {
        Parts::of(self).pieces.end * LINE
    }
}

impl Parts {
    fn of(shape: Shape) -> Self {
        let Shape { width, outputs, .. } = shape;
        let biases = part::<i16>(HEADER_LINES, width);
        let rows = part::<i16>(biases.end, shape.inputs() * width);
        let weights = part::<i16>(rows.end, outputs * 2 * width);
        let output_biases = part::<i32>(weights.end, outputs);
        let pieces = part::<i32>(output_biases.end, shape.inputs());
        Self { biases, rows, outputs: weights, output_biases, pieces }
    }
}

/// The cache lines of this many numbers, from `begin` on.
fn part<T>(begin: usize, numbers: usize) -> Range<usize> {
    begin..begin + (numbers * size_of::<T>()).div_ceil(LINE)
}

/// The checksum of everything but the checksum itself.
fn sum(header: &Header, payload: &[u8]) -> u64 {
    let mut hash = XxHash3_64::new();
    hash.write(bytes_of(&Header { sum: 0, ..*header }));
    hash.write(payload);
    hash.finish()
}

#[cfg(test)]
pub(super) mod tests {
    use std::error::Error;
    use std::sync::LazyLock;

    use super::*;
    use crate::splitmix::SplitMix64;
    use proptest::prelude::*;

    /// Random parameters in the range of a trained network.
    pub(in crate::eval::nnue) fn random_weights(shape: Shape, seed: u64) -> Weights {
        let mut random = SplitMix64::new(seed);
        let mut number = |most: i32| i32::try_from(random.below(2 * most as usize + 1)).unwrap() - most;
        let mut short = |count, most| -> Vec<i16> { (0..count).map(|_| number(most).try_into().unwrap()).collect() };
        let Shape { width, outputs, .. } = shape;
        let (biases, rows) = (short(width, 200), short(shape.inputs() * width, 80));
        let weights = short(outputs * 2 * width, 100);
        let output_biases = (0..outputs).map(|_| number(5000)).collect();
        let pieces = (0..shape.inputs()).map(|_| number(30_000)).collect();
        Weights { biases, rows, outputs: weights, output_biases, pieces }
    }

    pub(in crate::eval::nnue) const SMALL: Shape = Shape { width: 32, outputs: 3, kings: 1 };

    fn small() -> &'static Network {
        static SMALL_NETWORK: LazyLock<Network> =
            LazyLock::new(|| Network::new(SMALL, 400, &random_weights(SMALL, 1)).unwrap());
        &SMALL_NETWORK
    }

    /// The bytes after a change of the header, with a matching checksum.
    fn summed(change: impl FnOnce(&mut Header)) -> Vec<u8> {
        let mut bytes = small().bytes().to_vec();
        let mut header: Header = pod_read_unaligned(&bytes[..LINE]);
        change(&mut header);
        header.sum = sum(&header, &bytes[LINE..]);
        bytes[..LINE].copy_from_slice(bytes_of(&header));
        bytes
    }

    #[track_caller]
    fn told(bytes: &[u8]) -> String {
        Network::from_bytes(bytes).expect_err("it is refused").to_string()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 1 } else { 24 }))]

        #[test]
        fn a_network_survives_its_file(seed in any::<u64>(), steps in 1..if cfg!(miri) { 2 } else { 5_usize }, outputs in 1..=16_usize, scale in 1..=10_000, kings in prop::sample::select(if cfg!(miri) { &KING_SETS[..1] } else { &KING_SETS })) {
            let shape = Shape { width: 32 * steps, outputs, kings };
            let weights = random_weights(shape, seed);
            let written = Network::new(shape, scale, &weights).unwrap();
            let network = Network::from_bytes(written.bytes()).unwrap();
            prop_assert_eq!((network.shape(), network.scale(), network.id()), (shape, scale, written.id()));
            prop_assert_eq!(network.bytes(), written.bytes());
            prop_assert_eq!(network.bytes().as_ptr() as usize % LINE, 0);
            let rows: Vec<i16> = (0..shape.inputs()).flat_map(|input| network.row(input).to_vec()).collect();
            let of_outputs: Vec<i16> = (0..outputs).flat_map(|output| network.output(output).concat()).collect();
            let read = Weights {
                biases: network.biases().to_vec(),
                rows,
                outputs: of_outputs,
                output_biases: network.output_biases().to_vec(),
                pieces: network.pieces().to_vec(),
            };
            prop_assert_eq!(read, weights);
        }
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
        assert_eq!(told(b""), r"file: expected ChuheNN\n, found ");
        assert_eq!(told(b"PNG and so on"), r"file: expected ChuheNN\n, found PNG and ");
        assert_eq!(told(&summed(|header| header.version = 2)), "version: expected 1, found 2");
        assert_eq!(told(&summed(|header| header.architecture = 7)), "architecture: expected 1 or 2, found 7");
        assert_eq!(told(&summed(|header| header.inputs = 690)), "inputs: expected 689, found 690");
        assert_eq!(told(&summed(|header| header.width = 33)), "width: expected a multiple of 32 up to 4096, found 33");
        assert_eq!(told(&summed(|header| header.outputs = 0)), "outputs: expected 1 to 16, found 0");
        assert_eq!(told(&summed(|header| header.output_unit = 32)), "units: expected [255, 64], found [255, 32]");
        assert_eq!(told(&summed(|header| header.scale = 0)), "scale: expected 1 to 10000, found 0");
        assert_eq!(told(&summed(|header| header.sets = 1)), "sets of inputs: expected 0, found 1");
        let of_sets = |sets| {
            let change = move |header: &mut Header| (header.architecture, header.sets) = (2, sets);
            told(&summed(change))
        };
        assert_eq!(of_sets(0), "sets of inputs: expected 3 or 6, found 0");
        assert_eq!(of_sets(4), "sets of inputs: expected 1 or 3 or 6, found 4");
        assert!(of_sets(6).starts_with("bytes behind the header: expected "), "{}", of_sets(6));
        let bytes = SMALL.file_bytes();
        let wrong = format!("bytes: expected {bytes}, found {}", bytes - 1);
        assert_eq!(told(&small().bytes()[..bytes - 1]), wrong);
        let wider = Shape { width: 64, ..SMALL }.file_bytes() - LINE;
        let expected = format!("bytes behind the header: expected {wider}, found {}", bytes - LINE);
        assert_eq!(told(&summed(|header| header.width = 64)), expected);
        let mut altered = small().bytes().to_vec();
        altered[bytes - 1] ^= 1;
        assert!(told(&altered).starts_with("sum: expected "));
    }

    #[test]
    fn numbers_that_do_not_fill_the_shape_are_refused() {
        let mut weights = random_weights(SMALL, 2);
        weights.pieces.pop();
        let error = Network::new(SMALL, 400, &weights).err().unwrap();
        assert_eq!(error.to_string(), "pieces: expected 689, found 688");
    }

    #[test]
    fn a_file_is_read_and_one_that_is_missing_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("network");
        let Err(missing) = Network::read(&path) else { panic!("there is no such file") };
        assert!(matches!(missing, NetworkError::Io(_)));
        assert!(
            missing.to_string().starts_with("cannot be read: ") && missing.source().is_none(),
            "the cause is told once"
        );
        std::fs::write(&path, small().bytes()).unwrap();
        assert_eq!(Network::read(&path).unwrap().id(), small().id());
    }
}
