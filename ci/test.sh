#!/usr/bin/env bash
# All tests of all crates, in debug and in release.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo test --locked --workspace
cargo test --locked --workspace --release
