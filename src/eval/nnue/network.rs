//! A network's file. Numbers are little-endian; each part begins at a multiple of 64 bytes, filled up with zeros.
//!
//! ```text
//!  header                64 bytes: magic, version, byte order, architecture, inputs of a set, width, outputs, both units,
//!                        scale, sets of inputs, bytes of the rest, and the sum (xxh3) of everything else
//!  biases                i16  width
//!  rows                  i16  inputs x width
//!  weights of outputs    i16  outputs x 2 x width, the mover's view first
//!  biases of outputs     i32  outputs
//!  pieces                i32  inputs
//! ```
//!
//! Files of architecture 1 have one set of inputs and say nothing (0) of sets. In those of architecture 2 the own king's square
//! chooses among 3 or 6 sets, which follow each other in rows and pieces.

use std::borrow::Cow;
use std::fmt;
use std::hash::Hasher;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use bytemuck::{Pod, Zeroable, bytes_of, cast_slice, cast_slice_mut, pod_read_unaligned};
use twox_hash::XxHash3_64;

use super::features::{FEATURES, KING_SETS, MOST_KING_SETS, View};
use super::units::{ACCUMULATOR_UNIT, OUTPUT_UNIT};
use crate::board::{Piece, Square};
use crate::file;

const MAGIC: [u8; 8] = *b"ChuheNN\n";
const VERSION: u32 = 1;
const BYTE_ORDER: u32 = 0x0102_0304;
/// Views mirrored by the own king's file, clamped squares of one layer, outputs by the number of pieces, a column of pieces.
const ARCHITECTURE: u32 = 1;
/// The same with several sets of inputs, among which the own king's square chooses.
const ARCHITECTURE_OF_SETS: u32 = 2;

/// Widths are multiples of this, so that each row fills whole lines of the cache.
const WIDTH_STEP: usize = LINE / size_of::<i16>();
const MOST_WIDTH: usize = 4096;
const MOST_OUTPUTS: usize = 16;
const MOST_SCALE: i32 = 10_000;

const LINE: usize = 64;

/// Zeros for the widest row.
static NOTHING: [Line; MOST_WIDTH / WIDTH_STEP] = [Line::ZERO; MOST_WIDTH / WIDTH_STEP];

/// As much as a line of the cache holds, and aligned as one.
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

/// How large a network is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Numbers in the accumulator of each view: a multiple of 32 up to 4,096.
    pub width: usize,
    /// Outputs among which the number of pieces chooses: 1 to 16.
    pub outputs: usize,
    /// Sets of inputs among which the own king's square chooses: one of [`KING_SETS`].
    pub kings: usize,
}

/// All numbers of a network, in the units that [`super`] defines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// What an accumulator begins with.
    pub biases: Vec<i16>,
    /// One row for each input.
    pub rows: Vec<i16>,
    /// For each output the mover's view, then the other.
    pub outputs: Vec<i16>,
    /// One for each output.
    pub output_biases: Vec<i32>,
    /// What a piece is worth by itself, by input.
    pub pieces: Vec<i32>,
}

/// Why a file is no network that can be used, in one line.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// It could not be read.
    #[error("cannot be read: {0}")]
    Io(io::Error),
    /// It is something else than this program can use.
    #[error("{what}: expected {expected}, found {found}")]
    Unfit {
        /// What was looked at.
        what: &'static str,
        /// What there should be.
        expected: String,
        /// What there is.
        found: String,
    },
}

/// The line says all: as a source the error would be told once more by whoever tells the chain of causes.
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

/// A network in memory: its file, aligned, in memory of its own or in that of the program.
#[derive(Clone)]
pub struct Network {
    shape: Shape,
    parts: Parts,
    scale: i32,
    id: u64,
    lines: Cow<'static, [Line]>,
}

/// Where its parts lie, in lines from the beginning.
#[derive(Clone)]
struct Parts {
    biases: Range<usize>,
    rows: Range<usize>,
    outputs: Range<usize>,
    output_biases: Range<usize>,
    pieces: Range<usize>,
}

