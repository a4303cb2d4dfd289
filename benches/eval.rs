//! Evaluation: from scratch and after a move, and the accumulator kernels for each instruction set.

use std::hint::black_box;
use std::sync::Arc;

use chuhe::board::Position;
use chuhe::eval::nnue::{FEATURES, Kernel, Network, OutputBuckets, Shape, Weights};
use chuhe::eval::{EvalConfig, Evaluator};
use chuhe::splitmix::SplitMix64;
use criterion::{Criterion, criterion_group, criterion_main};

const MIDDLE_GAME: &str = "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKAB1R w";

/// Number of pieces on a full board.
const PIECES: usize = 32;

fn evaluation(criterion: &mut Criterion) {
    let position = Position::from_fen(MIDDLE_GAME).unwrap();
    let mut evaluator = Evaluator::new(&position);
    criterion.bench_function("refresh", |bencher| bencher.iter(|| evaluator.reset(black_box(&position))));
    criterion.bench_function("evaluate", |bencher| bencher.iter(|| evaluator.evaluate(black_box(&position))));
    let delta = position.delta("i0h0".parse().unwrap());
    criterion.bench_function("follow a move and take it back", |bencher| {
        bencher.iter(|| {
            evaluator.push(black_box(delta));
            evaluator.pop();
        });
    });
}

/// An accumulator, aligned to a cache line.
#[repr(align(64))]
struct Row([i16; WIDEST]);

/// Accumulator widths that are measured.
const WIDTHS: [usize; 3] = [256, 512, WIDEST];
const WIDEST: usize = 768;

/// Returns a network with random weights.
fn network(width: usize) -> Network {
    let shape = Shape { width, output_buckets: OutputBuckets::ByPieces(8), king_buckets: 1 };
    let mut random = SplitMix64::new(1);
    let mut numbers = |count: usize, most: usize| -> Vec<i16> {
        (0..count).map(|_| i16::try_from(random.below(2 * most + 1)).unwrap() - most as i16).collect()
    };
    let weights = Weights {
        biases: numbers(width, 100),
        feature_weights: numbers(FEATURES * width, 60),
        output_weights: numbers(8 * 2 * width, 30),
        output_biases: vec![0; 8],
        psqt: vec![0; FEATURES],
    };
    Network::new(shape, 400, &weights).unwrap()
}

/// Kernels of the network, each for a number of widths.
///
/// * `update`: a quiet move in one perspective.
/// * `capture`: a capture in one perspective.
/// * `refresh`: a full board in one perspective from scratch.
/// * `renewal`: a refresh with two pieces added and two removed.
/// * `forward`: the output layer with both perspectives.
fn kernels(criterion: &mut Criterion) {
    for width in WIDTHS {
        let network = network(width);
        let rows: Vec<&[i16]> = (0..FEATURES).map(|feature| network.feature_weights(feature)).collect();
        let (mut to, mut kept) = (Row([0; WIDEST]), Row([0; WIDEST]));
        let (to, kept) = (&mut to.0[..width], &mut kept.0[..width]);
        // Feature weights come from all over the network, as they do in a search.
        let mut next = (0..FEATURES).map(|step| step * 101 % FEATURES).cycle();
        let mut row = || rows[next.next().expect("it goes round")];
        for kernel in Kernel::all() {
            let mut group = criterion.benchmark_group(format!("{} {width}", kernel.name()));
            group.bench_function("update", |bencher| {
                bencher.iter(|| kernel.add_sub(row(), black_box(&mut *to), row(), row(), None));
            });
            group.bench_function("capture", |bencher| {
                bencher.iter(|| kernel.add_sub(row(), black_box(&mut *to), row(), row(), Some(row())));
            });
            group.bench_function("refresh", |bencher| {
                bencher.iter(|| {
                    let pieces: [&[i16]; PIECES] = std::array::from_fn(|_| row());
                    kernel.refresh(black_box(&mut *kept), to, &pieces, &[]);
                });
            });
            group.bench_function("renewal", |bencher| {
                bencher.iter(|| kernel.refresh(black_box(&mut *kept), to, &[row(), row()], &[row(), row()]));
            });
            group.bench_function("forward", |bencher| {
                bencher.iter(|| kernel.forward(black_box([rows[0], rows[1]]), network.output_weights(black_box(3))));
            });
            group.finish();
        }
    }
}

/// A whole evaluation: a move is made, evaluated and taken back.
fn networks(criterion: &mut Criterion) {
    let position = Position::from_fen(MIDDLE_GAME).unwrap();
    let mv = "i0h0".parse().unwrap();
    let (delta, child) = (position.delta(mv), position.play(mv));
    for width in WIDTHS {
        let network = Arc::new(network(width));
        let config = EvalConfig { network: Some(network.id()), ..EvalConfig::default() };
        let mut evaluator = Evaluator::new(&position);
        evaluator.configure(config, Some(&network));
        evaluator.reset(&position);
        evaluator.evaluate(&position);
        criterion.bench_function(&format!("a move valued by {width} numbers"), |bencher| {
            bencher.iter(|| {
                evaluator.push(black_box(delta));
                let value = evaluator.evaluate(black_box(&child));
                evaluator.pop();
                value
            });
        });
    }
}

criterion_group!(benches, evaluation, kernels, networks);
criterion_main!(benches);
