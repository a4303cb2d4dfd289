#!/usr/bin/env bash
# Feeds the readers of the engine with whatever libFuzzer thinks of: fuzz.sh [SECONDS for each target, 60] [TARGETS].
# Uses the nightly compiler where there is one, otherwise the stable one with its locks open; installs cargo-fuzz. What it finds lies in tools/fuzz/artifacts, what it
# has learnt in tools/fuzz/corpus; the first words are those of the dialogues and positions of the tests.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
shift || true
export PATH=$PATH:${HOME:-/root}/.cargo/bin
if cargo +nightly --version >/dev/null 2>&1; then
    fuzz() { cargo +nightly fuzz "$@"; }
else
    export RUSTC_BOOTSTRAP=1
    fuzz() { cargo fuzz "$@"; }
fi
cargo fuzz --version >/dev/null 2>&1 || cargo install --locked cargo-fuzz

cd tools/fuzz
[ $# -gt 0 ] || set -- $(fuzz list --fuzz-dir .)

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
    fuzz run --fuzz-dir . "$target" -- -max_total_time="$seconds" -dict=words.dict -timeout=60 \
        -max_len=4096 -detect_leaks=0 -print_final_stats=0 -verbosity=0
done
