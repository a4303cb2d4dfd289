//! Workers as the controller sees them: searchers on the threads of a pool, which report by events. Tests replace them.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use super::event::{CurrentLine, Event, ProvenMoves, Reached, Refutation, RootMove};
use crate::score::Score;
use crate::search::{Bound, CorrectionHistory, Iteration, Observer, Outcome, SearchContext, Searcher};
use crate::smp::pool::{Pool, Worker};

/// Workers that stay from search to search.
///
/// Each worker answers every search once, with [`Finished`] or [`Died`]: worker 0 when it has come to its own end or the
/// search's stop flag is raised, the others at the latest when that flag is raised. By then it holds the search no longer. The flag is raised
/// before they are dropped.
///
/// [`Finished`]: super::event::Event::Finished
/// [`Died`]: super::event::Event::Died
pub trait Workers: Send {
    /// Returns the number of workers.
    fn size(&self) -> usize;

    /// Starts or ends workers until there are `count`; the others keep their memories.
    ///
    /// # Errors
    /// If the system has no more threads; those that could be started stay.
    fn resize(&mut self, count: usize) -> io::Result<()>;

    /// Starts this search on all workers.
    fn start(&mut self, context: &Arc<SearchContext>);

    /// Clears the memories of all workers before their next search.
    fn new_game(&mut self);
}

/// Returns a pool without workers; later ones report to `events` and share `corrhist`.
pub(super) fn pool(events: Sender<Event>, corrhist: Arc<CorrectionHistory>) -> Pool<SearchingWorker> {
    let searcher = move |number| Searcher::sharing(number, Arc::clone(&corrhist));
    Pool::new(events, move |number| SearchingWorker { number, searcher: searcher(number) })
}

/// A searcher on a thread of its own.
pub(super) struct SearchingWorker {
    number: usize,
    searcher: Searcher,
}

impl Worker for SearchingWorker {
    type Task = SearchContext;
    type Report = Event;

    /// Returns the report of a worker that starts after the stop; worker 0 searches in any case.
    fn skip(worker: usize, context: &SearchContext) -> Option<Event> {
        let late = worker > 0 && context.stop.is_raised();
        late.then(|| Event::Finished { search: context.id, worker, outcome: nothing(context) })
    }

    fn run(&mut self, context: &SearchContext, report: &mut dyn FnMut(Event)) -> Event {
        let (search, worker) = (context.id, self.number);
        match self.searcher.think_safely(context, &mut EventObserver::new(context, report)) {
            Some(outcome) => Event::Finished { search, worker, outcome },
            None => Event::Died(search),
        }
    }

    fn forget(&mut self) {
        self.searcher.forget_history();
    }
}

impl Workers for Pool<SearchingWorker> {
    fn size(&self) -> usize {
        self.size()
    }

    fn resize(&mut self, count: usize) -> io::Result<()> {
        self.resize(count)
    }

    fn start(&mut self, context: &Arc<SearchContext>) {
        self.start(context);
    }

    fn new_game(&mut self) {
        self.forget();
    }
}

/// Returns the outcome of a worker that does not search.
fn nothing(context: &SearchContext) -> Outcome {
    let (score, bound, pv) = (Score::DRAW, Bound::Exact, context.root_moves[..1].to_vec());
    Outcome { depth: 0, selective_depth: 0, score, bound, score_depth: 0, pv, nodes: 0 }
}

/// Minimum working time of a worker between two rests.
const WORK: Duration = Duration::from_millis(2);
/// Longest sleep between two checks of the stop flag.
const NAP: Duration = Duration::from_millis(5);
/// Maximum length of a rest, in naps: the time since the last rest may include time without the processor.
const NAPS: u32 = 4;

/// Whether there are more workers than processors, so that threads wait for their time slices.
pub(super) fn outnumber_processors(workers: usize) -> bool {
    workers > num_cpus::get()
}

/// Observer of one worker: sends its reports as events, and lets it rest.
pub(super) struct EventObserver<'a> {
    context: &'a SearchContext,
    report: &'a mut dyn FnMut(Event),
    /// Whether there are more workers than processors: they then yield, so that a stop does not wait for all their time slices.
    crowded: bool,
    /// End of the worker's last rest.
    awake_since: Instant,
}

impl<'a> EventObserver<'a> {
    /// Creates the observer of a worker in this search.
    pub(super) fn new(context: &'a SearchContext, report: &'a mut dyn FnMut(Event)) -> Self {
        let crowded = outnumber_processors(context.counters.workers());
        Self { context, report, crowded, awake_since: Instant::now() }
    }
}

impl Observer for EventObserver<'_> {
    /// Sends an iteration with the effort so far: when the controller receives it, the workers are further.
    fn iteration(&mut self, iteration: Iteration) {
        let reached = Reached { at: Instant::now(), nodes: self.context.counters.total() };
        (self.report)(Event::Iteration(self.context.id, iteration, reached));
    }

    fn root_move(&mut self, begun: RootMove) {
        (self.report)(Event::RootMove(self.context.id, begun));
    }

    fn refutation(&mut self, refutation: Refutation) {
        (self.report)(Event::Refutation(self.context.id, refutation));
    }

    fn current_line(&mut self, current: CurrentLine) {
        (self.report)(Event::CurrentLine(self.context.id, current));
    }

    fn proven_moves(&mut self, proven: ProvenMoves) {
        (self.report)(Event::ProvenMoves(self.context.id, proven));
    }

    fn pause(&mut self) {
        if self.crowded {
            thread::yield_now();
        }
        let idle_percent = self.context.plan.idle_percent;
        if idle_percent == 0 || self.awake_since.elapsed() < WORK {
            return;
        }
        let mut rest = rest_after(self.awake_since.elapsed(), idle_percent);
        while !rest.is_zero() && !self.context.stop.is_raised() {
            let nap = rest.min(NAP);
            thread::sleep(nap);
            rest -= nap;
        }
        self.awake_since = Instant::now();
    }
}

