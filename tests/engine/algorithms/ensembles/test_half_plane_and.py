"""The AND of half-planes: a triangle by hand and learnt, against scikit-learn's line and by its own
laws. AIMA Fig 18.32.
"""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

import engine
from engine.algorithms.ensembles.half_plane_and.lines import fitted, log_loss, through
from engine.base.errors import EngineError
from engine.base.grid import Grid
from engine.base.work import finished
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.scene.scene import Points, Role

CORNERS = ((-1.7, -1.0), (1.7, -1.0), (0.0, 1.6))


def triangle(n: int = 120, seed: int = 0) -> engine.Dataset:
    """Points in a square, inside where they lie within the triangle: above its base and below both
    its sides.
    """
    X = np.random.default_rng(seed).uniform(-3, 3, (n, 2))
    inside = (X[:, 1] > -1) & (X[:, 1] < 1.6 - 2.6 / 1.7 * np.abs(X[:, 0]))
    return engine.Dataset.from_arrays(X, np.where(inside, "in", "out"))


def flat() -> tuple[float, ...]:
    return tuple(v for corner in CORNERS for v in corner)


def steps(trace, line):
    return [s for s in trace if s.line == line]


def test_lines_through_three_corners_make_the_triangle() -> None:
    trace = engine.run("half_plane_and", triangle(), lines="by hand", corners=flat())
    s = trace[-1].state
    assert s.errors == 0
    assert trace[-1].events == ("clean",)
    assert trace[-1].note["alone"] > 40  # no single line comes near
    for a, b, w in zip(CORNERS, (*CORNERS[1:], CORNERS[0]), s.W, strict=True):
        assert [w[:2] @ a + w[2], w[:2] @ b + w[2]] == pytest.approx([0, 0])
    assert [step.line for step in trace] == ["start", "and"]


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=3, max_size=3))
def test_the_middle_of_the_corners_is_inside_whichever_way_they_run(
    corners: list[tuple[int, int]],
) -> None:
    points = np.array(corners, float)
    for order in (points, points[::-1]):
        W = through(order)
        assert (W[:, :2] @ points.mean(axis=0) + W[:, 2] >= -1e-9).all()


def test_three_lines_learn_what_no_single_line_can() -> None:
    data = triangle()
    errors = {
        K: engine.run("half_plane_and", data, members=K, starts=8, penalty=1e-4)[-1].state.errors
        for K in (1, 3)
    }
    assert errors[1] >= 10
    assert errors[3] == 0


def test_a_line_is_that_of_scikit_learn() -> None:
    rng = np.random.default_rng(1)
    inside = rng.normal(size=(20, 2)) + 1
    own = rng.normal(size=(15, 2)) - 1
    ones = [np.column_stack([part, np.ones(len(part))]) for part in (inside, own)]
    v = finished(fitted(np.zeros(3), *ones, 0.5))
    peer = LogisticRegression(C=2.0, tol=1e-10, max_iter=1000).fit(
        np.vstack([inside, own]), [1] * 20 + [0] * 15
    )
    assert v == pytest.approx([*peer.coef_[0], peer.intercept_[0]], abs=1e-4)


@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(1, 3))
@settings(max_examples=20, deadline=None)
def test_the_loss_never_rises_and_the_end_is_stable(seed: int, K: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 7, (16, d)) / 3
    y = np.arange(16) % 3 == 0
    trace = engine.run(
        "half_plane_and",
        engine.Dataset.from_arrays(X, np.where(y, "a", "b")),
        members=K,
        starts=1,
        seed=seed,
    )
    losses = [s.state.loss for s in trace if s.line in ("assign", "learn", "until")]
    assert all(b <= a + 1e-7 * max(a, 1) for a, b in pairwise(losses))
    s = trace[-1].state
    codes = trace.problem.codes
    if any("converged" in step.events for step in trace):
        scores = trace.problem.X @ s.W[:, :-1].T + s.W[:, -1]
        assert (
            scores[codes == 1, s.owner[codes == 1]] <= scores[codes == 1].min(axis=1) + 1e-9
        ).all()
    assert (s.owner[codes == 0] == -1).all()
    assert (
        s.errors
        == (
            (trace.problem.X @ s.W[:, :-1].T + s.W[:, -1] >= -1e-12).all(axis=1) != (codes == 0)
        ).sum()
    )


def test_the_best_of_several_starts_is_kept() -> None:
    trace = engine.run("half_plane_and", triangle(), starts=6)
    ends = [
        group[-1].state
        for group in (
            [s for s in trace if s.line == "until" and s.state.trial == t] for t in range(1, 7)
        )
    ]
    assert trace[-1].state.loss == min(s.loss for s in ends) < 0.9 * max(s.loss for s in ends)


def test_each_outside_example_goes_to_the_line_that_says_yes_least() -> None:
    trace = engine.run("half_plane_and", triangle(30), starts=1)
    step = steps(trace, "assign")[0]
    s = step.state
    x = trace.problem.X
    scores = x @ s.W[:, :2].T + s.W[:, 2]
    outside = trace.problem.codes == 1
    assert s.owner[outside].tolist() == scores[outside].argmin(axis=1).tolist()
    assert [option.score for option in step.choice.options] == pytest.approx(scores[s.current])
    assert step.choice.chosen == scores[s.current].argmin()
    ranked = np.sort(scores[outside], axis=1)
    assert np.ptp(np.sort(scores[s.current])[:2]) == pytest.approx(
        (ranked[:, 1] - ranked[:, 0]).min()
    )


