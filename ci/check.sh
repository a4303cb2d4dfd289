#!/usr/bin/env bash
# Format, lints and documentation, warnings as errors.
set -euo pipefail
cd "$(dirname "$0")/.."

for tool in fmt clippy; do
    if ! cargo "$tool" --version >/dev/null 2>&1; then
        echo "check.sh: cargo $tool is missing: run ci/install.sh" >&2
        exit 1
    fi
done

cargo fmt --all --check
cargo clippy --locked --workspace --all-targets -- -D warnings
RUSTDOCFLAGS=-Dwarnings cargo doc --locked --workspace --no-deps
