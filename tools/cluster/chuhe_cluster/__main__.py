"""`python -m chuhe_cluster`: matches and other programs of many pieces, on many machines."""

import argparse
import json
import os
import sys
from multiprocessing import AuthenticationError
from pathlib import Path

from . import launch
from .arena import INTERRUPTED
from .match import match
from .wire import Lost
from .worker import Worker


def address(text):
    host, _, port = text.rpartition(":")
    return [host or "0.0.0.0", int(port)]


def arguments():
    parser = argparse.ArgumentParser(prog="chuhe_cluster", description=__doc__)
    parser.add_argument("--address", help="of the Ray cluster, as ray start told it; auto for one on this machine")
    parser.add_argument("--local-nodes", type=int, metavar="N", help="start a Ray cluster of N nodes on this machine instead")
    parser.add_argument("--local-workers", type=int, metavar="N", help="a match without Ray: N workers on this machine")
    parser.add_argument("--listen", type=address, metavar="HOST:PORT", help="a match without Ray: wait here for `work`")
    tasks = parser.add_subparsers(dest="task", required=True)
    of_match = tasks.add_parser("match", help="a match; the words after -- are those of chuhe-arena")
    of_match.add_argument("--arena", required=True, help="the program, under this name on every machine")
    of_match.add_argument("--out", required=True, help="the journal of the whole match; OUT.head beside it is for workers")
    of_match.add_argument(
        "--clocks",
        choices=["scale", "refuse", "same"],
        default="scale",
        help="on machines of different speed: scale the clocks by it, refuse the machine, or leave them; scale",
    )
    of_match.add_argument("--interval", type=float, default=10.0, help="seconds between two standings; 10")
    of_match.add_argument("--silence", type=float, default=15.0, help="seconds until a silent worker is lost; 15")
    of_match.add_argument("words", nargs="+")
    of_work = tasks.add_parser("work", help="a worker of a match with --listen")
    of_work.add_argument("head", nargs="?", help="a copy of OUT.head")
    of_work.add_argument("--patience", type=float, default=3600.0, help="seconds to wait for a head that is away; 3600")
    of_work.add_argument("--slot", help="do nothing if this slot of the machine has a worker")
    of_work.add_argument("--detach", action="store_true", help="in the background")
    of_pieces = tasks.add_parser("pieces", help="any program; after -- its words, with {i}, {n} and {out}")
    of_pieces.add_argument("--count", type=int, required=True, help="how many pieces")
    of_pieces.add_argument("--cpus", type=int, default=1, help="processors of a piece")
    of_pieces.add_argument("--out", required=True, help="the folder for the folders of all pieces")
    of_pieces.add_argument("words", nargs="+")
    given = parser.parse_args()
    if given.task == "pieces" and (given.listen or given.local_workers):
        parser.error("pieces: takes --address or --local-nodes")
    return given


def work(given):
    """Works until the match is over."""
    text = Path(given.head).read_text() if given.head else os.environ.pop("CHUHE_HEAD")
    head = json.loads(text)
    # Held until this process ends.
    slot = given.slot and launch.lock_slot(head["key"], given.slot)
    if given.slot and slot is None:
        return 0
    if given.detach:
        launch.detach()
    try:
        Worker(head["address"], head["key"].encode(), given.patience).work()
    except Lost as error:
        return f"chuhe_cluster: {error}"
    except AuthenticationError:
        return "chuhe_cluster: the head has another key"
    finally:
        if slot:
            launch.slot_file(head["key"], given.slot).unlink(missing_ok=True)
    return 0


def connect(given):
    """Connects with a Ray cluster, or starts one."""
    import ray

    if given.local_nodes:
        from ray.cluster_utils import Cluster

        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": True})
        for _ in range(given.local_nodes - 1):
            cluster.add_node(num_cpus=1)
        given.address = cluster.address
    context = ray.init(address=given.address)
    print(f"{len(ray.nodes())} nodes; dashboard: {context.dashboard_url or 'not running'}", flush=True)


def workers_of(given):
    """Source of the workers of a match."""
    if given.listen:
        return launch.NoWorkers()
    if given.local_workers:
        return launch.LocalWorkers(given.local_workers)
    return launch.RayWorkers(given.words)


def tell(line):
    print(line, flush=True)


def main():
    given = arguments()
    if given.task == "work":
        return work(given)
    if not (given.listen or given.local_workers):
        connect(given)
    try:
        if given.task == "match":
            options = {"listen": given.listen, "clocks": given.clocks, "interval": given.interval, "silence": given.silence}
            tell(match(given.arena, given.words, given.out, workers=workers_of(given), tell=tell, **options).rstrip())
        else:
            from .pieces import pieces

            pieces(given.words, given.count, given.out, cpus=given.cpus)
    except KeyboardInterrupt:
        return INTERRUPTED
    except (ValueError, RuntimeError) as error:
        return f"chuhe_cluster: {getattr(error, 'cause', None) or error}"
    return 0


if __name__ == "__main__":
    sys.exit(main())
