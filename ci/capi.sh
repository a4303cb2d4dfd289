#!/usr/bin/env bash
# Runs the tests of the interface for C, with the example under valgrind: no wrong access, no leak.
#
# usage: capi.sh
#
# Exits with 77 without valgrind.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v valgrind >/dev/null || { echo "capi.sh: no valgrind" >&2; exit 77; }
CHUHE_VALGRIND=1 cargo test --locked --release -p chuhe-capi
