"""ε-exhaustion against lists and counts by hand (mitchell A14, A15, C3, C12, F12; aima F20; mit
F16, F17), and the lists themselves.
"""

from itertools import product
from math import exp
from typing import Any

import numpy as np
import pytest

import engine
from engine.base.tags import joined
from engine.base.work import finished
from engine.experiments.parts.chance import bound, exhausted_after, union
from engine.experiments.parts.finite import Finite, usual
from engine.experiments.version_space_exhaustion import repeated
from engine.protocol.step import Level, Pace
from engine.scene.scene import Plot, Polyline, Role

KEY = "version_space_exhaustion"
CUBE = np.array(list(product((0.0, 1.0), repeat=3)))


def bits(rows: Any = CUBE) -> engine.Dataset:
    return engine.Dataset.from_columns(
        {f"f{j + 1}": rows[:, j].astype(bool) for j in range(rows.shape[1])}
    )


def square(n: int = 4) -> engine.Dataset:
    x = [float(v) for v in range(n)]
    return engine.Dataset.from_columns({"x1": x * n, "x2": [v for v in x for _ in x]})


# -- the lists -------------------------------------------------------------------------------------


def test_conjunctions_are_all_of_them_and_the_one_that_never_holds() -> None:
    """mitchell D5: 3ⁿ, and one more."""
    H = Finite("conjunctions", engine.prepare(bits()))
    asked = list(product((1, 0, 2), repeat=3))
    expected = {
        tuple(all(v in (2, b) for v, b in zip(a, row, strict=True)) for row in CUBE) for a in asked
    }
    assert {tuple(row) for row in H.says(CUBE)} == expected | {(False,) * 8}
    assert (H.size, H.name(H.size - 1), H.name(26)) == (28, "never", "always")


def test_functions_are_all_of_them() -> None:
    """mitchell D6: 2^(2ⁿ)."""
    H = Finite("functions", engine.prepare(bits()))
    assert len({tuple(row) for row in H.says(CUBE)}) == H.size == 256
    assert H.name(0b10000001) == "{000, 111}"


@pytest.mark.parametrize("kind", ["intervals", "rectangles"])
def test_boxes_have_their_edges_half_way_between_values(kind: Any) -> None:
    """Of n values along an axis n (n + 1) / 2 intervals; their products, and the empty one."""
    problem = engine.prepare(square())
    H = Finite(kind, problem)
    sides = 4 * 5 // 2
    assert H.size == (sides if kind == "intervals" else sides**2) + 1
    says = H.says(problem.X)
    assert len(np.unique(says, axis=0)) == H.size
    for h in range(H.size - 1):
        x0, y0, x1, y1 = H.bounds(h)
        inside = (([x0, y0] < problem.X) & ([x1, y1] > problem.X)).all(axis=1)
        assert (says[h] == inside).all()


def test_discs_and_triangles_lie_at_the_crossings_of_the_edges() -> None:
    """mitchell E7.5: of 3 · 3 crossings 84 − 8 = 76 triangles are no line; 3 radii around each.

    A place lies in a triangle where its weights of the three corners are none below 0.
    """
    problem = engine.prepare(square())
    triangles = Finite("triangles", problem, 3)
    assert (triangles.size, triangles.name(76)) == (77, "never")
    discs = Finite("discs", problem, 3)
    assert discs.size == 9 * 3 + 1
    rng = np.random.default_rng(1)
    X = rng.uniform(-1, 4, (200, 2))
    says = triangles.says(X)
    for h in range(0, 76, 5):
        a, b, c = triangles.outline(h)
        weights = np.linalg.solve(np.vstack([np.transpose([a, b, c]), np.ones(3)]), _with_one(X))
        assert (says[h] == (weights >= 0).all(axis=0)).all()
    for h in range(0, 27, 4):
        centre, radius = discs.discs[h, :2], discs.discs[h, 2]
        assert (discs.says(X)[h] == (((X - centre) ** 2).sum(axis=1) <= radius**2)).all()
        assert np.linalg.norm(discs.outline(h) - centre, axis=1) == pytest.approx(radius)


