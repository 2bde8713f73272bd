"""Who says `converged` tells the truth, by an independent check, also far from 0, in tiny and in
huge units.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.model_selection import LeaveOneOut, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

import engine
from engine import Dataset, Level, Pace, Trace
from engine.base.arrays import Float

pytestmark = pytest.mark.slow

WITH_THE_EVENT = {
    key for key, algorithm in engine.algorithms().items() if "converged" in algorithm.events
}
MOVED: Mapping[str, tuple[float, float]] = {
    "X − 10⁶": (1.0, -1e6), "X + 10⁷": (1.0, 1e7), "X·10⁻⁷": (1e-7, 0.0),
    "X·10⁶": (1e6, 0.0),
}  # fmt: skip
TWO = (
    np.array([[1.0, 2.0], [2.0, 3.0], [3.0, 3.5], [-1.0, -1.0], [-2.0, -0.5], [-1.5, -3.0]]),
    [1, 1, 1, -1, -1, -1],
)
MIXED = np.vstack([TWO[0], [[1.5, 3.0], [-3.0, -2.0]]]), [*TWO[1], -1, 1]
THREE = (
    np.array([[0.0, 2.0], [0.5, 2.5], [2.0, -1.0], [2.5, -0.5], [-2.0, -1.0], [-2.5, -1.5]]),
    ["A", "A", "B", "B", "C", "C"],
)
INF = float("inf")
BITS = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 0], [0, 0, 1], [0, 0, 0]], float), [1, 1, -1, -1, -1]


def all_right(trace: Trace) -> None:
    """The weights would never change again: each example has its class."""
    assert (
        trace.predict(trace.problem.X).tolist()
        == trace.problem.labels(trace.problem.codes).tolist()
    )
    assert trace[-1].state.errors == 0


def one_b_suits_all(trace: Trace) -> None:
    """No pair disagrees about b by more than the tolerance, in exact arithmetic (AIMA Eq 18.13);
    each row has a class.
    """
    problem = trace.problem
    p = trace.params
    s = trace[-1].state
    X = [[Fraction(v) for v in row] for row in problem.X.tolist()]
    kernel: Callable[[Fraction], Fraction] = {
        "linear": lambda dot: dot,
        "quadratic": lambda dot: dot**2,
        "polynomial": lambda dot: (1 + dot) ** p.degree,
    }[p.kernel]
    beta = [Fraction(a) * int(y) for a, y in zip(s.alpha.tolist(), problem.sign, strict=True)]
    wish = [
        int(y)
        - sum(
            b * kernel(sum(u * v for u, v in zip(x, z, strict=True)))
            for b, z in zip(beta, X, strict=True)
            if b
        )
        for x, y in zip(X, problem.sign, strict=True)
    ]
    rises = [(b < p.C) if y > 0 else (b < 0) for b, y in zip(beta, problem.sign, strict=True)]
    falls = [(b > 0) if y > 0 else (b > -p.C) for b, y in zip(beta, problem.sign, strict=True)]
    least = max(b for b, can in zip(wish, rises, strict=True) if can)
    most = min(b for b, can in zip(wish, falls, strict=True) if can)
    assert least - most <= 1.01 * p.tolerance + 1e-6
    assert all(label is not None for label in trace.predict(problem.X).tolist())


def centred(trace: Trace) -> tuple[Float, Float]:
    """Columns and values about their means, the columns all of one size."""
    X = trace.problem.X - trace.problem.X.mean(0)
    y = np.asarray(trace.problem.y) - np.mean(trace.problem.y)
    return X / np.linalg.norm(X, axis=0), y


def no_line_is_better(trace: Trace) -> None:
    X, y = centred(trace)
    least = float(np.square(y - X @ np.linalg.lstsq(X, y, rcond=None)[0]).sum())
    assert trace[-1].state.loss <= least + (1e-5 * np.linalg.norm(y)) ** 2


def no_weight_would_lower_the_cost(trace: Trace) -> None:
    """The cost's slope is 0; for q = 1 within the strength where the weight is 0. AIMA 18.6.2."""
    X = trace.problem.X - trace.problem.X.mean(0)
    y = np.asarray(trace.problem.y) - np.mean(trace.problem.y)
    w = trace[-1].state.w[1:]
    pull, strength = 2 * X.T @ (y - X @ w), trace.params.strength * len(y)  # of the mean loss
    near = 1e-4 * 2 * np.linalg.norm(X, axis=0) * np.linalg.norm(y)
    if trace.params.q == 2:
        assert (np.abs(pull - 2 * strength * w) <= near).all()
    else:
        assert (np.abs(pull - strength * np.sign(w))[w != 0] <= near[w != 0]).all()
        assert (np.abs(pull[w == 0]) <= strength + near[w == 0]).all()


