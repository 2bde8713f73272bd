"""What pictures of trees find once for a whole run is what each of its moments says by itself."""

import numpy as np
import pytest

import engine
from engine.algorithms.trees.parts import pictures
from engine.algorithms.trees.parts.model import members, predict
from engine.algorithms.trees.parts.pictures import members_of, own_labels, passed, view_of
from engine.core.dataset import Dataset
from engine.core.step import Level, Pace
from engine.data.generators import generate
from engine.data.textbook import textbook


def gappy() -> Dataset:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 2))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    X[::7, 0] = np.nan
    return Dataset.from_arrays(X, y)


@pytest.mark.parametrize("params", [{}, {"prune": "chi2"}])
@pytest.mark.parametrize(
    "data", [generate("moons", n=60, noise=0.4), textbook("restaurant"), gappy()], ids=["plane", "names", "gaps"]
)
def test_the_ways_of_the_examples_hold_at_every_moment(data: Dataset, params: dict[str, str]) -> None:
    trace = engine.run("decision_tree", data, pace=Pace(Level.DETAIL), **params)
    problem = trace.problem
    for step in trace:
        view = view_of(step)
        assert (own_labels(view.tree, problem) == predict(view.tree, problem.X)).all()
        if view.current >= 0:
            expected = members(view.tree, view.current, problem.X) > 0
            assert (members_of(view.tree, view.current, problem) == expected).all()


def test_very_many_ways_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = engine.run("decision_tree", generate("moons", n=60, noise=0.4))
    monkeypatch.setattr(pictures, "MOST_PASSED", 100)
    tree, problem = trace[-1].state.tree, trace.problem
    assert passed(tree, problem) is None
    assert (own_labels(tree, problem) == predict(tree, problem.X)).all()
