#!/usr/bin/env bash
# A match in release against another engine, from the openings of tests/data, each with both colours. Fails if our engine
# plays an illegal move, loses on time, crashes or hangs. Not part of .ci/run.
#
# usage: ci/match.sh [GAMES [BASE_MS [INCREMENT_MS]]]     default: 40 3000 30
#   CHUHE_MATCH_OPPONENT     command of the other engine, default fairy-stockfish
#   CHUHE_MATCH_ENGINE       command of ours, default the release build of this tree
#   CHUHE_MATCH_CONCURRENCY  games at the same time, default 1; one core each
set -euo pipefail
cd "$(dirname "$0")/.."

games=${1:-${CHUHE_MATCH_GAMES:-40}}
base=${2:-${CHUHE_MATCH_BASE_MS:-3000}}
increment=${3:-${CHUHE_MATCH_INC_MS:-30}}

if [ -z "${CHUHE_MATCH_OPPONENT:-}" ]; then
    # Debian installs it where not every PATH looks.
    CHUHE_MATCH_OPPONENT=$(PATH=$PATH:/usr/games command -v fairy-stockfish) || {
        echo "match.sh: fairy-stockfish is not installed; name another engine in CHUHE_MATCH_OPPONENT" >&2
        exit 77
    }
fi

cargo build --locked --release -p chuhe -p chuhe-arena
bin=${CARGO_TARGET_DIR:-target}/release
seconds() { printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)); }

# Only the other engine may be a little late.
told=$("$bin/chuhe-arena" -engine cmd="${CHUHE_MATCH_ENGINE:-$bin/chuhe}" name=ours option.OwnBook=false \
    -engine cmd="$CHUHE_MATCH_OPPONENT" name=theirs timemargin=50 \
    -each tc="$(seconds "$base")+$(seconds "$increment")" option.Hash=16 option.Threads=1 \
    -openings file=tests/data/openings.epd -rounds $(((games + 1) / 2)) -maxmoves 300 \
    -concurrency "${CHUHE_MATCH_CONCURRENCY:-1}" | tee /dev/stderr)
if grep -q '^Failures of ours' <<<"$told"; then
    exit 1
fi
