"""Candidate elimination against lists of all hypotheses (mitchell A14, A19, A33), and
its pictures.
"""

from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.base.grid import Grid
from engine.judge.surface import evaluate_field
from engine.protocol.step import Level, Pace
from engine.scene.scene import Boxes, Labels, Role, Segments, Table

DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")

ROUND = Pace(Level.ROUND)
BITS = list(product((0, 1), repeat=3))
CONJUNCTIONS = [None, *product((0, 1, 2), repeat=3)]  # None never holds; 2: no condition


def holds(h: Any, x: Any) -> bool:
    return h is not None and all(v in (2, w) for v, w in zip(h, x, strict=True))


def table(rows: list[tuple[int, ...]], y: list[bool]) -> engine.Dataset:
    columns = {f"f{j + 1}": [bool(row[j]) for row in rows] for j in range(3)}
    return engine.Dataset.from_columns({**columns, "y": y}, "y")


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(BITS), st.booleans()), min_size=2, max_size=8))
def test_S_and_G_border_the_list_of_all_conjunctions(
    examples: list[tuple[tuple[int, ...], bool]],
) -> None:
    """LIST-THEN-ELIMINATE over the 3³ + 1 conjunctions: the same answers everywhere, the same
    widest ones.
    """
    rows = [x for x, _ in examples]
    y = [label for _, label in examples]
    if len(set(y)) < 2:
        return
    left = [h for h in CONJUNCTIONS if all(holds(h, x) == label for x, label in examples)]
    trace = engine.run("candidate_elimination", table(rows, y))
    votes = [{holds(h, x) for h in left} for x in BITS]
    expected = [None if len(vote) != 1 else vote.pop() for vote in votes]
    assert trace.predict(table(BITS, [True] * 8)).tolist() == expected
    s = trace[-1].state
    assert bool(left) == (s.S is not None and len(s.G) > 0) == (not trace.when("empty"))
    if left:
        wider = {h for h in left if not any(g != h and below(h, g) for g in left)}
        got = {tuple(2 if not np.isfinite(a) else int(a + 0.5) for a in low) for low in s.G.low}
        assert got == (wider if wider != {None} else set())
        assert len(got) == len(s.G)


def below(h: Any, g: Any) -> bool:
    return h is None or (g is not None and all(b in (2, a) for a, b in zip(h, g, strict=True)))


SIDES = list(combinations_with_replacement(range(5), 2))
RECTANGLES = [None, *product(SIDES, SIDES)]
PLACES = list(product(range(5), repeat=2))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(PLACES), st.booleans()), min_size=2, max_size=9))
def test_the_same_answers_as_all_integer_rectangles(
    examples: list[tuple[tuple[int, int], bool]],
) -> None:
    """mitchell B10, small: 15² rectangles and the empty one, tested at all 25 places."""
    if len({y for _, y in examples}) < 2:
        return

    def inside(r: Any, p: tuple[int, int]) -> bool:
        return r is not None and all(a <= v <= b for (a, b), v in zip(r, p, strict=True))

    left = [r for r in RECTANGLES if all(inside(r, p) == y for p, y in examples)]
    X = [[float(v) for v in p] for p, _ in examples]
    y = [int(label) for _, label in examples]
    trace = engine.run("candidate_elimination", (X, y), pace=ROUND)
    votes = [{inside(r, p) for r in left} for p in PLACES]
    expected = [None if len(vote) != 1 else int(vote.pop()) for vote in votes]
    assert trace.predict(np.array(PLACES, float)).tolist() == expected
    grid = Grid(np.arange(5.0), np.arange(5.0))
    surface = evaluate_field(trace.algorithm, trace.given, trace[-1].state, "class", grid)
    assert surface.T.ravel().tolist() == [{None: -1, 1: 0, 0: 1}[label] for label in expected]


def test_each_example_says_which_border_moved_and_why() -> None:
    trace = engine.run(
        "candidate_elimination", engine.algorithms()["candidate_elimination"].example()
    )
    steps = {s.line: s for s in trace}
    assert {s.line for s in trace} >= {"agree", "drop", "grow", "strike", "cut", "empty"}
    both = [s for s in trace if s.line == "cut"][2]  # (8, 8) is left out by either side
    assert both.note["ways"] == "x₁ < 8, x₂ < 8"
    assert both.state.G.high.tolist() == [[8, 9], [9, 8]]
    # the other borders of what is cut are not named again
    last = [s for s in trace if s.line == "cut"][3]
    assert last.note["ways"] == "x₁ > 1, x₂ > 1"
    assert "x₂ = 8.50, not < 8" in steps["drop"].note.text()
    assert steps["drop"].state.G.high.tolist() == [[8, 9]]
    assert steps["grow"].note["S"] == "5 ≤ x₁ ≤ 6 ∧ 5 ≤ x₂ ≤ 8.50"
    layers = trace.algorithm.scene(trace.given, both).layers
    (sides,) = [layer for layer in layers if isinstance(layer, Segments)]
    inf = np.inf
    assert sides.ends.tolist() == [[[8, -inf], [8, 9]], [[-inf, 8], [9, 8]]]
    assert trace.when("empty")


