#!/usr/bin/env python3
"""Interrupts what works for hours, in small, at random moments, again and again, and lets it go on by the same command:

    interrupt.py [--minutes M] [--seed N] [--keep FOLDER] [match | book | tables | games | training]...

A program or one of its engines is killed (SIGKILL), a program is halted for a while (SIGSTOP), its disk is full, nobody reads its
output any more. What it then has said to be written must not be made again by the next start, files that are in place must be whole,
nothing may hang, panic or outlive its owner, and in the end everything has to be as without any interruption, to the byte, and
nothing else may lie about. Where no disk can be mounted (it needs root) that one is left out, and it is said.

Programs are those of `cargo build --release --workspace`, in CARGO_TARGET_DIR, default target. The counts go into ci/soak/LOG.md; a
finding is told with its seed, fails the run and leaves its folder in --keep, default target/interrupt.
"""

import argparse
import hashlib
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from log import ROOT, append

BIN = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve() / "release"
# Bytes of the disk on which a program works.
DISK = 64 << 20
PAGE = 1 << 12
# The file that fills it.
BALLAST = "ballast"
# Bytes that are left free at most when it is full.
REST = 1 << 17
# Interruptions of one run at most.
MOST = 4
# Seconds for what takes a second or two undisturbed.
PATIENCE = 120
# Seconds in which the engines of a killed arena have to end.
ORPHANS = 20
# Seconds that pass at most between two looks at a program, unless we were halted.
STEP = 0.5
# In the book that is built.
MOVES = 400_000


class Finding(Exception):
    pass


class Work:
    """Something that goes on by the same command."""

    # Of each line, what is said to be written.
    written = None

    def __init__(self, inputs):
        self.inputs = inputs

    def prepare(self):
        """Makes what the command reads."""

    def product(self, folder):
        """Every file that is there in the end, and what is in it."""
        return {file.relative_to(folder).as_posix(): digest(file.read_bytes()) for file in files(folder)}

    def partial(self, folder, whole):
        """What is wrong with the files that are in place already."""
        return [name for name, sum in self.product(folder).items() if name in whole and whole[name] != sum]

    def reached(self, told):
        """How far it has said to be, again and again."""
        return []


class Match(Work):
    written = r"^Finished game (\d+) "

    def command(self, folder):
        engine = f"cmd={BIN / 'chuhe'}"
        return [BIN / "chuhe-arena", "-engine", engine, "name=A", "nodes=600", "-engine", engine, "name=B", "nodes=400",
                "-each", "proto=uci", "option.Hash=1", "option.OwnBook=false", "-rounds", "6", "-force", "-maxmoves", "40",
                "-openings", f"file={ROOT / 'tools/arena/openings/random8.epd'}", "order=random", "-seed", "1",
                "-concurrency", "2", "-journal", folder / "journal"]

    def product(self, folder):
        if not (folder / "journal").exists():
            return {}
        with tempfile.TemporaryDirectory() as aside:
            pgn = f"{aside}/pgn"
            made = subprocess.run([BIN / "chuhe-arena", "pgn", folder / "journal", f"file={pgn}", "min=true"], capture_output=True)
            if made.returncode:
                return {"games": made.stderr.decode()}
            games = re.sub(rb"\[Date .*\n", b"", Path(pgn).read_bytes())
        return {"games": digest(games), **{file.name: "" for file in files(folder)}}

    def partial(self, folder, whole):
        return []


class Book(Work):
    def prepare(self):
        chance = random.Random(1)
        with (self.inputs / "moves.tuples").open("wb") as out:
            for _ in range(MOVES):
                origin, step = chance.randrange(90), chance.randrange(1, 90)
                move = origin * 128 + (origin + step) % 90
                key = chance.randrange(MOVES) * 0x9E3779B97F4A7C15 % 2**64
                out.write(struct.pack("<QBBHHH", key, chance.randrange(4), 0, 0, chance.randrange(40), move))

    def command(self, folder):
        return [BIN / "book-tools", "build", self.inputs / "moves.tuples", "-o", folder / "out.book", "--memory", "1MiB",
                "--threads", "2"]


class Tables(Work):
    written = r"^(K\S*-K\S*): \d+ placements, \d+ \+"

    def command(self, folder):
        return [BIN / "chuhe-endgame", "generate", "KPP-KA", "KRA-KA", "KNA-KA", "--folder", folder / "tables", "--threads", "2"]


class Games(Work):
    written = r"(games-\d+\.chunk): \d+ games"

    def command(self, folder):
        return [BIN / "chuhe-selfplay", "generate", "-games", "60", "-chunk", "20", "-seed", "7", "-soft", "60", "-table", "1",
                "-plies", "110", "-commit", "toy", "-threads", "2", "-every", "1", "-out", folder / "games"]

    def reached(self, told):
        return [int(count) for count in re.findall(r"^(\d+)/\d+ games", told, re.MULTILINE)]


