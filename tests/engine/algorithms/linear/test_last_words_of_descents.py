"""The last words of descents that had no more steps: that they were going on, and what keeps them
slow.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.protocol.step import Level, Pace

ROUND = Pace(Level.ROUND)
BATCH = [
    ("logistic_regression", {"loss": "squared"}),
    ("logistic_regression", {"loss": "log"}),
    ("hinge_descent", {}),
]


def table(seed: int, scales: list[float], shift: float = 0.0, n: int = 60) -> engine.Dataset:
    """Two classes, four deviations apart in every column, one in three B."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3 == 0
    X = (rng.normal(size=(n, len(scales))) + 4.0 * y[:, None] + shift) * scales
    return engine.Dataset.from_arrays(X, np.where(y, "B", "A"))


tables = st.builds(
    table,
    st.integers(0, 1000),
    st.lists(st.sampled_from([1e-3, 1.0, 40.0, 1e4]), min_size=1, max_size=3),
    st.sampled_from([0.0, 100.0]),
)


def sizes(trace: engine.Trace) -> np.ndarray:
    """Roots of the mean squares of the columns and of the constant 1."""
    return np.sqrt(
        np.square(np.column_stack([trace.problem.X, np.ones(trace.problem.n)])).mean(axis=0)
    )


@settings(max_examples=25, deadline=None)
@given(tables, st.sampled_from(BATCH[:2]))
def test_where_the_last_step_lowered_the_loss_more_steps_lower_it_further(data, method) -> None:
    key, params = method
    trace = engine.run(key, data, steps=20, pace=ROUND, **params)
    said = "still lowered" in trace[-1].note.text()
    assert said == ("converged" not in trace.events[-1])
    more = engine.run(key, data, steps=40, pace=ROUND, **params)
    assert not said or more[-1].state.loss < trace[-1].state.loss


@settings(max_examples=25, deadline=None)
@given(tables, st.sampled_from([*BATCH, ("hinge_descent", {"mode": "stochastic"})]))
def test_columns_of_unlike_size_are_named_as_what_slows_it_down(data, method) -> None:
    key, params = method
    trace = engine.run(key, data, steps=20, pace=ROUND, **params)
    note = trace[-1].note
    if {"converged", "tiny steps"} & set(trace.events[-1]):
        return
    factor = sizes(trace).max() / sizes(trace).min()
    assert ("-fold" in note.text()) == (factor >= 10)
    assert ("standardise the columns in the data panel" in note.text()) == (factor >= 10)
    if factor >= 10:
        assert note["times"] == pytest.approx(factor, rel=0.35)


@pytest.mark.parametrize(("key", "params"), BATCH)
def test_the_way_out_helps(key: str, params: dict) -> None:
    """Two columns around 100 and 10⁵ with 4 deviations between the classes."""
    data = table(5, [1.0, 1e3], shift=100.0)
    raw = engine.run(key, data, steps=120, pace=ROUND, **params)
    assert "standardise" in raw[-1].note.text()
    way_out = engine.run(
        key, data, steps=120, transforms=[engine.Transform("standardise")], pace=ROUND, **params
    )
    assert "standardise" not in way_out[-1].note.text()
    assert way_out[-1].state.errors < 5 < raw[-1].state.errors


@pytest.mark.parametrize("key", ["logistic_regression", "hinge_descent"])
def test_examples_that_had_no_step_are_counted(key: str) -> None:
    data = table(1, [1.0])
    few = engine.run(key, data, mode="stochastic", steps=13, pace=ROUND)[-1].note
    assert "47 of the 60 examples have had no step yet" in few.text()
    one = engine.run(key, data, mode="stochastic", steps=59, pace=ROUND)[-1].note
    assert "1 of the 60 examples has had no step yet" in one.text()
    assert (
        "no step yet"
        not in engine.run(key, data, mode="stochastic", steps=60, pace=ROUND)[-1].note.text()
    )
