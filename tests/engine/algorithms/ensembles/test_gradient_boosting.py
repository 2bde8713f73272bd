"""Gradient boosting by hand, against scikit-learn, and by its own laws.

Extension (Friedman 2001).
"""

from itertools import pairwise
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

import engine
from engine.base.errors import EngineError
from engine.base.grid import Grid
from engine.base.records import field_names
from engine.protocol.params import build
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.scene.scene import Boxes, Plot, Points, Polyline, Role, Tree

ALGORITHM = engine.algorithms()["gradient_boosting"]
KEY = "gradient_boosting"


def table(**columns):
    return engine.Dataset.from_columns(columns, "y", task="regress")


def cloud(n: int = 200, seed: int = 0, d: int = 3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, np.sin(2 * X[:, 0]) + X[:, 1] + 0.2 * rng.normal(size=n)


def values(n: int = 200, seed: int = 0):
    X, y = cloud(n, seed)
    return X, y, table(a=X[:, 0], b=X[:, 1], c=X[:, 2], y=y)


def of(trace, line: str):
    return [step for step in trace if step.line == line]


def test_values_by_hand() -> None:
    """Mean 4; left −3, −3, 0, 6; one test cuts the 6 off (54 − 6), the leaves answer −2 and 6; half
    of them is added.
    """
    trace = engine.run(
        KEY, table(x=[1.0, 2.0, 3.0, 4.0], y=[1.0, 1.0, 4.0, 10.0]), members=2, rate=0.5, depth=1
    )
    assert trace[0].note["start"] == 4
    first = of(trace, "residual")[0]
    assert first.state.residual.tolist() == [-3, -3, 0, 6]
    assert (first.state.current, first.note["r"]) == (3, 6)
    split = of(trace, "split")[0]
    assert (split.state.growing.point, split.note["before"], split.note["taken"]) == (
        3.5,
        54,
        pytest.approx(48),
    )
    assert [step.note["answer"] for step in of(trace, "leaf")[:2]] == pytest.approx([-2, 6])
    added = of(trace, "add")[0]
    assert added.state.F[0].tolist() == [3, 3, 3, 7]
    assert [added.note[name] for name in ("before", "answer", "after")] == [4, 6, 7]
    assert added.state.loss == pytest.approx((4 + 4 + 1 + 9) / 4)
    assert of(trace, "residual")[1].state.residual.tolist() == [-2, -2, 1, 3]


def test_classes_by_hand() -> None:
    """p, p, p, q: F = log 3, p = ¾, left ¼, ¼, ¼, −¾.

    The leaves: ¾/(3 · 3/16) = 4/3 and −¾/(3/16) = −4.
    """
    data = engine.Dataset.from_columns({"x": [1.0, 2.0, 3.0, 4.0], "y": list("pppq")}, "y")
    trace = engine.run(KEY, data, members=1, rate=1.0, depth=1)
    assert trace[0].note["start"] == pytest.approx(log(3))
    assert of(trace, "residual")[0].state.residual.tolist() == pytest.approx([0.25] * 3 + [-0.75])
    low, high = of(trace, "leaf")
    assert [low.note[name] for name in ("over", "under", "answer")] == pytest.approx(
        [3 / 4, 9 / 16, 4 / 3]
    )
    assert [high.note[name] for name in ("over", "under", "answer")] == pytest.approx(
        [-3 / 4, 3 / 16, -4]
    )
    F = trace[-1].state.F[0]
    assert F.tolist() == pytest.approx([log(3) + 4 / 3] * 3 + [log(3) - 4])
    chance = 1 / (1 + np.exp(-F))
    assert trace[-1].state.loss == pytest.approx(
        -np.log(np.append(chance[:3], 1 - chance[3])).mean()
    )
    assert trace.predict([[0.0], [9.0]]).tolist() == ["p", "q"]


@pytest.mark.parametrize(
    ("seed", "depth", "rate", "least"), [(0, 2, 0.3, 1), (1, 3, 0.1, 4), (2, 1, 1.0, 1)]
)
def test_values_are_those_of_scikit_learn(seed: int, depth: int, rate: float, least: int) -> None:
    X, y, data = values(seed=seed)
    trace = engine.run(KEY, data, members=15, depth=depth, rate=rate, min_leaf=least)
    peer = GradientBoostingRegressor(
        n_estimators=15, max_depth=depth, learning_rate=rate, min_samples_leaf=least, random_state=0
    ).fit(X, y)
    np.testing.assert_allclose(trace.predict(X), peer.predict(X), atol=1e-9)
    losses = [step.state.loss for step in of(trace, "add")]
    np.testing.assert_allclose(
        losses, [((y - F.ravel()) ** 2).mean() for F in peer.staged_predict(X)]
    )


@pytest.mark.parametrize("classes", [2, 3])
def test_classes_are_those_of_scikit_learn(classes: int) -> None:
    X, y = cloud(seed=3)
    codes = np.digitize(y, [0.0] if classes == 2 else [-0.6, 0.5])
    trace = engine.run(KEY, engine.Dataset.from_arrays(X, codes), members=12, depth=2, rate=0.3)
    peer = GradientBoostingClassifier(
        n_estimators=12, max_depth=2, learning_rate=0.3, random_state=0
    ).fit(X, codes)
    ours = trace.scores(X)
    theirs = peer.decision_function(X)
    if classes == 2:  # scikit-learn counts towards the second class
        ours = ours * (1 if trace.problem.classes[0] == 1 else -1)
        theirs = theirs
    else:
        order = [list(trace.problem.classes).index(c) for c in range(3)]
        ours = ours[:, order] - ours.mean(axis=1, keepdims=True)
        theirs = theirs - theirs.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(ours, theirs, atol=1e-9)
    assert np.asarray(trace.predict(X)).tolist() == peer.predict(X).tolist()
    chance = peer.predict_proba(X)[np.arange(len(X)), codes]
    assert trace[-1].state.loss == pytest.approx(-np.log(chance).mean())


def test_words_as_columns_are_tested_one_by_one() -> None:
    word = list("ppqqrr")
    y = [1.0, 1.0, 5.0, 5.0, 2.0, 2.0]
    trace = engine.run(KEY, table(w=word, x=[1.0] * 6, y=y), members=1, rate=1.0, depth=2)
    assert of(trace, "split")[0].note["question"] == "w = q"
    assert trace.predict({"w": ["p", "q", "r"], "x": [1.0] * 3}).tolist() == pytest.approx(
        [1, 5, 2]
    )


@given(st.integers(0, 10**6), st.integers(1, 3), st.floats(0.05, 1.0), st.booleans())
@settings(max_examples=4)
def test_the_loss_of_values_never_rises_and_F_is_the_sum(
    seed: int, depth: int, rate: float, classes: bool
) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, (16, 2)) / 2
    y = rng.normal(size=16)
    data = (
        engine.Dataset.from_arrays(X, np.where(y > np.median(y), 1, 0))
        if classes
        else table(a=X[:, 0], b=X[:, 1], y=y)
    )
    trace = engine.run(KEY, data, members=5, depth=depth, rate=rate)
    losses = [step.state.loss for step in trace if step.line in ("start", "add")]
    if not classes:
        assert all(after <= before + 1e-12 for before, after in pairwise(losses))
    s = trace[-1].state
    for step in of(trace, "add"):
        np.testing.assert_array_equal(trace.given.sum_of(step.state, X), step.state.F)
    assert s.errors == (trace.wrong(trace.problem).sum() if classes else 0)


