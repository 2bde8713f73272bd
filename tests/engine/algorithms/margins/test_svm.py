"""The support vector machine against AIMA 18.9, MMDS 12.3, scikit-learn's SVC, and its own laws."""

import sys
import time
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

import engine
from engine.algorithms.margins.parts.kernel import Kernel
from engine.base.grid import Grid
from engine.base.notation import read_number
from engine.protocol.moment import At
from engine.protocol.registry import algorithm
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.scene.scene import Arrows, Bars, Field, Line, Matrix, Points, Polyline, Role, Space

MARGIN_SET = np.array([[3, 1], [3, -1], [6, 1], [6, -1], [1, 0], [0, 1], [0, -1], [-1, 0]], float)
MARGIN_Y = np.array([1, 1, 1, 1, -1, -1, -1, -1])
HARD = {"C": float("inf"), "tolerance": 1e-6}
SVM = algorithm("svm")


def run(X, y, **params):
    return engine.run("svm", (np.asarray(X, float), np.asarray(y)), **params)


def layers(trace, at, kind, role=None):
    scene = SVM.scene(trace.given, trace[at])
    return [x for x in scene.layers if isinstance(x, kind) and (role is None or x.role is role)]


def figure(trace, at, kind):
    return next((f for f in SVM.scene(trace.given, trace[at]).figures if isinstance(f, kind)), None)


def clouds(n: int, seed: int = 0, apart: float = 1.0):
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, 1, -1)
    return rng.normal(size=(n, 2)) + apart * y[:, None] * [1.0, 0.3], y


# -- the texts -------------------------------------------------------------------------------------


def test_mmds_example_12_8() -> None:
    """mmds D31: w = [−1, 1], b = 0, and all four points touch the street; D32: γ = 1/|w|."""
    X, y = np.array([[1, 2], [2, 1], [3, 4], [4, 3]]), np.array([1, -1, 1, -1])
    trace = run(X, y, **HARD)
    s = trace[-1].state
    assert np.allclose(s.w, [-1, 1], atol=1e-4)
    assert s.b == pytest.approx(0, abs=1e-4)
    assert np.allclose(y * (X @ s.w + s.b), 1, atol=1e-4)
    assert trace[-1].note["gamma"] == pytest.approx(1 / np.sqrt(2), abs=1e-4)


def test_mmds_six_points_have_a_horizontal_line() -> None:
    """mmds D36, D37: the line at height 1.5 with margin ½; no slant when b is free."""
    s = engine.run("svm", engine.textbook("six_points"), **HARD)[-1].state
    assert np.allclose(s.w, [0, 2], atol=1e-3)
    assert -s.b / s.w[1] == pytest.approx(1.5, abs=1e-3)


def test_margin_set() -> None:
    """aima B16: (3, ±1) and (1, 0) carry the line x1 = 2; by hand α = ¼, ¼, ½ and b = −2."""
    trace = run(MARGIN_SET, MARGIN_Y, **HARD)
    s = trace[-1].state
    assert np.allclose(s.alpha, [0.25, 0.25, 0, 0, 0.5, 0, 0, 0], atol=1e-4)
    assert np.allclose(s.w, [1, 0], atol=1e-4)
    assert s.b == pytest.approx(-2, abs=1e-4)
    assert (trace.predict(MARGIN_SET) == MARGIN_Y).all()


def test_errata_of_aima_on_the_margin_set() -> None:
    """aima D79: w = Σ α x puts the boundary through a support vector.

    D81: mixed signs of b call all points positive.
    """
    s = run(MARGIN_SET, MARGIN_Y, **HARD)[-1].state
    printed = s.alpha @ MARGIN_SET
    # x₅ lies on Σ α x · x = 2, where b = −2 was found
    assert np.allclose(MARGIN_SET[4] @ printed, 2, atol=1e-3)
    assert (MARGIN_SET @ s.w - s.b > 0).all()
    assert len(SVM.errata) >= 4


def test_the_lifted_disc() -> None:
    """aima A70, B17, F46: a circle is a plane in (√2·x1·x2, x1², x2²); w is (0, −, −) there."""
    rng = np.random.default_rng(1)
    X = rng.uniform(-1.5, 1.5, (80, 2))
    X = X[np.abs((X**2).sum(1) - 1) > 0.15]
    y = np.where((X**2).sum(1) <= 1, 1, -1)
    trace = run(X, y, kernel="quadratic", **HARD)
    assert trace[-1].events == ("converged",)
    assert (trace.predict(X) == y).all()
    space = figure(trace, -1, Space)
    w, b, _ = space.planes[0]
    assert abs(w[0]) < 0.3 * min(abs(w[1]), abs(w[2]))
    assert w[1] < 0
    assert space.names == ("√2·x₁x₂", "x₁²", "x₂²")
    scores = SVM.fields["score"]
    grid = engine.base.grid.Grid.over((-1, 1), (-1, 1), 5)
    u, v = grid.points().T
    plane = np.column_stack([np.sqrt(2) * u * v, u**2, v**2]) @ w + b
    assert np.allclose(scores(trace.given, trace[-1].state, grid).ravel(), plane)
    assert [p[2] for p in space.planes] == [Role.BOUNDARY, Role.MARGIN, Role.MARGIN]


