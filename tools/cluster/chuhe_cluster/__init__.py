"""Our own programs on many machines.

`match` plays matches of chuhe-arena: the `head` hands out pieces to the `worker` processes over `wire` and appends their games
to the `journal`; `launch` starts workers on this machine or on a Ray cluster. `pieces` runs any other program of independent
pieces as tasks of Ray.
"""
