#!/usr/bin/env bash
# A book of a million moves, each with a score, through every format that is written, and back, with times:
#   books.sh [GAMES, 33000]
# Fails if a move, a weight, a score or a mark differs after a conversion to .txt, .obk or .pfBook and back. A BOOK.DAT has no scores, and keys of 32
# bits: with a million moves some positions share one, so there the script prints what convert counts as lost and how much
# differs.
set -euo pipefail
cd "$(dirname "$0")/.."

games=${1:-33000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cargo build --quiet --release -p book-tools --bins --example synthetic
bin=$(realpath "${CARGO_TARGET_DIR:-target}")/release
book_tools=$bin/book-tools
"$bin/examples/synthetic" games "$games" "$folder/games.pgn"

TIMEFORMAT='%1R s, %1U s of processor time'
timed() {
    printf '%-34s ' "$1"
    shift
    time "$@" >"$folder/said"
}

# Prints the records of a book, without the header, which says what a database cannot: the plies and the sources.
records() {
    "$book_tools" dump "$1" | tail -n +2
}

cd "$folder"
timed "build" "$book_tools" build games.pgn -o played.book --weights win=2,draw=1,loss=1,unknown=1
"$book_tools" build games.pgn --tuples played.tuples >said
timed "minimax" "$book_tools" minimax played.book -o a.book --games played.tuples
"$book_tools" set a.book startpos a0a2 forbidden >said
"$book_tools" stats a.book | head -n 2
for ending in txt obk pfBook; do
    timed "a.book to .$ending" "$book_tools" convert a.book "a.$ending"
    timed ".$ending to a book" "$book_tools" convert "a.$ending" "$ending.book"
    differs=$("$book_tools" diff a.book "$ending.book" --json)
    echo ".$ending: $(stat -c %s "a.$ending") bytes, $differs"
    cmp <(records a.book) <(records "$ending.book")
done
timed "a.book to .dat" "$book_tools" convert a.book a.dat --allow-loss
cat said
timed ".dat to a book" "$book_tools" convert a.dat dat.book --rekey --allow-loss
cat said
echo ".dat: $(stat -c %s a.dat) bytes, $("$book_tools" diff a.book dat.book --json)"
for ending in obk pfBook; do
    timed "open .$ending, one position" "$book_tools" probe "a.$ending"
done
