#!/usr/bin/env python3
"""The rows of ci/soak/LOG.md. The scripts of this folder import it; those of ci/ add a row by

    log.py SCRIPT CONDITIONS COUNTS
"""

import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LOG = ROOT / "ci/soak/LOG.md"


def commit():
    """The newest commit, with a plus if the engine or a tool is not what it was there."""
    git = ["git", "-C", ROOT]
    name = subprocess.run([*git, "rev-parse", "--short", "HEAD"], check=True, capture_output=True, text=True).stdout
    sources = ["src", "book-tools", "tools", "Cargo.toml", "Cargo.lock"]
    changed = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", *sources]).returncode
    return name.strip() + "+" * changed


def append(script, conditions, counts):
    """Adds one row, at once and whole."""
    date = datetime.now(timezone.utc).strftime("%Y-%m-%d")
    row = " | ".join(["", date, commit(), script, conditions, counts, ""]).strip()
    with LOG.open("a", encoding="utf-8") as log:
        log.write(row + "\n")
    print(row)


def rows(script):
    """Conditions and counts of all rows of a script."""
    cells = ([cell.strip() for cell in line.split("|")[1:-1]] for line in LOG.read_text(encoding="utf-8").splitlines())
    return [(row[3], row[4]) for row in cells if len(row) == 5 and row[2] == script]


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    append(*sys.argv[1:])
