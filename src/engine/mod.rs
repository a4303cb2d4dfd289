//! The engine behind a protocol: events in, replies out. Knows no text.

pub mod event;
pub mod options;
