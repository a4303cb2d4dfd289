"""Where the data of the repository lies."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def data() -> Path:
    return ROOT / "tests" / "data"

