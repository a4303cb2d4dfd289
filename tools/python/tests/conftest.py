"""Where the data of the repository lies."""

import signal
from pathlib import Path

import pytest

# Programs that a script starts in the background ignore Ctrl-C, which some tests send.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def data() -> Path:
    return ROOT / "tests" / "data"