def nothing_wrong_has_stopped_pulling(trace: Trace) -> None:
    """w stands still at the bottom of the loss: downhill from there leads nowhere."""
    s = trace[-1].state
    problem = trace.problem
    X = np.column_stack([problem.X, np.ones(problem.n)])
    y = (problem.sign + 1) / 2
    h = 0.5 + 0.5 * np.tanh(0.5 * X @ s.w)
    assert np.abs(y - h)[h * (1 - h) < 1e-9].max(initial=0.0) < 0.5
    pull = (y - h) * (h * (1 - h) if trace.params.loss == "squared" else 1.0) @ X
    assert np.abs(trace.given.base_rate * pull).max() <= 1e-8 * np.abs(s.w).max()


def what_classes_lack_cancels(trace: Trace) -> None:
    """W stands still at the bottom of the log loss with its penalty: Σ (y − P) xᵀ is that of the
    penalty.
    """
    s = trace[-1].state
    p = trace.params
    X = np.column_stack([trace.problem.X, np.ones(trace.problem.n)])
    Z = X @ s.W.T
    P = np.exp(Z - Z.max(axis=1, keepdims=True))
    P /= P.sum(axis=1, keepdims=True)
    pull = (np.eye(len(trace.problem.classes))[trace.problem.codes] - P).T @ X
    if p.penalty == "ridge":
        pull[:, :-1] -= 2 * p.strength * s.W[:, :-1]
    if p.penalty == "lasso":
        own = np.where(s.W == 0, np.clip(pull, -p.strength, p.strength), p.strength * np.sign(s.W))
        pull[:, :-1] -= own[:, :-1]
    rounding = 1e-12 * np.abs(X).sum(axis=0)
    left = np.maximum(np.abs(pull) - rounding, 0.0)
    assert (trace.given.base_rate * left).max() <= 1e-8 * np.abs(s.W).max()


def no_line_pays_less(trace: Trace) -> None:
    """f at the end, against a search of another kind: Nelder and Mead's. MMDS Eq 12.4."""
    problem = trace.problem
    p = trace.params
    s = trace[-1].state

    def f(w: Float) -> float:
        penalty = np.maximum(0.0, 1 - problem.sign * (problem.X @ w[:-1] + w[-1])).sum()
        return float(0.5 * w[:-1] @ w[:-1] + p.C * penalty)

    found = minimize(f, s.weights, method="Nelder-Mead", options={"maxiter": 300})
    assert f(s.weights) <= found.fun * (1 + 1e-3) + 1e-9


def another_round_moves_nothing(trace: Trace) -> None:
    """Going on from the end, the means stay where they are, in relation to how far the
    data spread.
    """
    again = engine.Run(
        trace.algorithm, trace.problem, trace.params, pace=Pace(Level.ROUND), start=trace[-1].state
    )
    again.advance(max_steps=2)
    moved = np.abs(again.trace[-1].state.means - trace[-1].state.means).max(axis=0)
    assert (moved <= 1e-3 * np.ptp(trace.problem.X, axis=0)).all()


def loss_is_small_enough(trace: Trace) -> None:
    assert trace[-1].state.loss <= trace.params.enough
    all_right(trace)


def no_output_is_better(trace: Trace) -> None:
    """Least squares of the values on the answers of the units, computed again."""
    s = trace[-1].state
    X = trace.problem.X
    y = np.asarray(trace.problem.y)
    phi = np.exp(-((X[:, None] - s.centres) ** 2).sum(-1) / (2 * s.widths**2))
    A = np.column_stack([np.ones(len(X)), phi])
    least = float(np.square(y - A @ np.linalg.lstsq(A, y, rcond=None)[0]).sum())
    assert s.loss <= least + (1e-5 * np.linalg.norm(y - y.mean())) ** 2


X = np.random.default_rng(4).normal(size=(14, 2))
ROUND = np.vstack([TWO[0], [[0.5, 9.0], [9.0, -9.0], [-9.0, -9.0]]]), [1, 1, 1, 1, 1, 1, -1, -1, -1]
VALUES = X, (X @ [1.0, -2.0] + 0.3 + np.random.default_rng(5).normal(size=14) / 9).tolist()
CLOUDS = np.vstack([X, X[::-1] * 0.7 + 4.0]), None


def every_line_stands(trace: Trace) -> None:
    """Each outside row has the line that says yes to it least, and no line has a slope left, on
    columns that are scaled.
    """
    given = trace.given
    s = trace[-1].state
    scores = trace.problem.X @ s.W[:, :-1].T + s.W[:, -1]
    near = 1e-6 * (1 + np.abs(trace.problem.X) @ np.abs(s.W[:, :-1].T) + np.abs(s.W[:, -1]))
    out = np.flatnonzero(given.outside)
    assert (scores[out, s.owner[out]] <= scores[out].min(axis=1) + near[out].max(axis=1)).all()
    for k, w in enumerate(s.W):
        inside, own = given.examples(given.own(s, k))
        if len(own):
            v = given.scaled(w)
            slope = inside.T @ (1 / (1 + np.exp(inside @ v))) - own.T @ (
                1 / (1 + np.exp(-(own @ v)))
            )
            assert np.abs(slope - trace.params.penalty * np.append(v[:-1], 0)).max() < 1e-4


