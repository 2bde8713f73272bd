"""Every method's script makes the lab's model: run alone, it answers as `trace.predict` does, or as often as it says."""

import subprocess
import sys
from pathlib import Path

import pytest

import engine
from engine.core.errors import EngineError
from engine.core.registry import algorithms
from engine.scripts import FAMILIES, script_of
from tests.engine.scripts.running import shares
from tests.golden.runs import prepared, runs

MOST = 40  # runs of a method
KEYS = sorted(key for family in FAMILIES.values() for key in family)


def traces(key):
    """Runs of a method: the defaults on several tables, every other option of every parameter on two."""
    algorithm = algorithms()[key]
    for count, (name, problem, params) in enumerate(runs(algorithm, prepared())):
        if count == MOST:
            return
        try:
            yield name, engine.run(key, problem, **params, pace=engine.Pace(engine.Level.ROUND), max_steps=20_000)
        except EngineError:  # these settings do not fit this table
            continue


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_the_script_answers_as_the_lab_does(key):
    written, refused = 0, []
    for name, trace in traces(key):
        try:
            on_rows, on_grid, stated, text = shares(trace)
        except EngineError as sentence:
            refused.append(str(sentence))
            continue
        written += 1
        assert min(on_rows, on_grid) >= stated, (name, on_rows, on_grid, text)
    assert written or all(sentence.endswith(".") and " " in sentence for sentence in refused)


@pytest.mark.slow
def test_scripts_are_clean(tmp_path: Path):
    """No linter complains about any of them, in lines of at most 100 letters."""
    for key in KEYS:
        for number, (_, trace) in enumerate(traces(key)):
            try:
                (tmp_path / f"{key}_{number}.py").write_text(script_of(trace).text, encoding="utf-8")
            except EngineError:
                continue
    options = ["--isolated", "--line-length", "100", "--select", "E,F,W,I,B,UP", "--ignore", "E741,B023"]
    found = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--output-format", "concise", *options, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout[:3000]
