"""Exhaustive search against a list of its own (mit A09, A10, B18), and where the price of a literal
changes the answer.
"""

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.protocol.step import Level, Pace
from engine.scene.scene import Boxes, Plot, Points, Polyline, Role

BITS = list(product((0, 1), repeat=4))


def table(rows: Any, y: Any) -> engine.Dataset:
    columns = {f"f{j + 1}": [bool(row[j]) for row in rows] for j in range(len(rows[0]))}
    return engine.Dataset.from_columns({**columns, "y": [int(v) for v in y]}, "y")


def test_sixteen_conjunctions_of_four_features() -> None:
    """MIT 2.2.17."""
    trace = engine.run("exhaustive_rules", engine.textbook("mit_conjunction"))
    assert trace[-1].metrics["count"] == 16
    assert trace[-1].note["best"] == "f₃ ∧ f₄"
    assert trace[-1].metrics["errors"] == 0


@pytest.mark.parametrize(
    ("d", "most", "functions"), [(1, 2, 3), (2, 4, 6), (3, 8, 20), (4, 12, 168)]
)
def test_disjunctions_without_negation_are_the_monotone_functions(
    d: int, most: int, functions: int
) -> None:
    """As many as there are monotone Boolean functions of d columns, False and True among them:
    Dedekind's numbers.
    """
    rows = list(product((0, 1), repeat=d))
    trace = engine.run(
        "exhaustive_rules", table(rows, [max(r) for r in rows]), hypotheses="dnf", literals=most
    )
    assert trace[-1].metrics["count"] == functions
    space = trace.given.space
    sets = [rows for size in range(most + 1) for _, rows in space.of_size(size)]
    assert len(sets) == len(set(sets)) == functions


def test_with_negations_all_functions_of_two_columns_can_be_said() -> None:
    """Sixteen of them, with at most four literals."""
    rows = list(product((0, 1), repeat=2))
    trace = engine.run(
        "exhaustive_rules", table(rows, [0, 1, 1, 0]), hypotheses="dnf", negated=True
    )
    sets = {rows for size in range(5) for _, rows in trace.given.space.of_size(size)}
    assert len(sets) == 16
    assert trace[-1].note["best"] == "f₁ ∧ ¬f₂ ∨ ¬f₁ ∧ f₂"


labelled = st.lists(st.tuples(st.sampled_from(BITS), st.booleans()), min_size=2, max_size=14)


@settings(max_examples=20, deadline=None)
@given(labelled, st.sampled_from([0.001, 0.1, 0.5, 1.0, 2.0]), st.booleans())
def test_the_cheapest_of_all(
    rows: list[tuple[tuple[int, ...], bool]], alpha: float, negated: bool
) -> None:
    """Least E + α c over all conjunctions; of equal ones the first by literals, negations and
    columns.
    """
    if len({y for _, y in rows}) < 2:
        return
    X, y = zip(*rows, strict=True)
    trace = engine.run("exhaustive_rules", table(X, y), alpha=alpha, negated=negated)
    best: tuple[Any, ...] | None = None
    for size in range(5):
        for signs in product((1, 0) if negated else (1,), repeat=size):
            for columns in combinations(range(4), size):
                wrong = sum(
                    all(x[j] == v for j, v in zip(columns, signs, strict=True)) != t
                    for x, t in rows
                )
                cost = wrong + Fraction(str(alpha)) * size
                if best is None or cost < best[0]:
                    best = cost, wrong, tuple(zip(columns, signs, strict=True))
    assert best is not None
    s = trace[-1].state
    assert (s.cost, s.errors, s.rules) == (best[0], best[1], (best[2],))
    held = [all(x[j] == v for j, v in best[2]) for x in X]
    assert s.P.tolist() == [i for i, (h, t) in enumerate(zip(held, y, strict=True)) if t and not h]
    assert s.N.tolist() == [i for i, (h, t) in enumerate(zip(held, y, strict=True)) if h and not t]
    assert trace.predict(table(X, y)).tolist() == [int(h) for h in held]
    coarse = engine.run(
        "exhaustive_rules", table(X, y), alpha=alpha, negated=negated, pace=Pace(Level.ROUND)
    )
    assert (coarse[-1].state.scores, coarse[-1].state.rules) == (s.scores, s.rules)


