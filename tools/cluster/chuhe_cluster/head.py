"""The head of a match on a cluster: who plays which piece, what is finished, and which workers may play at all.

Everything that must outlive it is in the journal of the match, and in a small file beside it (`Sidecar`).
"""

import heapq
import json
import os
import secrets
import threading
import time

from . import arena as program
from .plan import games_of, has_clocks, number_of_games, number_of_pieces

# Most attempts at one piece whose arena is killed.
ATTEMPTS = 5

# Largest factor by which clocks are scaled.
MOST_SCALE = 4.0

# Largest difference of speed that `refuse` lets pass: that of two measurements on one machine.
TOLERANCE = 0.1

# Seconds for a measurement of speed, after which another worker of the machine tries.
MEASUREMENT = 60


class Sidecar:
    """File beside the journal that a head finds again: its address, the key of its workers, and the speeds of machines."""

    def __init__(self, out):
        self.path = out.with_name(out.name + ".head")
        known = json.loads(self.path.read_text()) if self.path.exists() else {}
        self.key = known.get("key") or secrets.token_hex(16)
        self.address = known.get("address")
        self.speeds = known.get("speeds", {})

    def save(self):
        """Writes the file, readable for its owner only."""
        beside = self.path.with_name(f".new-{self.path.name}-{os.getpid()}")
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            json.dump({"address": self.address, "key": self.key, "speeds": self.speeds}, file)
        os.replace(beside, self.path)


class Lease:
    """A piece that a worker plays."""

    def __init__(self, worker):
        self.worker, self.starts, self.heard = worker, 1, time.monotonic()


