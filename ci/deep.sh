#!/usr/bin/env bash
# Runs the tests that take minutes and are skipped otherwise: perft six plies deep, millions of moves in every notation.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo test --release --test perft -- --include-ignored
cargo test --release --test notation -- --include-ignored
