#!/usr/bin/env bash
# Solves a material twice, in memory and with a limited memory, and compares the files. The second process cannot have more
# than LIMIT MiB of addresses, so that it fails if it needs more.
#
# usage: less-memory.sh [MATERIAL [LIMIT]]     default KRNPP-K, which takes 3 GiB in memory, and 1024
#
# The tables are kept in CHUHE_LESS_MEMORY, default target/less-memory, and are not made again: killed, the script goes on
# after the last finished table. Scratch files are in the same folder. Each of the two takes up to a quarter of an hour of a
# processor, for the default. Prints the peak of the memory where GNU time is installed.
set -euo pipefail
cd "$(dirname "$0")/.."

material=${1:-KRNPP-K}
limit=${2:-1024}
folder=${CHUHE_LESS_MEMORY:-target/less-memory}
mkdir -p "$folder"/{memory,limited}
cargo build --locked --release --quiet -p chuhe-endgame
tool=${CARGO_TARGET_DIR:-target}/release/chuhe-endgame

measured=()
if /usr/bin/time -f %M true 2>/dev/null; then
    measured=(/usr/bin/time -f "$material: %M KiB at most, %U + %S s of a processor, %e s")
fi
"${measured[@]}" "$tool" generate "$material" --folder "$folder/memory"
# The smaller tables are the same in any case.
for file in "$folder"/memory/*; do
    case $(basename "$file") in "$material".*) ;; *) cp -n "$file" "$folder/limited/" ;; esac
done
(
    ulimit -v $((limit * 1024))
    "${measured[@]}" "$tool" generate "$material" --folder "$folder/limited" --memory $((limit * 4 / 5))
)
for file in "$material".wdl "$material".dtc; do
    cmp "$folder/memory/$file" "$folder/limited/$file"
done
echo "less-memory.sh: the tables of $material are the same"
