#!/usr/bin/env bash
# Makes the book that is part of the program, src/book/embedded.book, from the program's own analysis:
#   book.sh [POSITIONS, 400] [NODES for each move of each, 1000000] [ENGINES at the same time, 1]
# The same command continues an interrupted run. A search on one thread is reproducible to the node, so the same engine
# makes the same book. Build with `cargo build --release --workspace` first.
set -euo pipefail
cd "$(dirname "$0")/.."

positions=${1:-400} nodes=${2:-1000000} jobs=${3:-1}
bin=${CARGO_TARGET_DIR:-target}/release
work=$bin/book
mkdir -p "$work"

"$bin/book-tools" grow -o "$work/grown.book" --engine "$bin/chuhe" --proto uci --option Hash=64 --option Threads=1 \
    --nodes "$nodes" --positions "$positions" --plies 16 --moves 3 --margin 40 --jobs "$jobs" --resume
# Scores found after a move are better than those found before it. Moves that turn out bad get weight 0 and are not
# played, but the replies to them are kept.
"$bin/book-tools" minimax "$work/grown.book" -o src/book/embedded.book --weigh 12
"$bin/book-tools" verify src/book/embedded.book
"$bin/book-tools" stats src/book/embedded.book