def test_answers_that_a_person_may_choose() -> None:
    """mitchell A33: one positive at 2, negatives at 0 and 5; between them only S, the first of G,
    or no answer.
    """
    data = ([[2.0], [0.0], [5.0]], [1, 0, 0])
    queries = [[1.0], [2.0], [4.9], [5.0], [-3.0]]
    said = {
        answer: engine.run("candidate_elimination", data, answer=answer).predict(queries).tolist()
        for answer in ("unanimous", "tightest", "loosest")
    }
    assert said == {
        "unanimous": [None, 1, None, 0, 0],
        "tightest": [0, 1, 0, 0, 0],
        "loosest": [1, 1, 1, 0, 0],
    }


@settings(max_examples=15, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(PLACES), st.sampled_from("pqr"), st.booleans()),
        min_size=2,
        max_size=7,
    ),
    st.integers(0, 9),
)
def test_a_hypothesis_that_is_drawn_fits_all_examples(
    rows: list[tuple[tuple[int, int], str, bool]], seed: int
) -> None:
    """mitchell A33: any consistent one.

    It holds where S does, and nowhere where no hypothesis of G does.
    """
    if len({y for _, _, y in rows}) < 2:
        return
    a, b = zip(*(p for p, _, _ in rows), strict=True)
    c = [w for _, w, _ in rows]
    y = [int(v) for _, _, v in rows]
    data = engine.Dataset.from_columns(
        {"a": [float(v) for v in a], "b": [float(v) for v in b], "c": c, "y": y}, "y"
    )
    trace = engine.run("candidate_elimination", data, seed=seed, answer="random")
    if trace[-1].state.left:
        assert trace.predict(trace.problem.X).tolist() == y
        words = range(len(trace.problem.features[2].categories))
        queries = np.array([[*place, word] for place in PLACES for word in words], float)
        sure = engine.run("candidate_elimination", data).predict(queries).tolist()
        said = trace.predict(queries).tolist()
        assert all(want in (None, got) for want, got in zip(sure, said, strict=True))


def test_seeds_draw_different_hypotheses() -> None:
    data = ([[2.0], [0.0], [9.0]], [1, 0, 0])
    queries = np.linspace(0.1, 8.9, 45)[:, None]
    drawn = [
        engine.run("candidate_elimination", data, seed=seed, answer="random").predict(queries)
        for seed in range(4)
    ]
    assert len({tuple(answers.tolist()) for answers in drawn}) == 4


def test_one_conjunction_is_left() -> None:
    """1 1 is positive, 0 1 and 1 0 are not: f₁ ∧ f₂ and nothing else."""
    data = engine.Dataset.from_columns(
        {"f1": [True, False, True], "f2": [True, True, False], "y": [1, 0, 0]}, "y"
    )
    last = engine.run("candidate_elimination", data)[-1]
    assert "one hypothesis is left" in last.note.text()
    assert last.note["S"] == last.note["g0"] == "f₁ ∧ f₂"
    assert (
        "one hypothesis"
        not in engine.run("candidate_elimination", table([(1, 1, 1), (0, 1, 1)], [True, False]))[
            -1
        ].note.text()
    )


def test_it_stops_where_there_are_too_many() -> None:
    """After m negatives and no positive on a line of points, m + 1 open intervals are widest."""
    X = [[float(v)] for v in range(9)]
    y = [0] * 8 + [1]
    trace = engine.run("candidate_elimination", (X, y), limit=5)
    assert trace.when("full")
    assert [len(s.state.G) for s in trace if s.line == "cut"] == [2, 3, 4, 5]
    assert trace[-1].state.seen == 4
    assert trace.finished
    assert len(engine.run("candidate_elimination", (X, y))[-1].state.G) == 1


def test_words_are_cut_to_every_other_value() -> None:
    data = engine.Dataset.from_columns(
        {"c": ["p", "q", "r"], "d": ["u", "u", "v"], "y": ["no", "no", "yes"]}, "y"
    )
    first, second = [s for s in engine.run("candidate_elimination", data) if s.line == "cut"]
    assert first.note["ways"] == "c = q, c = r, d = v"
    assert second.state.fresh == 0  # c = q is left with d = v, which is in G already
    assert "lies in others of G" in second.note.text()
    assert len(second.state.G) == 2


