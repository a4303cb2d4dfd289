//! Worker pool: threads that live as long as the engine, parked on their channels between tasks.
//!
//! Each worker stays on its thread, so what it learns from one task serves the next one. The pool knows neither the
//! tasks nor the reports: it makes one dynamic call per report, and none in between.

use std::hint::black_box;
use std::{io, sync};

use crate::sync::Arc;
use crate::sync::mpsc::{Receiver, Sender, channel};
use crate::sync::thread::{self, JoinHandle};

/// Stack size of a worker, with room for the deepest line.
const STACK_BYTES: usize = 16 << 20;
/// Address space of a worker: its stack, its memory, and what its allocator reserves for it (64 MiB with the C
/// library of Linux).
pub const WORKER_BYTES: usize = STACK_BYTES + (8 << 20) + (64 << 20);
/// Address space that must stay free besides: a thread that finds no memory later would bring down the whole engine.
pub const SPARE_BYTES: usize = 32 << 20;

/// Worker. It is created on its thread and stays there.
pub trait Worker: 'static {
    /// Task that all workers work on at the same time.
    type Task: Send + Sync + 'static;
    /// Report of the worker.
    type Report: Send + 'static;

    /// Returns the report of a `worker` that starts too late for the task; `None` if it should run.
    fn skip(worker: usize, task: &Self::Task) -> Option<Self::Report>;

    /// Works on the task until there is no more to find, or the task says stop.
    ///
    /// `report` sends reports on the way. The last report is returned, and sent once this worker has dropped the task.
    /// Must not panic: the worker would be lost.
    fn run(&mut self, task: &Self::Task, report: &mut dyn FnMut(Self::Report)) -> Self::Report;

    /// Forgets what earlier tasks have taught.
    fn forget(&mut self);
}

/// Message to a worker.
enum Job<T: Worker> {
    Run(Arc<T::Task>),
    Forget,
}

struct Handle<T: Worker> {
    jobs: Sender<Job<T>>,
    thread: JoinHandle<()>,
}

/// Pool of all workers. Dropping it joins them; the caller stops their task before.
pub struct Pool<T: Worker> {
    workers: Vec<Handle<T>>,
    reports: Sender<T::Report>,
    /// Creates the worker with this number.
    make: sync::Arc<dyn Fn(usize) -> T + Send + Sync>,
    /// Whether the system could provide blocks of these sizes, in bytes.
    has_room: fn(&[usize]) -> bool,
}

impl<T: Worker> Pool<T> {
    /// Creates a pool without workers. `make` creates them from their numbers; they report to `reports`.
    pub fn new(reports: Sender<T::Report>, make: impl Fn(usize) -> T + Send + Sync + 'static) -> Self {
        Self { workers: Vec::new(), reports, make: sync::Arc::new(make), has_room }
    }

    /// Returns the number of workers.
    pub fn size(&self) -> usize {
        self.workers.len()
    }

    /// Starts or ends workers until there are `count`; the others keep their memories.
    ///
    /// # Errors
    /// If the system has no more threads; those already started stay.
    pub fn resize(&mut self, count: usize) -> io::Result<()> {
        join(self.workers.split_off(count.min(self.size())));
        while self.size() < count {
            self.workers.push(self.spawn(self.size())?);
        }
        Ok(())
    }

    /// Starts all workers on this task.
    ///
    /// Workers already awake may keep the caller from the processor until the task is done; the others are not woken
    /// then.
    ///
    /// # Panics
    /// If the receiver of the reports is gone, or a worker has panicked before.
    pub fn start(&mut self, task: &Arc<T::Task>) {
        for worker in 0..self.size() {
            match T::skip(worker, task) {
                Some(report) => self.reports.send(report).expect("the queue outlives the pool"),
                None => self.send(worker, Job::Run(Arc::clone(task))),
            }
        }
    }

    /// Makes all workers forget before their next task, except for what they share.
    ///
    /// # Panics
    /// If a worker has panicked before.
    pub fn forget(&mut self) {
        (0..self.size()).for_each(|worker| self.send(worker, Job::Forget));
    }

