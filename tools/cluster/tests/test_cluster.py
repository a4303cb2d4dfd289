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

from chuhe_cluster.head import Head, Sidecar
from chuhe_cluster.journal import MatchJournal, without_moves
from chuhe_cluster.launch import LocalWorkers, RayWorkers
from chuhe_cluster.match import match
from chuhe_cluster.pieces import fill, pieces
from chuhe_cluster.plan import games_of, has_clocks, number_of_pieces, piece_of, processors

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
    stats = match(ARENA, words, tmp_path / "all", workers=RayWorkers(words), pause=0.1, interval=0.2, tell=told.append)
    killer.join(60)
    assert killed.is_set(), "the match was over before"
    played = games(tmp_path / "all")
    assert [game[0] for game in played] == list(range(1, 49)), "every game is there exactly once"
    assert played == alone(words, tmp_path / "alone")
    assert "48 of 48 games are finished" in stats


def test_a_test_that_is_decided_stops_everywhere(cluster, tmp_path):
    words = [*WORDS, "-sprt", "elo0=0", "elo1=60"]
    words[words.index("nodes=500")] = "nodes=1"
    stats = match(ARENA, words, tmp_path / "all", workers=RayWorkers(words), pause=0.1, interval=0.2, tell=lambda _: None)
    assert "H1 was accepted" in stats
    # It was decided by the same pairs as by one arena.
    alone(words, tmp_path / "alone")
    decided = subprocess.run([ARENA, "stats", tmp_path / "alone"], check=True, capture_output=True, text=True).stdout
    line = next(line for line in decided.splitlines() if line.startswith("SPRT"))
    assert line in stats
    known = games(tmp_path / "all")
    assert line in match(ARENA, words, tmp_path / "all", workers=LocalWorkers(1), pause=0.1, tell=lambda _: None)
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
    match(arena, words, tmp_path / "all", workers=RayWorkers(words), pause=0.1, interval=0.2, tell=told.append)
    assert games(tmp_path / "all") == alone(words, tmp_path / "alone")
    assert told[-1] == "1 pieces were begun again"


def test_a_piece_that_fails_costs_no_game_of_another_and_the_match_goes_on(cluster, tmp_path):
    words, out = [*WORDS, "-rounds", "12"], tmp_path / "all"
    arena = another_arena(tmp_path, f"""case "$*" in *"-shard 2/4294967295 "*) ;; *-shard*)
    echo "$*" | sed 's/.*-shard //; s/ .*//' >>{tmp_path}/begun
esac
case "$*" in *"-shard 3/3 "*) mkdir {tmp_path}/failed 2>/dev/null && echo alas && exit 1; esac""")
    with pytest.raises(Exception, match="has failed with status 1:\nalas"):
        match(arena, words, out, workers=LocalWorkers(1), pause=0.1, interval=1e9, tell=print)
    planned = alone(words, tmp_path / "alone")
    assert games(out) == planned[:16]
    # Two of them are lost, so that a piece is half played.
    lines = out.read_bytes().splitlines(keepends=True)[:15]
    out.write_bytes(b"".join(lines))
    told = []
    stats = match(arena, words, out, workers=LocalWorkers(1), pause=0.1, interval=0.2, tell=lambda line: told.append((line, len(games(out)))))
    assert games(out) == planned and "24 of 24 games are finished" in stats
    assert out.read_bytes().splitlines(keepends=True)[1:15] == lines[1:], "what was finished is not played again"
    assert (tmp_path / "begun").read_text().split() == ["1/3", "2/3", "3/3", "2/3", "3/3"]
    assert len(told) > 2 and all(int(line.split()[0]) <= known for line, known in told), "it is in `out` meanwhile"
    assert told[0][1] == 14
    # For more rounds, what is over is begun by nobody.
    match(arena, [*WORDS, "-rounds", "13"], out, workers=LocalWorkers(1), pause=0.1, tell=lambda line: None)
    assert games(out) == alone([*WORDS, "-rounds", "13"], tmp_path / "longer")
    assert (tmp_path / "begun").read_text().split()[5:] == ["4/4"]


