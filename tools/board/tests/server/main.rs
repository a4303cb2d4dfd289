//! The server without a browser: its answers to a page, its refusals to all others, and its limits for engines.

#[path = "../support/mod.rs"]
mod support;

mod attacks;
#[cfg(target_os = "linux")]
mod engines;
mod games;
mod speed;
