//! Reader of networks: an accepted file evaluates any position without overflow, and is unchanged when read again.
#![no_main]

use std::sync::LazyLock;

use arbitrary::Arbitrary;
use chuhe::board::Position;
use chuhe::eval::nnue::{KING_BUCKET_COUNTS, Network, OutputBuckets, Shape, Weights};
use chuhe::splitmix::SplitMix64;
use libfuzzer_sys::fuzz_target;
use twox_hash::XxHash3_64;

#[derive(Arbitrary, Debug)]
enum Input {
    /// A file of these bytes.
    File(Vec<u8>),
    /// A valid file damaged by these bytes; its checksum is corrected, so that the fuzzer gets past it.
    Damaged { sets: u8, damages: Vec<(u32, u8)> },
    /// A network of these numbers, repeated in turn.
    Made { sets: u8, outputs: u8, scale: i32, numbers: [Vec<i16>; 3], large: Vec<i32> },
}

/// Place of the checksum in a file.
const SUM: std::ops::Range<usize> = 56..64;
const WIDTH: usize = 32;

static SOUND: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let make = |king_buckets| {
        // Both output sets: 17 stands for the one by material.
        let outputs = if king_buckets == 1 { 17 } else { 3 };
        let numbers = [vec![3, -7, 20], vec![40, -31, 2, 0, -9], vec![11, -5, 0]];
        let network = made(king_buckets, outputs, 400, &numbers, &[100, -50, 7]);
        network.expect("these numbers are small").bytes().to_vec()
    };
    KING_BUCKET_COUNTS.map(make).to_vec()
});

/// Positions from all phases of a game.
static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    let mut chance = SplitMix64::new(1);
    let mut position = Position::start();
    let mut positions = vec![position];
    while positions.len() < 150 && !position.legal_moves().is_empty() {
        position = position.play(chance.pick(&position.legal_moves()));
        positions.push(position);
    }
    positions.into_iter().step_by(15).collect()
});

fuzz_target!(|input: Input| {
    let network = match input {
        Input::File(bytes) => Network::from_bytes(&bytes),
        Input::Damaged { sets, damages } => Network::from_bytes(&damaged(usize::from(sets), &damages)),
        Input::Made { sets, outputs, scale, numbers, large } => made(
            KING_BUCKET_COUNTS[usize::from(sets) % KING_BUCKET_COUNTS.len()],
            usize::from(outputs),
            scale,
            &numbers,
            &large,
        ),
    };
    match network {
        Ok(network) => {
            let values =
                |network: &Network| POSITIONS.iter().map(|position| network.value(position)).collect::<Vec<_>>();
            let again = Network::from_bytes(network.bytes()).expect("it has been read before");
            assert_eq!(values(&again), values(&network));
        }
        Err(error) => assert!(!error.to_string().contains('\n'), "{error}"),
    }
});

fn made(
    king_buckets: usize,
    outputs: usize,
    scale: i32,
    numbers: &[Vec<i16>; 3],
    large: &[i32],
) -> Result<Network, chuhe::eval::nnue::NetworkError> {
    let output_buckets = if outputs > 16 { OutputBuckets::ByMaterial } else { OutputBuckets::ByPieces(outputs) };
    let outputs = output_buckets.count();
    let shape = Shape { width: WIDTH, output_buckets, king_buckets };
    let short = |of: &[i16], count: usize| of.iter().copied().chain([0]).cycle().take(count).collect();
    let long = |count: usize| large.iter().copied().chain([0]).cycle().take(count).collect();
    let weights = Weights {
        biases: short(&numbers[0], WIDTH),
        feature_weights: short(&numbers[1], shape.features() * WIDTH),
        output_weights: short(&numbers[2], outputs * 2 * WIDTH),
        output_biases: long(outputs),
        psqt: long(shape.features()),
    };
    Network::new(shape, scale, &weights)
}

fn damaged(sets: usize, damages: &[(u32, u8)]) -> Vec<u8> {
    let mut file = SOUND[sets % SOUND.len()].clone();
    for &(at, byte) in damages {
        // Half of the offsets are for the header.
        let end = if at & 1 == 0 { SUM.end } else { file.len() };
        file[at as usize / 2 % end] = byte;
    }
    file[SUM].fill(0);
    let sum = XxHash3_64::oneshot(&file);
    file[SUM].copy_from_slice(&sum.to_le_bytes());
    file
}
