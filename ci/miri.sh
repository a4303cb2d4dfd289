#!/usr/bin/env bash
# Runs the tests of the parts that hold bit tricks, shared memory or threads under miri.
# Exits with 77 ("skipped") when this machine has no miri and cannot get it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! cargo +nightly miri --version >/dev/null 2>&1 \
    && ! rustup +nightly component add miri rust-src >/dev/null 2>&1; then
    echo "miri: SKIPPED: not installed, and rustup cannot install it" >&2
    exit 77
fi

export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/miri"
# The tests read the clock and the machine's memory, which isolation forbids.
export MIRIFLAGS="${MIRIFLAGS:--Zmiri-disable-isolation}"
export PROPTEST_CASES="${PROPTEST_CASES:-8}"

cargo +nightly miri test --lib -- board:: rules:: smp:: engine:: book:: eval::
cargo +nightly miri test --test table