def test_nothing_left_ends_the_run() -> None:
    """With all of each tree added and room for every value the second tree has nothing to learn."""
    trace = engine.run(
        KEY, table(x=[1.0, 2.0, 3.0, 4.0], y=[1.0, 1.0, 8.0, 9.0]), members=50, rate=1.0, depth=2
    )
    assert len(trace[-1].state.learners) == 1
    assert "exact" in trace[-1].events
    constant = engine.run(KEY, table(x=[1.0, 2.0, 3.0], y=[0.1, 0.1, 0.1]))
    assert len(constant[-1].state.learners) == 0
    assert constant.predict([[7.0]]).tolist() == pytest.approx([0.1])


@pytest.mark.parametrize("name", ["sine", "three_fields"])
def test_it_goes_on_from_any_moment(name: str) -> None:
    """A round that is half done is begun again."""
    data = engine.generate(name, 20, seed=1)
    whole = engine.run(KEY, data, members=3)
    for at in (0, len(whole) // 2, len(whole) - 5):
        on = engine.run(KEY, data, members=3, go_on_from=whole.start_at(at))
        assert np.array_equal(on[-1].state.F, whole[-1].state.F)
        assert len(on[-1].state.learners) == len(whole[-1].state.learners)


def test_trees_keep_what_was_added_of_them_and_their_table() -> None:
    data = engine.generate("sine", 20)
    first = engine.run(KEY, data, members=3, rate=0.5)
    on = engine.run(KEY, data, members=4, rate=0.1, go_on_from=first.start_at(len(first) - 1))
    assert on[0].state.F.tolist() == first[-1].state.F.tolist()
    assert [member.rate for member in on[-1].state.learners] == [0.5, 0.5, 0.5, 0.1]
    other = Run(ALGORITHM, engine.prepare(values(20)[2]), ALGORITHM.params(), start=first[-1].state)
    with pytest.raises(EngineError, match="another table"):
        other.advance()


def test_rows_without_a_class_are_not_learnt() -> None:
    data = engine.Dataset.from_columns({"x": [1.0, 2.0, 3.0, 9.0], "y": ["p", "p", "q", None]}, "y")
    trace = engine.run(KEY, data, members=3)
    assert trace[0].note["yes"] == 2
    assert np.isfinite(trace[-1].state.F).all()
    assert trace[-1].state.errors == 0


@pytest.mark.parametrize(
    "data",
    [
        engine.Dataset.from_arrays(np.ones((4, 2)), [0, 0, 0, 1]),
        engine.Dataset.from_arrays([[1.0], [2.0]], [0, 1]),
        engine.Dataset.from_arrays(np.arange(60.0)[:, None], np.arange(60) % 30),
        table(x=[3.0], y=[2.0]),
    ],
    ids=["equal rows", "two rows", "thirty classes", "one row"],
)
def test_odd_tables_end_in_an_answer(data) -> None:
    trace = engine.run(KEY, data, members=2)
    assert trace[-1].line == "return"
    assert np.isfinite(trace[-1].state.F).all()


def test_what_it_cannot_take_is_said() -> None:
    with pytest.raises(EngineError, match="needs two classes"):
        engine.run(KEY, engine.Dataset.from_arrays([[1.0], [2.0]], [1, 1]))
    with pytest.raises(EngineError, match="some are missing"):
        engine.run(KEY, table(x=[1.0, None], y=[1.0, 2.0]))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["moons", "three_fields", "sine", "restaurant"])
