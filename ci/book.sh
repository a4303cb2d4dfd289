#!/usr/bin/env bash
# Makes the book that is part of the program, src/book/embedded.book, from the program's own analysis:
#   book.sh [NODES for each move of a position, 200000] [ENGINES at the same time, 1]
# It begins with the first moves and replies that masters play (src/book/first-moves.txt), so that the book has an answer to
# each of them. The same command continues an interrupted run. A search on one thread is reproducible to the node, so the
# same engine makes the same book. Build with `cargo build --release --workspace` first.
set -euo pipefail
cd "$(dirname "$0")/.."

nodes=${1:-200000} jobs=${2:-1}
bin=${CARGO_TARGET_DIR:-target}/release
work=$bin/book
mkdir -p "$work"

# Searches POSITIONS where the book BEFORE ends, the likeliest first, and makes the book AFTER:
#   extend BEFORE AFTER POSITIONS [WORD of grow...]
# Scores found after a move are better than those found before it. Moves that turn out bad get weight 0 and are not
# played, but the replies to them are kept.
extend() {
    local before=$1 after=$2 positions=$3
    shift 3
    if [ -e "$after" ]; then
        return
    fi
    "$bin/book-tools" grow "$before" -o "$after.grown" --engine "$bin/chuhe" --proto uci --option Hash=64 --option Threads=1 \
        --nodes "$nodes" --positions "$positions" --moves 3 --margin 40 --jobs "$jobs" --resume "$@"
    "$bin/book-tools" minimax "$after.grown" -o "$after" --weigh 12
}

"$bin/book-tools" build src/book/first-moves.txt -o "$work/first.book"
# First wide: a line that the opponent leaves is of no use. Then deep, where one side plays its best moves; twice, because
# the first round finds better moves, which have no lines yet.
extend "$work/first.book" "$work/wide.book" 8000 --plies 24 --step 12
extend "$work/wide.book" "$work/deep.book" 8760 --plies 28 --step 10 --repertoire
extend "$work/deep.book" "$work/deeper.book" 4000 --plies 28 --step 10 --repertoire
cp "$work/deeper.book" src/book/embedded.book
"$bin/book-tools" verify src/book/embedded.book
"$bin/book-tools" stats src/book/embedded.book