def test_ternary_rows_stand_below_one_another() -> None:
    trace = engine.run("candidate_elimination", engine.textbook("mit_conjunction"))
    tables = [
        f for f in trace.algorithm.scene(trace.given, trace[-1]).figures if isinstance(f, Table)
    ]
    rows = next(t for t in tables if t.title == "Borders S and G")
    cells = [[column.feature.text(float(v)) for v in column.values] for column in rows.columns]
    assert cells == [["S", "G₁"], ["?", "?"], ["?", "?"], ["1", "1"], ["1", "1"]]


def test_goes_on_where_it_was() -> None:
    whole = engine.run("candidate_elimination", engine.textbook("mit_conjunction"))
    begun = next(s.state for s in whole if s.state.seen == 3)
    rest = engine.Run(whole.algorithm, whole.problem, whole.params, start=begun)
    rest.advance()
    assert rest.trace[-1].state.G.low.tolist() == whole[-1].state.G.low.tolist()
    assert rest.trace[-1].state.unsure == whole[-1].state.unsure


def test_too_many_columns_are_refused() -> None:
    with pytest.raises(engine.EngineError, match="at most 200 columns"):
        engine.run("candidate_elimination", (np.eye(201), [0, 1] * 100 + [1]))


def test_people_who_ski() -> None:
    """mitchell B15: age and height, the concept “skiers”: of all four people one hypothesis is
    left, for every young one.
    """
    trace = engine.run("candidate_elimination", engine.textbook("people"))
    assert trace.predict({"age": ["young", "old"], "height": ["tall", "short"]}).tolist() == [
        "yes",
        "no",
    ]
    assert trace.codes(trace.problem.X).tolist() == trace.problem.codes.tolist()
    assert "learnt exactly" in trace[-1].note.text()


def test_the_borders_of_enjoy_sport() -> None:
    """ML 2.5.4, Fig 2.7: S₄ = ⟨Sunny, Warm, ?, Strong, ?, ?⟩, G₄ = ⟨Sunny, ?, …⟩, ⟨?, Warm, …⟩."""
    last = engine.run("candidate_elimination", engine.textbook("enjoy_sport"))[-1].note
    assert last["S"] == "Sky = Sunny ∧ AirTemp = Warm ∧ Wind = Strong"
    shown = "\n".join(last.lines())
    assert "G₁: Sky = Sunny\n" in shown
    assert "G₂: AirTemp = Warm\n" in shown


def test_s_and_g_have_their_names_on_the_plane_each_at_its_own_box() -> None:
    trace = engine.run("candidate_elimination", engine.generate("hidden_rectangle", 60))
    for step in (trace[0], trace[len(trace) // 2], trace[-1]):
        scene = trace.algorithm.scene(trace.given, step)
        (names,) = (layer for layer in scene.layers if isinstance(layer, Labels))
        boxes: dict[str, list[list[float]]] = {"G": [], "S": []}
        for layer in scene.layers:
            roles = (Role.CANDIDATE, Role.ACCEPTED, Role.ACTIVE)  # amber in the end
            if isinstance(layer, Boxes) and layer.role in roles and layer.tag in boxes:
                boxes[layer.tag] += layer.bounds.tolist()
        for place, name in zip(names.xy.tolist(), names.text, strict=True):
            number = int(name[1:].translate(DIGITS) or 1)
            own = boxes["S"][0] if name == "S" else boxes["G"][number - 1]
            assert any(place[k % 2] == own[k] for k in range(4)), "on one of its sides"
        S = step.state.S
        assert ("S" in names.text) == (S is not None and not S.empty)


def test_what_is_dropped_is_in_amber_and_nothing_is_at_the_end() -> None:
    """x < 2 or x > 2 exclude the first example; 1 lies in x < 2 alone, so x > 2 is dropped."""
    trace = engine.run("candidate_elimination", ([[2.0], [1.0]], [-1, 1]))
    step = next(s for s in trace if s.line == "drop")
    amber = [
        layer
        for layer in trace.algorithm.scene(trace.given, step).layers
        if isinstance(layer, Boxes) and layer.role is Role.ACTIVE
    ]
    assert [each.bounds[0, :3:2].tolist() for each in amber] == [[2.0, np.inf]]
    end = trace.algorithm.scene(trace.given, trace[-1])
    assert not any(layer.role is Role.ACTIVE for layer in end.layers)
