"""A match of chuhe-arena in pieces: each is a task of Ray that plays a range of its pairs (`-shard i/n`)."""

import itertools
import json
import os
import re
import shlex
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from . import process
from .keeper import RemoteKeeper

# The status of an arena that was interrupted.
INTERRUPTED = 130

# Those of one that has done what it was asked for: all games, H0, not decided, or to end.
IN_ORDER = {0, 3, 4, INTERRUPTED}

# What an arena would write in the folder of a piece, which goes with it.
LOST = {"-pgnout", "-epdout", "-log", "-report"}

# Where nobody says how many rounds, as the arena has it.
ROUNDS_OF_A_TEST = 1_000_000

# Pairs of one piece: what a lost machine costs at most, and how far a test looks ahead.
PAIRS = 4

# By which an engine is told with how many threads it thinks.
THREADS = {"option.threads", "option.cores"}

# One part of so many that it has no pair of any match.
NO_GAME = "2/4294967295"

# So often a piece is begun on one machine whose arena is killed.
ATTEMPTS = 5


def play(keeper, piece, command, before, pause):
    """Plays a piece by this command, or the rest of it, and tells the keeper of every game. What was known `before` the keeper
    began is the beginning of its journal."""
    for _ in range(ATTEMPTS):
        status, said, was_told = _attempt(keeper, piece, command, before, pause)
        # Whoever kills an arena, or lets it end before its time, says nothing about its match.
        was_killed = status == -signal.SIGKILL or status == INTERRUPTED and not was_told
        if was_killed:
            continue
        if status in IN_ORDER:
            return
        break
    raise RuntimeError(f"piece {piece}, {shlex.join(command)}, has failed with status {status}:\n{said}")


def _attempt(keeper, piece, command, before, pause):
    start, known = ray.get(keeper.begin.remote(piece))
    with tempfile.TemporaryDirectory(prefix="chuhe-") as name:
        folder = Path(name)
        journal = folder / "journal"
        journal.write_bytes(known or before)
        running = process.start([*command, "-journal", str(journal)], folder)
        try:
            was_told = _follow(keeper, piece, start, running, journal, len(known), pause)
        finally:
            process.end(running)
        return running.returncode, process.last_words(folder), was_told


def _follow(keeper, piece, start, running, journal, sent, pause):
    """Tells the keeper of the games of an arena until it ends; whether it was told to."""
    is_told = False
    while True:
        has_ended = running.poll() is not None
        written = journal.read_bytes()
        whole = written.rfind(b"\n") + 1
        goes_on = ray.get(keeper.add.remote(piece, start, sent, written[sent:whole]))
        sent = max(sent, whole)
        if has_ended:
            return is_told
        if not goes_on and not is_told:
            running.send_signal(signal.SIGINT)
            is_told = True
        time.sleep(pause)


def number_of_games(words):
    """How many games the match of these words has."""

    def value(name, default):
        at = [index for index, word in enumerate(words) if word.lstrip("-") == name]
        return int(words[at[-1] + 1]) if at else default

    engines = sum(word.lstrip("-") == "engine" for word in words)
    pairs = zip((word.lstrip("-") for word in words), (word.lower() for word in words[1:]))
    is_gauntlet = ("tournament", "gauntlet") in pairs
    encounters = engines - 1 if is_gauntlet else engines * (engines - 1) // 2
    is_test = any(word.lstrip("-") == "sprt" for word in words)
    rounds = value("rounds", ROUNDS_OF_A_TEST if is_test else 1)
    return rounds * value("games", 2) * encounters


