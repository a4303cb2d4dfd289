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
# The tests of the tools are built from the same packages.
tests() { cargo test --locked --workspace --exclude chuhe --exclude chuhe-python "$@"; }
if [ "${1:-}" = --short ]; then
    tests --test browser -- --ignored --nocapture --test-threads=1 short
else
    # A selection of tests does not build the misbehaving engine that they start.
    ci/build.sh
    tests --test server -- --ignored --nocapture
    # The pages of the arena too: its report and a running match.
    tests --test browser --test live_browser -- --ignored --nocapture --test-threads=1
fi
