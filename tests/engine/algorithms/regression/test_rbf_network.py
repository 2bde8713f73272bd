"""RBF network: its form (ML Eq 8.8), centres against scikit-learn, the fit against least squares
computed again.
"""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import KMeans

import engine
from engine.base.errors import EngineError
from engine.protocol.params import build
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.scene.scene import Circles, Network, Plot, Polyline, Role, Space

ALGORITHM = engine.algorithms()["rbf_network"]


def table(X: Any, y: Any) -> engine.Dataset:
    columns = {f"x{j + 1}": column for j, column in enumerate(np.asarray(X, np.float64).T)}
    return engine.Dataset.from_columns({**columns, "y": list(y)}, "y", task="regress")


def run(X: Any, y: Any, **params: Any) -> Any:
    return engine.run("rbf_network", table(X, y), **params)


def columns(X: Any, s: Any) -> Any:
    """1 and the answers of the units to rows X, by the formula."""
    away = ((np.asarray(X, float)[:, None] - s.centres) ** 2).sum(-1)
    return np.column_stack([np.ones(len(X)), np.exp(-away / (2 * s.widths**2))])


def test_two_units_by_hand() -> None:
    """Centres 0 and 2, σ = 1: φ(0) = (1, e^−2), φ(1) = (e^−½, e^−½), φ(2) = (e^−2, 1).

    With w = (1, 2, −3) the values are 1 + 2 − 3e^−2, 1 − e^−½ and 1 + 2e^−2 − 3; least squares
    finds these weights again.
    """
    e2, e5 = np.exp(-2.0), np.exp(-0.5)
    y = [3 - 3 * e2, 1 - e5, -2 + 2 * e2]
    trace = run(
        [[0.0], [1.0], [2.0]], y, centres="by hand", places=(0, 2), widths="one for all", width=1.0
    )
    s = trace[-1].state
    assert s.centres.ravel().tolist() == [0.0, 2.0] and s.widths.tolist() == [1.0, 1.0]
    assert s.weights == pytest.approx([1.0, 2.0, -3.0])
    assert s.loss == pytest.approx(0.0, abs=1e-20)
    note = trace.algorithm.explain(trace.given, s, np.array([1.0])).note
    assert note["value"] == pytest.approx(1 - e5)
    assert note.operands["w1"].symbol == "w₁" and note.operands["x1"].symbol == "φ₁"


@settings(deadline=None, max_examples=14)
@given(
    st.integers(0, 10**6),
    st.integers(1, 9),
    st.integers(1, 3),
    st.sampled_from(["k-means", "random", "all examples"]),
)
def test_the_output_is_that_of_least_squares(seed: int, k: int, d: int, centres: str) -> None:
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(14, d)), rng.normal(size=14)
    trace = run(X, y, k=k, centres=centres, seed=seed)
    s = trace[-1].state
    A = columns(X, s)
    best = A @ np.linalg.lstsq(A, y, rcond=1e-12)[0]
    assert s.loss == pytest.approx(float(((y - best) ** 2).sum()), abs=1e-9)
    assert trace.predict(X) == pytest.approx(A @ s.weights)
    assert len(s.centres) == (14 if centres == "all examples" else k)
    if centres != "k-means":
        assert {tuple(row) for row in s.centres.tolist()} <= {tuple(row) for row in X.tolist()}


def test_many_rows_are_reduced_block_by_block() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(1300, 2)), rng.normal(size=1300)
    s = run(X, y, k=12)[-1].state
    assert s.weights == pytest.approx(np.linalg.lstsq(columns(X, s), y, rcond=None)[0])


@pytest.mark.parametrize("seed", range(3))
def test_centres_are_those_of_scikit_learn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 2)) + rng.integers(0, 3, (60, 1)) * 4
    trace = run(X, X.sum(1), k=5, seed=seed)
    peer = KMeans(5, init=trace[0].state.centres, n_init=1, tol=0, algorithm="lloyd").fit(X)
    assert trace[-1].state.centres == pytest.approx(peer.cluster_centers_)


