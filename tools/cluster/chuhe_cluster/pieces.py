"""Any program that is cut into independent pieces: each is a task of Ray with a folder of its own, which comes back whole."""

import io
import json
import os
import shlex
import tarfile
import tempfile
from pathlib import Path

import ray

from . import process

# Beside the pieces: whose they are.
RUN = "run.json"


def fill(words, piece, pieces, out):
    """The words of one piece: `{i}` and `{n}` are its number and their count, `{out}` is its folder."""
    return [word.replace("{i}", str(piece)).replace("{n}", str(pieces)).replace("{out}", str(out)) for word in words]


def run(words, piece, pieces):
    """Runs one piece; its folder as a tar file."""
    with tempfile.TemporaryDirectory(prefix="chuhe-") as name:
        folder = Path(name)
        out = folder / "out"
        out.mkdir()
        command = fill(words, piece, pieces, out)
        running = process.start(command, folder)
        try:
            status = running.wait()
        finally:
            process.end(running)
        if status:
            raise RuntimeError(f"{shlex.join(command)} has failed:\n{process.last_words(folder)}")
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w") as tar:
            tar.add(out, arcname=".")
        return packed.getvalue()


def _claim(words, count, out):
    """Says whose pieces the folder holds, once; those of two runs are not parts of one whole."""
    ours, file = {"count": count, "words": list(words)}, out / RUN
    if not file.exists():
        if any(piece.name.isdigit() for piece in out.iterdir()):
            raise ValueError(f"{out} holds pieces and no {RUN} that says of which run; name another folder")
        beside = out / f".new-{RUN}-{os.getpid()}"
        beside.write_text(json.dumps(ours))
        os.replace(beside, file)
    found = json.loads(file.read_text())
    if found != ours:
        theirs = f"{found['count']} pieces of {shlex.join(found['words'])}"
        raise ValueError(f"{out} belongs to another run, {theirs}; name another folder, or give the same command")


def pieces(words, count, out, *, cpus=1, tell=print):
    """Runs all pieces and puts their folders into `out`, each under its number; a piece that is there is not run again."""
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    _claim(words, count, out)
    task = ray.remote(max_retries=-1)(run).options(num_cpus=cpus)
    left = [piece for piece in range(1, count + 1) if not (out / str(piece)).exists()]
    running = {task.remote(words, piece, count): piece for piece in left}
    while running:
        done, _ = ray.wait(list(running), num_returns=1)
        piece = running.pop(done[0])
        packed = ray.get(done[0])
        with tempfile.TemporaryDirectory(prefix=".new-", dir=out) as name:
            with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
                tar.extractall(Path(name) / "folder", filter="data")
            # Whole or not at all.
            (Path(name) / "folder").rename(out / str(piece))
        tell(f"piece {piece} is done, {len(running)} of {count} are left")
