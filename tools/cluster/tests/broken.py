"""A match of chuhe-arena on two nodes of this machine, of which somebody kills at random an arena, an engine or a node.

usage: broken.py ARENA JOURNAL GAMES KILLS SEED WORDS...

The kills are spread over the match, which has so many games. Every kind comes at least once; a node that was killed is
replaced by another one.
"""

import json
import os
import random
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import ray
from ray.cluster_utils import Cluster

from chuhe_cluster.launch import RayWorkers
from chuhe_cluster.match import match


def parents():
    """Every process and who has started it."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            found[int(stat.parent.name)] = int(stat.read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            pass
    return found


def arenas(program, key):
    """The processes of a program whose parents are workers with a key."""
    found = []
    for process, parent in parents().items():
        try:
            is_ours = key in Path(f"/proc/{parent}/environ").read_bytes()
            if is_ours and os.readlink(f"/proc/{process}/exe") == program:
                found.append(process)
        except OSError:
            pass
    return found


class Killer:
    """Kills until it has done so often enough."""

    def __init__(self, cluster, arena, journal, games, kills, seed):
        self.cluster, self.arena, self.beside = cluster, os.path.realpath(arena), Path(journal + ".head")
        self.chance = random.Random(seed)
        # Another one each time so many games are finished, the last one well before the end.
        self.moments = [games * (kill - self.chance.random()) / (kills + 1) for kill in range(1, kills + 1)]
        self.finished = 0
        kinds = ["arena", "engine", "node"]
        self.left = kinds + self.chance.choices(kinds, weights=[2, 2, 1], k=max(0, kills - len(kinds)))
        self.chance.shuffle(self.left)
        self.done = []

    def run(self, match):
        """Kills for as long as the match goes on, from the main thread: Ray starts nodes nowhere else."""
        while self.left and not match.done():
            time.sleep(0.1)
            if self.finished > self.moments[len(self.done)] and self.kill(self.left[-1]):
                self.done.append(self.left.pop())
                print(f"killed after {self.finished} games: {self.done[-1]}", flush=True)

    def kill(self, kind):
        """Whether there was somebody to kill."""
        if kind == "node":
            self.cluster.remove_node(self.cluster.second, allow_graceful=False)
            self.cluster.second = self.cluster.add_node(num_cpus=1)
            return True
        victims = arenas(self.arena, json.loads(self.beside.read_text())["key"].encode())
        if kind == "engine":
            tree = parents()
            victims = [process for process, parent in tree.items() if parent in victims]
        if not victims:
            return False
        try:
            os.kill(self.chance.choice(victims), signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True


def main():
    arena, journal, games, kills, seed, *words = sys.argv[1:]
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.second = cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
    killer = Killer(cluster, arena, journal, int(games), int(kills), int(seed))

    def tell(line):
        if "again" in line:
            print(line)
        else:
            killer.finished = int(line.split()[0])

    with ThreadPoolExecutor(1) as another_thread:
        played = another_thread.submit(match, arena, words, journal, workers=RayWorkers(words), interval=1.0, tell=tell)
        killer.run(played)
        played.result()
    if killer.left:
        sys.exit(f"broken.py: over after {len(killer.done)} kills; play more games")
    print(f"on a cluster: killed {', '.join(f'{kind} {killer.done.count(kind)} times' for kind in ('arena', 'engine', 'node'))}")


if __name__ == "__main__":
    main()
