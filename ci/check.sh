#!/usr/bin/env bash
# Checks format, lints, documentation and packages, with warnings as errors.
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
# Without the program, and without the engine too, as libraries that others build on.
cargo clippy --locked -p chuhe --lib --no-default-features --features engine -- -D warnings
cargo clippy --locked -p chuhe --lib --examples --no-default-features -- -D warnings
RUSTDOCFLAGS=-Dwarnings cargo doc --locked --workspace --no-deps

# Everything that is published can be packed. Building each crate from its package takes minutes and is for releases:
# `cargo package --workspace`.
packed=$(cargo package --locked --offline --workspace --exclude chuhe-capi --exclude chuhe-python --no-verify --allow-dirty 2>&1) || {
    echo "$packed" >&2
    exit 1
}
if grep -A3 '^warning' <<<"$packed" >&2; then
    echo "check.sh: there are warnings about packages" >&2
    exit 1
fi

# The loom models and the fuzzers are run by hand and are not part of the workspace's checks, but must compile after every
# change. For the fuzzers, libFuzzer itself need not be built.
RUSTFLAGS="-Dwarnings --cfg loom" cargo check --locked --target-dir target/loom --test models
CUSTOM_LIBFUZZER_PATH=target/libnone.a cargo check --locked --manifest-path tools/fuzz/Cargo.toml --target-dir target --all-features --bins
