//! The one place that knows whether we run under loom. The models of `tests/models` have one of their own: there flags, shares,
//! channels and threads are loom's too.

#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicU64, Ordering};
pub(crate) use std::sync::atomic::AtomicBool;
#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicU64, Ordering};
pub(crate) use std::sync::{Arc, mpsc};
pub(crate) use std::thread;
