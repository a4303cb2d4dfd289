#!/usr/bin/env bash
# The node count of `chuhe bench` is the checksum of the search: it is the same on every run, and it is what the newest
# commit with a `Bench: N` footer says.
set -euo pipefail
cd "$(dirname "$0")/.."

bench() {
    local line
    line=$(cargo run --locked --release --quiet -- bench | tail -n 1)
    if ! [[ $line =~ ^([0-9]+)\ nodes\ [0-9]+\ nps$ ]]; then
        echo "signature.sh: the last line of bench is not 'N nodes M nps' but '$line'" >&2
        return 1
    fi
    echo "$line" >&2
    echo "${BASH_REMATCH[1]}"
}

first=$(bench)
second=$(bench)
if [ "$first" != "$second" ]; then
    echo "signature.sh: two runs searched $first and $second nodes" >&2
    exit 1
fi

message=$(git log -1 --extended-regexp --grep='^Bench: [0-9]+$' --format=%B 2>/dev/null || true)
stated=$(sed -n 's/^Bench: \([0-9]*\)$/\1/p' <<<"$message" | tail -n 1)
if [ -z "$stated" ]; then
    echo "signature.sh: no commit here states a Bench; this one would be $first"
elif [ "$first" != "$stated" ]; then
    echo "signature.sh: bench is $first, the newest 'Bench:' footer says $stated" >&2
    echo "a change of the search that is meant needs its own footer: Bench: $first" >&2
    exit 1
else
    echo "bench is $first, as the newest footer says"
fi
