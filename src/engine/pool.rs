//! The workers: threads that live as long as the engine, parked on their channels between searches.
//!
//! Each owns its `Searcher`, so what one search has learnt serves the next one.

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crossbeam::channel::{Receiver, Sender, unbounded};

use super::event::Event;
use crate::search::{Corrections, Iteration, Reporter, SearchContext, SearchId, Searcher, Silent};

/// Room for the deepest line.
const STACK_BYTES: usize = 16 << 20;

/// What a worker is told.
#[derive(Debug)]
enum Job {
    /// Search, then report.
    Search(Arc<SearchContext>),
    /// Forget the last game.
    NewGame,
}

#[derive(Debug)]
struct Worker {
    jobs: Sender<Job>,
    thread: JoinHandle<()>,
}

/// All workers. Dropping the pool joins them; the caller has stopped their search before.
#[derive(Debug)]
pub(super) struct Pool {
    workers: Vec<Worker>,
    events: Sender<Event>,
    /// Shared by all workers.
    corrections: Arc<Corrections>,
}

impl Pool {
    /// No workers yet; those to come report to `events` and share `corrections`.
    pub(super) fn new(events: Sender<Event>, corrections: Arc<Corrections>) -> Self {
        Self { workers: Vec::new(), events, corrections }
    }

    pub(super) fn len(&self) -> usize {
        self.workers.len()
    }

    /// Where the workers report.
    pub(super) fn events(&self) -> Sender<Event> {
        self.events.clone()
    }

    /// Starts or ends as many workers as `count` demands; the others keep their memories.
    ///
    /// # Errors
    /// If the system has no more threads; those that could be started stay.
    pub(super) fn resize(&mut self, count: usize) -> io::Result<()> {
        join(self.workers.split_off(count.min(self.len())));
        while self.len() < count {
            self.workers.push(self.spawn(self.len())?);
        }
        Ok(())
    }

    /// Starts a search on all workers. Each will answer with one `Finished` or `Died`.
    pub(super) fn start(&mut self, context: &Arc<SearchContext>) {
        for index in 0..self.len() {
            let job = Job::Search(Arc::clone(context));
            if let Err(refused) = self.workers[index].jobs.send(job) {
                self.replace(index, refused.into_inner(), context.id);
            }
        }
    }

    /// Makes all workers forget the last game before their next search; what they share is not theirs to forget.
    pub(super) fn new_game(&self) {
        for worker in &self.workers {
            // One that has died will be replaced by one that knows nothing.
            let _ = worker.jobs.send(Job::NewGame);
        }
    }

    fn spawn(&self, index: usize) -> io::Result<Worker> {
        let (jobs, inbox) = unbounded();
        let (corrections, events) = (Arc::clone(&self.corrections), self.events.clone());
        let thread = thread::Builder::new()
            .name(format!("worker {index}"))
            .stack_size(STACK_BYTES)
            .spawn(move || work(Searcher::sharing(index, corrections), index, &inbox, &events))?;
        Ok(Worker { jobs, thread })
    }

    /// Puts a fresh worker in the place of one that has died.
    fn replace(&mut self, index: usize, job: Job, search: SearchId) {
        let heir = self.spawn(index);
        let served = heir.is_ok_and(|heir| {
            let served = heir.jobs.send(job).is_ok();
            self.workers[index] = heir;
            served
        });
        if !served {
            self.events.send(Event::Died(search)).expect("the queue outlives the pool");
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        join(self.workers.drain(..));
    }
}

/// Ends workers: first all are told, then all are awaited.
fn join(workers: impl IntoIterator<Item = Worker>) {
    let threads: Vec<_> = workers.into_iter().map(|Worker { jobs: _, thread }| thread).collect();
    for thread in threads {
        // A worker that died has said so already.
        let _ = thread.join();
    }
}

fn work(mut searcher: Searcher, index: usize, inbox: &Receiver<Job>, events: &Sender<Event>) {
    for job in inbox {
        match job {
            Job::NewGame => searcher.forget_history(),
            Job::Search(context) => {
                let search = context.id;
                let _obituary = Obituary { search, events };
                // Behind the obituary, so that a panic drops the search before it is told.
                let context = context;
                let outcome = if index == 0 {
                    searcher.think(&context, &mut Forward { search, events })
                } else {
                    searcher.think(&context, &mut Silent)
                };
                // Before the report: a controller that has heard of all workers owns the table alone.
                drop(context);
                // A controller that is gone needs no report.
                let _ = events.send(Event::Finished { search, worker: index, outcome });
            }
        }
    }
}

/// Sends the iterations of one search to the controller.
struct Forward<'a> {
    search: SearchId,
    events: &'a Sender<Event>,
}

