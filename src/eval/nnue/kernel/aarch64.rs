//! The set of instructions of 64-bit ARM.
#![allow(unsafe_code)]

mod neon;

use super::instructions::Kernel;

pub(super) static KERNELS: [Kernel; 1] = [Kernel {
    name: "neon",
    is_available: || std::arch::is_aarch64_feature_detected!("neon"),
    // SAFETY: whoever runs a kernel has asked `is_available`, which names the feature that `run` enables.
    run: |work| unsafe { neon::run(work) },
}];
