//! Stop flag of a search.

use crate::sync::{Arc, AtomicBool, Ordering};

/// Error of a search that was stopped; every recursion level passes it on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Stop flag, which the workers check at every node.
///
/// Raised by the side that began the search: in the engine, the controller and its time manager. Clones share one
/// flag, so that raising it requires neither the search nor its table.
#[derive(Clone, Default, Debug)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Tells the workers to stop.
    pub fn raise(&self) {
        // Relaxed: nothing is published through the flag, results travel by channel.
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether both are clones of one flag.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Whether the workers should stop.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
