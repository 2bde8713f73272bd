"""The algorithm that docs/write-an-algorithm.md writes, by `main.py new`: it passes its check,
learns, and stands beside the others.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


def main(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONUTF8": "1"}
    command = [sys.executable, str(ROOT / "main.py"), *arguments]
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", cwd=ROOT, env=environment, timeout=120
    )


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A folder with the page of docs/write-an-algorithm.md."""
    made = main("new", "nearest_mean", "--out", str(tmp_path))
    assert made.returncode == 0, made.stderr
    return tmp_path


def test_the_docs_show_the_page(mine: Path) -> None:
    blocks = re.findall(
        r"```python\n(.*?)```", (ROOT / "docs/write-an-algorithm.md").read_text("utf-8"), re.DOTALL
    )
    (shown,) = [block for block in blocks if "def steps" in block]
    assert shown in (mine / "nearest_mean.py").read_text("utf-8")


def test_it_keeps_all_promises(mine: Path) -> None:
    checked = main("check", str(mine / "nearest_mean.py"))
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert checked.stdout == "nearest_mean keeps all 25 promises.\n"


def test_it_learns(mine: Path) -> None:
    """Means (1, 1) and (4, 4): of the places only (3, 3) is nearer to the other class's."""
    (mine / "points.csv").write_text("a,b,y\n0,0,p\n0,0,p\n3,3,p\n4,4,q\n4,4,q\n4,4,q\n", "utf-8")
    ran = main(
        "run",
        "nearest_mean",
        "--algorithms",
        str(mine),
        "--data",
        str(mine / "points.csv"),
        "--target",
        "y",
        "--json",
        "-",
    )
    assert ran.returncode == 0, ran.stderr
    steps = json.loads(ran.stdout)["steps"]
    assert [step["line"] for step in steps] == ["start", "mean", "mean", "done"]
    assert [step["metrics"]["errors"] for step in steps] == [6, 3, 1, 1]


def test_a_broken_file_is_reported_and_takes_none_along(mine: Path) -> None:
    (mine / "broken.py").write_text("def steps(:\n", "utf-8")
    listed = main("list", "--algorithms", str(mine))
    assert listed.returncode == 0
    assert "nearest_mean" in listed.stdout
    assert "perceptron" in listed.stdout
    (line,) = [row for row in listed.stdout.splitlines() if row.split()[:1] == ["broken"]]
    assert "cannot be loaded: SyntaxError" in line
    assert "(broken.py, line 1)" in line
