//! Helpers shared by several integration tests. Each test crate includes them with `mod support;` and uses some of them.
// `expect` would warn in a crate that happens to use everything.
#![allow(dead_code, reason = "every test crate uses a part of this")]

#[cfg(feature = "engine")]
pub(crate) mod clock;
pub(crate) mod composer;
pub(crate) mod crowd;
#[cfg(feature = "engine")]
pub(crate) mod engine;
pub(crate) mod forced;
#[cfg(all(unix, feature = "cli"))]
pub(crate) mod held;
#[cfg(all(unix, feature = "cli"))]
pub(crate) mod help;
pub(crate) mod impls;
#[cfg(all(unix, feature = "cli"))]
pub(crate) mod manual;
pub(crate) mod markdown;
pub(crate) mod naive_judge;
#[cfg(feature = "engine")]
pub(crate) mod network;
pub(crate) mod pgn;
#[cfg(feature = "cli")]
pub(crate) mod program;
pub(crate) mod session;
pub(crate) mod source;
#[cfg(feature = "engine")]
pub(crate) mod talk;
#[cfg(all(unix, feature = "cli"))]
pub(crate) mod terminal;
#[cfg(feature = "engine")]
pub(crate) mod test_engine;
#[cfg(feature = "engine")]
pub(crate) mod witness;
