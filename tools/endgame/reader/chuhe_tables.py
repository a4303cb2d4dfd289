"""A reader of Chuhe's endgame tablebases in plain Python, written from docs/en/src/tablebase-format.md alone.

As a program: chuhe_tables.py FOLDER [FEN...]. Without a FEN it reads one from each line of the standard input. It prints the
outcome for the side to move and, of wins and losses, the plies to the end of the game or the next capture.
"""

import functools
import itertools
import math
import mmap
import pathlib
import struct
import sys
import zlib

ATTACKERS, DEFENDERS = "RNCP", "AB"
OUTCOMES = ["draw", "win", "loss", "open"]
HEADER = struct.Struct("<8sIHHI36x48sQ" + 2 * "QQI4s" + "QQ16x")


def square(name):
    return int(name[1]) * 9 + "abcdefghi".index(name[0])


def mirrored(at):
    return at // 9 * 9 + 8 - at % 9


KINGS, ADVISORS, ELEPHANTS = (
    [square(name) for name in names.split()]
    for names in ("d0 e0 f0 d1 e1 f1 d2 e2 f2", "d0 f0 e1 d2 f2", "c0 g0 a2 e2 i2 c4 g4")
)
PAWNS = [at for at in range(90) if at // 9 >= 5 or at // 9 >= 3 and at % 9 % 2 == 0]


def defence(king, advisors, elephants):
    """The triple of a defence of squares."""
    bits = lambda squares, places: sum(1 << places.index(at) for at in squares)
    return KINGS.index(king), bits(advisors, ADVISORS), bits(elephants, ELEPHANTS)


@functools.cache
def defences(advisors, elephants):
    """The numbers of a class by triple, and the sizes of its first two groups."""
    groups = [], [], []
    sets = itertools.product(KINGS, itertools.combinations(ADVISORS, advisors), itertools.combinations(ELEPHANTS, elephants))
    for king, *others in sets:
        if king not in others[0] + others[1]:
            this, image = defence(king, *others), defence(mirrored(king), *(map(mirrored, other) for other in others))
            if this <= image:
                groups[this == image].append((this, image))
    left, middle = (sorted(group) for group in groups[:2])
    order = [this for this, _ in left + middle] + [image for _, image in left]
    return {this: number for number, this in enumerate(order)}, len(left), len(middle)


def pieces(fen):
    """The squares of each side's pieces, Red first, and the side to move."""
    sides, (board, mover) = ({}, {}), (fen.split() + ["w"])[:2]
    for rank, row in enumerate(board.split("/")):
        at = 81 - 9 * rank
        for letter in row:
            if not letter.isdigit():
                kind = letter.upper().translate({ord("E"): "B", ord("H"): "N"})
                sides[letter.islower()].setdefault(kind, []).append(at)
            at += int(letter) if letter.isdigit() else 1
    return sides, int(mover == "b")


def number(sides):
    """The number of a placement, first side first; ValueError if a piece stands where it cannot."""
    second = {kind: [89 - at for at in squares] for kind, squares in sides[1].items()}
    triple = lambda side: defence(side["K"][0], *(side.get(kind, []) for kind in DEFENDERS))
    classes = [defences(*(len(side.get(kind, [])) for kind in DEFENDERS)) for side in sides]
    (first, left, middle), (other, left2, middle2) = classes
    a, b = first[triple(sides[0])], other[triple(second)]
    if a >= left + middle or a >= left and b >= left2 + middle2:
        return number([{kind: [mirrored(at) for at in squares] for kind, squares in side.items()} for side in sides])
    total = a * len(other) + b if a < left else left * len(other) + (a - left) * (left2 + middle2) + b
    for side, kind in itertools.product((sides[0], second), ATTACKERS):
        places = sorted(PAWNS.index(at) if kind == "P" else at for at in side.get(kind, []))
        size = math.comb(len(PAWNS) if kind == "P" else 90, len(places))
        total = total * size + sum(math.comb(place, k) for k, place in enumerate(places, 1))
    return total


class File:
    """A file of results (content 1) or distances (content 2)."""

    def __init__(self, path, content):
        with open(path, "rb") as file:
            self.bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        magic, order, major, _, found, _, self.size, *parts, _, _ = HEADER.unpack_from(self.bytes)
        if magic != b"ChuheEg\n" or order != 0x01020304 or major > content or found != content:
            raise ValueError(f"{path}: not a table")
        self.parts = parts[:4], parts[4:]
        self.block = functools.lru_cache(4096)(self.block)

    def outcome(self, mover, number):
        offset, _, bits, meanings = self.parts[mover]
        code = self.bytes[offset + number * bits // 8] >> number * bits % 8 & (1 << bits) - 1 if bits else 0
        return OUTCOMES[meanings[code]]

    def block(self, mover, block):
        offset, _, grain, _ = self.parts[mover]
        start, end = struct.unpack_from("<QQ", self.bytes, offset + 8 * block)
        data = offset + 8 * (-(-self.size // grain) + 1)
        return zlib.decompress(self.bytes[data + start : data + end])

    def distance(self, mover, number, outcome):
        _, _, grain, (_, losses, high, _) = self.parts[mover]
        if losses and outcome != "loss":
            return None
        width = 2 if high else 1
        at = number % grain * width
        return int.from_bytes(self.block(mover, number // grain)[at : at + width], "little")


class Tables:
    """The tables of a folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.file = functools.cache(self.file)

    def file(self, name, content):
        path = self.folder / f"{name}.{[None, 'wdl', 'dtc'][content]}"
        return File(path, content) if path.exists() else None

    def probe(self, fen):
        """The outcome and the plies (None if there are none, or no file has them); None for a position that no table has."""
        sides, mover = pieces(fen)
        counts = [[len(side.get(kind, [])) for kind in ATTACKERS + DEFENDERS] for side in sides]
        if not any(itertools.chain(*(side[: len(ATTACKERS)] for side in counts))):
            return "draw", None
        if counts[0] < counts[1]:
            sides = [{kind: [89 - at for at in squares] for kind, squares in side.items()} for side in reversed(sides)]
            counts, mover = counts[::-1], 1 - mover
        letters = ["K" + "".join(kind * n for kind, n in zip(ATTACKERS + DEFENDERS, side)) for side in counts]
        results, distances = (self.file("-".join(letters), content) for content in (1, 2))
        try:
            at = number(sides)
        except ValueError:
            return None
        if results is None:
            return None
        outcome = results.outcome(mover, at)
        known = distances and outcome in ("win", "loss")
        return outcome, distances.distance(mover, at, outcome) if known else None


def main(folder, *fens):
    tables = Tables(folder)
    for fen in fens or map(str.strip, sys.stdin):
        found = tables.probe(fen)
        print("unknown" if found is None else " ".join(str(word) for word in found if word is not None))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