    fn send(&self, worker: usize, job: Job<T>) {
        let sent = self.workers[worker].jobs.send(job);
        sent.expect("a worker listens until the pool lets go of it, whatever happens to a task");
    }

    fn spawn(&self, index: usize) -> io::Result<Handle<T>> {
        if !(self.has_room)(&[WORKER_BYTES, SPARE_BYTES]) {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        let (jobs, inbox) = channel();
        let (make, reports) = (sync::Arc::clone(&self.make), self.reports.clone());
        let (ready, made) = channel();
        let begin = move || {
            let worker = make(index);
            // The captures of `make` must not outlive the pool because a worker sleeps.
            drop(make);
            // The starting thread waits for this.
            let _ = ready.send(());
            work(worker, index, &inbox, &reports);
        };
        let thread = thread::Builder::new().name(format!("worker {index}")).stack_size(STACK_BYTES).spawn(begin)?;
        // Only once the thread has its memory is it known what is left for the next one.
        made.recv().map_err(|_| io::ErrorKind::OutOfMemory)?;
        Ok(Handle { jobs, thread })
    }
}

impl<T: Worker> Drop for Pool<T> {
    fn drop(&mut self) {
        join(self.workers.drain(..));
    }
}

/// Whether the address space now has room for blocks of these sizes, in bytes.
///
/// The blocks are not touched, so this takes no memory. Each is reserved alone, because systems refuse one block that
/// is larger than their memory.
pub fn has_room(blocks: &[usize]) -> bool {
    let reserve = |&bytes: &usize| {
        let mut block = Vec::<u8>::new();
        let reserved = block.try_reserve_exact(bytes).is_ok();
        // The compiler may remove an unused block and assume that the allocation succeeds.
        reserved.then_some(black_box(block))
    };
    blocks.iter().map(reserve).collect::<Option<Vec<_>>>().is_some()
}

/// Ends workers: closes all their channels first, then joins all their threads.
fn join<T: Worker>(workers: impl IntoIterator<Item = Handle<T>>) {
    let threads: Vec<_> = workers.into_iter().map(|Handle { jobs: _, thread }| thread).collect();
    for thread in threads {
        // There is nothing left to save if one has failed outside of a task.
        let _ = thread.join();
    }
}

fn work<T: Worker>(mut worker: T, number: usize, inbox: &Receiver<Job<T>>, reports: &Sender<T::Report>) {
    while let Ok(job) = inbox.recv() {
        match job {
            Job::Forget => worker.forget(),
            Job::Run(task) => {
                let mut send = |report| {
                    // The report is not needed if the controller is gone.
                    let _ = reports.send(report);
                };
                // The thread may have got the processor too late.
                let last = T::skip(number, &task).unwrap_or_else(|| worker.run(&task, &mut send));
                // Before the last report: a controller that has it from all workers is the sole owner of what the
                // task holds.
                drop(task);
                send(last);
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::smp::shared::StopFlag;

    /// Counts to a number, or until it is stopped, and remembers how often it has counted.
    struct Counter {
        worker: usize,
        tasks: u32,
    }

    #[derive(Clone, Default)]
    struct Count {
        to: Option<u32>,
        stop: StopFlag,
    }

    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    enum Said {
        Begun(usize),
        Skipped(usize),
        Done { worker: usize, tasks: u32 },
    }

    impl Worker for Counter {
        type Task = Count;
        type Report = Said;

        fn skip(worker: usize, task: &Count) -> Option<Said> {
            (worker > 0 && task.stop.is_raised()).then_some(Said::Skipped(worker))
        }

        fn run(&mut self, task: &Count, report: &mut dyn FnMut(Said)) -> Said {
            report(Said::Begun(self.worker));
            self.tasks += 1;
            while task.to.is_none_or(|to| self.tasks < to) && !task.stop.is_raised() {
                thread::yield_now();
            }
            Said::Done { worker: self.worker, tasks: self.tasks }
        }

        fn forget(&mut self) {
            self.tasks = 0;
        }
    }

    fn pool(count: usize) -> (Pool<Counter>, Receiver<Said>) {
        let (news, queue) = channel();
        let mut pool = Pool::new(news, |worker| Counter { worker, tasks: 0 });
        pool.resize(count).unwrap();
        (pool, queue)
    }

    fn at_once() -> Arc<Count> {
        Arc::new(Count { to: Some(0), ..Count::default() })
    }

    /// Returns how often each worker has counted, once all have ended.
    fn tasks(queue: &Receiver<Said>, count: usize) -> Vec<(usize, u32)> {
        let mut done: Vec<_> = queue
            .iter()
            .filter_map(|said| if let Said::Done { worker, tasks } = said { Some((worker, tasks)) } else { None })
            .take(count)
            .collect();
        done.sort_unstable();
        done
    }

    #[test]
    fn every_worker_drops_the_task_before_its_last_report() {
        let (mut pool, queue) = pool(3);
        for round in 1..6 {
            let mut task = at_once();
            pool.start(&task);
            assert_eq!(tasks(&queue, 3), [(0, round), (1, round), (2, round)]);
            assert!(Arc::get_mut(&mut task).is_some(), "a worker still holds the task");
        }
        pool.start(&at_once());
        assert!(queue.iter().take(6).any(|said| said == Said::Begun(2)));
    }

    #[test]
    fn resizing_keeps_the_memories_of_the_workers_that_stay() {
        let (mut pool, queue) = pool(1);
        pool.start(&at_once());
        assert_eq!(tasks(&queue, 1), [(0, 1)]);
        pool.resize(4).unwrap();
        pool.resize(2).unwrap();
        pool.start(&at_once());
        assert_eq!(tasks(&queue, 2), [(0, 2), (1, 1)]);
        pool.forget();
        pool.start(&at_once());
        assert_eq!(tasks(&queue, 2), [(0, 1), (1, 1)]);
        pool.resize(0).unwrap();
        assert_eq!(pool.size(), 0);
    }

    #[test]
    fn workers_that_are_refused_leave_those_that_are_there() {
        let (mut pool, queue) = pool(2);
        pool.has_room = |_| false;
        assert!(pool.resize(4).is_err());
        assert_eq!(pool.size(), 2);
        pool.start(&at_once());
        assert_eq!(tasks(&queue, 2), [(0, 1), (1, 1)]);
        pool.has_room = |_| true;
        pool.resize(4).unwrap();
        assert_eq!(pool.size(), 4);
    }

    #[test]
    #[cfg_attr(miri, ignore = "it ends when an allocation fails")]
    fn more_than_the_address_space_has_no_room() {
        assert!(has_room(&[]) && has_room(&[1 << 20, 1 << 20]));
        assert!(!has_room(&[1 << 20, usize::MAX >> 1]));
    }

    #[test]
    fn workers_started_after_the_stop_are_not_woken() {
        let (mut pool, queue) = pool(3);
        let task = Arc::new(Count::default());
        task.stop.raise();
        pool.start(&task);
        // Their reports are sent by the starting thread, so they are there already; worker 0 thinks in any case.
        let skipped: Vec<_> = queue.try_iter().filter(|said| matches!(said, Said::Skipped(_))).collect();
        assert_eq!(skipped, [Said::Skipped(1), Said::Skipped(2)]);
        drop(pool);
        assert!(queue.try_iter().all(|said| matches!(said, Said::Begun(0) | Said::Done { worker: 0, .. })));
    }

    #[test]
    fn a_worker_that_runs_after_the_stop_skips_the_task() {
        let (mut pool, queue) = pool(2);
        let (endless, late) = (Arc::new(Count::default()), Arc::new(Count::default()));
        pool.start(&endless);
        assert!(queue.iter().any(|said| said == Said::Begun(1)), "it is busy");
        pool.start(&late);
        late.stop.raise();
        endless.stop.raise();
        drop(pool);
        assert_eq!(queue.iter().filter(|said| *said == Said::Skipped(1)).count(), 1);
    }

    #[test]
    fn dropping_the_pool_ends_the_threads() {
        let (pool, queue) = pool(3);
        drop(pool);
        assert!(queue.recv().is_err(), "the workers are gone and took their senders along");
    }
}
