//! Messages on their way to a page. Neither a flood of reports nor a page that does not read can make it grow.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::sync::Notify;

/// Maximum number of waiting messages; a page that has more of them does not read.
const MOST_WAITING: usize = 512;

/// Maximum number of bytes of waiting messages.
const MOST_BYTES: usize = 64 << 20;

/// Messages to one page.
#[derive(Clone, Default)]
pub(crate) struct Outbox(Arc<Inner>);

#[derive(Default)]
struct Inner {
    state: Mutex<State>,
    changed: Notify,
    closed: Notify,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<String>,
    bytes: usize,
    /// Latest report of each job.
    reports: BTreeMap<u64, String>,
    is_closed: bool,
}

impl State {
    fn push(&mut self, text: String) {
        self.bytes += text.len();
        self.waiting.push_back(text);
        if self.waiting.len() > MOST_WAITING || self.bytes > MOST_BYTES {
            *self = Self { is_closed: true, ..Self::default() };
        }
    }
}

impl Outbox {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a message. A page that does not read is given up.
    pub(crate) fn send(&self, message: &Value) {
        self.change(|state| state.push(message.to_string()));
    }

    /// Replaces the report of a job that has not been sent yet.
    pub(crate) fn report(&self, job: u64, message: &Value) {
        self.change(|state| drop(state.reports.insert(job, message.to_string())));
    }

    /// Queues the last message of a job after its latest report.
    pub(crate) fn finish(&self, job: u64, message: &Value) {
        self.change(|state| {
            if let Some(report) = state.reports.remove(&job) {
                state.push(report);
            }
            state.push(message.to_string());
        });
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.state();
        if !state.is_closed {
            change(&mut state);
        }
        let is_closed = state.is_closed;
        drop(state);
        self.0.changed.notify_one();
        if is_closed {
            self.0.closed.notify_one();
        }
    }

    /// Gives the page up: messages are dropped from now on.
    pub(crate) fn close(&self) {
        *self.state() = State { is_closed: true, ..State::default() };
        self.0.changed.notify_one();
        self.0.closed.notify_one();
    }

    /// Waits until the page has been given up.
    pub(crate) async fn closed(&self) {
        while !self.is_closed() {
            self.0.closed.notified().await;
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.state().is_closed
    }

    /// Returns the next message; `None` once the page has been given up.
    pub(crate) async fn next(&self) -> Option<String> {
        loop {
            let changed = self.0.changed.notified();
            {
                let mut state = self.state();
                if state.is_closed {
                    return None;
                }
                if let Some(text) = state.waiting.pop_front() {
                    state.bytes -= text.len();
                    return Some(text);
                }
                if let Some((_, report)) = state.reports.pop_first() {
                    return Some(report);
                }
            }
            changed.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn all(outbox: &Outbox) -> Vec<String> {
        let mut state = outbox.state();
        let waiting: Vec<_> = state.waiting.drain(..).collect();
        waiting.into_iter().chain(std::mem::take(&mut state.reports).into_values()).collect()
    }

    #[test]
    fn only_the_latest_report_waits_and_the_end_follows_it() {
        let outbox = Outbox::default();
        (0..1000).for_each(|number| outbox.report(7, &json!({ "number": number })));
        outbox.report(8, &json!("other"));
        outbox.finish(7, &json!("end"));
        assert_eq!(all(&outbox), ["{\"number\":999}", "\"end\"", "\"other\""]);
    }

    #[test]
    fn a_page_that_does_not_read_is_given_up() {
        for (count, length) in [(MOST_WAITING, 1), (65, 1 << 20)] {
            let outbox = Outbox::default();
            let message = json!("x".repeat(length));
            (0..count).for_each(|_| outbox.send(&message));
            assert_eq!(outbox.is_closed(), length > 1);
            outbox.send(&message);
            assert!(outbox.is_closed() && all(&outbox).is_empty());
        }
    }
}
