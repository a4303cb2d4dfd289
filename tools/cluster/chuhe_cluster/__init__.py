"""Our own programs on many machines: what is cut into independent pieces runs as tasks of Ray.

`match` knows matches of chuhe-arena, `pieces` any other program; `keeper` knows what has been found and who may add to it.
"""
