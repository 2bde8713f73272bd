"""An automatic rate comes from the size of the columns: no step overshoots on a table as it
stands.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.numerics.descent import largest_square
from engine.protocol.step import Level, Pace

ROUND = Pace(Level.ROUND)


def table(seed: int, scales: list[float], shift: float, n: int = 40) -> engine.Dataset:
    """Points of two classes, one in four B, in columns of these scales, `shift` of them away from
    0.
    """
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 4 == 0
    X = (rng.normal(size=(n, len(scales))) + 0.8 * y[:, None] + shift) * scales
    return engine.Dataset.from_arrays(X, np.where(y, "B", "A"))


tables = st.builds(
    table,
    st.integers(0, 1_000),
    st.lists(st.sampled_from([1e-3, 1.0, 40.0, 1e4, 1e8]), min_size=1, max_size=4),
    st.sampled_from([0.0, 1.0, 5.0]),
)


@settings(max_examples=40, deadline=None)
@given(tables, st.sampled_from(["squared", "log"]))
def test_logistic_regression_never_overshoots_by_default(data: engine.Dataset, loss: str) -> None:
    trace = engine.run("logistic_regression", data, loss=loss, steps=60, pace=ROUND)
    assert not trace.when("overshoot")
    assert not trace.when("diverged")
    assert trace[-1].state.loss <= trace[0].state.loss


@settings(max_examples=40, deadline=None)
@given(
    tables,
    st.sampled_from(["batch", "stochastic", "sum-of-parts", "average-of-changes"]),
    st.sampled_from([0.1, 1.0, 50.0]),
)
def test_hinge_descent_does_not_end_above_its_start_by_default(
    data: engine.Dataset, mode: str, C: float
) -> None:
    """The slope of the penalties jumps, so that a step may raise f a little; it does
    not lead away.
    """
    trace = engine.run("hinge_descent", data, mode=mode, C=C, pace=ROUND)
    assert not trace.when("diverged")
    assert trace[-1].state.f <= 1.05 * trace[0].state.f


def test_the_largest_eigenvalue_is_that_of_numpy() -> None:
    rng = np.random.default_rng(4)
    for shape in ((5, 3), (200, 8), (30, 60), (12_000, 4)):
        A = rng.normal(size=shape) * rng.choice([1.0, 30.0, 1e5], shape[1])
        known = np.linalg.eigvalsh(A.T @ A)[-1]
        assert 0.9 * known <= largest_square(A) <= 1.1 * known
    assert largest_square(np.zeros((3, 2))) == 1.0


@pytest.mark.parametrize("loss", ["squared", "log"])
def test_the_default_is_no_worse_than_the_commonest_class_where_one_in_four_is_rare(
    loss: str,
) -> None:
    """With the rate of .01 it ended with 36 % wrong on such a table."""
    rng = np.random.default_rng(0)
    rare = rng.random(100) < 0.24
    X = np.column_stack(
        [rng.normal(40, 12, 100) + 8 * rare, rng.normal(50_000, 15_000, 100) - 8_000 * rare]
    )
    trace = engine.run(
        "logistic_regression", (X, np.where(rare, "yes", "no")), loss=loss, pace=ROUND
    )
    assert trace[-1].state.errors <= rare.sum()


@pytest.mark.parametrize("key", ["logistic_regression", "hinge_descent"])
def test_the_rate_that_is_taken_is_shown(key: str) -> None:
    X = [[1.0, 2.0], [2.0, 1.0], [-1.0, 0.5], [0.5, -2.0]]
    trace = engine.run(key, (X, [1, 1, -1, -1]), steps=2)
    first, step = trace[0].note, next(s for s in trace if s.line == "update").note
    assert first["taken"] == step["eta"]
    size = np.linalg.eigvalsh((A := np.column_stack([X, np.ones(4)])).T @ A)[-1]
    assert (
        0.6 / size
        <= first["taken"] * {"logistic_regression": 1 / 12, "hinge_descent": 2.0}[key]
        <= 1.5 / size
    )
    given = engine.run(key, (X, [1, 1, -1, -1]), steps=2, rate=0.125)
    assert "taken" not in given[0].note.operands
    assert next(s for s in given if s.line == "update").note["eta"] == 0.125