@settings(max_examples=25, deadline=None)
@given(labelled)
def test_at_the_break_points_the_answer_changes(rows: list[tuple[tuple[int, ...], bool]]) -> None:
    """Between two of them the size that is named is the cheapest; at them two sizes cost
    the same.
    """
    if len({y for _, y in rows}) < 2:
        return
    trace = engine.run("exhaustive_rules", table(*zip(*rows, strict=True)))
    found = next(s for s in trace if s.line == "breaks").details["found"]
    least = [(c, e) for c, e in enumerate(trace[-1].state.scores) if e is not None]
    corners = [alpha for _, alpha in found]
    assert corners == sorted(set(corners))
    for (size, alpha), end in zip(found, [*corners[1:], corners[-1] + 2], strict=True):
        for price in (alpha, (alpha + end) / 2):
            cheapest = min(e + price * c for c, e in least)
            assert size == min(c for c, e in least if e + price * c == cheapest)
    assert found[-1][0] == 0


def test_alpha_moves_the_answer() -> None:
    """On the example f₁ ∧ f₂ has one error, f₁ two, True four: α = 1 and α = 2 are where it
    changes, ties to the shorter.
    """
    data = engine.algorithms()["exhaustive_rules"].example()
    best = {
        a: engine.run("exhaustive_rules", data, alpha=a)[-1].note["best"]
        for a in (0.001, 0.9, 1.0, 1.9, 2.0)
    }
    assert best == {0.001: "f₁ ∧ f₂", 0.9: "f₁ ∧ f₂", 1.0: "f₁", 1.9: "f₁", 2.0: "True"}
    trace = engine.run("exhaustive_rules", data, alpha=1.0)
    choice = trace[-1].choice
    assert [choice.options[k].value for k in choice.winners] == [1, 2]
    assert "fewest literals" in choice.rule
    plot = next(
        f
        for f in trace.algorithm.scene(trace.given, trace[-1]).figures
        if f.title.startswith("Cost by price α")
    )
    assert isinstance(plot, Plot)
    (marks,) = [layer for layer in plot.layers if layer.tag == "breaks"]
    assert marks.xy.tolist() == [[1.0, 3.0], [2.0, 4.0]]
    (lowest,) = [
        layer
        for layer in plot.layers
        if isinstance(layer, Polyline) and layer.role is Role.ACCEPTED
    ]
    assert lowest.xy[0].tolist() == [0.0, 1.0]


def test_amber_is_the_hypothesis_at_hand_with_its_cost() -> None:
    """On the example, α = 0.5: of one literal f₁ is best, with two errors: 2 + 0.5 · 1 = 2.5."""
    data = engine.algorithms()["exhaustive_rules"].example()
    trace = engine.run("exhaustive_rules", data, alpha=0.5)
    step = next(s for s in trace if s.line == "size" and len(s.state.found) == 2)
    karnaugh, plot = trace.algorithm.scene(trace.given, step).figures[:2]
    assert isinstance(karnaugh, Plot) and isinstance(plot, Plot)
    amber = [layer for layer in plot.layers if getattr(layer, "role", None) is Role.ACTIVE]
    line, place = amber
    assert isinstance(line, Polyline) and isinstance(place, Points)
    assert line.xy[0].tolist() == [0.0, 2.0]
    assert place.xy.tolist() == [[0.5, 2.5]]
    assert place.label == ("cost 2.5",)
    (block,) = [k for k in karnaugh.layers if isinstance(k, Boxes) and k.role is Role.ACTIVE]
    inside = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in block.bounds.tolist())
    assert 2 < inside < 4  # f₁ holds in half of the eight cells


def test_the_break_points_are_in_amber_where_they_are_told() -> None:
    data = engine.algorithms()["exhaustive_rules"].example()
    trace = engine.run("exhaustive_rules", data, alpha=1.0)
    step = next(s for s in trace if s.line == "breaks")
    plot = trace.algorithm.scene(trace.given, step).figures[1]
    assert isinstance(plot, Plot)
    amber = [layer for layer in plot.layers if getattr(layer, "role", None) is Role.ACTIVE]
    assert [layer.tag for layer in amber] == ["breaks"]


