#!/usr/bin/env bash
# Tests a real client: XBoard plays games of two engines, both pondering, through its adapter UCI2WB. Each mode of the adapter
# plays both colours: UCCI, UCI, UCI's Cyclone dialect, and UCI as to an engine that plays chess first.
# xboard.sh [ENGINE] [LOG]: by default the engine is that of `cargo build --release`, and the log, without progress reports
# and the list of options, goes to standard output. Debian has all the packages: xboard, uci2wb, xvfb, xauth.
set -euo pipefail
cd "$(dirname "$0")/.."

PATH=$PATH:/usr/games
for tool in xboard uci2wb xvfb-run xauth; do
    if ! command -v "$tool" >/dev/null; then
        echo "xboard.sh: $tool is missing: apt-get install xboard uci2wb xvfb xauth" >&2
        exit 77
    fi
done
if [ -z "${1:-}" ]; then
    cargo build --locked --release
fi
engine=$(realpath "${1:-${CARGO_TARGET_DIR:-target}/release/chuhe}")
log=${2:+$(realpath "$2")}

# XBoard splits the engine's command at blanks, and keeps its settings in the home folder.
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
ln -s "$engine" "$home/chuhe"
cd "$home"

# The flags of UCI2WB; its default is none.
modes=(-x "" -c -f)

fail() { echo "xboard.sh: $*" >&2; tail -n 40 talk >&2; exit 1; }

# Ten moves of a second each; a game that is not over by then is drawn. XBoard quits after its match.
start_game() {
    rm -f talk game output
    HOME=$home timeout 120 xvfb-run -a xboard -variant xiangqi -fcp "uci2wb debug $1 ./chuhe" \
        -scp "uci2wb debug $2 ./chuhe" -matchGames 1 -searchTime 0:01 -adjudicateDrawMoves 10 -debugMode true \
        -nameOfDebugFile talk -saveGameFile game -popupMoveErrors false -popupExitMessage false -soundProgram "" \
        >output 2>&1
}

# The two threads of UCI2WB share a queue without a lock. On a busy machine it can lose a move, so that both sides wait, or
# deliver it twice.
adapter_failed() {
    grep -Eq 'Error \(unknown command\): *$|# position .* ([a-i][0-9]+[a-i][0-9]+) \1( |$)' talk
}

play() {
    for _ in 1 2 3; do
        ended=0
        start_game "$1" "$2" || ended=$?
        adapter_failed || { check_game "$ended"; return; }
        echo "xboard.sh: UCI2WB has lost a move, or heard it twice; the game is played again" >&2
    done
    fail "UCI2WB has failed in three games"
}

check_game() {
    [ "$1" -eq 0 ] || { cat output >&2; fail "XBoard has ended with $1"; }
    if grep -Eqi 'illegal|forfeit|exited unexpectedly|time flag|disconnect' talk output; then
        fail "XBoard complains"
    fi
    for side in first second; do
        moves=$(grep -Ec "<$side *: move " talk) || true
        [ "$moves" -ge 8 ] || fail "the $side engine has made only $moves moves"
    done
    grep -Eq '^\[Result "(1-0|0-1|1/2-1/2)"\]' game || fail "the game has no result"
}

tell() {
    echo "# Red: uci2wb${1:+ $1}, Black: uci2wb${2:+ $2}"
    sed 's/^\[Site .*/[Site "?"]/' game
    grep -E '[<>](first|second) *:' talk |
        grep -Ev '(first|second) *: (accepted|feature|option|# queue|# command option|# engine said: (info|option)| *[0-9]+ )' |
        awk '!/# setoption / || /UCI_Variant/'
    echo
}

{
    echo "# Kept by ci/xboard.sh: games, each followed by what XBoard said to (>) and heard from (<) the two adapters; after #"
    echo "# stands what the adapters said to their engines and heard from them."
    echo
} >told
for red in "${!modes[@]}"; do
    black=$(((red + 1) % ${#modes[@]}))
    play "${modes[red]}" "${modes[black]}"
    tell "${modes[red]}" "${modes[black]}" >>told
done
if [ -n "$log" ]; then cp told "$log"; else cat told; fi
