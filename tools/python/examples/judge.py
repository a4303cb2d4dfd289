"""Judges a game by several sets of rules: verdict, reason and the moves of the loop."""

import chuhe

FEN = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
MOVES = ["f0e0", "e8f8", "e0f0", "f8e8"] * 3

for rules in ("asian", "league", "pikafish", "chinese", "checkban", "noban"):
    verdict = chuhe.judge(FEN, MOVES, rules)
    if verdict is None:
        print(f"{rules}: the game goes on")
    else:
        print(f"{rules}: {verdict.loser or 'nobody'} loses, {verdict.reason}, loop of {len(verdict.loop)} plies")
