#!/usr/bin/env bash
# Runs what several threads share under the thread sanitizer. First a program with a race, which must be found: a sanitizer
# that is silenced proves nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

host=x86_64-unknown-linux-gnu
sanitizer=(-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer)
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/san"
export RUSTFLAGS="${sanitizer[*]}"
export TSAN_OPTIONS="halt_on_error=1"

cargo_flags=(--target "$host")
if [[ -e "$(rustc +nightly --print sysroot)/lib/rustlib/src/rust/library/Cargo.lock" ]]; then
    cargo_flags+=(-Zbuild-std)
else
    # The standard library is not instrumented: what happens inside it looks like a race.
    TSAN_OPTIONS+=" suppressions=$PWD/ci/tsan.supp"
fi

mkdir -p "$CARGO_TARGET_DIR"
racy="$CARGO_TARGET_DIR/racy"
rustc +nightly --target "$host" --edition 2024 -g "${sanitizer[@]}" -o "$racy" - <<'RUST'
static mut WORD: u64 = 0;
fn main() {
    let add = || unsafe { WORD += 1 };
    let workers = [std::thread::spawn(add), std::thread::spawn(add)];
    workers.into_iter().for_each(|worker| worker.join().unwrap());
}
RUST
if "$racy" 2>/dev/null; then
    echo "san: FAILED: a race was not found, so a clean run proves nothing" >&2
    exit 1
fi
echo "san: the race is found, as it must be"

# One test at a time: what the tests share with each other is the harness, and it is not what we ask about.
cargo +nightly test "${cargo_flags[@]}" --lib -- --test-threads=1 smp::
cargo +nightly test "${cargo_flags[@]}" --test table --test engine -- --test-threads=1
echo "san: no race"
