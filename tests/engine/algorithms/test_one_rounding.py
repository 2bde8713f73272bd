"""What decides, what is shown and what is counted is one function, whose tolerance follows the
rounding that can really have happened: columns of size 10⁻⁷, columns in millions, gains under
missing weights. The same at all paces, and as in fractions.
"""

from collections.abc import Sequence
from fractions import Fraction as F

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine import Level, Pace
from engine.runs.trace import Trace

SIZES = st.sampled_from([F(1, 10**7), F(1), F(10**6)])
HALF = F(1, 2)


def rows_of(seed: int, unit: F, k: int) -> tuple[list[list[F]], list[int]]:
    """A few rows on whole numbers of a unit, with the feature −1 of a threshold, and a class for
    each.
    """
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(k + 1, 9)), int(rng.integers(1, 4))
    return [[*(int(v) * unit for v in row), F(-1)] for row in rng.integers(-9, 10, (n, d))], (
        np.arange(n) % k
    ).tolist()


def features(rows: Sequence[Sequence[F]]) -> np.ndarray:
    return np.array([[float(v) for v in row[:-1]] for row in rows])


def dot(w: Sequence[F], x: Sequence[F]) -> F:
    return sum((a * b for a, b in zip(w, x, strict=True)), F(0))


def on_paper(
    rows: list[list[F]], y: list[int], classes: Sequence[int], rounds: int
) -> list[list[tuple[int, list[F]]]]:
    """Mistakes and weights of the perceptron of each class at the end of each round, in fractions,
    with η = ½.
    """
    W = {c: [F(0)] * len(rows[0]) for c in classes}
    expected = []
    for _ in range(rounds):
        slips = dict.fromkeys(classes, 0)
        for x, label in zip(rows, y, strict=True):
            for c, w in W.items():
                side = 1 if label == c else -1
                if side * dot(w, x) <= 0:
                    W[c], slips[c] = (
                        [a + HALF * side * b for a, b in zip(w, x, strict=True)],
                        slips[c] + 1,
                    )
        expected.append([(slips[c], W[c]) for c in classes])
        if not any(slips.values()):
            break
    return expected


def ends_of(trace: Trace) -> list:
    return [step for step in trace if step.line == "until"]


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), SIZES)
def test_the_perceptron_decides_as_on_paper_whatever_the_unit(seed: int, unit: F) -> None:
    """In millions a threshold of ½ beside products of 10¹³ was once taken for rounding, though
    whole numbers have none.
    """
    rows, y = rows_of(seed, unit, 2)
    wanted = on_paper(rows, y, [0], 25)
    wrong = [
        sum((1 if c == 0 else -1) * dot(w, x) <= 0 for x, c in zip(rows, y, strict=True))
        for ((_, w),) in wanted
    ]
    labels = np.where(np.array(y) == 0, 1, -1)
    for level in Level:
        trace = engine.run(
            "perceptron",
            (features(rows), labels),
            threshold="learned",
            rate=0.5,
            stop="rounds",
            rounds=25,
            pace=Pace(level),
        )
        ends = ends_of(trace)
        assert np.diff([0, *(step.state.mistakes for step in ends)]).tolist() == [
            slips for ((slips, _),) in wanted
        ]
        assert [step.state.errors for step in ends] == wrong
        assert int(trace.wrong(at=-1).sum()) == wrong[-1]
        assert np.allclose(
            ends[-1].state.w, [float(v) for v in wanted[-1][0][1]], rtol=1e-9, atol=0
        )


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), SIZES, st.integers(2, 3))
def test_the_multiclass_perceptron_decides_as_on_paper_whatever_the_unit(
    seed: int, unit: F, k: int
) -> None:
    rows, y = rows_of(seed, unit, k)
    wanted = on_paper(rows, y, range(k), 25)
    called = []
    for x in rows:
        scores = [dot(w, x) for _, w in wanted[-1]]
        called.append(scores.index(max(scores)) if max(scores) > 0 else -1)
    for level in Level:
        data = features(rows), [f"c{c}" for c in y]
        trace = engine.run("multiclass_perceptron", data, rate=0.5, rounds=25, pace=Pace(level))
        ends = ends_of(trace)
        assert [step.state.slips.tolist() for step in ends] == [
            [slips for slips, _ in rounds] for rounds in wanted
        ]
        assert trace.codes(trace.problem.X).tolist() == called
        assert ends[-1].state.errors == sum(a != b for a, b in zip(called, y, strict=True))
        final = [[float(v) for v in w] for _, w in wanted[-1]]
        assert np.allclose(ends[-1].state.V, final, rtol=1e-9, atol=1e-9 * float(unit))


@pytest.mark.slow
def test_equal_gains_of_parts_of_examples_are_equal_at_all_paces() -> None:
    """`b` is `a` with its values in another order and the same rows unknown: on paper both gain the
    same below every branch, in sums of parts of examples that float numbers add up otherwise. The
    first is taken, and both are named as equal.
    """
    rng = np.random.default_rng(5)
    other = {"p": "w", "q": "u", "r": "v"}
    ties = 0
    for _ in range(12):
        a = [None if rng.random() < 0.2 else str(v) for v in rng.choice(["p", "q", "r"], 30)]
        c = [
            None if rng.random() < 0.3 else str(v)
            for v in rng.choice(["s", "t", "o", "k", "m"], 30)
        ]
        y = [str(v) for v in rng.choice(["A", "B", "C"], 30)]
        columns = {"c": c, "a": a, "b": [None if v is None else other[v] for v in a], "y": y}
        data = engine.Dataset.from_columns(columns, target="y")
        traces = [
            engine.run("decision_tree", data, missing="weights", pace=Pace(level))
            for level in Level
        ]
        assert all(trace[-1].state.nodes == traces[0][-1].state.nodes for trace in traces)
        assert {node.column for node in traces[0][-1].state.nodes if node.kind == "test"} <= {0, 1}
        for trace in traces:
            for choice in (step.choice for step in trace if step.choice is not None):
                at = {option.label: k for k, option in enumerate(choice.options)}
                if {"a", "b"} <= at.keys() and choice.chosen == at["a"]:
                    assert {at["a"], at["b"]} <= {*choice.winners}
                    ties += 1
    assert ties > 20
