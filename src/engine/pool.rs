//! The workers: threads that live as long as the engine, parked on their channels between searches.
//!
//! Each owns its `Searcher`, so what one search has learnt serves the next one.

use std::hint::black_box;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use super::crew::Crew;
use super::event::Event;
use crate::score::Score;
use crate::search::{Corrections, Iteration, Outcome, Reporter, SearchContext, SearchId, Searcher, Silent};

/// Room for the deepest line.
const STACK_BYTES: usize = 16 << 20;
/// What a worker takes of the address space: its stack, what it remembers, and what its allocator reserves for it, which
/// is 64 MiB with the C library of Linux.
pub(super) const WORKER_BYTES: usize = STACK_BYTES + (8 << 20) + (64 << 20);
/// What has to be free besides: a thread that finds no memory later would take the whole engine along.
pub(super) const SPARE_BYTES: usize = 32 << 20;

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
    /// Whether the system would give blocks of so many bytes.
    has_room: fn(&[usize]) -> bool,
}

impl Pool {
    /// No workers yet; those to come report to `events` and share `corrections`.
    pub(super) fn new(events: Sender<Event>, corrections: Arc<Corrections>) -> Self {
        Self { workers: Vec::new(), events, corrections, has_room }
    }

    fn tell(&self, worker: usize, job: Job) {
        let told = self.workers[worker].jobs.send(job);
        told.expect("a worker listens until the pool lets go of it, whatever happens to a search");
    }

    fn spawn(&self, index: usize) -> io::Result<Worker> {
        if !(self.has_room)(&[WORKER_BYTES, SPARE_BYTES]) {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        let (jobs, inbox) = channel();
        let (corrections, events) = (Arc::clone(&self.corrections), self.events.clone());
        let (ready, made) = channel();
        let begin = move || {
            let searcher = Searcher::sharing(index, corrections);
            // Whoever has started us waits for this.
            let _ = ready.send(());
            work(searcher, index, &inbox, &events);
        };
        let thread = thread::Builder::new().name(format!("worker {index}")).stack_size(STACK_BYTES).spawn(begin)?;
        // Only when it has its memory can be known what is left for the next one.
        made.recv().map_err(|_| io::ErrorKind::OutOfMemory)?;
        Ok(Worker { jobs, thread })
    }
}

impl Crew for Pool {
    fn size(&self) -> usize {
        self.workers.len()
    }

    fn resize(&mut self, count: usize) -> io::Result<()> {
        join(self.workers.split_off(count.min(self.size())));
        while self.size() < count {
            self.workers.push(self.spawn(self.size())?);
        }
        Ok(())
    }

    /// Those that are awake already may keep us from the processor until the search is over. Then the others sleep on.
    fn start(&mut self, context: &Arc<SearchContext>) {
        for worker in 0..self.size() {
            if worker > 0 && context.stop.is_raised() {
                let finished = Event::Finished { search: context.id, worker, outcome: nothing(context) };
                self.events.send(finished).expect("the queue outlives the pool");
            } else {
                self.tell(worker, Job::Search(Arc::clone(context)));
            }
        }
    }

