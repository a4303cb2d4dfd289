"""Positions, moves and their notations."""

import copy
import pickle
import random

import pytest

import chuhe

MALFORMED = 10_000


def test_start() -> None:
    position = chuhe.Position()
    assert position.fen == chuhe.START_FEN
    assert (position.turn, position.in_check, len(position.legal_moves)) == ("red", False, 44)
    assert position.piece_at("h2") == "C" and position.piece_at("e5") is None
    assert position.perft(3) == 79666


@pytest.mark.parametrize("text", ["h2e2", "H2-E2", "C2=5", "炮二平五", "砲2平5"])
def test_notations_are_read(text: str) -> None:
    assert chuhe.Position().parse(text) == "h2e2"


def test_notations_both_ways() -> None:
    rng = random.Random(1)
    for _ in range(20):
        position = chuhe.Position()
        for _ in range(80):
            moves = position.legal_moves
            if not moves:
                break
            for mv in moves:
                assert position.parse(position.wxf(mv)) == mv
                assert position.parse(position.chinese(mv)) == mv
            position.play(rng.choice(moves))


def test_play_and_undo() -> None:
    position = chuhe.Position(moves=["炮二平五"])
    before = position.fen
    assert position.play("馬8進7") == "h9g7"
    assert position.moves == ["h2e2", "h9g7"]
    assert position.undo() == "h9g7"
    assert position.fen == before
    position.undo()
    with pytest.raises(chuhe.Error):
        position.undo()


def test_copies() -> None:
    position = chuhe.Position(moves=["h2e2"])
    for other in (position.copy(), copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert other == position and other.moves == position.moves
        other.play("h9g7")
        assert other != position


def test_perft_file(data) -> None:
    lines = [line for line in (data / "perft.tsv").read_text("utf-8").splitlines() if not line.startswith("#")]
    for line in lines[:20]:
        fen, *counts = line.split("\t")
        position = chuhe.Position(fen)
        assert [position.perft(depth) for depth in (1, 2, 3)] == [int(count) for count in counts[:3]]


def test_evaluation_turns_with_the_mover() -> None:
    winning = "4k4/9/9/9/9/9/9/9/R8/3K5"
    assert chuhe.Position(winning + " w").evaluate() > 200
    assert chuhe.Position(winning + " b").evaluate() < -200


def test_svg() -> None:
    position = chuhe.Position(moves=["h2e2"])
    assert position._repr_svg_().startswith("<svg ")
    assert "arrow" in position.svg(pieces="letters", coordinates="chinese", arrows=["h9g7"], flipped=True)
    for keywords in ({"pieces": "x"}, {"coordinates": "x"}, {"arrows": ["a0a9"]}):
        with pytest.raises(chuhe.Error):
            position.svg(**keywords)


def test_malformed_input_raises() -> None:
    """Ten thousand texts, made from good ones by random changes: an exception or a value, never a crash."""
    rng = random.Random(2)
    alphabet = "rnbakcpRNBAKCP0123456789/ wb-h2e2炮二平五馬\x00\ud7ff\U0001f600+=."
    good = [chuhe.START_FEN, "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1", "h2e2", "炮二平五", "C2=5"]
    position = chuhe.Position()
    refused = 0
    for _ in range(MALFORMED):
        text = list(rng.choice(good))
        for _ in range(rng.randint(1, 6)):
            place = rng.randrange(len(text) + 1)
            text[place : place + rng.randint(0, 2)] = rng.choice(alphabet)
        text = "".join(text)
        for use in (chuhe.Position, position.parse, lambda text: chuhe.judge(chuhe.START_FEN, [text]), position.piece_at):
            try:
                use(text)
            except chuhe.Error as fault:
                refused += 1
                assert str(fault)
    assert refused > MALFORMED


@pytest.mark.parametrize("bad", [None, 7, b"h2e2", ["h2e2"]])
def test_wrong_types(bad) -> None:
    with pytest.raises(TypeError):
        chuhe.Position().play(bad)
