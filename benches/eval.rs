//! The evaluation: from scratch, and following a move.

use std::hint::black_box;

use chuhe::board::Position;
use chuhe::eval::Evaluator;
use criterion::{Criterion, criterion_group, criterion_main};

const MIDDLE_GAME: &str = "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKAB1R w";

fn evaluation(criterion: &mut Criterion) {
    let position = Position::from_fen(MIDDLE_GAME).unwrap();
    let mut evaluator = Evaluator::new(&position);
    criterion.bench_function("refresh", |bencher| bencher.iter(|| evaluator.reset(black_box(&position))));
    criterion.bench_function("evaluate", |bencher| bencher.iter(|| evaluator.evaluate(black_box(&position))));
    let delta = position.delta("h0h6".parse().unwrap());
    criterion.bench_function("follow a move and take it back", |bencher| {
        bencher.iter(|| {
            evaluator.push(black_box(delta));
            evaluator.pop();
        });
    });
}

criterion_group!(benches, evaluation);
criterion_main!(benches);
