"""Asks the opening book and the endgame tablebases: `probe.py [FEN]`."""

import sys

import chuhe

book, tables = chuhe.Book(), chuhe.Tablebase()
print(len(book), "moves in the book,", len(tables.materials), "materials in the tablebases")
for entry in book.moves(chuhe.Position()):
    print(entry.move, chuhe.Position().chinese(entry.move), "weight", entry.weight)

position = chuhe.Position(*sys.argv[1:2] or ["4k4/4a4/9/9/9/9/9/9/4R4/3K5 w"])
print(position.fen, tables.outcome(position), tables.distance(position), "plies to the end or the next capture")
while best := tables.best_moves(position):
    print(position.chinese(best[0]), end=" ")
    position.play(best[0])
print("-", position.judge())
