#!/usr/bin/env bash
# Packs chunks of self-play games and unpacks them again: the same bytes must come back, and the packed chunks must be readable.
# Prints bytes a position and positions per second.
#
# usage: packed.sh CHUNKS OR FOLDERS...
# Uses the programs of `cargo build --release --workspace`, or of CHUHE_BIN.
set -euo pipefail
cd "$(dirname "$0")/.."

[ $# -gt 0 ] || { echo "packed.sh: say which: chunks, or folders of them" >&2; exit 2; }
selfplay=${CHUHE_BIN:-${CARGO_TARGET_DIR:-target}/release}/chuhe-selfplay
[ -x "$selfplay" ] || { echo "packed.sh: $selfplay is not built" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# timed WHAT POSITIONS COMMAND...: prints positions per second of one thread.
timed() {
    local seconds
    seconds=$({ TIMEFORMAT=%U && time "${@:3}" >"$folder/told"; } 2>&1)
    awk -v what="$1" -v positions="$2" -v seconds="$seconds" \
        'BEGIN { printf "%s: %.1f s of a processor, %.0f positions a second\n", what, seconds, positions / seconds }'
}

"$selfplay" merge -out "$folder/plain" "$@" | tail -n 1
"$selfplay" unpack -out "$folder/games" "$folder/plain" >/dev/null
positions=$("$selfplay" stats "$folder/games" | sed -n 's/^positions *\([0-9]*\),.*/\1/p')
timed "packed, unpacked and compared" "$positions" "$selfplay" merge -pack -threads 1 -out "$folder/packed" "$folder/games"
timed "unpacked and compressed" "$positions" "$selfplay" unpack -threads 1 -out "$folder/again" "$folder/packed"
for chunk in "$folder/games/"*.chunk; do
    cmp "$chunk" "$folder/again/$(basename "$chunk")"
done
for form in games packed; do
    "$selfplay" stats "$folder/$form" | sed -n "s/^size */$form: /p"
done
"$selfplay" verify -replays 0 "$folder/packed" >/dev/null
echo "the same bytes: $positions positions"