@pytest.mark.parametrize(
    ("X", "places", "near", "part"),
    [
        ([0.0, 4.0], (2, 2), 2.0, "All centres lie at one place"),
        ([0.0, 4.0], (2,), 2.0, "There is one centre"),
        ([2.0, 2.0], (2, 2), 1.0, "for all examples lie there too"),
        ([0.0, 4.0], (2, 5), 3.0, "way to its next centre wide"),
        ([0.0, 4.0], (2, 2, 5), 3.0, "way to the next centre at another place"),
        ([-2.0, 2.0], (0, 1e-200), 2.0, "All centres lie at one place"),
        ([0.0, 4.0], (0, 1e-9), 1e-9, "way to its next centre wide"),
        ([0.0, 4.0], (1e9, 1e9 + 1), 1.0, "way to its next centre wide"),
    ],
)
def test_what_a_width_is_a_part_of_is_named_as_what_it_is(
    X, places, near: float, part: str
) -> None:
    """Both examples are 2 from a centre at 2, of −2 and 2 from one at 0; one at 5 is 3 away from
    the two at 2.
    """
    trace = run([[x] for x in X], [0.0, 1.0], centres="by hand", places=places)
    (said,) = [s.note for s in trace if s.line == "width"]
    assert said["near"] == pytest.approx(near) and said["sigma"] == pytest.approx(0.7 * near)
    assert part in said.text()
    assert ("next" in said.text()) == ("next" in part)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(1, 3))
def test_the_distance_that_a_width_names_is_one_in_any_number_of_columns(
    seed: int, d: int, copies: int
) -> None:
    """Centres that lie at one place, several times, beside another one, and alone."""
    rng = np.random.default_rng(seed)
    here, there = rng.normal(0, 10.0 ** rng.integers(-9, 9), (2, d))
    X = rng.normal(size=(4, d))
    for centres in ([here] * copies, [here] * copies + [there]):
        trace = run(
            X.tolist(),
            [0.0, 1.0, 2.0, 3.0],
            centres="by hand",
            places=tuple(np.concatenate(centres).tolist()),
        )
        (step,) = [s for s in trace if s.line == "width"]
        assert ("next" in step.note.text()) == (len(centres) > copies)
        if len(centres) > copies:
            assert step.note["near"] == pytest.approx(math.dist(here, there))
            assert step.state.widths == pytest.approx(
                np.full(copies + 1, 0.7 * math.dist(here, there))
            )


def test_widths_by_rule_reach_towards_the_next_centre() -> None:
    """Centres 0, 1, 4: the next ones are 1, 1 and 3 away."""
    hand = {"centres": "by hand", "places": (0, 1, 4)}
    X, y = [[0.0], [1.0], [4.0]], [1.0, 2.0, 3.0]
    assert run(X, y, **hand)[-1].state.widths == pytest.approx([0.7, 0.7, 2.1])
    assert run(X, y, **hand, width=2.0)[-1].state.widths == pytest.approx([2.0, 2.0, 6.0])
    assert run(X, y, **hand, widths="one for all")[-1].state.widths == pytest.approx(
        [4 / np.sqrt(6)] * 3
    )
    assert run(X, y, **hand, widths="one for all", width=0.5)[-1].state.widths.tolist() == [0.5] * 3


def test_a_unit_at_every_example_meets_every_value() -> None:
    X = np.arange(8.0)[:, None]
    y = np.array([0.0, 2, 1, 3, -1, 0, 4, 2])
    trace = run(X, y, centres="all examples")
    assert trace.predict(X) == pytest.approx(y)


def test_far_from_all_centres_the_level_is_left() -> None:
    """F41: local contributions; a constant target needs none of them (F31)."""
    trace = run(np.arange(9.0)[:, None], np.sin(np.arange(9.0)))
    assert trace.predict([[1e4]])[0] == trace[-1].state.weights[0]
    constant = run(np.arange(9.0)[:, None], [3.5] * 9)
    assert constant.predict([[2.2], [-40.0]]) == pytest.approx([3.5, 3.5])


