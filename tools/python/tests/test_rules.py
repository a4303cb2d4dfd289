"""Verdicts, beside the case files of the repository and another program's rules."""

import random

import pytest

import chuhe


def test_perpetual_check() -> None:
    loop = "f0e0 e8f8 e0f0 f8e8".split()
    verdict = chuhe.judge("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", loop * 2)
    assert verdict is not None
    assert (verdict.loser, verdict.reason) == ("red", "perpetual check")
    assert verdict.loop[-4:] == loop
    assert verdict.text.startswith("red loses: perpetual check; loop F0-E0")
    assert chuhe.judge("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", loop * 2, "noban").loser is None


def test_rules_by_name() -> None:
    for rules in ("asian", "league", "pikafish", "chinese", "checkban", "noban", "wxf"):
        assert chuhe.judge(chuhe.START_FEN, [], rules) is None
    with pytest.raises(chuhe.Error, match="unknown rules"):
        chuhe.judge(chuhe.START_FEN, [], "mine")


def test_loops_by_the_asian_rules(data) -> None:
    """Random loops on which three other programs and our judge agree."""
    judged = 0
    for line in (data / "loops.tsv").read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        fen, moves, *_, expected = line.split("\t")
        if expected == "-":
            continue
        verdict = chuhe.judge(fen, moves.split())
        assert verdict is not None, line
        assert (f"{verdict.loser} loses" if verdict.loser else "draw") == expected, line
        judged += 1
    assert judged > 1_000


def random_positions(count: int, seed: int):
    rng = random.Random(seed)
    made = 0
    while made < count:
        position = chuhe.Position()
        for _ in range(150):
            moves = position.legal_moves
            if not moves or made == count:
                break
            made += 1
            yield position, moves
            position.play(rng.choice(moves))


@pytest.mark.parametrize("count", [pytest.param(2_000, id="short"), pytest.param(100_000, id="long", marks=pytest.mark.long)])
def test_legal_moves_equal_those_of_pyffish(count: int) -> None:
    pyffish = pytest.importorskip("pyffish")

    def square(text: str) -> str:
        return f"{text[0]}{int(text[1:]) - 1}"

    def ours(text: str) -> str:
        cut = 3 if text[2].isdigit() else 2
        return square(text[:cut]) + square(text[cut:])

    for position, moves in random_positions(count, 7):
        theirs = pyffish.legal_moves("xiangqi", position.fen, [])
        assert sorted(map(ours, theirs)) == sorted(moves), position.fen
