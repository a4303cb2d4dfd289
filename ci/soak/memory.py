#!/usr/bin/env python3
"""Lets one process play many games, and compares its memory after the last with that after the tenth:

    memory.py [GAMES]       1000, in either protocol, with one thread and with two

Half of the games are pondered, every fourth asks for several lines; openings come from the book, and moves are drawn by chance among
good ones, so that no two games are the same. The engine is that of `cargo build --release`, in CARGO_TARGET_DIR, default target. The
figures go into ci/soak/LOG.md; more than a mebibyte of growth fails.
"""

import itertools
import os
import re
import subprocess
import sys
from pathlib import Path

from log import ROOT, append

ENGINE = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve() / "release/chuhe"
FIRST = 10
PLIES = 60
NODES = 200
# In kilobytes.
ALLOWED = 1 << 10
# What is set in either protocol: a table so small that all of it is in use from the first game on.
OPTIONS = ["Hash 1", "Randomness medium", "OwnBook true", "Ponder true"]
# The memory of the search for mates is of a fixed size too, but games touch it page by page over hours. So many positions of its
# suite, which are not mates in one, touch all of it.
SUITE = ROOT / "tests/data/mates.tsv"
POSITIONS = 20



class Engine:
    def __init__(self, protocol, threads):
        self.process = subprocess.Popen([ENGINE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.protocol = protocol
        self.say(protocol)
        self.until(f"{protocol}ok")
        for option in [*OPTIONS, f"Threads {threads}"]:
            self.set(*option.rsplit(" ", 1))
        suite = (line.split("\t")[0] for line in SUITE.read_text().splitlines() if not line.startswith("#"))
        for fen in itertools.islice(suite, POSITIONS):
            self.say(f"position fen {fen}")
            self.answer("go mate 1")

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, *words):
        for line in self.process.stdout:
            if line.startswith(words):
                return line.split()
        sys.exit(f"memory.py: the engine has ended with {self.process.wait()}")

    def set(self, name, value):
        in_ucci = f"setoption {name.lower().replace(' ', '')} {value}"
        self.say(f"setoption name {name} value {value}" if self.protocol == "uci" else in_ucci)

    def answer(self, go):
        self.say(go)
        return self.until("bestmove", "nobestmove")

    def play(self, number):
        """One game against itself, each side's time to think being the other's to ponder."""
        self.say("ucinewgame" if self.protocol == "uci" else "setoption newgame")
        self.set("MultiPV", 1 + 2 * (number % 4 == 0))
        moves = []
        while len(moves) < PLIES:
            self.say("position startpos" + " moves " * bool(moves) + " ".join(moves))
            answer = self.answer(f"go nodes {NODES}")
            if answer[0] == "nobestmove" or answer[1] in ("(none)", "0000"):
                return
            moves.append(answer[1])
            if number % 2 and "ponder" in answer:
                reply = answer[answer.index("ponder") + 1]
                self.say("position startpos moves " + " ".join([*moves, reply]))
                self.say(f"go ponder nodes {NODES}")
                # The guess was right in every third case.
                self.answer("ponderhit" if len(moves) % 3 == 0 else "stop")

    def memory(self):
        self.say("isready")
        self.until("readyok")
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)[1])


def main():
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    said, grown = [], False
    for protocol, threads in [("ucci", 1), ("uci", 2)]:
        engine = Engine(protocol, threads)
        for number in range(games):
            if number == FIRST:
                before = engine.memory()
            engine.play(number)
        after = engine.memory()
        engine.say("quit")
        engine.process.wait()
        said.append(f"{protocol}, {threads} threads: {before} kB after {FIRST}, {after} kB after {games}")
        grown |= after > before + ALLOWED
    append("memory.py", f"{games} games of {PLIES} plies at most, {NODES} nodes a move, half of them pondered", "; ".join(said))
    return grown


if __name__ == "__main__":
    sys.exit(main())
