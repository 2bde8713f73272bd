"""Logistic regression against AIMA 18.6.4 (Eq 18.8), scikit-learn, and its own laws."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

import engine
from engine.algorithms.linear.logistic_regression.loss import total_loss
from engine.algorithms.linear.logistic_regression.picture import probit
from engine.base.grid import Grid
from engine.base.records import replace
from engine.judge.surface import evaluate_field
from engine.protocol.step import Level, Pace
from engine.scene.scene import Field, Plot

ROUND = Pace(Level.ROUND)
X4 = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]])
Y4 = np.array([0, 0, 1, 1])


def updates(trace):
    return [step for step in trace if step.line == "update"]


def overlap(seed=0, n=80, d=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (X @ np.arange(1, d + 1) + 0.3 + 1.5 * rng.normal(size=n) > 0).astype(int)


def by_hand(X, y, loss, rate, steps):
    """Eq 18.8 with bias feature +1, summed over the examples."""
    A = np.column_stack([X, np.ones(len(X))])
    w = np.zeros(X.shape[1] + 1)
    for _ in range(steps):
        h = 1 / (1 + np.exp(-A @ w))
        w = w + rate * (y - h) * (h * (1 - h) if loss == "squared" else 1) @ A
    return w


@pytest.mark.parametrize("loss", ["squared", "log"])
def test_batch_is_eq_18_8_summed(loss: str) -> None:
    """From w = 0 every h is ½, so the first squared step is η Σ (y − ½) ¼ x = η (1, ¼,
    0), by hand.
    """
    trace = engine.run("logistic_regression", (X4, Y4), loss=loss, rate=0.1, steps=25)
    if loss == "squared":
        assert updates(trace)[0].state.w == pytest.approx([0.1 * 0.5, 0.1 * 0.25, 0.0])
    assert trace[-1].state.w == pytest.approx(by_hand(X4, Y4, loss, 0.1, 25))
    assert trace[-1].state.updates == 25


def test_one_example_at_a_time_is_eq_18_8() -> None:
    trace = engine.run(
        "logistic_regression", (X4, Y4), mode="stochastic", rate=0.7, steps=20, seed=2
    )
    for step in updates(trace):
        s = step.state
        x = np.append(X4[s.current], 1.0)
        y = Y4[s.current]
        h = 1 / (1 + np.exp(-x @ s.before))
        assert s.w == pytest.approx(s.before + 0.7 * (y - h) * h * (1 - h) * x)
        assert step.note["h"] == pytest.approx(h)
        assert step.note["eta"] == pytest.approx(0.7)
    assert len(updates(trace)) == 20
    each_round = [
        sorted(s.state.current for s in updates(trace) if s.state.round == r) for r in (1, 2, 3)
    ]
    assert each_round == [[0, 1, 2, 3]] * 3


def test_schedule_counts_the_updates() -> None:
    """aima A41: α(t) = 1000/(1000 + t)."""
    trace = engine.run(
        "logistic_regression",
        (X4, Y4),
        mode="stochastic",
        rate=2.0,
        schedule="1000/(1000+t)",
        steps=30,
    )
    assert [s.note["eta"] for s in updates(trace)] == pytest.approx(
        [2.0 * 1000 / (1000 + t) for t in range(30)]
    )


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_log_loss_reaches_scikit_learn(seed: int) -> None:
    """With a penalty next to nothing LogisticRegression has the same least log loss."""
    X, y = overlap(seed)
    trace = engine.run(
        "logistic_regression", (X, y), loss="log", rate=0.03, steps=20_000, pace=ROUND
    )
    oracle = LogisticRegression(C=1e8, tol=1e-10, max_iter=10_000).fit(X, y)
    assert trace.when("converged")
    assert trace[-1].state.w == pytest.approx(
        [*oracle.coef_[0], *oracle.intercept_], rel=1e-4, abs=1e-5
    )
    assert (trace.predict(X) == oracle.predict(X)).all()


def test_score_is_probability_less_one_half() -> None:
    X, y = overlap(3)
    trace = engine.run("logistic_regression", (X, y), loss="log", steps=300, rate=0.02)
    oracle = LogisticRegression().fit(X, y)
    oracle.coef_, oracle.intercept_ = trace[-1].state.w[None, :2], trace[-1].state.w[2:]
    grid = Grid.over((-3, 3), (-3, 3), 31)
    score = evaluate_field(trace.algorithm, trace.given, trace[-1].state, "score", grid)
    assert np.allclose(score.ravel() + 0.5, oracle.predict_proba(grid.points())[:, 1])
    layers = trace.algorithm.scene(trace.given, trace[-1]).layers
    shading = next(layer for layer in layers if isinstance(layer, Field))
    logit = evaluate_field(trace.algorithm, trace.given, trace[-1].state, shading.name, grid)
    assert np.allclose(1 / (1 + np.exp(-logit)), score + 0.5)
    assert np.allclose(
        1 / (1 + np.exp(-np.array(shading.levels))), [0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9]
    )


@pytest.mark.parametrize("loss", ["squared", "log"])
@pytest.mark.parametrize("mode", ["batch", "stochastic"])
def test_large_columns_give_no_nan(loss: str, mode: str) -> None:
    X = np.array([[1e6, -3e5], [-1e6, 2e5], [5e5, 5e5], [-1e4, 1.0]])
    trace = engine.run(
        "logistic_regression", (X, [1, 0, 0, 1]), loss=loss, mode=mode, rate=10.0, steps=40
    )
    for column in trace.metrics.values():
        assert np.isfinite(column).all()
    assert np.isfinite(trace[-1].state.w).all()
    assert all("nan" not in line for step in trace for line in step.note.lines())


def test_beyond_all_numbers_is_an_event() -> None:
    """Tables hold no such numbers; a script may make its own problem."""
    X = np.array([[1e200, 0.0], [-1e200, 1.0], [1e199, 2.0]])
    problem = replace(engine.prepare(engine.Dataset.from_arrays(np.sign(X), [1, 0, 1])), X=X)
    trace = engine.run("logistic_regression", problem, rate=10.0)
    assert "diverged" in trace.events[-1]
    assert "smaller η" in trace[-1].note.text()
    assert np.isfinite(trace[-1].state.w).all()


def test_too_long_a_step_is_marked() -> None:
    X, y = overlap(1)
    trace = engine.run("logistic_regression", (X, y), loss="log", rate=1.0, steps=60)
    for i in trace.when("overshoot"):
        assert trace.metrics["loss"][i] > trace.metrics["loss"][i - 1]
    assert trace.when("overshoot")
    assert not engine.run("logistic_regression", (X, y), loss="log", rate=0.01, steps=200).when(
        "overshoot"
    )


@pytest.mark.slow
def test_squared_loss_can_strand_the_line() -> None:
    """aima A43: h (1 − h) is 0 far out; from uncentred columns one long step ends on the plateau,
    log loss comes back.
    """
    data = engine.generate("seismic", n=63)
    stranded = engine.run("logistic_regression", data, rate=1.0, steps=2000, pace=ROUND)
    assert stranded[-1].state.errors > 25
    convex = engine.run("logistic_regression", data, loss="log", rate=0.003, steps=8000, pace=ROUND)
    assert convex[-1].state.errors < 8


@pytest.mark.slow
def test_smoother_and_better_than_the_perceptron_where_no_line_separates() -> None:
    """aima F29, C18 (c): with a falling rate the training curve is quieter, and lower, than the
    perceptron's.
    """
    data = engine.prepare(
        engine.generate("seismic", n=72), transforms=(engine.Transform("standardise"),)
    )
    kind = {"schedule": "1000/(1000+t)", "pace": Pace(Level.STEP)}
    soft = engine.run("logistic_regression", data, mode="stochastic", rate=0.5, steps=5000, **kind)
    hard = engine.run(
        "perceptron",
        data,
        rule="aima",
        threshold="learned",
        rate=0.5,
        rounds=70,
        stop="rounds",
        **kind,
    )
    late = slice(-2000, None)
    assert np.std(soft.metrics["errors"][late]) < np.std(hard.metrics["errors"][late])
    assert np.mean(soft.metrics["errors"][late]) < np.mean(hard.metrics["errors"][late])


def test_accuracy_is_the_training_curve() -> None:
    """aima A42: the share right on the whole training set after each update of one example."""
    X, y = overlap(4, n=30)
    trace = engine.run("logistic_regression", (X, y), mode="stochastic", rate=0.3, steps=40)
    for i, step in enumerate(trace):
        assert trace.metrics["accuracy"][i] == pytest.approx(np.mean(trace.predict(X, at=i) == y))
        assert step.state.errors == int((trace.predict(X, at=i) != y).sum())


def test_soft_thresholds() -> None:
    """aima C17, A44: g(0) = ½; scaled by 1.702 probit and logistic nearly agree.

    The picture has step and both curves.
    """
    z = np.linspace(-8, 8, 401)
    assert probit(np.zeros(1))[0] == 0.5
    assert np.abs(probit(z) - 1 / (1 + np.exp(-z))).max() < 0.0096
    trace = engine.run("logistic_regression", (X4, Y4), steps=3)
    plot = trace.algorithm.scene(trace.given, trace[-1]).figures[0]
    assert isinstance(plot, Plot)
    assert {"step", "probit", "P"} <= {layer.tag for layer in plot.layers}


def test_converges_where_the_pulls_cancel() -> None:
    X = np.array([[1, 1], [-1, -1], [1, -1], [-1, 1]], float)
    y = [1, 1, 0, 0]
    trace = engine.run("logistic_regression", (X, y))
    assert trace.when("converged")
    assert trace[-1].state.w.tolist() == [0, 0, 0]


def test_quick_and_fine_paces_agree() -> None:
    X, y = overlap(5)
    for mode in ("batch", "stochastic"):
        fine, quick = (
            engine.run(
                "logistic_regression", (X, y), mode=mode, steps=200, rate=0.05, seed=3, pace=pace
            )
            for pace in (Pace(), ROUND)
        )
        assert np.array_equal(fine[-1].state.w, quick[-1].state.w)


def test_explains_the_probability() -> None:
    trace = engine.run("logistic_regression", (X4, Y4), steps=50, rate=0.5)
    x = np.array([1.0, 3.0])
    why = trace.algorithm.explain(trace.given, trace[-1].state, x)
    assert why.note["h"] == pytest.approx(1 / (1 + np.exp(-np.append(x, 1) @ trace[-1].state.w)))
    assert why.label == trace.codes(x[None])[0]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["squared", "log"]))
def test_pulls_are_the_slope_of_the_loss(seed: int, loss: str) -> None:
    """aima D54: g' = g (1 − g); the factor 2 of the squared loss is part of η."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(9, 3))
    y = rng.integers(0, 2, 9).astype(float)
    w = rng.normal(size=3)
    h = 1 / (1 + np.exp(-X @ w))
    numeric = [
        (total_loss(loss, y, X @ (w + e)) - total_loss(loss, y, X @ (w - e))) / 2e-6
        for e in 1e-6 * np.eye(3)
    ]
    factor = 2 if loss == "squared" else 1
    learner = engine.run("logistic_regression", (X4, Y4), loss=loss, steps=1).given
    assert -factor * learner.pulls(y, h) @ X == pytest.approx(numeric, abs=1e-6)


