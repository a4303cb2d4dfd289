"""Positions, moves and verdicts; in a notebook the last line of a cell shows the board."""

import chuhe

position = chuhe.Position()
for move in ("炮二平五", "馬8進7", "馬二進三"):
    position.play(move)
print(position.fen)
print([position.chinese(move) for move in position.legal_moves[:5]])

verdict = chuhe.judge("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8".split())
print(verdict)
