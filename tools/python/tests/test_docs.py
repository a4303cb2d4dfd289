"""The programs of the manual and of `examples/` run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = [ROOT / "docs" / language / "src" / "python.md" for language in ("en", "zh")]
PAGES += [ROOT / "tools" / "python" / "README.md"]
EXAMPLES = sorted((ROOT / "tools" / "python" / "examples").glob("*.py"))


def run(text: str, folder: Path) -> str:
    done = subprocess.run([sys.executable, "-"], input=text, capture_output=True, encoding="utf-8", cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parts[-3])
def test_the_page_runs_from_top_to_bottom(page: Path, tmp_path: Path) -> None:
    """Blocks build on those above them; a block of the type `text` below one is what it prints."""
    blocks = re.findall(r"```python\n(.*?)```(?:\n+<!-- .*? -->\n```text\n(.*?)```)?", page.read_text("utf-8"), re.S)
    assert blocks
    before = ""
    for program, printed in blocks:
        told = run(before + "print('-----')\n" + program, tmp_path).rpartition("-----\n")[2]
        if printed:
            assert told == printed
        before += program


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples(path: Path, tmp_path: Path) -> None:
    assert run(path.read_text("utf-8"), tmp_path)
