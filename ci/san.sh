#!/usr/bin/env bash
# Runs tests of shared data under the thread sanitizer, or the unit tests of the engine and the tests of its life cycle, table,
# files, options, search and rules under the address sanitizer, and a match of the engine against itself with two threads each:
# san.sh [--log] [thread | address] [tests | match]
# First runs a program with the kind of fault in question, which must be found: a sanitizer that is silenced proves nothing.
# With --log a clean run adds a row to ci/soak/LOG.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

log=no
if [ "${1:-}" = --log ]; then
    log=yes
    shift
fi
sanitizer=${1:-thread} piece=${2:-all}
case $sanitizer in
    thread | address) ;;
    *) echo "san.sh: thread or address, not $sanitizer" >&2; exit 2 ;;
esac
case $piece in
    all | tests | match) ;;
    *) echo "san.sh: tests or match, not $piece" >&2; exit 2 ;;
esac
readonly GAMES=8
host=x86_64-unknown-linux-gnu
flags=("-Zsanitizer=$sanitizer" "-Cunsafe-allow-abi-mismatch=sanitizer")
plain=${CARGO_TARGET_DIR:-target}
faulty=$(mktemp -d)
trap 'rm -rf "$faulty"' EXIT

wanted() { [ "$piece" = all ] || [ "$piece" = "$1" ]; }
clean() {
    echo "san.sh: nothing found by the $sanitizer sanitizer in $1"
    [ $log = no ] || ci/soak/log.py san.sh "$sanitizer" "$1, 0 findings"
}

# The referee of the match is built without the sanitizer.
if wanted match; then cargo build --locked --release -p chuhe-arena; fi

export CARGO_TARGET_DIR="$plain/san-$sanitizer"
export RUSTFLAGS="${flags[*]}"
# Tests request more memory than there can be.
export TSAN_OPTIONS="halt_on_error=1 allocator_may_return_null=1" ASAN_OPTIONS="detect_leaks=0 allocator_may_return_null=1"
cargo_flags=(--locked --target "$host")
case $sanitizer in
    thread)
        if [[ -e "$(rustc +nightly --print sysroot)/lib/rustlib/src/rust/library/Cargo.lock" ]]; then
            cargo_flags+=(-Zbuild-std)
        else
            # The standard library is not instrumented, so its internals look like races.
            TSAN_OPTIONS+=" suppressions=$PWD/ci/tsan.supp"
        fi
        cat >"$faulty/program.rs" <<'RUST'
static mut WORD: u64 = 0;
fn main() {
    let add = || unsafe { WORD += 1 };
    let workers = [std::thread::spawn(add), std::thread::spawn(add)];
    workers.into_iter().for_each(|worker| worker.join().unwrap());
}
RUST
        ;;
    address)
        cat >"$faulty/program.rs" <<'RUST'
fn main() {
    let block = Box::into_raw(Box::new(std::env::args().count()));
    unsafe { drop(Box::from_raw(block)) };
    println!("{}", unsafe { *block });
}
RUST
        ;;
esac

rustc +nightly --target "$host" --edition 2024 -g "${flags[@]}" -o "$faulty/program" "$faulty/program.rs"
if "$faulty/program" 2>/dev/null; then
    echo "san.sh: FAILED: the fault was not found, so a clean run proves nothing" >&2
    exit 1
fi
echo "san.sh: the fault is found, as it must be"

if wanted tests; then
    if [ "$sanitizer" = thread ]; then
        # One test at a time: tests share only the test harness with each other, which is not under test.
        cargo +nightly test "${cargo_flags[@]}" --lib -- --test-threads=1 smp::
        cargo +nightly test "${cargo_flags[@]}" --test table --test engine -- --test-threads=1
    else
        # The skipped unit tests limit the address space, all of which the sanitizer takes.
        cargo +nightly test "${cargo_flags[@]}" --lib -- --skip what_the_address_space_cannot_hold
        cargo +nightly test "${cargo_flags[@]}" --test engine --test table --test files --test options --test search --test rules
    fi
    clean "its tests"
fi

if wanted match; then
    cargo +nightly build "${cargo_flags[@]}" --bin chuhe
    engine=(-engine "cmd=$CARGO_TARGET_DIR/$host/debug/chuhe" nodes=2000 option.hashsize=16 option.threads=2)
    told=$("$plain/release/chuhe-arena" "${engine[@]}" name=one ponder "${engine[@]}" name=two -each proto=ucci \
        -startup-ms 120000 -ping-ms 120000 -openings file=tools/arena/openings/random8.epd order=random -seed 1 \
        -rounds $((GAMES / 2)) -maxmoves 60 -force) || true
    tail -n 3 <<<"$told"
    played=$(grep -c '^Finished game' <<<"$told" || true)
    if [ "$played" -lt "$GAMES" ] || grep -q '^Failures of' <<<"$told"; then
        grep '^Failures of' <<<"$told" >&2 || true
        echo "san.sh: FAILED: $played games of $GAMES, or not all without a fault" >&2
        exit 1
    fi
    clean "$played games of two threads"
fi
