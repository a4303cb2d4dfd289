"""Reads game files (PGN, XQF and others) and lists their games: `games.py FILE...`; without a file it makes one."""

import sys
import tempfile
from pathlib import Path

import chuhe

SAMPLE = '[Red "a"]\n[Black "b"]\n[Result "1-0"]\n\n1. 炮二平五 馬8進7 2. 馬二進三 車9平8 1-0\n'

with tempfile.TemporaryDirectory() as folder:
    paths = sys.argv[1:]
    if not paths:
        paths = [Path(folder, "sample.pgn")]
        paths[0].write_text(SAMPLE, "utf-8")
    for path in paths:
        for game in chuhe.read_games(path):
            position = chuhe.Position(game.start_fen)
            written = []
            for move in game.moves:
                written.append(position.wxf(move))
                position.play(move)
            print(game.result or "no result:", " ".join(written), "-", position.judge() or "not decided on the board")