def test_exclusive_or_by_hand() -> None:
    """Corners of a square, (1 + x·z)²: K is 9 on the diagonal and 1 beside it, so α = 1/8 each, b =
    0, dual ¼.
    """
    X, y = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]]), np.array([-1, 1, 1, -1])
    trace = run(X, y, kernel="polynomial", degree=2, **HARD)
    assert np.allclose(trace[-1].state.alpha, 1 / 8, atol=1e-4)
    assert trace[-1].state.b == pytest.approx(0, abs=1e-4)
    assert trace[-1].metrics["objective"] == pytest.approx(0.25, abs=1e-5)
    assert figure(trace, 0, Matrix).values.tolist() == [
        [9, 1, 1, 1],
        [1, 9, 1, 1],
        [1, 1, 9, 1],
        [1, 1, 1, 9],
    ]


def test_only_support_vectors_matter() -> None:
    """aima F45: drag another point, nothing moves; drag a support vector and the line follows."""
    first = run(MARGIN_SET, MARGIN_Y, **HARD)[-1].state
    moved = MARGIN_SET.copy()
    moved[2], moved[7] = [9, 4], [-5, 2]
    same = run(moved, MARGIN_Y, **HARD)[-1].state
    assert np.allclose(first.w, same.w, atol=1e-4)
    moved[0] = [2.5, 1]
    assert not np.allclose(first.w, run(moved, MARGIN_Y, **HARD)[-1].state.w, atol=0.05)


@pytest.mark.slow
def test_a_large_cost_narrows_the_margin() -> None:
    """mmds A30, F22: large C narrow, small C wide."""
    X, y = clouds(60)
    widths = [1 / np.linalg.norm(run(X, y, C=C)[-1].state.w) for C in (0.01, 0.1, 1.0, 10.0)]
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > 1.5 * widths[-1]


# -- scikit-learn ----------------------------------------------------------------------------------

SETTINGS = [
    ({"kernel": "linear"}, {"kernel": "linear"}),
    ({"kernel": "quadratic"}, {"kernel": "poly", "degree": 2, "gamma": 1, "coef0": 0}),
    (
        {"kernel": "polynomial", "degree": 3},
        {"kernel": "poly", "degree": 3, "gamma": 1, "coef0": 1},
    ),
    ({"kernel": "rbf", "gamma": 0.8}, {"kernel": "rbf", "gamma": 0.8}),
]
kernels = pytest.mark.parametrize(("ours", "theirs"), SETTINGS, ids=lambda p: p["kernel"])


def dual(X, y, ours, alpha) -> float:
    beta = alpha * y
    K = Kernel(ours["kernel"], ours.get("degree", 2), ours.get("gamma", 1.0)).matrix(X, X)
    return float(alpha.sum() - beta @ K @ beta / 2)


def fitted(X, y, theirs, C):
    found = SVC(C=C, tol=1e-5, **theirs).fit(X, y)
    alpha = np.zeros(len(y))
    alpha[found.support_] = np.abs(found.dual_coef_[0])
    return found, alpha


@pytest.mark.slow
@kernels
@pytest.mark.parametrize("pair", ["worst", "in turn"])
@pytest.mark.parametrize("C", [0.1, 5.0])
def test_same_optimum_as_scikit_learn(ours, theirs, pair: str, C: float) -> None:
    X, y = clouds(120, 3)
    trace = run(
        X, y, C=C, pair=pair, tolerance=1e-5, pace=Pace(Level.ROUND), max_steps=100_000, **ours
    )
    found, alpha = fitted(X, y, theirs, C)
    assert trace.finished
    assert trace[-1].metrics["objective"] == pytest.approx(dual(X, y, ours, alpha), rel=1e-5)
    assert trace[-1].state.b == pytest.approx(found.intercept_[0], abs=1e-3)
    places = np.random.default_rng(0).uniform(-3, 3, (300, 2))
    assert np.mean(trace.predict(places) == found.predict(places)) > 0.99


