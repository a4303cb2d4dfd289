"""A match of chuhe-arena on many machines: the head hands out ranges of pairs (`-shard i/n`) and collects the games."""

import contextlib
import os
import tempfile
import time
from pathlib import Path

from . import arena as program
from .head import Head, Sidecar
from .journal import MatchJournal
from .wire import Server

# Files that an arena would write in the folder of a piece, which is removed.
LOST = {"-pgnout", "-epdout", "-log", "-report"}

# Seconds for the workers to hear that the match is over.
FAREWELL = 5.0

# Seconds without a worker that may play, after which a match whose workers were all refused ends.
REFUSED = 10.0


def _short(told):
    """First line of a standing, and those about score and test."""
    first, *lines = told.splitlines()
    return "\n".join([first, *(line for line in lines if line.startswith(("Score", "SPRT")))])


def _check(words):
    given = {"-" + word.lstrip("-") for word in words if word.startswith("-")}
    # In other words the head would not see that a test is decided.
    if "-output" in given:
        raise ValueError("-output: a match on a cluster is told in the arena's own words only")
    for word in sorted(LOST & given):
        raise ValueError(f"{word}: a match on a cluster has a journal alone; chuhe-arena makes the rest of it: pgn, report")


def _serve(head, sidecar, listen, host):
    """Server at the given address, or at that of an earlier head, whose workers wait for it there."""
    earlier = sidecar.address or [None, 0]
    places = [[host, earlier[1] if earlier[0] == host else 0], [host, 0]]
    if listen:
        # Without a port in the command that of the earlier head.
        places = [listen] if listen[1] else [[listen[0], earlier[1]], listen]
    for place in places:
        try:
            server = Server(place, sidecar.key.encode(), head.answer)
            break
        except OSError as error:
            why = error
    else:
        raise ValueError(f"{places[-1][0]}:{places[-1][1]} cannot be listened at: {why}")
    name = os.uname().nodename if server.address[0] == "0.0.0.0" else server.address[0]
    sidecar.address = [name, server.address[1]]
    sidecar.save()
    return server


def match(arena, words, out, *, workers, listen=None, clocks="scale", pause=0.5, interval=10.0, silence=15.0, tell=print):
    """Plays the match of these words of chuhe-arena, or what is left of it, with the workers of `workers`; its journal is
    `out`. Returns the standing. Ends everywhere when a test is decided."""
    arena, out = str(Path(arena).resolve()), Path(out).resolve()
    _check(words)
    with tempfile.TemporaryDirectory(prefix="chuhe-") as name:
        folder = Path(name)
        journal = MatchJournal(arena, words, out, folder, tell)
        with contextlib.closing(journal):
            return _play(arena, words, journal, folder, workers, listen, interval, tell, clocks, pause, silence)


def _play(arena, words, journal, folder, workers, listen, interval, tell, clocks, pause, silence):
    sidecar = Sidecar(journal.path)
    head = Head(arena, words, journal, sidecar, clocks=clocks, pause=pause, silence=silence, tell=tell)

    def standing():
        """Standing of the games that are on the disk."""
        return program.say([arena, "stats", str(journal.short)], folder)

    told = standing()
    if journal.games():
        tell(_short(told))
    if "was accepted" in told:
        head.stop("the test is decided")
    if not head.look():
        server = _serve(head, sidecar, listen, workers.host)
        if listen:
            tell(f"workers are started by: python -m chuhe_cluster work {sidecar.path}")
        with contextlib.closing(server):
            try:
                _watch(head, journal, workers, standing, interval, tell, {"address": sidecar.address, "key": sidecar.key})
            finally:
                head.stop("the head ends")
                _say_farewell(head)
    if head.failure:
        raise RuntimeError(head.failure)
    if head.restarts:
        tell(f"{head.restarts} pieces were begun again")
    return program.say([arena, "stats", str(journal.path)], folder)


def _watch(head, journal, workers, standing, interval, tell, address):
    """Looks after the workers and tells the standing until the match is over."""
    looked, counted, played = time.monotonic(), journal.games(), time.monotonic()
    while not head.look():
        workers.tend(address)
        time.sleep(head.pause / 2)
        refused = head.nobody_plays()
        if not refused:
            played = time.monotonic()
        elif workers.host and time.monotonic() - played > REFUSED:
            raise ValueError("{} does not play: {}".format(*refused))
        if time.monotonic() - looked < interval or journal.games() == counted:
            continue
        counted = journal.games()
        told = standing()
        looked = time.monotonic()
        tell(_short(told))
        if "was accepted" in told:
            head.stop("the test is decided")


def _say_farewell(head):
    """Waits until the workers have sent what they have and heard that the match is over."""
    end = time.monotonic() + FAREWELL
    while time.monotonic() < end and (head.leases or head.is_heard()):
        head.look()
        time.sleep(0.05)
