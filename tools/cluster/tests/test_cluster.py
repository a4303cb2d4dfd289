"""A match on two nodes of this machine, one of which is killed in the middle: every game is there once, as one arena plays it."""

import json
import os
import shutil
import subprocess
import threading
import time
from pathlib import Path

import pytest
import ray
from ray.cluster_utils import Cluster

from chuhe_cluster.keeper import Keeper
from chuhe_cluster.match import match, number_of_pieces, piece_of, processors
from chuhe_cluster.pieces import fill, pieces

ROOT = Path(__file__).resolve().parents[3]
BUILT = Path(os.environ.get("CHUHE_BUILT", ROOT / "target" / "release"))
ARENA, ENGINE = BUILT / "chuhe-arena", BUILT / "chuhe"
SELFPLAY, BOOKS = BUILT / "chuhe-selfplay", BUILT / "book-tools"
OPENINGS = ROOT / "tools" / "arena" / "openings" / "random8.epd"

WORDS = [
    *("-engine", f"cmd={ENGINE}", "name=A", "nodes=1500"),
    *("-engine", f"cmd={ENGINE}", "name=B", "nodes=500"),
    *("-each", "proto=uci", "option.Hash=1", "option.OwnBook=false"),
    *("-openings", f"file={OPENINGS}", "order=random", "-seed", "7"),
    *("-maxmoves", "60", "-draw", "movenumber=20", "movecount=4", "score=20", "-force"),
]


@pytest.fixture(scope="module")
def cluster():
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.second = cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def games(journal):
    """Number, engines, result and moves of every game, in order."""
    lines = [json.loads(line) for line in journal.read_text().splitlines()[1:]]
    played = [(game["number"], game["red"], game["result"], [move["mv"] for move in game["moves"]]) for game in lines]
    return sorted(played)


def alone(words, journal):
    """The same match by one arena."""
    subprocess.run([ARENA, *words, "-journal", journal], check=False, capture_output=True)
    return games(journal)


def another_arena(folder, before):
    """An arena that does something before anything else."""
    arena = folder / "arena"
    arena.write_text(f"#!/bin/sh\n{before}\nexec {ARENA} \"$@\"\n")
    arena.chmod(0o755)
    return arena


def test_a_node_that_is_killed_costs_no_game_and_changes_none(cluster, tmp_path):
    words = [*WORDS, "-rounds", "24"]

    def kill():
        while not any(line[0] != "0" for line in list(told)):
            time.sleep(0.1)
        cluster.remove_node(cluster.second, allow_graceful=False)
        killed.set()
        cluster.second = cluster.add_node(num_cpus=1)

    told, killed = [], threading.Event()
    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    stats = match(ARENA, words, tmp_path / "all", pause=0.1, interval=0.2, tell=told.append)
    killer.join(60)
    assert killed.is_set(), "the match was over before"
    played = games(tmp_path / "all")
    assert [game[0] for game in played] == list(range(1, 49)), "every game is there exactly once"
    assert played == alone(words, tmp_path / "alone")
    assert "48 of 48 games are finished" in stats


def test_a_test_that_is_decided_stops_everywhere(cluster, tmp_path):
    words = [*WORDS, "-sprt", "elo0=0", "elo1=60"]
    words[words.index("nodes=500")] = "nodes=1"
    stats = match(ARENA, words, tmp_path / "all", pause=0.1, interval=0.2, tell=lambda _: None)
    assert "H1 was accepted" in stats
    # It was decided by the same pairs as by one arena.
    alone(words, tmp_path / "alone")
    decided = subprocess.run([ARENA, "stats", tmp_path / "alone"], check=True, capture_output=True, text=True).stdout
    line = next(line for line in decided.splitlines() if line.startswith("SPRT"))
    assert line in stats
    known = games(tmp_path / "all")
    assert line in match(ARENA, words, tmp_path / "all", pause=0.1, tell=lambda _: None)
    assert games(tmp_path / "all") == known, "it is over"


def test_any_program_runs_in_pieces(cluster, tmp_path):
    words = ["sh", "-c", "echo {i} of {n} > {out}/told"]
    told = []
    pieces(words, 3, tmp_path / "all", tell=told.append)
    assert [(tmp_path / "all" / str(i) / "told").read_text() for i in (1, 2, 3)] == [f"{i} of 3\n" for i in (1, 2, 3)]
    shutil.rmtree(tmp_path / "all" / "2")
    pieces(words, 3, tmp_path / "all", tell=told.append)
    assert len(told) == 4, "what is there is not run again"
    assert (tmp_path / "all" / "2" / "told").read_text() == "2 of 3\n"
    with pytest.raises(Exception, match="has failed"):
        pieces(["sh", "-c", "echo alas; exit 3"], 1, tmp_path / "other")


