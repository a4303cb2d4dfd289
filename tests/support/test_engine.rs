//! An engine that runs searches, whose replies are collected until it answers.

use std::thread;

use chuhe::board::Move;
use chuhe::engine::event::{Command, Go, Info, Reply};

use super::engine::Engine;

/// A running engine with a small table and one thread, which quits when dropped.
pub(crate) struct TestEngine {
    engine: Option<Engine>,
}

/// Answer to a `go`.
pub(crate) struct Answer {
    /// The replies before the best move.
    pub(crate) said: Vec<Reply>,
    pub(crate) best: Move,
}

impl TestEngine {
    pub(crate) fn start() -> Self {
        Self { engine: Some(Engine::start(1)) }
    }

    /// Starts an engine and sets these options.
    pub(crate) fn with(options: &[(&str, &str)]) -> Self {
        let engine = Self::start();
        options.iter().for_each(|(name, value)| engine.set(name, value));
        engine
    }

    fn engine(&self) -> &Engine {
        self.engine.as_ref().expect("it is taken when dropped")
    }

    pub(crate) fn send(&self, command: Command) {
        self.engine().send(command);
    }

    /// Sets an option, and fails if the engine rejects it.
    pub(crate) fn set(&self, name: &str, value: &str) {
        self.engine().set(name, value);
        self.send(Command::IsReady);
        assert_eq!(self.next(), Reply::Ready, "{name} {value}");
    }

    pub(crate) fn position(&self, fen: &str, moves: &str) {
        self.engine().position(fen, moves);
    }

    pub(crate) fn next(&self) -> Reply {
        self.engine().next()
    }

    /// Starts a search and waits for its answer.
    pub(crate) fn go(&self, go: Go) -> Answer {
        self.send(Command::Go(go));
        self.answer()
    }

    /// Waits for the answer to the current `go`.
    pub(crate) fn answer(&self) -> Answer {
        let mut said = Vec::new();
        loop {
            match self.next() {
                Reply::BestMove { best, .. } => return Answer { said, best },
                Reply::NoBestMove => panic!("no best move after {said:?}"),
                reply => said.push(reply),
            }
        }
    }
}

impl Drop for TestEngine {
    fn drop(&mut self) {
        // After a failed test, the engine ends with the process.
        if let Some(engine) = self.engine.take().filter(|_| !thread::panicking()) {
            engine.quit();
        }
    }
}

impl Answer {
    /// Returns the reports of iterations, oldest first.
    pub(crate) fn infos(&self) -> Vec<&Info> {
        self.said.iter().filter_map(|reply| if let Reply::Info(info) = reply { Some(info) } else { None }).collect()
    }

    /// Returns the last report of the best line.
    pub(crate) fn last(&self) -> &Info {
        let infos = self.infos();
        infos.into_iter().rfind(|info| info.iteration.pv_index == 1).expect("an iteration was finished")
    }

    /// Returns the number of nodes of the search.
    pub(crate) fn nodes(&self) -> u64 {
        let nodes = |reply: &Reply| if let Reply::Effort(effort) = reply { Some(effort.nodes) } else { None };
        self.said.iter().filter_map(nodes).next_back().expect("the effort is reported")
    }
}
