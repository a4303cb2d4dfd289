//! SIMD kernels of a machine that has no file of its own here: none.

use super::instructions::Kernel;

pub(super) static KERNELS: [Kernel; 0] = [];
