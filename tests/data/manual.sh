# Files that commands of the manual read, made by the programs in the PATH; tests/support/manual.rs runs this in a folder that
# looks like the repository after a build.

# Engines under names of their own.
for name in chuhe new old my-engine chuhe-tune; do
    ln -s "$PWD/target/release/chuhe" "$name"
done

# Commands may write into the sources.
cp -RL src copy
rm src
mv copy src

# Games, and books of other origins.
mkdir games
chuhe-arena -engine cmd=./new name=A -engine cmd=./old name=B -each nodes=20 option.usebook=false -rounds 2 -maxmoves 20 \
    -pgnout file=games/one.pgn >made.log 2>&1
printf '%s\n' '[Result "1/2-1/2"]' '' '1. 马八进七 卒７进１ 2. 炮二平四 马８进７ 3. 马二进三 车９平８ 4. 车一平二 1/2-1/2' >games/two.pgn
cp games/one.pgn masters.pgn
chuhe-arena -engine cmd=./new name=new -engine cmd=./old name=old -each nodes=20 option.usebook=false -rounds 2 -maxmoves 20 \
    -journal match.journal >>made.log 2>&1
printf '%s\n' 'startpos ; h2e2 3' 'startpos ; b2e2 1' >list.txt
printf 'move:h2e2,score:1,rank:2,note:! (44-03),winrate:50.08|move:c3c4,score:0,rank:2' >answer.txt
book-tools build games/*.pgn -o my.book >>made.log
book-tools import-moves mine.book list.txt >>made.log
book-tools import-moves theirs.book list.txt >>made.log
cp mine.book scored.book
book-tools convert theirs.book BOOK.DAT >>made.log
book-tools convert theirs.book shared.obk >>made.log

# Games for training.
chuhe-selfplay generate -games 100 -chunk 100 -seed 1 -soft 20 -network src/eval/nnue/embedded.nnue -out data >>made.log 2>&1

# A stand-in for `python -m chuhe_cluster`, which needs Ray: the same work, one piece after the other, without a cluster.
mkdir bin
cat >bin/python <<'END'
#!/bin/sh
set -e
case "$1 $2 $3 $4" in
    "-m chuhe_cluster --local-nodes 2" | "-m chuhe_cluster --local-workers 2") ;;
    *) echo "not known here: $*" >&2; exit 2 ;;
esac
task=$5
shift 5
while [ "$1" != -- ]; do
    case $1 in
        --arena) arena=$2 ;;
        --out) out=$2 ;;
        --count) count=$2 ;;
        *) echo "chuhe_cluster knows no $1" >&2; exit 2 ;;
    esac
    shift 2
done
shift
if [ "$task" = match ]; then
    exec "$arena" "$@" -journal "$out"
fi
[ "$task" = pieces ]
for i in $(seq "$count"); do
    mkdir -p "$out/$i"
    for word; do
        printf '%s\n' "$word" | sed "s|{i}|$i|g; s|{n}|$count|g; s|{out}|$PWD/$out/$i|g"
    done | tr '\n' '\0' | xargs -0 env --
done
END
chmod +x bin/python
