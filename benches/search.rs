//! Whole search: a fixed number of nodes with one worker.

use std::sync::Arc;

use chuhe::board::Position;
use chuhe::rules::RuleSet;
use chuhe::search::{Limits, SearchContext, Searcher, Silent};
use chuhe::smp::table::Table;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const NODES: u64 = 100_000;
const MIDDLE_GAME: &str = "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKAB1R w";

fn nodes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("100,000 nodes");
    group.sample_size(20).throughput(Throughput::Elements(NODES));
    for (name, position) in [("start", Position::start()), ("middle game", Position::from_fen(MIDDLE_GAME).unwrap())] {
        let context = SearchContext {
            limits: Limits { nodes: Some(NODES), ..Limits::default() },
            rules: RuleSet::Asian.rules(),
            ..SearchContext::new(Arc::new(Table::new(16).unwrap()), vec![position])
        };
        let mut searcher = Searcher::new(0);
        group.bench_function(name, |bencher| bencher.iter(|| searcher.think(&context, &mut Silent)));
    }
    group.finish();
}

criterion_group!(benches, nodes);
criterion_main!(benches);
