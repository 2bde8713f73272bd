"""HALVING against lists of hypotheses (mitchell A20, A29, D15-D17, F14, F21), and its grid."""

from itertools import product
from math import floor, log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.protocol.step import Level, Pace
from engine.scene.scene import Bars, Boxes, Labels, Plot, Points, Polyline, Role

BITS = list(product((0, 1), repeat=3))
CONJUNCTIONS = [*product((0, 1, 2), repeat=3), (3, 3, 3)]


def table(rows: Any, y: Any) -> engine.Dataset:
    columns = {f"f{j + 1}": [bool(row[j]) for row in rows] for j in range(len(rows[0]))}
    return engine.Dataset.from_columns({**columns, "y": [int(v) for v in y]}, "y")


def halved(hypotheses: list[Any], holds: Any, examples: Any) -> tuple[list[int], list[int]]:
    """(the label of each example, how many are left after each), until at most one is left."""
    said, left = [], []
    for x, y in examples:
        yes = [h for h in hypotheses if holds(h, x)]
        said.append(int(2 * len(yes) > len(hypotheses)))
        hypotheses = [h for h in hypotheses if bool(holds(h, x)) == bool(y)]
        left.append(len(hypotheses))
        if len(hypotheses) <= 1:
            break
    return said, left


SPACES = {
    "conjunctions": (
        CONJUNCTIONS,
        lambda h, x: all(a in (2, v) for a, v in zip(h, x, strict=True)),
    ),
    "unbiased": (list(range(256)), lambda h, x: h >> (4 * x[0] + 2 * x[1] + x[2]) & 1),
    "columns": ([0, 1, 2], lambda h, x: x[h]),
}
examples = st.lists(st.tuples(st.sampled_from(BITS), st.booleans()), min_size=2, max_size=8)


@pytest.mark.parametrize("kind", SPACES)
@settings(max_examples=15, deadline=None)
@given(rows=examples)
def test_votes_and_strikes_as_a_list_does(
    kind: str, rows: list[tuple[tuple[int, ...], bool]]
) -> None:
    if len({y for _, y in rows}) < 2:
        return
    X, y = zip(*rows, strict=True)
    trace = engine.run("halving", table(X, y), hypotheses=kind)
    said, left = halved(*SPACES[kind], rows)
    votes = [s for s in trace if s.line == "vote"]
    assert [1 - s.state.said for s in votes] == said
    assert [n for n, _ in trace[-1].state.trail] == left
    assert trace[-1].state.mistakes == sum(a != b for a, b in zip(said, y, strict=False))
    hypotheses, holds = SPACES[kind]
    fit = [h for h in hypotheses if all(bool(holds(h, x)) == label for x, label in rows)]
    assert bool(trace.when("learnt")) == (left[-1] == 1 == len(fit)) and bool(
        trace.when("empty")
    ) == (left[-1] == 0)
    assert bool(trace.when("contradicted")) == (left[-1] == 1 and not fit)
    if left[-1]:
        assert (
            trace[-1].state.mistakes
            <= trace[-1].metrics["bound"]
            == floor(log2(len(SPACES[kind][0])))
        )
    coarse = engine.run("halving", table(X, y), hypotheses=kind, pace=Pace(Level.ROUND))
    assert coarse[-1].state.version_space.tolist() == trace[-1].state.version_space.tolist()


def test_seven_hypotheses_cost_two_mistakes_at_most() -> None:
    """mitchell B13, D16: on the adversary's path 7 → 3 → 1 both answers are wrong; another path
    begins without mistakes.
    """
    rows = [[1, 1, 1, 1, 0, 0, 0], [0, 0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 0, 0, 1]]
    worst = engine.run("halving", (rows, [0, 1, 1]), hypotheses="columns")
    assert [n for n, _ in worst[-1].state.trail] == [3, 1]
    assert worst[-1].state.mistakes == worst[-1].metrics["bound"] == 2
    rows = [
        [1, 1, 1, 1, 0, 0, 0],
        [0, 1, 0, 0, 1, 1, 1],
        [1, 0, 1, 0, 1, 1, 1],
        [1, 1, 1, 0, 0, 0, 0],
    ]
    lucky = engine.run("halving", (rows, [1, 0, 1, 1]), hypotheses="columns")
    assert [n for n, _ in lucky[-1].state.trail][:3] == [4, 3, 2]
    assert [s.state.mistakes for s in lucky if s.line == "strike"][:3] == [0, 0, 0]


def test_a_tie_is_negative() -> None:
    trace = engine.run(
        "halving", (np.array([[1.0, 0.0], [0.0, 0.0]]), [1, 0]), hypotheses="columns"
    )
    vote = next(s for s in trace if s.line == "vote")
    assert vote.events == ("tie",)
    assert (vote.choice.winners, vote.choice.chosen, vote.state.said) == ((0, 1), 1, 1)
    assert "negative" in vote.choice.rule


