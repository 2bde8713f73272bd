"""Softmax regression against scikit-learn, logistic regression, finite differences and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

import engine
from engine.base.grid import Grid
from engine.base.records import replace
from engine.judge.surface import evaluate_field
from engine.protocol.step import Level, Pace
from engine.scene.scene import Bars, Field, Matrix, Network, Pictures, Polyline, Segments

KEY = "softmax_regression"
ROUND = Pace(Level.ROUND)
X4 = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0], [3.0, 1.0]])
ABC = ["A", "B", "C", "C"]


def updates(trace):
    return [step for step in trace if step.line == "update"]


def overlap(seed=0, n=90, d=2, k=3):
    """Clouds around k places, near enough to overlap."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    middles = 1.2 * rng.normal(size=(k, d))
    return middles[y] + rng.normal(size=(n, d)), y


def shares(X, W):
    """Probabilities (n, k) by the definition."""
    terms = np.exp(np.column_stack([X, np.ones(len(X))]) @ W.T)
    return terms / terms.sum(axis=1, keepdims=True)


def centred(W):
    """W less the mean of its rows, which changes no probability."""
    return W - W.mean(axis=0)


def test_the_first_batch_step_by_hand() -> None:
    """From W = 0 every P is 1/3: a row pulls its class by ⅔ x and each other one by −⅓ x. Class A
    with (0, 1): ⅔(0, 1, 1) − ⅓[(1, 0, 1) + (2, 2, 1) + (3, 1, 1)] = (−2, −⅓, −⅓).
    """
    trace = engine.run(KEY, (X4, ABC), rate=0.3, steps=1)
    first = updates(trace)[0]
    assert first.state.W[0] == pytest.approx(0.3 * np.array([-2, -1 / 3, -1 / 3]))
    assert first.state.W.sum(axis=0) == pytest.approx([0, 0, 0])
    assert trace.metrics["loss"][0] == pytest.approx(4 * np.log(3))
    assert "1/3" in trace[0].note.text()


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 5), st.sampled_from(["none", "ridge"]))
def test_the_pull_is_the_slope_of_the_loss(seed: int, k: int, penalty: str) -> None:
    """By finite differences of Σ −ln P(true class) + α Σ w²."""
    X, y = overlap(seed, 4 * k, 3, k)
    rng = np.random.default_rng(seed)
    W = rng.normal(size=(k, 4))
    learner = engine.run(KEY, (X, y), steps=1, penalty=penalty, strength=0.7).given
    y = learner.problem.codes  # of 0 and 1 the positive class is the first

    def loss(W):
        P = shares(X, W)
        cost = 0.7 * np.square(W[:, :-1]).sum() if penalty == "ridge" else 0.0
        return -np.log(P[np.arange(len(y)), y]).sum() + cost

    pull = learner.left_over(W, learner.pull(W, learner.rows))
    for place in np.ndindex(W.shape):
        e = np.zeros(W.shape)
        e[place] = 1e-6
        assert -pull[place] == pytest.approx((loss(W + e) - loss(W - e)) / 2e-6, abs=1e-5)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_bottom_is_that_of_scikit_learn(seed: int) -> None:
    X, y = overlap(seed)
    trace = engine.run(KEY, (X, y), steps=30_000, pace=ROUND)
    oracle = LogisticRegression(C=1e9, tol=1e-12, max_iter=20_000).fit(X, y)
    assert trace.when("converged")
    W = centred(trace[-1].state.W)
    assert W[:, :2] == pytest.approx(centred(oracle.coef_), rel=1e-3, abs=1e-4)
    assert W[:, 2] == pytest.approx(centred(oracle.intercept_), rel=1e-3, abs=1e-4)
    assert (trace.predict(X) == oracle.predict(X)).all()


