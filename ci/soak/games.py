#!/usr/bin/env python3
"""Plays games under every condition of a fixed list, for as long as wanted, and goes on where it was interrupted:

    games.py [--minutes M] [--games N] [--jobs J]     plays slices of N games until M minutes are over, J slices at a time
    games.py --count                                  what has been played so far, by the log

Where a condition wants load, two busy loops run beside its games, unless several slices are played at a time, each of which is then
load for the others.

A slice is a match of the arena at one game at a time, under the condition that has been played least, of several under the one with
the shortest clock. It counts in ci/soak/LOG.md, which is all that is remembered, once it is whole; an interrupted one lies in
target/soak and is finished first. Afterwards
`chuhe-talk --audit` holds every line that our engines have said against the protocol, and plays every variation on a board. A crash,
a hang, an illegal or banned move, a loss on time or a line that nobody understands is a finding: its journal and its log stay in
target/soak, and the run fails.

Programs are those of `cargo build --release --workspace`, in CARGO_TARGET_DIR, default target; the other engines are Debian's.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from log import ROOT, append, rows

BIN = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve() / "release"
KEPT = ROOT / "target/soak"
CONDITIONS = 120
# What each condition is made of; every value comes as often as it stands here.
FACTORS = {
    "clock": ["0.5+0.005", "0.5+0.005", "0.2+0.002", "0.1+0.001"],
    "against": ["itself", "fairy-stockfish", "itself", "hoixiangqi", "itself", "sjaakii"],
    "protocol": ["ucci", "uci"],
    "threads": [1, 2],
    "ponder": ["ponder", "", "", ""],
    "book": ["book", "no book"],
    "tables": ["tables", "no tables"],
    "hash": [1, 16, 64, 256],
    "rules": ["league", "asian", "chinese", "checkban", "noban"],
    "load": ["load", ""],
}
# How our options are called in each protocol.
NAMES = {
    "ucci": ["threads", "usebook", "useegtb", "hashsize", "repetition"],
    "uci": ["Threads", "OwnBook", "UseEgtb", "Hash", "Repetition Rule"],
}
OTHERS = {
    "fairy-stockfish": ["option.Hash=16", "option.Threads=1"],
    "hoixiangqi": ["proto=xboard"],
    "sjaakii": ["proto=xboard"],
}
# How much longer the others may think, and how many milliseconds they may be late: it is not they who are tested.
CLOCK, MARGIN = "1+0.01", 500
# Every so many conditions where it can be told so, the engine must not repeat where that loses: by UCCI's banmoves.
BANS = 3
# Load for a core, as long as the process of this number lives.
BUSY = "while kill -0 {} 2>/dev/null; do i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; done"


def conditions():
    """The fixed list: every factor evenly, and all of them independently of each other."""
    chance = random.Random(1)
    columns = []
    for values in FACTORS.values():
        column = values * (CONDITIONS // len(values))
        chance.shuffle(column)
        columns.append(column)
    return [dict(zip(FACTORS, row)) for row in zip(*columns)]


def base(condition):
    """The time for the game, in seconds."""
    return float(condition["clock"].split("+")[0])


def describe(number, condition):
    said = [f"{condition['clock']} against {condition['against']}", condition["protocol"], f"{condition['threads']} threads"]
    said += [condition["ponder"], condition["book"], condition["tables"], f"{condition['hash']} MiB", condition["rules"]]
    said += [condition["load"], "bans" if bans(number, condition) else ""]
    return f"{number}: " + ", ".join(word for word in said if word)


def bans(number, condition):
    return number % BANS == 0 and condition["against"] == "itself" and condition["protocol"] == "ucci"


def command(number, condition, games, seed):
    """The match of a slice."""
    protocol = condition["protocol"]
    book, tables = condition["book"] == "book", condition["tables"] == "tables"
    values = [condition["threads"], book, tables, condition["hash"], condition["rules"]]
    options = [f"option.{name}={str(value).lower()}" for name, value in zip(NAMES[protocol], values)]
    ours = [f"cmd={BIN / 'chuhe'}", f"proto={protocol}", f"tc={condition['clock']}", *options]
    ours += ["ponder"] if condition["ponder"] else []
    other = condition["against"]
    if other == "itself":
        theirs = [*ours, "name=Again"]
    else:
        # Debian installs games where not every PATH looks.
        program = shutil.which(other, path=os.environ["PATH"] + ":/usr/games")
        if not program:
            sys.exit(f"games.py: {other} is not installed")
        theirs = [f"cmd={program}", f"name={other}", f"tc={CLOCK}", f"timemargin={MARGIN}", *OTHERS[other]]
    openings = ["-openings", f"file={ROOT / 'tools/arena/openings/random8.epd'}", "order=random", "-seed", str(seed)]
    referee = ["-rules", condition["rules"], "-perpetual", "ban" if bans(number, condition) else "lose", "-maxmoves", "200"]
    output = ["-journal", KEPT / f"{number}.journal", "-log", f"file={KEPT / f'{number}.log'}", "engine=true"]
    output += ["-ratinginterval", "0", "-scoreinterval", "0"]
    return [BIN / "chuhe-arena", "-engine", *ours, "name=Chuhe", "-engine", *theirs, *openings, *referee, *output,
            "-rounds", str(-(-games // 2)), "-force", "-recover"]


def run(words):
    done = subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
                          errors="replace")
    return done.returncode, done.stdout + done.stderr


def play(number, condition, games, seed, loops):
    """One slice, with so many busy loops beside it: what has been counted, and what was found."""
    journal, log = KEPT / f"{number}.journal", KEPT / f"{number}.log"
    spinning = [subprocess.Popen(["sh", "-c", BUSY.format(os.getpid())]) for _ in range(loops)]
    try:
        words = command(number, condition, games, seed)
        status, told = run(words)
        while "another process is writing" in told:
            # The arena of a run that was killed has not noticed it yet.
            time.sleep(1)
            status, told = run(words)
        if "belongs to another command" in told:
            # The engine has been built anew since it was interrupted.
            journal.unlink()
            log.unlink(missing_ok=True)
            status, told = run(words)
    finally:
        for busy in spinning:
            busy.kill()
            busy.wait()
    records = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()[1:]] if journal.exists() else []
    failures = re.findall(r"^Failures of (Chuhe|Again): (.*)$", told, re.MULTILINE)
    audited, said = run([BIN / "chuhe-talk", "--audit", log, "--names", "Chuhe,Again"])
    checked = re.search(r"^(\d+) lines, (\d+) variations, (\d+) findings$", said, re.MULTILINE)
    lines, variations = (int(checked[1]), int(checked[2])) if checked else (0, 0)
    wrong = [f"{name}: {failure}" for name, failure in failures]
    if not lines or audited:
        wrong.append(said.strip())
    if status or len(records) < games:
        wrong.append(f"the arena ends with {status} after {len(records)} games: {told[-2000:]}")
    plies = sum(len(record["moves"]) for record in records)
    return Counter(games=len(records), plies=plies, lines=lines, variations=variations, findings=len(wrong)), wrong


def counted(text):
    return Counter({name: int(number) for number, name in re.findall(r"(\d+) (\w+)", text)})


def played():
    """By the log: games of each condition, and the sum of all counts."""
    games, total = Counter(), Counter()
    for condition, counts in rows("games.py"):
        number = int(condition.split(":")[0])
        games[number] += counted(counts)["games"]
        total += counted(counts)
    return games, total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--count", action="store_true")
    arguments = parser.parse_args()
    games, total = played()
    if arguments.count:
        said = ", ".join(f"{count} {name}" for name, count in total.items()) or "nothing"
        print(f"{said}; {len(games)} of {CONDITIONS} conditions")
        return 0
    for program in ["chuhe", "chuhe-arena", "chuhe-talk"]:
        if not (BIN / program).exists():
            print(f"games.py: {BIN / program} is not built", file=sys.stderr)
            return 77
    KEPT.mkdir(parents=True, exist_ok=True)
    listed, lock, running, failed = conditions(), threading.Lock(), set(), []
    end = time.monotonic() + arguments.minutes * 60
    loops = lambda condition: 2 if condition["load"] and arguments.jobs == 1 else 0
    beside = f", {arguments.jobs} at a time" if arguments.jobs > 1 else ""

    def next_one():
        with lock:
            free = [number for number in range(CONDITIONS) if number not in running]
            interrupted = lambda number: (KEPT / f"{number}.journal").exists()
            number = min(free, key=lambda number: (not interrupted(number), games[number], base(listed[number]), number))
            running.add(number)
            return number, games[number]

    def work(_):
        while time.monotonic() < end and not failed:
            number, seed = next_one()
            counts, wrong = play(number, listed[number], arguments.games, seed + 1, loops(listed[number]))
            with lock:
                said = ", ".join(f"{counts[name]} {name}" for name in ["games", "plies", "lines", "variations", "findings"])
                append("games.py", describe(number, listed[number]) + beside, said)
                games[number] += counts["games"]
                running.remove(number)
                for finding in wrong:
                    print(f"games.py: {describe(number, listed[number])}: {finding}", file=sys.stderr, flush=True)
                if wrong:
                    stem = KEPT / f"finding-{int(time.time())}-{number}"
                    for ending in [".journal", ".log"]:
                        (KEPT / f"{number}{ending}").rename(stem.with_suffix(ending))
                    failed.append(number)
                else:
                    (KEPT / f"{number}.journal").unlink()
                    (KEPT / f"{number}.log").unlink()

    with ThreadPoolExecutor(arguments.jobs) as pool:
        list(pool.map(work, range(arguments.jobs)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
