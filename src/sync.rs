//! Atomics, channels and threads: the one place that depends on whether the build is for loom. The models of `tests/models`
//! have a counterpart, in which flags, shares, channels and threads are loom's too.

#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicU64, Ordering};
pub(crate) use std::sync::atomic::AtomicBool;
#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicU64, Ordering};
pub(crate) use std::sync::{Arc, mpsc};
pub(crate) use std::thread;
