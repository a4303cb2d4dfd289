"""The programs of the manual and of `examples/` run."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Dict, Optional

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = [ROOT / "docs" / language / "src" / "python.md" for language in ("en", "zh")]
PAGES += [ROOT / "tools" / "python" / "README.md"]
EXAMPLES = sorted((ROOT / "tools" / "python" / "examples").glob("*.py"))
NOTEBOOKS = sorted((ROOT / "tools" / "python" / "examples").glob("*.ipynb"))
PROGRAM = os.environ.get("CHUHE_PROGRAM") or shutil.which("chuhe")


def run(text: str, folder: Path, env: Optional[Dict[str, str]] = None) -> str:
    done = subprocess.run([sys.executable, "-"], input=text, capture_output=True, encoding="utf-8", cwd=folder, env=env)
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
    if path.stem == "match":
        if PROGRAM is None:
            pytest.skip("the program chuhe is not built")
        folder = str(Path(PROGRAM).resolve().parent)
        env = {**os.environ, "PATH": folder + os.pathsep + os.environ.get("PATH", "")}
    else:
        env = None
    assert run(path.read_text("utf-8"), tmp_path, env)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks(path: Path, tmp_path: Path) -> None:
    """The cells run in order; a cell whose last line is a position would show its board."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    program = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    assert run(program + "\nassert position._repr_svg_().startswith('<svg ')", tmp_path)
