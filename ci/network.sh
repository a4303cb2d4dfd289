#!/usr/bin/env bash
# Trains a toy network: self-play games, two trainings that must give the same result and improve, quantisation, and an
# engine that uses the network. Takes some seconds, once the debug builds of the tests are there.
set -euo pipefail
cd "$(dirname "$0")/.."

ci/build.sh
bin=${CARGO_TARGET_DIR:-target}/debug
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
started=$SECONDS

fail() { echo "network.sh: $*" >&2; exit 1; }

make() { "$bin/chuhe-selfplay" generate -games 120 -chunk 120 -seed 7 -soft 40 -table 1 -plies 110 -network classical -commit toy "$@"; }
make -threads 2 -out "$folder/games"
make -threads 1 -out "$folder/again" >/dev/null
cmp "$folder/games/"*.chunk "$folder/again/"*.chunk || fail "the same games made again are other bytes"
"$bin/chuhe-selfplay" verify -replays 2 "$folder/games"

train() {
    "$bin/chuhe-trainer" train -width 32 -outputs 2 -batch 256 -epochs 5 -rate 2e-3 -warm-up 5 -scale 400 -seed 3 "$@" "$folder/games"
}
train -threads 2 -out "$folder/run" | tee "$folder/told"
hash=$(sed -n 's/^hash //p' "$folder/told")
other=$(train -threads 1 -out "$folder/other" | sed -n 's/^hash //p')
[ -n "$hash" ] && [ "$hash" = "$other" ] || fail "two trainings gave ${hash:-nothing} and ${other:-nothing}"
cmp "$folder/run/checkpoint" "$folder/other/checkpoint" || fail "two trainings have one hash and other checkpoints"
losses=$(tail -n +2 "$folder/run/loss.csv" | cut -d, -f2)
[ "$(wc -l <<<"$losses")" = 5 ] || fail "there are not five epochs in loss.csv"
[ "$losses" = "$(sort -gr <<<"$losses")" ] || fail "the loss does not fall:" $losses
awk 'NR == 1 { first = $1 } END { exit !($1 < 0.9 * first) }' <<<"$losses" || fail "the loss does not fall:" $losses

"$bin/chuhe-trainer" quantise "$folder/run" "$folder/games" -out "$folder/toy.nnue"
bench() { "$bin/chuhe" bench 4 "$@" | sed -n 's/^\([0-9]*\) nodes .*/\1/p'; }
nnue=$(bench --network "$folder/toy.nnue")
[ "$nnue" = "$(bench --network "$folder/toy.nnue")" ] || fail "two searches with the network differ"
[ "$nnue" != "$(bench)" ] || fail "the network of the file changes no search"
coproc engine { exec "$bin/chuhe"; }
pid=$engine_PID
printf '%s\n' uci "setoption name EvalFile value $folder/toy.nnue" 'position startpos' 'go depth 3' >&"${engine[1]}"
answer=
while [[ $answer != bestmove* ]] && read -r -t 30 answer <&"${engine[0]}"; do
    [[ $answer != *expected* ]] || fail "the engine refuses the network: $answer"
done
echo quit >&"${engine[1]}"
[[ $answer =~ ^bestmove\ [a-i][0-9][a-i][0-9] ]] || fail "no move with the network, but: $answer"
wait "$pid" || fail "the engine ended with status $?"
printf 'x' >>"$folder/toy.nnue"
! bench --network "$folder/toy.nnue" 2>"$folder/told" || fail "a damaged network was used"
grep -q 'expected' "$folder/told" || fail "a damaged network was refused without a reason: $(cat "$folder/told")"
echo "the toy network $hash was trained and used; $((SECONDS - started)) s"
