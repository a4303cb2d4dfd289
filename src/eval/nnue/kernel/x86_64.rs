//! The sets of instructions of x86-64, fastest first: twice as wide vectors slow the search down around them. That a machine has
//! them does not go without saying.
#![allow(unsafe_code)]

mod avx2;
mod avx512;

use super::instructions::Kernel;

pub(super) static KERNELS: [Kernel; 2] = [
    Kernel {
        name: "avx2",
        is_available: || is_x86_feature_detected!("avx2"),
        // SAFETY: whoever runs a kernel has asked `is_available`, which names all features that `run` enables.
        run: |work| unsafe { avx2::run(work) },
    },
    Kernel {
        name: "avx512",
        is_available: || {
            is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vnni")
        },
        // SAFETY: as above.
        run: |work| unsafe { avx512::run(work) },
    },
];
