"""Plays a short game of two programs that speak UCCI: `match.py [COMMAND [OTHER]]`, `chuhe` on both sides by default."""

import sys

import chuhe

commands = (sys.argv[1:] or ["chuhe"]) * 2
position = chuhe.Position()
with chuhe.ucci.popen(commands[0]) as red, chuhe.ucci.popen(commands[1]) as black:
    print(red.id.get("name"), "-", black.id.get("name"))
    for ply in range(12):
        reply = (red, black)[ply % 2].search(position, movetime=50)
        if reply.best is None or reply.resign:
            break
        position.play(reply.best)
print(" ".join(position.moves), "-", position.judge() or "not decided")
