"""One perceptron for each class against MMDS 12.2.5, the binary perceptron, scikit-learn, and its
own laws.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import Perceptron
from sklearn.multiclass import OneVsRestClassifier

import engine
from engine.algorithms.linear.multiclass_perceptron.picture import borders
from engine.base.grid import Grid
from engine.judge.surface import evaluate_field
from engine.protocol.step import Level, Pace
from engine.scene.scene import Line, Role, Segments

ROUND = Pace(Level.ROUND)


def clusters(middles, n=12, spread=0.3, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n * len(middles)) % len(middles)
    return np.asarray(middles, float)[y] + spread * rng.normal(size=(len(y), 2)), y


TRIANGLE = clusters([[0, 4], [4, -2], [-4, -2]])
ROW = clusters([[-4, 0], [0, 0], [4, 0]])


@pytest.mark.parametrize("threshold", ["learned", "shared"])
def test_clusters_in_a_triangle_are_learnt(threshold: str) -> None:
    """mmds F12, first half."""
    X, y = TRIANGLE
    trace = engine.run("multiclass_perceptron", (X, y), threshold=threshold)
    assert trace.when("converged")
    assert (trace.predict(X) == y).all()
    assert trace[-1].state.W.shape == (3, 2)


def test_the_middle_one_of_a_row_never_settles() -> None:
    """mmds F12, second half, A21 trap: it is not separable from the rest."""
    trace = engine.run("multiclass_perceptron", ROW, rounds=200, pace=ROUND)
    assert not trace.when("converged")
    slips = np.array([s.state.slips for s in trace if s.line == "until"])
    assert (slips[-50:, 1] > 0).all()
    assert (slips[-50:, [0, 2]] == 0).all()
    assert trace.problem.class_text(1) in trace[-1].note["busy"]


def test_none_of_the_classes() -> None:
    """mmds A21: where no score is above its threshold the answer is none; also the
    surface says so.
    """
    trace = engine.run("multiclass_perceptron", TRIANGLE)
    middle = np.array([[0.0, 0.0]])
    scores = trace[-1].state.W @ middle[0] - trace[-1].state.theta
    codes = trace.codes(np.vstack([TRIANGLE[0], middle]))
    assert (codes[-1] == -1) == (scores.max() <= 0)
    high = engine.run("multiclass_perceptron", TRIANGLE, threshold="shared", theta=3.0)
    assert high.when("converged")
    assert high.codes(middle)[0] == -1  # w·0 = 0 is below θ = 3
    surface = evaluate_field(
        high.algorithm, high.given, high[-1].state, "class", Grid.over((-5, 5), (-5, 5), 50)
    )
    assert set(np.unique(surface)) == {-1, 0, 1, 2}
    assert high.predict(middle)[0] is None


def test_the_shared_threshold_stays() -> None:
    trace = engine.run("multiclass_perceptron", TRIANGLE, threshold="shared", theta=0.75)
    assert all((s.state.theta == 0.75).all() for s in trace)


def test_each_class_is_the_binary_perceptron_against_the_rest() -> None:
    """mmds A21: w_i and θ_i are those of `perceptron` on class i against the others, mmds A19."""
    X, y = TRIANGLE
    trace = engine.run("multiclass_perceptron", (X, y), rate=0.5)
    for c in range(3):
        alone = engine.run(
            "perceptron", (X, np.where(y == c, 1, -1)), threshold="learned", rate=0.5
        )
        assert np.allclose(alone[-1].state.w, trace[-1].state.V[c])


def test_same_weights_as_scikit_learn() -> None:
    X, y = TRIANGLE
    ours = engine.run(
        "multiclass_perceptron", (X, y), threshold="shared", theta=0.0, rate=0.5, pace=ROUND
    )
    rounds = ours[-1].state.round
    peer = Perceptron(shuffle=False, eta0=0.5, fit_intercept=False, tol=None, max_iter=rounds)
    theirs = OneVsRestClassifier(peer).fit(X, y)
    assert np.allclose([e.coef_[0] for e in theirs.estimators_], ours[-1].state.W)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 5), st.sampled_from(["learned", "shared"]))
def test_quick_rounds_learn_the_same(seed: int, k: int, threshold: str) -> None:
    angle = 2 * np.pi * np.arange(k) / k
    data = clusters(np.column_stack([np.cos(angle), np.sin(angle)]), n=6, spread=0.4, seed=seed)
    fine, coarse = (
        engine.run("multiclass_perceptron", data, threshold=threshold, rounds=15, pace=pace)
        for pace in (Pace(), ROUND)
    )
    assert np.array_equal(fine[-1].state.V, coarse[-1].state.V)
    assert fine[-1].state.mistakes == coarse[-1].state.mistakes


def test_a_step_changes_one_class_only() -> None:
    trace = engine.run("multiclass_perceptron", TRIANGLE)
    for step in trace:
        if step.line == "update":
            changed = (step.state.before != step.state.V).any(axis=1)
            assert np.flatnonzero(changed).tolist() == [step.state.active]


def test_comparing_distances() -> None:
    """A21 [L]: with lengths divided out a longer w no longer wins by its length."""
    X, y = TRIANGLE
    plain, fair = (engine.run("multiclass_perceptron", (X, y), normalise=n) for n in (False, True))
    assert np.array_equal(plain[-1].state.V, fair[-1].state.V)
    V = fair[-1].state.V
    place = np.array([[30.0, 30.0]])
    distances = (V[:, :2] @ place[0] - V[:, 2]) / np.linalg.norm(V[:, :2], axis=1)
    assert fair.codes(place)[0] == distances.argmax()


def test_cycle_is_found() -> None:
    """mmds A17 on integer data: the weights of a round come again."""
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], float), np.array([0, 1, 1, 0])
    trace = engine.run("multiclass_perceptron", (X, y), rate=1.0, rounds=200)
    at = trace.when("cycle")[0]
    ends = {s.state.round: s.state.V for s in trace if s.line in ("start", "until")}
    assert np.array_equal(ends[trace[at].note["cycle"]], trace[at].state.V)


def test_every_class_has_its_line() -> None:
    trace = engine.run("multiclass_perceptron", TRIANGLE)
    layers = trace.algorithm.scene(trace.given, trace[-1]).layers
    assert sorted(layer.group for layer in layers if isinstance(layer, Line)) == [0, 1, 2]


def test_goes_on_from_a_state() -> None:
    whole = engine.run("multiclass_perceptron", TRIANGLE, pace=ROUND)
    run = engine.Run(whole.algorithm, whole.problem, whole.params, pace=ROUND, start=whole[1].state)
    run.advance()
    assert np.array_equal(run.trace[-1].state.V, whole[-1].state.V)


def winner(N: np.ndarray, b: np.ndarray, places: np.ndarray) -> np.ndarray:
    scores = places @ N.T + b
    return np.where(scores.max(1) > 0, scores.argmax(1), -1)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 6))
def test_borders_divide_exactly_the_regions(seed: int, k: int) -> None:
    """On both sides of a border are two different regions, and no way from one region to another
    avoids all borders.
    """
    rng = np.random.default_rng(seed)
    N, b = rng.normal(size=(k, 2)), rng.normal(size=k)
    ends = borders(N, b, 1e3)
    for start, end in ends:
        middle = start + rng.uniform(0.2, 0.8) * (end - start)
        across = np.array([end[1] - start[1], start[0] - end[0]])
        across *= 1e-9 * np.abs(middle).max() / np.linalg.norm(across) + 1e-9 / np.linalg.norm(
            across
        )
        sides = winner(N, b, np.array([middle - across, middle + across]))
        assert sides[0] != sides[1]
    P, Q = rng.uniform(-3, 3, (2, 40, 2))
    for p, q, apart in zip(P, Q, winner(N, b, P) != winner(N, b, Q), strict=True):
        crossed = [crosses(p, q, start, end) for start, end in ends]
        assert any(crossed) or not apart


def crosses(p: np.ndarray, q: np.ndarray, start: np.ndarray, end: np.ndarray) -> bool:
    t = np.linalg.solve(np.column_stack([q - p, start - end]), start - p)
    return bool(((t >= -1e-9) & (t <= 1 + 1e-9)).all())


def test_borders_are_drawn_and_none_where_all_scores_are_equal() -> None:
    trace = engine.run("multiclass_perceptron", clusters([[0, 3], [3, -1], [-3, -1]]))
    first, last = (trace.algorithm.scene(trace.given, trace[i]).layers for i in (0, -1))
    assert not any(isinstance(layer, Segments) for layer in first)
    drawn = next(layer for layer in last if isinstance(layer, Segments))
    assert drawn.role is Role.BOUNDARY
    assert len(drawn.ends) >= 3
    assert np.isfinite(drawn.ends).all()


def on_paper(
    rows: list[list[int]], y: list[int], k: int, tenths: int, learned: bool, rounds: int
) -> list[tuple]:
    """(weights, mistakes, the earlier round with these weights) of each round on tenths, in
    fractions.
    """
    X = [[*(Fraction(v, 10) for v in row), Fraction(-1)] for row in rows]
    eta = Fraction(tenths, 10)
    V = [[Fraction(0)] * len(X[0]) for _ in range(k)]
    found = []
    seen = {str(V): 0}
    for at in range(1, rounds + 1):
        slips = 0
        for x, label in zip(X, y, strict=True):
            for c, v in enumerate(V):
                side = 1 if label == c else -1
                if side * sum(a * b for a, b in zip(v, x, strict=True)) <= 0:
                    V[c] = [a + eta * side * b for a, b in zip(v, x, strict=True)]
                    V[c][-1] *= learned
                    slips += 1
        found.append(([list(v) for v in V], slips, seen.get(str(V)) if slips else None))
        seen[str(V)] = at
        if not slips:
            break
    return found


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([1, 2, 3, 5, 7]), st.booleans(), st.integers(2, 3))
def test_tenths_are_learnt_as_on_paper(seed: int, tenths: int, learned: bool, k: int) -> None:
    """The same mistakes, rounds and circles as in fractions, at every pace; and so the same as
    tenfold whole numbers.
    """
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(k, 8)), int(rng.integers(1, 4))
    rows, y = rng.integers(-9, 10, (n, d)).tolist(), (np.arange(n) % k).tolist()
    wanted = on_paper(rows, y, k, tenths, learned, 40)
    threshold = "learned" if learned else "shared"
    for level in (Level.DETAIL, Level.ROUND):
        trace = engine.run(
            "multiclass_perceptron",
            (np.array(rows) / 10, [f"c{c}" for c in y]),
            threshold=threshold,
            rate=tenths / 10,
            rounds=40,
            pace=Pace(level),
        )
        ends = [step for step in trace if step.line == "until"]
        assert [int(step.state.slips.sum()) for step in ends] == [slips for _, slips, _ in wanted]
        assert [step.note["cycle"] for step in ends] == [cycle for *_, cycle in wanted]
        assert ("converged" in ends[-1].events) == (wanted[-1][1] == 0)
        assert np.allclose(ends[-1].state.V, np.array(wanted[-1][0], float), atol=1e-9)


def test_nine_rounds_on_tenths() -> None:
    """On tenfold whole numbers w is (−3, 0.5) after 9 rounds; rounding once ended these in round 6,
    at (−0.2, 0).
    """
    trace = engine.run(
        "multiclass_perceptron",
        ([[-0.2, -0.5], [0, -0.2]], ["c0", "c1"]),
        rate=0.5,
        threshold="shared",
    )
    assert trace[-1].state.round == 9
    assert np.allclose(trace[-1].state.W[0], [-0.3, 0.05])


@pytest.mark.slow
@pytest.mark.parametrize("normalise", [False, True])
def test_where_a_score_is_zero_or_shared_all_answers_agree(normalise: bool) -> None:
    """w of c0 is a multiple of (2, −1), θ one of −1, so the score at (1, 3) is 0 on paper: predict,
    why and the field say so at every step.
    """
    X = np.array([[2, -2], [2, -2], [-2, 2], [-2, 2], [2, -1], [2, -1]], float)
    y = ["c1", "c0", "c0", "c1", "c0", "c0"]
    trace = engine.run("multiclass_perceptron", (X, y), rate=0.3, normalise=normalise, rounds=6)
    algorithm, problem, p = trace.algorithm, trace.problem, trace.params
    grid, on_line = Grid.over((-6.5, 6.5), (-6.5, 6.5), 13), 0  # whole numbers
    for at in range(0, len(trace), 16):
        s = trace[at].state
        said = algorithm.predict(algorithm.setting(problem, p), s, grid.points())
        assert (
            algorithm.fields["class"](algorithm.setting(problem, p), s, grid).ravel().tolist()
            == said.tolist()
        )
        why = [algorithm.explain(algorithm.setting(problem, p), s, x) for x in grid.points()]
        assert [e.label for e in why] == said.tolist()
        tenths = [[Fraction(round(v * 10), 10) for v in row] for row in s.V.tolist()]
        for x, label in zip(grid.points().tolist(), said.tolist(), strict=True):
            exact = [
                sum((a * Fraction(b) for a, b in zip(v, [*x, -1], strict=True)), Fraction(0))
                for v in tenths
            ]
            if max(exact) <= 0:
                assert label == -1
                on_line += max(exact) == 0
    assert on_line > 50


@pytest.mark.parametrize("unit", [1e-3, 1e-6, 1e-7, 1e-9, 1e-12])
def test_tiny_columns_are_called_as_they_are_learnt(unit: float) -> None:
    """A weight of 0 has no rounding, in prediction as in training: the perceptrons said converged,
    and no class was called.
    """
    problem = engine.algorithms()["multiclass_perceptron"].example()
    X = problem.X * unit
    y = problem.labels(problem.codes)
    trace = engine.run("multiclass_perceptron", (X, y), rounds=1000)
    assert "converged" in trace.events[-1]
    assert trace[-1].state.errors == 0
    assert trace.predict(X).tolist() == y.tolist()


def test_the_scores_of_the_point_move_in_one_class() -> None:
    """Amber and the tick before belong to the class whose weights this step changed."""
    trace = engine.run("multiclass_perceptron", engine.textbook("dogs"), rounds=3)
    for step in (t for t in trace if t.line == "update"):
        s = step.state
        scene = trace.algorithm.scene(trace.given, step)
        bars = next(f for f in scene.figures if f.title.startswith("Classes"))
        x = np.append(trace.problem.X[s.current], -1.0)
        np.testing.assert_allclose(bars.values, s.V @ x)
        np.testing.assert_allclose(bars.before, s.before @ x)
        assert [k for k, r in enumerate(bars.roles) if r is Role.ACTIVE] == [s.active]
        name, way = trace.problem.class_text(s.active), scene.layers[-1].label[0]
        low = s.active == trace.problem.codes[s.current]
        assert way.endswith(f"{name} was too {'low' if low else 'high'}")
