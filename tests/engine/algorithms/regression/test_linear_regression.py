"""Linear regression against MMDS Ex 12.2 (with its errata), AIMA Eq 18.3 and scikit-learn."""

from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.decomposition import PCA
from sklearn.linear_model import LinearRegression

import engine
from engine.algorithms.regression.linear_regression.words import column_sums
from engine.base.records import replace
from engine.scene.scene import Line, Polygons, Segments

FOUR = engine.textbook("four_points_line")


def step_of(trace, line: str):
    return next(step for step in trace if step.line == line)


def data(X, y):
    return engine.Dataset.from_arrays(np.asarray(X, float), np.asarray(y, float), task="regress")


def test_mmds_example_12_2() -> None:
    """mmds D01: a = 3/5, b = 1, as exact fractions; D02: 3.2 is the sum of squares, the RMSE is
    √0.8.
    """
    trace = engine.run("linear_regression", FOUR)
    assert np.allclose(trace[-1].state.w, [1, 0.6])
    solved = step_of(trace, "solve").note
    assert solved["w1"] == F(3, 5)
    assert solved["w0"] == 1
    assert trace[-1].state.loss == pytest.approx(3.2)
    assert trace.metrics["rmse"][-1] == pytest.approx(0.894427191)
    assert step_of(trace, "loss").note["rmse"] == pytest.approx(np.sqrt(0.8))


def test_sums_are_those_of_the_printed_quadratic() -> None:
    """mmds D01: 30a² + 4b² + 20ab − 56a − 20b + 30, so Σx² = 30, N = 4, Σx = 10, Σxy = 28, Σy = 10,
    Σy² = 30.
    """
    solved = step_of(engine.run("linear_regression", FOUR), "solve").note
    assert [solved[k] for k in ("xx", "n", "x2", "xy2", "y2", "yy")] == [30, 4, 20, 56, 20, 30]


def test_sums_grow_example_by_example() -> None:
    adds = [s.note for s in engine.run("linear_regression", FOUR) if s.line == "add"]
    assert [n["xy"] for n in adds] == [2, 4, 16, 28]
    assert [n["xx"] for n in adds] == [1, 5, 14, 30]


def test_through_the_origin() -> None:
    """mmds E1(a), D04: Σxy / Σx² = 28/30 = 14/15, better than y = x (sum of squares 4)."""
    trace = engine.run("linear_regression", FOUR, through_origin=True)
    assert np.allclose(trace[-1].state.w, [0, 14 / 15])
    assert step_of(trace, "solve").note["w1"] == F(14, 15)
    assert trace[-1].state.loss == pytest.approx(30 - 28**2 / 30)
    assert trace[-1].state.loss < 4
    # the line y = 0.6x + 1 has 3.2
    assert "no other line through the origin" in step_of(trace, "loss").note.text()


def test_principal_axis_of_the_four_points_is_y_equal_x() -> None:
    """mmds C12.2, D05: perpendicular distances; D03: the vertical sum of squares of y = x is 4, its
    RMSE 1.
    """
    trace = engine.run("linear_regression", FOUR, distance="perpendicular")
    assert np.allclose(trace[-1].state.w, [0, 1])
    assert trace[-1].state.loss == pytest.approx(4)
    assert trace.metrics["rmse"][-1] == pytest.approx(1)
    assert step_of(trace, "loss").note["loss"] == pytest.approx(2)


def test_house_prices_give_the_printed_line() -> None:
    """aima B09: the stand-in is made so that the line is y = 0.232x + 246."""
    trace = engine.run("linear_regression", engine.generate("houses"))
    assert np.allclose(trace[-1].state.w, [246, 0.232], rtol=1e-6)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 6), st.booleans())
def test_agrees_with_scikit_learn(seed: int, d: int, origin: bool) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(20, d)) * 10 ** rng.uniform(-1.5, 1.5, d) + rng.normal(
        size=d
    )  # scikit-learn cuts off below 1e-6
    y = rng.normal(size=20) + 0.001
    trace = engine.run("linear_regression", data(X, y), through_origin=origin)
    oracle = LinearRegression(fit_intercept=not origin).fit(X, y)
    assert np.allclose(trace.predict(X), oracle.predict(X), atol=1e-7)
    assert np.allclose(trace[-1].state.w[1:] * X.std(0), oracle.coef_ * X.std(0), atol=1e-7)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 4))
def test_perpendicular_line_is_the_first_components_plane(seed: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(15, d))
    y = X.sum(1) + 0.3 * rng.normal(size=15)
    w = engine.run("linear_regression", data(X, y), distance="perpendicular")[-1].state.w
    normal = PCA().fit(np.column_stack([X, y])).components_[-1]
    assert np.allclose(
        np.append(w[1:], -1) / np.linalg.norm(np.append(w[1:], 1)), -normal * np.sign(normal[-1])
    )


def test_equal_x_take_the_smallest_weights_and_say_so() -> None:
    """aima A33 trap: all x equal, no unique line."""
    trace = engine.run("linear_regression", data([[2.0], [2.0], [2.0]], [1.0, 2.5, 4.0]))
    assert np.allclose(trace[-1].state.w, [2.5, 0])
    assert "not unique" in step_of(trace, "solve").events
    twins = engine.run("linear_regression", data([[1, 1], [2, 2], [4, 4]], [1.0, 2.0, 4.5]))
    assert twins[-1].state.w[1] == pytest.approx(twins[-1].state.w[2])
    assert not twins[-1].state.unique


