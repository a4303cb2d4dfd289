#!/usr/bin/env bash
# Checks that a match at fixed nodes has the same games with the same results if it is killed ten times at random, either
# the arena or an engine each time. If python3 (or the one that PYTHON names) has the module of tools/cluster, the same match
# is also played on a Ray cluster of two nodes, of which nodes are killed too.
#
# usage: broken.sh [GAMES] [NODES] [KILLS]     100 games of 500 nodes a move, 10 kills
#
# Uses the programs of `cargo build --release -p chuhe -p chuhe-arena`. Prints the random seed; CHUHE_SEED sets it, so that a
# run can be repeated.
set -euo pipefail
cd "$(dirname "$0")/.."

games=${1:-100} nodes=${2:-500} kills=${3:-10} python=${PYTHON:-python3}
bin=$(realpath "${CARGO_TARGET_DIR:-target}")/release
arena=$bin/chuhe-arena
for program in "$arena" "$bin/chuhe"; do
    [ -x "$program" ] || { echo "broken.sh: $program is not built" >&2; exit 77; }
done
[ -r /proc/self/task/self/children ] || [ -r "/proc/$$/task/$$/children" ] || { echo "broken.sh: needs Linux's /proc" >&2; exit 77; }

folder=$(mktemp -d)
running=""
finish() {
    [ -z "$running" ] || kill -KILL "$running" 2>/dev/null || true
    rm -rf "$folder"
}
trap finish EXIT

RANDOM=${CHUHE_SEED:=$((RANDOM))}
echo "seed of the kills: $CHUHE_SEED"

match=(-engine cmd="$bin/chuhe" name=A nodes="$nodes" -engine cmd="$bin/chuhe" name=B nodes=$((nodes / 2))
    -each proto=uci option.Hash=1 option.OwnBook=false
    -openings file="$PWD/tools/arena/openings/random8.epd" order=random -seed 1
    -rounds $(((games + 1) / 2)) -force -maxmoves 150)

"$arena" "${match[@]}" -concurrency 2 -journal "$folder/whole" >"$folder/whole.said"
echo "unbroken: $(grep '^Score of' "$folder/whole.said" | tail -n 1)"

# The engines of an arena, whose processes are its children.
engines() { cat /proc/"$1"/task/*/children 2>/dev/null || true; }

arenas=0 engines_killed=0
start() {
    "$arena" "${match[@]}" -concurrency 2 -journal "$folder/broken" >>"$folder/broken.said" &
    running=$!
}
start
for kill in $(seq 1 "$kills"); do
    # Number of finished games at the next kill: a part of the rest, so that the last kill comes before the end.
    at=$((games * (100 * kill - RANDOM % 100) / (100 * kills + 50)))
    until [ "$(grep -c . "$folder/broken" 2>/dev/null || true)0" -gt "${at}0" ]; do
        kill -0 "$running" 2>/dev/null || { echo "broken.sh: over after $((kill - 1)) kills; play more games" >&2; exit 1; }
        sleep 0.05
    done
    read -r -a found <<<"$(engines "$running" | tr '\n' ' ')"
    if [ $((RANDOM % 2)) = 0 ] && [ ${#found[@]} -gt 0 ]; then
        kill -KILL "${found[RANDOM % ${#found[@]}]}" 2>/dev/null && engines_killed=$((engines_killed + 1)) || true
    else
        kill -KILL "$running"
        wait "$running" 2>/dev/null || true
        arenas=$((arenas + 1))
        start
    fi
done
wait "$running" || { echo "broken.sh: the match has failed" >&2; tail -n 5 "$folder/broken.said" >&2; exit 1; }
running=""
echo "broken: the arena was killed $arenas times, an engine $engines_killed times, $(grep -c 'is played again' "$folder/broken.said" || true) games were played again"

names=(whole broken)
if "$python" -c 'import chuhe_cluster' 2>/dev/null; then
    "$python" tools/cluster/tests/broken.py "$arena" "$folder/cluster" "$games" "$kills" "$CHUHE_SEED" "${match[@]}"
    names+=(cluster)
else
    echo "cluster: $python has no module chuhe_cluster (pip install -e tools/cluster), left out"
fi

for name in "${names[@]}"; do
    "$arena" pgn "$folder/$name" file="$folder/$name.pgn" min=true
    # Only the date may have changed.
    grep -v '^\[Date ' "$folder/$name.pgn" >"$folder/$name.games"
    "$arena" stats "$folder/$name" | grep -v '^Latency\|^Played again\|^Averages' >"$folder/$name.stats"
    cmp "$folder/whole.games" "$folder/$name.games"
    cmp "$folder/whole.stats" "$folder/$name.stats"
done
cat "$folder/whole.stats"
echo "the same $(grep -c '^\[Result ' "$folder/whole.games") games every time: ${names[*]}"
