//! When an input event is due: now, in its turn, or not before the search has ended.

use super::backlog::acts_at_once;
use super::phase::Phase;
use crate::engine::event::{Command, Dialect, Event};

/// When an input event is due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Turn {
    /// At once, before all input that waits.
    Now,
    /// In order: once nothing waits before it.
    InOrder,
    /// Later: it waits for the end of a search, or for the workers of earlier ones.
    Waits,
}

/// The settings that decide how input is queued.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueuePolicy {
    pub(super) dialect: Dialect,
    /// Option `batch`.
    pub(super) batch: bool,
    /// Whether the user is a person at a terminal, who can leave at any time.
    pub(super) is_for_person: bool,
    /// Whether workers are still leaving earlier searches.
    pub(super) has_departing: bool,
}

impl QueuePolicy {
    /// Whether input during a search waits for its end: in UCI, and in UCCI in batch mode. Otherwise it is ignored.
    pub(super) fn queues(&self) -> bool {
        self.batch || self.dialect == Dialect::Uci
    }

    /// Whether some commands of UCI overtake the input that waits.
    fn overtakes(&self) -> bool {
        !self.batch && self.dialect == Dialect::Uci
    }

    /// When the event is due in this phase.
    ///
    /// Input after `stop` waits for the answer, lest a client that goes by `readyok` takes the answer for that of a later `go`.
    /// A `stop` that crosses the answer belongs to the search, not to the time after it.
    pub(super) fn turn(&self, phase: &Phase, event: &Event) -> Turn {
        if !is_input(event) || self.is_for_person && is_quit(event) {
            return Turn::Now;
        }
        let ends = is_stop(event) || is_quit(event) || matches!(event, Event::EndOfInput);
        let ends_it = match phase {
            Phase::Boot | Phase::Idle | Phase::AutoPonder(_) => return self.turn_when_idle(phase, event),
            Phase::Thinking(search) if search.is_ending() && self.overtakes() && is_quit(event) => true,
            Phase::Thinking(search) if search.is_ending() => {
                let crosses = is_for_active_search(event) && !(self.batch && search.is_bounded());
                return if crosses { Turn::InOrder } else { Turn::Waits };
            }
            Phase::Thinking(search) => ends && !search.is_bounded(),
            Phase::Holding { hit_is_enough: false, .. } => ends,
            Phase::Pondering(_) | Phase::Holding { .. } => ends || is_hit(event),
            Phase::Counting(_) => false,
        };
        // A hit that ends nothing here may belong to a `go ponder` that waits.
        let is_urgent = acts_at_once(event) && !is_hit(event) || self.is_for_person && is_view(event);
        match phase {
            _ if !self.queues() => Turn::InOrder,
            _ if ends_it || self.overtakes() && is_urgent => Turn::Now,
            Phase::Thinking(search) if is_for_active_search(event) && !(self.batch && search.is_bounded()) => {
                Turn::InOrder
            }
            _ => Turn::Waits,
        }
    }

    /// Between searches, commands that may change the table or the workers wait for the workers of earlier searches.
    fn turn_when_idle(&self, phase: &Phase, event: &Event) -> Turn {
        let Event::Command { command, .. } = event else { return Turn::InOrder };
        let may_change_resources = matches!(
            command,
            Command::Handshake(_) | Command::SetOption { .. } | Command::IsReady | Command::Terminal(_)
        );
        match command {
            Command::Quit if self.overtakes() => Turn::Now,
            _ if may_change_resources && matches!(phase, Phase::Idle) && self.has_departing => Turn::Waits,
            _ => Turn::InOrder,
        }
    }

    /// Whether an event that waits has come before its time, so that its clock starts with its turn. A search that has been
    /// stopped is as good as over.
    pub(super) fn is_ahead(&self, phase: &Phase) -> bool {
        match phase {
            Phase::Thinking(search) if search.is_ending() => self.batch,
            Phase::Thinking(_) | Phase::Pondering(_) | Phase::Holding { .. } | Phase::Counting(_) => self.queues(),
            Phase::Boot | Phase::Idle | Phase::AutoPonder(_) => false,
        }
    }
}

/// Whether the event comes from the user.
pub(super) fn is_input(event: &Event) -> bool {
    matches!(event, Event::Command { .. } | Event::Rejected(_) | Event::EndOfInput)
}

pub(super) fn is_quit(event: &Event) -> bool {
    matches!(event, Event::Command { command: Command::Quit, .. })
}

pub(super) fn is_stop(event: &Event) -> bool {
    matches!(event, Event::Command { command: Command::Stop, .. })
}

fn is_hit(event: &Event) -> bool {
    matches!(event, Event::Command { command: Command::PonderHit { .. }, .. })
}

/// Whether the event is meant for a search that is under way.
fn is_for_active_search(event: &Event) -> bool {
    is_stop(event) || is_hit(event)
}

fn is_view(event: &Event) -> bool {
    matches!(event, Event::Command { command: Command::Show(_) | Command::Flip, .. })
}

/// Whether the event ends what is shown to a person at a terminal.
pub(super) fn ends_view_of_person(event: &Event) -> bool {
    is_quit(event) || is_stop(event) || matches!(event, Event::EndOfInput) || is_interruption(event)
}

/// Whether the system requests the end of the process.
pub(super) fn is_interruption(event: &Event) -> bool {
    matches!(event, Event::Interrupted)
}