@pytest.mark.parametrize("penalty", ["ridge", "lasso"])
def test_with_a_penalty_too(penalty: str) -> None:
    """scikit-learn weighs the loss by C against ½ Σ w² or Σ |w|."""
    X, y = overlap(4, d=3)
    alpha = 2.0
    trace = engine.run(KEY, (X, y), penalty=penalty, strength=alpha, steps=30_000, pace=ROUND)
    kinds = {
        "ridge": {"C": 1 / (2 * alpha)},
        "lasso": {"C": 1 / alpha, "l1_ratio": 1, "solver": "saga"},
    }
    oracle = LogisticRegression(tol=1e-10, max_iter=50_000, **kinds[penalty]).fit(X, y)
    W = trace[-1].state.W
    assert trace.when("converged")
    assert W[:, :-1] == pytest.approx(oracle.coef_, rel=1e-3, abs=1e-4)
    assert centred(W)[:, -1] == pytest.approx(centred(oracle.intercept_), rel=1e-3, abs=1e-3)
    assert ((W[:, :-1] == 0) == (oracle.coef_ == 0)).all()
    assert (W[:, :-1] == 0).any() == (penalty == "lasso")


@pytest.mark.parametrize("mode", ["batch", "stochastic"])
@pytest.mark.parametrize("seed", [0, 3])
def test_with_two_classes_it_is_logistic_regression_with_the_log_loss(mode: str, seed: int) -> None:
    """w₁ − w₂ moves by twice the pull: the same w at twice the rate, step by step."""
    X, y = overlap(seed, 40, k=2)
    common = {"mode": mode, "steps": 60, "seed": 2}
    soft = engine.run(KEY, (X, y), rate=0.02, **common)
    plain = engine.run("logistic_regression", (X, y), rate=0.04, loss="log", **common)
    assert soft.problem.classes == plain.problem.classes
    for one, other in zip(updates(soft), updates(plain), strict=True):
        W = one.state.W
        assert W[0] - W[1] == pytest.approx(other.state.w)
        assert one.state.loss == pytest.approx(other.state.loss)
        assert one.state.errors == other.state.errors
    assert soft.scores(X) == pytest.approx(plain.scores(X))


def test_two_classes_take_the_rate_of_logistic_regression_by_themselves() -> None:
    X, y = overlap(1, 40, k=2)
    plain = engine.run("logistic_regression", (X, y), loss="log", steps=1).given
    soft = engine.run(KEY, (X, y), steps=1).given
    assert plain.base_rate == pytest.approx(2 * soft.base_rate, rel=0.2)  # to one digit


@pytest.mark.parametrize("size", [2, 7, 1000])
def test_mini_batches_take_each_row_once_a_round(size: int) -> None:
    X, y = overlap(2, 30)
    trace = engine.run(KEY, (X, y), mode="mini-batch", size=size, rate=0.05, steps=40, seed=3)
    assert len(updates(trace)) == 40
    A = np.column_stack([X, np.ones(30)])
    Y = np.eye(3)[y]
    for step in updates(trace):
        s = step.state
        rows = s.batch
        pull = (Y[rows] - shares(X[rows], s.before)).T @ A[rows]
        assert pytest.approx(s.before + 0.05 * pull) == s.W
    first = [step.state.batch for step in updates(trace) if step.state.round == 1]
    assert sorted(np.concatenate(first).tolist()) == list(range(30))
    assert {len(rows) for rows in first[:-1]} <= {size}


@pytest.mark.parametrize("mode", ["batch", "stochastic", "mini-batch"])
@pytest.mark.parametrize("penalty", ["none", "ridge", "lasso"])
def test_quick_and_fine_paces_agree(mode: str, penalty: str) -> None:
    X, y = overlap(5)
    fine, quick = (
        engine.run(KEY, (X, y), mode=mode, size=8, penalty=penalty, steps=200, seed=3, pace=pace)
        for pace in (Pace(), ROUND)
    )
    assert np.array_equal(fine[-1].state.W, quick[-1].state.W)
    assert fine[-1].state.loss == quick[-1].state.loss


def test_the_penalty_of_a_round_of_parts_is_that_of_all() -> None:
    """From far out, with rows that pull at nothing, a round of small steps takes 2 α η w in all."""
    X = np.zeros((10, 1))
    y = np.arange(10) % 2
    trace = engine.run(
        KEY, (X, y), mode="mini-batch", size=2, penalty="ridge", strength=1.0, rate=1e-4, steps=5
    )
    learner = trace.given
    W = np.array([[5.0, 0.0], [-5.0, 0.0]])
    moved = W
    for rows in learner.parts(learner.rows):
        moved = learner.stepped(moved, 1e-4, 0 * moved, learner.share(len(rows)))
    assert moved[:, 0] == pytest.approx(W[:, 0] * (1 - 2e-4), rel=1e-7)
    assert moved[:, 1].tolist() == [0, 0]


