#!/usr/bin/env bash
# Builds the programs that make games and train on them for the processor of this machine, 3 to 7 % faster: the same games, scores
# and hashes come out. They are in CARGO_TARGET_DIR/native, default target/native, apart from those of `cargo build --release`.
#
# usage: native.sh [PROCESSOR, native]
#   PROCESSOR  as rustc names it: x86-64-v3 for programs that are carried to another machine
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH=$PATH:${HOME:-/root}/.cargo/bin

kept=${CARGO_TARGET_DIR:-target}/native
commit=${CHUHE_COMMIT:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}
CHUHE_COMMIT=$commit RUSTFLAGS="${RUSTFLAGS:-} -C target-cpu=${1:-native}" cargo build --locked --release --target-dir "$kept" \
    -p chuhe -p chuhe-selfplay -p chuhe-trainer -p chuhe-arena
echo "$kept/release: chuhe, chuhe-selfplay, chuhe-trainer and chuhe-arena of $commit for ${1:-native}"
