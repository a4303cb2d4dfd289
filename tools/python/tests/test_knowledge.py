"""Books, tablebases and game files."""

import random

import pytest

import chuhe

#: Offsets in an XQF file.
RESULT, PIECES = 51, 16


def test_the_embedded_book() -> None:
    book = chuhe.Book()
    moves = book.moves(chuhe.Position())
    assert len(book) > 100 and moves
    assert all(chuhe.Position().is_legal(mv.move) for mv in moves)
    assert [mv.weight for mv in moves] == sorted((mv.weight for mv in moves), reverse=True)
    with pytest.raises(chuhe.Error):
        chuhe.Book("/nowhere.book")


def test_the_embedded_tables() -> None:
    tables = chuhe.Tablebase()
    assert tables.materials
    won = chuhe.Position("4k4/9/9/9/9/9/9/R8/9/3K5 w")
    assert tables.outcome(won) == "win" and tables.outcome(chuhe.Position()) is None
    assert tables.best_moves(chuhe.Position()) == []
    plies = 0
    while (best := tables.best_moves(won)):
        won.play(best[0])
        plies += 1
        assert plies < 100
    assert won.judge().reason in ("mate", "stalemate") and won.turn == "black"
    with pytest.raises(chuhe.Error):
        chuhe.Tablebase("/nowhere")


def test_pgn(tmp_path) -> None:
    path = tmp_path / "a.pgn"
    path.write_text('[Red "a"]\n[Black "b"]\n[Result "1-0"]\n\n1. 炮二平五 馬8進7 2. h0g2 1-0\n', "utf-8")
    (game,) = chuhe.read_games(path)
    assert game.moves == ["h2e2", "h9g7", "h0g2"] and game.result == "red" and len(game) == 3
    assert game.position().moves == game.moves
    path.write_text('[Red "a"]\n\n1. h2e2 h2e2 *\n', "utf-8")
    with pytest.raises(chuhe.Error):
        chuhe.read_games(path)
    assert chuhe.read_games(path, skip_faulty=True) == []
    with pytest.raises(OSError):
        chuhe.read_games(tmp_path / "none.pgn")


def xqf() -> bytes:
    """A file of version 10, which has no masks: h2e2 h9g7, drawn."""
    header = bytearray(1024)
    header[:3] = b"XQ\x0a"
    header[RESULT] = 3
    squares = []
    for back, cannons, pawns in ((0, 2, 3), (9, 7, 6)):
        squares += [file * 10 + back for file in range(9)] + [10 + cannons, 70 + cannons]
        squares += [file * 10 + pawns for file in range(0, 9, 2)]
    header[PIECES : PIECES + 32] = bytes(squares)
    body = bytearray()
    for origin, target, has_next in ((0, 0, True), (72, 42, True), (79, 67, False)):
        body += bytes([origin + 24, target + 32, 0xF0 if has_next else 0, 0]) + (0).to_bytes(4, "little")
    return bytes(header + body)


def test_xqf(tmp_path) -> None:
    path = tmp_path / "a.xqf"
    path.write_bytes(xqf())
    (game,) = chuhe.read_games(path)
    assert game.moves == ["h2e2", "h9g7"] and game.result == "draw" and game.start_fen == chuhe.START_FEN
    path.write_bytes(xqf()[:-3])
    with pytest.raises(chuhe.Error, match="truncated"):
        chuhe.read_games(path)


def test_malformed_files_raise(tmp_path) -> None:
    """Game files with random changes: games or an exception, never a crash."""
    rng = random.Random(4)
    pgn = '[Red "a"]\n[FEN "' + chuhe.START_FEN + '"]\n\n1. 炮二平五 {x} 馬8進7 (1... h7e7) 2. h0g2 1-0\n'
    refused = 0
    for name, good in (("a.pgn", pgn.encode()), ("a.xqf", xqf())):
        path = tmp_path / name
        for _ in range(1_000):
            data = bytearray(good)
            for _ in range(rng.randint(1, 6)):
                place = rng.randrange(len(data))
                data[place : place + rng.randint(0, 3)] = rng.randbytes(rng.randint(0, 3))
            path.write_bytes(data[: rng.choice((len(data), rng.randrange(len(data) + 1)))])
            for skip_faulty in (False, True):
                try:
                    for game in chuhe.read_games(path, skip_faulty=skip_faulty):
                        assert len(game.position().moves) == len(game)
                except chuhe.Error as fault:
                    refused += 1
                    assert str(fault)
    assert refused > 500


def test_malformed_books_and_tables_raise(tmp_path) -> None:
    rng = random.Random(5)
    for name, open_it in (("a.book", chuhe.Book), ("a.dat", chuhe.Book), ("a.obk", chuhe.Book)):
        for size in (0, 1, 15, 16, 1_000):
            path = tmp_path / name
            path.write_bytes(rng.randbytes(size))
            with pytest.raises(chuhe.Error):
                open_it(str(path))
