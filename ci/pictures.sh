#!/usr/bin/env bash
# Draws the pictures of the README and the manual: pictures.sh [FOLDER, default docs/pictures]
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH=$PATH:${HOME:-/root}/.cargo/bin

folder=$(realpath -m "${1:-docs/pictures}")
mkdir -p "$folder"
cargo build --locked --quiet -p chuhe -p chuhe-arena -p book-tools --bins
cargo build --locked --quiet -p chuhe-games --example board_svg
built=${CARGO_TARGET_DIR:-target}/debug
program=$built/examples/board_svg

# board NAME FEN [MOVE...]: a move after the FEN becomes an arrow.
board() {
    local name=$1 fen=$2
    shift 2
    # Half a page wide: without a width, a picture fills the line.
    "$program" coordinates=iccs "${@/#/arrow=}" "$fen" | sed '1s/<svg /<svg width="360" /' >"$folder/$name.svg"
}

# The loops of the page on rules of repetition: the first move of each side.
board loop-check "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w" f0e0 e8f8
board loop-chase "2ba1k3/4a4/b8/7R1/9/9/1r2p4/9/4A4/2B1KAB1c w" h6i6 i0h0
board loop-protected "2b1ka3/4a4/4b4/9/9/9/9/4B3R/4A1rc1/4KA3 w" i2h2 h1i1
board loop-pawn "3akabC1/9/4b4/7P1/2n6/8p/3p5/9/4A1c2/2BAK1B1C w" g0i2 g1i1
board loop-mate-threat "3aka3/4n4/4b4/4C4/p3p3p/9/2c6/2C6/4K4/9 w" c2g2 c3g3
board loop-pinned-rook "3aka3/C4rN2/4b1n2/N7p/2p3p2/8P/2P3P2/9/4A4/4KA3 w" a6b8 f9e8

# analysis NAME DEPTH MOVE...: the position after the moves, and the three best moves with scores, chances and variations.
analysis() {
    local name=$1 depth=$2 said fen last arrows
    shift 2
    said=$(printf '%s\n' "setoption name MultiPV value 3" "setoption name UCI_ShowWDL value true" "position startpos moves $*" \
        d "go depth $depth" | "$built/chuhe")
    fen=$(sed -n 's/^Fen: //p' <<<"$said")
    last=${*: -1}
    mapfile -t arrows < <(awk -v depth="$depth" '
        $3 == depth && $6 == "multipv" { last[$7] = $0 }
        END { for (line = 1; line in last; line++) print last[line] }' <<<"$said" | sed 's/.* pv \([a-i0-9]*\).*/arrow=\1/')
    {
        echo '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 980 632" width="980" height="632">'
        echo '<rect width="980" height="632" rx="10" fill="#faf6ee"/>'
        "$program" coordinates=iccs "last=$last" "${arrows[@]}" "$fen" | sed '1s/<svg /<svg width="572" height="632" /'
        panel "$depth" <<<"$said"
        echo '</svg>'
    } >"$folder/$name.svg"
}

# The column beside the board: the last lines that the engine has said of each variation.
panel() {
    awk -v depth="$1" '
        function text(x, y, size, colour, words) {
            printf "<text x=\"%d\" y=\"%d\" font-size=\"%d\" fill=\"%s\">%s</text>\n", x, y, size, colour, words
        }
        function bar(x, y, width, colour) {
            printf "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"12\" fill=\"%s\"/>\n", x, y, width, colour
        }
        $3 == depth && $6 == "multipv" {
            for (at = 1; at < NF; at++) {
                if ($at == "multipv") line = $(at + 1)
                if ($at == "cp") score[line] = $(at + 1)
                if ($at == "wdl") for (part = 1; part <= 3; part++) chance[line, part] = $(at + part)
                if ($at == "nodes") nodes = $(at + 1)
                if ($at == "pv") { pv[line] = ""; for (move = at + 1; move <= NF && move <= at + 8; move++) pv[line] = pv[line] " " $move }
            }
        }
        END {
            print "<g font-family=\"system-ui, DejaVu Sans, sans-serif\">"
            text(596, 52, 30, "#23211f", "Chuhe")
            text(596, 80, 16, "#6f6250", sprintf("depth %d, %.1f million nodes; a horse is 400", depth, nodes / 1e6))
            split("#b01e17 #cfc5b4 #23211f", colours, " ")
            for (line = 1; line in pv; line++) {
                y = 130 + 160 * (line - 1)
                split(pv[line], moves, " ")
                text(596, y, 24, "#1f6f45", moves[1])
                text(690, y, 24, "#23211f", (score[line] > 0 ? "+" : "") score[line])
                x = 596
                for (part = 1; part <= 3; part++) { bar(x, y + 16, 0.36 * chance[line, part], colours[part]); x += 0.36 * chance[line, part] }
                text(596, y + 52, 15, "#6f6250", sprintf("wins %.0f %%, draws %.0f %%, loses %.0f %%", chance[line, 1] / 10, chance[line, 2] / 10, chance[line, 3] / 10))
                text(596, y + 78, 16, "#23211f", substr(pv[line], 2))
            }
            print "</g>"
        }'
}

analysis analysis 16 h2e2 h9g7 h0g2 i9h9 i0h0 b9c7

# screenshot NAME PAGE FRAGMENT WIDTHxHEIGHT: a page in the browser, at twice the resolution of a small screen.
screenshot() {
    "${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1.5 --lang=en \
        --blink-settings=preferredColorScheme=1 --virtual-time-budget=5000 --window-size="${4/x/,}" \
        --screenshot="$folder/$1.png" "file://$2$3" >/dev/null 2>&1
}

if command -v "${CHROMIUM:-chromium}" >/dev/null 2>&1; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    # A real match, twenty games of twice the nodes against once, and a book of its own.
    "$built/chuhe-arena" -engine cmd="$built/chuhe" name="Chuhe, 20,000 nodes" nodes=20000 \
        -engine cmd="$built/chuhe" name="Chuhe, 10,000 nodes" nodes=10000 -each proto=uci \
        -openings file=tools/arena/openings/random8.epd order=sequential -rounds 10 -seed 1 \
        -pgnout file="$work/games.pgn" match_line=pv -report file="$work/report.html" >/dev/null
    screenshot report "$work/report.html" "" 1100x1250
    # The replay alone, without the tables above it.
    { cat "$work/report.html"; echo "<script>document.querySelectorAll('section:not(#viewer)').forEach(part => part.remove())</script>"; } \
        >"$work/replay.html"
    screenshot replay "$work/replay.html" "#game=1&ply=40" 1100x960
    "$built/book-tools" page src/book/embedded.book -o "$work/book.html" h2e2 h9g7 h0g2 b9c7
    screenshot book "$work/book.html" "" 1100x850
    # The page of the board in both languages: games and analysis in light colours, the whole game and a match in dark ones.
    CHUHE_BOARD_PICTURES=$folder cargo test --locked --quiet -p chuhe-board --test browser -- --ignored pictures_are_made >/dev/null
else
    echo "pictures.sh: no chromium, so the screenshots of the pages stay as they are" >&2
fi
