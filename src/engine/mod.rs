//! The engine behind a protocol: events in, replies out. Knows no text.

mod controller;
mod etiquette;
pub mod event;
mod game;
mod ongoing;
pub mod options;
mod pool;
mod progress;
mod resources;

pub use controller::{Controller, StartError, Surroundings};
