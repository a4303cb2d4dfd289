//! A search allocates nothing inside its tree. It allocates only for its reports, of which each iteration has a few,
//! however many nodes it visits.
#![cfg(feature = "engine")]

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

use chuhe::board::Position;
use chuhe::rules::RuleSet;
use chuhe::search::{Iteration, Limits, Observer, Plan, Pruning, SearchContext, Searcher};
use chuhe::smp::table::Table;
use support::network::toy_with_king_buckets;

thread_local! {
    /// Number of allocations by this thread so far; each test runs on its own thread.
    static REQUESTS: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator with a count of the allocations of each thread.
struct Counting;

// SAFETY: every request is passed unchanged to the system's allocator, which upholds the contract of `GlobalAlloc`. The
// counter is a constant without a destructor, so accessing it allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        REQUESTS.with(|requests| requests.set(requests.get() + 1));
        // SAFETY: the caller upholds the conditions of `alloc`, which are the same for both.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller got `place` from this allocator with this layout, and so from the system's.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        REQUESTS.with(|requests| requests.set(requests.get() + 1));
        // SAFETY: as for `dealloc`, and the caller upholds the conditions on `size`, which are the same for both.
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Most allocations per report: its line, the copies of it that the search keeps, and the list of lines.
const REQUESTS_PER_REPORT: usize = 8;

const POSITIONS: [&str; 3] = [
    "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/2P3P2/P3P3P/1CN1C1N2/9/R1BAKAB1R w - - 0 1",
    // Checks and repetitions throughout the tree.
    "2ba1k3/4a4/b8/7R1/9/9/1r2p4/9/4A4/2B1KAB1c w - - 0 1",
    "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1",
];

/// Allocation counts at the first and at the last report.
#[derive(Default)]
struct Ledger {
    reports: usize,
    first: Option<usize>,
    last: usize,
}

impl Observer for Ledger {
    fn iteration(&mut self, _: Iteration) {
        let so_far = REQUESTS.with(Cell::get);
        self.reports += 1;
        self.first.get_or_insert(so_far);
        self.last = so_far;
    }
}

fn context(fen: &str, depth: u32, plan: Plan) -> SearchContext {
    let position = Position::from_fen(fen).unwrap();
    SearchContext {
        limits: Limits { depth: Some(depth), ..Limits::default() },
        rules: RuleSet::Asian.rules(),
        plan,
        ..SearchContext::new(Arc::new(Table::new(1).unwrap()), vec![position])
    }
}

/// Returns the nodes and reports of a search, and its allocations between its first and its last report.
fn search(searcher: &mut Searcher, context: &SearchContext) -> (u64, usize, usize) {
    let mut ledger = Ledger::default();
    let outcome = searcher.think(context, &mut ledger);
    (outcome.nodes, ledger.reports, ledger.last - ledger.first.expect("a search reports"))
}

#[test]
fn a_tree_of_any_size_allocates_nothing() {
    let variants = [
        Plan::default(),
        Plan { multipv: 3, ..Plan::default() },
        Plan { uses_table: false, ..Plan::default() },
        Plan { pruning: Pruning::None, ..Plan::default() },
        Plan { network: Some(Arc::new(toy_with_king_buckets(1, 1))), ..Plan::default() },
        Plan { network: Some(Arc::new(toy_with_king_buckets(1, 6))), ..Plan::default() },
    ];
    for fen in POSITIONS {
        for plan in &variants {
            let mut searcher = Searcher::new(0);
            for depth in [4, 6] {
                let context = context(fen, depth, plan.clone());
                let (nodes, reports, requests) = search(&mut searcher, &context);
                assert!(
                    requests <= reports * REQUESTS_PER_REPORT,
                    "{requests} requests for {reports} reports and {nodes} nodes at depth {depth} of {fen}"
                );
            }
        }
    }
}

#[test]
fn a_hundred_times_the_nodes_take_no_more_memory_than_their_reports() {
    let mut searcher = Searcher::new(0);
    let shallow = search(&mut searcher, &context(POSITIONS[0], 6, Plan::default()));
    let deep = search(&mut searcher, &context(POSITIONS[0], 18, Plan::default()));
    assert!(deep.0 > 100 * shallow.0, "{} and {} nodes", shallow.0, deep.0);
    let more_reports = deep.1 - shallow.1;
    assert!(deep.2 <= shallow.2 + more_reports * REQUESTS_PER_REPORT, "{shallow:?} {deep:?}");
}

#[test]
fn the_counter_counts() {
    let before = REQUESTS.with(Cell::get);
    let mut list = vec![1_u8];
    list.reserve_exact(4_096);
    assert_eq!(REQUESTS.with(Cell::get), before + 2, "{list:?}");
}
