#!/usr/bin/env bash
# Licences, advisories, duplicates and sources of all dependencies. Exit status 77: cargo-deny is not installed.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! cargo deny --version >/dev/null 2>&1; then
    echo "deny.sh: cargo-deny is missing (cargo install --locked cargo-deny), skipped"
    exit 77
fi
cargo deny --workspace --locked --config ci/deny.toml check