def test_pieces_of_two_runs_are_not_mixed(cluster, tmp_path):
    words, out = ["sh", "-c", "echo {i} of {n} > {out}/told"], tmp_path / "all"
    pieces(words, 2, out, tell=lambda _: None)
    before = sorted(out.rglob("*"))
    for other, count in [(words, 3), (words, 1), ([*words, "more"], 2)]:
        with pytest.raises(ValueError, match="belongs to another run, 2 pieces of sh -c"):
            pieces(other, count, out, tell=print)
    assert sorted(out.rglob("*")) == before
    # Nobody knows whose they are.
    (out / "run.json").unlink()
    with pytest.raises(ValueError, match="holds pieces and no run.json"):
        pieces(words, 2, out, tell=print)


def run(*words):
    """What a program says that does what it shall."""
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def test_games_for_the_network_are_those_of_one_machine(cluster, tmp_path):
    words = [SELFPLAY, "generate", "-games", "12", "-chunk", "4", "-threads", "1", "-soft", "50", "-plies", "60", "-seed", "3"]
    words = [str(word) for word in [*words, "-commit", "none", "-out"]]
    pieces([*words, "{out}/games", "-shard", "{i}/{n}"], 3, tmp_path / "parts", tell=lambda _: None)
    run(SELFPLAY, "merge", "-out", tmp_path / "all", *(tmp_path / "parts").glob("*/games"))
    run(*words, tmp_path / "alone")
    told = {name: run(SELFPLAY, "verify", tmp_path / name).replace(name, "") for name in ("all", "alone")}
    assert "games 0 to 11" in told["all"] and told["all"] == told["alone"]


def test_a_book_is_scored_as_by_one_machine(cluster, tmp_path):
    engine = ["--engine", ENGINE, "--proto", "uci", "--option", "Hash=1"]
    book = tmp_path / "book"
    run(BOOKS, "grow", "-o", book, *engine, "--nodes", "300", "--positions", "12", "--plies", "4", "--moves", "2")
    words = [str(word) for word in [BOOKS, "eval", book, *engine, "--nodes", "500", "-o"]]
    pieces([*words, "{out}/part", "--shard", "{i}/{n}"], 3, tmp_path / "parts", tell=lambda _: None)
    run(BOOKS, "merge", "-o", tmp_path / "all", *(tmp_path / "parts").glob("*/part"))
    run(*words, tmp_path / "alone")
    scored = (tmp_path / "all").read_bytes()
    assert scored == (tmp_path / "alone").read_bytes() and scored != book.read_bytes()


@pytest.mark.parametrize("end", ["kill -KILL $! $$", "kill -TERM $!; wait $!; exit $?"])
def test_an_arena_that_is_killed_is_started_again(cluster, tmp_path, end):
    words = [*WORDS, "-rounds", "4"]
    # The first time the piece is begun nobody lives longer than two games; the last word is the journal's.
    arena = another_arena(tmp_path, f"""case "$*" in *"-shard 1/1 "*)
    if mkdir {tmp_path}/begun 2>/dev/null; then
        {ARENA} "$@" &
        for journal; do :; done
        until [ "$(grep -c . "$journal")" -gt 2 ]; do sleep 0.01; done
        {end}
    fi
esac""")
    told = []
    match(arena, words, tmp_path / "all", pause=0.1, interval=0.2, tell=told.append)
    assert games(tmp_path / "all") == alone(words, tmp_path / "alone")
    assert told[-1] == "1 pieces were begun again"


def test_a_piece_that_fails_costs_no_game_of_another_and_the_match_goes_on(cluster, tmp_path):
    words, out = [*WORDS, "-rounds", "12"], tmp_path / "all"
    arena = another_arena(tmp_path, f"""case "$*" in *"-shard 2/4294967295 "*) ;; *-shard*)
    echo "$*" | sed 's/.*-shard //; s/ .*//' >>{tmp_path}/begun
esac
case "$*" in *"-shard 3/3 "*) mkdir {tmp_path}/failed 2>/dev/null && echo alas && exit 1; esac""")
    with pytest.raises(Exception, match="has failed with status 1:\nalas"):
        match(arena, words, out, ahead=1, pause=0.1, interval=1e9, tell=print)
    planned = alone(words, tmp_path / "alone")
    assert games(out) == planned[:16]
    # Two of them are lost, so that a piece is half played.
    lines = out.read_bytes().splitlines(keepends=True)[:15]
    out.write_bytes(b"".join(lines))
    told = []
    stats = match(arena, words, out, ahead=1, pause=0.1, interval=0.2, tell=lambda line: told.append((line, len(games(out)))))
    assert games(out) == planned and "24 of 24 games are finished" in stats
    assert out.read_bytes().splitlines(keepends=True)[1:15] == lines[1:], "what was finished is not played again"
    assert (tmp_path / "begun").read_text().split() == ["1/3", "2/3", "3/3", "2/3", "3/3"]
    assert len(told) > 2 and all(line.startswith(f"{known} of 24 games") for line, known in told), "it is in `out` meanwhile"
    assert told[0][1] == 14
    # For more rounds, what is over is begun by nobody.
    match(arena, [*WORDS, "-rounds", "13"], out, pause=0.1, tell=lambda line: None)
    assert games(out) == alone([*WORDS, "-rounds", "13"], tmp_path / "longer")
    assert (tmp_path / "begun").read_text().split()[5:] == ["4/4"]


