#!/usr/bin/env bash
# A match in release against another UCCI engine, from the openings of tests/data, each with both colours. Fails if our
# engine plays an illegal move, loses on time, crashes or hangs. Not part of .ci/run.
#
# usage: ci/match.sh [GAMES [BASE_MS [INCREMENT_MS]]]     default: 40 3000 30
#   CHUHE_MATCH_OPPONENT     command of the other engine, default fairy-stockfish
#   CHUHE_MATCH_ENGINE       command of ours, default the release build of this tree
#   CHUHE_MATCH_CONCURRENCY  games at the same time, default 1; one core each
set -euo pipefail
cd "$(dirname "$0")/.."

export CHUHE_MATCH_GAMES=${1:-${CHUHE_MATCH_GAMES:-40}}
export CHUHE_MATCH_BASE_MS=${2:-${CHUHE_MATCH_BASE_MS:-3000}}
export CHUHE_MATCH_INC_MS=${3:-${CHUHE_MATCH_INC_MS:-30}}

if [ -z "${CHUHE_MATCH_OPPONENT:-}" ]; then
    # Debian installs it where not every PATH looks.
    CHUHE_MATCH_OPPONENT=$(PATH=$PATH:/usr/games command -v fairy-stockfish) || {
        echo "match.sh: fairy-stockfish is not installed; name another engine in CHUHE_MATCH_OPPONENT" >&2
        exit 77
    }
fi
export CHUHE_MATCH_OPPONENT

cargo test --locked --release --test games a_match_against_another_engine -- --ignored --nocapture
