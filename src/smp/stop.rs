//! How workers are told to stop.

use crate::sync::{Arc, AtomicBool, Ordering};

/// The search was told to stop; every recursion level passes it on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Raised by whoever began the search, in the engine the controller and its time manager; the workers look at it in every
/// node. Clones are one flag: who may raise it need not hold the search, and with it the table.
#[derive(Clone, Default, Debug)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Tells the workers to stop.
    pub fn raise(&self) {
        // Relaxed: nothing is published through the flag, results travel by channel.
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the two are one flag.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Whether the workers shall stop.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
