#!/usr/bin/env bash
# Plays 200 positions that are won for the engine according to the endgame tablebases. The engine has only the embedded
# tablebases; the defender plays the moves that hold out longest by the full ones. Lists the games that are not won, and fails
# below 95 %. The tablebases are made first, in some nine minutes on two idle cores, and are kept in CHUHE_ENDGAMES, default
# target/endgames.
#
# usage: conversion.sh [GO [PLIES]]
#   GO     arguments of `go` (movetime 200)
#   PLIES  fewest plies of a win to the end or to a capture (9)
set -euo pipefail
cd "$(dirname "$0")/.."
go=${1:-movetime 200}
plies=${2:-9}
cargo build --locked --release --quiet -p chuhe -p chuhe-endgame
bin=${CARGO_TARGET_DIR:-target}/release
export CHUHE_ENDGAMES=${CHUHE_ENDGAMES:-target/endgames}

materials=(KR-KCBB KR-KNBB KR-KCAA KR-KNAA KRN-KC KRN-KR KRN-KAABB KRP-KC KNN-KC KNN-KAB KNC-KC KNC-KN KNP-KAB KCP-KAA)
"$bin/chuhe-endgame" generate "${materials[@]}"
told=$("$bin/chuhe-endgame" duel "${materials[@]}" --engine "$bin/chuhe" --option OwnBook=false --games 200 \
    --plies "$plies" --go "$go" | tee /dev/stderr)
lost=$(grep -c '^not won' <<<"$told" || true)
if [ "$lost" -gt 10 ]; then
    echo "conversion.sh: $lost of 200 are not won" >&2
    exit 1
fi
