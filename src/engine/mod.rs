//! The engine behind a protocol: events in, replies out, without any text.

mod attendant;
mod controller;
mod count;
mod crew;
mod endings;
mod etiquette;
pub mod event;
mod game;
mod line;
mod ongoing;
pub mod options;
mod plan;
mod pool;
mod progress;
mod ranks;
mod resources;
pub mod wdl;

pub use controller::{Controller, Scene, StartError, Surroundings};
pub use crew::Crew;
