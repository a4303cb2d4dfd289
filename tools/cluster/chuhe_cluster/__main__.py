"""`python -m chuhe_cluster`: matches and other programs of many pieces, on a cluster of Ray."""

import argparse
import sys

import ray

from .match import match
from .pieces import pieces


def arguments():
    parser = argparse.ArgumentParser(prog="chuhe_cluster", description=__doc__)
    parser.add_argument("--address", help="of the cluster, as ray start told it; auto for one on this machine")
    parser.add_argument("--local-nodes", type=int, metavar="N", help="start a cluster of N nodes on this machine instead")
    tasks = parser.add_subparsers(dest="task", required=True)
    of_match = tasks.add_parser("match", help="a match; the words behind -- are those of chuhe-arena")
    of_match.add_argument("--arena", required=True, help="the program, under this name on every machine")
    of_match.add_argument("--out", required=True, help="the journal of the whole match")
    of_match.add_argument("words", nargs="+")
    of_pieces = tasks.add_parser("pieces", help="any program; behind -- its words, with {i}, {n} and {out}")
    of_pieces.add_argument("--count", type=int, required=True, help="how many pieces")
    of_pieces.add_argument("--cpus", type=int, default=1, help="processors of a piece")
    of_pieces.add_argument("--out", required=True, help="the folder for the folders of all pieces")
    of_pieces.add_argument("words", nargs="+")
    return parser.parse_args()


def main():
    given = arguments()
    if given.local_nodes:
        from ray.cluster_utils import Cluster

        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": True})
        for _ in range(given.local_nodes - 1):
            cluster.add_node(num_cpus=1)
        given.address = cluster.address
    context = ray.init(address=given.address)
    print(f"{len(ray.nodes())} nodes; dashboard: {context.dashboard_url or 'not running'}", flush=True)
    try:
        if given.task == "match":
            print(match(given.arena, given.words, given.out), end="")
        else:
            pieces(given.words, given.count, given.out, cpus=given.cpus)
    except (ValueError, ray.exceptions.RayTaskError) as error:
        return f"chuhe_cluster: {getattr(error, 'cause', error)}"
    return 0


if __name__ == "__main__":
    sys.exit(main())