def test_descent_goes_where_least_squares_is() -> None:
    X = np.linspace(0, 6, 20)[:, None]
    y = np.sin(np.linspace(0, 6, 20))
    best = run(X, y, k=3)[-1].state.loss
    trace = run(X, y, k=3, fit="descent", steps=400)
    losses = [step.state.loss for step in trace if step.line == "fit"]
    assert len(losses) == 400
    assert (np.diff(losses) < 0).all()
    assert best < losses[-1] < 1.1 * best
    one = next(step for step in trace if step.line == "fit").state
    A = columns(X, one)
    assert one.weights == pytest.approx(A.T @ y / np.linalg.norm(A, 2) ** 2)
    wild = run(X, y, k=3, fit="descent", rate=5.0, steps=2000)
    assert wild[-1].events == ("diverged",) and np.isfinite(wild.predict(X)).all()


def test_going_on_is_the_same_as_going_through() -> None:
    problem = engine.prepare(table(np.linspace(0, 6, 20)[:, None], np.sin(np.linspace(0, 6, 20))))
    whole = engine.run("rbf_network", problem, fit="descent", steps=30)
    params = build(ALGORITHM.params, {"fit": "descent", "steps": 30})
    for at in (0, 2, len(whole) // 2, len(whole) - 2):
        rest = Run(ALGORITHM, problem, params, start=whole[at].state)
        rest.advance()
        assert rest.trace[-1].state.weights.tolist() == whole[-1].state.weights.tolist()
    fewer = Run(ALGORITHM, problem, build(ALGORITHM.params, {"k": 2}), start=whole[-1].state)
    with pytest.raises(EngineError, match="start again"):
        fewer.advance()


def test_tables_with_little_in_them() -> None:
    assert run([[1.0]], [2.0]).predict([[1.0]]) == pytest.approx([2.0])
    same = run([[1.0, 2.0]] * 4, [1.0, 2.0, 3.0, 6.0], k=3)
    assert same.predict([[1.0, 2.0]]) == pytest.approx([3.0])
    assert len(same[-1].state.centres) == 1 and "not unique" in same[-1].events
    assert same[0].note["wanted"] == 3
    with pytest.raises(EngineError, match=r"a multiple of 2 numbers \(columns: 2\)"):
        run([[1.0, 2.0]] * 4, [1.0, 2.0, 3.0, 6.0], centres="by hand", places=(1, 2, 3))
    with pytest.raises(EngineError, match="choose k-means"):
        run(np.arange(400.0)[:, None], np.arange(400.0), centres="all examples")


def test_every_pace_ends_alike() -> None:
    X, y = np.random.default_rng(1).normal(size=(50, 2)), np.random.default_rng(2).normal(size=50)
    for fit in ("least squares", "descent"):
        ends = [run(X, y, fit=fit, seed=4, pace=Pace(level))[-1].state for level in Level]
        assert len({(s.weights.tobytes(), s.centres.tobytes(), s.loss) for s in ends}) == 1


def test_the_bumps_add_up_to_the_curve() -> None:
    x = np.linspace(0, 10, 21)
    trace = run(x[:, None], np.sin(x), width=0.5)
    s = trace[-1].state
    layers = [
        layer
        for layer in ALGORITHM.scene(trace.given, trace[-1]).layers
        if isinstance(layer, Polyline)
    ]
    level = next(layer for layer in layers if layer.role is Role.GHOST).xy[0, 1]
    # as near as is in sight
    assert level == np.clip(s.weights[0], np.sin(x).min(), np.sin(x).max())
    bumps = [layer for layer in layers if layer.tag.startswith("unit 1")]
    assert [bump.group for bump in bumps] == list(range(6))
    total = s.weights[0] + sum(bump.xy[:, 1] - level for bump in bumps)
    assert total == pytest.approx(trace.predict(bumps[0].xy[:, :1]))


def test_circles_and_the_surface_over_two_columns() -> None:
    X = np.random.default_rng(1).normal(size=(30, 2))
    trace = run(X, X[:, 0] * X[:, 1])
    s = trace[-1].state
    scene = ALGORITHM.scene(trace.given, trace[-1])
    plot = next(f for f in scene.figures if isinstance(f, Plot))
    (circles,) = [layer for layer in plot.layers if isinstance(layer, Circles)]
    assert (
        circles.centre.tolist() == s.centres.tolist()
        and circles.radius.tolist() == s.widths.tolist()
    )
    space = next(f for f in scene.figures if isinstance(f, Space))
    x, y, z = space.surface
    assert z[3, 7] == pytest.approx(trace.predict([[x[7], y[3]]])[0])
    assert space.xyz[:, :2].tolist() == X.tolist()
    assert scene.leads == ("Circles", "Surface")
    network = next(f for f in scene.figures if isinstance(f, Network))
    assert network.weights[1].ravel() == pytest.approx([*s.weights[1:], s.weights[0]])
    wide = engine.run("rbf_network", table(X, X[:, 0]), plane=("x1", "x2"))
    assert any(isinstance(layer, Circles) for layer in ALGORITHM.scene(wide.given, wide[-1]).layers)


def test_a_value_of_many_terms_is_reported_by_the_largest() -> None:
    """Of 30 units those 11 that add the most to a value are named one by one, the others as one
    term.
    """
    x = np.linspace(0, 10, 60)
    trace = run(x[:, None], np.sin(x), k=30)
    s = trace[-1].state
    at = np.array([3.3])
    explanation = trace.algorithm.explain(trace.given, s, at)
    parts = s.weights[1:] * columns(at[None], s)[0, 1:]
    spelt = sorted(np.argsort(-np.abs(parts), kind="stable")[:11].tolist())
    operands = explanation.note.operands
    assert sum(name.startswith("w") for name in operands) == 13  # w₀, eleven, the others
    assert [operands[f"w{j + 1}"].symbol for j in range(12)] == [
        *(f"w{engine.base.notation.subscript(u + 1)}" for u in spelt),
        "others",
    ]
    assert explanation.note["value"] == pytest.approx(trace.predict([at])[0])
    assert explanation.bars.values == pytest.approx([s.weights[0], *parts])


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.floats(-1e5, 1e5).filter(lambda v: v == 0 or abs(v) > 1e-7), min_size=1, max_size=12
    ),
    st.sampled_from(["k-means", "random", "by hand"]),
    st.integers(1, 3),
    st.integers(2, 7),
)
def test_examples_that_all_lie_on_the_centre_have_no_distance_from_it(
    place: list[float], centres: str, k: int, n: int
) -> None:
    """In many columns the products of equal rows differ by a rounding, and so may the mean of equal
    rows.
    """
    params: dict[str, Any] = {"centres": centres, "k": k}
    if centres == "by hand":
        params = {"centres": centres, "places": tuple(place * k)}
    trace = run([place] * n, list(range(n)), **params)
    notes = [s.note.text() for s in trace if "wide" in s.note.text()]
    assert any("1 wide, for all examples lie there too" in text for text in notes)
    assert not any("root mean square" in text for text in notes)


