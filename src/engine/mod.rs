//! The engine behind a protocol: events in, replies out, without any text.

mod active;
mod choice;
mod controller;
mod count;
mod draw_policy;
pub mod event;
mod game;
pub mod options;
mod plan;
mod resources;
mod tb_root;
pub mod wdl;
mod workers;

pub use controller::{Controller, FrontEnd, StartError, ViewContext};
pub use workers::Workers;
