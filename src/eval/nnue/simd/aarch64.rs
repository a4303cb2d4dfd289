//! Kernels for 64-bit ARM.
#![allow(unsafe_code)]

mod neon;

use super::instructions::Kernel;

pub(super) static KERNELS: [Kernel; 1] = [Kernel {
    name: "neon",
    is_available: || std::arch::is_aarch64_feature_detected!("neon"),
    // SAFETY: callers of a kernel have checked `is_available`, which tests the feature that `run` enables.
    run: |work| unsafe { neon::run(work) },
}];
