"""Ridge and lasso on logistic regression against scikit-learn, and against their own definitions.

aima A13: Cost(h) = EmpLoss(h) + λ Complexity(h); here the loss is a sum, and the bias is left out.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

import engine
from engine.numerics.sigmoid import after_sigmoid
from engine.protocol.step import Level, Pace

ROUND = Pace(Level.ROUND)


def overlap(seed, n=80, d=3):
    """Rows of which the last column says nothing."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (1.5 * X[:, 0] - X[:, 1] + 0.3 + rng.normal(size=n) > 0).astype(int)


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("alpha", [0.5, 5.0])
def test_ridge_reaches_scikit_learn(seed: int, alpha: float) -> None:
    """scikit-learn's C weighs the loss against ½ |w|²: C = 1 / (2α)."""
    X, y = overlap(seed)
    trace = engine.run(
        "logistic_regression",
        (X, y),
        loss="log",
        penalty="ridge",
        strength=alpha,
        steps=20_000,
        pace=ROUND,
    )
    oracle = LogisticRegression(C=1 / (2 * alpha), tol=1e-10, max_iter=10_000).fit(X, y)
    assert trace.when("converged")
    assert trace[-1].state.w == pytest.approx(
        [*oracle.coef_[0], *oracle.intercept_], rel=1e-4, abs=1e-5
    )


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("alpha", [1.0, 8.0])
def test_lasso_reaches_scikit_learn_with_the_same_zeros(seed: int, alpha: float) -> None:
    """C = 1 / α weighs the loss against |w|₁; saga leaves the bias alone as well."""
    X, y = overlap(seed)
    trace = engine.run(
        "logistic_regression",
        (X, y),
        loss="log",
        penalty="lasso",
        strength=alpha,
        steps=20_000,
        pace=ROUND,
    )
    oracle = LogisticRegression(
        C=1 / alpha, l1_ratio=1, solver="saga", tol=1e-10, max_iter=50_000
    ).fit(X, y)
    assert trace.when("converged")
    w = trace[-1].state.w
    assert w == pytest.approx([*oracle.coef_[0], *oracle.intercept_], rel=1e-3, abs=1e-4)
    assert (w[:-1] == 0).tolist() == (oracle.coef_[0] == 0).tolist()


def test_a_strong_lasso_leaves_the_bias_alone() -> None:
    """At 0 no pull is larger than Σ |x|: above it every weight stays 0, and the bias is the
    logarithm of the odds of the classes.
    """
    X, y = overlap(3)
    trace = engine.run(
        "logistic_regression",
        (X, y),
        loss="log",
        penalty="lasso",
        strength=200.0,
        steps=20_000,
        pace=ROUND,
    )
    assert trace[-1].state.w[:-1].tolist() == [0, 0, 0]
    assert trace[-1].state.w[-1] == pytest.approx(np.log(y.mean() / (1 - y.mean())), abs=1e-6)
    assert trace[-1].note["zeros"] == 3


@pytest.mark.parametrize("penalty", ["ridge", "lasso"])
@pytest.mark.parametrize("loss", ["squared", "log"])
@pytest.mark.parametrize("mode", ["batch", "stochastic"])
def test_no_strength_is_no_penalty(penalty: str, loss: str, mode: str) -> None:
    common = {"loss": loss, "mode": mode, "rate": 0.05, "steps": 50, "pace": ROUND}
    plain = engine.run("logistic_regression", overlap(1), **common)
    none = engine.run("logistic_regression", overlap(1), penalty=penalty, strength=0.0, **common)
    assert none[-1].state.w.tolist() == plain[-1].state.w.tolist()


@pytest.mark.parametrize("loss", ["squared", "log"])
def test_the_loss_shown_is_with_the_penalty(loss: str) -> None:
    X, y = overlap(2)
    for penalty, size in (("ridge", np.square), ("lasso", np.abs)):
        trace = engine.run(
            "logistic_regression", (X, y), loss=loss, penalty=penalty, strength=2.0, steps=20
        )
        w = trace[-1].state.w
        h = 1 / (1 + np.exp(-(X @ w[:-1] + w[-1])))
        each = (y - h) ** 2 if loss == "squared" else -np.log(np.where(y == 1, h, 1 - h))
        cost = 2.0 * size(w[:-1]).sum()
        assert trace.metrics["loss"][-1] == pytest.approx(each.sum() + cost)
        assert trace[-1].note["cost"] == pytest.approx(cost)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10_000),
    st.booleans(),
    st.sampled_from([(0.3, 0.0), (0.0, 0.3), (0.0, 30.0), (0.0, 0.0)]),
)
def test_single_steps_are_those_of_the_definition(
    seed: int, squared: bool, penalty: tuple[float, float]
) -> None:
    """Ridge: w + η (pull − 2αw); lasso: the w nearest to w + η pull that pays α |w| least, which is
    what no other w betters.
    """
    ridge, lasso = penalty
    rng = np.random.default_rng(seed)
    x, w = rng.normal(size=4), rng.normal(size=4)
    x[-1] = 1.0
    y, eta = float(rng.integers(2)), 0.2
    h = 1 / (1 + np.exp(-x @ w))
    pull = (y - h) * (h * (1 - h) if squared else 1) * x
    target = w + eta * (pull - 2 * ridge * np.append(w[:-1], 0))
    found = after_sigmoid(x[None], np.array([y]), np.array([eta]), w, squared, ridge, lasso)
    if not lasso:
        assert found == pytest.approx(target)
        return

    def price(v):
        return 0.5 * (v - target[:-1]) ** 2 + eta * lasso * np.abs(v)

    assert found[-1] == pytest.approx(target[-1])
    for other in (0.0, *rng.normal(size=5), 1e-3, -1e-3):
        assert (price(found[:-1]) <= price(found[:-1] + other) + 1e-12).all()
        assert (price(found[:-1]) <= price(np.full(3, other)) + 1e-12).all()


def test_the_lines_say_what_is_done() -> None:
    algorithm = engine.algorithms()["logistic_regression"]

    def update(**params):
        trace = engine.run("logistic_regression", algorithm.example(), steps=1, **params)
        return dict(algorithm.code_lines(trace.params))["update"].strip()

    assert update() == "w ← w + η Σ[B] (y−h) h (1−h) x"  # AIMA Eq 18.8
    assert update(loss="log") == "w ← w + η Σ[B] (y−h) x"
    assert "2αw" in update(penalty="ridge")
    assert "S(" in update(penalty="lasso", loss="log")
