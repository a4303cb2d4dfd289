#!/usr/bin/env bash
# Plays a match of instant engines on a simulated cluster: workers on this machine, three of which are killed, and their head
# too. Checks that every game is there once, with the moves of one arena, and prints bytes written, the head's memory and games
# per second. Needs Python 3.10 or newer on Linux; Ray is not needed.
#
# usage: cluster.sh [WORKERS [GAMES [KILLS]]]     64 workers, 20,000 games, 3 workers killed
#
# Uses the programs of `cargo build --release -p chuhe-arena --bins --examples`; CHUHE_BIN names another folder of programs, with
# the test engine in `examples` there. CHUHE_SEED (1) decides who is killed.
set -euo pipefail
cd "$(dirname "$0")/.."

workers=${1:-64} games=${2:-20000} kills=${3:-3} python=${PYTHON:-python3}
bin=${CHUHE_BIN:-${CARGO_TARGET_DIR:-target}/release}
for program in "$bin/chuhe-arena" "$bin/examples/zoo-for-matches"; do
    [ -x "$program" ] || { echo "cluster.sh: $program is not built" >&2; exit 77; }
done
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "cluster.sh: needs Python 3.10 or newer" >&2; exit 77; }
[ -r /proc/self/io ] || { echo "cluster.sh: needs Linux's /proc" >&2; exit 77; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" tools/cluster/tests/simulation.py "$bin/chuhe-arena" "$bin/examples/zoo-for-matches" "$folder" \
    --workers "$workers" --games "$games" --kills "$kills" --silence 20 --seed "${CHUHE_SEED:-1}"
