"""Compares chuhe_tables.py with `chuhe-endgame probe` on random positions of all tables in a folder.

usage: compare.py CHUHE_ENDGAME FOLDER [POSITIONS [SEED]]
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

from chuhe_tables import ADVISORS, ELEPHANTS, KINGS, PAWNS, Tables

SQUARES = {"K": KINGS, "A": ADVISORS, "B": ELEPHANTS, "P": PAWNS}


def random_fen(material, choose):
    """A random placement as a FEN; the kings may face each other, or a king may be captured."""
    board, sides = [None] * 90, material.split("-")
    black = choose.randrange(2)
    for number, letters in enumerate(sides):
        for letter in letters:
            while True:
                at = choose.choice(SQUARES.get(letter, range(90)))
                at = at if number == black else 89 - at
                if board[at] is None:
                    break
            board[at] = letter if number == black else letter.lower()
    rows = []
    for rank in reversed(range(10)):
        row = "".join(letter or "1" for letter in board[9 * rank : 9 * rank + 9])
        for length in range(9, 1, -1):
            row = row.replace("1" * length, str(length))
        rows.append(row)
    return "/".join(rows) + " " + choose.choice("wb")


def main(program, folder, positions=10_000, seed=1):
    materials = sorted(path.stem for path in pathlib.Path(folder).glob("*.wdl"))
    choose = random.Random(int(seed))
    fens = [random_fen(materials[i % len(materials)], choose) for i in range(int(positions))]
    tables, counts = Tables(folder), {}
    with tempfile.NamedTemporaryFile("w", suffix=".fens") as file:
        file.write("\n".join(fens) + "\n")
        file.flush()
        command = [program, "probe", "--file", file.name, "--json", "--no-moves", "--folder", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            for fen in fens:
                answer = json.loads(process.stdout.readline())
                if answer["fen"] != fen:
                    sys.exit(f"{fen}: answered as {answer['fen']}")
                counts[answer.get("outcome", "illegal")] = counts.get(answer.get("outcome", "illegal"), 0) + 1
                if "outcome" in answer and tables.probe(fen) != (answer["outcome"], answer["plies"]):
                    sys.exit(f"{fen}: {answer}, but the reader says {tables.probe(fen)}")
    legal = len(fens) - counts.pop("illegal", 0)
    by_outcome = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
    print(f"{legal} positions of {len(materials)} tables agree: {by_outcome}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
