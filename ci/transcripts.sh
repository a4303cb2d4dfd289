#!/usr/bin/env bash
# Runs the dialogues of the tests with the release binary, using the tests that are already built.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --locked --release --bin chuhe
CHUHE_PROGRAM=$(realpath "${CARGO_TARGET_DIR:-target}/release/chuhe")
export CHUHE_PROGRAM
cargo test --locked --test protocol
