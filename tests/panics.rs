//! Consequences of a panic: a worker that panics loses only its result; after a panic in any other thread the engine exits
//! instead of hanging. This also holds for release builds: the binary cannot be built without unwinding.

mod support;

use std::collections::VecDeque;
use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex};
use std::thread;

use chuhe::board::{Move, Position};
use chuhe::dialogue::{self, Client};
use chuhe::engine::Workers;
use chuhe::engine::event::{ClockMode, Command, Reply};
use chuhe::search::SearchContext;
use chuhe::smp::shared::NodeCounters;
use support::engine::*;

/// A crew that starts every other search without a position, so that all workers panic.
struct Saboteur {
    workers: Box<dyn Workers>,
    searches: usize,
}

impl Workers for Saboteur {
    fn size(&self) -> usize {
        self.workers.size()
    }

    fn resize(&mut self, count: usize) -> io::Result<()> {
        self.workers.resize(count)
    }

    fn start(&mut self, context: &Arc<SearchContext>) {
        self.searches += 1;
        if self.searches.is_multiple_of(2) {
            return self.workers.start(context);
        }
        let broken = SearchContext {
            id: context.id,
            limits: context.limits,
            counters: NodeCounters::new(self.size()),
            history: Vec::new(),
            root_moves: context.root_moves.clone(),
            rules: context.rules,
            plan: context.plan.clone(),
            ..SearchContext::new(Arc::clone(&context.table), context.history.clone())
        };
        self.workers.start(&Arc::new(broken));
    }

    fn new_game(&mut self) {
        self.workers.new_game();
    }
}

fn sabotaged(threads: usize) -> Engine {
    Engine::start_with(threads, |workers| Box::new(Saboteur { workers, searches: 0 }))
}

/// Replies to one search.
#[derive(Debug)]
struct Said {
    failures: usize,
    iterations: usize,
    best: Move,
}

impl Said {
    fn by(engine: &Engine) -> Self {
        let (mut failures, mut iterations) = (0, 0);
        loop {
            match engine.next() {
                Reply::Message(text) if text.contains(FAILURE) => failures += 1,
                Reply::Info(_) => iterations += 1,
                Reply::Effort(_) => {}
                Reply::BestMove { best, .. } => return Self { failures, iterations, best },
                other => panic!("{other:?}"),
            }
        }
    }
}

const FAILURE: &str = "a search thread has failed";

/// Expects a failure message for each worker.
fn all_fail(engine: &Engine, threads: usize) {
    for _ in 0..threads {
        assert!(engine.message().contains(FAILURE));
    }
}

#[test]
fn a_search_whose_workers_all_panic_is_answered_and_the_next_one_goes_well() {
    for threads in [1, 3] {
        let engine = sabotaged(threads);
        for go in [depth(4), nodes(3000), timed(600_000, ClockMode::ThisMove), timed(60_000, ClockMode::Increment(0))] {
            engine.send(Command::Go(go));
            let said = Said::by(&engine);
            // The first failure ends the search; workers that have not begun by then do not begin.
            assert!((1..=threads).contains(&said.failures) && Position::start().is_legal(said.best), "{said:?}");
            engine.send(Command::Go(depth(4)));
            let said = Said::by(&engine);
            assert!(said.iterations >= 1 && Position::start().is_legal(said.best), "they search again: {said:?}");
        }
        // Only the controller still holds the table.
        engine.set("hashsize", "2");
        engine.has_nothing_to_say();
        engine.quit();
    }
}

#[test]
fn workers_that_panic_do_not_answer_before_their_time() {
    let engine = sabotaged(2);
    for word in [Command::Stop, HIT] {
        engine.send(ponder(depth(4)));
        all_fail(&engine, 2);
        engine.is_silent();
        engine.send(word);
        engine.best();
        engine.send(Command::Go(depth(2)));
        engine.best();
    }
    engine.send(infinite());
    all_fail(&engine, 2);
    engine.is_silent();
    engine.send(Command::Stop);
    engine.best();
    engine.has_nothing_to_say();
    engine.quit();
}

/// An input that yields these lines and then blocks forever, or panics.
struct Script {
    lines: VecDeque<u8>,
    panics: bool,
}

impl Script {
    fn new(text: &str, panics: bool) -> Self {
        Self { lines: text.bytes().collect(), panics }
    }
}

impl Read for Script {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.lines.read(buffer)
    }
}

impl BufRead for Script {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.lines.is_empty() {
            assert!(!self.panics, "the test wants the reader to fail");
            loop {
                thread::park();
            }
        }
        Ok(self.lines.make_contiguous())
    }

    fn consume(&mut self, amount: usize) {
        self.lines.drain(..amount);
    }
}

/// An output that panics when it has to write this word.
#[derive(Clone)]
struct Page {
    text: Arc<Mutex<String>>,
    forbidden: Option<&'static str>,
}

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let said = std::str::from_utf8(bytes).expect("it is a program's client");
        assert!(!self.forbidden.is_some_and(|word| said.contains(word)), "the test wants the writer to fail");
        self.text.lock().expect("it is dropped before the panic").push_str(said);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns whether the dialogue ended in time, by returning or by a panic, and the output.
fn talk(input: Script, forbidden: Option<&'static str>) -> (bool, String) {
    struct NotifyOnDrop(Sender<bool>);
    impl Drop for NotifyOnDrop {
        fn drop(&mut self) {
            let _ = self.0.send(!thread::panicking());
        }
    }
    let (sender, ended) = mpsc::channel();
    let page = Page { text: Arc::default(), forbidden };
    let output = page.clone();
    thread::spawn(move || {
        let _on_drop = NotifyOnDrop(sender);
        dialogue::run(Client::Program, input, output).expect("there is room for a small engine");
    });
    let returned = ended.recv_timeout(TIMEOUT).expect("the engine ends");
    let text = page.text.lock().expect("it is dropped before the panic").clone();
    (returned, text)
}

const SMALL: &str = "ucci\nsetoption hashsize 1\nsetoption usebook false\nsetoption threads 2\n";

#[test]
fn a_reader_that_panics_is_the_end_of_input() {
    for go in ["go depth 3", "go infinite", "go ponder time 60000 increment 0", "isready"] {
        let (returned, said) = talk(Script::new(&format!("{SMALL}{go}\n"), true), None);
        let answers = said.matches("bestmove").count();
        assert!(returned && said.ends_with("bye\n"), "{go}: {said}");
        assert_eq!(answers, usize::from(go != "isready"), "{go}: {said}");
    }
}

#[test]
fn a_controller_that_panics_takes_its_workers_along() {
    for (go, word) in [("go infinite", "info depth"), ("go depth 3", "bestmove"), ("go infinite\nisready", "readyok")] {
        let (returned, said) = talk(Script::new(&format!("{SMALL}{go}\n"), false), Some(word));
        assert!(!returned && said.contains("ucciok"), "{go}: {said}");
    }
}

#[test]
fn without_a_panic_it_ends_with_a_farewell() {
    let (returned, said) = talk(Script::new(&format!("{SMALL}go depth 3\nquit\n"), false), None);
    assert!(returned && said.ends_with("bye\n"), "{said}");
}
