#!/usr/bin/env bash
# Plays each level of `elo` against the one 200 points below: levels.sh [GAMES OF A PAIR, default 200]
# Fails if the higher level does not score more than half, or plays an illegal move. The levels are limited by nodes, so other
# load on the machine does not matter. Uses the programs of `cargo build --release -p chuhe -p chuhe-arena`.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly LOWEST=800 HIGHEST=2800 APART=200
# More than any level takes.
readonly NODES=1000000

games=${1:-200}
bin=${CARGO_TARGET_DIR:-target}/release
for program in "$bin/chuhe-arena" "$bin/chuhe"; do
    [ -x "$program" ] || { echo "levels.sh: $program is not built" >&2; exit 77; }
done
fail() { echo "levels.sh: $*" >&2; exit 1; }
level() { echo "cmd=$bin/chuhe proto=ucci name=$1 option.limitstrength=true option.elo=$1"; }

for upper in $(seq $((LOWEST + APART)) $APART $HIGHEST); do
    lower=$((upper - APART))
    read -ra words <<<"-engine $(level "$upper") -engine $(level "$lower")"
    told=$("$bin/chuhe-arena" "${words[@]}" -each tc=inf nodes=$NODES option.usebook=false option.hashsize=16 \
        -openings file=tools/arena/openings/random8.epd order=random -seed "$upper" -rounds $(((games + 1) / 2)) \
        -concurrency 2 -maxmoves 300 2>&1) || fail "$(tail -n 5 <<<"$told")"
    ! grep '^Failures of' <<<"$told" >&2 || fail "$upper or $lower has failed"
    score=$(sed -n "s/^Score of $upper vs $lower: //p" <<<"$told" | tail -n 1)
    elo=$(sed -n 's/^Elo difference: \([^,]*\),.*/\1/p' <<<"$told" | tail -n 1)
    echo "$upper against $lower: $score, Elo $elo"
    awk -v elo="${elo%% *}" 'BEGIN { exit !(elo > 0) }' || fail "$upper is no stronger than $lower"
done