def test_what_is_no_journal_of_this_match_is_left_alone(cluster, tmp_path):
    words, out = [*WORDS, "-rounds", "1"], tmp_path / "all"

    def is_refused(words, why):
        before = out.read_bytes() if out.exists() else None
        with pytest.raises(ValueError, match=why):
            match(ARENA, words, out, workers=LocalWorkers(1), tell=print)
        assert before == (out.read_bytes() if out.exists() else None)

    is_refused([*words, "-nonsense"], "unknown option -nonsense")
    is_refused([*words, "-output", "format=fastchess"], "-output: .* the arena's own words")
    is_refused([*words, "-pgnout", "file=a.pgn"], "-pgnout: .* a journal alone")
    out.write_text("my diary\n")
    is_refused(words, "line 1 is not a heading of a journal")
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
    assert "2 of 2 games are finished" in match(ARENA, words, out, workers=LocalWorkers(1), tell=print)
    assert games(out) == before


class FakeJournal:
    """A journal in memory."""

    heading, found = b"heading\n", 0

    def __init__(self):
        self.lines = {}

    def has(self, number):
        return number in self.lines

    def add(self, lines):
        for line in lines.splitlines(keepends=True):
            self.lines.setdefault(json.loads(line)["number"], line)

    def lines_of(self, numbers):
        return b"".join(self.lines[number] for number in numbers if number in self.lines)


def head_of(tmp_path, words="-engine cmd=a -engine cmd=b -rounds 8", **options):
    journal = FakeJournal()
    return journal, Head(__file__, words.split(), journal, Sidecar(tmp_path / "all"), tell=lambda _: None, **options)


def ask(head, worker, question, lines=b"", **fields):
    return head.answer({"question": question, "worker": worker, "host": worker, **fields}, lines)


def game(number):
    return json.dumps({"number": number}).encode() + b"\n"


def test_a_worker_that_was_taken_for_lost_plays_on_for_nobody_and_its_games_count_once(tmp_path):
    journal, head = head_of(tmp_path, silence=0.05)
    for worker in "ab":
        assert ask(head, worker, "ready")[0] == {"scale": 1.0}
    task, before = ask(head, "a", "next")
    assert task == {"piece": 1, "shard": "1/2"} and before == b"heading\n"
    assert ask(head, "a", "add", game(1), **task)[0] == {"go_on": True}
    time.sleep(0.1)
    assert not head.look() and head.restarts == 1
    assert ask(head, "b", "next") == (task, b"heading\n" + game(1))
    # It was not lost: what it has played counts, and the other one goes on.
    assert ask(head, "a", "add", game(1) + game(2), **task)[0] == {"go_on": False}
    assert ask(head, "b", "add", game(2) + game(3), **task)[0] == {"go_on": True}
    assert sorted(journal.lines) == [1, 2, 3]
    ask(head, "a", "done", **task)
    assert head.leases[1].worker == "b"
    assert ask(head, "a", "next")[0] == {"hello": True}


def test_a_head_that_is_begun_again_knows_the_workers_that_play(tmp_path):
    journal, head = head_of(tmp_path)
    journal.add(game(1))
    ask(head, "b", "ready")
    assert ask(head, "a", "add", game(2), piece=1, shard="1/2")[0] == {"go_on": True}
    assert ask(head, "b", "next")[0]["piece"] == 2, "the first one is played"
    # It was begun for another number of rounds: the games count, the piece has another place now.
    assert ask(head, "c", "add", game(3), piece=1, shard="1/3")[0] == {"go_on": False}
    assert sorted(journal.lines) == [1, 2, 3]