@pytest.mark.parametrize(
    ("name", "greedy", "kind", "best"),
    [
        ("mit_trap_conjunction", "greedy_conjunction", "conjunctions", "f₁ ∧ f₂"),
        ("mit_trap_dnf", "greedy_dnf", "dnf", "f₁ ∧ f₂"),
    ],
)
def test_greed_is_longer_than_the_best(name: str, greedy: str, kind: str, best: str) -> None:
    """mit B18: the greedy answers fit too, with more literals."""
    trace, other = (
        engine.run("exhaustive_rules", engine.textbook(name), hypotheses=kind),
        engine.run(greedy, engine.textbook(name)),
    )
    assert trace[-1].note["best"] == best
    assert trace[-1].metrics["errors"] == other[-1].metrics["errors"] == 0
    assert trace[-1].metrics["literals"] == 2 < other[-1].metrics["literals"]


def test_the_harder_set_takes_two_rules() -> None:
    """MIT 2.2.31: no conjunction fits it, f₃ ∧ f₄ ∨ f₁ ∧ f₂ does."""
    data = engine.textbook("mit_harder")
    assert engine.run("exhaustive_rules", data)[-1].metrics["errors"] == 1
    last = engine.run("exhaustive_rules", data, hypotheses="dnf")[-1]
    assert (last.metrics["errors"], last.note["best"]) == (0, "f₁ ∧ f₂ ∨ f₃ ∧ f₄")


def test_too_many_are_refused_with_the_way_out() -> None:
    data = engine.generate("boolean_rule")
    with pytest.raises(engine.EngineError, match=r"4,087,976 conjunctions.*to 3 or fewer"):
        engine.run("exhaustive_rules", data)
    assert (
        engine.run("exhaustive_rules", data, literals=2, pace=Pace(Level.ROUND))[-1].metrics[
            "count"
        ]
        == 1 + 100 + 4950
    )
    with pytest.raises(engine.EngineError, match="columns of 0 and 1"):
        engine.run("exhaustive_rules", engine.generate("blobs", seed=1))


def test_why_a_label() -> None:
    trace = engine.run("exhaustive_rules", engine.textbook("mit_harder"), hypotheses="dnf")
    explain = trace.algorithm.explain
    for x in trace.problem.X:
        said = explain(trace.given, trace[-1].state, np.array(x))
        assert said.label == trace.algorithm.predict(trace.given, trace[-1].state, x[None])[0]
        assert ("does not hold" in said.note.text()) == (said.label == 1)


def test_the_name_of_the_axis_stands_clear_of_all_lines() -> None:
    """Lines and their names end below the last eleventh of the axis, where its name is."""
    trace = engine.run("exhaustive_rules", engine.textbook("mit_conjunction"))
    plot = next(
        f
        for f in trace.algorithm.scene(trace.given, trace[-1]).figures
        if f.title.startswith("Cost by price α")
    )
    top = max(float(layer.xy[:, 1].max()) for layer in plot.layers if isinstance(layer, Polyline))
    assert top == pytest.approx(plot.y_range[1] / 1.1)
    lines = {
        layer.label: layer.xy
        for layer in plot.layers
        if isinstance(layer, Polyline) and layer.label
    }
    # MIT 2.2.14: the best of each size on B06
    for c, e in ((0, 3), (1, 1), (2, 0), (3, 2), (4, 3)):
        xy = lines[f"c = {c}"]
        assert xy[0].tolist() == [0, e]
        assert xy[1, 1] == pytest.approx(e + c * xy[1, 0])


def test_beside_the_cost_of_a_new_best_stands_that_of_the_best_before_it() -> None:
    trace = engine.run("exhaustive_rules", engine.textbook("mit_conjunction"))
    best: float | None = None
    for step in (s for s in trace if s.line == "better"):
        figures = trace.algorithm.scene(trace.given, step).figures
        plot = next(f for f in figures if f.title.startswith("Cost by price"))
        was = [x for x in plot.layers if isinstance(x, Points) and x.role is Role.GHOST]
        assert [x.xy[0, 1] for x in was] == ([] if best is None else [best])
        best = float(step.state.cost)
