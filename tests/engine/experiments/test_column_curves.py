"""Learning curves by columns against scikit-learn's fits, and what the texts say of missing and
irrelevant columns.
"""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

import engine
from engine.base.errors import EngineError
from engine.scene.scene import Boxes, Points, Polyline, Role

NEAR = "nearest_neighbours"


def test_each_table_is_judged_on_the_same_rows() -> None:
    data = engine.generate("moons", 30, 0.2, seed=3)
    trace = engine.run("column_curves", data, learner=NEAR, sizes=2, trials=2, irrelevant=4)
    X, y = trace.problem.X, trace.problem.codes
    rng = np.random.default_rng(0)
    chance = rng.uniform(X.min(), X.max(), (30, 4))
    tables = (X, X[:, 1:], np.column_stack([X, chance]))
    tested = [step.state for step in trace if step.line == "test"]
    assert len(tested) == 4
    for s in tested:
        order = rng.permutation(30)
        rng.integers(2**31 - 1)  # the seed of the learner
        rows, others = order[: s.size], order[s.size :]
        for table, errors in zip(tables, s.errors, strict=True):
            near = KNeighborsClassifier(1).fit(table[rows], y[rows])
            assert errors.last == pytest.approx(1 - near.score(table[others], y[others]))


def test_a_missing_attribute_keeps_the_error_up_and_irrelevant_ones_cost_rows() -> None:
    """LS, Performance measurement: realizable, missing attribute, irrelevant attributes."""
    data = engine.generate("restaurant", 120, 0.0, seed=1)
    half = {}  # of the rows, the mean errors on the three tables
    for learner in ("decision_tree", "nearest_neighbours(metric=hamming)"):
        params = {"learner": learner, "missing": "Patrons", "irrelevant": 40}
        trace = engine.run("column_curves", data, **params, sizes=3, trials=6)
        half[learner] = trace[-1].state.points[1].means
    whole, missing, _ = half["decision_tree"]
    assert missing > 2 * whole
    whole, _, irrelevant = half["nearest_neighbours(metric=hamming)"]
    assert irrelevant > whole


def test_a_penalty_of_sizes_tolerates_irrelevant_columns_better_than_one_of_squares() -> None:
    """AIMA 18.6.2, aima F24: L1 tolerates irrelevant features, L2 does not."""
    data = engine.generate("correlated", 60, 0.5, seed=2)
    more = []
    for q in (1, 2):
        learner = f"regularised_regression(q={q}, strength=0.3)"
        trace = engine.run("column_curves", data, learner=learner, irrelevant=60, sizes=3, trials=5)
        whole, _, irrelevant = trace[-1].state.points[1].means
        more.append(irrelevant / whole)
    assert more[0] < more[1]


def test_a_column_that_is_none_is_refused() -> None:
    data = engine.generate("moons", 30, seed=1)
    with pytest.raises(EngineError, match="There is no column “x9”"):
        engine.run("column_curves", data, missing="x9")


def test_without_its_only_column_a_table_leaves_the_commonest_class() -> None:
    trace = engine.run("column_curves", engine.generate("two_bells", 40, seed=1), sizes=2)
    last = [step.state for step in trace if step.line == "test"][-1]
    assert last.errors[1].last > last.errors[0].last


def test_the_name_of_the_baseline_keeps_off_those_of_the_curves() -> None:
    """At the end they stand among one another, in even distances at least; before, apart."""
    data = engine.generate("boolean_rule", 60, seed=1)
    trace = engine.run("column_curves", data, trials=2, sizes=4, learner="decision_tree")
    done = [step for step in trace if step.line == "mean"]
    for step, among in ((done[0], False), (done[-1], True)):
        plot = trace.algorithm.scene(trace.given, step).figures[0]
        named = [x for x in plot.layers if isinstance(x, Polyline) and x.label]
        assert len(named) == 4
        ways = [x for x in named if x.role is Role.SAME]
        assert len(ways) == (4 if among else 3)
        heights = sorted(x.xy[-1, 1] for x in ways)
        low, high = plot.y_range
        assert (np.diff(heights) > 0.06 * (high - low)).all()


def test_the_three_tables_are_seen_before_anything_is_learnt() -> None:
    data = engine.generate("moons", 30, seed=1)
    trace = engine.run("column_curves", data, sizes=2, irrelevant=3, missing="x2")
    plot = trace.algorithm.scene(trace.given, trace[0]).figures[0]
    boxes = [layer for layer in plot.layers if isinstance(layer, Boxes)]
    counts = [
        sum(len(x.bounds) for x in boxes if x.tag == f"table {k}" and x.role is not Role.GHOST)
        for k in range(3)
    ]
    assert counts == [2, 1, 5]
    (gone,) = (layer for layer in boxes if layer.role is Role.GHOST)
    assert gone.bounds[0, 0] == 1  # x2 is the second


def test_each_name_has_the_mark_of_its_table_and_stands_beside_its_newest_trial() -> None:
    trace = engine.run("column_curves", engine.generate("restaurant", 40, 0.0, seed=1), trials=2)
    for step in (s for s in trace if s.line == "test"):
        layers = trace.algorithm.scene(trace.given, step).figures[0].layers
        names = [x for x in layers if isinstance(x, Polyline) and x.role is Role.SAME]
        marks = [x for x in layers if isinstance(x, Points) and x.role is Role.SAMPLE]
        now = [x for x in layers if isinstance(x, Points) and x.role is Role.ACTIVE]
        for point in now:
            (way,) = (x for x in names if x.tag == point.tag)
            (mark,) = (x for x in marks if x.tag == point.tag)
            assert mark.group.tolist() == point.group.tolist()
            assert way.xy[0, 1] == point.xy[0, 1]
            assert (way.xy[:, 0] > point.xy[0, 0]).all()
