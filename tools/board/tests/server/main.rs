//! The server without a browser: what a page gets, what nobody else gets, and what engines cannot do to it.

#[path = "../support/mod.rs"]
mod support;

mod attacks;
#[cfg(target_os = "linux")]
mod engines;
mod games;
mod speed;
