#!/usr/bin/env bash
# Everything that the tests leave out because it takes minutes: perft six plies deep, millions of moves in every notation.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo test --release --test perft -- --include-ignored
cargo test --release --test notation -- --include-ignored