@pytest.mark.parametrize("params", [{}, {"depth": 4, "min_leaf": 3}, {"rate": 1.0}], ids=str)
def test_trees_that_are_not_watched_are_the_same(name: str, params) -> None:
    """To the last bit: stepped into, and leapt over by levels."""
    data = engine.textbook(name) if name == "restaurant" else engine.generate(name, 50, 0.3, seed=3)
    problem = engine.prepare(data)
    stepped = engine.run(KEY, problem, members=6, **params)
    leapt = engine.run(KEY, problem, members=6, pace=Pace(Level.ROUND), **params)
    rounds = [step for step in stepped if step.level is Level.ROUND]
    assert [step.line for step in leapt] == [step.line for step in rounds]
    for one, other in zip(leapt, rounds, strict=True):
        assert np.array_equal(one.state.F, other.state.F)
        assert one.state.loss == other.state.loss
    for one, other in zip(leapt[-1].state.learners, stepped[-1].state.learners, strict=True):
        for name in field_names(one):
            assert np.array_equal(
                getattr(one, name), getattr(other, name), equal_nan=name == "point"
            ), name


# -- pictures --------------------------------------------------------------------------------------


def test_surfaces_are_what_is_predicted() -> None:
    trace = engine.run(KEY, engine.generate("moons", 60, 0.3), members=6)
    grid = Grid.over((-2.0, 3.0), (-1.5, 2.0), 23)
    s = trace[-1].state
    F = trace.scores(trace.problem.from_plane(grid.points()))
    np.testing.assert_allclose(
        ALGORITHM.fields["score"](trace.given, s, grid).ravel(), np.tanh(0.5 * F), atol=1e-12
    )
    _, _, data = values(60)
    problem = engine.prepare(data, plane=("a", "b"))
    trace = engine.run(KEY, problem, members=6)
    found = (
        ALGORITHM.fields["score"](trace.given, trace[-1].state, grid).ravel()
        + trace[-1].state.start[0]
    )
    np.testing.assert_allclose(found, trace.predict(problem.from_plane(grid.points())))


