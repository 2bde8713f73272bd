"""Weights, local lines, switches, gaps left out.

MMDS Fig 12.24, Ex 12.12, AIMA Fig 18.29; oracle scikit-learn.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor

import engine
from engine.algorithms.regression.parts.smoothing import LEFT_OUT, Smoother, broken_curve
from engine.algorithms.regression.parts.smoothing_fits import (
    Rule,
    kernel_value,
    local_lines,
    relative_weights,
    weighted_median,
)
from engine.base.records import field_names
from engine.base.work import finished, in_parts
from tests.engine.algorithms.regression.at_query import at_query


def smoother(X, y, **rule) -> Smoother:
    X = np.asarray(X, float)
    data = engine.Dataset.from_arrays(
        X[:, None] if X.ndim == 1 else X, np.asarray(y, float), task="regress"
    )
    return Smoother(engine.prepare(data), Rule(**rule))


PEAK_X = np.arange(1.0, 8.0)
PEAK_Y = np.array([1.0, 2.0, 4.0, 8.0, 4.0, 2.0, 1.0])


def at(*x: float):
    return np.array(x)[:, None]


def test_quadratic_kernel_of_width_ten() -> None:
    """AIMA Fig 18.29 (C29, D74): 1 at 0, nothing from ±5 on."""
    rule = Rule(kernel="quadratic", width=10)
    assert kernel_value(np.array([0.0, 2.5, 5.0, 7.0]), rule).tolist() == [1.0, 0.75, 0.0, 0.0]


def test_mmds_figure_12_24() -> None:
    """D48: the weights at q = 3.5, their sum 9.29, Σ w y = 51.23, estimate 5.51."""
    found = at_query(PEAK_X, PEAK_Y, Rule(kernel="1/d²"), 3.5)
    by_row = dict(zip(found.neighbours.tolist(), found.weights.tolist(), strict=True))
    printed = [4 / 25, 4 / 9, 4, 4, 4 / 9, 4 / 25, 4 / 49]
    assert np.allclose([by_row[i] for i in range(7)], printed)
    assert round(sum(printed), 2) == 9.29
    assert round(float(found.weights @ PEAK_Y[found.neighbours]), 2) == 51.23
    assert found.value == pytest.approx(5.51, abs=0.005)


def test_switch_points_of_k_neighbours() -> None:
    """MMDS A41: the set of k neighbours changes at (x_i + x_{i+k}) / 2."""
    x = [1.0, 2, 4, 8, 16, 32]
    assert smoother(x, range(6), k=1).switches.tolist() == [1.5, 3, 6, 12, 24]
    assert smoother(x, range(6), k=2).switches.tolist() == [2.5, 5, 10, 20]
    assert smoother(x, range(6), k=6).switches.tolist() == []


def test_curve_of_the_nearest_is_a_step_function() -> None:
    """MMDS Fig 12.22(a): flat between the middles, with a break at each."""
    model = smoother(PEAK_X, PEAK_Y, k=1)
    xy = finished(
        broken_curve(
            lambda x: in_parts(model.values, x[:, None], 64),
            np.linspace(0.5, 7.5, 200),
            model.switches,
        )
    )
    breaks = np.flatnonzero(np.isnan(xy[:, 1]))
    assert len(breaks) == 6
    assert np.allclose(xy[breaks - 1, 0], np.arange(1.5, 7))
    assert np.allclose(xy[breaks + 1, 0], np.arange(1.5, 7))
    assert np.allclose(xy[breaks - 1, 1], PEAK_Y[:-1])
    assert np.allclose(xy[breaks + 1, 1], PEAK_Y[1:])


def test_equal_distances_take_the_lower_row() -> None:
    model = smoother([3.0, 1.0, 5.0], [9.0, 1.5, 4.0], k=1)
    assert model.values(at(2.0, 4.0)).tolist() == [9.0, 9.0]
    found = at_query([1.0, 3.0], [1.5, 9.0], Rule(1), 2.0)
    assert (found.value, found.outside) == (1.5, 1)


@pytest.mark.parametrize("kernel", ["1/d", "1/d²"])
@pytest.mark.parametrize("k", [0, 3])
def test_on_an_example_its_own_value_or_the_mean_of_copies(kernel: str, k: int) -> None:
    x, y = [1.0, 2.0, 2.0, 5.0], [3.0, 4.0, 7.0, 1.5]
    assert np.allclose(
        smoother(x, y, k=k, kernel=kernel).values(at(1.0, 2.0, 5.0)), [3.0, 5.5, 1.5]
    )
    assert at_query(x, y, Rule(k or len(x), kernel), 2.0).fallback == "exact"


def test_far_queries_keep_a_value() -> None:
    """MMDS A42: the smallest exponent is taken off before e^…; an empty window asks the nearest."""
    assert np.allclose(
        smoother(PEAK_X, PEAK_Y, kernel="gaussian", width=0.01).values(at(-500.0, 900.0)), 1
    )
    x, y, rule = [0.0, 1.0, 9.0], [2.0, 3.5, 7.0], Rule(kernel="quadratic", width=1)
    model = smoother(x, y, kernel="quadratic", width=1)
    assert model.values(at(5.4)).tolist() == [7.0]
    assert at_query(x, y, rule, 5.4).fallback == "nearest"
    assert at_query(x, y, rule, 5.0).neighbours.tolist() == [1]


def test_too_few_for_a_line_gives_the_weighted_mean() -> None:
    rule = Rule(kernel="quadratic", width=3, estimate="line")
    found = at_query([0.0, 1.0, 9.0], [2.0, 3.5, 7.0], rule, 8.5)
    assert (found.fallback, len(found.slope)) == ("mean", 0)
    assert found.value == pytest.approx(7.0)
    same = smoother([1.0, 1.0, 1.0], [2.0, 3.5, 5.0], k=3, estimate="line")
    assert same.values(at(4.0))[0] == pytest.approx(3.5)


def test_collinear_places_settle_no_plane() -> None:
    model = smoother([[0.0, 0], [1, 1], [2, 2]], [1.0, 2.5, 4.0], estimate="line")
    assert model.values(np.array([[0.0, 2.0]]))[0] == pytest.approx(2.5)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10_000), st.integers(1, 3), st.integers(1, 9), st.sampled_from(["equal", "1/d"])
)
def test_agrees_with_scikit_learn(seed: int, d: int, k: int, kernel: str) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(12, d))
    y = rng.normal(size=12) + 0.001
    Q = rng.normal(size=(40, d))
    oracle = KNeighborsRegressor(k, weights="uniform" if kernel == "equal" else "distance").fit(
        X, y
    )
    assert np.allclose(smoother(X, y, k=k, kernel=kernel).values(Q), oracle.predict(Q))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 3), st.sampled_from(["gaussian", "quadratic"]))
def test_local_lines_are_weighted_least_squares(seed: int, d: int, kernel: str) -> None:
    rng = np.random.default_rng(seed)
    X, y, q = rng.normal(size=(15, d)), rng.normal(size=15), rng.normal(size=d)
    away = np.sqrt(((X - q) ** 2).sum(1))
    w = relative_weights(away[None], Rule(kernel=kernel, width=8.0))
    values, slopes, settled = local_lines(y[None], w, (X - q)[None])
    oracle = LinearRegression().fit(X, y, w[0])
    assert settled[0]
    assert values[0] == pytest.approx(oracle.predict(q[None])[0], abs=1e-9)
    assert np.allclose(slopes[0], oracle.coef_, atol=1e-9)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-5, 5), min_size=1, max_size=9), st.data())
def test_weighted_median_counts_copies(values: list[int], data) -> None:
    counts = data.draw(st.lists(st.integers(1, 4), min_size=len(values), max_size=len(values)))
    found = weighted_median(np.array([values], float), np.array([counts], float))[0]
    assert found == np.median(np.repeat(values, counts))


RULES = [
    Rule(3),
    Rule(2, "1/d"),
    Rule(3, "equal", 1, "line"),
    Rule(4, "1/d", 1, "median"),
    Rule(0, "1/d²"),
    Rule(0, "gaussian", 0.7),
    Rule(0, "quadratic", 2.0, "line"),
    Rule(3, "gaussian", 1.0, "line"),
]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(RULES))
def test_leaving_out_equals_learning_without(seed: int, rule: Rule) -> None:
    """AIMA A67: skipping the example itself is the same as storing the others."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 8, 9) + 0.0
    y = rng.normal(size=9)
    data = engine.prepare(engine.Dataset.from_arrays(x[:, None], y, task="regress"))
    found = Smoother(data, rule).without_itself(np.arange(9))
    for i in range(9):
        rest = engine.Dataset.from_arrays(np.delete(x, i)[:, None], np.delete(y, i), task="regress")
        assert found[i] == pytest.approx(
            Smoother(engine.prepare(rest), rule).values(x[[i], None])[0], abs=1e-9
        )


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(RULES))
def test_one_query_says_what_many_say(seed: int, rule: Rule) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 9, 9) / 2, rng.normal(size=9) + 0.01
    model = smoother(x, y, **{f: getattr(rule, f) for f in field_names(rule)})
    for q in (*rng.uniform(-1, 6, 5), 1.0, 1.25, 2.5):
        assert at_query(x, y, rule, q).value == pytest.approx(model.values(at(q))[0], abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([r for r in RULES if r.estimate == "mean"]))
