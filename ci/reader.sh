#!/usr/bin/env bash
# Compares the reader of endgame tablebases in Python with chuhe-endgame, on random positions of the tables in CHUHE_ENDGAMES
# (default target/endgames, which ci/endgames.sh makes).
#
# usage: reader.sh [POSITIONS]     default a million legal and illegal ones
#
# PYTHON names the interpreter (default python3). Exits with 77 if there is none, or no table.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
folder=${CHUHE_ENDGAMES:-target/endgames}
command -v "$python" >/dev/null || { echo "reader.sh: $python is missing" >&2; exit 77; }
ls "$folder"/*.wdl >/dev/null 2>&1 || { echo "reader.sh: there are no tables in $folder; ci/endgames.sh makes some" >&2; exit 77; }
cargo build --locked --release --quiet -p chuhe-endgame
PYTHONDONTWRITEBYTECODE=1 "$python" tools/endgame/reader/compare.py \
    "${CARGO_TARGET_DIR:-target}/release/chuhe-endgame" "$folder" "${1:-1000000}"
