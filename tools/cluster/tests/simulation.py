"""A match on a simulated cluster: workers on this machine, some of which are killed, and their head too.

usage: simulation.py ARENA ENGINE FOLDER [--workers 64] [--games 20000] [--kills 3] [--head-kills 1] [--seed 1] [--report]

ENGINE is the test engine `zoo-for-matches`, which answers at once. Every game must be there exactly once in the end, with the
moves that one arena plays in its first games. The last lines are figures: bytes written, memory, games per second.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

PACKAGES = Path(__file__).resolve().parents[1]
OPENINGS = PACKAGES.parent / "arena" / "openings" / "random8-5000.epd"

# Games of one arena with which those of the cluster are compared.
COMPARED = 40


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("arena")
    parser.add_argument("engine")
    parser.add_argument("folder")
    parser.add_argument("--workers", type=int, default=64)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--head-kills", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--silence", type=float, default=2.0)
    parser.add_argument("--limit", type=float, default=3600.0, help="seconds for all")
    return parser.parse_args()


def of_proc(process, file, name):
    """Number after a name in a file of /proc; 0 if the process has gone."""
    try:
        text = Path(f"/proc/{process}/{file}").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in text.splitlines() if line.startswith(name + ":")), 0)


def workers_of(key):
    """Processes of the workers of a head."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().split(b"\0")
            if b"chuhe_cluster" in command and b"work" in command and key in (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:
            pass
    return found


class Simulation:
    """A match, its head, and what is known about both."""

    def __init__(self, given):
        self.given, self.out = given, Path(given.folder).resolve() / "all.journal"
        self.chance = random.Random(given.seed)
        engine = os.path.realpath(given.engine)
        self.words = [
            *("-engine", f"cmd={engine}", "name=A", "args=ucci wild score=30", "-engine", f"cmd={engine}", "name=B", "args=uci wild", "proto=uci"),
            *("-each", "nodes=100", "-maxmoves", "40", "-openings", f"file={OPENINGS}", "order=random", "-seed", "3"),
            *("-force", "-rounds", str(given.games // 2)),
        ]
        self.arena = os.path.realpath(given.arena)
        self.written = self.memory = self.most_done = 0
        self.heads = 0

    def start(self):
        """Starts a head, as a user would who repeats the command."""
        environment = os.environ | {"PYTHONPATH": str(PACKAGES)}
        options = ["--local-workers", str(self.given.workers), "match", "--silence", str(self.given.silence), "--interval", "5"]
        command = [sys.executable, "-m", "chuhe_cluster", *options, "--arena", self.arena, "--out", str(self.out), "--", *self.words]
        self.heads += 1
        self.said = open(self.out.with_name(f"head-{self.heads}"), "wb")
        self.head = subprocess.Popen(command, env=environment, stdout=self.said, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        self.before = self.written

    def games(self):
        """Number of games in the journal, counted as far as it has grown."""
        if not self.out.exists():
            return 0
        with open(self.out, "rb") as file:
            file.seek(self.most_done)
            block = file.read()
        self.most_done += len(block)
        self.lines = getattr(self, "lines", -1) + block.count(b"\n")
        return max(0, self.lines)

    def measure(self):
        self.memory = max(self.memory, of_proc(self.head.pid, "status", "VmHWM") * 1024)
        self.written = max(self.written, self.before + of_proc(self.head.pid, "io", "write_bytes"))

    def kill(self, kind):
        """Kills a worker or the head at once."""
        if kind == "head":
            self.measure()
            self.head.send_signal(signal.SIGKILL)
            self.head.wait()
            # Its workers play on without it.
            time.sleep(0.5)
            return self.start()
        key = json.loads(self.out.with_name(self.out.name + ".head").read_text())["key"].encode()
        os.kill(self.chance.choice(workers_of(key)), signal.SIGKILL)

    def run(self):
        """Plays and kills; the seconds that it took."""
        given = self.given
        kinds = ["worker"] * given.kills + ["head"] * given.head_kills
        self.chance.shuffle(kinds)
        # Another one each time so many games are finished, the last one well before the end.
        moments = [given.games * (number + 0.5) / (len(kinds) + 1) for number in range(len(kinds))]
        started = time.monotonic()
        self.start()
        while self.head.poll() is None:
            self.measure()
            if moments and self.games() > moments[0]:
                kind = kinds.pop()
                print(f"after {self.lines} games: a {kind} is killed", flush=True)
                self.kill(kind)
                moments.pop(0)
            if time.monotonic() - started > given.limit:
                self.head.kill()
                self.fail(f"not finished after {given.limit:.0f} s")
            time.sleep(0.05)
        if self.head.returncode or moments:
            self.fail(f"the head has ended with status {self.head.returncode}, {len(moments)} kills before the last")
        return time.monotonic() - started

    def fail(self, why):
        said = Path(self.said.name).read_text(errors="replace")
        sys.exit(f"simulation.py: {why}\n{said[-2000:]}")

    def check(self):
        """Every game is there once, and the first ones are those of one arena."""
        numbers, first = [], {}
        with open(self.out, "rb") as file:
            next(file)
            for line in file:
                game = json.loads(line)
                numbers.append(game["number"])
                if game["number"] <= COMPARED:
                    first[game["number"]] = self.moves(game)
        if sorted(numbers) != list(range(1, self.given.games + 1)):
            self.fail(f"{len(numbers)} lines and {len(set(numbers))} games of {self.given.games}")
        # The journal, the games without their moves for the standing, and the rest of a page for every sync.
        if self.written > 4 * self.out.stat().st_size + (1 << 22):
            self.fail(f"{self.written} bytes were written: the journal is not appended to")
        alone = self.out.with_name("alone.journal")
        shard = f"1/{-(-self.given.games // COMPARED)}"
        subprocess.run(
            [self.arena, *self.words, "-shard", shard, "-journal", alone], check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL
        )
        games = [json.loads(line) for line in alone.read_text().splitlines()[1:]]
        if not games or any(self.moves(game) != first[game["number"]] for game in games if game["number"] <= COMPARED):
            self.fail("games differ from those of one arena")

    @staticmethod
    def moves(game):
        return game["red"], game["result"], [move["mv"] for move in game["moves"]]


def main():
    given = arguments()
    simulation = Simulation(given)
    seconds = simulation.run()
    simulation.check()
    size = simulation.out.stat().st_size
    print(f"{given.games} games, each once, by {given.workers} workers; killed: {given.kills} workers, {given.head_kills} heads")
    print(f"{seconds:.1f} s, {given.games / seconds:.1f} games per second")
    print(f"journal: {size} bytes; written by the heads: {simulation.written} bytes")
    print(f"memory of the head: {simulation.memory / 1e6:.1f} MB at most")
    for said in sorted(simulation.out.parent.glob("head-*")):
        for line in said.read_text(errors="replace").splitlines():
            if "silent" in line or "begun again" in line:
                print(f"{said.name}: {line}")


if __name__ == "__main__":
    main()
