//! Model checks with loom of every interleaving of two protocols: how the pool hands a task to its workers, and how the
//! time manager takes its commands. They use the engine's own source files on top of loom's flags, channels and threads.
//! Run only under `--cfg loom` (`ci/loom.sh`).
#![cfg(loom)]
#![allow(unreachable_pub, dead_code, reason = "the files are those of a library, of which the models use a part")]

mod smp;
mod sync;

use std::time::{Duration, Instant};

use loom::model::Builder;

use smp::pool::{Pool, Worker};
use smp::shared::StopFlag;
use smp::time::{AlarmId, TimeManager, Timekeeper};
use sync::mpsc::{Receiver, channel};
use sync::{Arc, thread};

/// Preemption bound: how often a thread may be interrupted although it could go on. Hand-over faults need one or two.
const INTERRUPTIONS: usize = 2;
/// Most steps of one interleaving; a longer one counts as endless.
const LONGEST: usize = 20_000;

fn play(model: impl Fn() + Send + Sync + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(INTERRUPTIONS);
    builder.max_branches = LONGEST;
    builder.check(model);
}

/// A worker that runs until it is stopped, or finishes at once.
struct Runner(usize);

struct Task {
    stop: StopFlag,
    is_endless: bool,
    /// Whether a worker that starts after the stop may skip the task, as all but worker 0 may in the engine.
    may_skip: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Report {
    Begun,
    Last(usize),
}

impl Worker for Runner {
    type Task = Task;
    type Report = Report;

    fn skip(worker: usize, task: &Task) -> Option<Report> {
        (task.may_skip && task.stop.is_raised()).then_some(Report::Last(worker))
    }

    fn run(&mut self, task: &Task, report: &mut dyn FnMut(Report)) -> Report {
        report(Report::Begun);
        while task.is_endless && !task.stop.is_raised() {
            thread::yield_now();
        }
        Report::Last(self.0)
    }

    fn forget(&mut self) {}
}

fn pool(workers: usize) -> (Pool<Runner>, Receiver<Report>) {
    let (reports, queue) = channel();
    let mut pool = Pool::new(reports, Runner);
    pool.resize(workers).unwrap();
    (pool, queue)
}

fn task(is_endless: bool) -> Arc<Task> {
    Arc::new(Task { stop: StopFlag::default(), is_endless, may_skip: false })
}

/// Receives the last message of each worker, exactly once.
fn receive_reports(queue: &Receiver<Report>, workers: usize) {
    let mut reported = vec![false; workers];
    while reported.contains(&false) {
        if let Report::Last(worker) = queue.recv().unwrap() {
            assert!(!reported[worker], "worker {worker} has two last reports");
            reported[worker] = true;
        }
    }
}

#[test]
fn after_all_last_reports_the_controller_owns_the_task_alone() {
    play(|| {
        let (mut pool, queue) = pool(1);
        let mut task = task(true);
        pool.start(&task);
        let stop = task.stop.clone();
        let stopper = thread::spawn(move || stop.raise());
        receive_reports(&queue, 1);
        assert!(Arc::get_mut(&mut task).is_some(), "a worker still holds the task");
        stopper.join().unwrap();
    });
}

#[test]
fn a_stop_that_crosses_the_start_is_heard_once_wherever_it_meets_the_worker() {
    play(|| {
        let (mut pool, queue) = pool(1);
        let mut task = Arc::new(Task { stop: StopFlag::default(), is_endless: true, may_skip: true });
        let stop = task.stop.clone();
        let stopper = thread::spawn(move || stop.raise());
        pool.start(&task);
        receive_reports(&queue, 1);
        assert!(Arc::get_mut(&mut task).is_some(), "the worker still holds the task");
        stopper.join().unwrap();
        drop(pool);
        assert!(queue.recv().is_err(), "it has had its last word");
    });
}

#[test]
fn between_two_tasks_workers_come_and_go() {
    play(|| {
        let (mut pool, queue) = pool(2);
        pool.start(&task(false));
        receive_reports(&queue, 2);
        pool.resize(1).unwrap();
        pool.forget();
        let mut second = task(false);
        pool.start(&second);
        receive_reports(&queue, 1);
        assert!(Arc::get_mut(&mut second).is_some(), "a worker still holds the task");
        pool.resize(0).unwrap();
        drop(pool);
        assert!(queue.recv().is_err(), "the workers are gone and took their senders along");
    });
}

/// Returns a time manager, the queue of its alarms, and an instant for them; loom decides when that instant has come.
fn manager() -> (TimeManager, Receiver<AlarmId>, Instant) {
    let (sender, rings) = channel();
    let ring = move |alarm| sender.send(alarm).unwrap_or(());
    (TimeManager::spawn(ring).unwrap(), rings, Instant::now() + Duration::from_secs(600))
}

#[test]
fn the_last_alarm_rings_once_its_flag_is_raised_and_none_rings_behind_it() {
    play(|| {
        let (manager, rings, at) = manager();
        let [first, last] = [StopFlag::default(), StopFlag::default()];
        manager.arm(AlarmId(1), &first, at);
        manager.arm(AlarmId(2), &last, at);
        let mut reported = vec![rings.recv().unwrap()];
        if reported == [AlarmId(1)] {
            assert!(first.is_raised());
            reported.push(rings.recv().unwrap());
        }
        assert_eq!(reported.last(), Some(&AlarmId(2)));
        assert!(last.is_raised(), "the flag is raised before it rings");
        drop(manager);
        assert!(rings.recv().is_err(), "it rings once, and the thread ends");
    });
}

#[test]
fn an_alarm_that_is_called_off_rings_before_or_never() {
    play(|| {
        let (manager, rings, at) = manager();
        let stop = StopFlag::default();
        manager.arm(AlarmId(1), &stop, at);
        manager.disarm();
        drop(manager);
        assert_eq!(rings.recv().is_ok(), stop.is_raised());
        assert!(rings.recv().is_err(), "it rings once at most");
    });
}
