#!/usr/bin/env bash
# Solves endings of two attackers that others have counted too, holds every entry against its successors and the counts against
# theirs: on the full board, for either side to move, and the longest way to the mate; and, of three endings with attackers on both
# sides, the draws that are none under every rule. The tables stay in CHUHE_ENDGAMES, default target/endgames, and are not made
# again.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --locked --release --quiet -p chuhe-endgame
tool=${CARGO_TARGET_DIR:-target}/release/chuhe-endgame
export CHUHE_ENDGAMES=${CHUHE_ENDGAMES:-target/endgames}

"$tool" generate KR-KAABB KNP-KAABB KCP-KAABB KR-KNA KR-KCA
"$tool" verify
told=$("$tool" stats --mates KR-KAABB KNP-KAABB KCP-KAABB)
echo "$told"

# expect MATERIAL FORCE COUNTS PLIES: what has to be said of the side with that force to move; PLIES is a pattern.
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

# open MATERIAL COUNT: so many draws, whoever is to move, are held by checks or threats alone.
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
