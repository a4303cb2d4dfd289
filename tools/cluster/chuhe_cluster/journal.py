"""The journal of a whole match, to which the head appends the games of all pieces."""

import fcntl
import json
import os
import re
import threading
import time

from . import arena as program

_NUMBER = re.compile(rb'\{"number":(\d+),')


def number_of(line):
    """Number of the game of a line."""
    found = _NUMBER.match(line)
    return int(found[1]) if found else json.loads(line)["number"]


def without_moves(line):
    """Line of a game without its moves, which the standing does not need."""
    start, end = line.find(b'"moves":['), line.rfind(b'],"result":')
    if 0 <= start < end:
        return line[:start] + b'"moves":[]' + line[end + 1 :]
    return json.dumps(json.loads(line) | {"moves": []}).encode() + b"\n"


class MatchJournal:
    """Journal that grows by the games that are new, each once. Memory holds the places of the games, not the games.

    Games are acknowledged when the disk has them; one sync serves all workers that wait for it."""

    def __init__(self, arena, words, out, folder, tell=print):
        """Opens the journal of this very match or begins it; `folder` is for a short journal, from which the standing comes.

        Raises ValueError if `out` holds anything else, which is not changed."""
        self.path, self.short, self.tell = out, folder / "standing.journal", tell
        out.parent.mkdir(parents=True, exist_ok=True)
        self._begin(arena, words, folder)
        self.file = open(out, "r+b", buffering=0)
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"another process is writing the journal {out}") from None
        self.places = {}
        self.lines, self.asked, self.written = [], 0, 0
        self.changed = threading.Condition()
        self.is_open = True
        self._read(words)
        self.writer = threading.Thread(target=self._write_all, daemon=True)
        self.writer.start()

    def _begin(self, arena, words, folder):
        # That the arena is here says nothing about the cores where games are played.
        forced = [*words, *(() if {"-force", "--force"} & set(words) else ("-force",))]
        is_new = not self.path.exists() or not self.path.stat().st_size
        begun = folder / "begun.journal" if is_new else self.path
        program.compare(arena, forced, begun, folder)
        with open(begun, "rb") as file:
            first = file.readline()
        # A heading that was cut in two is begun again by the part without games.
        if is_new or program.NO_GAME in json.loads(first)["command"]:
            if not is_new and begun.stat().st_size > len(first):
                raise ValueError(f"{self.path} has games and the heading of a part; name another file")
            beside = self.path.with_name(f".new-{self.path.name}-{os.getpid()}")
            with open(beside, "wb") as file:
                file.write(self._heading(first, words))
                os.fsync(file.fileno())
            os.replace(beside, self.path)

    @staticmethod
    def _heading(first, words):
        # The command of the whole match, not of a part without games.
        return json.dumps(json.loads(first) | {"command": list(words), "directory": os.getcwd()}).encode() + b"\n"

    def _read(self, words):
        self.length = 0
        with open(self.path, "rb") as file, open(self.short, "wb") as short:
            first = file.readline()
            self.heading = self._heading(first, words)
            short.write(self.heading)
            self.length = len(first)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self._place(number_of(line), line, short)
        self.found = len(self.places)

    def _place(self, number, line, short):
        # Of several games with one number the first counts, as in the arena.
        if self.places.get(number) is None:
            self.places[number] = (self.length, len(line))
            short.write(without_moves(line))
        self.length += len(line)

    def has(self, number):
        """Whether a game is finished."""
        return number in self.places

    def games(self):
        """Number of finished games."""
        return len(self.places)

    def lines_of(self, numbers):
        """Lines of those of these games that are finished."""
        places = (self.places.get(number) for number in numbers)
        return b"".join(os.pread(self.file.fileno(), length, at) for at, length in filter(None, places))

    def add(self, lines):
        """Appends the games that are new, and returns how many they are when the disk has all."""
        with self.changed:
            new = 0
            for line in lines.splitlines(keepends=True):
                number = number_of(line)
                if number not in self.places:
                    # Its place is known when it is written.
                    self.places[number] = None
                    self.lines.append((number, line))
                    new += 1
            self.asked += new
            wanted = self.asked
            self.changed.notify_all()
            # A game that another worker has sent before may still be on its way to the disk.
            self.changed.wait_for(lambda: self.written >= wanted)
        return new

    def _write_all(self):
        with open(self.short, "ab") as short:
            while True:
                with self.changed:
                    self.changed.wait_for(lambda: self.lines or not self.is_open)
                    lines, self.lines = self.lines, []
                if not lines:
                    return
                self._write(b"".join(line for _, line in lines))
                with self.changed:
                    for number, line in lines:
                        self._place(number, line, short)
                    short.flush()
                    self.written += len(lines)
                    self.changed.notify_all()

    def _write(self, block):
        """Writes a block after the last whole line, again and again on a disk that is full."""
        is_told = False
        while True:
            try:
                os.ftruncate(self.file.fileno(), self.length)
                at = 0
                while at < len(block):
                    at += os.pwrite(self.file.fileno(), block[at:], self.length + at)
                return os.fdatasync(self.file.fileno())
            except OSError as error:
                if not is_told:
                    self.tell(f"{self.path} cannot be written and is tried again: {error}")
                is_told = True
                time.sleep(1)

    def close(self):
        """Writes what is left and lets others write."""
        with self.changed:
            self.is_open = False
            self.changed.notify_all()
        self.writer.join()
        self.file.close()
