#!/usr/bin/env bash
# Tests the engine on an overloaded machine: losses on time in twenty niced games at once, the overrun of `go movetime 60` with
# twenty engines at once, and games at the shortest clock next to busy loops. Nothing else should run at the same time.
#
# usage: overload.sh [games | movetime | loops]       default: all, some five minutes on two processors
#
# Three pairs play twenty games each at 1 s for the whole game, then at 1 s + 0.05 s, with at most 40 moves a side: the
# engine against itself, against fairy-stockfish, and against itself with a `moveoverhead` of 50. Then twenty engines at once
# search for 60 ms ten times, the engine and fairy-stockfish in turn, three rounds. Finally the engine plays itself at
# 0.1 s + 0.001 s, one game at a time, next to two busy loops of the same niceness.
#
# The engines are that of `cargo build --release --workspace`, or CHUHE_MATCH_ENGINE, and Debian's fairy-stockfish. Prints
# figures. Fails if the engine loses on time at 1 s for the game, if it loses on time more often at 1 s + 0.05 s than the
# better of the other two, if its average overrun is larger than that of fairy-stockfish, or if games are not played.
set -euo pipefail
cd "$(dirname "$0")/.."

what=${1:-all}
case $what in
    all | games | movetime | loops) ;;
    *) echo "overload.sh: games, movetime or loops, not $what" >&2; exit 2 ;;
esac
bin=${CARGO_TARGET_DIR:-target}/release
ours=${CHUHE_MATCH_ENGINE:-$bin/chuhe}
fairy=$(PATH=$PATH:/usr/games command -v fairy-stockfish) || { echo "overload.sh: fairy-stockfish is not installed" >&2; exit 77; }
made=$(mktemp -d)
loops=()
trap 'rm -rf "$made"; [ ${#loops[@]} = 0 ] || kill "${loops[@]}"' EXIT
wanted() { [ "$what" = all ] || [ "$what" = "$1" ]; }

# pair CLOCK NAME ENGINE...: twenty games of the engine against this one, all at once, or `at_once`, of at most `longest` moves.
pair() {
    local clock=$1 name=$2
    shift 2
    nice -n 10 "$bin/chuhe-arena" -engine cmd="$ours" proto=ucci option.hashsize=16 option.usebook=false name=Chuhe \
        -engine name="$name" "$@" -each tc="$clock" -openings file=tools/arena/openings/random8.epd order=random -seed 3 \
        -rounds 10 -concurrency "${at_once:-20}" -force -maxmoves "${longest:-40}" -pgnout file="$made/$clock.$name.pgn" >"$made/log" 2>&1 ||
        { tail -n 5 "$made/log" >&2; exit 1; }
}

# lost CLOCK NAME: the number of games that this player lost on time.
lost() {
    cat "$made/$1".*.pgn | awk -v name="$2" '
        function done() { if (late && result == (red == name ? "0-1" : "1-0") && (red == name || black == name)) count++ }
        /^\[Game / { done(); late = 0 }
        /^\[Red / { red = $2; gsub(/[]"]/, "", red) }
        /^\[Black / { black = $2; gsub(/[]"]/, "", black) }
        /^\[Result / { result = $2; gsub(/[]"]/, "", result) }
        /^\[Termination .*time/ { late = 1 }
        END { done(); print count + 0 }'
}

failed=0
if wanted games; then
    # Fairy-Stockfish answers to UCCI too, but plays with the piece values of another variant until UCI_Variant is set.
    for clock in 1+0 1+0.05; do
        pair $clock Again cmd="$ours" proto=ucci option.hashsize=16 option.usebook=false
        pair $clock Fairy cmd="$fairy" proto=uci option.UCI_Variant=xiangqi option.Hash=16 option.Threads=1
        pair $clock Fifty cmd="$ours" proto=ucci option.hashsize=16 option.usebook=false option.moveoverhead=50
        chuhe=$(lost $clock Chuhe) again=$(lost $clock Again) fairies=$(lost $clock Fairy) fifty=$(lost $clock Fifty)
        echo "$clock: lost on time: Chuhe $chuhe of 60, again $again of 20, fairy-stockfish $fairies of 20, moveoverhead 50 $fifty of 20"
        # The two of them play eighty games in total; the others twenty each.
        allowed=0
        if [ $clock != 1+0 ]; then allowed=$((4 * (fairies < fifty ? fairies : fifty))); fi
        if [ $((chuhe + again)) -gt $allowed ]; then failed=1; fi
    done
fi

# overrun COMMAND: the overruns in milliseconds of twenty such engines at once, one per line.
overrun() {
    for _ in $(seq 20); do
        coproc_free "$1" &
    done
    wait
}

# One engine: ten searches, each timed.
coproc_free() {
    exec 2>/dev/null
    coproc ENGINE { exec nice -n 10 "$1"; }
    local in=${ENGINE[1]} out=${ENGINE[0]} line begun
    tell() { printf '%s\n' "$1" >&"$in"; }
    await() { while read -r line <&"$out" && [ "${line%% *}" != "$1" ]; do :; done; }
    tell uci
    await uciok
    tell 'setoption name UCI_Variant value xiangqi'
    tell 'setoption name Hash value 16'
    tell 'setoption name Threads value 1'
    tell isready
    await readyok
    for _ in $(seq 10); do
        tell 'position startpos'
        begun=${EPOCHREALTIME/./}
        tell 'go movetime 60'
        await bestmove
        echo $(((${EPOCHREALTIME/./} - begun) / 1000 - 60))
    done
    tell quit
}

# mean FILE, worst FILE
mean() { awk '{ sum += $1 } END { printf "%d\n", sum / NR }' "$1"; }
if wanted movetime; then
    for _ in 1 2 3; do
        overrun "$ours" >>"$made/ours"
        overrun "$fairy" >>"$made/fairy"
    done
    for who in ours fairy; do
        # Three times twenty engines with ten searches each: an engine that has not answered is not in the figures.
        answers=$(wc -l <"$made/$who")
        [ "$answers" -eq 600 ] || { echo "movetime 60, $who: $answers answers of 600" >&2; failed=1; continue; }
        echo "movetime 60, $who: mean overrun $(mean "$made/$who") ms, worst $(sort -n "$made/$who" | tail -n 1) ms"
    done
    if [ "$failed" = 0 ] && [ "$(mean "$made/ours")" -gt "$(mean "$made/fairy")" ]; then failed=1; fi
fi

if wanted loops; then
    for _ in 1 2; do
        nice -n 10 bash -c 'while :; do :; done' &
        loops+=($!)
    done
    at_once=1 longest=200 pair 0.1+0.001 Again cmd="$ours" proto=ucci option.hashsize=16 option.usebook=false
    echo "0.1+0.001 beside two busy loops: lost on time: $(($(lost 0.1+0.001 Chuhe) + $(lost 0.1+0.001 Again))) of 20 games"
fi
exit $failed
