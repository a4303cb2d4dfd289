#!/usr/bin/env bash
# A match at fixed nodes that is killed ten times at random, now the arena and now an engine, ends as the unbroken one does:
# the same games with the same results. So does the same match on a cluster of Ray of two nodes, of which nodes are killed too,
# where python3 (or what PYTHON names) has the module of tools/cluster.
#
# usage: broken.sh [GAMES] [NODES] [KILLS]     100 games of 500 nodes a move, 10 kills
#
# With the programs of `cargo build --release -p chuhe -p chuhe-arena`. What chance did is told, so that it can be done again:
# CHUHE_SEED.
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

# The engines of an arena: their processes are its children.
engines() { cat /proc/"$1"/task/*/children 2>/dev/null || true; }

arenas=0 engines_killed=0
start() {
    "$arena" "${match[@]}" -concurrency 2 -journal "$folder/broken" >>"$folder/broken.said" &
    running=$!
}
start
for kill in $(seq 1 "$kills"); do
    # At so many finished games; a part of what is left, so that the last kill comes before the end.
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
    # The day may have changed, nothing else.
    grep -v '^\[Date ' "$folder/$name.pgn" >"$folder/$name.games"
    "$arena" stats "$folder/$name" | grep -v '^Latency\|^Played again' >"$folder/$name.stats"
    cmp "$folder/whole.games" "$folder/$name.games"
    cmp "$folder/whole.stats" "$folder/$name.stats"
done
cat "$folder/whole.stats"
echo "the same $(grep -c '^\[Result ' "$folder/whole.games") games every time: ${names[*]}"