def test_means_stay_between_the_values(seed: int, rule: Rule) -> None:
    rng = np.random.default_rng(seed)
    y = rng.normal(size=11)
    model = smoother(rng.normal(size=11), y, **{f: getattr(rule, f) for f in field_names(rule)})
    values = model.values(rng.uniform(-6, 6, (50, 1)))
    assert values.min() >= y.min() - 1e-12
    assert values.max() <= y.max() + 1e-12


def test_continuous_kernels_do_not_jump() -> None:
    """MMDS F28; and F27: the weighted mean of two is not always continuous."""
    for rule in ({"kernel": "gaussian"}, {"kernel": "1/d²"}, {"kernel": "quadratic", "width": 4.0}):
        model = smoother(PEAK_X, PEAK_Y, **rule)
        xy = finished(
            broken_curve(
                lambda x, m=model: in_parts(m.values, x[:, None], 64),
                np.linspace(0.5, 7.5, 300),
                model.switches,
            )
        )
        assert np.isfinite(xy).all()
    two = smoother([0.0, 1.0, 1.5], [1.0, 5.0, 9.0], k=2, kernel="1/d")
    xy = finished(
        broken_curve(
            lambda x: in_parts(two.values, x[:, None], 64), np.linspace(-1, 2, 50), two.switches
        )
    )
    assert np.isnan(xy).any()


def test_large_tables_leave_out_a_sample() -> None:
    rng = np.random.default_rng(0)
    model = smoother(rng.normal(size=3000), rng.normal(size=3000), k=5)
    examples, errors = model.left_out
    assert len(examples) == len(errors) == LEFT_OUT
    assert len(np.unique(examples)) == LEFT_OUT
