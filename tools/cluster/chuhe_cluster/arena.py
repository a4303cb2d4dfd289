"""Commands of chuhe-arena that the head and the workers of a cluster share."""

import hashlib
import shlex
import subprocess

# Status of an arena that was interrupted.
INTERRUPTED = 130

# Statuses of a match that is over in order: all games, H0, undecided, games lost by failures, or interrupted.
IN_ORDER = {0, 3, 4, 5, INTERRUPTED}

# A part without a pair, of any match: its arena compares the journal with the words, the programs and the openings.
NO_GAME = "2/4294967295"

# Text by which an arena refuses the journal of another match, program, network or list of openings.
DIFFERS = "belongs to another command"


def say(command, folder, in_order=frozenset({0})):
    """Output of an arena that succeeds."""
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode not in in_order:
        raise ValueError(done.stderr.strip() or f"{shlex.join(command)} has failed with status {done.returncode}")
    return done.stdout


def compare(arena, words, journal, folder):
    """Compares everything that the games depend on with the heading of a journal, or begins the journal.

    Raises ValueError with the differences."""
    say([arena, *words, "-shard", NO_GAME, "-journal", str(journal)], folder, IN_ORDER)


def speed(arena, folder):
    """Nodes per second of one thread of this machine with all threads at work."""
    return int(say([arena, "speed"], folder).split()[0])


def digest(program):
    """Hash of the contents of a program."""
    found = hashlib.sha256()
    with open(program, "rb") as file:
        while block := file.read(1 << 20):
            found.update(block)
    return found.hexdigest()