def test_the_explanation_has_scores_and_probabilities() -> None:
    X, y = overlap(1)
    trace = engine.run(KEY, (X, y), steps=80)
    x = np.array([0.4, -0.3])
    why = trace.algorithm.explain(trace.given, trace[-1].state, x)
    P = shares(x[None], trace[-1].state.W)[0]
    assert why.label == P.argmax() == trace.codes(x[None])[0]
    assert why.note["p"] == pytest.approx(P.max())
    assert isinstance(why.bars, Bars)
    assert why.bars.values == pytest.approx(P)
    z = np.append(x, 1.0) @ trace[-1].state.W.T
    assert [why.note[f"z{c}"] for c in range(3)] == pytest.approx(z)
    many = engine.run(KEY, overlap(2, 60, 3, 6), steps=20)
    why = many.algorithm.explain(many.given, many[-1].state, np.zeros(3))
    assert 1 / (1 + why.note["rest"]) == pytest.approx(why.note["p"])


def test_equal_probabilities_go_to_the_first_and_it_says_so() -> None:
    trace = engine.run(KEY, (X4, ABC), steps=1)
    assert trace.predict(X4, at=0).tolist() == ["A"] * 4
    why = trace.algorithm.explain(trace.given, trace[0].state, X4[2])
    assert why.label == 0
    assert "3 classes share" in why.note.text()


def test_the_picture_has_the_borders_where_two_best_scores_are_equal() -> None:
    X, y = overlap(3)
    trace = engine.run(KEY, (X, y), steps=300, pace=ROUND)
    W = trace[-1].state.W
    layers = trace.algorithm.scene(trace.given, trace[-1]).layers
    ends = next(layer.ends for layer in layers if isinstance(layer, Segments))
    inside = [part * one + (1 - part) * other for one, other in ends for part in (0.25, 0.5, 0.75)]
    z = np.sort(np.column_stack([inside, np.ones(len(inside))]) @ W.T, axis=1)
    assert len(ends) == 3
    assert z[:, -1] == pytest.approx(z[:, -2], abs=1e-6 * np.abs(z).max())


def test_the_level_lines_are_those_of_the_winner() -> None:
    X, y = overlap(3)
    trace = engine.run(KEY, (X, y), steps=300, pace=ROUND)
    layers = trace.algorithm.scene(trace.given, trace[-1]).layers
    lines = {layer.label: layer.xy for layer in layers if isinstance(layer, Polyline)}
    assert set(lines) == {"P 0.6", "P 0.75", "P 0.9"}
    for label, xy in lines.items():
        places = xy[np.isfinite(xy).all(axis=1)]
        most = shares(places, trace[-1].state.W).max(axis=1)
        assert most == pytest.approx(float(label[2:]), abs=0.03)


def test_two_classes_are_shaded_by_their_probability() -> None:
    trace = engine.run(KEY, overlap(1, 40, k=2), steps=50)
    scene = trace.algorithm.scene(trace.given, trace[-1])
    field = next(layer for layer in scene.layers if isinstance(layer, Field))
    assert field.name == "logit"
    grid = Grid.over((-2, 2), (-2, 2), 9)
    logit = evaluate_field(trace.algorithm, trace.given, trace[-1].state, "logit", grid)
    P = shares(grid.points(), trace[-1].state.W)[:, 0]
    assert 1 / (1 + np.exp(-logit.ravel())) == pytest.approx(P)


def test_weights_are_a_network_pictures_or_a_table() -> None:
    def first(data, **params):
        trace = engine.run(KEY, data, steps=2, **params)
        return trace.algorithm.scene(trace.given, trace[-1]).figures[0]

    assert isinstance(first(engine.real("iris")), Network)
    digits = first(engine.real("digits").take(range(60)))
    assert isinstance(digits, Pictures)
    assert digits.values.shape == (10, 8, 8)
    assert 0 <= digits.values.min() <= digits.values.max() <= 1
    assert isinstance(first(overlap(0, 60, 20, 4)), Matrix)