def test_the_unbiased_learner_learns_nothing() -> None:
    """mitchell A20, D6, F14: 2^(2^n) functions; each unseen input is positive in exactly half of
    those left.
    """
    data = engine.textbook("mit_conjunction")
    trace = engine.run("halving", data, hypotheses="unbiased")
    last = trace[-1]
    assert last.note["all"] == 65_536
    assert last.note["left"] == 2 ** (16 - 6)
    assert last.note["unseen"] == 10
    bars = next(f for f in trace.algorithm.scene(trace.given, last).figures if isinstance(f, Bars))
    seen = {"0110": 0.0, "1011": 1.0, "1110": 0.0, "0011": 1.0, "1001": 0.0, "0111": 1.0}
    assert dict(zip(bars.labels, bars.values.tolist(), strict=True)) == {
        **{f"{c:04b}": 0.5 for c in range(16)},
        **seen,
    }
    assert "nothing is learnt" in last.note.text()
    # a tie, though f₃ ∧ f₄ holds there
    assert trace.predict(np.array([[1, 1, 1, 1]])).tolist() == [0]


def test_all_functions_cost_a_mistake_for_every_positive_input() -> None:
    """mitchell D17: log₂|C| mistakes are reached by the power set; with a negative input among
    four, three.
    """
    trace = engine.run(
        "halving", ([[0, 0], [0, 1], [1, 0], [1, 1]], [1, 1, 1, 0]), hypotheses="unbiased"
    )
    assert trace[-1].state.mistakes == 3
    assert trace.when("learnt")
    assert trace[-1].metrics["bound"] == 4


def test_the_conjunction_of_the_slides_is_learnt_exactly() -> None:
    trace = engine.run("halving", engine.textbook("mit_conjunction"))
    assert trace[-1].note["names"] == "f₃ ∧ f₄"
    assert trace[0].note["all"] == 3**4 + 1
    assert trace.when("learnt")


def test_so_many_examples_are_enough() -> None:
    """mitchell D1: ten columns, ε = 0.1, δ = 0.05: 140 examples; F15, Eq 7.5: all functions of four
    need 141.
    """
    X = np.vstack([np.eye(10), np.zeros(10)])
    assert engine.run("halving", (X, [1] * 10 + [0]))[-1].note["enough"] == 140
    assert (
        engine.run("halving", engine.textbook("mit_xor"), hypotheses="unbiased")[-1].note["enough"]
        == 141
    )


def test_the_grid_is_struck_through() -> None:
    """Ten conjunctions of two columns: 11 positive strikes the six that do not hold there."""
    trace = engine.run("halving", trace_example())
    step = next(s for s in trace if s.line == "strike")
    plot = next(f for f in trace.algorithm.scene(trace.given, step).figures if isinstance(f, Plot))
    counts = {layer.role: len(layer.bounds) for layer in plot.layers if isinstance(layer, Boxes)}
    assert counts == {Role.ACCEPTED: 4, Role.ACTIVE: 6, Role.REJECTED: 0}
    later = [s for s in trace if s.line == "vote"][1]
    boxes = [
        b
        for b in trace.algorithm.scene(trace.given, later).figures[0].layers
        if isinstance(b, Boxes)
    ]
    assert [len(b.bounds) for b in boxes] == [4, 0, 6]
    assert sorted(boxes[0].group.tolist()) == [0, 0, 1, 1]  # of 11, 1?, ?1, ?? two hold at 10


def trace_example() -> Any:
    return engine.algorithms()["halving"].example()


def test_every_mistake_costs_a_bit() -> None:
    """mitchell C14: log₂|V| stays below log₂|H| − M."""
    trace = engine.run("halving", engine.textbook("mit_conjunction"))
    figures = trace.algorithm.scene(trace.given, trace[-1]).figures
    plot = next(f for f in figures if f.title.startswith("Bits left"))
    bound, bits = [layer.xy[:, 1] for layer in plot.layers if isinstance(layer, Polyline)]
    assert (bits <= bound + 1e-12).all()
    assert bits[0] == pytest.approx(log2(82)) and bits[-1] == 0
    assert len(bits) == trace[-1].state.seen + 1


def test_goes_on_where_it_was() -> None:
    whole = engine.run("halving", engine.textbook("mit_conjunction"))
    for begun in (s.state for s in whole if s.state.seen in (2, 3)):
        rest = engine.Run(whole.algorithm, whole.problem, whole.params, start=begun)
        rest.advance()
        assert rest.trace[-1].state.version_space.tolist() == whole[-1].state.version_space.tolist()
        assert rest.trace[-1].state.mistakes == whole[-1].state.mistakes


