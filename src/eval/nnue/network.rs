//! Network: all parameters of an evaluation by NNUE, and the one that is part of the program.

use std::borrow::Cow;
use std::fmt;
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use bytemuck::{Pod, bytes_of, cast_slice, cast_slice_mut};

use super::features::Perspective;
use super::format::{Header, LINE, Line, MOST_WIDTH, NetworkError, Part, Parts, Shape, WIDTH_STEP};
use crate::board::{Piece, Square};
use crate::file;

/// All parameters of a network, quantised by QA and QB.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// Biases of an accumulator.
    pub biases: Vec<i16>,
    /// Feature weights: `width` for each feature.
    pub feature_weights: Vec<i16>,
    /// Output weights: for each output bucket those of the side to move, then those of the other side.
    pub output_weights: Vec<i16>,
    /// Output biases: one for each output bucket.
    pub output_biases: Vec<i32>,
    /// PSQT column: the value of a piece by itself, by feature.
    pub psqt: Vec<i32>,
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

impl Network {
    /// Creates a network from its parameters; one unit of its values is `scale` centipawns, 1 to 10,000.
    ///
    /// # Errors
    /// If the parameters do not fit the shape, the shape or the scale is not supported, or some sum could overflow.
    pub fn new(shape: Shape, scale: i32, weights: &Weights) -> Result<Self, NetworkError> {
        shape.check()?;
        let parts = Parts::of(shape);
        let mut lines = vec![Line::ZERO; parts.psqt.end];
        put(&mut lines, &parts.biases, &weights.biases)?;
        put(&mut lines, &parts.feature_weights, &weights.feature_weights)?;
        put(&mut lines, &parts.output_weights, &weights.output_weights)?;
        put(&mut lines, &parts.output_biases, &weights.output_biases)?;
        put(&mut lines, &parts.psqt, &weights.psqt)?;
        let bytes = cast_slice_mut(&mut lines);
        let header = Header::new(shape, scale, &bytes[LINE..]);
        bytes[..LINE].copy_from_slice(bytes_of(&header));
        Self::checked(Cow::Owned(lines))
    }

    /// Reads a network file.
    ///
    /// # Errors
    /// If the file cannot be read or is not a network that can be used.
    pub fn read(path: &Path) -> Result<Self, NetworkError> {
        let mut bytes = vec![];
        file::open(path)?.take(Shape::MOST_FILE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
        Self::from_bytes(&bytes)
    }

    /// Creates a network from the bytes of a file, which are copied to aligned memory.
    ///
    /// # Errors
    /// If the bytes are not a network that can be used.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let (header, shape) = Header::read(bytes)?;
        let mut lines = vec![Line::ZERO; bytes.len() / LINE];
        cast_slice_mut(&mut lines).copy_from_slice(bytes);
        Self::of(&header, shape, Cow::Owned(lines))
    }

    /// Creates a network that uses the bytes of a file in place.
    fn checked(lines: Cow<'static, [Line]>) -> Result<Self, NetworkError> {
        let (header, shape) = Header::read(cast_slice(&lines))?;
        Self::of(&header, shape, lines)
    }

    /// Creates a network from a file whose header has been checked.
    fn of(header: &Header, shape: Shape, lines: Cow<'static, [Line]>) -> Result<Self, NetworkError> {
        let network = Self { shape, parts: Parts::of(shape), scale: header.scale, id: header.checksum, lines };
        network.bounds().check()?;
        Ok(network)
    }

    /// The embedded network, if there is one; it is used in place.
    pub fn embedded() -> Option<&'static Arc<Self>> {
        static NETWORK: LazyLock<Option<Arc<Network>>> = LazyLock::new(|| {
            let network =
                || Network::checked(Cow::Borrowed(cast_slice(EMBEDDED))).expect("a test checks that it is valid");
            (!EMBEDDED.is_empty()).then(|| Arc::new(network()))
        });
        NETWORK.as_ref()
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
    pub fn feature_weights(&self, feature: usize) -> &[i16] {
        let width = self.shape.width;
        &self.part::<i16>(&self.parts.feature_weights)[feature * width..][..width]
    }