@pytest.mark.slow
@kernels
def test_two_thousand_points(ours, theirs) -> None:
    """The same dual to a thousandth, in reasonable time."""
    X, y = clouds(2000, 4)
    began = time.process_time()
    trace = run(X, y, C=1.0, pace=Pace(Level.ROUND), **ours)
    assert time.process_time() - began < 10
    _, alpha = fitted(X, y, theirs, 1.0)
    assert trace[-1].metrics["objective"] == pytest.approx(dual(X, y, ours, alpha), rel=1e-3)


# -- steps -----------------------------------------------------------------------------------------


@given(
    st.integers(0, 500),
    st.sampled_from([0.5, 20.0]),
    st.sampled_from(["linear", "rbf"]),
    st.sampled_from(["worst", "in turn"]),
)
@settings(deadline=None, max_examples=15)
def test_laws_of_every_step(seed: int, C: float, kernel: str, pair: str) -> None:
    X, y = clouds(24, seed, 0.8)
    trace = run(X, y, C=C, kernel=kernel, pair=pair, max_steps=300)
    objective = trace.metrics["objective"]
    assert (np.diff(objective) >= -1e-9 * np.abs(objective[1:])).all()
    sign = trace.problem.sign
    for s in (step.state for step in trace):
        assert ((s.alpha >= 0) & (s.alpha <= C)).all()
        assert abs(s.alpha @ sign) < 1e-9 * C
        if s.w is not None:
            assert np.allclose(s.w, (s.alpha * sign) @ X)


def test_a_move_says_which_two_and_how_far() -> None:
    trace = run(MARGIN_SET, MARGIN_Y)
    choose = trace[1]
    move = next(step for step in trace if step.line == "move")
    assert trace[0].line == "start"
    assert choose.choice.options[choose.choice.chosen].label == "x₅"
    assert choose.note["violation"] == 2  # at α = 0 every + asks for b ≥ 1, every − for b ≤ −1
    assert choose.choice.options[0].score == pytest.approx(0.4)  # ½ · 2² / |(3, 1) − (1, 0)|²
    assert move.note["t"] == pytest.approx(0.4)  # 2 / 5
    assert (move.note["ai"], move.note["ai_after"]) == (0, pytest.approx(0.4))
    assert move.state.pair == (0, 4)
    assert np.allclose(move.state.w, [0.8, 0.4])
    assert "rise together" in move.note.text()


def test_b_points_at_those_who_ask() -> None:
    """The sentence and the amber rings speak of the same two examples; b lies midway between what
    they ask for.
    """
    trace = run(MARGIN_SET, MARGIN_Y)
    for step in (step for step in trace if step.line == "b"):
        names = [trace.problem.names[k] for k in step.state.pair]
        assert [step.note["low"], step.note["high"]] == [names[0], names[-1]]
        assert step.state.b == pytest.approx((step.note["least"] + step.note["most"]) / 2)
        assert step.state.before == ()


def test_clipping_names_who_stopped() -> None:
    trace = run(MARGIN_SET, MARGIN_Y, C=0.3)
    clips = [step for step in trace if step.line == "clip"]
    assert clips[0].state.alpha.max() == 0.3
    assert clips[0].events == ("bound",)
    assert clips[0].note["t"] == pytest.approx(0.3)
    assert clips[0].note["best"] == pytest.approx(0.4)
    assert "both reach C" in clips[0].note.text()


def test_ties_are_shown_and_go_to_the_first_in_the_table() -> None:
    X, y = np.array([[0, 1], [0, -1], [2, 1], [2, -1]]), np.array([-1, -1, 1, 1])
    first = run(X, y)[1]
    assert first.choice.winners == (0,)
    crossed = run([[0, 0], [1, 0], [-1, 0]], [1, -1, -1])[1]
    assert len(crossed.choice.winners) == 2
    assert crossed.choice.chosen == crossed.choice.winners[0]
    assert "tie" in crossed.events


def test_in_turn_goes_through_the_table() -> None:
    X, y = clouds(40, 7)
    trace = run(X, y, pair="in turn")
    firsts = [step.note["first"] for step in trace if step.line == "choose"]
    assert firsts[0] == "x₁"
    order = [trace.problem.names.index(name) for name in firsts[:12]]
    assert sum(a > b for a, b in pairwise(order)) <= 2


