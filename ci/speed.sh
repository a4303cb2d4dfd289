#!/usr/bin/env bash
# Measures nodes per second from the start position: one thread over ten seconds, then two threads and one alternately, two
# seconds each. Nothing else should run at the same time.
#
# usage: speed.sh [PAIRS, 12]
# The engine is that of `cargo build --release`, or CHUHE_MATCH_ENGINE.
set -euo pipefail
cd "$(dirname "$0")/.."

pairs=${1:-12}
chuhe=${CHUHE_MATCH_ENGINE:-${CARGO_TARGET_DIR:-target}/release/chuhe}

# nps THREADS MILLISECONDS
nps() {
    printf '%s\n' uci "setoption name batch value true" "setoption name Hash value 256" \
        "setoption name Threads value $1" "position startpos" "go movetime $2" quit |
        "$chuhe" | sed -n 's/^info .*nps \([0-9]*\).*/\1/p' | tail -n 1
}

echo "one thread, 10 s: $(nps 1 10000) nodes a second"
for _ in $(seq 1 "$pairs"); do
    one=$(nps 1 2000) two=$(nps 2 2000)
    awk -v one="$one" -v two="$two" 'BEGIN { printf "%.3f %d %d\n", two / one, one, two }'
done | sort -n | awk '
    { ratio[NR] = $1; print "two threads / one thread: " $1 " (" $3 " / " $2 ")" }
    END { printf "median %.2f, least %.2f, greatest %.2f\n", (ratio[int((NR + 1) / 2)] + ratio[int(NR / 2) + 1]) / 2, ratio[1], ratio[NR] }'