def _with_one(X: Any) -> Any:
    return np.vstack([X.T, np.ones(len(X))])


@pytest.mark.parametrize("kind", ["discs", "triangles"])
def test_the_bound_holds_for_shapes_and_the_truth_is_never_struck(kind: str) -> None:
    """ML Theorem 7.1: a bad h is left with a chance of at most |H| e^(−ε m)."""
    trace = engine.run(KEY, square(8), hypotheses=kind, examples=80, epsilon=0.2, seed=3)
    last = trace[-1].state
    assert last.version_space[last.c] and last.errors[last.c] == 0
    size = len(last.version_space)
    assert last.share[-1] <= size * exp(-0.2 * 80) + 1e-9
    assert (last.wrong[last.version_space] == 0).all()
    assert trace[-1].note["kind"] == kind


def test_any_table_asks_questions() -> None:
    """Words for the commonest, numbers for their median, three columns or five of them."""
    problem = engine.prepare(engine.textbook("restaurant"))
    H = Finite(usual(problem), problem)
    assert (H.kind, len(H.questions)) == ("conjunctions", 5)
    assert [H.question(k, 1) for k in range(2)] == ["Alt = Yes", "Bar = Yes"]
    assert H.question(4, 1) == "Patrons = Full" and H.question(4, 0) == "Patrons ≠ Full"
    assert usual(engine.prepare(square())) == "rectangles"
    numbers = Finite("conjunctions", engine.prepare(square()))
    assert numbers.question(0, 1) == "x₁ > 1.50" and numbers.bits(
        np.array([[1.0, 2.0]])
    ).tolist() == [[False, True]]


# -- chances ---------------------------------------------------------------------------------------


def test_the_bound_holds_the_sum_and_the_sum_the_count() -> None:
    """mitchell C12: |H| e^(−εm) ≥ Σ (1 − error)ᵐ ≥ the chance; two hypotheses that err on 1/4 and
    2/4, by hand.
    """
    errors = np.array([0.25, 0.5])
    m = np.arange(9)
    assert union(errors, 8) == pytest.approx([0.75**k + 0.5**k for k in m])
    assert bound(7, 0.25, 8) == pytest.approx([7 * exp(-0.25 * k) for k in m])
    wrong = np.array([[True, False, False, False], [True, True, False, False]])
    # the second errs wherever the first does: a bad one is left while row 0 was not drawn
    share = finished(repeated(wrong, 8, 4000, np.random.default_rng(0)))
    assert share == pytest.approx(0.75**m, abs=0.025)
    assert (share <= union(errors, 8) + 0.025).all()


def test_after_how_many_rows_all_are_struck() -> None:
    wrong = np.array([[True, False, False], [False, True, False]])
    assert exhausted_after(wrong, np.array([2, 1, 1, 0, 2])) == 4
    assert exhausted_after(wrong, np.array([2, 1, 1])) == 4  # not within three
    assert exhausted_after(wrong[:0], np.array([0])) == 0


# -- the run ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data", [bits(), square(), engine.generate("hidden_rectangle", 20, seed=1)]
)
def test_who_is_wrong_once_leaves_and_never_comes_back(data: Any) -> None:
    trace = engine.run(KEY, data, seed=3)
    c = trace[0].state.c
    says = trace.given.says
    for step in trace:
        s = step.state
        drawn = list(s.drawn)
        seen = drawn[:-1] if step.line == "draw" else drawn
        fits = (says[:, seen] == says[c][seen]).all(axis=1)
        assert (s.version_space == fits).all() and s.version_space[c]
        assert (s.wrong == (says[:, seen] != says[c][seen]).sum(axis=1)).all()
    assert s.errors == pytest.approx((says != says[c]).mean(axis=1))


