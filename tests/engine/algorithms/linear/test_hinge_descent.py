"""Soft margin by gradient descent against MMDS 12.3 (Figs 12.18-12.20, Ex 12.8, 12.9),
scikit-learn, and its own laws.
"""

from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC, LinearSVC

import engine
from engine.algorithms.linear.hinge_descent import Params, Setting
from engine.base.grid import Grid
from engine.base.records import replace
from engine.protocol.registry import algorithm
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.scene.scene import Arrows, Line, Role, Table

ROUND = Pace(Level.ROUND)
BOOK = {"C": 0.1, "rate": 0.2, "start": (0.0, 1.0, -2.0)}
X6 = np.array([[1, 4], [2, 2], [3, 4], [1, 1], [2, 1], [3, 1]], float)
Y6 = np.array([1, 1, 1, -1, -1, -1])
TABLE = [  # mmds D33: w, b, conditions, the three derivatives
    ([0, 1], -2, "oxoooo", [-0.200, 0.800, -2.100]),
    ([0.040, 0.840], -1.580, "oxoxxx", [0.440, 0.940, -1.380]),
    ([-0.048, 0.652], -1.304, "oxoxxx", [0.352, 0.752, -1.104]),
    ([-0.118, 0.502], -1.083, "xxxxxx", [-0.118, -0.198, -1.083]),
    ([-0.094, 0.542], -0.866, "oxoxxx", [0.306, 0.642, -0.666]),
    ([-0.155, 0.414], -0.733, "xxxxxx", None),
]  # fmt: skip


def book(**params):
    return engine.run("hinge_descent", (X6, Y6), **{**BOOK, "steps": 5, **params})


def soft_margin(problem, C, penalise_b):
    return Setting(problem, Params(C=C, penalise_b=penalise_b))


def string(bad):
    return "".join("x" if b else "o" for b in bad)


def line(**params):
    """The weights at the end of a long run with a falling rate."""
    falling = {"schedule": "1/(1+ct)", "decay": 0.03, "steps": 5_000, "pace": ROUND}
    return engine.run("hinge_descent", (X6, Y6), **{**BOOK, **falling, **params})[-1].state


def test_table_of_figure_12_20() -> None:
    """mmds D33, to ±0.001: the text rounded every line before the next."""
    trace = book()
    states = [step.state for step in trace if step.line in ("start", "update")]
    slopes = [step.state.slope for step in trace if step.line == "slope"]
    for (w, b, conditions, slope), state in zip(TABLE, states, strict=True):
        assert state.w == pytest.approx(w, abs=1.0001e-3)
        assert state.b == pytest.approx(b, abs=1.0001e-3)
        assert string(state.bad) == conditions
        if slope is not None:
            assert slopes.pop(0) == pytest.approx(slope, abs=1.0001e-3)


def test_the_picture_shows_that_table() -> None:
    trace = book()
    shown = trace.algorithm.scene(trace.given, trace[-1]).figures
    steps = next(f for f in shown if isinstance(f, Table) and f.title == "Steps")
    texts = [[c.feature.text(v, 3) for v in c.values] for c in steps.columns]
    assert texts[3] == [row[2] for row in TABLE]
    assert [float(t.replace("−", "-")) for t in texts[2]] == pytest.approx(
        [row[1] for row in TABLE], abs=1.0001e-3
    )


def test_erratum_the_sign_in_example_12_9() -> None:
    """mmds D34: 0 − (1/5)(−0.2) is +0.04."""
    first = next(step for step in book() if step.line == "update")
    assert first.state.w[0] == pytest.approx(0.04)
    assert first.note["after"][0] == pytest.approx(0.04)


def test_points_exactly_on_their_margin_are_not_bad() -> None:
    """mmds A32: (1,1), (2,1), (3,1) have z = 1 at the start; also when z = 1 only up to
    rounding.
    """
    assert string(book()[0].state.bad) == "oxoooo"
    turned = np.array([[np.cos(1), -np.sin(1)], [np.sin(1), np.cos(1)]])
    w = (*(turned @ [0, 1]), -2.0)
    trace = engine.run("hinge_descent", (X6 @ turned.T, Y6), C=0.1, start=w, steps=1)
    assert string(trace[0].state.bad) == "oxoooo"


def test_contributions_of_figure_12_19() -> None:
    """mmds C12.19: what an example adds to the slope when it is bad, at u, v, b."""
    printed = [[-1, -4, -1], [-2, -2, -1], [-3, -4, -1], [1, 1, 1], [2, 1, 1], [3, 1, 1]]
    trace = engine.run("hinge_descent", (X6, Y6), C=0.1, steps=1)  # at w = 0 all are bad
    table = trace.algorithm.scene(trace.given, trace[0]).figures[0]
    shown = np.column_stack([c.values for c in table.columns if c.feature.name.startswith("−y·")])
    assert shown.tolist() == printed