def test_too_many_hypotheses_are_refused_with_the_way_out() -> None:
    with pytest.raises(engine.EngineError, match="leave out columns"):
        engine.run("halving", engine.generate("boolean_rule"))
    with pytest.raises(engine.EngineError, match=r"2\^\(2\^5\)"):
        engine.run("halving", (np.eye(5), [0, 1, 0, 1, 1]), hypotheses="unbiased")
    with pytest.raises(engine.EngineError, match="columns of 0 and 1"):
        engine.run("halving", engine.generate("blobs", seed=1))


def test_a_contradiction_ends_in_a_sentence() -> None:
    trace = engine.run("halving", ([[1.0, 1.0], [1.0, 1.0], [0.0, 1.0]], [1, 0, 0]))
    assert trace.when("empty")
    assert "none of H fits" in next(s for s in trace if s.line == "stop").note.text()
    assert trace.predict([[1.0, 1.0]]).tolist() == [None]


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.tuples(st.integers(0, 1), st.booleans()), min_size=2, max_size=7))
def test_one_hypothesis_is_learnt_only_where_every_row_agrees(rows: list[tuple[int, bool]]) -> None:
    """One column alone: |H| = 1, so that no row is taken before one hypothesis is left."""
    if len({y for _, y in rows}) < 2:
        return
    trace = engine.run(
        "halving", table([[x] for x, _ in rows], [y for _, y in rows]), hypotheses="columns"
    )
    wrong = sum(bool(x) != y for x, y in rows)
    assert bool(trace.when("learnt")) == (not wrong) and bool(trace.when("contradicted")) == bool(
        wrong
    )
    stop = next(step for step in trace if step.line == "stop")
    assert stop.note["wrong"] == trace[-1].note["wrong"] == wrong
    assert ("learnt exactly" in stop.note.text()) == (not wrong)
    assert ("The answer is" in trace[-1].note.text()) == (not wrong)


def test_rows_that_contradict_the_last_hypothesis_are_reported() -> None:
    """f₁ = 1 alone fits the first row of column hypotheses f₁, f₂; two of the three rows after it
    say otherwise.
    """
    rows, y = [(1, 0), (1, 1), (0, 1), (0, 0)], [1, 0, 1, 0]
    trace = engine.run("halving", table(rows, y), hypotheses="columns")
    assert (trace[-1].note["names"], trace[-1].note["wrong"], trace[-1].note["rest"]) == (
        "f₁",
        2,
        3,
    )
    assert not trace.when("learnt") and trace.when("contradicted")
    assert "2 of the 3 examples" in next(step for step in trace if step.line == "stop").note.text()
    assert trace.predict([[1.0, 0.0]]).tolist() == [1]


def test_functions_are_named_by_their_values_in_the_grid() -> None:
    """Four letters have room in a cell, the sets of inputs have not: function 6 of two columns is
    the exclusive or.
    """
    trace = engine.run("halving", engine.textbook("xor"), hypotheses="unbiased")
    plot = trace.algorithm.scene(trace.given, trace[0]).figures[0]
    (names,) = [
        layer for layer in plot.layers if isinstance(layer, Labels) and len(layer.text) == 16
    ]
    assert names.text[6] == "0110" and names.text[8] == "0001"
    assert plot.x_label == "values at 00 01 10 11"
    assert {len(name) for name in names.text} == {4}


def test_seven_hypotheses_of_the_book_by_name() -> None:
    """mitchell B13, D16: |H| = 7, path 7 → 3 → 1, two mistakes, ⌊log₂ 7⌋ = 2."""
    trace = engine.run("halving", engine.textbook("seven_hypotheses"), hypotheses="columns")
    assert [n for n, _ in trace[-1].state.trail] == [3, 1]
    assert trace[-1].state.mistakes == trace[-1].metrics["bound"] == 2
    assert trace[-1].note["names"] == "h₅"
    # and h5 is right about the rows never taken
    assert trace.predict(trace.problem.X).tolist() == [0, 1, 0, 1]


# -- rectangles with whole corners, ML Exercise 7.2 ------------------------------------------------

whole = st.tuples(st.integers(-1, 3), st.integers(-1, 3))


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(whole, st.booleans()), min_size=3, max_size=9))
def test_rectangles_vote_and_are_struck_as_a_list_of_them_is(
    rows: list[tuple[tuple[int, int], bool]],
) -> None:
    """mitchell B10, small: all a ≤ x ≤ b, c ≤ y ≤ d with whole corners among the numbers of the
    table.
    """
    values = [v for x, _ in rows for v in x]
    if len({y for _, y in rows}) < 2 or set(values) <= {0, 1}:
        return
    numbers = range(min(values), max(values) + 1)
    spans = [(a, b) for a in numbers for b in numbers if a <= b]
    data = engine.Dataset.from_columns(
        {
            "x": [x for (x, _), _ in rows],
            "y": [y for (_, y), _ in rows],
            "in": ["yes" if y else "no" for _, y in rows],
        },
        "in",
    )
    trace = engine.run("halving", data, split=engine.Split())
    positive = [str(trace.problem.classes[0]) == ("yes" if y else "no") for _, y in rows]
    said, left = halved(
        list(product(spans, spans)),
        inside,
        [(x, p) for (x, _), p in zip(rows, positive, strict=True)],
    )
    assert trace[0].note["all"] == len(spans) ** 2
    assert [1 - s.state.said for s in trace if s.line == "vote"] == said
    assert [n for n, _ in trace[-1].state.trail] == left