    /// The weights of all features, for several lookups.
    #[inline(always)] // called for every update
    pub(super) fn features(&self) -> FeatureWeights<'_> {
        FeatureWeights { rows: self.part(&self.parts.feature_weights), psqt: self.psqt(), width: self.shape.width }
    }

    /// The weights of an output bucket, for the side to move and for the other side.
    ///
    /// # Panics
    /// If there is no such output bucket.
    pub fn output_weights(&self, bucket: usize) -> [&[i16]; 2] {
        let width = self.shape.width;
        let weights = &self.part::<i16>(&self.parts.output_weights)[bucket * 2 * width..][..2 * width];
        [&weights[..width], &weights[width..]]
    }

    /// The biases of the output buckets.
    pub fn output_biases(&self) -> &[i32] {
        self.part(&self.parts.output_biases)
    }

    /// The PSQT column: the value of a piece by itself, by feature.
    pub fn psqt(&self) -> &[i32] {
        self.part(&self.parts.psqt)
    }

    fn part<T: Pod>(&self, part: &Part) -> &[T] {
        &cast_slice(&self.lines[part.start..part.end])[..part.numbers]
    }
}

/// Writes the numbers of a part.
fn put<T: Pod>(lines: &mut [Line], part: &Part, numbers: &[T]) -> Result<(), NetworkError> {
    if numbers.len() != part.numbers {
        return Err(NetworkError::unfit(part.name, part.numbers, numbers.len()));
    }
    cast_slice_mut(&mut lines[part.start..part.end])[..part.numbers].copy_from_slice(numbers);
    Ok(())
}

/// Weights of the features of a network.
#[derive(Clone, Copy)]
pub(super) struct FeatureWeights<'a> {
    rows: &'a [i16],
    psqt: &'a [i32],
    width: usize,
}

/// Weights of one feature.
#[derive(Clone, Copy)]
pub(super) struct Feature<'a> {
    /// Weights that are added to the accumulator.
    pub(super) row: &'a [i16],
    /// Value that is added to the sum of the PSQT column.
    pub(super) psqt: i32,
}

impl<'a> FeatureWeights<'a> {
    /// The weights of `piece` on `square` in a perspective: zeros where it cannot stand in the standard game.
    #[inline(always)] // work that the features of one move share is done once
    pub(super) fn of(self, perspective: Perspective, piece: Piece, square: Square) -> Feature<'a> {
        match perspective.feature(piece, square) {
            Some(feature) => {
                Feature { row: &self.rows[feature * self.width..][..self.width], psqt: self.psqt[feature] }
            }
            None => Feature { row: &cast_slice(&ZEROS)[..self.width], psqt: 0 },
        }
    }
}

/// Zeros for the widest network.
static ZEROS: [Line; MOST_WIDTH / WIDTH_STEP] = [Line::ZERO; MOST_WIDTH / WIDTH_STEP];

/// Prints the identity and the dimensions, not the parameters.
impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network {:016x} ({})", self.id, self.shape)
    }
}

/// Bytes aligned for a network.
#[repr(C)]
struct Aligned<T: ?Sized> {
    start: [Line; 0],
    bytes: T,
}

/// The file of the embedded network: `embedded.nnue`, whose origin is in `MANIFEST.toml`, or the file that EVALFILE names
/// at build time (`build.rs`). An empty file means no network; then the hand-crafted evaluation (HCE) is used.
static EMBEDDED: &[u8] = {
    static FILE: &Aligned<[u8]> = &Aligned { start: [], bytes: *include_bytes!(env!("CHUHE_NETWORK")) };
    let Aligned { start: [], bytes } = FILE;
    bytes
};

#[cfg(test)]
pub(super) mod tests {
    use std::error::Error;
    use std::sync::LazyLock;

    use super::super::features::KING_BUCKET_COUNTS;
    use super::super::outputs::OutputBuckets;
    use super::*;
    use crate::splitmix::SplitMix64;
    use proptest::prelude::*;

