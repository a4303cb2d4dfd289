#!/usr/bin/env bash
# Solves endings of up to two attackers that others have counted too. Checks every entry against its successors, and checks the
# counts on the full board, for either side to move, and the longest mates against the published ones. Also checks three
# endings with attackers on both sides for draws that do not hold under every rule set. The tables are kept in CHUHE_ENDGAMES,
# default target/endgames, and are not made again.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --locked --release --quiet -p chuhe-endgame
tool=${CARGO_TARGET_DIR:-target}/release/chuhe-endgame
export CHUHE_ENDGAMES=${CHUHE_ENDGAMES:-target/endgames}

"$tool" generate KR-KAABB KNP-KAABB KCP-KAABB KR-KNA KR-KCA
"$tool" verify
told=$("$tool" stats --mates KR-KAABB KNP-KAABB KCP-KAABB)
echo "$told"

# expect MATERIAL FORCE COUNTS PLIES: the counts and the longest mate with the side with that force to move; PLIES is a pattern.
expect() {
    if ! grep -q "^$1, $2 .*to move: $3; longest .*; longest to the mate $4 plies\$" <<<"$told"; then
        echo "endgames.sh: $1, $2 to move, should be: $3, $4 plies" >&2
        exit 1
    fi
}
expect KR-KAABB KR '590094 won, 0 lost, 129438 drawn' 63
expect KR-KAABB KAABB '0 won, 432474 lost, 408288 drawn' '[0-9]*'
expect KNP-KAABB KNP '8997030 won, 0 lost, 29178606 drawn' 129
expect KNP-KAABB KAABB '0 won, 2342015 lost, 39980539 drawn' '[0-9]*'
expect KCP-KAABB KCP '1800624 won, 0 lost, 36334656 drawn' 131
expect KCP-KAABB KAABB '0 won, 292715 lost, 42029839 drawn' '[0-9]*'

# open MATERIAL COUNT: the number of draws, with either side to move, that are held only by checks or threats.
open() {
    local found
    found=$("$tool" stats "$1" | sed -n 's/.*, \([0-9]*\) open.*/\1/p' | awk '{ sum += $1 } END { print sum + 0 }')
    if [ "$found" != "$2" ]; then
        echo "endgames.sh: $1 has $found open draws, not $2" >&2
        exit 1
    fi
}
open KR-KN 3194
open KR-KNA 13826
open KR-KCA 540
echo "the counts are those that are known"