    /// What they share is not theirs to forget.
    fn new_game(&mut self) {
        (0..self.size()).for_each(|worker| self.tell(worker, Job::NewGame));
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        join(self.workers.drain(..));
    }
}

/// Whether the address space has room for blocks of these sizes, in bytes, now. They are not touched, so this takes no
/// memory; each is asked for alone, because systems refuse one block that is larger than their memory.
pub(super) fn has_room(blocks: &[usize]) -> bool {
    let reserve = |&bytes: &usize| {
        let mut block = Vec::<u8>::new();
        let reserved = block.try_reserve_exact(bytes).is_ok();
        // The compiler may leave out a block that nobody uses, and believe that it could be had.
        reserved.then_some(black_box(block))
    };
    blocks.iter().map(reserve).collect::<Option<Vec<_>>>().is_some()
}

/// What a worker finds that does not search.
fn nothing(context: &SearchContext) -> Outcome {
    Outcome { depth: 0, selective_depth: 0, score: Score::DRAW, pv: context.root_moves[..1].to_vec(), nodes: 0 }
}

/// Ends workers: first all are told, then all are awaited.
fn join(workers: impl IntoIterator<Item = Worker>) {
    let threads: Vec<_> = workers.into_iter().map(|Worker { jobs: _, thread }| thread).collect();
    for thread in threads {
        // There is nothing left to save if one has failed outside of a search.
        let _ = thread.join();
    }
}

fn work(mut searcher: Searcher, worker: usize, inbox: &Receiver<Job>, events: &Sender<Event>) {
    for job in inbox {
        match job {
            Job::NewGame => searcher.forget_history(),
            Job::Search(context) => {
                let search = context.id;
                let outcome = if worker == 0 {
                    searcher.think_safely(&context, &mut Forward { search, events })
                } else if context.stop.is_raised() {
                    // Our turn on the processor has come too late.
                    Some(nothing(&context))
                } else {
                    searcher.think_safely(&context, &mut Silent)
                };
                // Before the report: a controller that has heard of all workers owns the table alone.
                drop(context);
                // A controller that is gone needs no report.
                let _ = events.send(match outcome {
                    Some(outcome) => Event::Finished { search, worker, outcome },
                    None => Event::Died(search),
                });
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::search::Limits;
    use crate::smp::counters::NodeCounters;
    use crate::smp::table::Table;

    fn pool(count: usize) -> (Pool, Receiver<Event>) {
        let (events, queue) = channel();
        let mut pool = Pool::new(events, Corrections::empty());
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
        assert_eq!(pool.size(), 0);
    }

    #[test]
    fn a_worker_that_fails_says_so_and_takes_part_in_the_next_search() {
        let (mut pool, queue) = pool(2);
        for id in 0..if cfg!(miri) { 2 } else { 50 } {
            // A search without a position breaks the contract of `SearchContext`.
            let mut broken = context(2 * id, 2, Vec::new());
            pool.start(&broken);
            for _ in 0..2 {
                assert!(matches!(queue.recv().unwrap(), Event::Died(SearchId(search)) if search == 2 * id));
            }
            assert!(Arc::get_mut(&mut broken).is_some(), "a worker still holds the search");
            // At once: whoever has said that it has failed is there again.
            pool.start(&context(2 * id + 1, 2, vec![Position::start()]));
            assert_eq!(finishers(&queue, 2), [0, 1]);
        }
        assert_eq!(Arc::strong_count(&pool.corrections), 1 + 2, "they still share");
    }

    #[test]
    fn workers_that_are_refused_leave_those_that_are_there() {
        let (mut pool, queue) = pool(2);
        pool.has_room = |_| false;
        assert!(pool.resize(4).is_err());
        assert_eq!(pool.size(), 2);
        pool.start(&context(1, 2, vec![Position::start()]));
        assert_eq!(finishers(&queue, 2), [0, 1]);
        pool.has_room = |_| true;
        pool.resize(4).unwrap();
        assert_eq!(pool.size(), 4);
    }

    #[test]
    fn what_the_address_space_cannot_hold_has_no_room() {
        assert!(has_room(&[]) && has_room(&[1 << 20, 1 << 20]));
        assert!(!has_room(&[1 << 20, usize::MAX >> 1]));
    }

    #[test]
    fn who_is_told_too_late_does_not_wake_up() {
        let (mut pool, queue) = pool(3);
        let mut context = context(1, 3, vec![Position::start()]);
        context.stop.raise();
        pool.start(&context);
        let worker_0 = pool.workers.remove(0);
        // The others are answered for by now, whatever they do.
        let answered: Vec<Event> = queue.try_iter().filter(|event| !matches!(event, Event::Iteration(..))).collect();
        let sleeps = |worker: usize| {
            let slept = |event: &&Event| matches!(event, Event::Finished { worker: who, outcome, .. } if *who == worker && outcome.depth == 0);
            answered.iter().filter(slept).count() == 1
        };
        assert!(sleeps(1) && sleeps(2), "{answered:?}");
        join([worker_0]);
        assert!(Arc::get_mut(&mut context).is_some(), "nobody holds the search any more");
    }

    #[test]
    fn who_gets_its_turn_too_late_does_not_search() {
        let (mut pool, queue) = pool(2);
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
    fn dropping_the_pool_ends_the_threads() {
        let (pool, queue) = pool(3);
        drop(pool);
        assert!(queue.recv().is_err(), "the workers are gone and took their senders along");
    }
}
