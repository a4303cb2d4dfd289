//! Model of the dialogue: the lines that an engine may or must write in each state.
//!
//! A user who writes during a search cannot know whether a command is read before or after the answer. So the model keeps every
//! possible state of the engine, and each line of output leaves only the states that allow it. If no state is left, the line is
//! wrong. The number of commands read so far is part of a state, and is no larger than the output proves.

mod input;
mod output;
mod state;
#[cfg(test)]
mod tests;

use chuhe::engine::event::Dialect;

pub use input::Input;
use output::is_without_position;
use state::{Phase, State, push_new};

use crate::parser::parse;
use crate::reply::Reply;
use crate::search::Objection;

/// All states in which the engine may be.
#[derive(Clone, Debug)]
pub struct Model {
    input: Vec<Input>,
    states: Vec<State>,
}

impl Default for Model {
    fn default() -> Self {
        Self { input: Vec::new(), states: vec![State::default()] }
    }
}

impl Model {
    /// Adds input of the engine, which may read it at any time from now on.
    pub fn add_input(&mut self, input: Input) {
        self.input.push(input);
    }

    /// Processes a line of the engine.
    ///
    /// # Errors
    /// If no state allows the line; names one objection per kind of state.
    pub fn accept_line(&mut self, text: &[u8]) -> Result<(), Objection> {
        let readings = [Dialect::Ucci, Dialect::Uci].map(|dialect| parse(text, dialect));
        let mut after: Vec<State> = Vec::new();
        let mut objections: Vec<String> = Vec::new();
        let mut open = std::mem::take(&mut self.states);
        let mut seen = open.clone();
        while let Some(state) = open.pop() {
            let reply = match (state.dialect, &readings) {
                (Dialect::Ucci, [reply, _]) | (Dialect::Uci, [_, reply]) => reply,
            };
            let heard = reply.as_ref().map_err(Clone::clone).and_then(|reply| state.accept_line(reply));
            match heard {
                Ok(next) => {
                    let may_come_later = match reply {
                        Ok(Reply::BestMove { .. } | Reply::NoBestMove) => true,
                        Ok(Reply::Message(text)) => is_without_position(text),
                        _ => false,
                    };
                    push_new(&mut after, next);
                    // Commands can be read after this line just as well as before it, unless the line is an answer.
                    if !may_come_later {
                        continue;
                    }
                }
                Err(objection) => {
                    if !objections.contains(&objection) {
                        objections.push(objection);
                    }
                }
            }
            for next in state.read_on(&self.input) {
                if !seen.contains(&next) {
                    seen.push(next.clone());
                    open.push(next);
                }
            }
        }
        if after.is_empty() {
            self.states = seen;
            return Err(objections.join("; "));
        }
        self.states = after;
        Ok(())
    }

    /// Returns the states that can be reached without further output.
    fn reachable(&self) -> Vec<State> {
        let mut seen = self.states.clone();
        let mut at = 0;
        while at < seen.len() {
            for next in seen[at].read_on(&self.input) {
                push_new(&mut seen, next);
            }
            at += 1;
        }
        seen
    }

    /// Checks that the output may end here.
    ///
    /// # Errors
    /// If output is missing.
    pub fn end(&self) -> Result<(), Objection> {
        let states = self.reachable();
        let is_over = |state: &&State| state.phase == Phase::Over && state.due.is_none();
        match states.last() {
            _ if states.iter().any(|state| is_over(&state)) => Ok(()),
            Some(state) => Err(format!("it has ended {}", state.describe())),
            None => Err("it has ended".into()),
        }
    }

    /// Whether a search may be under way.
    pub fn may_be_busy(&self) -> bool {
        self.reachable().iter().any(|state| matches!(state.phase, Phase::Busy(_)))
    }

    /// Whether commands may have to wait until a search ends by itself.
    pub fn may_be_in_batch(&self) -> bool {
        self.reachable().iter().any(|state| state.options.batch || state.is_ending_slowly())
    }

    /// Describes the possible states for users.
    pub fn describe(&self) -> String {
        let states: Vec<String> = self.states.iter().take(4).map(State::describe).collect();
        format!("{} states: {}", self.states.len(), states.join(" | "))
    }
}
