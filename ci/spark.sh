#!/usr/bin/env bash
# Checks that the same tuples make the same book, byte for byte, with book-tools alone, with DuckDB and with Spark on a cluster
# of two workers. DuckDB and Spark group the tuples by the query in docs/en/src/books.md.
#
# usage: spark.sh [TUPLES, 10000000] [MEMORY of a worker in MiB, 2048]
#
# Exit status 77: there is no Java, or python3 (or the one that PYTHON names) has no module pyspark or duckdb:
# `pip install pyspark duckdb`. The files are in TMPDIR and need some 60 bytes per tuple.
set -euo pipefail
cd "$(dirname "$0")/.."

tuples=${1:-10000000} memory=${2:-2048} python=${PYTHON:-python3}
for module in pyspark duckdb; do
    "$python" -c "import $module" 2>/dev/null || { echo "spark.sh: $python has no module $module, skipped"; exit 77; }
done
command -v java >/dev/null || { echo "spark.sh: there is no java, skipped"; exit 77; }

cargo build --locked --release -p book-tools --example synthetic --bin book-tools
bin=$(realpath "${CARGO_TARGET_DIR:-target}")/release
page=$PWD/docs/en/src/books.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# The page contains only one SQL query.
sed -n '/^```sql$/,/^```$/{/^```/d;p}' "$page" >group.sql
grep -q '^SELECT' group.sql || { echo "spark.sh: the page has no query" >&2; exit 1; }

timed() {
    local name=$1 start
    shift
    start=$(date +%s%N)
    "$@"
    echo "$name: $((($(date +%s%N) - start) / 1000000)) ms"
}

timed "tuples" "$bin/examples/synthetic" tuples "$tuples" played.parquet
timed "book-tools alone" "$bin/book-tools" build played.parquet -o alone.book --memory 1GiB

timed "DuckDB" "$python" -c '
import duckdb
duckdb.read_parquet("played.parquet").create_view("tuples")
duckdb.sql(open("group.sql").read()).write_parquet("duckdb.parquet")
'
timed "book of its groups" "$bin/book-tools" build duckdb.parquet -o duckdb.book --memory 1GiB
cmp alone.book duckdb.book
rm duckdb.parquet

cat >group.py <<'PYTHON'
import sys
from pyspark.sql import SparkSession

memory = int(sys.argv[1])
builder = SparkSession.builder.master(f"local-cluster[2,1,{memory}]").appName("books")
options = {
    "spark.executor.memory": f"{memory}m",
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "16",
    "spark.log.level": "ERROR",
}
for name, value in options.items():
    builder = builder.config(name, value)
spark = builder.getOrCreate()
spark.read.parquet("played.parquet").createOrReplaceTempView("tuples")
spark.sql(open("group.sql").read()).write.parquet("grouped")
# The map includes the driver.
executors = spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1
print(spark.version, spark.sparkContext.master, executors, "executors")
spark.stop()
assert executors == 2
PYTHON
# The workers look for Spark's programs in this folder, and keep their work files there too.
mkdir home local
ln -s "$("$python" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')"/* home
export SPARK_HOME=$work/home SPARK_LOCAL_DIRS=$work/local SPARK_LOCAL_IP=127.0.0.1 PYSPARK_PYTHON=$python
spark() { "$python" group.py "$memory" 2>said || { cat said >&2; return 1; }; }
timed "Spark" spark
timed "book of its groups" "$bin/book-tools" build grouped/*.parquet -o spark.book --memory 1GiB
cmp alone.book spark.book
"$bin/book-tools" verify spark.book
echo "spark.sh: the same book of $tuples tuples three times, $(stat -c %s alone.book) bytes"
