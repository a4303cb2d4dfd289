"""Plays a short game of two engines, with book and tablebases beside it."""

import chuhe

book, tables = chuhe.Book(), chuhe.Tablebase()
position = chuhe.Position()
with chuhe.Engine(hash=4) as engine:
    for _ in range(12):
        known = book.moves(position)
        move = known[0].move if known else engine.search(position, nodes=2_000).best
        position.play(move)
print(" ".join(position.moves))
print("tablebases:", tables.outcome(position), "verdict:", position.judge())
