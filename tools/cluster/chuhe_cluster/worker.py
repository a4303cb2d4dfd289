"""A worker: compares its machine with the match, then plays one piece after the other and sends every game."""

import os
import signal
import socket
import subprocess
import tempfile
import time
import uuid
from pathlib import Path

from . import arena as program
from . import process
from .wire import Link

# Seconds after which a worker that was refused compares again: files may have been replaced.
COMPARE_AGAIN = 30.0


class Worker:
    """A worker of the head at an address. It waits `patience` seconds for a head that is away."""

    def __init__(self, address, key, patience, tell=print):
        # CHUHE_HOST names the machine in tests of several machines on one.
        self.host = os.environ.get("CHUHE_HOST") or socket.gethostname()
        self.link = Link(address, key, patience, worker=uuid.uuid4().hex, host=self.host)
        self.tell = tell

    def work(self):
        """Plays until the match is over."""
        while True:
            answer, heading = self.link.call("hello")
            if "end" in answer:
                return
            if "wait" in answer:
                time.sleep(answer["wait"])
                continue
            scale = self._compare(answer, heading)
            if scale is None:
                if self._is_over():
                    return
            elif self._play_on(answer, scale):
                return

    def _compare(self, match, heading):
        """Compares arena, engines, networks and openings before any game; the factor of the clocks, or None if they differ."""
        found = {}
        with tempfile.TemporaryDirectory(prefix="chuhe-") as name:
            folder = Path(name)
            try:
                if program.digest(match["arena"]) != match["digest"]:
                    raise ValueError(f"{match['arena']} is another program than on the head")
                (folder / "journal").write_bytes(heading)
                program.compare(match["arena"], match["words"], folder / "journal", folder)
                if match["measure"]:
                    found["speed"] = program.speed(match["arena"], folder)
            except (OSError, ValueError) as error:
                found = {"problem": str(error)}
        answer, _ = self.link.call("ready", **found)
        if "scale" not in answer:
            self.tell(f"refused: {answer['why']}")
        return answer.get("scale")

    def _is_over(self):
        """Whether the match is over before it is worth to compare again."""
        end = time.monotonic() + COMPARE_AGAIN
        while time.monotonic() < end:
            if "end" in self.link.call("waiting")[0]:
                return True
            time.sleep(1)
        return False

    def _play_on(self, match, scale):
        """Plays pieces until the match is over (True) or this machine has to be compared again (False)."""
        while True:
            task, before = self.link.call("next")
            if "end" in task:
                return True
            if "hello" in task:
                return False
            if "wait" in task:
                time.sleep(task["wait"])
            elif not self._play(match, task, before, scale):
                return False

    def _play(self, match, task, before, scale):
        """Plays a piece, or the rest of it; False if the arena refuses what is here."""
        command = [match["arena"], *match["words"], "-shard", task["shard"]]
        if scale != 1.0:
            command += ["-clockscale", f"{scale:.4f}"]
        piece = {"piece": task["piece"], "shard": task["shard"]}
        with tempfile.TemporaryDirectory(prefix="chuhe-") as name:
            folder = Path(name)
            journal = folder / "journal"
            journal.write_bytes(before)
            running = process.start([*command, "-journal", str(journal)], folder)
            try:
                was_told = self._follow(piece, running, journal, len(before), match["pause"])
            finally:
                process.end(running)
            status, said = running.returncode, process.last_words(folder)
        # An arena that is killed, or that others interrupt, says nothing about its match: the next question begins it again.
        if status == -signal.SIGKILL or status == program.INTERRUPTED and not was_told:
            return True
        if status in program.IN_ORDER:
            self.link.call("done", **piece)
            return True
        differs = program.DIFFERS in said
        self.link.call("failed", **piece, status=status, said=said, differs=differs)
        return False

    def _follow(self, piece, running, journal, sent, pause):
        """Sends the games of an arena until it ends; whether it was told to end. The arena plays on while the head is away."""
        is_told = False
        with open(journal, "rb") as file:
            while True:
                try:
                    running.wait(timeout=pause)
                except subprocess.TimeoutExpired:
                    pass
                has_ended = running.poll() is not None
                file.seek(sent)
                lines = file.read()
                lines = lines[: lines.rfind(b"\n") + 1]
                answer, _ = self.link.call("add", lines, **piece)
                sent += len(lines)
                if has_ended:
                    return is_told
                if not answer["go_on"] and not is_told:
                    running.send_signal(signal.SIGINT)
                    is_told = True