class Head:
    """Answers the questions of workers."""

    def __init__(self, arena, words, journal, sidecar, *, clocks="scale", pause=0.5, silence=15.0, tell=print):
        self.arena, self.words, self.journal, self.sidecar = arena, list(words), journal, sidecar
        self.clocks, self.pause, self.silence, self.tell = clocks, pause, silence, tell
        self.total, self.pieces = number_of_games(words), number_of_pieces(words)
        self.digest = program.digest(arena)
        self.measures = clocks != "same" and has_clocks(words)
        self.lock = threading.RLock()
        self.left = self._unfinished()
        self.again = []
        self.leases = {}
        self.accepted, self.refused, self.measuring, self.heard = {}, {}, {}, {}
        self.restarts = 0
        self.end = self.failure = None
        # Workers that have outlived an earlier head keep their pieces: they are heard before any is given away.
        self.opens = time.monotonic() + (max(2.0, 4 * pause) if journal.found else 0.0)

    def _unfinished(self):
        """Pieces that have something left to play, in order."""
        return (piece for piece in range(1, self.pieces + 1) if self._missing(piece))

    def _missing(self, piece):
        return any(not self.journal.has(game) for game in games_of(piece, self.total, self.pieces))

    def answer(self, fields, lines):
        """Answer to a question: fields and bytes."""
        question = fields["question"]
        self.heard[fields["worker"]] = time.monotonic()
        if question == "add":
            return self._add(fields, lines), b""
        questions = {
            "hello": self._hello,
            "ready": self._ready,
            "waiting": self._waiting,
            "next": self._next,
            "done": self._done,
            "failed": self._failed,
        }
        with self.lock:
            found, lines = questions[question](fields)
        if "end" in found:
            self.heard.pop(fields["worker"], None)
        return found, lines

    def _hello(self, fields):
        """A worker comes: everything that it has to compare."""
        host = fields["host"]
        if self.end:
            return {"end": self.end}, b""
        measure = self.measures and host not in self.sidecar.speeds
        if measure and time.monotonic() - self.measuring.get(host, -MEASUREMENT) < MEASUREMENT:
            return {"wait": 0.5}, b""
        if measure:
            self.measuring[host] = time.monotonic()
        match = {"arena": self.arena, "digest": self.digest, "words": self.words, "pause": self.pause, "measure": measure}
        return match, self.journal.heading

    def _ready(self, fields):
        """A worker has compared: whether it may play, and the factor of its clocks."""
        worker, host, problem = fields["worker"], fields["host"], fields.get("problem")
        self.measuring.pop(host, None)
        if fields.get("speed"):
            self.sidecar.speeds[host] = fields["speed"]
            self.sidecar.save()
        scale = 1.0
        if self.measures and not problem:
            scale, problem = self._scale(host)
        if problem:
            self._refuse(worker, host, problem)
            return {"why": problem}, b""
        if self.measures and host not in self.accepted.values():
            nps, clocks = self.sidecar.speeds[host], f"clocks times {scale:.3f}" if self.clocks == "scale" else "clocks as given"
            self.tell(f"{host}: {nps} nodes per second, {clocks}")
        self.refused.pop(worker, None)
        self.accepted[worker] = host
        return {"scale": scale}, b""

    def _scale(self, host):
        """Factor of the clocks of a machine, and why it cannot play. The machine that was measured first has factor 1."""
        reference, nps = next(iter(self.sidecar.speeds.values())), self.sidecar.speeds[host]
        scale = reference / nps
        if self.clocks == "refuse":
            is_same = abs(nps / reference - 1) <= TOLERANCE
            return 1.0, None if is_same else f"{nps} nodes per second and the first machine has {reference}: clocks would not mean the same"
        is_possible = 1 / MOST_SCALE <= scale <= MOST_SCALE
        return scale, None if is_possible else f"{nps} nodes per second and the first machine has {reference}: too different"

    def _refuse(self, worker, host, problem):
        if (host, problem) not in self.refused.values():
            self.tell(f"{host} does not play: {problem}")
        self.refused[worker] = (host, problem)
        self.accepted.pop(worker, None)

    def _waiting(self, _fields):
        return ({"end": self.end} if self.end else {}), b""

    def _next(self, fields):
        """Gives a piece to a worker; that which it plays already if its arena was killed, or the answer was lost."""
        worker = fields["worker"]
        if self.end:
            return {"end": self.end}, b""
        if worker not in self.accepted:
            return {"hello": True}, b""
        piece = next((piece for piece, lease in self.leases.items() if lease.worker == worker), None)
        if piece is not None:
            return self._again(piece)
        if time.monotonic() < self.opens:
            return {"wait": 0.2}, b""
        piece = self._take()
        if piece is None:
            return {"wait": self.pause}, b""
        self.leases[piece] = Lease(worker)
        return self._task(piece)

    def _take(self):
        """Next piece that has something left and that no worker plays."""
        while self.again:
            piece = heapq.heappop(self.again)
            if piece not in self.leases and self._missing(piece):
                return piece
        return next((piece for piece in self.left if piece not in self.leases and self._missing(piece)), None)

    def _again(self, piece):
        lease = self.leases[piece]
        lease.starts, lease.heard = lease.starts + 1, time.monotonic()
        self.restarts += 1
        if lease.starts > ATTEMPTS:
            self._fail(f"piece {piece} was begun {ATTEMPTS} times in vain")
            return {"end": self.end}, b""
        return self._task(piece)

    def _task(self, piece):
        known = self.journal.lines_of(games_of(piece, self.total, self.pieces))
        return {"piece": piece, "shard": f"{piece}/{self.pieces}"}, self.journal.heading + known

    def _add(self, fields, lines):
        """Takes the games of a worker, also of one that was taken for lost or that an earlier head has accepted; whether it is
        to play on."""
        worker, piece = fields["worker"], fields["piece"]
        is_ours = fields["shard"] == f"{piece}/{self.pieces}"
        with self.lock:
            if is_ours and piece not in self.leases and not self.end and self._missing(piece):
                self.leases[piece] = Lease(worker)
                self.accepted.setdefault(worker, fields["host"])
            lease = self.leases.get(piece) if is_ours else None
            is_own = lease is not None and lease.worker == worker
            if is_own:
                lease.heard = time.monotonic()
        if lines:
            self.journal.add(lines)
            if is_own:
                lease.heard = time.monotonic()
        return {"go_on": is_own and not self.end}

    def _done(self, fields):
        """A worker has played a piece, or what it was allowed to play of it."""
        piece = fields["piece"]
        lease = self.leases.get(piece)
        if lease and lease.worker == fields["worker"]:
            self._give_back(piece)
        return {}, b""

    def _failed(self, fields):
        """An arena has failed: the match is over, unless only the files of this worker differ."""
        piece, worker = fields["piece"], fields["worker"]
        if fields["differs"]:
            self._refuse(worker, fields["host"], fields["said"])
            if piece in self.leases and self.leases[piece].worker == worker:
                self._give_back(piece)
        else:
            self._fail(f"piece {piece} of {self.pieces} has failed with status {fields['status']}:\n{fields['said']}")
        return {}, b""

    def _give_back(self, piece):
        del self.leases[piece]
        if self._missing(piece):
            heapq.heappush(self.again, piece)

    def _fail(self, why):
        self.failure = self.failure or why
        self.stop(why)

    def look(self):
        """Takes pieces from workers that are silent; whether the match is over."""
        with self.lock:
            late = time.monotonic() - self.silence
            for piece in [piece for piece, lease in self.leases.items() if lease.heard < late]:
                host = self.accepted.pop(self.leases[piece].worker, "a worker")
                self.tell(f"{host} has been silent for {self.silence:.0f} s: piece {piece} is begun again elsewhere")
                self.restarts += 1
                self._give_back(piece)
            if self.leases:
                return False
            if self.end:
                return True
            # Looked for without being taken: the first one that is left goes back in front.
            piece = self._take()
            if piece is None:
                self.stop("all games are finished")
                return True
            heapq.heappush(self.again, piece)
            return False

    def nobody_plays(self):
        """Why no worker plays, if all were refused."""
        with self.lock:
            return next(iter(self.refused.values())) if self.refused and not self.accepted else None

    def is_heard(self):
        """Whether a worker was heard a moment ago that does not know of the end yet."""
        moment = time.monotonic() - 1.5 - 2 * self.pause
        return any(heard > moment for heard in list(self.heard.values()))

    def stop(self, why):
        """Lets all workers end."""
        with self.lock:
            self.end = self.end or why