impl Reporter for Forward<'_> {
    fn iteration(&mut self, iteration: Iteration) {
        let _ = self.events.send(Event::Iteration(self.search, iteration));
    }
}

/// Tells the controller when a worker panics, so that it does not wait for ever.
struct Obituary<'a> {
    search: SearchId,
    events: &'a Sender<Event>,
}

impl Drop for Obituary<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.events.send(Event::Died(self.search));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::rules::Rules;
    use crate::search::{Limits, NodeCounters, Preferences, StopFlag};
    use crate::table::Table;

    fn pool(count: usize) -> (Pool, Receiver<Event>) {
        let (events, queue) = unbounded();
        let mut pool = Pool::new(events, Corrections::empty());
        pool.resize(count).unwrap();
        (pool, queue)
    }

    fn context(id: u64, workers: usize, history: Vec<Position>) -> Arc<SearchContext> {
        Arc::new(SearchContext {
            id: SearchId(id),
            table: Arc::new(Table::new(1).unwrap()),
            stop: StopFlag::default(),
            limits: Limits { depth: Some(1), ..Limits::default() },
            counters: NodeCounters::new(workers),
            history,
            root_moves: Position::start().legal_moves().to_vec(),
            rules: Rules::default(),
            preferences: Preferences::default(),
        })
    }

    /// Waits for the end of a search and says who has taken part.
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
        let (mut pool, queue) = pool(3);
        for id in 0..5 {
            let mut context = context(id, 3, vec![Position::start()]);
            pool.start(&context);
            assert_eq!(finishers(&queue, 3), [0, 1, 2]);
            assert!(Arc::get_mut(&mut context).is_some(), "a worker still holds the search");
        }
    }

    #[test]
    fn all_workers_share_the_corrections() {
        let (mut pool, queue) = pool(2);
        pool.start(&context(1, 2, vec![Position::start()]));
        finishers(&queue, 2);
        assert_eq!(Arc::strong_count(&pool.corrections), 1 + 2);
    }

    #[test]
    fn resizing_ends_or_starts_the_difference() {
        let (mut pool, queue) = pool(1);
        let ids = |pool: &Pool| pool.workers.iter().map(|worker| worker.thread.thread().id()).collect::<Vec<_>>();
        let one = ids(&pool);
        pool.resize(4).unwrap();
        let four = ids(&pool);
        assert_eq!(four[0], one[0]);
        pool.resize(2).unwrap();
        assert_eq!(ids(&pool), four[..2]);
        pool.new_game();
        pool.start(&context(1, 2, vec![Position::start()]));
        assert_eq!(finishers(&queue, 2), [0, 1]);
        pool.resize(0).unwrap();
        assert_eq!(pool.len(), 0);
    }

    #[test]
    #[cfg_attr(panic = "abort", ignore = "a panic ends the process there")]
    fn a_worker_that_dies_says_so_and_is_replaced() {
        let (mut pool, queue) = pool(1);
        // A search without a position breaks the contract of `SearchContext`.
        pool.start(&context(1, 1, Vec::new()));
        assert!(matches!(queue.recv().unwrap(), Event::Died(SearchId(1))));
        while !pool.workers[0].thread.is_finished() {
            thread::yield_now();
        }
        pool.start(&context(2, 1, vec![Position::start()]));
        assert_eq!(finishers(&queue, 1), [0]);
    }

    #[test]
    fn dropping_the_pool_ends_the_threads() {
        let (pool, queue) = pool(3);
        drop(pool);
        assert!(queue.recv().is_err(), "the workers are gone and took their senders along");
    }
}