def test_amber_is_the_line_that_learns_or_gets_the_doubtful_example_or_the_and() -> None:
    trace = engine.run("half_plane_and", triangle(), pace=Pace(Level.DETAIL))
    for step in trace:
        s = step.state
        scene = trace.algorithm.scene(trace.given, step)
        network = scene.figures[0]
        lit = {layer.tag for layer in scene.layers if layer.role is Role.ACTIVE}
        if step.line == "assign":
            owner = int(s.owner[s.current])
            assert network.current == ((1, owner),) and network.active == ()
            assert lit == {f"unit 1 {owner}", "current"}
            outside = int(trace.given.outside.sum())
            assert network.title == f"Network: {len(s.changed)} of {outside} change their line"
        elif step.line == "learn":
            assert network.active == ((0, -1, s.line),) and lit == {f"unit 1 {s.line}"}
        else:
            assert network.active == (((1, -1, 0),) if step.line == "and" else ())
            assert not lit or step.line == "until"


def test_a_line_without_examples_stays() -> None:
    """Everything outside lies beyond one side."""
    X = np.array([[0.0, 0], [1, 0], [0, 1], [1, 1], [9, 0], [9, 1]])
    trace = engine.run(
        "half_plane_and", engine.Dataset.from_arrays(X, list("aaaabb")), members=4, starts=1
    )
    idle = [s for s in steps(trace, "learn") if "idle" in s.events]
    assert idle
    assert all(np.array_equal(s.state.W, s.state.before) for s in idle)
    assert trace[-1].state.errors == 0


@pytest.mark.parametrize("inside", ["first class", "second class"])
def test_the_surface_is_the_prediction_of_every_place(inside: str) -> None:
    trace = engine.run("half_plane_and", triangle(60), inside=inside, starts=1)
    grid = Grid(np.linspace(-3, 3, 31), np.linspace(-3, 3, 29))
    for at in (0, -1):
        said = trace.algorithm.predict(trace.given, trace[at].state, grid.points())
        fields = {
            name: of(trace.given, trace[at].state, grid).ravel()
            for name, of in trace.algorithm.fields.items()
        }
        assert np.array_equal(fields["class"], said)
        assert (said[fields["score"] > 1e-9] == 0).all()
        assert (said[fields["score"] < -1e-9] == 1).all()


def test_weights_set_by_hand_move_the_line_and_the_and_stays() -> None:
    trace = engine.run("half_plane_and", triangle(), lines="by hand", corners=flat())
    s = trace.algorithm.tweak(trace.given, trace[-1].state, (0, 2, 0), -5.0)
    assert s.W[0, 2] == -5.0
    assert not s.votes.all(axis=0).any()  # nothing is above that line and below the others
    assert s.errors == int((trace.problem.codes == 0).sum())
    with pytest.raises(EngineError, match="fixed"):
        trace.algorithm.tweak(trace.given, s, (1, 0, 0), 2.0)
    run = Run(trace.algorithm, trace.problem, trace.params, start=s)
    run.advance()
    assert [step.line for step in run.trace] == ["and"]


def test_learning_goes_on_from_lines_drawn_by_hand() -> None:
    hand = engine.run("half_plane_and", triangle(), lines="by hand", corners=flat())
    run = Run(
        hand.algorithm, hand.problem, hand.algorithm.params(penalty=1e-4), start=hand[-1].state
    )
    run.advance()
    assert run.trace[-1].state.errors == 0
    with pytest.raises(EngineError, match="start again"):
        Run(
            hand.algorithm,
            engine.prepare(triangle(60)),
            hand.algorithm.params(),
            start=hand[-1].state,
        ).advance()


def test_corners_that_are_none_are_refused_in_words() -> None:
    for corners in ((1.0, 2.0, 3.0), (0.0, 0.0, 1.0, 1.0)):
        with pytest.raises(EngineError, match="three corners"):
            engine.run("half_plane_and", triangle(), lines="by hand", corners=corners)
    wide = engine.Dataset.from_arrays(np.eye(4), list("abab"))
    with pytest.raises(EngineError, match="two columns"):
        engine.run("half_plane_and", wide, lines="by hand", corners=flat())


@pytest.mark.parametrize("unit", [1e-140, 1e-7, 1e7, 1e140])
def test_the_unit_of_the_columns_changes_no_decision(unit: float) -> None:
    here = triangle(40)
    there = engine.prepare(triangle(40)).X * unit
    other = engine.Dataset.from_arrays(
        there, np.where(engine.prepare(here).codes == 0, "in", "out")
    )
    a, b = (
        engine.run("half_plane_and", data, pace=Pace(Level.ROUND))[-1].state
        for data in (here, other)
    )
    assert a.owner.tolist() == b.owner.tolist()
    assert a.errors == b.errors


def test_the_loss_is_what_it_says() -> None:
    """One example inside at score 2, one outside at score −1, weights (3, 4) of length 5, λ = ½."""
    v = np.array([3.0, 4.0, 0.0])
    found = log_loss(v, np.array([[2.0, -1.0, 1.0]]), np.array([[1.0, -1.0, 1.0]]), 0.5)
    assert found == pytest.approx(np.log(1 + np.exp(-2)) + np.log(1 + np.exp(-1)) + 0.25 * 25)


def test_at_the_end_of_a_round_amber_is_what_changed_its_line() -> None:
    trace = engine.run("half_plane_and", triangle(), starts=2)
    before = None
    for step in (s for s in trace if s.line in ("start", "until")):
        owner = step.state.owner
        if step.line == "until":
            layers = trace.algorithm.scene(trace.given, step).layers
            amber = [x for x in layers if isinstance(x, Points) and x.role is Role.ACTIVE]
            rows = [] if before is None else np.flatnonzero(owner != before).tolist()
            marked = [xy for x in amber for xy in x.xy.tolist()]
            assert marked == trace.problem.xy[rows].tolist()
        before = owner if step.line == "until" else None
