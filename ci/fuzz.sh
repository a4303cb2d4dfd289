#!/usr/bin/env bash
# Runs the fuzzers of the engine's and the tools' input parsers with libFuzzer:
#   fuzz.sh [--log] [SECONDS for each target, 60] [TARGETS]
# With --log each target adds a row to ci/soak/LOG.md, and small inputs that reached new code are packed into tools/fuzz/seeds,
# from where the next run begins.
# Uses the nightly compiler if there is one, otherwise the stable one with RUSTC_BOOTSTRAP; installs cargo-fuzz. Findings are
# put into tools/fuzz/artifacts, and the corpus is in tools/fuzz/corpus. The first inputs are the dialogues and positions of
# the tests, and recorded games if there are any in ../shared/data.
set -euo pipefail
cd "$(dirname "$0")/.."

log=no
if [ "${1:-}" = --log ]; then
    log=yes
    shift
fi
seconds=${1:-60}
shift || true
export PATH=$PATH:${HOME:-/root}/.cargo/bin
# zstd is built with -fmerge-all-constants, with which GCC 12 makes an array of constants static and still poisons it at the end
# of its scope: 15 lines of C that read such an array twice are enough for its address sanitizer to stop.
export CFLAGS="${CFLAGS:-} -fno-sanitize-address-use-after-scope"
if cargo +nightly --version >/dev/null 2>&1; then
    fuzz() { cargo +nightly fuzz "$@"; }
else
    export RUSTC_BOOTSTRAP=1
    fuzz() { cargo fuzz "$@"; }
fi
cargo fuzz --version >/dev/null 2>&1 || cargo install --locked cargo-fuzz

