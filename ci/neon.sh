#!/usr/bin/env bash
# Tests the kernels of 64-bit ARM under emulation: the tests of the network, and the same node count as on this machine.
# Exits with 77 ("skipped") if the emulator, the linker or the target is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PATH=$PATH:${HOME:-/root}/.cargo/bin

readonly TARGET=aarch64-unknown-linux-gnu
readonly DEPTH=7

skip() { echo "neon: SKIPPED: $*" >&2; exit 77; }
command -v qemu-aarch64 >/dev/null || skip "there is no qemu-aarch64 (package qemu-user)"
command -v aarch64-linux-gnu-gcc >/dev/null || skip "there is no aarch64-linux-gnu-gcc (package gcc-aarch64-linux-gnu)"
rustc --print target-libdir --target $TARGET 2>/dev/null | xargs ls >/dev/null 2>&1 \
    || skip "Rust has no $TARGET (rustup target add $TARGET)"

export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu"
export PROPTEST_CASES="${PROPTEST_CASES:-32}"

cargo test --locked --target $TARGET --lib -- eval::
nodes() { cargo run --locked --release --quiet "$@" bench $DEPTH | sed -n 's/^\([0-9]*\) nodes .*/\1/p'; }
here=$(nodes --)
for kernel in neon scalar; do
    there=$(nodes --target $TARGET -- --cpu $kernel)
    if [ "$there" != "$here" ]; then
        echo "neon: $kernel searches $there nodes, this machine $here" >&2
        exit 1
    fi
done
echo "neon: $here nodes by neon, by plain loops, and on this machine"