@pytest.mark.slow
def test_the_slant_comes_from_penalising_b() -> None:
    """mmds D36, A32 erratum: with b free the best line is level, with b penalised it is not; both
    as scikit-learn has it.
    """
    free, penalised = line(penalise_b=False), line(penalise_b=True)
    assert free.w == pytest.approx([0, 2 / 3], abs=2e-3)
    assert free.b == pytest.approx(-5 / 3, abs=2e-3)
    oracle = SVC(kernel="linear", C=0.1).fit(X6, Y6)
    assert free.w == pytest.approx(oracle.coef_[0], abs=2e-3)
    assert penalised.w == pytest.approx([-0.1, 0.3], abs=1e-6)
    assert penalised.b == pytest.approx(-0.1, abs=1e-6)


@pytest.mark.slow
def test_reaches_the_least_loss_of_linear_svc() -> None:
    """LinearSVC with hinge loss penalises its intercept as Eq 12.6 does."""
    problem = engine.prepare(engine.generate("moons", n=120, noise=0.3, seed=3))
    oracle = LinearSVC(loss="hinge", C=0.5, max_iter=200_000, tol=1e-6).fit(problem.X, problem.sign)
    f = soft_margin(problem, 0.5, True)
    w = np.append(oracle.coef_[0], oracle.intercept_)
    least = 0.5 * w @ w + 0.5 * np.maximum(0, 1 - f.z(w)).sum()
    for mode, rate in (("batch", 0.02), ("stochastic", 0.005), ("sum-of-parts", 0.02)):
        trace = engine.run(
            "hinge_descent",
            problem,
            C=0.5,
            rate=rate,
            mode=mode,
            steps=4_000,
            schedule="1/(1+ct)",
            decay=0.02 if mode != "stochastic" else 0.5,
            pace=ROUND,
        )
        assert trace[-1].state.f <= least * 1.01
        assert trace[-1].state.f >= least * (1 - 1e-6)


@pytest.mark.slow
def test_hard_margin_of_the_six_points_and_of_example_12_8() -> None:
    """mmds D37: height 1.5, half width ½, so w = (0, 2), b = −3. mmds D31: w = (−1, 1), b = 0, all
    four touch.
    """
    slow = {"C": 50.0, "rate": 1e-3, "penalise_b": False, "schedule": "1/(1+ct)", "decay": 5e-3}
    six = engine.run("hinge_descent", (X6, Y6), steps=8_000, pace=ROUND, **slow)[-1].state
    assert six.w == pytest.approx([0, 2], abs=0.05)
    assert six.b == pytest.approx(-3, abs=0.1)
    four = engine.run(
        "hinge_descent",
        engine.textbook("four_points_alternating"),
        start=(-1, 1, 0),
        C=0.5,
        steps=1,
    )
    assert not four[0].state.bad.any()
    assert four[0].state.f == 1.0  # ½ |w|², no penalty


@pytest.mark.slow
def test_large_c_gives_a_narrow_street() -> None:
    """mmds F22."""
    widths = [1 / np.linalg.norm(line(C=C, penalise_b=False, rate=0.02 / C).w) for C in (0.05, 1.0)]
    assert widths[0] > 1.2 * widths[1]


def test_sum_of_parts_is_the_batch_step() -> None:
    """mmds A36."""
    batch, parts = book(steps=40), book(steps=40, mode="sum-of-parts", parts=4)
    assert np.allclose(batch[-1].state.weights, parts[-1].state.weights, atol=1e-12)


@pytest.mark.slow
def test_averaging_parts_equals_batch_with_one_own_step_only() -> None:
    """mmds A35, erratum: with several own steps it settles somewhere else."""
    falling = {"schedule": "1/(1+ct)", "decay": 0.02, "steps": 800, "pace": ROUND, "parts": 2}
    one = book(mode="average-of-changes", local=1, **falling)[-1].state
    many = book(mode="average-of-changes", local=20, **falling)[-1].state
    batch = book(**falling)[-1].state
    assert np.allclose(one.weights, batch.weights, atol=1e-9)
    assert many.f > batch.f * 1.01


