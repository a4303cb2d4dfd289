"""Analyses a position with three lines, as chances of win, draw and loss."""

import chuhe

with chuhe.Engine(hash=16, options={"UCI_ShowWDL": True}) as engine:
    position = chuhe.Position()
    result = engine.search(position, nodes=50_000, multipv=3)
    for line in result.lines:
        print(line.multipv, line.score, line.wdl, " ".join(line.moves[:4]))
