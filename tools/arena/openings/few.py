#!/usr/bin/env python3
"""Picks openings with few men out of games of the arena.

    few.py GAMES.pgn... > few.epd

Of each game the first position with a number of men that chance chooses from 8 to 12, kings among them, if the engine's own value
of it is within two pawns, somebody is left to attack, and no game before had it. Of all these chance picks 200. The same games
give the same openings.
"""

import random
import re
import sys

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
FEWEST, MOST = 8, 12
# In the PGN's unit, pawns.
WIDEST = 2.0
OPENINGS = 200
SEED = 5

MOVE = re.compile(r"([A-I]\d)-([A-I]\d) \{([+-][\d.M#]+)?")


def men_of(placement):
    """The pieces of a FEN's first field by (file, rank), rank 0 at red's edge."""
    men = {}
    for row, line in enumerate(placement.split("/")):
        file = 0
        for sign in line:
            if sign.isdigit():
                file += int(sign)
            else:
                men[file, 9 - row] = sign
                file += 1
    return men


def fen_of(men, side):
    rows = ("".join(men.get((file, rank), " ") for file in range(9)) for rank in range(9, -1, -1))
    placement = "/".join(re.sub(" +", lambda gap: str(len(gap[0])), row) for row in rows)
    return f"{placement} {side} - - 0 1"


def square(name):
    return ord(name[0]) - ord("A"), int(name[1])


def value(told):
    """How far apart the sides were, in pawns; mates and silence are as far as can be."""
    try:
        return abs(float(told))
    except ValueError:
        return float("inf")


def first_with(wanted, game, seen):
    """The FEN of the first position with so many men that will do, or None."""
    fen = re.search(r'\[FEN "([^"]+)"\]', game)
    placement, side = (fen[1] if fen else START).split()[:2]
    men = men_of(placement)
    for origin, target, told in MOVE.findall(game):
        if len(men) < wanted:
            return None
        if len(men) == wanted and value(told) <= WIDEST:
            found = fen_of(men, side)
            if found not in seen and any(piece in "rncpRNCP" for piece in men.values()):
                return found
        men[square(target)] = men.pop(square(origin))
        side = "b" if side == "w" else "w"
    return None


def main(paths):
    if not paths:
        sys.exit(__doc__)
    chance = random.Random(SEED)
    found = []
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as file:
            games = file.read().split('[Event "')[1:]
        for game in games:
            opening = first_with(chance.randint(FEWEST, MOST), game, found)
            if opening:
                found.append(opening)
    if len(found) < OPENINGS:
        sys.exit(f"few.py: {len(found)} positions in these games, {OPENINGS} are wanted")
    chance.shuffle(found)
    print("\n".join(found[:OPENINGS]))


if __name__ == "__main__":
    main(sys.argv[1:])