def test_the_lamp_goes_on_when_no_bad_one_is_left() -> None:
    trace = engine.run(KEY, square(), seed=1, epsilon=0.2)
    (lit,) = trace.when("exhausted")
    s, before = trace[lit].state, trace[lit - 3].state
    assert (
        not (s.version_space & (s.errors >= 0.2)).any()
        and (before.version_space & (before.errors >= 0.2)).any()
    )
    assert s.exhausted == len(s.drawn) == trace[-1].state.exhausted


def test_who_errs_just_epsilon_is_bad() -> None:
    """mitchell A15: the definition says < ε, the proof > ε; of sixteen rows four are a quarter."""
    state = engine.run(KEY, square(), epsilon=0.25, max_steps=1)[0].state
    quarter = np.isclose(state.errors, 0.25)
    assert quarter.any() and state.bad[quarter].all()
    assert (state.bad == (np.round(16 * state.errors) >= 4)).all()


def test_functions_split_what_no_example_has() -> None:
    """aima F20, mit F17: as many of the functions that fit say + as −, at every input without an
    example.
    """
    trace = engine.run(KEY, bits(), hypotheses="functions", examples=4)
    note = trace[-1].note
    distinct = len(set(trace[-1].state.drawn))
    assert (note["even"], note["unseen"]) == (8 - distinct, 8 - distinct)
    assert trace[-1].state.left == 2 ** (8 - distinct)


def test_a_concept_that_is_not_in_h_strikes_all() -> None:
    data = engine.Dataset.from_columns({"x1": [0.0, 1.0, 2.0, 3.0], "y": ["a", "b", "a", "b"]}, "y")
    trace = engine.run(KEY, data, concept="table", hypotheses="intervals")
    assert trace.when("empty") and trace[-1].state.left == 0 and trace[0].state.c == -1
    assert "not in H" in next(s for s in trace if "empty" in s.events).note.text()
    with pytest.raises(engine.EngineError, match="Let one be drawn"):
        engine.run(KEY, square(), concept="table")
    with pytest.raises(engine.EngineError, match="choose conjunctions"):
        engine.run(KEY, engine.textbook("restaurant"), hypotheses="rectangles")


def test_repeats_follow_the_seed_at_all_paces() -> None:
    fine, coarse = (
        engine.run(KEY, square(), seed=5, pace=Pace(level)) for level in (Level.DETAIL, Level.ROUND)
    )
    assert fine[-1].state.share.tolist() == coarse[-1].state.share.tolist()
    assert fine[-1].state.share[0] == 1.0 and (np.diff(fine[-1].state.share) <= 0).all()
    assert len(engine.run(KEY, square(), repeats=1, examples=3)[-1].state.share) == 4


def test_curves_of_the_chance_are_in_powers_of_ten() -> None:
    trace = engine.run(KEY, square(), seed=1)
    plots = [
        f for f in trace.algorithm.scene(trace.given, trace[-1]).figures if isinstance(f, Plot)
    ]
    curves = {layer.tag: layer.xy for layer in plots[1].layers if isinstance(layer, Polyline)}
    assert curves[joined("bound", "epsilon")][:, 1] == pytest.approx(
        np.log10(101 * np.exp(-0.1 * np.arange(31)))
    )
    assert set(curves) == {joined("bound", "epsilon"), "union", "counted"}


def test_amber_is_what_the_last_example_struck_and_in_no_other_step() -> None:
    trace = engine.run(KEY, engine.generate("hidden_rectangle", 30, seed=2))
    for step in trace:
        first = trace.algorithm.scene(trace.given, step).figures[0]
        s = step.state
        if step.line == "repeat":
            assert first.title.startswith("Other runs")
            continue
        lit = sum(len(x.xy) for x in first.layers if x.role is Role.ACTIVE)
        struck = s.before & ~s.version_space if step.line == "strike" else np.zeros(0, bool)
        places = np.column_stack([s.wrong, s.errors])[: len(struck)][struck]
        assert lit == len(np.unique(places, axis=0))
        assert ("exhausted" in first.title) == (step.line in ("lamp", "done") and s.exhausted >= 0)
