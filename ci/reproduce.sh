#!/usr/bin/env bash
# Checks that ci/dist.py makes the same bytes out of two clean clones of the newest commit, in folders of different names:
#   reproduce.sh [TARGET]
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset CARGO_TARGET_DIR
for clone in here "over there/and deeper"; do
    git clone --quiet . "$folder/$clone"
    "$folder/$clone/ci/dist.py" "$@"
    # Cargo works in that folder too, and records its path.
    (cd "$folder/$clone/target/dist" && find chuhe-* -type f -exec sha256sum {} + | sort -k 2) >"$folder/sums.${clone%% *}"
done
cat "$folder/sums.here"
if ! cmp "$folder/sums.here" "$folder/sums.over"; then
    diff "$folder/sums.here" "$folder/sums.over" >&2 || true
    echo "reproduce.sh: the same commit gave other bytes in another folder" >&2
    exit 1
fi
echo "reproduce.sh: the same bytes twice, of $(git rev-parse --short HEAD) by $(rustc --version)"
