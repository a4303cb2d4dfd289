//! The engine behind a protocol: events in, replies out. Knows no text.

mod controller;
mod etiquette;
pub mod event;
mod game;
mod ongoing;
pub mod options;
mod pool;
mod progress;
mod ranks;
mod resources;

pub use controller::{Controller, Scene, StartError, Surroundings};
