#!/usr/bin/env bash
# Checks the node count of `chuhe bench`, the checksum of the search: it must be the same on every run and with every
# instruction set of the machine, and equal to the `Bench: N` footer of the newest commit that has one.
set -euo pipefail
cd "$(dirname "$0")/.."

# The values of --cpu that this machine allows, from the error message about any other.
told=$(cargo run --locked --release --quiet -- --cpu abacus bench 2>&1 || true)
kernels=$(sed -n 's/^.*unknown instruction set .*(available: \(.*\)).*$/\1/p' <<<"$told" | tr -d ,)
if [ -z "$kernels" ]; then
    echo "signature.sh: the engine does not list its instruction sets: $told" >&2
    exit 1
fi

# bench KERNEL
bench() {
    local line
    line=$(cargo run --locked --release --quiet -- --cpu "$1" bench | tail -n 1)
    if ! [[ $line =~ ^([0-9]+)\ nodes\ [0-9]+\ nps$ ]]; then
        echo "signature.sh: the last line of bench is not 'N nodes M nps' but '$line'" >&2
        return 1
    fi
    echo "$line by $1" >&2
    echo "${BASH_REMATCH[1]}"
}

fastest=${kernels%% *}
# If there is only one instruction set, it runs twice.
others=${kernels#"$fastest"}
# The slowest takes longer than the others together, so they run at the same time.
counts=$(mktemp -d)
trap 'rm -rf "$counts"' EXIT
running=()
for kernel in ${others:-$fastest}; do
    bench "$kernel" >"$counts/$kernel" &
    running+=($!)
done
first=$(bench "$fastest")
for process in "${running[@]}"; do wait "$process"; done
for kernel in ${others:-$fastest}; do
    nodes=$(<"$counts/$kernel")
    if [ "$nodes" != "$first" ]; then
        echo "signature.sh: $fastest searched $first nodes, $kernel $nodes" >&2
        exit 1
    fi
done

message=$(git log -1 --extended-regexp --grep='^Bench: [0-9]+$' --format=%B 2>/dev/null || true)
stated=$(sed -n 's/^Bench: \([0-9]*\)$/\1/p' <<<"$message" | tail -n 1)
if [ -z "$stated" ]; then
    echo "signature.sh: no commit here states a Bench; this one would be $first"
elif [ "$first" != "$stated" ]; then
    echo "signature.sh: bench is $first, the newest 'Bench:' footer says $stated" >&2
    echo "a change of the search that is meant needs its own footer: Bench: $first" >&2
    exit 1
else
    echo "bench is $first by $(sed 's/ /, /g' <<<"$kernels"), as the newest footer says"
fi
