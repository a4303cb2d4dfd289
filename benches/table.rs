//! Transposition table: cost per node with random keys and a table that fits no cache, as in a search.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use chuhe::smp::table::{Bound, Entry, Table};
use chuhe::splitmix::mix;
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};

const MEBIBYTES: usize = 256;
/// Number of stored entries: a quarter of the table.
const STORED: u64 = (MEBIBYTES as u64) << 14;

fn key(number: u64) -> u64 {
    mix(number)
}

fn entry(depth: u8) -> Entry {
    Entry { mv: None, score: 31, eval: Some(17), depth, bound: Bound::Lower, tt_pv: false }
}

fn filled_table() -> Table {
    let table = Table::new(MEBIBYTES).expect("the machine has that much memory");
    (0..STORED).for_each(|number| table.store(key(number), entry(7)));
    table
}

/// Returns a counter that goes on from call to call, so that no key repeats while it is still cached.
fn counter() -> impl FnMut() -> u64 {
    let mut number = 0;
    move || {
        number = (number + 1) % STORED;
        number
    }
}

fn table(criterion: &mut Criterion) {
    let table = filled_table();
    let mut group = criterion.benchmark_group("table");
    let mut next = counter();
    group.bench_function("probe hit", |bencher| bencher.iter(|| table.probe(key(next()))));
    group.bench_function("probe miss", |bencher| bencher.iter(|| table.probe(key(STORED + next()))));
    group.bench_function("probe hit after prefetch", |bencher| {
        // Sixteen at once, so that the prefetches overlap as they overlap with other work in a search.
        bencher.iter_batched(
            || std::array::from_fn::<u64, 16, _>(|_| key(next())),
            |keys| {
                keys.iter().for_each(|&key| table.prefetch(key));
                keys.map(|key| table.probe(key))
            },
            BatchSize::SmallInput,
        );
    });
    group.bench_function("store", |bencher| bencher.iter(|| table.store(key(next()), black_box(entry(9)))));
    group.finish();
}

/// Another thread probes and stores in the same thousand cache lines.
fn contended(criterion: &mut Criterion) {
    let table = &filled_table();
    let done = &AtomicBool::new(false);
    let visit = |number: u64| {
        let key = key(number % 4096) >> 12;
        let found = table.probe(key);
        table.store(key, entry(8));
        found
    };
    thread::scope(|scope| {
        scope.spawn(move || {
            for number in (0..).take_while(|_| !done.load(Relaxed)) {
                black_box(visit(number));
            }
        });
        let mut next = counter();
        let mut group = criterion.benchmark_group("table");
        group.bench_function("probe and store, two threads", |bencher| bencher.iter(|| visit(next())));
        group.finish();
        done.store(true, Relaxed);
    });
    criterion.bench_function("table/probe and store, one thread", |bencher| {
        let mut next = counter();
        bencher.iter(|| visit(next()));
    });
}

criterion_group!(benches, table, contended);
criterion_main!(benches);
