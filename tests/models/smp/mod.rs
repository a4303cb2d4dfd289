//! The files of `src/smp` that the models play.

#[path = "../../../src/smp/pool.rs"]
pub mod pool;
#[path = "../../../src/smp/shared.rs"]
pub mod shared;
pub mod time;
#[path = "../../../src/smp/time_slice.rs"]
pub mod time_slice;
