#!/usr/bin/env bash
# Plays eight quick games of the engine against itself in a debug build: no illegal move, time loss, crash or hang.
set -euo pipefail
cd "$(dirname "$0")/.."

ci/build.sh
bin=${CARGO_TARGET_DIR:-target}/debug
told=$("$bin/chuhe-arena" -engine cmd="$bin/chuhe" name=red-first -engine cmd="$bin/chuhe" name=black-first \
    -each proto=ucci tc=0.3+0.01 option.hashsize=16 option.usebook=false \
    -openings file=tests/data/openings.epd -rounds 4 -maxmoves 300)
echo "$told"
played=$(grep -c '^Finished game' <<<"$told")
if [ "$played" != 8 ] || grep -q '^Failures of' <<<"$told"; then
    echo "games.sh: $played games of 8, or not all without a fault" >&2
    exit 1
fi