@pytest.mark.parametrize("classes", [2, 3])
def test_surfaces_show_ties_as_they_are_decided(classes: int) -> None:
    """Equal classes at one place: all F are equal there but for rounding, and the first class has
    it.
    """
    X = [[1.0, 1.0]] * 6 + [[3.0, 3.0]] * 2
    y = [0, 1, 2, 0, 1, 2, 0, 1] if classes == 3 else [0, 1, 0, 1, 0, 1, 0, 1]
    trace = engine.run(KEY, engine.Dataset.from_arrays(X, y), members=5)
    grid = Grid.over((0.0, 4.0), (0.0, 4.0), 17)
    found = ALGORITHM.fields["class"](trace.given, trace[-1].state, grid)
    assert found.ravel().tolist() == trace.codes(trace.problem.from_plane(grid.points())).tolist()


@pytest.mark.parametrize("classes", [False, True])
def test_rows_of_one_column_are_tested_between_the_split_points(classes: bool) -> None:
    data = engine.generate("sine", 40)
    if classes:
        data = engine.Dataset.from_arrays(
            data.columns[0].values[:, None], (data.columns[1].values > 0).astype(int)
        )
    trace = engine.run(KEY, data, members=6)
    s = trace[-1].state
    points = np.unique(np.concatenate([m.point[m.column >= 0] for m in trace[-1].state.learners]))
    X = np.concatenate([points, np.nextafter(points, 9), np.linspace(-1, 2, 300)])[:, None]
    one_by_one = np.concatenate([trace.given.sum_of(s, row[None]) for row in X], axis=1)
    assert np.array_equal(trace.given.sum_of(s, X), one_by_one)
    assert np.isnan(trace.predict([[np.nan]] * 400).astype(float)).all() if not classes else True


def test_the_curve_jumps_where_the_trees_do_and_shows_what_it_was() -> None:
    trace = engine.run(
        KEY, table(x=[1.0, 2.0, 3.0, 4.0], y=[1.0, 1.0, 4.0, 10.0]), members=1, rate=0.5, depth=1
    )
    layers = ALGORITHM.scene(trace.given, of(trace, "add")[0]).layers
    now, old = (
        next(p for p in layers if isinstance(p, Polyline) and p.role is r)
        for r in (Role.BOUNDARY, Role.GHOST)
    )
    assert set(now.xy[now.xy[:, 0] < 3.5, 1].tolist()) == {3}
    assert set(now.xy[now.xy[:, 0] > 3.5, 1].tolist()) == {7}
    assert set(old.xy[:, 1].tolist()) == {4}


def test_what_is_left_is_drawn_with_the_leaves_over_it() -> None:
    trace = engine.run(KEY, engine.generate("moons", 30, 0.2), members=1)
    step = of(trace, "add")[0]
    (plot,) = (f for f in ALGORITHM.scene(trace.given, step).figures if isinstance(f, Plot))
    (points,) = (layer for layer in plot.layers if isinstance(layer, Points))
    (boxes,) = (layer for layer in plot.layers if isinstance(layer, Boxes))
    left = np.abs(step.state.residual)
    np.testing.assert_allclose(points.weight, left / left.max())
    assert len(boxes.bounds) == (step.state.learners[0].column < 0).sum()
    tree = step.state.learners[0].tree
    gamma = tree.label[tree.column < 0]
    assert boxes.group.tolist() == np.where(gamma > 0, 0, 1).tolist(), "the class that gains there"
    before = of(trace, "residual")[0]
    plot = ALGORITHM.scene(trace.given, before).figures[0]
    _, most = (layer for layer in plot.layers if isinstance(layer, Points))
    assert np.array_equal(most.xy, trace.problem.xy[[before.state.current]])
    assert left[before.state.current] == left.max()


def test_why_a_value_is_the_sum_of_its_parts() -> None:
    _, _, data = values(60)
    run = Run(ALGORITHM, engine.prepare(data), build(ALGORITHM.params, {"members": 50}))
    run.advance(max_steps=10**6)
    trace = run.trace
    x = np.array([0.3, -0.2, 1.0])
    said = ALGORITHM.explain(trace.given, trace[-1].state, x)
    assert said.bars.values.sum() == pytest.approx(float(trace.predict(x[None])[0]))
    assert said.bars.labels[-1] == "10 others"
    assert said.note["value"] == pytest.approx(said.note["start"] + said.note["trees"])


