"""Starting workers: on this machine, or on the machines of a Ray cluster. A worker outlives the process that starts it, so
that a head that is lost loses no game."""

import contextlib
import fcntl
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PACKAGES = str(Path(__file__).resolve().parents[1])


def slot_file(key, slot):
    """File that the worker of a slot locks on its machine: there is one worker for each slot, whatever becomes of the head."""
    match = hashlib.sha256(key.encode()).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"chuhe-worker-{os.getuid()}-{match}-{slot}.lock"


def lock_slot(key, slot):
    """Locked file of a slot; None if its worker runs already."""
    file = open(slot_file(key, slot), "a")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file


def is_running(key, slot):
    """Whether the worker of a slot runs."""
    file = lock_slot(key, slot)
    if file:
        file.close()
    return file is None


def start(head, slot, patience):
    """Starts a worker that belongs to nobody; it does nothing if there is one for the slot. `head` is what a head's file says."""
    environment = os.environ | {"CHUHE_HEAD": json.dumps(head)}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [PACKAGES, os.environ.get("PYTHONPATH")]))
    command = [sys.executable, "-m", "chuhe_cluster", "work", "--detach", "--slot", str(slot), "--patience", str(patience)]
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command, env=environment, start_new_session=True, **quiet)


def detach():
    """Goes on as a process of its own, without the parent."""
    if os.fork():
        os._exit(0)
    os.setsid()


class NoWorkers:
    """Workers that somebody else starts: `python -m chuhe_cluster work FILE`."""

    host = None

    def tend(self, head):
        """Nothing to start."""


class LocalWorkers:
    """So many workers on this machine."""

    host = "127.0.0.1"

    def __init__(self, count, patience=3600.0):
        self.count, self.patience = count, patience

    def tend(self, head):
        """Starts the workers that do not run."""
        wanted = [slot for slot in range(1, self.count + 1) if not is_running(head["key"], slot)]
        for starting in [start(head, slot, self.patience) for slot in wanted]:
            starting.wait()


def hold(head, slot, patience):
    """Task of Ray: keeps the processors of a worker for as long as it runs."""
    start(head, slot, patience).wait()
    with contextlib.suppress(KeyboardInterrupt):
        while is_running(head["key"], slot):
            time.sleep(0.5)


class RayWorkers:
    """A worker for every `processors` of each node of the Ray cluster, also of nodes that come later."""

    def __init__(self, words, patience=3600.0):
        import ray

        from .plan import processors

        self.ray, self.patience = ray, patience
        self.processors = processors(words, self._most_processors())
        self.host = ray.util.get_node_ip_address()
        self.tasks = {}

    def _nodes(self):
        return [node for node in self.ray.nodes() if node["Alive"]]

    def _most_processors(self):
        return int(max(node["Resources"].get("CPU", 0) for node in self._nodes()))

    def tend(self, head):
        """Starts the workers of new nodes, and those that have ended."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        done, _ = self.ray.wait(list(self.tasks), num_returns=len(self.tasks), timeout=0) if self.tasks else ([], [])
        for task in done:
            del self.tasks[task]
        for node in self._nodes():
            address, ident = node["NodeManagerAddress"], node["NodeID"]
            running = sum(of == ident for of, _ in self.tasks.values())
            for _ in range(int(node["Resources"].get("CPU", 0)) // self.processors - running):
                taken = {slot for _, slot in self.tasks.values()}
                slot = next(slot for slot in (f"{address}-{number}" for number in range(1, 1 << 16)) if slot not in taken)
                here = NodeAffinitySchedulingStrategy(ident, soft=False)
                task = self.ray.remote(max_retries=0)(hold).options(num_cpus=self.processors, scheduling_strategy=here)
                self.tasks[task.remote(head, slot, self.patience)] = (ident, slot)
