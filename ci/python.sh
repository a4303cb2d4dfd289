#!/usr/bin/env bash
# Builds the Python module into a new environment, as a user does, and runs its tests.
#
# usage: python.sh [--long]     --long: with the tests that take minutes, and the speed beside other packages
#
# PYTHON names the interpreter (default python3). Exits with 77 if that has no venv or the packages cannot be fetched.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" -m venv "$folder/env" 2>/dev/null || { echo "python.sh: $python has no venv" >&2; exit 77; }
pip() { "$folder/env/bin/python" -m pip --quiet --disable-pip-version-check "$@"; }
pip install pytest pyffish || { echo "python.sh: no packages" >&2; exit 77; }
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
pip install ./tools/python
cargo build --release --locked
marks=(-m "not long")
if [ "${1-}" = --long ]; then marks=(-m ""); fi
CHUHE_PROGRAM=$CARGO_TARGET_DIR/release/chuhe "$folder/env/bin/python" -m pytest -q tools/python/tests "${marks[@]}"
if [ "${1-}" = --long ]; then
    pip install cchess || echo "python.sh: cchess is not measured" >&2
    "$folder/env/bin/python" tools/python/tests/speed.py
fi
