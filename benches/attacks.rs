//! Attack lookups by piece type, on every square of a middlegame position.

use std::hint::black_box;

use chuhe::board::attacks::{elephant_attacks, horse_attackers, horse_attacks, slider_attacks};
use chuhe::board::{Bitboard, Position, SQUARES, Square};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const MIDDLE_GAME: &str = "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKAB1R w";

fn lookups(criterion: &mut Criterion) {
    let occupied = Position::from_fen(MIDDLE_GAME).unwrap().occupied();
    let mut group = criterion.benchmark_group("attacks from 90 squares");
    group.throughput(Throughput::Elements(SQUARES as u64));
    let mut measure = |name: &str, attacks: fn(Square, Bitboard) -> Bitboard| {
        group.bench_function(name, |bencher| {
            bencher
                .iter(|| Square::all().fold(Bitboard::EMPTY, |all, square| all | attacks(square, black_box(occupied))));
        });
    };
    measure("rook and cannon", |square, occupied| {
        let reach = slider_attacks(square, occupied);
        reach.rook | reach.cannon
    });
    measure("horse", horse_attacks);
    measure("horse, reversed", horse_attackers);
    measure("elephant", elephant_attacks);
    group.finish();
}

criterion_group!(benches, lookups);
criterion_main!(benches);