def test_the_end_says_when_steps_were_still_too_long() -> None:
    X, y = overlap(1)
    said = []
    for n in range(40, 60):
        trace = engine.run("logistic_regression", (X, y), loss="log", rate=1.0, steps=n)
        losses = [step.state.loss for step in trace if step.line == "update"]
        said.append("overshot" in trace[-1].note.text())
        assert said[-1] == (losses[-1] > losses[-2])
    assert any(said)
    calm = engine.run("logistic_regression", (X, y), loss="log", rate=0.01, steps=60)
    assert "overshot" not in calm[-1].note.text()


@pytest.mark.parametrize("loss", ["squared", "log"])
def test_it_starts_where_it_is_set(loss: str) -> None:
    """One batch step by Eq 18.8 from there, by hand; and the words no longer say that every
    probability is ½.
    """
    start = (0.5, -1.0, 0.25)
    trace = engine.run("logistic_regression", (X4, Y4), loss=loss, start=start, rate=0.1, steps=1)
    A = np.column_stack([X4, np.ones(4)])
    h = 1 / (1 + np.exp(-A @ start))
    assert trace[0].state.w.tolist() == list(start)
    assert trace[0].metrics["errors"] == ((h >= 0.5) != Y4).sum()
    assert "½" not in trace[0].note.text()
    assert trace[-1].state.w == pytest.approx(
        start + 0.1 * (Y4 - h) * (h * (1 - h) if loss == "squared" else 1) @ A
    )
    assert dict(trace.algorithm.code_lines(trace.params))["start"] == "w ← start weights"
    ahead = engine.run("logistic_regression", (X4, Y4), loss=loss, rate=0.1, steps=7)
    again = engine.run(
        "logistic_regression",
        (X4, Y4),
        loss=loss,
        rate=0.1,
        steps=4,
        start=updates(ahead)[2].state.w,
    )
    assert updates(again)[-1].state.w.tolist() == updates(ahead)[-1].state.w.tolist()