def no_other_factor_errs_less(trace: Trace) -> None:
    """No axis has a value with fewer errors, by scikit-learn, each row answered by all others."""
    X, y, z = trace.problem.X, trace.problem.codes, trace[-1].state.z

    def error(factors: Float) -> float:
        near = KNeighborsClassifier(trace.params.k, algorithm="brute")
        right = cross_val_score(near, X * factors, y, cv=LeaveOneOut())
        return float(1 - right.mean())

    for j in range(len(z)):
        for value in trace.params.values:
            other = z.copy()
            other[j] = value
            if other.any():
                assert error(other) >= error(z) - 1e-9, (z, other)


CHECKS: Mapping[
    str, tuple[Callable[[Trace], None], tuple[Any, ...], tuple[dict[str, Any], ...]]
] = {
    "perceptron": (
        all_right,
        (TWO, MIXED),
        ({}, {"threshold": "learned"}, {"rule": "aima", "rounds": 100}),
    ),
    "multiclass_perceptron": (all_right, (THREE, TWO), ({}, {"threshold": "shared"})),
    "winnow": (all_right, (BITS,), ({}, {"threshold": "learned"})),
    "perceptron_network": (all_right, (TWO, MIXED, THREE), ({"rounds": 300}, {"order": "random"})),
    "svm": (
        one_b_suits_all,
        (TWO,),
        (
            {"C": 1.0},
            {"C": INF},
            {"kernel": "quadratic", "C": INF},
            {"kernel": "polynomial", "C": 1.0},
        ),
    ),
    "mapreduce_perceptron": (
        all_right,
        (TWO, MIXED),
        ({}, {"threshold": "learned"}, {"combine": "average"}, {"combine": "average of changes"}),
    ),
    "kernel_perceptron": (
        all_right,
        (TWO, MIXED),
        (
            {},
            {"kernel": "linear", "threshold": "learned"},
            {"kernel": "quadratic"},
            {"kernel": "rbf"},
        ),
    ),
    "gradient_descent": (
        no_line_is_better,
        (VALUES,),
        ({}, {"mode": "stochastic"}, {"update": "one after the other"}),
    ),
    "regularised_regression": (
        no_weight_would_lower_the_cost,
        (VALUES,),
        ({"q": 1}, {"q": 1, "strength": 0.05}, {"q": 2}),
    ),
    "logistic_regression": (
        nothing_wrong_has_stopped_pulling,
        (TWO, MIXED),
        ({}, {"rate": 1.0}, {"loss": "log"}),
    ),
    "softmax_regression": (
        what_classes_lack_cancels,
        (TWO, MIXED, THREE),
        ({"penalty": "ridge"}, {"penalty": "lasso", "strength": 0.1}, {"rate": 0.01}),
    ),
    "axis_weights": (no_other_factor_errs_less, (TWO, MIXED), ({}, {"values": (0, 1)})),
    "hinge_descent": (no_line_pays_less, (TWO, MIXED), ({}, {"rate": 0.5})),
    "em_means": (another_round_moves_nothing, (CLOUDS,), ({}, {"k": 3})),
    "gaussian_mixture": (another_round_moves_nothing, (CLOUDS,), ({}, {"k": 3})),
    "kmeans": (another_round_moves_nothing, (CLOUDS,), ({"starts": 1}, {"k": 2, "starts": 1})),
    "half_plane_and": (
        every_line_stands,
        (ROUND, MIXED),
        ({"starts": 1}, {"starts": 1, "members": 2}),
    ),
    "rbf_network": (no_output_is_better, (VALUES,), ({"fit": "descent", "k": 2, "steps": 3000},)),
    "backpropagation": (loss_is_small_enough, (TWO,), ({"enough": 0.05, "epochs": 150},)),
}


def test_every_algorithm_that_says_so_is_checked() -> None:
    assert set(CHECKS) == WITH_THE_EVENT


@pytest.mark.parametrize("key", sorted(CHECKS))
def test_who_says_converged_has(key: str) -> None:
    check, tables, choices = CHECKS[key]
    said = 0
    moves = {} if key == "winnow" else MOVED  # Winnow takes columns of 0 and 1 alone
    for number, (X, y) in enumerate(tables):
        for factor, offset in [(1.0, 0.0), *list(moves.values())[number::2]]:
            columns = {f"x{j}": column for j, column in enumerate((X * factor + offset).T)}
            regress = (
                {"task": "regress"}
                if key in ("gradient_descent", "regularised_regression", "rbf_network")
                else {}
            )
            data = Dataset.from_columns(
                columns | ({} if y is None else {"y": y}), None if y is None else "y", **regress
            )
            for params in choices:
                try:
                    trace = engine.run(key, data, pace=Pace(Level.ROUND), max_steps=4000, **params)
                except engine.EngineError:  # says that it cannot
                    continue
                if any(
                    "converged" in events for events in trace.events[-2:]
                ):  # the result may come after the last round
                    said += 1
                    check(trace)
    assert said