class Training(Work):
    written = r"^epoch (\d+) of"

    def prepare(self):
        games = Games(self.inputs)
        subprocess.run([*games.command(self.inputs)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def command(self, folder):
        return [BIN / "chuhe-trainer", "train", "-width", "64", "-outputs", "2", "-batch", "256", "-epochs", "8", "-warm-up", "5",
                "-scale", "400", "-seed", "3", "-save", "1", "-threads", "2", "-out", folder / "run", self.inputs / "games"]

    def partial(self, folder, whole):
        return []


WORKS = {"match": Match, "book": Book, "tables": Tables, "games": Games, "training": Training}


def digest(bytes):
    return hashlib.sha256(bytes).hexdigest()


def files(folder):
    return sorted(file for file in folder.rglob("*") if file.is_file() and file.name != BALLAST)


def children(process):
    try:
        tasks = Path(f"/proc/{process.pid}/task").iterdir()
        return [int(pid) for task in tasks for pid in (task / "children").read_text().split()]
    except OSError:
        return []


def lives(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


class Disk:
    """A disk of its own, or a folder where none can be mounted."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="chuhe-interrupt"))
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", self.folder]
        self.mounted = shutil.which("mount") is not None and subprocess.run(mount, capture_output=True).returncode == 0

    def fill(self, left):
        with (self.folder / BALLAST).open("wb", buffering=0) as ballast:
            free = os.statvfs(self.folder)
            wanted = free.f_bavail * free.f_bsize - left
            while wanted > 0:
                try:
                    return os.posix_fallocate(ballast.fileno(), 0, wanted)
                except OSError:
                    # Somebody has written meanwhile.
                    wanted -= PAGE

    def relieve(self):
        (self.folder / BALLAST).unlink(missing_ok=True)

    def remove(self):
        if self.mounted:
            subprocess.run(["umount", "-l", self.folder], check=True)
        shutil.rmtree(self.folder, ignore_errors=True)


class Start:
    """One start of the command, and what it says into files until nobody reads."""

    def __init__(self, work, disk):
        self.pids = set()
        self.said = tempfile.TemporaryFile()
        self.complaints = tempfile.TemporaryFile()
        scratch = disk.folder / "scratch"
        scratch.mkdir(exist_ok=True)
        self.process = subprocess.Popen(
            [str(word) for word in work.command(disk.folder)], cwd=disk.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=self.complaints, env={**os.environ, "TMPDIR": str(scratch)})
        os.set_blocking(self.process.stdout.fileno(), False)

    def listen(self, seconds):
        """Hears what is said for so long, or to the end. Time in which we were halted ourselves does not count."""
        last = time.monotonic()
        while seconds > 0:
            now = time.monotonic()
            seconds -= min(now - last, STEP)
            last = now
            if self.process.stdout.closed:
                said = None
            else:
                said = self.process.stdout.read()
            if said:
                self.said.write(said)
            elif self.process.poll() is not None:
                rest = b"" if self.process.stdout.closed else self.process.stdout.read()
                self.said.write(rest or b"")
                return True
            else:
                time.sleep(0.005)
        return self.process.poll() is not None

    def told(self):
        texts = []
        for file in [self.said, self.complaints]:
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
            file.seek(0, os.SEEK_END)
        return texts

    def family(self):
        """Its process and those that it has started, which are remembered."""
        pids = [self.process.pid, *children(self.process)]
        self.pids.update(pids)
        return pids

    def finish(self):
        """Waits for the end, of those too that it has started."""
        if not self.listen(PATIENCE):
            self.process.kill()
            raise Finding(f"it does not end within {PATIENCE} s")
        left = ORPHANS
        while any(lives(pid) for pid in self.pids):
            if left < 0:
                raise Finding(f"of {self.pids} some outlive it")
            time.sleep(0.01)
            left -= 0.01
        said, complaints = self.told()
        if "panicked" in said + complaints:
            raise Finding(f"it panics: {complaints}")
        return self.process.returncode


def interrupt(start, disk, chance, length):
    """One interruption at a random moment, and what it was."""
    kinds = ["kill", "kill", "halt", "pipe"] + ["disk"] * disk.mounted
    kind = chance.choice(kinds)
    if start.listen(chance.uniform(0, length)):
        return "none"
    pids = start.family()
    try:
        if kind == "kill":
            os.kill(chance.choice([pids[0], chance.choice(pids)]), signal.SIGKILL)
        elif kind == "halt":
            pid = chance.choice(pids)
            os.kill(pid, signal.SIGSTOP)
            start.listen(chance.uniform(0, 1))
            os.kill(pid, signal.SIGCONT)
        elif kind == "pipe":
            start.process.stdout.close()
        else:
            disk.fill(chance.choice([0, chance.randrange(PAGE), chance.randrange(REST)]))
    except ProcessLookupError:
        return "none"
    return kind


def one_run(work, whole, length, chance, counts):
    """A run that is interrupted some times, and what has to hold about it."""
    disk = Disk()
    try:
        written, reached = set(), 0
        for left in reversed(range(chance.randrange(1, MOST + 1) + 1)):
            start = Start(work, disk)
            found = []
            if left:
                found.append(interrupt(start, disk, chance, length))
                # It may be interrupted again without having ended.
                while chance.randrange(3) == 0 and start.process.poll() is None and found[-1] != "pipe":
                    disk.relieve()
                    found.append(interrupt(start, disk, chance, length))
                counts.update(kind for kind in found if kind != "none")
            status = start.finish()
            disk.relieve()
            said, complaints = start.told()
            again = written & set(re.findall(work.written, said, re.MULTILINE)) if work.written else set()
            if again:
                raise Finding(f"made again, though it was said to be written: {sorted(again)}")
            for count in work.reached(said):
                if count < reached:
                    raise Finding(f"{reached} were said to be done, the next start says {count}")
                reached = count
            if work.written:
                written.update(re.findall(work.written, said, re.MULTILINE))
            damaged = work.partial(disk.folder, whole)
            if damaged:
                raise Finding(f"in place but not whole: {damaged}")
            if not left and status:
                raise Finding(f"it does not go on, status {status}: {complaints}")
            if status and not complaints and not set(found) & {"kill", "pipe"}:
                raise Finding(f"it ends with {status} and does not say why")
        shutil.rmtree(disk.folder / "scratch")
        product = work.product(disk.folder)
        if product != whole:
            differing = sorted(name for name in product.keys() | whole.keys() if product.get(name) != whole.get(name))
            raise Finding(f"in the end there is something else in {differing}")
    except Finding:
        keep = arguments.keep / f"{type(work).__name__.lower()}-{time.time_ns()}"
        shutil.copytree(disk.folder, keep, dirs_exist_ok=True)
        print(f"interrupt.py: what was left of it is in {keep}")
        raise
    finally:
        disk.remove()


def reference(work):
    """What comes out undisturbed, and how many seconds it takes."""
    disk = Disk()
    try:
        start, begun = Start(work, disk), time.monotonic()
        status = start.finish()
        if status:
            sys.exit(f"interrupt.py: {type(work).__name__} fails undisturbed: {start.told()}")
        shutil.rmtree(disk.folder / "scratch")
        return work.product(disk.folder), time.monotonic() - begun
    finally:
        disk.remove()


def main():
    inputs = Path(tempfile.mkdtemp(prefix="chuhe-interrupt-inputs"))
    seed = arguments.seed if arguments.seed is not None else time.time_ns() % 10**9
    end = time.monotonic() + arguments.minutes * 60
    runs, counts, findings = Counter(), Counter(), 0
    try:
        works = {}
        for name in arguments.works or WORKS:
            work = WORKS[name](inputs)
            work.prepare()
            works[name] = (work, *reference(work))
            print(f"{name}: {works[name][2]:.1f} s undisturbed", flush=True)
        number = seed
        while time.monotonic() < end and not findings:
            for name, (work, whole, length) in works.items():
                try:
                    one_run(work, whole, length, random.Random(number), counts)
                except Finding as finding:
                    print(f"interrupt.py: {name}, --seed {number}: {finding}", file=sys.stderr)
                    findings += 1
                runs[name] += 1
            number += 1
    finally:
        shutil.rmtree(inputs, ignore_errors=True)
    probe = Disk()
    if not probe.mounted:
        print("interrupt.py: no disk can be mounted here, so none was full")
    probe.remove()
    told = [", ".join(f"{count} {name}" for name, count in sorted(counter.items())) for counter in [runs, counts]]
    said = f"runs: {told[0]}; interruptions: {told[1]}; findings: {findings}"
    append("interrupt.py", f"seed {seed}, {arguments.minutes:g} min", said)
    sys.exit(findings > 0)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("works", nargs="*", choices=[*WORKS, []], metavar="WORK")
parser.add_argument("--minutes", type=float, default=10)
parser.add_argument("--seed", type=int)
parser.add_argument("--keep", type=Path, default=ROOT / "target/interrupt")
arguments = parser.parse_args()
main()
