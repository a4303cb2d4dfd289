#!/usr/bin/env bash
# Everything that the tests leave out because it takes minutes: perft six plies deep.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo test --release --test perft -- --include-ignored
