#!/usr/bin/env bash
# Feeds the readers of the engine with whatever libFuzzer thinks of: fuzz.sh [SECONDS for each target, 60] [TARGETS].
# Needs a nightly compiler and cargo-fuzz (cargo install cargo-fuzz). What it finds lies in tools/fuzz/artifacts, what it
# has learnt in tools/fuzz/corpus; the first words are those of the dialogues and positions of the tests.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
shift || true
if ! cargo +nightly fuzz --version >/dev/null 2>&1; then
    echo "fuzz.sh: install the nightly toolchain and cargo-fuzz: cargo install cargo-fuzz" >&2
    exit 1
fi

cd tools/fuzz
[ $# -gt 0 ] || set -- $(cargo +nightly fuzz list --fuzz-dir .)

# The dialogues of the tests as their users' sides, the positions as they are.
seed() {
    local folder=corpus/$1
    mkdir -p "$folder"
    case $1 in
        lines | talk)
            for file in ../../tests/data/dialogues/*.txt; do
                { [ "$1" = lines ] || printf 'a'; sed -n 's/^> //p' "$file"; } >"$folder/$(basename "$file" .txt)"
            done
            ;;
        moves) sed -n 's/^> position //p' ../../tests/data/dialogues/*.txt | split -l 1 -a 4 - "$folder/seed" ;;
        options) sed -n 's/^> setoption //p' ../../tests/data/dialogues/*.txt >"$folder/dialogues" ;;
        fen) cut -d';' -f1 ../../tests/data/openings.epd | split -l 1 -a 4 - "$folder/seed" ;;
    esac
}

for target in "$@"; do
    seed "$target"
    echo "== $target, $seconds s"
    # Leaks are no subject: a worker that ends late is joined. A conversation may wait for a search.
    cargo +nightly fuzz run --fuzz-dir . "$target" -- -max_total_time="$seconds" -dict=words.dict -timeout=60 \
        -max_len=4096 -detect_leaks=0 -print_final_stats=0 -verbosity=0
done