def test_a_weight_set_by_hand() -> None:
    trace = engine.run(KEY, (X4, ABC), steps=5)
    s = trace.algorithm.tweak(trace.given, trace[-1].state, (0, 1, 2), 7.5)
    assert s.W[2, 1] == 7.5
    assert s.errors == (trace.algorithm.predict(trace.given, s, X4) != [0, 1, 2, 2]).sum()
    assert trace[-1].state.W[2, 1] != 7.5


@pytest.mark.parametrize("mode", ["batch", "stochastic", "mini-batch"])
def test_large_columns_give_no_nan(mode: str) -> None:
    X = np.array([[1e6, -3e5], [-1e6, 2e5], [5e5, 5e5], [-1e4, 1.0]])
    trace = engine.run(KEY, (X, ABC), mode=mode, size=2, rate=10.0, steps=40)
    for column in trace.metrics.values():
        assert np.isfinite(column).all()
    assert np.isfinite(trace[-1].state.W).all()
    assert all("nan" not in line for step in trace for line in step.note.lines())


@pytest.mark.parametrize("mode", ["batch", "stochastic", "mini-batch"])
def test_beyond_all_numbers_is_an_event_at_every_pace(mode: str) -> None:
    X = np.array([[1e200, 0.0], [0.0, 1.0], [0.0, 2.0], [0.0, -1.0], [0.0, 3.0]])
    data = engine.Dataset.from_arrays(np.sign(X), ["A", "B", "A", "C", "B"])
    problem = replace(engine.prepare(data), X=X)
    ends = []
    for pace in (Pace(), Pace(Level.STEP), ROUND):
        trace = engine.run(KEY, problem, mode=mode, size=2, rate=0.5, steps=40, pace=pace, seed=1)
        assert trace.events[-1] == ("diverged",)
        assert "smaller η" in trace[-1].note.text()
        ends.append((trace[-1].state.W.tolist(), trace[-1].state.updates, trace[-1].state.loss))
    assert ends[0] == ends[1] == ends[2]
    assert np.isfinite(ends[0][0]).all()


def test_too_long_a_step_is_marked() -> None:
    X, y = overlap(1)
    trace = engine.run(KEY, (X, y), rate=1.0, steps=60)
    for i in trace.when("overshoot"):
        assert trace.metrics["loss"][i] > trace.metrics["loss"][i - 1]
    assert trace.when("overshoot")
    assert not engine.run(KEY, (X, y), steps=200).when("overshoot")


def test_three_kinds_of_iris() -> None:
    """The three classes that logistic regression refuses; scikit-learn has one or two of 150 wrong
    without a penalty.
    """
    data = engine.prepare(engine.real("iris"), transforms=(engine.Transform("standardise"),))
    trace = engine.run(KEY, data, steps=3000, pace=ROUND)
    assert trace[-1].state.errors <= 3
    refused = engine.algorithms()["logistic_regression"].needs.reason(data)
    assert refused is not None
    assert engine.algorithms()[KEY].needs.reason(data) is None


@pytest.mark.slow
def test_digits_by_softmax() -> None:
    """Of 450 held-out digits about as many are right as scikit-learn gets right."""
    problem = engine.prepare(engine.real("digits"), split=engine.Split(0.25, 1))
    trace = engine.run(KEY, problem, mode="mini-batch", steps=1000, pace=ROUND)
    oracle = LogisticRegression(max_iter=5000, C=0.01).fit(problem.X, problem.codes)
    held_out = problem.held_out
    right = np.mean(trace.codes(held_out.X) == held_out.codes)
    assert right > np.mean(oracle.predict(held_out.X) == held_out.codes) - 0.04


def test_amber_links_are_those_of_the_class_that_the_words_name() -> None:
    trace = engine.run("softmax_regression", overlap(), steps=8)
    for step in updates(trace):
        figure = trace.algorithm.scene(trace.given, step).figures[0]
        assert isinstance(figure, Network)
        (named,) = {to for _, _, to in figure.active}
        assert figure.outputs[named] == step.note["name"]
        assert {start for _, start, _ in figure.active} == set(range(step.state.W.shape[1]))
