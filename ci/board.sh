#!/usr/bin/env bash
# Plays, analyses and watches on the page of the board in a headless Chromium: board.sh [--short]
# Exits with 77 where there is no Chromium; CHROMIUM names another one. CHUHE_BOARD_SECONDS is the length of the flood of
# lines under which the page's memory is measured.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH=$PATH:${HOME:-/root}/.cargo/bin

browser=${CHROMIUM:-chromium}
if ! command -v "$browser" >/dev/null 2>&1; then
    echo "board.sh: no $browser, so the page of the board is not tried" >&2
    exit 77
fi
filter=()
if [ "${1:-}" = --short ]; then
    filter=(short)
else
    # A selection of tests does not build the misbehaving engine that they start.
    cargo build --locked --workspace --exclude chuhe --exclude chuhe-python --example zoo-for-board
    cargo test --locked --workspace --exclude chuhe --exclude chuhe-python --test server -- --ignored --nocapture
fi
cargo test --locked --workspace --exclude chuhe --exclude chuhe-python --test browser -- --ignored --nocapture --test-threads=1 "${filter[@]}"
