#!/usr/bin/env bash
# Checks licences, advisories, duplicates and sources of all dependencies. If the advisory database cannot be fetched, says so
# and checks the rest. Exit status 77: cargo-deny is not installed.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! cargo deny --version >/dev/null 2>&1; then
    echo "deny.sh: cargo-deny is missing (cargo install --locked cargo-deny), skipped"
    exit 77
fi
deny() { cargo deny --workspace --locked --config ci/deny.toml "$@"; }

deny check bans licenses sources
if deny fetch db; then
    deny check advisories
else
    echo "deny.sh: the database of advisories cannot be fetched, so they were NOT checked" >&2
fi
