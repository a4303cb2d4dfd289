#!/usr/bin/env bash
# Tests the second engine, chuhe-gobang, against judges and opponents from PyPI: judge, games, stop, gomokubench, threads,
# versus (see ci/gobang.py).
# Their packages are in a virtual environment outside the checkout. Exits with 77 ("skipped") if they cannot be installed.
#   ci/gobang.sh WHAT [OPTIONS OF ci/gobang.py]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [ "${1:-}" = arena ]; then
    echo "gobang: SKIPPED: the arena's games are positions of Xiangqi, from the openings to the report, so it needs more than a dialect" >&2
    exit 77
fi

venv="${CHUHE_GOBANG_VENV:-${XDG_CACHE_HOME:-$HOME/.cache}/chuhe-gobang}"
if [ ! -x "$venv/bin/python" ] && ! { python3 -m venv "$venv" && "$venv/bin/pip" -q install renju==0.1.0 gomokubench==0.1.10; }; then
    echo "gobang: SKIPPED: no Python, or no packages from PyPI" >&2
    exit 77
fi
cargo build --release --quiet -p chuhe-gobang --bin chuhe-gobang --example judge
exec "$venv/bin/python" ci/gobang.py "$@"
