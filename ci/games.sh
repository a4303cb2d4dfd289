#!/usr/bin/env bash
# Eight quick games of the engine against itself in a debug build: no illegal move, no time loss, no crash, no hang.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo test --locked --test games eight_quick_games -- --nocapture