def number_of_pieces(words):
    """How many pieces the match of these words has."""
    return max(1, -(-_pairs(number_of_games(words)) // PAIRS))


def _pairs(games):
    return -(-games // 2)


def piece_of(game, games, pieces):
    """Where a game of so many is played, as `-shard` has it."""
    return (game - 1) // 2 * pieces // _pairs(games) + 1


def _unfinished(games, pieces, finished):
    """The pieces that have something left to play, in order."""
    left = (piece_of(game, games, pieces) for game in range(1, games + 1) if game not in finished)
    return (piece for piece, _ in itertools.groupby(left))


def _say(command, folder, in_order=frozenset({0})):
    """What an arena says that does what it shall."""
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode not in in_order:
        raise ValueError(done.stderr.strip() or f"{shlex.join(command)} has failed with status {done.returncode}")
    return done.stdout


def _open(arena, words, folder, out):
    """Begins the journal of a match, or finds out that it is one of this very match; its heading, and the lines of its games
    by number."""
    out.parent.mkdir(parents=True, exist_ok=True)
    # An arena without a game to play looks at a journal as any other does, and at the words. That it is here says nothing of
    # the cores where games are played.
    force = [] if {"-force", "--force"} & set(words) else ["-force"]
    _say([arena, *words, *force, "-shard", NO_GAME, "-journal", str(out)], folder, IN_ORDER)
    first, *lines = out.read_bytes().splitlines(keepends=True)
    # Begun with what is given now, for more rounds than before perhaps, and not by a part without games.
    heading = json.loads(first) | {"command": words, "directory": os.getcwd()}
    # Of several with one number the first counts, as the arena has it.
    games = {json.loads(line)["number"]: line for line in reversed(lines)}
    return json.dumps(heading).encode() + b"\n", games


def _merged(arena, journals, folder, out):
    """Makes one journal of many, and says what it tells."""
    names = []
    for piece, journal in sorted(journals.items()):
        names.append(folder / f"{piece}.journal")
        names[-1].write_bytes(journal)
    _say([arena, "merge", str(out), *map(str, names)], folder)
    return _say([arena, "stats", str(out)], folder)


def _groups(words):
    """Every word with a dash and the values behind it."""
    groups = []
    for word in words:
        if re.match("--?[A-Za-z]", word):
            groups.append((word.lstrip("-"), []))
        elif groups:
            groups[-1][1].append(word)
    return groups


def threads_of_a_game(words):
    """The most threads that think at the same time in one game, as the arena counts them: both sides do where somebody
    ponders."""

    def last(values, names):
        pairs = (value.partition("=") for value in values)
        known = [(is_pair, value) for key, is_pair, value in pairs if key.lower() in names]
        return known[-1] if known else None

    def threads(values, each):
        _, number = last(values, THREADS) or last(each, THREADS) or ("", "")
        return max(1, int(number)) if number.isdecimal() else 1

    def ponders(values, each):
        is_pair, value = last(values, {"ponder"}) or last(each, {"ponder"}) or ("=", "off")
        return not is_pair or value in {"on", "true", "yes", "1"}

    groups = _groups(words)
    each = [value for word, values in groups if word == "each" for value in values]
    engines = [values for word, values in groups if word == "engine"]
    at_once = 2 if any(ponders(values, each) for values in engines) else 1
    return sum(sorted((threads(values, each) for values in engines), reverse=True)[:at_once])


def processors(words, most):
    """How many of the `most` that a node has a piece takes: one for each thread of its games that thinks."""
    given = [int(value) for word, values in _groups(words) if word == "concurrency" for value in values[:1]]
    games = given[-1] if given else 1
    if games > most:
        raise ValueError(f"-concurrency {games}: no node has so many processors")
    wanted = games * threads_of_a_game(words)
    if wanted > most and not {"-force", "--force"} & set(words):
        raise ValueError(
            f"{games} games at the same time have up to {wanted} threads that think, and no node has so many processors; "
            "-force plays nevertheless"
        )
    return min(wanted, most)


def _most_processors():
    return int(max(node["Resources"].get("CPU", 0) for node in ray.nodes() if node["Alive"]))


def _pieces(arena, words, heading, finished):
    """What has something left to play, one after the other: the piece, its command, and the beginning of its journal."""
    games, pieces = number_of_games(words), number_of_pieces(words)
    before = {}
    for game, line in finished.items():
        before.setdefault(piece_of(game, games, pieces), [heading]).append(line)
    for piece in _unfinished(games, pieces, finished):
        yield piece, [arena, *words, "-shard", f"{piece}/{pieces}"], b"".join(before.get(piece, [heading]))


def _short(told):
    """Of what a journal tells, how far it is."""
    first, *lines = told.splitlines()
    return "\n".join([first, *(line for line in lines if line.startswith(("Score", "SPRT")))])


def match(arena, words, out, *, ahead=None, pause=0.5, interval=10.0, tell=print):
    """Plays the match of these words of chuhe-arena, or what is left of it, on the cluster that Ray is connected to; its
    journal is `out`, and what it tells is returned. It ends everywhere when its test is decided."""
    arena, out = str(Path(arena).resolve()), Path(out).resolve()
    given = {"-" + word.lstrip("-") for word in words if word.startswith("-")}
    # In other words nobody would see here that a test is decided.
    if "-output" in given:
        raise ValueError("-output: a match on a cluster is told in the arena's own words only")
    for word in sorted(LOST & given):
        raise ValueError(f"{word}: a match on a cluster has a journal alone; chuhe-arena makes the rest of it: pgn, report")
    # What a lost machine had is begun again elsewhere, as often as it takes.
    task = ray.remote(max_retries=-1)(play).options(num_cpus=processors(words, _most_processors()))
    here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    keeper = RemoteKeeper.options(scheduling_strategy=here).remote()
    ahead = ahead or max(2, 2 * int(ray.cluster_resources().get("CPU", 1)))
    with tempfile.TemporaryDirectory(prefix="chuhe-") as name:
        folder = Path(name)
        heading, finished = _open(arena, words, folder, out)
        wanted, running = _pieces(arena, words, heading, finished), []
        # No piece, but what was there; its heading is that of all.
        before = {0: heading + b"".join(finished.values())}

        def look():
            """Tells `out` what is known by now, and what it tells."""
            return _merged(arena, before | ray.get(keeper.all.remote()), folder, out)

        told, looked = look(), time.monotonic()
        is_decided = "was accepted" in told
        if finished:
            tell(_short(told))
        try:
            while True:
                if not is_decided:
                    more = itertools.islice(wanted, ahead - len(running))
                    running += [task.remote(keeper, *piece, pause) for piece in more]
                if not running:
                    break
                done, running = ray.wait(running, num_returns=1, timeout=pause)
                ray.get(done)
                if time.monotonic() - looked < interval and running:
                    continue
                told, looked = look(), time.monotonic()
                tell(_short(told))
                if "was accepted" in told and not is_decided:
                    is_decided = True
                    ray.get(keeper.stop.remote())
        finally:
            # Whatever has ended the match, its games are not lost.
            for piece in running:
                ray.cancel(piece)
            told = look()
    restarts = ray.get(keeper.restarts.remote())
    if restarts:
        tell(f"{restarts} pieces were begun again")
    return told
