"""The engine in the process."""

import os
import signal
import threading
import time

import pytest

import chuhe

MATE_IN_ONE = "3k5/9/9/9/9/9/9/9/R8/1R2K4 w"


@pytest.fixture()
def engine():
    with chuhe.Engine(hash=8) as engine:
        yield engine


def test_search_by_depth(engine) -> None:
    position = chuhe.Position()
    seen = []
    result = engine.search(position, depth=6, on_line=seen.append)
    assert position.is_legal(result.best) and result.depth == 6
    assert result.nodes > 100 and result.lines[0].moves[0] == result.best
    assert [line.depth for line in seen] == sorted(line.depth for line in seen) and seen[-1].depth == 6
    assert result.score.cp is not None and result.score == result.lines[0].score


def test_limits(engine) -> None:
    position = chuhe.Position()
    assert engine.search(position, nodes=5_000).nodes < 50_000
    started = time.monotonic()
    engine.search(position, movetime=200)
    assert 0.05 < time.monotonic() - started < 5
    assert engine.search(position, clock=(1_000, 10)).best
    with pytest.raises(chuhe.Error, match="limit"):
        engine.search(position)


def test_mate(engine) -> None:
    result = engine.search(chuhe.Position(MATE_IN_ONE), depth=4)
    assert result.score.mate == 1 and result.score.cp is None
    position = chuhe.Position(MATE_IN_ONE, [result.best])
    assert position.judge().reason == "mate"
    assert engine.search(position, depth=1).best is None


def test_several_lines_and_bans(engine) -> None:
    position = chuhe.Position()
    result = engine.search(position, depth=4, multipv=3)
    firsts = [line.moves[0] for line in result.lines]
    assert len(set(firsts)) == 3 and [line.multipv for line in result.lines] == [1, 2, 3]
    banned = engine.search(position, depth=4, banmoves=firsts)
    assert banned.best not in firsts
    only = engine.search(position, depth=4, searchmoves=["a0a1", "炮二平五"])
    assert only.best in ("a0a1", "h2e2")
    assert len(engine.search(position, depth=4).lines) == 1


def test_options(engine) -> None:
    engine.set_option("Threads", 2)
    engine.set_option("UCI_ShowWDL", True)
    assert sum(engine.search(chuhe.Position(), depth=4).lines[0].wdl) == 1000
    engine.set_option("OwnBook", True)
    assert engine.search(chuhe.Position(), depth=4).from_book
    engine.new_game()
    for name, value in (("nothing", 1), ("Hash", "many"), ("Repetition Rule", "mine")):
        with pytest.raises(chuhe.Error):
            engine.set_option(name, value)
    with pytest.raises(chuhe.Error):
        chuhe.Engine(options={"EvalFile": "/nowhere"})


def test_stop_from_another_thread(engine) -> None:
    threading.Timer(0.3, engine.stop).start()
    assert engine.search(chuhe.Position(), infinite=True).best


def test_the_lock_of_the_interpreter_is_free(engine) -> None:
    counted = []

    def count() -> None:
        for number in range(200):
            counted.append(number)
            time.sleep(0)

    thread = threading.Thread(target=count)
    thread.start()
    engine.search(chuhe.Position(), movetime=500)
    thread.join()
    assert len(counted) == 200


def test_ten_engines_at_once() -> None:
    results = [None] * 10

    def search(index: int) -> None:
        with chuhe.Engine(hash=2) as engine:
            results[index] = engine.search(chuhe.Position(), nodes=20_000)

    threads = [threading.Thread(target=search, args=(index,)) for index in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({(result.best, result.nodes) for result in results}) == 1


def test_ten_threads_share_one_engine(engine) -> None:
    results = []
    search = lambda: results.append(engine.search(chuhe.Position(), nodes=3_000).best)  # noqa: E731
    threads = [threading.Thread(target=search) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 10 and all(map(chuhe.Position().is_legal, results))


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_interruption(engine) -> None:
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        engine.search(chuhe.Position(), infinite=True)
    assert engine.search(chuhe.Position(), depth=2).best


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_perft_is_interrupted() -> None:
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        chuhe.Position().perft(12)


def test_an_exception_in_the_callback_ends_the_search(engine) -> None:
    def fail(_line) -> None:
        raise RuntimeError("seen enough")

    with pytest.raises(RuntimeError, match="seen enough"):
        engine.search(chuhe.Position(), infinite=True, on_line=fail)
    assert engine.search(chuhe.Position(), depth=2).best


def test_a_closed_engine_says_so() -> None:
    engine = chuhe.Engine(hash=2)
    engine.close()
    with pytest.raises(chuhe.Error, match="ended"):
        engine.search(chuhe.Position(), depth=2)
