"""A match of chuhe-arena in pieces: each is a task of Ray that plays a range of its pairs (`-shard i/n`)."""

import itertools
import os
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

# The statuses of an arena that has done what it was asked for: all games, H0, not decided, interrupted.
IN_ORDER = {0, 3, 4, 130}

# Where nobody says how many rounds, as the arena has it.
ROUNDS_OF_A_TEST = 1_000_000

# Pairs of one piece: what a lost machine costs at most, and how far a test looks ahead.
PAIRS = 4


# So often a piece is begun on one machine whose arena is killed.
ATTEMPTS = 5


def play(keeper, arena, words, piece, pieces, pause):
    """Plays a piece, or the rest of it, and tells the keeper of every game."""
    for _ in range(ATTEMPTS):
        status, said = _attempt(keeper, arena, words, piece, pieces, pause)
        if status in IN_ORDER:
            return
        # Whoever kills an arena says nothing about its match.
        if status != -signal.SIGKILL:
            break
    raise RuntimeError(f"piece {piece} of {shlex.join([arena, *words])} has failed with status {status}:\n{said}")


def _attempt(keeper, arena, words, piece, pieces, pause):
    start, known = ray.get(keeper.begin.remote(piece))
    with tempfile.TemporaryDirectory(prefix="chuhe-") as name:
        folder = Path(name)
        journal = folder / "journal"
        if known:
            journal.write_bytes(known)
        command = [arena, *words, "-shard", f"{piece}/{pieces}", "-journal", str(journal)]
        running = process.start(command, folder)
        try:
            _follow(keeper, piece, start, running, journal, len(known), pause)
        finally:
            process.end(running)
        return running.returncode, process.last_words(folder)


def _follow(keeper, piece, start, running, journal, sent, pause):
    is_told = False
    while True:
        has_ended = running.poll() is not None
        written = journal.read_bytes() if journal.exists() else b""
        whole = written.rfind(b"\n") + 1
        goes_on = ray.get(keeper.add.remote(piece, start, sent, written[sent:whole]))
        sent = max(sent, whole)
        if has_ended:
            return
        if not goes_on and not is_told:
            running.send_signal(signal.SIGINT)
            is_told = True
        time.sleep(pause)


def number_of_pieces(words):
    """How many pieces the match of these words has."""

    def value(name, default):
        at = [index for index, word in enumerate(words) if word.lstrip("-") == name]
        return int(words[at[-1] + 1]) if at else default

    engines = sum(word.lstrip("-") == "engine" for word in words)
    is_gauntlet = any(pair == ("tournament", "gauntlet") for pair in zip((w.lstrip("-") for w in words), words[1:]))
    encounters = engines - 1 if is_gauntlet else engines * (engines - 1) // 2
    is_test = any(word.lstrip("-") == "sprt" for word in words)
    rounds = value("rounds", ROUNDS_OF_A_TEST if is_test else 1)
    pairs = -(-rounds * value("games", 2) * encounters // 2)
    return max(1, -(-pairs // PAIRS))


def _merged(arena, journals, folder, out):
    """One journal of many, and what it tells."""
    names = []
    for piece, journal in sorted(journals.items()):
        names.append(folder / f"{piece}.journal")
        names[-1].write_bytes(journal)
    subprocess.run([arena, "merge", str(out), *map(str, names)], check=True, capture_output=True, text=True)
    told = subprocess.run([arena, "stats", str(out)], check=True, capture_output=True, text=True)
    return told.stdout


def match(arena, words, out, *, ahead=None, pause=0.5, interval=10.0, tell=print):
    """Plays the match of these words of chuhe-arena on the cluster that Ray is connected to; its journal is `out`, and what
    it tells is returned. It ends everywhere when its test is decided."""
    arena, out = str(Path(arena).resolve()), Path(out).resolve()
    given = [int(after) for word, after in zip(words, words[1:]) if word.lstrip("-") == "concurrency"]
    processors = given[-1] if given else 1
    if processors > max(node["Resources"].get("CPU", 0) for node in ray.nodes() if node["Alive"]):
        raise ValueError(f"-concurrency {processors}: no node has so many processors")
    pieces = number_of_pieces(words)
    here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    keeper = RemoteKeeper.options(scheduling_strategy=here).remote()
    # What a lost machine had is begun again elsewhere, as often as it takes.
    task = ray.remote(max_retries=-1)(play).options(num_cpus=processors)
    wanted = iter(range(1, pieces + 1))
    running, is_decided, told = [], False, ""
    ahead = ahead or max(2, 2 * int(ray.cluster_resources().get("CPU", 1)))
    looked = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="chuhe-") as name:
        folder = Path(name)
        while True:
            if not is_decided:
                more = itertools.islice(wanted, ahead - len(running))
                running += [task.remote(keeper, arena, words, piece, pieces, pause) for piece in more]
            if not running:
                break
            done, running = ray.wait(running, num_returns=1, timeout=pause)
            ray.get(done)
            if time.monotonic() - looked < interval and running:
                continue
            looked = time.monotonic()
            journals = ray.get(keeper.all.remote())
            if journals:
                told = _merged(arena, journals, folder, folder / "all")
                tell(told.splitlines()[0] + "".join(f"\n{line}" for line in told.splitlines() if line.startswith(("Score", "SPRT"))))
                if "was accepted" in told and not is_decided:
                    is_decided = True
                    ray.get(keeper.stop.remote())
        told = _merged(arena, ray.get(keeper.all.remote()), folder, folder / "all")
        out.parent.mkdir(parents=True, exist_ok=True)
        beside = out.with_name(out.name + f".new-{os.getpid()}")
        beside.write_bytes((folder / "all").read_bytes())
        os.replace(beside, out)
    restarts = ray.get(keeper.restarts.remote())
    if restarts:
        tell(f"{restarts} pieces were begun again")
    return told
