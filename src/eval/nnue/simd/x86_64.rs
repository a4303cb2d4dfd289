//! Kernels for x86-64, the fastest first: AVX2 precedes AVX-512, whose wide vectors slow down the search around them.
//! Both have to be detected at run time.
#![allow(unsafe_code)]

mod avx2;
mod avx512;

use super::instructions::Kernel;

pub(super) static KERNELS: [Kernel; 2] = [
    Kernel {
        name: "avx2",
        is_available: || is_x86_feature_detected!("avx2"),
        // SAFETY: callers of a kernel have checked `is_available`, which tests all features that `run` enables.
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
