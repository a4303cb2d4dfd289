#!/usr/bin/env bash
# All tests of all crates, in debug and in release, and those of the build for tuning.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo test --locked --workspace
cargo test --locked --workspace --release

# What only a build for tuning has; otherwise it is the same engine.
cargo test --locked --release --features tune --test tuning --test search
