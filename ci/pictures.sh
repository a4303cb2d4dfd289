#!/usr/bin/env bash
# Draws the boards of the manual as SVG: pictures.sh [FOLDER, default docs/pictures]
# A move behind the FEN becomes an arrow.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH=$PATH:${HOME:-/root}/.cargo/bin

folder=${1:-docs/pictures}
mkdir -p "$folder"
cargo build --locked --quiet -p chuhe-games --example board_svg
program=${CARGO_TARGET_DIR:-target}/debug/examples/board_svg

# board NAME FEN [MOVE...]
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
