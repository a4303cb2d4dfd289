#!/usr/bin/env python3
"""Makes small.obk and small.pfBook of this folder, with Python's own SQLite: the same moves in both forms of keys.

The rows cover what databases in the field contain: integer and floating-point keys, a key of which only fifteen digits are
left, a row of the mirror image, a forbidden move, a score with and without its depth, a remark that is longer than a page, a
move that is not legal and one that is not a move.
"""

import pathlib
import sqlite3
import struct

RED_TO_MOVE = 0xA0CE2AF90C452F58
PIECES = "KABNRCPkabnrcp"
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"


def words():
    state = 0
    for _ in range(14 * 256):
        word = 0
        for part in range(5):
            state = (state * 214013 + 2531011) & 0xFFFFFFFF
            word ^= (state >> 16 & 0x7FFF) << 15 * part
        yield word & 0xFFFFFFFFFFFFFFFF


WORDS = list(words())


def square(name):
    return 16 * (9 - int(name[1]) + 3) + ord(name[0]) - ord("a") + 3


def board(moves):
    squares = {}
    for row, line in enumerate(START.split("/")):
        column = 0
        for letter in line:
            if letter.isdigit():
                column += int(letter)
            else:
                squares[16 * (row + 3) + column + 3] = letter
                column += 1
    for move in moves.split():
        squares[square(move[2:])] = squares.pop(square(move[:2]))
    return squares


def key(moves, mirrored=False):
    number = RED_TO_MOVE if len(moves.split()) % 2 == 0 else 0
    for place, letter in board(moves).items():
        if mirrored:
            place = place // 16 * 16 + 14 - place % 16
        number ^= WORDS[PIECES.index(letter) * 256 + place]
    return number


def move(name):
    return square(name[:2]) << 8 | square(name[2:])


# Moves before, move, score, wins, draws, losses, valid, remark.
ROWS = [
    ("", "h2e2", 31, 40, 20, 10, 1, "depth 18"),
    ("", "c3c4", 12, 10, 10, 10, 1, ""),
    ("", "a0a1", -40, 1, 0, 9, 0, ""),
    ("", "a0a9", 0, 5, 0, 0, 1, "not legal"),
    ("h2e2", "h9g7", -20, 7, 2, 1, 1, "long " * 400),
    ("h2e2", "b7e7", -35, 3, 1, 2, 1, ""),
    ("h2e2 h9g7", "h0g2", 25, 0, 0, 0, 1, ""),
    ("h2e2 h9g7", "b0c2", 20, 0, 0, 0, 1, ""),
]


def stored(number, name):
    signed = number - (1 << 64) if number >> 63 else number
    if name == "small.obk" and number >> 63:
        return struct.unpack("<d", struct.pack("<Q", number))[0]
    return signed


def make(folder, name, table, affinity, page):
    path = folder / name
    path.unlink(missing_ok=True)
    base = sqlite3.connect(path)
    base.execute(f"PRAGMA page_size = {page}")
    base.execute(
        f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, vkey{affinity}, vmove INTEGER, vscore INTEGER, vwin INTEGER,"
        " vdraw INTEGER, vlost INTEGER, vvalid INTEGER, vmemo TEXT, vindex INTEGER)"
    )
    insert = f"INSERT INTO {table} (vkey, vmove, vscore, vwin, vdraw, vlost, vvalid, vmemo, vindex)"
    for before, name_of_move, *rest in ROWS:
        number = stored(key(before), name)
        base.execute(f"{insert} VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)", (number, move(name_of_move), *rest))
    # The reply to the mirror image of h2f2 is found from either side; one key has lost its last digits.
    reply = stored(key("h2f2", mirrored=True), name)
    if isinstance(reply, float):
        reply = float(f"{reply:.15g}")
    base.execute(f"{insert} VALUES (?, ?, 5, 4, 4, 4, 1, NULL, 0)", (reply, move("h9g7")))
    base.execute(f"{insert} VALUES (?, 0, 0, 1, 0, 0, 1, '', 0)", (stored(key(""), name),))
    base.execute(f"CREATE INDEX {table}_vkey ON {table} (vkey)")
    base.commit()
    base.close()


def main():
    folder = pathlib.Path(__file__).parent
    make(folder, "small.obk", "bhobk", "", 512)
    make(folder, "small.pfBook", "pfBook", " INTEGER", 4096)


main()