cd tools/fuzz
[ $# -gt 0 ] || set -- $(fuzz list --fuzz-dir .)

# Of the dialogues of the tests, the user's lines; the positions unchanged.
seed() {
    local folder=corpus/$1
    mkdir -p "$folder"
    if [ -f "seeds/$1.tar.xz" ] && command -v xz >/dev/null 2>&1; then tar -xf "seeds/$1.tar.xz" -C "$folder"; fi
    case $1 in
        lines | talk)
            for file in ../engines/dialogues/*.txt; do
                { [ "$1" = lines ] || printf 'a'; sed -n 's/^> //p' "$file"; } >"$folder/$(basename "$file" .txt)"
            done
            ;;
        moves) sed -n 's/^> position //p' ../engines/dialogues/*.txt | split -l 1 -a 4 - "$folder/seed" ;;
        options) sed -n 's/^> setoption //p' ../engines/dialogues/*.txt >"$folder/dialogues" ;;
        books)
            cp ../../src/book/embedded.book "$folder/"
            printf '\xd5\x56\x26\x05\xc7\xa4\x01\x00' >"$folder/eleeye"
            cp ../../tests/data/books/small.obk ../../tests/data/books/small.pfBook "$folder/"
            ;;
        games)
            # Each input begins with the number of its format.
            printf '\x00[FEN "4k4/9/9/9/9/9/9/9/4R4/4K4 w"]\n1. R5=4 (1. R5+2 {a}) 1-0\n1. h2e2 *' >"$folder/pgn"
            printf '\x00[Game "Chinese Chess"]\n1. 炮二平五 马８进７ 2. H2+3' >"$folder/chinese"
            { printf '\x01XQ\x0a' && head -c 1021 /dev/zero && printf '\x0a\x20\xf0\x00\x00\x00\x00\x00'; } >"$folder/xqf"
            printf '\x02[DhtmlXQ]\n[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\n[/DhtmlXQ]' >"$folder/dhtmlxq"
            printf '\x03h2e2 h9g7 h0g2\n1. C2=5 H8+7\n' >"$folder/list"
            { printf '\x04' && cat ../../tests/data/games/small.cbr; } >"$folder/cbr"
            { printf '\x05' && cat ../../tests/data/games/small.che; } >"$folder/che"
            { printf '\x06' && cat ../../tests/data/games/small.mxq; } >"$folder/mxq"
            for file in ../../../shared/data/ccgc/*.pgn ../../../shared/data/xqf/*; do
                [ ! -f "$file" ] || { case $file in *.xqf) printf '\x01' ;; *) printf '\x00' ;; esac; cat "$file"; } \
                    >"$folder/$(basename "$file")"
            done
            ;;
        tuples) head -c 5696 ../../src/book/embedded.book | tail -c 1600 >"$folder/records" ;;
        columns) printf '\x01\x00\x00\x00' >"$folder/tuples" && printf '\x02\x00\x00\x00' >"$folder/groups" ;;
        databases)
            rm -f "$folder/obk"
            sed -n 's/^startpos ; //p' ../../tests/data/games/chessdb.txt >"$folder/cloud"
            python3 - "$folder/obk" <<'PYTHON' || true
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as base:
    base.execute("PRAGMA page_size = 512")
    base.execute("CREATE TABLE bhobk (vkey, vmove, vscore, vwin, vdraw, vlost, vvalid, vmemo)")
    red = 0xA0CE2AF90C452F58 - (1 << 64)
    base.executemany("INSERT INTO bhobk VALUES (?, ?, 9, 2, 1, 0, 1, 'depth 7')", [(red, 0xAAA7), (0, 0x3A59)])
PYTHON
            ;;
        fen) cut -d';' -f1 ../../tests/data/openings.epd | split -l 1 -a 4 - "$folder/seed" ;;
    esac
}

# Most bytes of an input, and of all inputs of a target, to be kept in the repository.
readonly SMALL=300 ALL=60000

# keep TARGET: packs a minimal set of small inputs with the known coverage; the same inputs give the same archive.
keep() {
    local least
    least=$(mktemp -d)
    run "$1" "$least" "corpus/$1" -- -merge=1 -detect_leaks=0 >"$told" 2>&1
    mkdir -p seeds
    (cd "$least" && find . -type f -size "-${SMALL}c" -printf '%s %f\n' | sort -n |
        awk -v all=$ALL '{ sum += $1 } sum <= all { print $2 }' | sort |
        tar --no-recursion --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=644 -cJf "$OLDPWD/seeds/$1.tar.xz" -T -)
    rm -rf "$least"
}

# run TARGET WORDS...: runs the fuzzer of this target.
run() {
    local target=$1 needs=()
    shift
    case $target in games | tuples | columns | databases | journals | packs) needs=(--features tools) ;; esac
    fuzz run --fuzz-dir . "${needs[@]}" "$target" "$@"
}

# Targets that work with files leave them there.
TMPDIR=$(mktemp -d)
export TMPDIR
told=$TMPDIR/told
trap 'rm -rf "$TMPDIR"' EXIT
for target in "$@"; do
    seed "$target"
    echo "== $target, $seconds s"
    # The header of a book is one page.
    length=$([ "$target" = books ] && echo 65536 || echo 4096)
    # Leaks are not checked: a worker that ends late is joined. A conversation may wait for a search.
    status=0
    run "$target" "corpus/$target" -- -max_total_time="$seconds" -dict=words.dict -timeout=60 -max_len="$length" -detect_leaks=0 \
        -print_final_stats=1 >"$told" 2>&1 || status=$?
    # The error message is far above the end if a stack trace follows it.
    if [ "$status" != 0 ]; then grep -A 3 -E 'panicked at|ERROR: ' "$told" || true; tail -n 40 "$told"; fi
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$told")
    covered=$(grep -o 'cov: [0-9]* ft: [0-9]*' "$told" | tail -n 1 || true)
    if [ $log = yes ]; then
        [ "$status" != 0 ] || keep "$target"
        ../../ci/soak/log.py fuzz.sh "$target, $seconds s" "${runs:-0} executions, ${covered:-no coverage}, $((status != 0)) findings"
    else
        echo "$target: ${runs:-0} executions, ${covered:-no coverage}"
    fi
    [ "$status" = 0 ] || exit "$status"
done
