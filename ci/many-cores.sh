#!/usr/bin/env bash
# Uses a machine with many cores for a quarter of an hour: games for training on all cores but one, which packs them; then nodes
# per second with 1, 2, 4, 8 and 16 threads, and matches of 2, 4, 8 and 16 threads against one, as far as there are cores.
#
# usage: many-cores.sh FOLDER [MINUTES, 14] [CORES, all]
#
# FOLDER receives `packed` (chunks), `games` (the unfinished chunk) and `report.txt`; nothing
# that is in it already is made again or lost. The programs are those of ci/native.sh, or of CHUHE_BIN; nothing is downloaded.
# CHUHE_SEED (the day, as 20261231) is the seed of the games, CHUHE_NETWORK (embedded) their network and CHUHE_SOFT (250) their
# nodes.
set -euo pipefail
cd "$(dirname "$0")/.."

out=${1:?"many-cores.sh: say where: a folder"}
seconds=$((${2:-14} * 60))
cores=${3:-$(nproc)}
bin=${CHUHE_BIN:-${CARGO_TARGET_DIR:-target}/native/release}
[ "$cores" -ge 2 ] || { echo "many-cores.sh: one core is not many" >&2; exit 77; }
for program in chuhe chuhe-selfplay chuhe-arena; do
    [ -x "$bin/$program" ] || { echo "many-cores.sh: $bin/$program is not built: ci/native.sh builds it" >&2; exit 77; }
done
mkdir -p "$out"
exec > >(tee -a "$out/report.txt") 2>&1
echo "$(date -u '+%F %H:%M:%S'): $cores cores of $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $seconds s"

# Of the time, six tenths for games, one for speeds, two and a half for matches; the rest is for packing the last chunks.
readonly games_s=$((seconds * 60 / 100)) speeds_s=$((seconds * 10 / 100)) matches_s=$((seconds * 25 / 100))
counts=()
for threads in 1 2 4 8 16; do
    [ "$threads" -gt "$cores" ] || counts+=("$threads")
done

pack() {
    "$bin/chuhe-selfplay" merge -pack -threads "$1" -out "$out/packed" "$out/games"
}

# Packs finished chunks while games are being made.
pack_on() {
    while sleep 5; do
        compgen -G "$out/games/*.chunk" >/dev/null || continue
        pack 1 >"$out/packing.txt" || { cat "$out/packing.txt"; return 1; }
    done
}

generate() {
    # A chunk takes some twenty seconds; the last one stays unfinished.
    local chunk=$(((cores - 1) * 300)) status=0
    timeout -s INT "$games_s" "$bin/chuhe-selfplay" generate -games $((chunk * 100000)) -chunk "$chunk" \
        -seed "${CHUHE_SEED:-$(date -u +%Y%m%d)}" -soft "${CHUHE_SOFT:-250}" -network "${CHUHE_NETWORK:-embedded}" \
        -threads $((cores - 1)) -every 60 -out "$out/games" || status=$?
    # Ended by the clock.
    [ "$status" = 124 ] || [ "$status" = 130 ] || { echo "many-cores.sh: generate ended with status $status"; exit 1; }
}

mkdir -p "$out/games"
pack_on &
packing=$!
trap 'kill "$packing" 2>/dev/null || true' EXIT
generate
kill "$packing" 2>/dev/null || true
wait "$packing" 2>/dev/null || true
pack "$cores"
"$bin/chuhe-selfplay" stats "$out/packed"

# nps THREADS MILLISECONDS
nps() {
    printf '%s\n' uci "setoption name batch value true" "setoption name Hash value 256" \
        "setoption name Threads value $1" "position startpos" "go movetime $2" quit |
        "$bin/chuhe" | sed -n 's/^info .*nps \([0-9]*\).*/\1/p' | tail -n 1
}

each_ms=$((speeds_s * 1000 / ${#counts[@]} / 2))
for round in 1 2; do
    for threads in "${counts[@]}"; do
        echo "round $round, $threads threads: $(nps "$threads" "$each_ms") nodes a second"
    done
done

# match THREADS SECONDS: against one thread, as many games at a time as there are cores for.
match() {
    local status=0
    timeout -s INT "$2" "$bin/chuhe-arena" -engine cmd="$bin/chuhe" name="Threads$1" option.threads="$1" \
        -engine cmd="$bin/chuhe" name=One option.threads=1 -each proto=ucci tc=1+0.01 option.hashsize=64 option.usebook=false \
        -openings file=tools/arena/openings/random8.epd order=random -seed "$1" -rounds 10000 \
        -concurrency $((cores / $1)) -journal "$out/threads$1.journal" >"$out/match.txt" 2>&1 || status=$?
    [ "$status" = 124 ] || [ "$status" = 130 ] || { tail -n 5 "$out/match.txt"; return 1; }
    grep -E '^(Score of|Elo difference)' "$out/match.txt" | tail -n 2 || echo "$1 threads: no game was finished"
}

for threads in "${counts[@]:1}"; do
    match "$threads" $((matches_s / (${#counts[@]} - 1)))
done
rm -f "$out/match.txt" "$out/packing.txt"
echo "$(date -u '+%F %H:%M:%S'): done"
