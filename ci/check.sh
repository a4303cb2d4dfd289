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

# What is run by hand is no part of the workspace's checks, and yet shall compile after every change: the models for loom, and the
# fuzzers, for which libFuzzer itself need not be built.
RUSTFLAGS="-Dwarnings --cfg loom" cargo check --locked --target-dir target/loom --test models
CUSTOM_LIBFUZZER_PATH=target/libnone.a cargo check --locked --manifest-path tools/fuzz/Cargo.toml --target-dir target --all-features --bins