impl Network {
    /// A network of these numbers; one unit of its values is `scale` centipawns, 1 to 10,000.
    ///
    /// # Errors
    /// If the numbers are too many or too few for the shape, or some sum could overflow.
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
            accumulator_unit: ACCUMULATOR_UNIT,
            output_unit: OUTPUT_UNIT,
            scale,
            sets: if shape.kings == 1 { 0 } else { narrow(shape.kings) },
            payload_bytes: (shape.file_bytes() - LINE) as u64,
            sum: 0,
        };
        header.sum = sum(&header, &bytes[LINE..]);
        bytes[..LINE].copy_from_slice(bytes_of(&header));
        Self::from_bytes(&bytes)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(path: &Path) -> Result<Self, NetworkError> {
        let largest = Shape { width: MOST_WIDTH, outputs: MOST_OUTPUTS, kings: MOST_KING_SETS }.file_bytes() as u64;
        let mut bytes = vec![];
        file::open(path)?.take(largest + 1).read_to_end(&mut bytes)?;
        Self::from_bytes(&bytes)
    }

    /// Copies the bytes of a file to where they are aligned.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let header = Header::of(bytes)?;
        let mut lines = vec![Line::ZERO; bytes.len() / LINE];
        cast_slice_mut(&mut lines).copy_from_slice(bytes);
        Self::of(&header, Cow::Owned(lines))
    }

    /// Uses the bytes of a file where they lie.
    ///
    /// # Errors
    /// What is wrong with them.
    ///
    /// # Panics
    /// If they do not begin at a multiple of 64.
    pub(super) fn in_place(bytes: &'static [u8]) -> Result<Self, NetworkError> {
        let header = Header::of(bytes)?;
        Self::of(&header, Cow::Borrowed(cast_slice(bytes)))
    }

    /// A network of a file that is whole.
    fn of(header: &Header, lines: Cow<'static, [Line]>) -> Result<Self, NetworkError> {
        let shape = header.shape()?;
        let network = Self { shape, parts: Parts::of(shape), scale: header.scale, id: header.sum, lines };
        network.bounds().check()?;
        Ok(network)
    }

    /// The file.
    pub fn bytes(&self) -> &[u8] {
        cast_slice(&self.lines)
    }

    /// How large it is.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Centipawns in one unit of its values.
    pub fn scale(&self) -> i32 {
        self.scale
    }

    /// Tells networks apart: the sum of the file.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// What an accumulator begins with.
    pub fn biases(&self) -> &[i16] {
        self.part(&self.parts.biases)
    }

    /// What an input adds to its view's accumulator.
    ///
    /// # Panics
    /// If there is no such input.
    pub fn row(&self, input: usize) -> &[i16] {
        let width = self.shape.width;
        &self.part::<i16>(&self.parts.rows)[input * width..][..width]
    }

    /// All inputs, to look at several.
    pub(super) fn inputs(&self) -> Inputs<'_> {
        Inputs { rows: self.part(&self.parts.rows), pieces: self.pieces(), width: self.shape.width }
    }

    /// How an output weighs the mover's view and the other.
    ///
    /// # Panics
    /// If there is no such output.
    pub fn output(&self, output: usize) -> [&[i16]; 2] {
        let width = self.shape.width;
        let weights = &self.part::<i16>(&self.parts.outputs)[output * 2 * width..][..2 * width];
        [&weights[..width], &weights[width..]]
    }

    /// What each output begins with.
    pub fn output_biases(&self) -> &[i32] {
        &self.part(&self.parts.output_biases)[..self.shape.outputs]
    }

    /// What a piece is worth by itself, by input.
    pub fn pieces(&self) -> &[i32] {
        &self.part(&self.parts.pieces)[..self.shape.inputs()]
    }

    fn part<T: Pod>(&self, part: &Range<usize>) -> &[T] {
        cast_slice(&self.lines[part.start..part.end])
    }
}

/// What the inputs of a network add.
#[derive(Clone, Copy)]
pub(super) struct Inputs<'a> {
    rows: &'a [i16],
    pieces: &'a [i32],
    width: usize,
}

/// What one of them adds to its view.
#[derive(Clone, Copy)]
pub(super) struct Addend<'a> {
    /// To the accumulator.
    pub(super) row: &'a [i16],
    /// To the column of pieces.
    pub(super) piece: i32,
}

impl<'a> Inputs<'a> {
    /// What `piece` on `square` adds in a view: nothing where it cannot stand in the standard game.
    #[inline(always)] // what the inputs of one move have in common is worked out once
    pub(super) fn of(self, view: View, piece: Piece, square: Square) -> Addend<'a> {
        match view.feature(piece, square) {
            Some(input) => Addend { row: &self.rows[input * self.width..][..self.width], piece: self.pieces[input] },
            None => Addend { row: &cast_slice(&NOTHING)[..self.width], piece: 0 },
        }
    }
}

/// Its name, not its numbers.
impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { width, outputs, kings } = self.shape;
        write!(f, "Network {:016x} ({width} wide, {outputs} outputs, {kings} sets of inputs)", self.id)
    }
}

impl Header {
    /// That of a file that is whole.
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

    /// The shape, if everything that stands beside it is as this program has it.
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
        let units = [ACCUMULATOR_UNIT, OUTPUT_UNIT];
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
    /// Whether there are networks of this shape.
    ///
    /// # Errors
    /// Which number is wrong.
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

    /// Inputs of all its sets.
    pub fn inputs(self) -> usize {
        self.kings * FEATURES
    }

    /// Bytes of a file with such a network.
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

/// The lines of so many numbers, from `begin` on.
fn part<T>(begin: usize, numbers: usize) -> Range<usize> {
    begin..begin + (numbers * size_of::<T>()).div_ceil(LINE)
}

/// The sum of all but the sum itself.
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

    /// Numbers of chance as a trained network has them.
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

    /// The bytes after a change, with a sum that fits.
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
