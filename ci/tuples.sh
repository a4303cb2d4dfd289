#!/usr/bin/env bash
# Measures the sorting and grouping of tuples within 1 GiB:
#   tuples.sh [TUPLES, 100000000] [LINES for sort(1), a twentieth of them]
# `build`, DuckDB on the same tuples as Parquet with the query of docs/en/src/books.md ordered by key and move, and
# sort(1) with uniq on text. Each prints its tuples per second and its peak memory; DuckDB's figures include the start of
# python3, and it is skipped if there is no module duckdb. The tuples are the same every time; the files are in TMPDIR and
# need some 50 bytes per tuple.
set -euo pipefail
cd "$(dirname "$0")/.."

tuples=${1:-100000000} lines=${2:-$((${1:-100000000} / 20))}
cargo build --locked --release -p book-tools --example synthetic --bin book-tools
bin=$(realpath "${CARGO_TARGET_DIR:-target}")/release
page=$PWD/docs/en/src/books.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Measures seconds and memory with getrusage of the children, so that only python3 is needed.
measure() {
    local name=$1 count=$2
    shift 2
    python3 - "$name" "$count" "$@" <<'PYTHON'
import resource, subprocess, sys, time
name, count, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
start = time.monotonic()
status = subprocess.run(command, stdout=subprocess.DEVNULL).returncode
seconds = time.monotonic() - start
if status:
    sys.exit(f"tuples.sh: {name} failed with status {status}")
memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
print(f"{name:28} {count:>12} tuples {seconds:8.2f} s {count / seconds / 1e6:7.3f} M/s {memory:6} MiB", flush=True)
PYTHON
}

"$bin/examples/synthetic" tuples "$tuples" played.tuples
"$bin/examples/synthetic" tuples "$tuples" played.parquet
ls -l played.tuples played.parquet | awk '{ print $NF, $5, "bytes" }'

measure "build, .tuples" "$tuples" "$bin/book-tools" build played.tuples -o tuples.book --memory 1GiB
measure "build, .parquet" "$tuples" "$bin/book-tools" build played.parquet -o parquet.book --memory 1GiB
cmp tuples.book parquet.book

if python3 -c 'import duckdb' 2>/dev/null; then
    { sed -n '/^```sql$/,/^```$/{/^```/d;p}' "$page" && echo "ORDER BY key, move"; } >group.sql
    measure "DuckDB, query and order" "$tuples" python3 -c '
import duckdb
base = duckdb.connect("base.duckdb", config={"memory_limit": "1GB"})
base.read_parquet("played.parquet").create_view("tuples")
base.sql(open("group.sql").read()).write_parquet("grouped.parquet")
'
    measure "build, its groups" "$tuples" "$bin/book-tools" build grouped.parquet -o grouped.book --memory 1GiB
    cmp tuples.book grouped.book
else
    echo "DuckDB: python3 has no module duckdb (pip install duckdb), left out"
fi

# Sixteen bytes as hexadecimal digits: key, then the rest; sort(1) has the same memory and the same number of threads.
head -c $((16 * lines)) played.tuples | od -An -v -t x8 -w16 >played.txt
measure "sort(1) and uniq -c, text" "$lines" \
    sh -c "LC_ALL=C sort -S 1G --parallel=$(nproc) -T . played.txt | uniq -c >counted.txt"