def inside(h: Any, x: Any) -> bool:
    return all(a <= v <= b for (a, b), v in zip(h, x, strict=True))


def test_the_whole_rectangle_is_learnt_exactly() -> None:
    """(9 · 10 / 2)² = 2,025 of them, at most ⌊log₂ 2025⌋ = 10 mistakes, and one is left."""
    trace = engine.run("halving", engine.textbook("whole_rectangle"))
    assert (trace[0].note["all"], trace[0].note["bound"]) == (2025, 10)
    assert trace[-1].note["names"] == "2 ≤ x ≤ 6, 3 ≤ y ≤ 7"
    assert trace[-1].state.mistakes <= 10
    assert trace.predict(
        np.array([[2.0, 3.0], [6.5, 5.0], [6.0, 7.0], [9.0, 5.0], [-3.0, 5.0]])
    ).tolist() == [
        "yes",
        "no",
        "yes",
        "no",
        "no",
    ]
    scene = trace.algorithm.scene(trace.given, trace[-1])
    (box,) = [layer for layer in scene.layers if isinstance(layer, Boxes)]
    assert box.bounds.tolist() == [[2, 3, 6, 7]]


def test_votes_between_whole_numbers_are_those_of_all_rectangles_that_reach_over() -> None:
    from engine.algorithms.rules.halving.spaces import Space

    H = Space("rectangles", 2, -1, 4)
    which = np.flatnonzero(np.random.default_rng(0).random(H.size) < 0.4)
    X = np.random.default_rng(1).uniform(-2, 4, (80, 2))
    X[:30] = np.round(X[:30])
    assert H.votes(X, which).tolist() == H.says(X, which).sum(axis=1).tolist()


def test_the_exercise_itself_has_too_many() -> None:
    """mitchell D21: (n (n + 1) / 2)² with n = 100."""
    rows = np.array([[0, 0], [99, 99], [50, 50]])
    with pytest.raises(engine.EngineError, match="from 0 to 99 make 25,502,500 rectangles"):
        engine.run("halving", (rows, ["no", "no", "yes"]))
    with pytest.raises(engine.EngineError, match="over whole numbers take conjunctions"):
        engine.run("halving", engine.textbook("whole_rectangle"), hypotheses="unbiased")
    sentence = engine.algorithms()["halving"].needs.reason(
        engine.prepare(engine.generate("moons", 20))
    )
    assert sentence is not None and sentence.startswith("needs columns of 0 and 1")


def test_the_columns_themselves_are_as_many_hypotheses_however_many_there_are() -> None:
    """All functions of sixty columns are 2^(2^60), a number that no memory holds."""
    rows = np.random.default_rng(0).integers(0, 2, (20, 60))
    trace = engine.run("halving", table(rows, rows[:, 7]), hypotheses="columns")
    assert trace[0].state.version_space.shape == (60,)
    assert trace[-1].state.version_space[7]


def test_the_heading_says_what_the_vote_says_and_whether_it_was_right() -> None:
    trace = engine.run("halving", engine.textbook("mit_conjunction"), hypotheses="unbiased")
    for s in (s for s in trace if s.line in ("vote", "truth")):
        figures = trace.algorithm.scene(trace.given, s).figures
        votes = next(f for f in figures if f.title.startswith("Votes"))
        if s.line == "vote":
            assert votes.title.endswith(f"so {s.note['said']}")
        else:
            assert ("a mistake" in votes.title) == s.note.lead.startswith("Mistake")


def test_an_example_that_is_still_to_come_shows_no_class_and_is_not_wrong() -> None:
    trace = engine.run("halving", engine.textbook("mit_conjunction"))
    rows = trace.given.stream
    for step in trace:
        figures = trace.algorithm.scene(trace.given, step).figures
        plot = next(f for f in figures if f.title.startswith("Karnaugh map"))
        (marks,) = (x for x in plot.layers if isinstance(x, Points) and x.tag == "rows")
        came = step.state.seen + (step.line in ("take", "vote", "truth"))
        assert (marks.group[rows[came:]] == -1).all()
        assert not marks.wrong()[rows[came:]].any()
        assert (marks.group[rows[:came]] == trace.problem.codes[rows[:came]]).all()