def test_it_can_go_on_from_any_state_and_after_an_edit() -> None:
    X, y = clouds(50, 8)
    trace = run(X, y, C=2.0)
    wanted = trace[-1].metrics["objective"]
    for at in (0, len(trace) // 2, len(trace) - 1):
        again = Run(SVM, trace.problem, trace.params, start=trace[at].state)
        again.advance()
        assert again.trace[-1].metrics["objective"] == pytest.approx(wanted, rel=1e-4)
    moved = engine.prepare(engine.Dataset.from_arrays(X[:-3] + 0.2, y[:-3]))
    again = Run(SVM, moved, SVM.params(C=0.5), start=trace[-1].state)
    again.advance()
    assert again.trace.finished
    assert again.trace[-1].state.alpha.max() <= 0.5


@pytest.mark.slow
def test_a_long_round_can_be_stopped_within_it() -> None:
    """A round of 20,000 rows is 4,000 pairs, seconds of work: it could not be stopped
    before its end.
    """
    given = SVM.setting(
        engine.prepare(engine.Dataset.from_arrays(*clouds(20_000))), SVM.params(C=1.0)
    )
    steps = SVM.steps(given, At(SVM, given, Pace(Level.ROUND)), np.random.default_rng(0))
    assert next(steps).line == "start"
    begun = time.thread_time()
    assert [next(steps) for _ in range(3)] == [None, None, None]  # 200 pairs each
    assert time.thread_time() - begun < 1.0


# -- bad input -------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", ["worst", "in turn"])
@pytest.mark.parametrize(
    ("kernel", "n"), [("linear", 4), ("linear", 60), ("quadratic", 60), ("polynomial", 60)]
)
def test_a_hard_margin_that_does_not_exist_ends_with_a_sentence(
    kernel: str, n: int, pair: str
) -> None:
    """aima A73: without a bound α grows for ever."""
    X, y = (
        clouds(60, 2, 0.2)
        if n == 60
        else (np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([-1, 1, 1, -1]))
    )
    trace = run(X, y, kernel=kernel, degree=2, C=float("inf"), pair=pair, pace=Pace(Level.ROUND))
    assert trace.finished
    assert trace[-1].events == ("not separable",)
    assert "finite C" in trace[-1].note.text()
    assert np.isfinite(trace[-1].state.alpha).all()


def test_a_narrow_street_is_still_a_street() -> None:
    X = np.array([[0, 0], [1, 0], [2, 0], [0, 0.01], [1, 0.01], [2, 0.01]])
    trace = run(X, [-1, -1, -1, 1, 1, 1], C=float("inf"), pace=Pace(Level.ROUND))
    assert trace[-1].events == ("converged",)
    assert np.allclose(trace[-1].state.w, [0, 200], atol=0.2)


def test_same_place_in_different_classes() -> None:
    X, y = np.array([[0, 0], [1, 1], [1, 1], [2, 3]]), np.array([1, 1, -1, -1])
    hard = run(X, y, kernel="rbf", C=float("inf"), max_steps=2000)
    assert hard[-1].events == ("not separable",)
    assert "same place" in hard[-1].note.text()
    soft = run(X, y, kernel="rbf", C=2.0)
    assert soft[-1].events == ("converged",)
    assert set(soft[-1].state.alpha[1:3]) == {2.0}


def test_it_gives_up_with_a_sentence(monkeypatch) -> None:
    monkeypatch.setattr(sys.modules[SVM.steps.__module__], "LIMIT", 12)
    trace = run(*clouds(40), C=100.0)
    assert trace[-1].events == ("stopped",)
    assert trace[-1].note["moves"] == 12


def test_what_it_cannot_take() -> None:
    with pytest.raises(engine.EngineError, match="two classes"):
        run(MARGIN_SET, np.ones(8, int))
    with pytest.raises(engine.EngineError, match="two classes"):
        run(MARGIN_SET, [0, 1, 2, 0, 1, 2, 0, 1])
    with pytest.raises(engine.EngineError, match="Scale the columns"):
        run(MARGIN_SET * 1e60, MARGIN_Y, kernel="polynomial", degree=4)


# -- pictures --------------------------------------------------------------------------------------


def test_margins_of_the_linear_kernel_are_exact_lines() -> None:
    trace = run(MARGIN_SET, MARGIN_Y, **HARD)
    at = {line.label: -line.b / line.w[0] for line in layers(trace, -1, Line, Role.MARGIN)}
    assert at == {"+1": pytest.approx(3, abs=1e-3), "−1": pytest.approx(1, abs=1e-3)}
    boundary = layers(trace, -1, Line, Role.BOUNDARY)[0]
    assert -boundary.b / boundary.w[0] == pytest.approx(2, abs=1e-3)
    assert not layers(trace, 0, Line)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_the_boundary_before_a_move_is_that_of_the_step_before(kernel) -> None:
    trace = run(*clouds(30), kernel=kernel)
    moves = [k for k, step in enumerate(trace) if step.line in ("move", "clip")]
    assert not layers(trace, moves[0], Line, Role.GHOST), "before the first move all α are 0"
    at = moves[2]
    before = trace[at - 1].state  # its α are those before the move, and so is its b
    if kernel == "linear":
        (ghost,) = layers(trace, at, Line, Role.GHOST)
        assert (*ghost.w, ghost.b) == pytest.approx((*before.w, before.b), abs=1e-9)
        return
    ghosts = layers(trace, at, Polyline, Role.GHOST)
    assert ghosts
    for line in ghosts:
        scores = SVM.scores(trace.given, before, trace.problem.from_plane(line.xy))
        assert np.abs(scores).max() < 0.02


def test_the_pair_says_what_its_step_says() -> None:
    trace = run(MARGIN_SET, MARGIN_Y)
    seen = set()
    for k, step in enumerate(trace):
        active = layers(trace, k, Points, Role.ACTIVE)
        labels = [label for one in active for label in one.label]
        if step.line == "move":
            for row, before, label in zip(step.state.pair, step.state.before, labels, strict=True):
                assert label.startswith(f"{trace.problem.names[row]}: α ") and " → " in label
                assert read_number(label.split()[2]) == pytest.approx(before, abs=0.005)
        elif step.line == "choose":
            low, high = (read_number(label.split()[-1]) for label in labels)
            assert low > high, "they are seen to disagree"
        else:
            assert not labels or step.line == "b"
        seen.add(step.line)
    assert {"choose", "move"} <= seen


def test_margins_of_other_kernels_are_lines_of_the_score() -> None:
    trace = run(*clouds(30), kernel="rbf")
    assert layers(trace, -1, Field)[0].margins == (-1.0, 1.0)
    assert layers(trace, 0, Field)[0].margins == ()


def test_free_and_bounded_support_vectors_are_distinguished() -> None:
    trace = run(*clouds(80, 5), C=1.0)
    alpha = trace[-1].state.alpha
    free = layers(trace, -1, Points, Role.SUPPORT)[0]
    bounded = layers(trace, -1, Points, Role.BOUNDED)[0]
    assert len(free.xy) == ((alpha > 0) & (alpha < 1)).sum() == trace[-1].note["free"]
    assert len(bounded.xy) == (alpha == 1).sum() == trace[-1].note["bounded"]
    assert trace[-1].metrics["support"] == (alpha > 0).sum()
    assert trace[-1].metrics["errors"] == (trace.predict(trace.problem.X) != trace.problem.y).sum()


def test_bars_begin_with_the_pair_and_end_at_C() -> None:
    trace = run(*clouds(80, 5), C=1.0)
    at = next(k for k, step in enumerate(trace) if step.line in ("move", "clip"))
    bars = figure(trace, at, Bars)
    i, j = trace[at].state.pair
    assert bars.limit == 1.0
    assert bars.values[:2].tolist() == trace[at].state.alpha[[i, j]].tolist()
    assert bars.before[:2].tolist() == [0, 0]
    assert "two rings: α = C" in bars.unit


def test_of_many_examples_the_matrix_shows_the_pair_and_the_largest_multipliers() -> None:
    """aima A71: the Gram matrix; the four numbers of the pair are those of d² = K(i, i) + K(j, j) −
    2 K(i, j).
    """
    trace = run(*clouds(80, 5), C=1.0, kernel="rbf")
    at = next(k for k, step in enumerate(trace) if step.line == "move")
    shown = figure(trace, at, Matrix)
    i, j = trace[at].state.pair
    note = trace[at].note
    assert shown.row_labels[:2] == (trace.problem.names[i], trace.problem.names[j])
    assert len(shown.values) <= 12
    (ii, ij), (ji, jj) = shown.values[:2, :2]
    assert (ii, jj, ij, ji) == (note["Kii"], note["Kjj"], note["Kij"], note["Kij"])
    assert sorted(shown.active) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert ii + jj - 2 * ij == pytest.approx(note["apart"])


def test_rings_lie_beneath_the_points_and_are_explained() -> None:
    trace = run(*clouds(80, 5), C=1.0)
    roles = [x.role for x in SVM.scene(trace.given, trace[-1]).layers if isinstance(x, Points)]
    assert max(roles.index(Role.SUPPORT), roles.index(Role.BOUNDED)) < roles.index(Role.POINT)
    assert [fact.caption for fact in trace[-1].note.facts][:4] == [
        "w",
        "b",
        "free, one ring",
        "bounded, two rings",
    ]
    hard = run(MARGIN_SET, MARGIN_Y, **HARD)[-1].note
    assert "two rings" not in " ".join(fact.caption for fact in hard.facts)
    assert hard["free"] == 3


def test_why_adds_up() -> None:
    trace = run(*clouds(40, 6), kernel="rbf", C=3.0)
    s = trace[-1].state
    x = np.array([0.3, -0.2])
    explanation = SVM.explain(trace.given, s, x)
    assert explanation.bars.values.sum() == pytest.approx(explanation.note["score"])
    by_hand = sum(
        a * y * np.exp(-((row - x) ** 2).sum())
        for a, y, row in zip(s.alpha, trace.problem.sign, trace.problem.X, strict=True)
    )
    assert explanation.note["score"] == pytest.approx(by_hand + s.b)
    few = run(MARGIN_SET, MARGIN_Y, **HARD)
    explanation = SVM.explain(few.given, few[-1].state, MARGIN_SET[0])
    assert explanation.note["score"] == pytest.approx(1, abs=1e-3)


def test_three_columns_stand_in_space() -> None:
    """mmds B10: y = +1 where the three numbers add up to 10 or more."""
    trace = engine.run("svm", engine.textbook("six_points_space"), **HARD)
    space = figure(trace, -1, Space)
    assert np.array_equal(space.xyz, trace.problem.X)
    assert np.allclose(space.planes[0][0], trace[-1].state.w)


def all_say(trace, s, grid: Grid) -> np.ndarray:
    """The class of every place of a grid, about which predict, why and the field agree."""
    problem, p = trace.problem, trace.params
    places = grid.points()[:, : problem.d]
    said = SVM.predict(SVM.setting(problem, p), s, places)
    assert SVM.fields["class"](SVM.setting(problem, p), s, grid).ravel().tolist() == said.tolist()
    assert [SVM.explain(SVM.setting(problem, p), s, x).label for x in places] == said.tolist()
    return said


@pytest.mark.slow
@pytest.mark.parametrize("C", [0.1, 0.3, 7.0])
@pytest.mark.parametrize("X", [[[3.0]], [[0.1]], [[0.7, -0.3], [1.1, 0.2], [-0.4, 0.9]]])
def test_where_the_score_is_zero_on_paper_all_answers_say_so(
    X: list[list[float]], C: float
) -> None:
    """x and −x have the same place in the space of (x · z)².

    Of different classes, both end at C: their parts cancel out everywhere, and b is midway between
    +1 and −1.
    """
    trace = run([*X, *(-np.array(X))], ["a"] * len(X) + ["b"] * len(X), kernel="quadratic", C=C)
    assert set(trace[-1].state.alpha.tolist()) == {C}
    grid = Grid.over((-1.3, 1.7), (-0.9, 1.1), 11)
    for step in trace:
        if step.state.alpha.any() and step.line != "choose":
            assert set(all_say(trace, step.state, grid).tolist()) == {-1}
            assert step.metrics["errors"] == 2 * len(X)
            assert (
                "on the boundary"
                in SVM.explain(trace.given, step.state, trace.problem.X[0]).note.lead
            )


@pytest.mark.slow
@settings(max_examples=16, deadline=None)
@given(
    st.integers(0, 10_000),
    st.sampled_from(["linear", "quadratic", "polynomial", "rbf"]),
    st.integers(1, 2),
)
def test_all_answers_agree_on_tenths(seed: int, kernel: str, d: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(-5, 6, (8, d)) / 10
    y = np.arange(8) % 2
    trace = run(X, y, kernel=kernel, C=0.3)
    grid = Grid.over((-1.1, 1.1), (-1.1, 1.1), 11)  # −1, −0.8, …, 1
    for step in (trace[0], trace[len(trace) // 2], trace[-1]):
        all_say(trace, step.state, grid)
        said = SVM.predict(trace.given, step.state, trace.problem.X)
        assert step.metrics["errors"] == (said != trace.problem.codes).sum()


def test_every_pace_ends_in_the_same_model_where_a_hard_margin_is_hopeless() -> None:
    """−3 and 0 move first, by 2/3²; then 2 and 2 ask for what cannot be."""
    data = ([[-3.0], [0.0], [2.0], [-1.0], [2.0]], ["c0", "c1", "c0", "c0", "c1"])
    for level in (Level.DETAIL, Level.STEP, Level.ROUND):
        trace = engine.run("svm", data, C=float("inf"), pace=Pace(level))
        s = trace[-1].state
        assert "not separable" in trace[-1].events
        assert np.allclose(s.alpha, [2 / 9, 2 / 9, 0, 0, 0])
        assert (s.moves, s.pair, s.before) == (1, (2, 4), (0.0, 0.0))
        assert np.allclose(s.w, -2 / 3)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_of_equally_wrong_examples_the_first_is_taken(seed: int) -> None:
    """Each asks for b = y − Σ β x·z; who can still rise and asks for most begins, the first in the
    table of equals.
    """
    rng = np.random.default_rng(seed)
    X = rng.integers(-5, 6, 8) / 10
    sign = np.where(np.arange(8) % 2, -1.0, 1.0)
    check_first(X, sign)


def test_of_two_equal_rows_the_first_is_taken() -> None:
    check_first(np.array([-0.5, -0.4, 0.4, -0.4]), np.array([1.0, 1.0, -1.0, -1.0]))


def check_first(X: np.ndarray, sign: np.ndarray) -> None:
    trace = run(X[:, None], np.where(sign > 0, "c0", "c1"))
    for step in trace:
        if step.line == "choose":
            alpha = step.state.alpha
            can_rise = np.where(sign > 0, alpha < 10, alpha > 0)
            wish = np.where(can_rise, sign - X * ((sign * alpha) @ X), -np.inf)
            tied = np.flatnonzero(wish > wish.max() - 1e-9)
            assert step.state.pair[0] == tied[0]
            assert (len(tied) > 1) == any(
                "equally wrong" in fact.caption for fact in step.note.facts
            )
            assert step.note["equal"] == len(tied)


@pytest.mark.parametrize("offset", [1e6, 1e7, 1e9])
@pytest.mark.parametrize("C", [10.0, np.inf])
def test_far_from_0_the_line_is_the_same(offset: float, C: float) -> None:
    """Σ α y = 0, so x · z may be taken from any origin: w stays, and b falls by w · offset.

    Two points are two places.
    """
    here = engine.prepare(engine.textbook("six_points"))
    y = here.labels(here.codes)
    near = engine.run("svm", (here.X, y), C=C)
    far = engine.run("svm", (here.X + offset, y), C=C)
    assert far.events[-1] == near.events[-1] == ("converged",)
    assert np.allclose(far[-1].state.w, near[-1].state.w, atol=1e-6)
    assert far[-1].state.b == pytest.approx(
        near[-1].state.b - near[-1].state.w.sum() * offset, rel=1e-9
    )
    assert far.predict(here.X + offset).tolist() == y.tolist()
    surface = far.algorithm.fields["class"](far.given, far[-1].state, Grid(*(here.X.T + offset)))
    assert np.diagonal(surface).tolist() == here.codes.tolist()


def test_a_kernel_whose_numbers_are_too_coarse_claims_nothing() -> None:
    """(x · z)² of 10⁷ is 10²⁸, and the points are 1 apart: their kernel's rounding is more than the
    distance.
    """
    here = engine.prepare(engine.textbook("six_points"))
    for C in (10.0, np.inf):
        trace = engine.run("svm", (here.X + 1e7, here.labels(here.codes)), kernel="quadratic", C=C)
        assert trace.events[-1] == ("stopped",)
        assert "Standardise the columns" in trace[-1].note.text()


@pytest.mark.slow
@pytest.mark.parametrize("kernel", ["linear", "quadratic", "polynomial", "rbf"])
def test_what_a_step_knows_of_its_examples_is_what_the_model_says(kernel: str) -> None:
    """Also of those without a class, which it does not learn from, and of those far from 0."""
    data = engine.generate("moons", 80, 0.3)
    X = np.column_stack([c.values for c in data.features])
    y = [*data.target.labels()]
    y[::9] = [None] * len(y[::9])
    for shift in (0.0, 50.0) if kernel == "linear" else (0.0,):
        trace = run(X + shift, np.array(y, object), kernel=kernel, C=3.0)
        labelled = trace.problem.labelled
        assert 0 < np.count_nonzero(~labelled) < len(y)
        for step in [*trace[:12], *trace[12::7], trace[-1]]:
            points = next(
                x
                for x in SVM.scene(trace.given, step).layers
                if isinstance(x, Points) and x.tag == "data"
            )
            predicted = SVM.predict(trace.given, step.state, trace.problem.X)
            assert points.shown.tolist() == predicted.tolist()
            assert step.state.errors == np.count_nonzero(
                (predicted != trace.problem.codes) & labelled
            )


def test_the_picture_of_many_points_does_not_score_them_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It took half a second at 20 000 points, and the kernel's values of 10 points are all that it
    needs.
    """
    data = engine.generate("moons", 3_000, 0.3)
    trace = engine.run("svm", data, kernel="rbf", pace=Pace(Level.STEP), max_steps=60)
    sizes = []
    matrix = Kernel.matrix

    def counted(self, A, B):
        sizes.append(len(A) * len(B))
        return matrix(self, A, B)

    monkeypatch.setattr(Kernel, "matrix", counted)
    SVM.scene(trace.given, trace[-1])
    assert sum(sizes) <= 12 * 12


def touching(trace) -> int:
    """How many dashed rings the end of a run shows."""
    layers = trace.algorithm.scene(trace.given, trace[-1]).layers
    found = [x for x in layers if isinstance(x, Points) and x.tag == "touching"]
    return sum(len(layer.xy) for layer in found)


@pytest.mark.parametrize(
    ("data", "count"), [("four_points_alternating", 4), ("six_points_space", 5)]
)
def test_by_distance_there_are_more_support_vectors_than_by_alpha(data: str, count: int) -> None:
    """mmds D31 (MMDS Ex 12.8): all four touch the margin; MMDS Exercise 12.3.2(a): all six but
    (5, 5, 5).
    """
    trace = engine.run("svm", engine.textbook(data), C=float("inf"))
    last = trace[-1]
    with_alpha = int((last.state.alpha > 0).sum())
    assert with_alpha < count == with_alpha + len(trace.given.touching(last.state))
    assert touching(trace) == count - with_alpha
    said = last.note.lines()[0]
    assert f"{count} examples are support vectors" in said
    assert any("α = 0" in line for line in last.note.lines()[1:])


def test_where_every_support_vector_holds_the_line_no_ring_is_dashed() -> None:
    """mmds B16 12.14: three support vectors."""
    trace = engine.run("svm", engine.textbook("widest_street"), C=float("inf"))
    assert touching(trace) == 0
    assert "only the ringed examples hold it" in trace[-1].note.lines()[0]


@pytest.mark.parametrize("key", ["svm", "hinge_descent"])
def test_the_hinge_is_drawn_with_the_examples_on_it(key: str) -> None:
    """mmds C12.17 (MMDS Fig 12.17): 1 − z up to the kink at z = 1, then 0."""
    trace = engine.run(key, engine.textbook("bad_points"), C=1.0)
    figures = trace.algorithm.scene(trace.given, trace[-1]).figures
    (plot,) = (f for f in figures if f.title == "Hinge")
    curve, dots = plot.layers[:2]
    x, y = curve.xy.T
    assert np.interp([0.0, 1.0, 2.0], x, y).tolist() == [1.0, 0.0, 0.0]
    z, penalty = dots.xy.T
    assert len(z) == 12
    assert penalty == pytest.approx(np.maximum(0.0, 1.0 - z))
    s = trace[-1].state
    w = s.w
    X, sign = trace.problem.X, trace.problem.sign
    assert z == pytest.approx(sign * (X @ w + s.b), abs=1e-9)


def test_an_arrow_across_the_margin_says_its_width() -> None:
    """MMDS Fig 12.15: from x₂ on one margin to its projection x₁ on the other, 2/|w| long; with the
    axes exchanged too, and none of three columns.
    """
    for plane in ((), ("x2", "x1")):
        problem = engine.prepare(engine.textbook("widest_street"), plane=plane)
        trace = engine.run("svm", problem, **HARD)
        s = trace[-1].state
        layers = SVM.scene(trace.given, trace[-1]).layers
        (arrow,) = (x for x in layers if isinstance(x, Arrows))
        length = 2 / np.hypot(*s.w)
        assert np.hypot(*(arrow.end - arrow.start)[0]) == pytest.approx(length)
        w = s.w[list(problem.plane)]
        sides = [float(place[0] @ w + s.b) for place in (arrow.start, arrow.end)]
        assert sides == pytest.approx([-1, 1], abs=2e-3)
        assert arrow.label == (f"2/|w| = {length:.2f}",)
    wide = engine.run("svm", engine.textbook("bad_points"), C=0.1)
    (arrow,) = (x for x in SVM.scene(wide.given, wide[-1]).layers if isinstance(x, Arrows))
    low, high, _ = wide.problem.bounds
    assert ((low <= arrow.end) & (arrow.end <= high)).all(), "the plane would cut it"
    four = engine.run("svm", engine.textbook("four_points_alternating"), **HARD)
    assert {"w: (−1.00, 1.00)", "b: 0"} <= {*four[-1].note.lines()}, "mmds D31"
    space = engine.run("svm", engine.textbook("six_points_space"), **HARD)
    layers = SVM.scene(space.given, space[-1]).layers
    assert not any(isinstance(x, Arrows) for x in layers)


def test_bounded_examples_are_spoken_of_only_where_there_are_some() -> None:
    for data, some in (
        (engine.generate("blobs", 24), False),
        (engine.generate("moons", 60, 0.3), True),
    ):
        last = engine.run("svm", data)[-1]
        bounded = np.isclose(last.state.alpha, 10.0)
        assert bounded.any() == some
        assert ("with two, α = C" in str(last.note.lead)) == some


def test_the_width_of_both_sides_is_named_beside_the_margin() -> None:
    """AIMA 18.9 calls 2/|w| the margin: on the margin set the classes are 2 apart."""
    trace = engine.run("svm", engine.textbook("margin_set"), C=np.inf)
    assert trace[-1].note["gamma"] == pytest.approx(1, abs=0.001)
    assert trace[-1].note["width"] == pytest.approx(2, abs=0.002)
