"""The examples do what they say: pages keep all promises, scripts print what they compute."""

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import engine

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"


def printed(*arguments: str) -> str:
    """What the program prints; examples are added to the methods of its own process alone."""
    done = subprocess.run(
        [sys.executable, "main.py", *arguments],
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# tests/test_own_algorithm.py checks the nearest mean
@pytest.mark.parametrize("key", ["one_rule", "more_rows"])
def test_a_page_keeps_all_promises(key: str) -> None:
    assert printed("check", f"examples/methods/{key}.py") == f"{key} keeps all 25 promises.\n"


def test_the_nearest_mean_is_the_page_that_new_writes(tmp_path: Path) -> None:
    printed("new", "nearest_mean", "--out", str(tmp_path))
    written = (tmp_path / "nearest_mean.py").read_text("utf-8")
    assert (EXAMPLES / "methods/nearest_mean.py").read_text("utf-8") == written


def test_one_rule_keeps_patrons() -> None:
    """AIMA Fig 18.3: None is No both times, Some is Yes all four times, Full is No four of six
    times.
    """
    page = str(EXAMPLES / "methods/one_rule.py")
    steps = json.loads(
        printed("run", "one_rule", "--algorithms", page, "--data", "restaurant", "--json", "-")
    )["steps"]
    assert steps[-1]["line"] == "keep"
    assert steps[-1]["metrics"]["errors"] == 2
    assert "Patrons is kept" in json.dumps(steps[-1], ensure_ascii=False)


def test_the_script_prints_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / "steps_of_a_run.py"))
    first, *steps, weights, place = capsys.readouterr().out.splitlines()
    trace = engine.run(
        "perceptron",
        engine.generate("blobs", 40, seed=4),
        threshold="learned",
        rate=0.1,
        start=(-1.0, 0.5, 0.0),
    )
    assert first == f"{len(trace.when('mistake'))} mistakes in {len(trace)} steps"
    assert len(steps) == min(3, len(trace.when("mistake")))
    assert all("Mistake" in step for step in steps)
    assert weights == f"w = {trace[-1].state.w.round(3).tolist()}"
    assert place == f"at (0, 3): {trace.predict([[0.0, 3.0]])[0]}"
