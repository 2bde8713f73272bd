"""A kernel over many examples of one column looks only at the run that it reaches; nothing of the
sum is lost by it.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.algorithms.regression.parts.smoothing import Smoother
from engine.algorithms.regression.parts.smoothing_fits import Rule
from engine.algorithms.regression.parts.smoothing_runs import ENTRIES, blocks
from tests.engine.algorithms.regression.at_query import at_query

RULES = [
    Rule(0, "gaussian", 0.3),
    Rule(0, "gaussian", 50.0),
    Rule(0, "quadratic", 1.0),
    Rule(0, "quadratic", 300.0),
    Rule(0, "1/d²"),
    Rule(0, "gaussian", 0.8, "line"),
    Rule(0, "quadratic", 2.5, "line"),
    Rule(0, "1/d²", 1.0, "line"),
]


def smoother(x: np.ndarray, y: np.ndarray, rule: Rule) -> Smoother:
    return Smoother(engine.prepare(engine.Dataset.from_arrays(x[:, None], y, task="regress")), rule)


def by_definition(x: np.ndarray, y: np.ndarray, rule: Rule, q: float) -> float:
    """One estimate over all examples: weights as the texts write them, the line by NumPy's
    polynomial fit.
    """
    d = np.abs(x - q)
    if rule.kernel == "1/d²":
        w = (d == 0) * 1.0 if (d == 0).any() else (d.min() / d) ** 2
    elif rule.kernel == "gaussian":
        w = np.exp((d.min() / rule.width) ** 2 - (d / rule.width) ** 2)
    else:
        w = np.maximum(0.0, 1 - (2 * d / rule.width) ** 2)
        if not w.any():
            return float(y[d.round(12).argmin()])
    inside = w >= 1e-12 * w.max()
    if rule.estimate == "line" and len(np.unique(x[inside])) > 1:
        slope, level = np.polyfit(x[inside] - q, y[inside], 1, w=np.sqrt(w[inside]))
        del slope
        return float(level)
    return float(w @ y / w.sum())


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(RULES), st.booleans())
def test_runs_lose_nothing(seed: int, rule: Rule, copies: bool) -> None:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 20, 60) / 2.0 if copies else rng.uniform(0, 10, 60)
    y = rng.normal(size=60)
    q = np.concatenate([rng.uniform(-3, 13, 25), x[:5], [-40.0, 55.0]])
    found = smoother(x, y, rule).values(q[:, None])
    expected = [by_definition(x, y, rule, float(place)) for place in q]
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from([*RULES, Rule(0, "gaussian", 0.02, "line")]),
    st.booleans(),
)
def test_many_places_together_get_what_few_get(seed: int, rule: Rule, copies: bool) -> None:
    """More places than examples share products of matrices: near ones, those with no place near,
    and lines hardly settled. In lines the lightest examples count there, which few places leave
    out: it shows behind the sixth digit.
    """
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 20, 60) / 2.0 if copies else rng.uniform(0, 10, 60)
    model = smoother(x + 1e3, 1e3 + rng.normal(size=60), rule)
    q = 1e3 + np.concatenate([rng.uniform(-3, 13, 200), x[:20], [-40.0, 55.0]])
    few = np.concatenate([model.values(some[:, None]) for some in np.array_split(q, 6)])
    assert model.values(q[:, None]) == pytest.approx(
        few, rel=1e-12, abs=1e-6 if rule.estimate == "line" else 1e-10
    )


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([r for r in RULES if r.estimate == "mean"]))
def test_a_query_lists_who_counts_nearest_first(seed: int, rule: Rule) -> None:
    """Rows by distance, then row number; those left away could not change the value."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 30, 50) / 2.0
    y = rng.normal(size=50)
    q = float(rng.choice([2.0, 3.25, 7.1, -6.0]))
    local = at_query(x, y, rule, q)
    order = sorted(range(50), key=lambda i: (round(abs(x[i] - q), 9), i))
    assert local.neighbours.tolist() == order[: len(local.neighbours)]
    assert local.value == pytest.approx(by_definition(x, y, rule, q), rel=1e-9, abs=1e-12)
    assert local.weights @ y[local.neighbours] / local.weights.sum() == pytest.approx(
        local.value, rel=1e-9, abs=1e-12
    )


@pytest.mark.slow
def test_a_wide_table_is_worked_through_in_blocks() -> None:
    """A hundred thousand examples: each block stays small, all queries are in one, and runs of
    neighbours are shared.
    """
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 100, 100_000)
    reach = smoother(x, np.sin(x), Rule(0, "gaussian", 1.0)).reach
    assert reach is not None
    q = np.sort(rng.uniform(-5, 105, 400))
    first, end = reach.run(q, reach.least(q))
    parts = list(blocks(first, end))
    assert [part.start for part in parts] == [0, *(part.stop for part in parts[:-1])]
    assert parts[-1].stop == 400
    for part in parts:
        size = (part.stop - part.start) * (end[part].max() - first[part].min())
        assert size <= 2 * ENTRIES or part.stop - part.start == 1
    assert (end - first).max() < 20_000


def test_left_out_examples_do_not_tell_themselves() -> None:
    """The window is that of the nearest other, however near the example is to itself; of two as
    near both count, or the lower row.
    """
    x, y = np.array([0.0, 10.0, 20.0, 21.0]), np.array([1.0, 2.0, 3.0, 5.0])
    for rule, expected in (
        (Rule(0, "gaussian", 0.1), [2, 2, 5, 3]),
        (Rule(0, "quadratic", 1.0), [2, 1, 5, 3]),
    ):
        assert smoother(x, y, rule).without_itself(np.arange(4)) == pytest.approx(expected)