    /// Random parameters in the range of a trained network.
    pub(in crate::eval::nnue) fn random_weights(shape: Shape, seed: u64) -> Weights {
        let mut random = SplitMix64::new(seed);
        let mut number = |most: i32| i32::try_from(random.below(2 * most as usize + 1)).unwrap() - most;
        let mut short = |count, most| -> Vec<i16> { (0..count).map(|_| number(most).try_into().unwrap()).collect() };
        let (width, output_buckets) = (shape.width, shape.output_buckets.count());
        let (biases, feature_weights) = (short(width, 200), short(shape.features() * width, 80));
        let output_weights = short(output_buckets * 2 * width, 100);
        let output_biases = (0..output_buckets).map(|_| number(5000)).collect();
        let psqt = (0..shape.features()).map(|_| number(30_000)).collect();
        Weights { biases, feature_weights, output_weights, output_biases, psqt }
    }

    pub(in crate::eval::nnue) const SMALL: Shape =
        Shape { width: 32, output_buckets: OutputBuckets::ByPieces(3), king_buckets: 1 };

    pub(in crate::eval::nnue) fn small() -> &'static Network {
        static SMALL_NETWORK: LazyLock<Network> =
            LazyLock::new(|| Network::new(SMALL, 400, &random_weights(SMALL, 1)).unwrap());
        &SMALL_NETWORK
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 1 } else { 24 }))]

        #[test]
        fn a_network_survives_its_file(seed in any::<u64>(), steps in 1..if cfg!(miri) { 2 } else { 5_usize }, outputs in 0..=16_usize, scale in 1..=10_000, king_buckets in prop::sample::select(if cfg!(miri) { &KING_BUCKET_COUNTS[..1] } else { &KING_BUCKET_COUNTS })) {
            let output_buckets = if outputs == 0 { OutputBuckets::ByMaterial } else { OutputBuckets::ByPieces(outputs) };
            let shape = Shape { width: 32 * steps, output_buckets, king_buckets };
            let weights = random_weights(shape, seed);
            let written = Network::new(shape, scale, &weights).unwrap();
            let network = Network::from_bytes(written.bytes()).unwrap();
            prop_assert_eq!((network.shape(), network.scale(), network.id()), (shape, scale, written.id()));
            prop_assert_eq!(network.bytes(), written.bytes());
            prop_assert_eq!(network.bytes().as_ptr() as usize % LINE, 0);
            let feature_weights: Vec<i16> = (0..shape.features()).flat_map(|feature| network.feature_weights(feature).to_vec()).collect();
            let output_weights: Vec<i16> = (0..output_buckets.count()).flat_map(|bucket| network.output_weights(bucket).concat()).collect();
            let read = Weights {
                biases: network.biases().to_vec(),
                feature_weights,
                output_weights,
                output_biases: network.output_biases().to_vec(),
                psqt: network.psqt().to_vec(),
            };
            prop_assert_eq!(read, weights);
        }
    }

    #[test]
    fn a_file_is_read_and_one_that_is_missing_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("network");
        let Err(missing) = Network::read(&path) else { panic!("there is no such file") };
        assert!(matches!(missing, NetworkError::Io(_)));
        assert!(
            missing.to_string().starts_with("cannot be read: ") && missing.source().is_none(),
            "the cause is named once"
        );
        std::fs::write(&path, small().bytes()).unwrap();
        assert_eq!(Network::read(&path).unwrap().id(), small().id());
    }

    /// A mebibyte.
    const MIB: usize = 1 << 20;

    #[test]
    fn what_is_built_in_is_a_network_and_is_not_copied() {
        let bytes = EMBEDDED;
        assert!(bytes.as_ptr().cast::<Line>().is_aligned() && bytes.len() <= 8 * MIB);
        match Network::embedded() {
            Some(network) => assert_eq!(network.bytes().as_ptr_range(), bytes.as_ptr_range()),
            None => assert!(bytes.is_empty()),
        }
    }

    #[test]
    fn the_manifest_is_of_the_network_in_the_tree() {
        let (network, manifest) = (include_bytes!("embedded.nnue"), include_str!("MANIFEST.toml"));
        let id = Network::from_bytes(network).expect("it can be read").id();
        let says = |line: &str| manifest.lines().any(|said| said == line);
        assert!(says(&format!("id = \"{id:016x}\"")), "{id:016x}");
        assert!(says(&format!("bytes = {}", network.len())));
    }
}