def test_what_is_no_journal_of_this_match_is_left_alone(cluster, tmp_path):
    words, out = [*WORDS, "-rounds", "1"], tmp_path / "all"

    def is_refused(words, why):
        before = out.read_bytes() if out.exists() else None
        with pytest.raises(ValueError, match=why):
            match(ARENA, words, out, tell=print)
        assert before == (out.read_bytes() if out.exists() else None)

    is_refused([*words, "-nonsense"], "-nonsense is no known word")
    is_refused([*words, "-output", "format=fastchess"], "-output: .* the arena's own words")
    is_refused([*words, "-pgnout", "file=a.pgn"], "-pgnout: .* a journal alone")
    out.write_text("my diary\n")
    is_refused(words, "line 1 is no heading of a journal")
    out.unlink()
    alone(words, out)
    other = list(words)
    other[other.index("nodes=500")] = "nodes=501"
    is_refused(other, "belongs to another command")
    other = list(words)
    other[other.index("7")] = "8"
    is_refused(other, "the seed was 7, now it is 8")
    # One arena has played it: there is nothing left to do.
    before = games(out)
    assert "2 of 2 games are finished" in match(ARENA, words, out, tell=print)
    assert games(out) == before


def test_who_was_taken_for_lost_adds_nothing():
    keeper = Keeper()
    first, known = keeper.begin(1)
    assert known == b"" and keeper.add(1, first, 0, b"head\none\n")
    second, known = keeper.begin(1)
    assert known == b"head\none\n"
    assert not keeper.add(1, first, 9, b"two, by the first\n")
    assert keeper.add(1, second, 9, b"two\n")
    # What was told twice is there once.
    assert keeper.add(1, second, 9, b"two\n")
    assert keeper.all() == {1: b"head\none\ntwo\n"} and keeper.restarts() == 1
    keeper.stop()
    assert not keeper.add(1, second, 13, b"")


def test_a_match_is_cut_into_pieces_of_a_few_pairs():
    two = ["-engine", "cmd=a", "-engine", "cmd=b"]
    assert number_of_pieces([*two, "-rounds", "24"]) == 6
    assert number_of_pieces([*two, "--rounds", "9", "-games", "4"]) == 5
    assert number_of_pieces([*two, "-engine", "cmd=c", "-rounds", "4"]) == 3
    assert number_of_pieces([*two, "-engine", "cmd=c", "-rounds", "4", "-tournament", "gauntlet"]) == 2
    assert number_of_pieces([*two, "-engine", "cmd=c", "-rounds", "4", "--tournament", "Gauntlet"]) == 2
    assert number_of_pieces([*two, "-sprt", "elo0=0", "elo1=5"]) == 250_000
    # Ten games of three pieces: two pairs, two pairs, one.
    assert [piece_of(game, 10, 3) for game in range(1, 11)] == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3]
    assert piece_of(9, 9, 5) == 5
    assert fill(["{i}/{n}", "{out}/x"], 2, 3, "/tmp") == ["2/3", "/tmp/x"]


def test_a_piece_takes_a_processor_for_each_thread_that_thinks():
    def taken(line, most=16):
        return processors(line.split(), most)

    two = "-engine cmd=a -engine cmd=b"
    assert taken(two) == 1 and taken(f"{two} --concurrency 3") == 3
    assert taken(f"{two} option.Threads=4") == 4
    assert taken(f"{two} -each option.threads=4 -concurrency 2") == 8
    assert taken("-engine cmd=a option.Threads=2 -engine cmd=b option.cores=3 ponder") == 5
    assert taken("-engine cmd=a -engine cmd=b option.THREADS=1 -each option.Threads=3 ponder") == 4
    assert taken(f"{two} ponder=off -each option.Threads=2 ponder=off") == 2
    assert taken(f"{two} option.Threads=all") == 1
    for line in (f"{two} -concurrency 2 -force", f"{two} option.Threads=2 -concurrency 1"):
        with pytest.raises(ValueError, match="no node has so many processors"):
            taken(line, 1)
    assert taken(f"{two} option.Threads=2 -force", 1) == 1