def test_a_mean_that_only_rounding_moves_is_shown_as_none() -> None:
    """Two thirds of one class and a third of another: what is left of them adds up to 0."""
    data = engine.Dataset.from_columns(
        {"x": [1.0, 1.0, 1.0, 2.0, 2.0, 2.0], "y": list("pqrpqr")}, "y"
    )
    trace = engine.run(KEY, data, members=1)
    shown = [line for step in trace for line in step.note.lines()]
    figures = [
        f
        for step in trace
        for f in ALGORITHM.scene(trace.given, step).figures
        if isinstance(f, Tree)
    ]
    shown += [
        part for figure in figures for node in figure.nodes for part in (node.text, node.note)
    ]
    assert not [text for text in shown if "10⁻¹" in text]


@pytest.mark.parametrize("classes", [2, 3])
def test_a_surface_parts_at_the_split_points_as_predictions_do(classes: int) -> None:
    """Places on the very split points, just below and just above them; also of an earlier round,
    and after trees were added.
    """
    rng = np.random.default_rng(classes)
    X = rng.integers(0, 9, (60, 2)) / 10
    y = rng.integers(0, classes, 60)
    trace = engine.run(KEY, engine.Dataset.from_arrays(X, y), members=12, depth=3)
    points = np.unique(np.concatenate([member.point for member in trace[-1].state.learners]))
    points = points[np.isfinite(points)]
    axis = np.unique(
        np.concatenate([points, np.nextafter(points, -1), np.nextafter(points, 1), [-1.0, 2.0]])
    )
    for at in (-1, trace.indices(Level.ROUND)[4], -1):
        found = ALGORITHM.fields["class"](trace.given, trace[at].state, Grid(axis, axis))
        places = trace.problem.from_plane(Grid(axis, axis).points())
        assert (
            found.ravel().tolist()
            == ALGORITHM.predict(trace.given, trace[at].state, places).tolist()
        )


def test_without_a_plane_every_step_leads_with_a_picture_of_the_residuals_or_the_tree() -> None:
    trace = engine.run("gradient_boosting", engine.textbook("restaurant"))
    for step in trace:
        lead, *_ = trace.algorithm.scene(trace.given, step).figures
        assert lead.is_telling
        if lead.title.startswith("Residuals"):
            y = (trace.given.problem.codes == 0).astype(float)
            p = 1 / (1 + np.exp(-step.state.F[0]))
            assert lead.layers[1].xy[:, 1] == pytest.approx(y - p)
        else:
            assert lead.title.startswith("Tree")


@pytest.mark.parametrize("data", [engine.generate("moons", 30), engine.generate("sine", 20)])
def test_an_added_tree_is_lit_and_its_example_says_how_F_moves(data) -> None:
    trace = engine.run(KEY, data, members=3)
    for step in trace:
        if step.line not in ("residual", "add"):
            continue
        scene = trace.algorithm.scene(trace.given, step)
        residuals = scene.figures[0]
        s = step.state
        lit = [layer for layer in residuals.layers if layer.role is Role.ACTIVE]
        (named,) = [layer for layer in scene.layers if layer.tag == "current"]
        if step.line == "residual":
            assert [layer.tag for layer in lit] == ["errors"]
            continue
        (tree,) = lit
        x = trace.problem.X[s.current]
        if len(trace.problem.plane) == 2:  # each cut lies at a threshold
            points = set(s.learners[-1].point[np.isfinite(s.learners[-1].point)].tolist())
            at = [a[same].item() for a, b in tree.ends for same in [a == b]]
            assert points == set(at)
        else:
            (own,) = (k for k, text in enumerate(tree.label) if text)
            (low, gamma), (high, _) = tree.ends[own]
            assert low <= x[0] <= high
            assert gamma == pytest.approx(s.learners[-1].gamma(x[None])[0])
            assert len(tree.ends) == (s.learners[-1].column < 0).sum()
        before, now = (f"{abs(float(F[s.output, s.current])):.2f}" for F in (s.before, s.F))
        assert before in named.label[0] and now in named.label[0]
