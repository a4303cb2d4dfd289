#!/usr/bin/env bash
# Plays every interleaving of the table's slot model, of the pool's hand-over and of the time manager. First the slot without its
# guard, where the model must fail: a model that cannot fail proves nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/loom"
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# model FLAGS...: runs the table's model with these flags.
model() {
    RUSTFLAGS="--cfg loom $*" cargo test --release --lib smp::table::slot::model
}

if model --cfg unguarded >"$output" 2>&1; then
    cat "$output"
    echo "loom: FAILED: the model passes without the guard, so it proves nothing" >&2
    exit 1
fi
# A build error is a failure too, but not the one we want.
if ! grep -q 'found the data' "$output"; then
    cat "$output"
    echo "loom: FAILED: the model without the guard did not run" >&2
    exit 1
fi
echo "loom: without the guard the model fails, as it must: $(grep -o 'key .* of another' "$output" | head -n 1)"

# holds WHAT COMMAND...: a command that plays models, of which one at least must be there.
holds() {
    "${@:2}" | tee "$output"
    if ! grep -q '^test result: ok. [1-9]' "$output"; then
        echo "loom: FAILED: no model of $1 was run" >&2
        exit 1
    fi
    echo "loom: $1: all interleavings hold"
}

# others: runs those of the pool and of the time manager.
others() {
    RUSTFLAGS="--cfg loom" cargo test --release --test models
}

holds "the table with its guard" model
holds "the pool and the time manager" others