def test_one_example_stands_for_all_n() -> None:
    """mmds A33, trap: the part of one example counts n·C; the mean of these slopes is the batch
    slope.
    """
    problem = engine.prepare(engine.Dataset.from_arrays(X6, Y6))
    f = soft_margin(problem, 0.1, True)
    w = np.array([0.04, 0.84, -1.58])
    guesses = [f.guess(w, np.array([i]), 6) for i in range(6)]
    assert np.allclose(np.mean(guesses, axis=0), [0.440, 0.940, -1.380])  # mmds D33 (2)


def test_too_large_a_rate_ends_with_an_explanation() -> None:
    trace = engine.run("hinge_descent", (X6, Y6), rate=10.0, steps=5000)
    assert trace.finished
    assert "diverged" in trace.events[-1]
    assert trace.when("overshoot")
    assert all(np.isfinite(column).all() for column in trace.metrics.values())
    for mode in ("stochastic", "average-of-changes", "sum-of-parts"):
        for pace in (Pace(), ROUND):
            other = engine.run(
                "hinge_descent", (X6, Y6), rate=10.0, steps=5000, mode=mode, pace=pace
            )
            assert other.finished
            assert "diverged" in other.events[-1]
            assert np.isfinite(other[-1].state.weights).all()


def test_penalty_arrows_start_on_the_margin_of_the_own_class() -> None:
    """mmds C12.16: their length is the penalty over |w|."""
    trace = book()
    step = next(s for s in trace if s.line == "bad")
    scene = trace.algorithm.scene(trace.given, step)
    arrows = next(layer for layer in scene.layers if isinstance(layer, Arrows))
    w, b, bad = step.state.w, step.state.b, step.state.bad
    assert np.allclose(arrows.start @ w + b, Y6[bad])
    assert np.allclose(arrows.end, X6[bad])
    lengths = np.linalg.norm(arrows.end - arrows.start, axis=1)
    assert np.allclose(lengths, (1 - Y6[bad] * (X6[bad] @ w + b)) / np.linalg.norm(w))
    margins = [
        layer for layer in scene.layers if isinstance(layer, Line) and layer.role is Role.MARGIN
    ]
    assert sorted(layer.b for layer in margins) == pytest.approx([b - 1, b + 1])


def test_the_slope_shows_the_way_each_bad_point_pulls_the_line() -> None:
    """−y x of a bad point moves the line against the side that it should be on, by hand: a positive
    one that is short pulls the line down along w, a negative one up.
    """
    trace = book()
    step = next(s for s in trace if s.line == "slope")
    layers = trace.algorithm.scene(trace.given, step).layers
    (pulls,) = [one for one in layers if isinstance(one, Arrows)]
    w, b, bad = step.state.w, step.state.b, step.state.bad
    assert pulls.role is Role.ACTIVE
    assert np.allclose(pulls.start @ w + b, 0)  # on the line
    assert (np.sign((pulls.end - pulls.start) @ w) == -Y6[bad]).all()


def test_wrong_start_is_refused() -> None:
    with pytest.raises(engine.EngineError, match="needs 3 numbers"):
        engine.run("hinge_descent", (X6, Y6), start=(1, 2))


def test_goes_on_from_a_state() -> None:
    whole = book(steps=30)
    run = engine.Run(whole.algorithm, whole.problem, whole.params, start=whole[10].state)
    run.advance()
    assert np.allclose(run.trace[-1].state.weights, whole[-1].state.weights)
    assert len(run.trace[-1].state.lines) == 30
    assert len(whole[10].state.lines) < 30


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.booleans(), st.floats(0.01, 20))
def test_slope_is_the_derivative_of_the_loss(seed: int, penalise_b: bool, C: float) -> None:
    rng = np.random.default_rng(seed)
    problem = engine.prepare(
        engine.Dataset.from_arrays(rng.normal(size=(12, 3)), np.arange(12) % 2)
    )
    f = soft_margin(problem, C, penalise_b)
    w = rng.normal(size=4)

    def loss(v: np.ndarray) -> float:
        kept = v if penalise_b else v[:-1]
        return (
            0.5 * kept @ kept
            + C * np.maximum(0, 1 - problem.sign * (problem.X @ v[:-1] + v[-1])).sum()
        )

    bad = f.bad(w, f.z(w))
    if np.abs(f.z(w) - 1).min() > 1e-4:
        numeric = [(loss(w + h) - loss(w - h)) / 2e-6 for h in 1e-6 * np.eye(4)]
        assert f.guess(w, np.arange(12), 1) == pytest.approx(numeric, abs=1e-5 * (1 + C))
    assert f.value(w, f.z(w), bad) == pytest.approx(loss(w))


