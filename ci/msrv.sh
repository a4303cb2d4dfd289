#!/usr/bin/env bash
# Builds and tests with the oldest Rust version that Cargo.toml promises. Exit status 77: it cannot be installed here.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
if ! command -v rustup >/dev/null 2>&1; then
    echo "msrv.sh: rustup is missing, skipped"
    exit 77
fi
toolchain=$(rustup toolchain list | cut -d' ' -f1 | grep -m 1 "^$version" || true)
if [ -z "$toolchain" ]; then
    if ! rustup toolchain install --profile minimal "$version"; then
        echo "msrv.sh: Rust $version cannot be installed, skipped"
        exit 77
    fi
    toolchain=$version
fi
echo "testing with $toolchain"
cargo "+$toolchain" test --locked --workspace --target-dir target/msrv
