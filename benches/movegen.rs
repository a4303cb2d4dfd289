//! Move generation: perft, which also plays the moves, and move lists alone.

use std::hint::black_box;

use chuhe::board::{Position, perft};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const MIDDLE_GAME: &str = "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKAB1R w";

fn generation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft 4");
    for (name, position) in [("start", Position::start()), ("middle game", Position::from_fen(MIDDLE_GAME).unwrap())] {
        group.throughput(Throughput::Elements(perft(&position, 4)));
        group.bench_function(name, |bencher| bencher.iter(|| perft(black_box(&position), 4)));
    }
    group.finish();

    let position = Position::from_fen(MIDDLE_GAME).unwrap();
    let mut group = criterion.benchmark_group("one position");
    group.bench_function("legal moves", |bencher| bencher.iter(|| black_box(&position).legal_moves()));
    group.bench_function("captures", |bencher| bencher.iter(|| black_box(&position).captures()));
    group.bench_function("count", |bencher| bencher.iter(|| black_box(&position).count_legal_moves()));
    group.bench_function("has a move", |bencher| bencher.iter(|| black_box(&position).has_legal_move()));
    let moves = position.legal_moves();
    group.bench_function("play all", |bencher| {
        bencher.iter(|| moves.iter().fold(0, |sum, &mv| sum ^ black_box(&position).play(mv).key().0));
    });
    group.bench_function("gives check, all", |bencher| {
        bencher.iter(|| moves.iter().filter(|&&mv| black_box(&position).gives_check(mv)).count());
    });
    group.bench_function("exchange gains, all", |bencher| {
        bencher.iter(|| moves.iter().filter(|&&mv| black_box(&position).exchange_gains(mv, 0)).count());
    });
    group.finish();
}

criterion_group!(benches, generation);
criterion_main!(benches);