/// Returns the rest due after this much work, so that `idle_percent` of the time is free.
fn rest_after(worked: Duration, idle_percent: u32) -> Duration {
    (worked * idle_percent / (100 - idle_percent)).min(NAP * NAPS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, channel};

    use crate::board::Position;
    use crate::search::{Limits, Plan, SearchId};
    use crate::smp::shared::NodeCounters;
    use crate::smp::table::Table;

    fn workers(count: usize) -> (Pool<SearchingWorker>, Receiver<Event>) {
        sharing(count, CorrectionHistory::empty())
    }

    fn sharing(count: usize, corrhist: Arc<CorrectionHistory>) -> (Pool<SearchingWorker>, Receiver<Event>) {
        let (events, queue) = channel();
        let mut pool = pool(events, corrhist);
        pool.resize(count).unwrap();
        (pool, queue)
    }

    fn context(id: u64, workers: usize, history: Vec<Position>) -> Arc<SearchContext> {
        let table = Arc::new(Table::new(1).unwrap());
        Arc::new(SearchContext {
            id: SearchId(id),
            limits: Limits { depth: Some(1), ..Limits::default() },
            counters: NodeCounters::new(workers),
            history,
            ..SearchContext::new(table, vec![Position::start()])
        })
    }

    /// Waits for the end of a search and returns the workers that took part.
    fn finishers(queue: &Receiver<Event>, count: usize) -> Vec<usize> {
        let mut finishers = Vec::new();
        while finishers.len() < count {
            match queue.recv().unwrap() {
                Event::Finished { worker, .. } => finishers.push(worker),
                Event::Iteration(..) => {}
                other => panic!("{other:?}"),
            }
        }
        finishers.sort_unstable();
        finishers
    }

    #[test]
    fn every_worker_finishes_and_lets_go_of_the_search() {
        let (mut pool, queue) = workers(3);
        for id in 0..if cfg!(miri) { 1 } else { 5 } {
            let mut context = context(id, 3, vec![Position::start()]);
            pool.start(&context);
            assert_eq!(finishers(&queue, 3), [0, 1, 2]);
            assert!(Arc::get_mut(&mut context).is_some(), "a worker still holds the search");
        }
    }

    #[test]
    fn all_workers_share_the_corrections() {
        let corrhist = CorrectionHistory::empty();
        let (mut pool, queue) = sharing(2, Arc::clone(&corrhist));
        pool.start(&context(1, 2, vec![Position::start()]));
        finishers(&queue, 2);
        // One here, one in the pool, and one for each worker.
        assert_eq!(Arc::strong_count(&corrhist), 2 + 2);
    }

    #[test]
    fn a_worker_that_fails_says_so_and_takes_part_in_the_next_search() {
        let corrhist = CorrectionHistory::empty();
        let (mut pool, queue) = sharing(2, Arc::clone(&corrhist));
        for id in 0..if cfg!(miri) { 2 } else { 50 } {
            // A search without a position breaks the contract of `SearchContext`.
            let mut broken = context(2 * id, 2, Vec::new());
            pool.start(&broken);
            for _ in 0..2 {
                assert!(matches!(queue.recv().unwrap(), Event::Died(SearchId(search)) if search == 2 * id));
            }
            assert!(Arc::get_mut(&mut broken).is_some(), "a worker still holds the search");
            // Started at once: a worker that has reported its failure is ready again.
            pool.start(&context(2 * id + 1, 2, vec![Position::start()]));
            assert_eq!(finishers(&queue, 2), [0, 1]);
        }
        assert_eq!(Arc::strong_count(&corrhist), 2 + 2, "they still share");
    }

    #[test]
    fn who_gets_its_turn_too_late_does_not_search() {
        let (mut pool, queue) = workers(2);
        let endless = Arc::new(SearchContext {
            limits: Limits::default(),
            ..Arc::into_inner(context(1, 2, vec![Position::start()])).unwrap()
        });
        pool.start(&endless);
        let late = context(2, 2, vec![Position::start(); 2]);
        pool.start(&late);
        late.stop.raise();
        endless.stop.raise();
        let outcome = queue.iter().find_map(|event| match event {
            Event::Finished { search: SearchId(2), worker: 1, outcome } => Some(outcome),
            _ => None,
        });
        assert_eq!(outcome, Some(nothing(&late)));
    }

    #[test]
    fn rest_and_work_are_in_proportion() {
        let work = Duration::from_millis(6);
        assert_eq!(rest_after(work, 25) * 3, work);
        assert_eq!(rest_after(work, 50), work);
        assert_eq!(rest_after(work, 75), work * 3);
        assert_eq!(rest_after(Duration::from_secs(60), 75), NAP * NAPS);
    }

    #[test]
    fn nobody_rests_once_the_search_shall_end() {
        let plan = Plan { idle_percent: 75, ..Plan::default() };
        let context = SearchContext { plan, ..Arc::into_inner(context(1, 1, vec![Position::start()])).unwrap() };
        let mut report = |_| ();
        let mut observer = EventObserver::new(&context, &mut report);
        thread::sleep(WORK);
        let before = Instant::now();
        observer.pause();
        assert!(before.elapsed() >= WORK * 3);
        context.stop.raise();
        let many = 1000;
        let before = Instant::now();
        (0..many).for_each(|_| observer.pause());
        assert!(before.elapsed() < NAP * many);
    }
}
