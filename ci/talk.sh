#!/usr/bin/env bash
# Holds random conversations with the release binary in both protocols, and reports violations of the protocol:
#   talk.sh [SECONDS, 60] [OPTIONS of chuhe-talk]
# Findings are in target/talk; `chuhe-talk --replay FILE` repeats such a conversation.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH=$PATH:${HOME:-/root}/.cargo/bin

seconds=${1:-60}
shift || true
cargo build --locked --release
ci/build.sh
target=${CARGO_TARGET_DIR:-target}
exec "$target/debug/chuhe-talk" "$target/release/chuhe" --seconds "$seconds" "$@"
