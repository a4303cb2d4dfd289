#!/usr/bin/env bash
# Checks every interleaving of the models of the table's slot, the pool's hand-over and the time manager. First runs the slot
# without its guard, where the model must fail: a model that cannot fail proves nothing.
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
# A build error is also a failure, but not the expected one.
if ! grep -q 'found the data' "$output"; then
    cat "$output"
    echo "loom: FAILED: the model without the guard did not run" >&2
    exit 1
fi
echo "loom: without the guard the model fails, as it must: $(grep -o 'key .* of another' "$output" | head -n 1)"

# holds WHAT COMMAND...: runs a command that checks models; there must be at least one.
holds() {
    "${@:2}" | tee "$output"
    if ! grep -q '^test result: ok. [1-9]' "$output"; then
        echo "loom: FAILED: no model of $1 was run" >&2
        exit 1
    fi
    echo "loom: $1: all interleavings hold"
}

# others: runs the models of the pool and of the time manager.
others() {
    RUSTFLAGS="--cfg loom" cargo test --release --test models
}

holds "the table with its guard" model
holds "the pool and the time manager" others
