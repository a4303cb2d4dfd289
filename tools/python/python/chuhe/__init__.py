"""Xiangqi (Chinese chess): rules, notations, endgame tablebases, opening books, and the engine Chuhe.

>>> import chuhe
>>> position = chuhe.Position()
>>> position.play("炮二平五")
'h2e2'
>>> position.chinese("h9g7")
'马８进７'

Scores are centipawns for the side to move, times milliseconds, depths plies. Whatever cannot be used raises ``chuhe.Error``,
a ``ValueError``.
"""

from . import ucci
from ._native import (
    START_FEN,
    Book,
    BookMove,
    Engine,
    Error,
    Game,
    Line,
    Position,
    Score,
    SearchResult,
    Tablebase,
    Verdict,
    __version__,
    judge,
    read_games,
)

__all__ = [
    "START_FEN",
    "Book",
    "BookMove",
    "Engine",
    "Error",
    "Game",
    "Line",
    "Position",
    "Score",
    "SearchResult",
    "Tablebase",
    "Verdict",
    "__version__",
    "judge",
    "read_games",
    "ucci",
]