def test_an_arena_that_is_killed_again_and_again_ends_the_match(tmp_path):
    _, head = head_of(tmp_path)
    ask(head, "a", "ready")
    assert [ask(head, "a", "next")[0].get("piece") for _ in range(6)] == [1] * 5 + [None]
    assert "in vain" in head.failure and "end" in ask(head, "b", "next")[0]


def test_who_has_other_files_is_refused_and_gives_its_piece_back(tmp_path):
    _, head = head_of(tmp_path)
    assert ask(head, "a", "ready", problem="another engine")[0] == {"why": "another engine"}
    assert ask(head, "a", "next")[0] == {"hello": True} and head.nobody_plays() == ("a", "another engine")
    ask(head, "b", "ready")
    task, _ = ask(head, "b", "next")
    ask(head, "b", "failed", **task, status=1, said="belongs to another command", differs=True)
    assert not head.leases and not head.failure and ask(head, "b", "next")[0] == {"hello": True}
    ask(head, "c", "ready")
    assert ask(head, "c", "next")[0] == task


def test_one_worker_of_a_machine_measures_its_speed(tmp_path):
    _, head = head_of(tmp_path, "-engine cmd=a tc=1+0.1 -engine cmd=b nodes=5 -rounds 8")
    assert ask(head, "a", "hello")[0]["measure"]
    assert "wait" in ask(head, "a", "hello")[0]
    assert ask(head, "a", "ready", speed=1000)[0] == {"scale": 1.0}
    assert not ask(head, "a", "hello")[0]["measure"]
    assert ask(head, "b", "ready", speed=800)[0] == {"scale": 1.25}
    assert "too different" in ask(head, "c", "ready", speed=200)[0]["why"]
    # Another head of the match measures nothing again.
    _, again = head_of(tmp_path, "-engine cmd=a tc=1+0.1 -engine cmd=b nodes=5 -rounds 8", clocks="refuse")
    again.sidecar.speeds["d"] = 950
    assert ask(again, "d", "ready")[0] == {"scale": 1.0} and "why" in ask(again, "b", "ready")[0]
    assert not has_clocks("-engine cmd=a nodes=5 -each depth=3".split()) and has_clocks("-each st=1".split())


def test_the_journal_grows_by_new_games_only(tmp_path):
    arena = tmp_path / "arena"
    arena.write_text('#!/bin/sh\nfor file; do :; done\n[ -s "$file" ] || echo \'{"command":[],"directory":"/"}\' >"$file"\n')
    arena.chmod(0o755)
    out = tmp_path / "all"
    (tmp_path / "short").mkdir()

    def opened():
        return MatchJournal(str(arena), ["-x"], out, tmp_path / "short")

    journal = opened()
    assert journal.add(game(2) + game(1)) == 2
    inode, before = out.stat().st_ino, out.read_bytes()
    with pytest.raises(ValueError, match="another process is writing"):
        opened()
    journal.add(game(1) + game(3))
    journal.close()
    assert out.read_bytes() == before + game(3) and out.stat().st_ino == inode
    # A head that was killed in the middle of a line.
    with open(out, "ab") as file:
        file.write(b'{"number":4,"mo')
    journal = opened()
    assert journal.games() == 3 and journal.lines_of(range(2, 9)) == game(2) + game(3)
    journal.add(game(4))
    journal.close()
    assert out.read_bytes() == before + game(3) + game(4)
    line = b'{"number":1,"opening":null,"moves":[{"mv":"a"}],"result":"Draw","ending":{"text":"],\\"result\\":"}}\n'
    assert json.loads(without_moves(line)) == json.loads(line) | {"moves": []}


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
    for games, count in ((10, 3), (9, 5), (48, 6), (7, 7), (1, 1)):
        by_piece = [list(games_of(piece, games, count)) for piece in range(1, count + 1)]
        assert by_piece == [[game for game in range(1, games + 1) if piece_of(game, games, count) == piece] for piece in range(1, count + 1)]
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
