"""Engines in processes of their own."""

import os
import shutil
import signal
import stat
import sys
import threading
from pathlib import Path

import pytest

import chuhe

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = os.environ.get("CHUHE_PROGRAM") or shutil.which("chuhe")


@pytest.fixture()
def script(tmp_path):
    """Makes an engine of a few lines of Python."""

    def make(text: str) -> str:
        path = tmp_path / "engine.py"
        path.write_text(f"#!{sys.executable}\nimport sys, time\n{text}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    return make


ANSWERS = """
for line in sys.stdin:
    words = line.split()
    if words[0] == 'ucci':
        print('id name Toy 1\\noption usemillisec type check default true\\noption hash size type spin min 1 max 9 default 4')
        print('option style type combo var solid var risky default solid\\nucciok', flush=True)
    elif words[0] == 'isready':
        print('readyok', flush=True)
    elif words[0] == 'go':
        print('info depth 3 score -12 pv h2e2 h9g7\\nbestmove h2e2 ponder h9g7 draw', flush=True)
    elif words[0] == 'quit':
        break
"""


@pytest.mark.skipif(os.name != "posix", reason="starts scripts")
def test_a_toy_engine(script) -> None:
    with chuhe.ucci.popen(script(ANSWERS)) as engine:
        assert engine.id["name"] == "Toy 1"
        size = engine.options["hash size"]
        assert (size.kind, size.min, size.max, size.default) == ("spin", 1, 9, "4")
        assert engine.options["style"].choices == ["solid", "risky"]
        engine.wait_until_ready()
        reply = engine.search(chuhe.Position(), depth=3)
        assert (reply.best, reply.ponder, reply.draw, reply.resign) == ("h2e2", "h9g7", True, False)
        assert reply.infos[-1].score == -12 and reply.infos[-1].moves == ["h2e2", "h9g7"]
        with pytest.raises(chuhe.Error):
            engine.set_option("nothing", 1)
        with pytest.raises(chuhe.Error):
            engine.set_option("style", "solid\nquit")
        with pytest.raises(chuhe.Error):
            engine.search(chuhe.Position())


@pytest.mark.skipif(os.name != "posix", reason="starts scripts")
@pytest.mark.parametrize("text", ["", "time.sleep(60)", "print('ucciok'); sys.exit(3)", "print('x' * 1000000)"])
def test_engines_that_fail(script, text: str) -> None:
    with pytest.raises(chuhe.ucci.EngineDied):
        engine = chuhe.ucci.popen(script(text), timeout=1)
        engine.search(chuhe.Position(), depth=1)
    with pytest.raises(chuhe.ucci.EngineDied):
        chuhe.ucci.popen("/nowhere/engine")


THINKS_UNTIL_STOPPED = """
for line in sys.stdin:
    words = line.split()
    if words[0] == 'ucci':
        print('ucciok', flush=True)
    elif words[0] == 'go':
        print('info depth 1 score 5 pv h2e2', flush=True)
    elif words[0] == 'stop':
        print('bestmove h2e2', flush=True)
    elif words[0] == 'isready':
        print('readyok', flush=True)
    elif words[0] == 'quit':
        break
"""


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_interruption_stops_the_engine(script) -> None:
    # A session of its own: Ctrl-C of a terminal reaches the engine too, this signal only us.
    with chuhe.ucci.popen(script(THINKS_UNTIL_STOPPED), start_new_session=True) as engine:
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            engine.search(chuhe.Position(), depth=50)
        engine.wait_until_ready()
        threading.Timer(0.3, engine.stop).start()
        assert engine.search(chuhe.Position(), depth=50).best == "h2e2"


@pytest.mark.skipif(PROGRAM is None, reason="the program chuhe is not built")
def test_chuhe_itself() -> None:
    with chuhe.ucci.popen(PROGRAM) as engine:
        engine.set_option("hashsize", 4)
        position = chuhe.Position(moves=["h2e2"])
        reply = engine.search(position, nodes=5_000)
        assert position.is_legal(reply.best)
        other = engine.search(position, nodes=5_000, banmoves=[reply.best])
        assert other.best != reply.best