def test_a_small_distance_in_many_columns_is_one() -> None:
    X = [[0.1] * 8, [0.1] * 7 + [0.1 + 1e-9]]
    trace = run(X, [0.0, 1.0], centres="by hand", places=(0.1,) * 8)
    assert any("root mean square distance" in s.note.text() for s in trace)
    assert trace.given.spread(np.array([[0.1] * 8])) == pytest.approx(1e-9 / math.sqrt(2), rel=1e-6)


@pytest.mark.parametrize("name", ["sine", "blobs"])
def test_what_a_unit_answers_stands_at_its_centre_and_one_and_two_widths_away(name: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.uniform(0, 10, (30, 1 if name == "sine" else 2))
    data = engine.Dataset.from_arrays(X, np.sin(X).sum(axis=1))
    trace = engine.run("rbf_network", data, k=4)
    step = next(step for step in trace if step.line == "hidden")
    scene = trace.algorithm.scene(trace.given, step)
    plots = [figure for figure in scene.figures if isinstance(figure, Plot)]
    layers = [*scene.layers, *(layer for plot in plots for layer in plot.layers)]
    lit = [layer for layer in layers if layer.role in (Role.ACTIVE, Role.NEAREST)]
    texts = [text for layer in lit for text in layer.label]
    assert texts == ["1 at μ", "0.61 at 1 σ", "0.14 at 2 σ"]  # e^0, e^−½, e^−2
    if name == "sine":
        x = lit[0].xy[:, 0]
        unit = int(np.flatnonzero(np.isclose(step.state.centres[:, 0], x[0]))[0])
        assert x[1:] - x[0] == pytest.approx(step.state.widths[unit] * np.array([1, 2]))
