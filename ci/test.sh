#!/usr/bin/env bash
# Runs all tests of all crates, in debug and in release, and those of the tuning build.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo test --locked --workspace
cargo test --locked --workspace --release

# Only the tests specific to the tuning build, which is otherwise the same engine.
cargo test --locked --release --features tune --test tuning --test search
