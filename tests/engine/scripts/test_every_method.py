"""Every method's script makes the lab's model: run alone, it answers as `trace.predict` does, or as
often as it says.
"""

import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

import engine
from engine.base.errors import EngineError
from engine.protocol.registry import algorithms
from engine.scripts import FAMILIES
from tests.engine.scripts.running import shares
from tests.golden.runs import prepared, runs

ROWS, TABLES = 60, 1  # rows of a table; tables besides the example that the defaults run on
# what keeps a run short; the settings mean the same
SHORT = {
    "backpropagation": {"epochs": 60},
    "holdout": {"splits": 10},
    "learning_curve": {"trials": 5},
}
WITHOUT = {  # they say why
    "tiling", "optimal_brain_damage", "ridge_and_bump", "half_plane_and", "bayes_net_gradient",
    "active_learning",
    "pac_bounds", "version_space_exhaustion", "shattering", "vc_bounds", "mistake_bounds",
    "curse_of_dimensionality",
    "regret_bounds", "entropy", "distance_balls", "mdl_conjunction", "cost_matrix", "reject_option",
    "model_selection",
    "overfitting_curve", "bootstrap_spread", "peeking", "learner_comparison", "digit_pad",
    "bayes_rule", "bayes_net_em", "multinomial_bayes",
    "axis_weights", "column_curves", "feature_selection",
    "error_interval", "posterior_of_degrees",
}  # fmt: skip
KEYS = sorted(key for family in FAMILIES.values() for key in family)


def traces(key):
    """Runs of a method: the defaults on its example and on a few tables, every other option once,
    on the example.
    """
    algorithm = algorithms()[key]
    plain = 0
    for name, problem, params in runs(algorithm, prepared()):
        if problem.n > ROWS and not name.startswith("example"):
            continue
        if params and not name.startswith("example "):
            continue
        plain += not params
        if not params and plain > 1 + TABLES:
            continue
        try:
            settings = SHORT.get(key, {}) | params
            yield (
                name,
                engine.run(
                    key, problem, **settings, pace=engine.Pace(engine.Level.ROUND), max_steps=20_000
                ),
            )
        except EngineError:  # these settings do not fit this table
            continue


LINT = ["--isolated", "--line-length", "100", "--select", "E,F,W,I,B,UP", "--ignore", "E741,B023"]


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
def test_the_script_answers_as_the_lab_does(key, tmp_path: Path):
    """And no linter complains about it, in lines of at most 100 letters."""
    refused = []
    for number, (name, trace) in enumerate(islice(traces(key), 1 if key in WITHOUT else None)):
        try:
            on_rows, on_grid, stated, text = shares(trace)
        except EngineError as sentence:
            refused.append(str(sentence))
            continue
        assert min(on_rows, on_grid) >= stated, (name, on_rows, on_grid, text)
        (tmp_path / f"{key}_{number}.py").write_text(text, encoding="utf-8")
    assert all(sentence.endswith(".") and " " in sentence for sentence in refused)
    assert (key in WITHOUT) == (not any(tmp_path.iterdir()))
    if key not in WITHOUT:
        command = [
            sys.executable,
            "-m",
            "ruff",
            "check",
            "--output-format",
            "concise",
            *LINT,
            str(tmp_path),
        ]
        found = subprocess.run(command, capture_output=True, text=True, check=False)
        assert found.returncode == 0, found.stdout[:3000]


def test_every_method_of_the_lab_has_a_script_or_a_reason():
    own = {a.key for a in algorithms().values() if a.family in FAMILIES}
    assert own == set(KEYS)
