"""Programs that do not outlive the task that has started them."""

import ctypes
import signal
import subprocess
import sys

PR_SET_PDEATHSIG = 1


def _die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def start(words, folder):
    """Starts a program in a folder; what it says goes to the file `said` there."""
    # Without this a machine that has lost its raylet would play on for nobody.
    before = _die_with_parent if sys.platform.startswith("linux") else None
    with open(folder / "said", "wb") as said:
        return subprocess.Popen(
            words, cwd=folder, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT, preexec_fn=before
        )


def end(process):
    """Ends a program at once, if it still runs."""
    if process.poll() is None:
        process.kill()
        process.wait()


def last_words(folder, lines=5):
    """The end of what a program has said."""
    said = (folder / "said").read_text(errors="replace").splitlines()
    return "\n".join(said[-lines:])
