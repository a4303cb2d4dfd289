#!/usr/bin/env bash
# Builds the debug programs and examples of the workspace, from the same crates as its tests: nothing is compiled twice.
# Cargo unites the features of what it builds at once, so another choice of packages would be another build of them all.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH=$PATH:${HOME:-/root}/.cargo/bin

cargo build --locked -p chuhe --bins --examples
cargo build --locked --workspace --exclude chuhe --exclude chuhe-python --bins --examples
