//! Opening book: time to open it, and to look up positions that it contains or lacks, at several sizes.
//!
//! The largest book has a hundred million records (1.6 GB in the folder for temporary files); it is built only if
//! `CHUHE_LARGE_BOOK` is set.

use std::fs::File;
use std::hint::black_box;
use std::io::BufWriter;
use std::path::PathBuf;

use chuhe::board::Position;
use chuhe::book::{About, Book, Record, Source, Symmetry, Writer, canonical};
use chuhe::splitmix::mix;
use criterion::{Criterion, criterion_group, criterion_main};

/// Number of positions that every book contains, spread over its keys.
const KNOWN: usize = 512;

/// Returns `many` positions from random games; the first half of them goes into the book.
fn positions(many: usize) -> Vec<Position> {
    let mut found = vec![];
    let mut position = Position::start();
    for number in 0.. {
        let moves = position.legal_moves();
        if moves.is_empty() || number % 60 == 0 {
            position = Position::start();
            continue;
        }
        position = position.play(moves[(mix(number) >> 33) as usize % moves.len()]);
        found.push(position);
        if found.len() == many {
            break;
        }
    }
    found
}

/// A book in a temporary file that is removed with it.
struct TemporaryBook(PathBuf);

impl TemporaryBook {
    /// Writes `count` records under evenly spread keys, with the known positions among them.
    fn new(count: u64, known: &[Position]) -> Self {
        let path = std::env::temp_dir().join(format!("chuhe-bench-{count}-{}.book", std::process::id()));
        let file = BufWriter::new(File::create(&path).expect("the folder for temporary files is writable"));
        let mut writer = Writer::new(file, About::default()).expect("the disk has room");
        let mut real: Vec<Record> = known
            .iter()
            .filter_map(|position| {
                let (key, frame) = canonical(position, Symmetry::MirrorAndColours);
                let mv = *position.legal_moves().first()?;
                Some(Record::new(key, frame.apply(mv), 1))
            })
            .collect();
        real.sort_by_key(Record::order);
        real.dedup_by_key(|record| record.key);
        let mut real = real.into_iter().peekable();
        let mv = "a0a1".parse().expect("a move");
        let step = u64::MAX / count;
        for number in 0..count {
            let key = number * step + mix(number) % step;
            while let Some(record) = real.next_if(|record| record.key <= key) {
                writer.push(record).expect("keys ascend");
            }
            writer.push(Record::new(key, mv, 1)).expect("keys ascend");
        }
        real.for_each(|record| writer.push(record).expect("keys ascend"));
        writer.finish().expect("the disk has room");
        Self(path)
    }
}

impl Drop for TemporaryBook {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn book(criterion: &mut Criterion) {
    let mut sizes = vec![10_000, 1_000_000];
    if std::env::var_os("CHUHE_LARGE_BOOK").is_some() {
        sizes.push(100_000_000);
    }
    let all = positions(2 * KNOWN);
    let (known, unknown) = all.split_at(KNOWN);
    for count in sizes {
        let file = TemporaryBook::new(count, known);
        let mut group = criterion.benchmark_group(format!("book of {count}"));
        group.bench_function("open", |bencher| bencher.iter(|| Source::open(&file.0)));
        let (book, errors) = Book::open(file.0.as_os_str());
        assert!(errors.is_empty(), "{errors:?}");
        let mut next = known.iter().cycle();
        group.bench_function("probe hit", |bencher| bencher.iter(|| book.candidates(black_box(next.next().unwrap()))));
        let unknown: Vec<_> = unknown.iter().filter(|position| book.candidates(position).is_empty()).collect();
        let mut next = unknown.into_iter().cycle();
        group.bench_function("probe miss", |bencher| bencher.iter(|| book.candidates(black_box(next.next().unwrap()))));
        let mut number = 0;
        group.bench_function("probe any key", |bencher| {
            let Ok(Source::Native(opened)) = Source::open(&file.0) else { panic!("it was just written") };
            bencher.iter(|| {
                number += 1;
                opened.records_of_key(black_box(mix(number))).len()
            });
        });
        group.finish();
    }
}

criterion_group!(benches, book);
criterion_main!(benches);
