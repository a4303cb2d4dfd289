#!/usr/bin/env bash
# Builds the same books twice: from games, and from DuckDB's answer to the query in docs/en/src/books.md on the tuples of
# these games. Fails if a byte differs. Exit status 77: python3 has no module duckdb.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! python3 -c 'import duckdb' 2>/dev/null; then
    echo "duckdb.sh: python3 has no module duckdb (pip install duckdb), skipped"
    exit 77
fi
cargo build --locked -p book-tools --example synthetic --bin book-tools
bin=$(realpath "${CARGO_TARGET_DIR:-target}")/debug
page=$PWD/docs/en/src/books.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# The page contains only one SQL query.
sed -n '/^```sql$/,/^```$/{/^```/d;p}' "$page" >group.sql
grep -q '^SELECT' group.sql || { echo "duckdb.sh: the page has no query" >&2; exit 1; }
"$bin/examples/synthetic" games 2000 games.pgn

compare() {
    "$bin/book-tools" build games.pgn -o direct.book "$@" >/dev/null
    local filters=()
    # The other options are passed only to the step that makes the book.
    while [ $# -gt 0 ]; do
        case $1 in
            --min-ply | --max-ply | --min-rating) filters+=("$1" "$2"); shift ;;
            --finished | --one-sided) filters+=("$1") ;;
            *) rules+=("$1" "$2"); shift ;;
        esac
        shift
    done
    "$bin/book-tools" build games.pgn --tuples played.parquet "${filters[@]}" >/dev/null
    python3 -c '
import duckdb
duckdb.read_parquet("played.parquet").create_view("tuples")
duckdb.sql(open("group.sql").read()).write_parquet("grouped.parquet")
'
    for parquet in played grouped; do
        "$bin/book-tools" build "$parquet.parquet" -o "$parquet.book" "${filters[@]}" "${rules[@]}" >/dev/null
        cmp direct.book "$parquet.book"
    done
    "$bin/book-tools" verify grouped.book
}

rules=()
compare
rules=()
compare --min-ply 2 --max-ply 20 --finished --min-games 2 --min-score 45 --max-moves 3 --weights win=3,loss=1
rules=()
compare --min-rating 2000 --one-sided --max-ply 30
echo "duckdb.sh: the same books"
