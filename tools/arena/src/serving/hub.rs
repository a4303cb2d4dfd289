//! State of the match as the page has it: parts by name as JSON, each with the number of its last change.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The parts, and those who wait for a change.
#[derive(Clone, Default)]
pub(super) struct Hub(Arc<(Mutex<Parts>, Condvar)>);

#[derive(Default)]
struct Parts {
    /// Number of changes so far.
    changes: u64,
    parts: BTreeMap<String, (u64, String)>,
}

impl Parts {
    /// Returns the parts that have changed after this number of changes, as the fields of an object without its braces.
    fn since(&self, changes: u64) -> String {
        let new = self.parts.iter().filter(|(_, (changed, _))| *changed > changes);
        new.map(|(name, (_, json))| format!("\"{name}\":{json}")).collect::<Vec<_>>().join(",")
    }
}

impl Hub {
    /// Sets a part, and wakes those who wait if it has changed.
    pub(super) fn set(&self, name: &str, json: String) {
        let mut parts = self.lock();
        if parts.parts.get(name).is_some_and(|(_, old)| *old == json) {
            return;
        }
        parts.changes += 1;
        let changed = parts.changes;
        parts.parts.insert(name.to_owned(), (changed, json));
        self.0.1.notify_all();
    }

    /// Waits until a part has changed after this number of changes, at most for `timeout`. Returns the number of changes so far
    /// and the changed parts, `None` if there are none.
    pub(super) fn wait(&self, changes: u64, timeout: Duration) -> (u64, Option<String>) {
        let is_old = |parts: &mut Parts| parts.changes <= changes;
        let waited = self.0.1.wait_timeout_while(self.lock(), timeout, is_old);
        let (parts, _) = waited.unwrap_or_else(PoisonError::into_inner);
        (parts.changes, (parts.changes > changes).then(|| parts.since(changes)))
    }

    fn lock(&self) -> MutexGuard<'_, Parts> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn each_change_is_told_once() {
        let hub = Hub::default();
        assert_eq!(hub.wait(0, Duration::ZERO), (0, None));
        hub.set("a", "1".into());
        hub.set("b", "[2]".into());
        assert_eq!(hub.wait(0, LONG), (2, Some("\"a\":1,\"b\":[2]".into())));
        hub.set("a", "1".into());
        assert_eq!(hub.wait(2, Duration::ZERO), (2, None), "it is the same");
        hub.set("a", "3".into());
        assert_eq!(hub.wait(2, LONG), (3, Some("\"a\":3".into())));
    }

    #[test]
    fn a_change_wakes_those_who_wait() {
        let hub = Hub::default();
        let other = hub.clone();
        let waiting = thread::spawn(move || other.wait(0, LONG));
        hub.set("a", "null".into());
        assert_eq!(waiting.join().unwrap(), (1, Some("\"a\":null".into())));
    }
}
