//! Lines of the engine: the states that allow them, and those that follow.

use std::rc::Rc;

use super::state::{Due, Phase, State};
use crate::reply::{BOARD, Reply};
use crate::search::{Objection, Search, line};
use chuhe::engine::event::Dialect;

/// Whether a message is the answer to `probe`, for which UCI has no other form.
fn is_table_content(text: &str) -> bool {
    ["in the table to depth ", "nothing to probe: "].iter().any(|start| text.starts_with(start))
        || text == "not in the table"
}

/// Whether a message is the answer to `d` without a position.
pub(super) fn is_without_position(text: &str) -> bool {
    text.starts_with("there is no position")
}

impl State {
    /// Returns the state after a line of output, if this state allows the line.
    pub(super) fn accept_line(&self, reply: &Reply) -> Result<Self, Objection> {
        match (&self.due, reply) {
            (Some(Due::Note), Reply::Message(text)) if is_without_position(text) => {
                return Ok(Self { due: None, ..self.clone() });
            }
            (_, Reply::Message(_)) if self.phase == Phase::Boot => return Err("a word before the greeting".into()),
            (due, Reply::Message(text)) if self.dialect == Dialect::Uci && is_table_content(text) => {
                return match due {
                    Some(Due::Probe(_)) => Ok(Self { due: None, ..self.clone() }),
                    _ => Err("an answer to no probe".into()),
                };
            }
            (None, Reply::Message(_)) if self.phase == Phase::Over => return Err("a word after the end".into()),
            (None | Some(Due::Ready | Due::Probe(_) | Due::Bye), Reply::Message(_)) => return Ok(self.clone()),
            (Some(due), reply) => return self.accept_due(due, reply),
            (None, _) => {}
        }
        match &self.phase {
            Phase::Busy(search) => self.accept_search_line(search, reply),
            phase => Err(format!("{reply:?} from an engine that is {phase}")),
        }
    }

    /// Returns the state after a line of output, if it matches the reply that is due.
    fn accept_due(&self, due: &Due, reply: &Reply) -> Result<Self, Objection> {
        let settled = || Ok(Self { due: None, ..self.clone() });
        match (due, reply) {
            (Due::Introduction, Reply::Id | Reply::Option(_)) => Ok(self.clone()),
            (Due::Introduction, Reply::Greeted)
            | (Due::Ready, Reply::Ready)
            | (Due::NoBestMove, Reply::NoBestMove)
            | (Due::Bye, Reply::Bye) => settled(),
            (Due::Board(at), Reply::Board(label)) if BOARD[*at] == *label => {
                let due = (at + 1 < BOARD.len()).then_some(Due::Board(at + 1));
                Ok(Self { due, ..self.clone() })
            }
            (Due::Probe(position), Reply::Known(best)) => {
                if let Some(best) = best {
                    let position = position.as_ref().ok_or("a move without a position")?;
                    line(position, std::slice::from_ref(best), self.base)?;
                }
                settled()
            }
            (due, _) => Err(format!("{due} is due")),
        }
    }

    fn accept_search_line(&self, search: &Search, reply: &Reply) -> Result<Self, Objection> {
        let mut search = search.clone();
        match reply {
            Reply::Progress(progress) => search.progress(progress, &self.options, self.dialect, self.base)?,
            Reply::Cost(cost) => search.cost(*cost)?,
            Reply::CurrentMove(mv) | Reply::Book(mv) => {
                search.root_line(std::slice::from_ref(mv), self.base)?;
            }
            Reply::Refutation(line) if self.options.shows_refutations => {
                search.root_line(line, self.base)?;
            }
            Reply::CurrentLine(line) if self.options.shows_current_line => {
                search.root_line(line, self.base)?;
            }
            Reply::Static(_) if search.allowed.is_empty() => {}
            Reply::BestMove { best, ponder, closing } => {
                search.answer(best, ponder.as_deref(), *closing, &self.options, self.base)?;
                return Ok(self.answered(search.stage));
            }
            Reply::NoBestMove => {
                search.no_answer()?;
                return Ok(self.answered(search.stage));
            }
            other => return Err(format!("{other:?} is not for a search")),
        }
        Ok(Self { phase: Phase::Busy(Rc::new(search)), ..self.clone() })
    }
}
