#!/usr/bin/env bash
# Plays the matches of the manual's measurements, each by its name; nothing else should run at the same time.
#
# usage: match.sh NAME [GAMES]
#   fairy      fairy-stockfish, 10 s + 0.1 s, one thread and 64 MiB each, two games at a time          (200)
#   short      fairy-stockfish, 3 s + 0.03 s, one game at a time                                       (40)
#   hoi        hoixiangqi, 5 s + 0.05 s, two games at a time                                            (20)
#   sjaak      sjaakii, 5 s + 0.05 s, two games at a time                                               (20)
#   threads    two threads against one, 2 s + 0.02 s, one game at a time                               (200)
#   quick      the engine against itself, 0.5 s + 0.005 s, two games at a time                        (1000)
#   busy       like quick, while two busy loops run                                                    (100)
#   book       the embedded book against none, 3 s + 0.03 s, two games at a time, from the first      (3000)
#              moves of masters, as an SPRT [0, 10]; also prints the average time left on the clocks
#
# The same command continues an interrupted match: finished games are kept in CHUHE_MATCHES, default target/matches. The
# engine is that of `cargo build --release --workspace`, or CHUHE_MATCH_ENGINE; the others are Debian's. All games are judged
# by the Asian rules. Fails if our engine plays an illegal move, loses on time, crashes or hangs.
set -euo pipefail
cd "$(dirname "$0")/.."

match=${1:?"match.sh: say which: fairy, short, hoi, sjaak, threads, quick, busy or book"}
bin=${CARGO_TARGET_DIR:-target}/release
kept=${CHUHE_MATCHES:-target/matches}
mkdir -p "$kept"

engines=() games=20 concurrency=2 busy_loops=0 sprt=()
openings=(-openings file=tools/arena/openings/random8.epd order=random -seed 1)
ours() { engines+=(-engine cmd="${CHUHE_MATCH_ENGINE:-$bin/chuhe}" proto=ucci option.hashsize=64 "$@"); }
theirs() {
    local program
    # Debian installs games in a folder that is not in every PATH.
    program=$(PATH=$PATH:/usr/games command -v "$1") || { echo "match.sh: $1 is not installed" >&2; exit 77; }
    # Only the other engine may exceed its time a little.
    engines+=(-engine cmd="$program" timemargin=500 "${@:2}")
}

# In UCCI it plays with the piece values of another variant until UCI_Variant is set: 1.3 pawns at the start position.
theirs_fairy() {
    theirs fairy-stockfish name=Fairy proto=uci option.UCI_Variant=xiangqi option.Hash=64 option.Threads=1
}

case $match in
    fairy)
        games=200 clock=10+0.1
        ours name=Chuhe option.usebook=false
        theirs_fairy
        ;;
    short)
        games=40 concurrency=1 clock=3+0.03
        ours name=Chuhe option.usebook=false
        theirs_fairy
        ;;
    hoi)
        clock=5+0.05
        ours name=Chuhe option.usebook=false
        theirs hoixiangqi name=HoiXiangqi proto=xboard
        ;;
    sjaak)
        clock=5+0.05
        ours name=Chuhe option.usebook=false
        theirs sjaakii name=SjaakII proto=xboard
        ;;
    threads)
        games=200 concurrency=1 clock=2+0.02
        ours name=Two option.usebook=false option.threads=2
        ours name=One option.usebook=false
        ;;
    quick | busy)
        games=1000 clock=0.5+0.005
        if [ "$match" = busy ]; then games=100 busy_loops=2; fi
        ours name=Chuhe option.usebook=false
        ours name=Again option.usebook=false
        ;;
    book)
        # A book shows nothing in random openings, where it is not used.
        games=3000 clock=3+0.03 sprt=(-sprt elo0=0 elo1=10 model=logistic alpha=0.05 beta=0.05)
        openings=(-openings file=tools/arena/openings/first-moves.epd order=random -seed 1)
        ours name=Book option.usebook=true
        ours name=None option.usebook=false
        ;;
    *) echo "match.sh: no match is called $match" >&2; exit 2 ;;
esac
games=${2:-$games}

trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
for _ in $(seq 1 "$busy_loops"); do
    while :; do :; done &
done

told=$("$bin/chuhe-arena" "${engines[@]}" -each tc="$clock" "${openings[@]}" -rules asian -rounds $(((games + 1) / 2)) \
    -concurrency "$concurrency" -maxmoves 300 -resign movecount=4 score=1200 twosided=true "${sprt[@]}" \
    -journal "$kept/$match.journal" -pgnout file="$kept/$match.pgn" | tee >(cat >&2))
if grep -Eq '^Failures of (Chuhe|Again|Two|One|Book|None)' <<<"$told"; then
    echo "match.sh: our engine has failed" >&2
    exit 1
fi

if [ "$match" = book ]; then
    # "tl=" precedes the seconds left after a move.
    awk -v moves=10 '
        function done() { if (plies >= 2 * moves) for (side = 0; side < 2; side++) end[name[side]] += left[side] }
        /^\[Game / { done(); plies = first = 0 }
        /^\[FEN / { first = $3 == "b" }
        /^\[Red / { gsub(/[]"]/, "", $2); name[0] = $2 }
        /^\[Black / { gsub(/[]"]/, "", $2); name[1] = $2 }
        /^[^[].*tl=/ {
            count = split($0, parts, "tl=")
            for (at = 2; at <= count; at++) {
                side = (plies + first) % 2
                left[side] = parts[at] + 0
                plies++
                if (plies == 2 * moves) for (side = 0; side < 2; side++) { then[name[side]] += left[side]; games[name[side]]++ }
            }
        }
        END {
            done()
            for (player in games) printf "Clock of %s: %.2f s after %d moves, %.2f s at the end (%d games)\n",
                player, then[player] / games[player], moves, end[player] / games[player], games[player]
        }' "$kept/$match.pgn"
fi