def test_upright_axis_and_round_cloud() -> None:
    with pytest.raises(engine.EngineError, match="upright"):
        engine.run(
            "linear_regression",
            data([[1.0], [1.0], [1.0]], [0.0, 1.5, 5.0]),
            distance="perpendicular",
        )
    cross = data([[1.0], [-1.0], [0.0], [0.0]], [0.5, 0.5, 1.5, -0.5])
    tied = engine.run("linear_regression", cross, distance="perpendicular")
    assert "not unique" in step_of(tied, "solve").events
    assert np.allclose(tied[-1].state.w, [0.5, 0])


def test_squares_stand_on_the_residuals() -> None:
    """The area of each square is the squared residual where x and y share one scale."""
    trace = engine.run("linear_regression", FOUR)
    scene = trace.algorithm.scene(trace.given, trace[-1])
    rings = next(layer for layer in scene.layers if isinstance(layer, Polygons)).rings
    areas = [np.linalg.norm(r[1] - r[0]) * np.linalg.norm(r[2] - r[1]) for r in rings]
    assert sum(areas) == pytest.approx(3.2)
    line = next(layer for layer in scene.layers if isinstance(layer, Line) and layer.tag == "w")
    ends = next(layer for layer in scene.layers if isinstance(layer, Segments)).ends
    assert np.allclose(ends[:, 1] @ line.w + line.b, 0)
    assert scene.equal_scales
    houses = engine.run(
        "linear_regression", engine.generate("houses")
    )  # feet and dollars: one scale would waste the plane
    assert not houses.algorithm.scene(houses.given, houses[-1]).equal_scales


def test_rows_without_a_value_are_left_out() -> None:
    table = engine.Dataset.from_columns(
        {"x": [1.0, 2, 3, 4, 9], "y": [2.0, 1, 4, 3, None]}, "y", task="regress"
    )
    trace = engine.run("linear_regression", table)
    assert np.allclose(trace[-1].state.w, [1, 0.6])
    for step in trace:
        trace.algorithm.scene(trace.given, step)


def test_numbers_that_cannot_be_squared_are_a_sentence() -> None:
    """Tables hold none; a script may make its own problem."""
    problem = replace(
        engine.prepare(data([[1.0], [2.0]], [1.0, 2.5])), X=np.array([[1e200], [2.0]])
    )
    with pytest.raises(engine.EngineError, match="larger unit"):
        engine.run("linear_regression", problem)


def test_several_columns_draw_no_squares_on_a_section() -> None:
    """What is predicted from both columns does not lie on the line over the first; the words say
    that it is a section.
    """
    trace = engine.run("linear_regression", engine.generate("correlated"))
    step = step_of(trace, "loss")
    assert np.allclose(step.state.w, [0, 0.3, 1])
    kinds = {type(layer) for layer in trace.algorithm.scene(trace.given, step).layers}
    assert not kinds & {Polygons, Segments}
    assert "section" in step.note.text()


def test_explaining_hides_what_is_only_rounding() -> None:
    """w₀ of centred columns is 1e-17, not 0."""
    trace = engine.run("linear_regression", engine.generate("correlated"))
    explained = trace.algorithm.explain(trace.given, trace[-1].state, np.array([1.0, 2.0]))
    assert explained.note["w0"] == 0
    assert explained.note["value"] == pytest.approx(2.3)


def test_sums_are_exact_for_short_decimals() -> None:
    sums = column_sums(np.array([0.1, 0.2]), np.array([1.0, 3.0]))
    assert (sums["x"] * 10, sums["xx"] * 100, sums["xy"] * 10) == (3, 5, 7)
    assert isinstance(column_sums(np.array([np.pi]), np.array([1.0]))["x"], float)


@pytest.mark.parametrize(
    ("X", "params", "reason"),
    [
        ([[2.0], [2.0], [2.0]], {}, "all x are equal"),
        ([[1.0, 5.0], [2.0, 3.0]], {}, "2 different examples are too few for 3 weights"),
        ([[1.0, 4.0], [2.0, 4.0], [4.0, 4.0]], {}, "x₂ is the same in every row"),
        (
            [[1.0, 2.0, 3.0], [2.0, 0.0, 2.0], [4.0, 1.0, 5.0], [0.0, 7.0, 7.0]],
            {},
            "a column follows from the others",
        ),
        (
            [[1.0, 5.0], [1.0, 5.0]],
            {"through_origin": True},
            "1 different example is too few for 2 weights",
        ),
        ([[0.0, 5.0], [0.0, 3.0]], {"through_origin": True}, "x₁ is 0 in every row"),
    ],
)
def test_why_the_examples_do_not_settle_the_weights(X, params, reason: str) -> None:
    trace = engine.run("linear_regression", data(X, range(len(X))), **params)
    step = step_of(trace, "solve")
    assert "not unique" in step.events
    assert f"because {reason}." in step.note.text()
    assert np.linalg.matrix_rank(np.c_[X] if params else np.c_[np.ones(len(X)), X]) < np.shape(X)[
        1
    ] + (not params)


def test_the_last_step_shows_the_line_through_the_origin_too() -> None:
    """mmds C12.2, D04: 14x/15 beats y = x; its sum of squares is 30 − 28² / 30."""
    data = engine.textbook("four_points_line")
    trace = engine.run("linear_regression", data)
    last = trace[-1]
    lines = [x for x in trace.algorithm.scene(trace.given, last).layers if isinstance(x, Line)]
    slopes = sorted(float(line.w[0] / -line.w[1]) for line in lines)
    assert slopes == pytest.approx([0.6, 14 / 15, 1.0])
    assert last.note["central_loss"] == pytest.approx(30 - 28**2 / 30)
    for more in ({"through_origin": True}, {"distance": "perpendicular"}):
        assert "central" not in str(engine.run("linear_regression", data, **more)[-1].note.facts)
