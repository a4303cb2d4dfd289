"""What the pieces of a match have written so far, kept where no lost machine takes it along."""

import ray


class Keeper:
    """The journals of all pieces. Whoever began a piece last may add to it, so that a machine that was taken for lost does
    not write into what another one plays by now."""

    def __init__(self):
        self.journals = {}
        self.starts = {}
        self.stopped = False

    def begin(self, piece):
        """Somebody plays this piece from now on: the number of the start, and what is known."""
        self.starts[piece] = self.starts.get(piece, 0) + 1
        return self.starts[piece], bytes(self.journals.get(piece, b""))

    def add(self, piece, start, offset, lines):
        """Takes whole lines that stand at `offset` of a journal; whether the piece shall be played on."""
        journal = self.journals.setdefault(piece, bytearray())
        if self.starts.get(piece) != start:
            return False
        if lines and offset == len(journal):
            journal += lines
        return not self.stopped

    def stop(self):
        """Nobody shall play on."""
        self.stopped = True

    def all(self):
        """Every journal that has begun, by piece."""
        return {piece: bytes(journal) for piece, journal in self.journals.items() if journal}

    def restarts(self):
        """How often a piece was begun again."""
        return sum(starts - 1 for starts in self.starts.values())


# It asks for no processor, but for a place on the machine that gives the orders.
RemoteKeeper = ray.remote(num_cpus=0)(Keeper)