def test_the_end_says_when_steps_were_still_too_long() -> None:
    """A rate of 1.5 with C = 1 jumps back and forth on the six points; that of the book does not at
    its sixth step.
    """
    said = []
    for n in range(2, 10):
        trace = engine.run("hinge_descent", (X6, Y6), rate=1.5, steps=n)
        losses = [step.state.f for step in trace if step.line == "update"]
        said.append("overshot" in trace[-1].note.text())
        assert said[-1] == (losses[-1] > losses[-2])
    assert any(said)
    assert "overshot" not in book(steps=6)[-1].note.text()


def test_steps_too_short_to_be_seen_prove_no_balance() -> None:
    """η falls to 10⁻⁹ within a hundred rounds while three bad points still pull: w stands still for
    that alone.
    """
    falling = {
        "C": 1.0,
        "rate": 1e-6,
        "schedule": "1/(1+ct)",
        "decay": 10.0,
        "start": (0.0, 0.0, -1000.0),
    }
    trace = engine.run("hinge_descent", (X6, Y6), steps=500, **falling)
    slope = trace[-1].state.slope
    assert np.abs(slope).max() > 1 and trace[-1].state.bad.sum() == 3
    assert trace.events[-1] == ("tiny steps",)
    assert "in balance" not in trace[-1].note.text()


def test_a_run_that_leads_away_does_not_say_how_long_its_steps_are() -> None:
    trace = engine.run("hinge_descent", (X6 * 1e5, Y6), rate=10.0, C=1e3, steps=2_000)
    assert trace.events[-1] == ("diverged",)
    assert "longer than the last" not in trace[-1].note.text()


def test_drafts_of_the_parts_are_numbered() -> None:
    """MMDS 12.3.6: the line of each part carries its number."""
    trace = book(mode="average-of-changes", parts=3, steps=1)
    step = [s for s in trace if s.line == "slope"][-1]
    layers = trace.algorithm.scene(trace.given, step).layers
    assert [
        layer.label for layer in layers if isinstance(layer, Line) and layer.role is Role.CANDIDATE
    ] == [
        "1",
        "2",
        "3",
    ]


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([1, 2, 3]), st.booleans())
def test_the_side_of_a_place_is_that_on_paper(seed: int, tenths: int, penalise_b: bool) -> None:
    """Steps in fractions: where their score is 0 predict, why and the field all say so, and it
    counts as wrong.
    """
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, (4, 2)).astype(float)
    y = np.array([1, -1, 1, -1])
    trace = engine.run(
        "hinge_descent",
        (X, y),
        mode="stochastic",
        steps=3,
        rate=tenths / 10,
        C=1.0,
        penalise_b=penalise_b,
    )
    algorithm, problem, p = trace.algorithm, trace.problem, trace.params
    rows = [[*(F(int(v)) for v in row), F(1)] for row in X]
    eta = F(tenths, 10)
    w, grid = [F(0)] * 3, Grid.over((-4.5, 4.5), (-4.5, 4.5), 9)  # −4, −3, …, 4
    for step in trace:
        if step.line != "update":
            continue
        s = step.state
        i = step.state.current
        side = int(problem.sign[i])
        bad = side * exact_score(w, rows[i]) < 1
        w = [
            v - eta * (v * (j < 2 or penalise_b) - 4 * bad * side * rows[i][j])
            for j, v in enumerate(w)
        ]
        wanted = [
            label_of(exact_score(w, [F(a) for a in (*place, 1.0)]))
            for place in grid.points().tolist()
        ]
        assert algorithm.predict(algorithm.setting(problem, p), s, grid.points()).tolist() == wanted
        assert [
            algorithm.explain(algorithm.setting(problem, p), s, x).label for x in grid.points()
        ] == wanted
        assert (
            algorithm.fields["class"](algorithm.setting(problem, p), s, grid).ravel().tolist()
            == wanted
        )
        assert s.errors == sum(
            k * exact_score(w, row) <= 0 for row, k in zip(rows, problem.sign, strict=True)
        )


def exact_score(w: list[F], row: list[F]) -> F:
    return sum((a * b for a, b in zip(w, row, strict=True)), F(0))


def label_of(score: F) -> int:
    return 0 if score > 0 else 1 if score < 0 else -1


def test_a_place_on_the_line_is_explained_as_on_it() -> None:
    """w = (0.04, −0.02), b = −0.02: at (2, 3) this is 0.08 − 0.06 − 0.02 = 0."""
    trace = engine.run(
        "hinge_descent",
        ([[-2, 1], [3, -1]], ["c1", "c0"]),
        mode="stochastic",
        penalise_b=False,
        rate=0.01,
        steps=1,
    )
    s = trace[-1].state
    x = np.array([2.0, 3.0])
    assert np.allclose(s.weights, [0.04, -0.02, -0.02])
    assert trace.codes(x[None])[0] == -1
    why = trace.algorithm.explain(trace.given, s, x)
    assert (why.label, why.note["sign"], why.note["score"]) == (-1, "=", 0.0)


