"""Legal moves and verdicts a second, beside pyffish and cchess: `ci/python.sh --long` runs it."""

import importlib
import random
import time
from pathlib import Path

import chuhe

SECONDS = 2.0


def rate(work, items) -> float:
    started, done = time.perf_counter(), 0
    while time.perf_counter() - started < SECONDS:
        for item in items:
            work(item)
        done += len(items)
    return done / (time.perf_counter() - started)


def positions(count: int):
    rng, fens = random.Random(3), []
    while len(fens) < count:
        position = chuhe.Position()
        for _ in range(100):
            if not position.legal_moves:
                break
            position.play(rng.choice(position.legal_moves))
            fens.append(position.fen)
    return fens[:count]


def loops():
    path = Path(__file__).resolve().parents[3] / "tests" / "data" / "loops.tsv"
    lines = [line.split("\t") for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    return [(fen, moves.split()) for fen, moves, *_ in lines[:500]]


def optional(name: str):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def main() -> None:
    fens = positions(1_000)
    print(f"legal moves of a FEN, chuhe:    {rate(lambda fen: chuhe.Position(fen).legal_moves, fens):10.0f} a second")
    pyffish = optional("pyffish")
    if pyffish:
        print(f"legal moves of a FEN, pyffish:  {rate(lambda fen: pyffish.legal_moves('xiangqi', fen, []), fens):10.0f}")
    cchess = optional("cchess")
    if cchess and hasattr(cchess, "ChessBoard"):
        # Its moves include those that leave the king in check.
        def legal(fen: str):
            board = cchess.ChessBoard(fen)
            return [mv for mv in board.create_moves() if board.is_valid_move(*mv) and not board.is_checked_move(*mv)]

        print(f"legal moves of a FEN, cchess:   {rate(legal, fens[:200]):10.0f}")
    games = loops()
    print(f"games judged, chuhe:            {rate(lambda game: chuhe.judge(*game), games):10.0f} a second")
    if pyffish:
        # Its coordinates count ranks from 1.
        def theirs(mv: str) -> str:
            return f"{mv[0]}{int(mv[1]) + 1}{mv[2]}{int(mv[3]) + 1}"

        written = [(fen, [theirs(mv) for mv in moves]) for fen, moves in games]
        judged = rate(lambda game: pyffish.is_optional_game_end("xiangqi", *game), written)
        print(f"games judged, pyffish:          {judged:10.0f}")
    if cchess:
        print("games judged, cchess:           it has no verdicts on repetitions")


if __name__ == "__main__":
    main()