def test_a_start_that_does_not_fit_is_refused() -> None:
    with pytest.raises(engine.EngineError, match=r"needs 3 numbers \(columns: 2\); it has 2"):
        engine.run("logistic_regression", (X4, Y4), start=(1.0, 2.0))
    far = engine.run("logistic_regression", (X4 * 1e140, Y4), start=(1e150, -1e150, 1e150), steps=3)
    assert np.isfinite(far.metrics["loss"]).all()
    assert "½" in engine.run("logistic_regression", (X4, Y4), steps=1)[0].note.text()


@pytest.mark.parametrize("loss", ["squared", "log"])
def test_steps_too_short_to_be_seen_prove_no_bottom(loss: str) -> None:
    """All four points pull w of −10⁹ one way: a step of η is less than a billionth of it."""
    X = np.array([[1e-9], [2e-9], [-1e-9], [-2e-9]])
    y = [1, 1, -1, -1]
    trace = engine.run(
        "logistic_regression", (X, y), loss=loss, rate=1e-6, start=(-1e9, 0.0), steps=50
    )
    assert trace.events[-1] == ("tiny steps",)
    assert "bottom that these steps lead to" not in trace[-1].note.text()


def test_where_nothing_pulls_any_more_it_is_no_bottom() -> None:
    """10⁶ away every h is 0 or 1 after a step, and h (1 − h) is 0: w stands still, with half the
    points wrong.
    """
    X = np.array([[1.0, 2.0], [2.0, 3.0], [-1.0, -1.0], [-2.0, -0.5]]) + 1e6
    trace = engine.run("logistic_regression", (X, [1, 1, -1, -1]), rate=0.01)
    assert trace.events[-1] == ("flat",)
    assert trace[-1].state.errors == 2
    assert "no bottom" in trace[-1].note.text()


@pytest.mark.parametrize("loss", ["squared", "log"])
def test_every_pace_ends_at_the_same_w_when_it_leaves_all_numbers_within_a_round(loss: str) -> None:
    """A quick round went back to its beginning, a watched one to the last w that was a number: the
    one before the step for 10²⁰⁰, which is a different one with each order.
    """
    X = np.array([[1e200, 0.0], [0.0, 1.0], [0.0, 2.0], [0.0, -1.0], [0.0, 3.0]])
    problem = replace(engine.prepare(engine.Dataset.from_arrays(np.sign(X), [1, 0, 1, 0, 1])), X=X)
    counts = set()
    for seed in range(6):
        ends = []
        for pace in (Pace(), Pace(Level.STEP), ROUND):
            options = {"mode": "stochastic", "loss": loss, "rate": 0.5, "seed": seed, "pace": pace}
            trace = engine.run("logistic_regression", problem, steps=40, **options)
            assert trace.events[-1] == ("diverged",)
            ends.append((trace[-1].state.w.tolist(), trace[-1].state.updates))
        assert ends[0] == ends[1] == ends[2]
        assert ends[0][0][0] == 0.0
        counts.add(ends[0][1])
    assert counts <= set(range(5))
    assert len(counts) > 1
