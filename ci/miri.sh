#!/usr/bin/env bash
# Runs the tests of the parts with bit tricks, shared memory or threads under miri:
#   miri.sh [--log] [PIECES]        all pieces take hours, so they can be run one by one
# With --log every piece adds a row to ci/soak/LOG.md.
# Exits with 77 ("skipped") if miri is missing and cannot be installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if ! cargo +nightly miri --version >/dev/null 2>&1 \
    && ! rustup +nightly component add miri rust-src >/dev/null 2>&1; then
    echo "miri: SKIPPED: not installed, and rustup cannot install it" >&2
    exit 77
fi

export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/miri"
# The tests read the clock and the machine's memory, which isolation forbids.
export MIRIFLAGS="${MIRIFLAGS:--Zmiri-disable-isolation}"
export PROPTEST_CASES="${PROPTEST_CASES:-8}"

log=no
if [ "${1:-}" = --log ]; then
    log=yes
    shift
fi
[ $# -gt 0 ] || set -- board rules smp engine book eval table
told=$(mktemp)
trap 'rm -f "$told"' EXIT
for piece in "$@"; do
    started=$SECONDS
    case $piece in
        table) tests=(--test table) ;;
        *) tests=(--lib -- "$piece::") ;;
    esac
    cargo +nightly miri test "${tests[@]}" 2>&1 | tee "$told"
    passed=$(sed -n 's/^test result: ok. \([0-9]*\) passed.*/\1/p' "$told")
    [ "${passed:-0}" -gt 0 ] || { echo "miri.sh: there are no tests of $piece" >&2; exit 1; }
    [ $log = no ] || ci/soak/log.py miri.sh "$piece, $((SECONDS - started)) s" "$passed tests, 0 findings"
done