def test_every_pace_ends_in_the_same_model_when_steps_lead_away_within_a_round() -> None:
    """With η = 10 each step makes w nine times as long: 400 of them leave all numbers before the
    round is over.
    """
    rng = np.random.default_rng(0)
    data = rng.normal(size=(400, 2)), np.arange(400) % 2
    found = [
        engine.run(
            "hinge_descent", data, mode="stochastic", rate=10.0, steps=400, pace=Pace(level)
        )[-1]
        for level in (Level.DETAIL, Level.STEP, Level.ROUND)
    ]
    ends = [step.state for step in found]
    assert all("diverged" in step.events for step in found)
    assert len({(s.updates, s.f, s.errors, s.weights.tobytes()) for s in ends}) == 1
    assert np.isfinite(ends[0].f)


def test_a_step_of_one_example_that_raised_f_is_not_called_a_step_down() -> None:
    """From w = 0 all six pay 1, so f = 6; the first step, for one of them, counts six times and
    overshoots.
    """
    trace = engine.run("hinge_descent", (X6, Y6), mode="stochastic", rate=0.2, C=1.0)
    before = trace[0].state.f
    seen = set()
    assert before == 6
    for step in trace:
        if step.line == "update":
            rose = step.state.f > before * (1 + 1e-9)
            assert ("rose" in step.note.lead) == rose
            assert ("step down" in step.note.lead) != rose
            seen.add(rose)
        before = step.state.f
    assert seen == {True, False}


@pytest.mark.parametrize("mode", ["batch", "stochastic"])
def test_a_run_goes_on_with_fewer_examples(mode: str) -> None:
    """A lane was forked from thirteen points, and three were taken away in it: the table of
    conditions had thirteen rows.
    """
    many, few = (engine.prepare(engine.generate("blobs", n, seed=1)) for n in (13, 10))
    method = algorithm("hinge_descent")
    params = Params(mode=mode, steps=5)
    earlier = engine.run("hinge_descent", many, mode=mode, steps=5)
    for step in range(len(earlier)):
        run = Run(
            method,
            few,
            params,
            0,
            Pace(Level.STEP),
            replace(earlier.start_at(step), own=False),
            shared=many,
        )
        run.advance()
        assert {len(step.state.bad) for step in run.trace} == {few.n}
        assert all(method.scene(run.trace.given, step) for step in run.trace)


def test_a_mini_batch_is_the_mean_of_the_steps_of_its_examples() -> None:
    """MMDS 12.3.5: a few examples instead of one; their slope is w − (n/m) C Σ[bad] y x."""
    trace = book(mode="stochastic", size=2, penalise_b=True)
    C, eta = 0.1, 0.2
    A = np.column_stack([X6, np.ones(6)])
    w = np.array([0.0, 1.0, -2.0])
    order = np.random.default_rng(0).permutation(6)
    for nth, few in enumerate(order.reshape(3, 2)):
        bad = Y6[few] * (A[few] @ w) < 1
        w = w - eta * (w - 6 / 2 * C * (Y6[few] * bad) @ A[few])
        step = [step for step in trace if step.line == "update"][nth]
        assert step.state.weights == pytest.approx(w)
        assert sorted(step.details["few"].tolist()) == sorted(few.tolist())


def test_a_batch_of_all_examples_is_batch_descent() -> None:
    few = book(mode="stochastic", size=6)
    whole = book()
    for a, b in zip(
        [step.state.weights for step in few if step.line == "update"],
        [step.state.weights for step in whole if step.line == "update"],
        strict=True,
    ):
        assert a == pytest.approx(b)


def test_the_slopes_of_the_batches_of_a_round_are_the_slope_of_all_on_average() -> None:
    """And larger batches guess it less wildly."""
    trace = engine.run("hinge_descent", engine.generate("blobs", 100, 1.2, seed=2), steps=1)
    w = np.array([0.3, -0.2, 0.1])
    order = np.random.default_rng(5).permutation(100)
    whole = trace.given.slope_of_few(w, order)
    apart = []
    for size in (1, 10):
        slopes = [trace.given.slope_of_few(w, rows) for rows in order.reshape(-1, size)]
        assert np.mean(slopes, axis=0) == pytest.approx(whole)
        apart.append(np.std(slopes, axis=0))
    assert (apart[1] < apart[0]).all()
