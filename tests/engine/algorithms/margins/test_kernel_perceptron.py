"""The kernelised perceptron against AIMA 18.9 by hand, the perceptron on lifted points, fractions,
and its own laws.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine import Level, Pace
from engine.base.grid import Grid
from engine.protocol.registry import algorithm
from engine.scene.scene import Bars, Blocks, Field, Line, Matrix, Points, Role, Space, Table

METHOD = algorithm("kernel_perceptron")
CORNERS, XOR = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]], float), np.array([-1, 1, 1, -1])


def run(X, y, **params):
    return engine.run("kernel_perceptron", (np.asarray(X, float), np.asarray(y)), **params)


def figure(trace, at, kind):
    return next(f for f in METHOD.scene(trace.given, trace[at]).figures if isinstance(f, kind))


def lines(trace, line):
    return [step for step in trace if step.line == line]


# -- by hand ---------------------------------------------------------------------------------------


def test_exclusive_or_by_hand() -> None:
    """(1 + x·z)² of the corners is 9 on the diagonal and 1 beside it: each corner is wrong once, −9
    or 9 ± others.
    """
    trace = run(CORNERS, XOR, kernel="polynomial", degree=2)
    assert [step.details["score"] for step in trace if step.line in ("test", "update")][:4] == [
        0,
        -1,
        0,
        1,
    ]
    assert trace[-1].state.counts.tolist() == [1, 1, 1, 1]
    assert trace[-1].state.scores.tolist() == [-8, 8, 8, -8]
    assert trace[-1].events == ("round", "converged")
    assert (trace.predict(CORNERS) == XOR).all()


def test_no_line_for_exclusive_or_ends_in_a_circle() -> None:
    """With x·z the first corner and its opposite cancel: (−1, −1), − and (1, 1), −."""
    trace = run(CORNERS, XOR, kernel="linear")
    assert trace[-1].events == ("round", "cycle")
    ends = [step.state.scores.tolist() for step in trace if step.line in ("start", "until")]
    assert ends[trace[-1].note["cycle"]] == ends[-1]
    assert trace[-1].state.errors > 0
    assert "no end" in trace[-1].note.text()


def test_the_note_of_a_mistake_has_its_operands() -> None:
    """Second corner: score 1 · (−1) · K = −1 with y = +1, so y Σ c y K = −1; afterwards
    −1 + 9 = 8.
    """
    note = lines(run(CORNERS, XOR, degree=2), "update")[1].note
    assert (note["a0"], note["y0"], note["K0"], note["score"]) == (1, "(−1)", 1.0, -1.0)
    assert (note["margin"], note["margin_after"]) == (-1.0, 8.0)
    assert (note["count"], note["count_after"]) == (0, 1)
    assert (note["errors"], note["errors_after"]) == (2, 2)


def test_a_score_of_zero_is_wrong_or_it_would_never_begin() -> None:
    trace = run(CORNERS, XOR)
    assert trace[0].state.errors == 4
    assert trace[-1].state.mistakes > 0


# -- the same as ... -------------------------------------------------------------------------------


def lifted(X: np.ndarray) -> np.ndarray:
    return np.column_stack([X[:, 0] ** 2, X[:, 1] ** 2, np.sqrt(2) * X[:, 0] * X[:, 1]])


@pytest.mark.parametrize("threshold", ["zero", "learned"])
@pytest.mark.parametrize(("kernel", "lift"), [("linear", lambda X: X), ("quadratic", lifted)])
def test_it_is_the_perceptron_in_the_lifted_space(kernel: str, lift, threshold: str) -> None:
    """aima A74, A70: counts are the mistakes that the perceptron makes about each lifted example, w
    = Σ c y F(x).
    """
    rng = np.random.default_rng(5)
    X = rng.normal(size=(30, 2))
    y = (
        np.where((X**2).sum(1) < 1.2, 1, -1)
        if kernel == "quadratic"
        else np.where(X @ [1, 2] > 0.3, 1, -1)
    )
    ours = run(X, y, kernel=kernel, threshold=threshold, rounds=9)
    plain = engine.run(
        "perceptron", (lift(X), y), rate=1.0, threshold=threshold, stop="rounds", rounds=9
    )
    wrong = np.bincount([step.state.current for step in lines(plain, "update")], minlength=30)
    assert ours[-1].state.round >= 2
    same = next(
        step.state for step in lines(plain, "until") if step.state.round == ours[-1].state.round
    )
    assert ours[-1].state.mistakes == same.mistakes
    if ours.finished and plain[-1].state.round == ours[-1].state.round:
        assert ours[-1].state.counts.tolist() == wrong.tolist()
    w = (ours[-1].state.counts * ours.problem.sign) @ lift(X)
    assert np.allclose(w, same.w[: w.size])
    assert ours[-1].state.b == pytest.approx(-same.w[w.size] if threshold == "learned" else 0.0)


KERNELS = {
    "linear": lambda u, v, t: t,
    "quadratic": lambda u, v, t: t**2,
    "polynomial": lambda u, v, t: (1 + t) ** 3,
}


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(sorted(KERNELS)), st.booleans())
def test_every_decision_is_as_in_fractions(seed: int, kernel: str, learned: bool) -> None:
    """Tenths, whose dot products are rounded: what is 0 on paper is wrong here too."""
    rng = np.random.default_rng(seed)
    tenths = rng.integers(-5, 6, (7, 2))
    y = np.where(np.arange(7) % 2, 1, -1)
    X = [[Fraction(int(v), 10) for v in row] for row in tenths]
    K = [
        [KERNELS[kernel](u, v, sum(a * b for a, b in zip(u, v, strict=True))) + learned for v in X]
        for u in X
    ]
    counts = [0] * 7
    expected = []
    for _ in range(4):
        for i in range(7):
            if (
                int(y[i]) * sum(c * int(s) * k for c, s, k in zip(counts, y, K[i], strict=True))
                <= 0
            ):
                counts[i] += 1
        expected.append(list(counts))
    trace = run(
        tenths / 10,
        y,
        kernel=kernel,
        degree=3,
        threshold="learned" if learned else "zero",
        rounds=4,
    )
    ends = [step.state.counts.tolist() for step in lines(trace, "until")]
    assert ends == expected[: len(ends)]


@pytest.mark.parametrize("kernel", ["linear", "quadratic", "polynomial", "rbf"])
@pytest.mark.parametrize("threshold", ["zero", "learned"])
@pytest.mark.parametrize("data", ["moons", "circles"])
def test_all_paces_come_to_the_same_bits(kernel: str, threshold: str, data: str) -> None:
    table = engine.generate(data, 40, seed=3)
    fine, *coarse = (
        engine.run(
            "kernel_perceptron",
            table,
            kernel=kernel,
            threshold=threshold,
            rounds=6,
            pace=Pace(level),
        )
        for level in (Level.DETAIL, Level.STEP, Level.ROUND)
    )
    for trace in coarse:
        s, t = trace[-1].state, fine[-1].state
        assert s.counts.tobytes() == t.counts.tobytes()
        assert s.scores.tobytes() == t.scores.tobytes()
        assert (s.errors, s.mistakes, s.round) == (t.errors, t.mistakes, t.round)


@pytest.mark.parametrize("kernel", ["linear", "quadratic", "polynomial", "rbf"])
@pytest.mark.parametrize("threshold", ["zero", "learned"])
def test_the_surface_is_the_sum_of_the_kernels(kernel: str, threshold: str) -> None:
    """Per axis or not: Σ c y K at every place, and what is kept of the examples is what is scored
    anew.
    """
    trace = engine.run(
        "kernel_perceptron",
        engine.generate("moons", 30, seed=2),
        kernel=kernel,
        threshold=threshold,
        rounds=5,
    )
    s = trace[-1].state
    grid = Grid.over((-2, 3), (-1, 2), 9)
    given = trace.given
    X = trace.problem.X
    P = grid.points()
    T = P @ X.T
    far = ((P[:, None] - X) ** 2).sum(2)
    K = {"linear": T, "quadratic": T**2, "polynomial": (1 + T) ** 2, "rbf": np.exp(-far)}[kernel]
    b = float(s.counts @ trace.problem.sign) if threshold == "learned" else 0.0
    assert np.allclose(
        METHOD.fields["score"](given, s, grid).ravel(), K @ (s.counts * trace.problem.sign) + b
    )
    assert np.allclose(trace.scores(X), s.scores)
    assert int(trace.wrong(at=-1).sum()) == s.errors


def test_resuming_keeps_the_counts_and_goes_on() -> None:
    whole = run(CORNERS, XOR, rounds=3)
    halfway = lines(whole, "until")[0].state
    rest = engine.Run(METHOD, whole.problem, whole.params, start=halfway)
    rest.advance(max_steps=100)
    assert rest.trace[-1].state.counts.tolist() == whole[-1].state.counts.tolist()


def test_other_kernels_and_other_tables_cannot_go_on_with_old_scores() -> None:
    """The counts stay; what they come to under another kernel is computed again."""
    first = run(CORNERS, XOR, kernel="linear", rounds=1)
    other = engine.Run(
        METHOD, first.problem, METHOD.params(kernel="polynomial", degree=2), start=first[-1].state
    )
    other.advance(max_steps=3)
    counts = first[-1].state.counts
    K = (1 + CORNERS @ CORNERS.T) ** 2
    assert np.allclose(other.trace[0].state.scores, K @ (counts * first.problem.sign))
    stranger = engine.Run(
        METHOD, engine.prepare(engine.generate("moons", 10)), METHOD.params(), start=first[-1].state
    )
    with pytest.raises(engine.EngineError, match="start again"):
        stranger.advance()


# -- the picture -----------------------------------------------------------------------------------


def test_the_picture_shows_counts_as_sizes_and_the_row_that_is_summed() -> None:
    trace = run(CORNERS, XOR, degree=2)
    at = next(
        k for k, step in enumerate(trace) if step.line == "update" and step.state.current == 2
    )
    scene = METHOD.scene(trace.given, trace[at])
    s = trace[at].state
    (points,) = (
        layer for layer in scene.layers if isinstance(layer, Points) and layer.role is Role.POINT
    )
    assert points.weight is not None and points.weight.tolist() == s.counts.tolist() == [1, 1, 1, 0]
    assert figure(trace, at, Matrix).active == ((2, 0), (2, 1), (2, 2), (2, 3))
    assert figure(trace, at, Matrix).values[2].tolist() == [1, 1, 9, 1]
    sums = figure(trace, at, Blocks)
    counted, kernel, terms = sums.blocks
    # what the mistake was found with: c = (1, 1, 0, 0), classes side by side
    order = np.argsort(trace.problem.codes, kind="stable")
    cy = np.array([1, 1, 0, 0]) * trace.problem.sign
    K = (1 + CORNERS @ CORNERS.T) ** 2
    assert counted.values.tolist() == [cy[order].tolist()]
    assert kernel.values.tolist() == K[np.ix_(order, order)].tolist()
    assert kernel.frames == ((order.tolist().index(2), 0, 1, 4),)
    assert terms.values.tolist() == [(cy * K[2])[order].tolist()]
    assert f"= {float(cy @ K[2]):.2f}" in sums.notes[0][0].replace("−", "-")
    bars = figure(trace, at, Bars)
    assert (bars.values.tolist(), bars.before.tolist()) == ([1, 1, 1, 0], [1, 1, 0, 0])
    assert bars.labels == ("c₁", "c₂", "c₃", "c₄")
    assert figure(trace, at, Table).columns[-1].values.tolist() == [1, 1, 1, 0]
    assert any(isinstance(layer, Field) and layer.boundary for layer in scene.layers)


def test_a_linear_kernel_draws_its_line_and_a_quadratic_one_its_plane() -> None:
    X, y = [[2.0, 1.0], [1.0, -2.0], [-1.0, -1.0]], [1, 1, -1]
    trace = run(X, y, kernel="linear", threshold="learned")
    (line,) = (
        layer for layer in METHOD.scene(trace.given, trace[-1]).layers if isinstance(layer, Line)
    )
    s = trace[-1].state
    assert line.w.tolist() == ((s.counts * [1, 1, -1]) @ np.array(X)).tolist()
    assert line.b == s.b
    ring = run(CORNERS, XOR, kernel="quadratic", rounds=3)
    w, b, role = figure(ring, -1, Space).planes[0]
    assert w.tolist() == ((ring[-1].state.counts * XOR) @ lifted(CORNERS)[:, [2, 0, 1]]).tolist()
    assert (b, role) == (0.0, Role.BOUNDARY)


# -- circles ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", ["polynomial", "linear", "quadratic", "rbf"])
@pytest.mark.parametrize("threshold", ["zero", "learned"])
@pytest.mark.parametrize("scale", [1e-9, 1e-7, 1e-5])
@given(seed=st.integers(0, 500))
@settings(max_examples=8, deadline=None)
def test_classes_that_can_be_separated_are_never_said_not_to_be(
    kernel, threshold, scale, seed
) -> None:
    """A line through 0 has a margin between the classes, however small the numbers are that they
    are told by.
    """
    rng = np.random.default_rng(seed)
    y = np.array([1, -1, 1, -1, 1, -1])
    X = np.column_stack([y * rng.uniform(0.5, 1, 6), rng.uniform(-1, 1, 6)])
    if kernel == "quadratic":  # separated by x1² − x2²
        X = np.where(y[:, None] > 0, np.abs(X) * [1, 0.1], np.abs(X) * [0.1, 0] + [0, 0.5])
    trace = run(X * scale, y, kernel=kernel, threshold=threshold, rounds=20, pace=Pace(Level.ROUND))
    assert not any("cycle" in step.events for step in trace)
    assert "no such boundary" not in trace[-1].note.text()


def test_exclusive_or_of_small_corners_stays_open() -> None:
    """x1 x2 separates them; at corners of 1e-5 it is 1e-10 of 1e-10 of K."""
    trace = run(CORNERS * 1e-5, XOR, rounds=30, pace=Pace(Level.ROUND))
    assert trace[-1].state.round == 30
    assert "stays open" in trace[-1].note.text()


@pytest.mark.parametrize("kernel", ["polynomial", "linear", "quadratic", "rbf"])
@pytest.mark.parametrize("scale", [1e-7, 0.1, 1.0, 1e5])
def test_one_place_with_two_classes_is_a_circle_on_every_scale(kernel, scale) -> None:
    trace = run(np.array([[1.0, 2.0], [1.0, 2.0]]) * scale, [1, -1], kernel=kernel, rounds=50)
    assert trace[-1].events == ("round", "cycle")


@pytest.mark.parametrize("scale", [1e-7, 0.1, 1.0, 1e5])
def test_exclusive_or_has_no_line_on_any_scale(scale) -> None:
    trace = run(CORNERS * scale, XOR, kernel="linear", rounds=50)
    assert trace[-1].events == ("round", "cycle")


# -- bad input -------------------------------------------------------------------------------------


def test_contradictions_and_numbers_too_large_say_so() -> None:
    twice = run([[1, 2], [1, 2]], [1, -1])
    assert twice[-1].events == ("round", "cycle")
    assert twice[-1].note["cycle"] == 0
    with pytest.raises(engine.EngineError, match="too large"):
        run([[1e150, 0], [0, 1e150]], [1, -1], kernel="quadratic")
    with pytest.raises(engine.EngineError, match="two classes"):
        run([[1, 2], [2, 1]], [1, 1])


def test_rows_without_a_class_are_never_counted() -> None:
    data = engine.Dataset.from_columns(
        {"x": [1.0, 2.0, -1.0, 5.0], "z": [0.0, 1.0, 1.0, 5.0], "y": ["a", "a", "b", None]}, "y"
    )
    trace = engine.run("kernel_perceptron", data, kernel="rbf")
    assert 3 not in {step.state.current for step in trace}
    assert trace[-1].state.counts[3] == 0


def test_the_heading_says_how_many_mistakes_a_round_made() -> None:
    trace = engine.run("kernel_perceptron", METHOD.example())
    for step in trace:
        if step.line == "until":
            said = METHOD.scene(trace.given, step).plane
            count = step.note["mistakes"]
            assert ("no mistake" if not count else f": {count:g} mistake") in said


def test_the_sum_of_the_picture_is_that_of_the_words() -> None:
    """The bars add up to the score, with b as one of them where it is learnt; so do the numbers."""
    moons = engine.generate("moons", 20, seed=1)
    for threshold in ("learned", "zero"):
        trace = engine.run("kernel_perceptron", moons, threshold=threshold, max_steps=30)
        for step in trace:
            if step.line not in ("test", "update"):
                continue
            blocks = trace.algorithm.scene(trace.given, step).figures[0]
            terms = blocks.blocks[-1].values[0]
            score = step.details["score"]
            assert np.nansum(terms) == pytest.approx(score)
            assert np.isnan(terms).sum() == (threshold == "learned")
            ((said, _),) = blocks.notes
            assert f"{abs(score):.2f}" in said
