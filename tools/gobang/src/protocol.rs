//! Interface of the two protocols to the conversation.

use std::time::Instant;

use crate::engine::{Engine, Question, Reply};

/// A protocol.
pub trait Protocol {
    /// Returns the effect of a line on a search under way.
    fn effect_on_search(&self, line: &str) -> SearchEffect;

    /// Executes a line of input.
    fn handle(&mut self, line: &str, engine: &mut Engine, now: Instant) -> Response;

    /// Returns the lines of output for a reply of the engine.
    fn report(&mut self, reply: &Reply, engine: &mut Engine, now: Instant) -> Vec<String>;

    /// Starts a search; returns the lines of output for replies that need none.
    fn ask(&mut self, question: &Question, engine: &mut Engine, now: Instant) -> Vec<String> {
        let replies = engine.ask(question, now);
        replies.iter().flat_map(|reply| self.report(reply, engine, now)).collect()
    }
}

/// Effect of a line on a search under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchEffect {
    /// The search continues.
    Nothing,
    /// The search ends with its answer.
    Answer,
    /// The search ends without an answer: its game or position is abandoned.
    End,
}

/// Result of a line of input.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Response {
    /// Lines to write.
    pub lines: Vec<String>,
    /// Whether the conversation is over.
    pub is_last: bool,
}

impl Response {
    /// Result with one line to write.
    pub fn line(text: impl Into<String>) -> Self {
        Self { lines: vec![text.into()], is_last: false }
    }
}
