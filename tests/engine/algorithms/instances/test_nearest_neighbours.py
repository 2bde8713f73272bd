"""k nearest neighbours: textbook sets, tie rules, the search step by step, and scikit-learn as
oracle.
"""

import gc
import re
import weakref
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neighbors import KNeighborsClassifier

import engine
from engine.algorithms.instances import nearest_neighbours
from engine.algorithms.instances.nearest_neighbours import ALGORITHM, ONE_BY_ONE
from engine.algorithms.instances.nearest_neighbours.vote_words import (
    EXACT,
    LOWER,
    NEARER,
    RIM,
    SAME_NEAR,
    TIED,
    TOO_NEAR,
    as_sentence,
)
from engine.algorithms.instances.nearest_neighbours.words import CLAMPED
from engine.base.errors import EngineError
from engine.base.grid import Grid
from engine.base.notation import read_number
from engine.judge.surface import surface
from engine.numerics.nearest import Index
from engine.protocol.params import build
from engine.protocol.step import Level, Note, Pace
from engine.runs.run import Run
from engine.runs.trace import Trace
from engine.scene.scene import (
    Boxes,
    Circles,
    Ellipses,
    Field,
    Pictures,
    Points,
    Polygons,
    Polyline,
    Role,
    Segments,
    Table,
)
from engine.sources.real import real
from engine.sources.textbook import textbook
from engine.table.dataset import Dataset
from engine.table.prepare import Split, prepare
from engine.table.problem import Problem

CROSSED = ([[1.0, 2.0], [2.0, 1.0], [3.0, 4.0], [4.0, 3.0]], [1, -1, -1, 1])  # MMDS Exercise 12.4.2
DOGS = {  # stand-in for MMDS Fig 12.1
    "name": ["C1", "C2", "C3", "D1", "D2", "B1", "B2"],
    "weight": [2.0, 1.0, 1.5, 3.5, 6.0, 5.0, 8.0],
    "height": [5.0, 5.0, 3.5, 6.5, 6.5, 8.0, 8.0],
    "breed": ["Chihuahua"] * 3 + ["Dachshund"] * 2 + ["Beagle"] * 2,
}
ROUND = Pace(Level.ROUND)


def problem_of(X: Any, y: Any, **changes: Any) -> Problem:
    return prepare(Dataset.from_arrays(np.asarray(X), np.asarray(y)), **changes)


def dogs(**changes: Any) -> Problem:
    columns = {key: values for key, values in DOGS.items() if key != "name"}
    return prepare(Dataset.from_columns(columns, "breed"), **changes)


def run(problem: Any, pace: Pace = Pace(), **params: Any) -> Trace:
    problem = problem if isinstance(problem, Problem) else problem_of(*problem)
    run = Run(ALGORITHM, problem, build(ALGORITHM.params, params), pace=pace)
    run.advance()
    return run.trace


def layers(trace: Trace, at: int = -1) -> tuple[Any, ...]:
    return ALGORITHM.scene(trace.given, trace[at]).layers


def of_role(trace: Trace, kind: type, role: Role, at: int = -1) -> list[Any]:
    return [layer for layer in layers(trace, at) if isinstance(layer, kind) and layer.role is role]


# -- textbook sets ---------------------------------------------------------------------------------


@given(st.floats(-2, 8), st.floats(-2, 8))
def test_crossed_points_are_parted_by_two_lines(x: float, y: float) -> None:
    """The bisectors of MMDS Exercise 12.4.2 are x1 = x2 and x1 + x2 = 5: +1 above one and below the
    other.
    """
    side = (y - x) * (5 - x - y)
    if abs(side) < 1e-6:
        return
    assert run(CROSSED, ROUND).predict([[x, y]])[0] == (1 if side > 0 else -1)


def test_crossed_points_tie_on_the_lines_and_the_lower_row_wins() -> None:
    trace = run(CROSSED, query=(0.0, 0.0))
    assert trace[-1].state.neighbours.tolist() == [0]
    assert "tie" in trace[-2].events
    assert trace.predict([[0.0, 0.0], [2.5, 2.5], [5.0, 5.0]]).tolist() == [1, 1, -1]


def test_crossed_points_have_four_edges_between_classes() -> None:
    """All four cells meet in (2.5, 2.5); neighbours over an edge always differ."""
    trace = run(CROSSED)
    (different,), (same,) = (
        of_role(trace, Segments, Role.DIFFERENT),
        of_role(trace, Segments, Role.SAME),
    )
    assert len(different.ends) == 4
    assert len(same.ends) == 0
    assert all(min(np.linalg.norm(ends - 2.5, axis=1)) < 1e-9 for ends in different.ends)


def test_dogs_have_the_cells_of_their_breeds() -> None:
    """MMDS Fig 12.21: solid edges between breeds, dashed inside one."""
    trace = run(dogs())
    problem = trace.problem
    for role, same in ((Role.SAME, True), (Role.DIFFERENT, False)):
        (edges,) = of_role(trace, Segments, role)
        assert len(edges.ends) > 0
        for middle in edges.ends.mean(axis=1):
            d = np.linalg.norm(problem.X - middle, axis=1)
            left, right = np.argsort(d)[:2]
            assert d[left] == pytest.approx(d[right])
            assert (problem.codes[left] == problem.codes[right]) == same
    assert trace.predict([[1.4, 4.5], [4.0, 6.0], [7.0, 9.0]]).tolist() == [
        "Chihuahua",
        "Dachshund",
        "Beagle",
    ]


@settings(deadline=None, max_examples=30)
@given(st.floats(0, 9), st.floats(2, 10))
def test_two_neighbours_that_agree(weight: float, height: float) -> None:
    """MMDS Exercise 12.4.1: a label only where both nearest dogs are of one breed."""
    trace = run(dogs(), ROUND, k=2, disagree="leave unclassified")
    d = np.linalg.norm(trace.problem.X - [weight, height], axis=1)
    first, second = np.argsort(d, kind="stable")[:2]
    expected = DOGS["breed"][first] if DOGS["breed"][first] == DOGS["breed"][second] else None
    if np.sort(d)[2] - np.sort(d)[1] > 1e-9:
        assert trace.predict([[weight, height]])[0] == expected


def test_the_curse_of_units() -> None:
    """AIMA 18.8.1 (F38): rescaling a column changes who is near; normalising undoes it."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(80, 2))
    y = rng.integers(0, 2, 80)
    Q = rng.normal(size=(200, 2))
    miles = np.array([1.0, 1e-3])
    plain = [run((X * unit, y), ROUND).predict(Q * unit) for unit in (np.ones(2), miles)]
    normal = [
        run((X * unit, y), ROUND, normalise=True).predict(Q * unit) for unit in (np.ones(2), miles)
    ]
    assert (plain[0] != plain[1]).any()
    assert (normal[0] == normal[1]).all()


def test_one_neighbour_overfits_five_smooth_all_underfit() -> None:
    """AIMA 18.8.1 (F37): k = 1 follows noise, a moderate k is best, k = N says the majority
    everywhere.
    """
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (300, 2))
    truth = (X[:, 1] > 0.3 * X[:, 0] - 0.2).astype(int)
    y = np.where(rng.random(300) < 0.15, 1 - truth, truth)
    Q = rng.uniform(-1, 1, (4000, 2))
    right = (Q[:, 1] > 0.3 * Q[:, 0] - 0.2).astype(int)
    traces = {k: run((X, y), ROUND, k=k) for k in (1, 9, 300)}
    wrong = {k: (trace.predict(Q) != right).mean() for k, trace in traces.items()}
    assert traces[1].wrong().sum() == 0
    assert wrong[9] < wrong[1] / 2
    assert wrong[9] < wrong[300]
    assert set(traces[300].predict(Q)) == {np.bincount(y).argmax()}


def test_inverse_square_weights_keep_every_island() -> None:
    """ML 8.2.1 (F29, erratum): with 1/d² the wrong point outweighs all others at its own place;
    equal votes remove it.
    """
    X = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]
    y = [-1, 1, 1, 1, 1]
    assert run((X, y), ROUND, k=5, weights="1/d²").predict([[0.0, 0.0], [0.01, 0.0]]).tolist() == [
        -1,
        -1,
    ]
    assert run((X, y), ROUND, k=5).predict([[0.0, 0.0], [0.01, 0.0]]).tolist() == [1, 1]


# -- scikit-learn ----------------------------------------------------------------------------------

METRICS: dict[str, dict[str, Any]] = {
    "Manhattan": {"p": 1.0},
    "Euclid": {"p": 2.0},
    "p = 3": {"p": 3.0},
    "largest": {"p": float("inf")},
    "Mahalanobis": {"metric": "mahalanobis"},
}


@settings(deadline=None, max_examples=25)
@given(
    st.integers(0, 10_000),
    st.integers(1, 4),
    st.integers(1, 12),
    st.integers(2, 4),
    st.sampled_from(sorted(METRICS)),
    st.sampled_from(["equal", "1/d"]),
)
def test_agrees_with_scikit_learn(
    seed: int, d: int, k: int, classes: int, metric: str, weights: str
) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(120, d))
    y = np.arange(120) % classes
    Q = rng.normal(size=(60, d))
    peer = KNeighborsClassifier(
        k, weights="uniform" if weights == "equal" else "distance", **peer_metric(metric, X)
    )
    trace = run((X, y), ROUND, k=k, weights=weights, **METRICS[metric])
    shares = peer.fit(X, y).predict_proba(Q)
    clear = np.diff(np.sort(shares, axis=1)[:, -2:], axis=1).ravel() > 1e-9
    assert np.array_equal(trace.predict(Q)[clear], peer.predict(Q)[clear])


def peer_metric(name: str, X: np.ndarray) -> dict[str, Any]:
    if name == "Mahalanobis":
        inverse = np.linalg.inv(np.atleast_2d(np.cov(X.T)))
        return {"metric": "mahalanobis", "metric_params": {"VI": inverse}, "algorithm": "brute"}
    p = METRICS[name]["p"]
    return {"metric": "chebyshev"} if np.isinf(p) else {"metric": "minkowski", "p": p}


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10_000), st.integers(1, 9))
def test_hamming_agrees_with_scikit_learn_where_no_distances_tie(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (60, 12)).astype(float)
    y = rng.integers(0, 2, 60)
    Q = rng.integers(0, 4, (40, 12)).astype(float)
    names = {f"c{j}": [str(int(v)) for v in X[:, j]] for j in range(12)}
    trace = run(
        prepare(Dataset.from_columns(names | {"y": y.tolist()}, "y")), ROUND, k=k, metric="hamming"
    )
    d = np.sort((Q[:, None] != X[None]).sum(2), axis=1)
    clear = d[:, k - 1] < d[:, k]
    peer = KNeighborsClassifier(k, metric="hamming", algorithm="brute").fit(X, y)
    shares = peer.predict_proba(Q)
    clear &= np.abs(shares[:, 0] - 0.5) > 1e-9
    codes = np.array(
        [
            [trace.problem.features[j].categories.index(str(int(v))) for j, v in enumerate(q)]
            for q in Q
        ]
    )
    assert np.array_equal(trace.predict(codes.astype(float))[clear], peer.predict(Q)[clear])


# -- ties ------------------------------------------------------------------------------------------


def test_equal_distance_keeps_the_lower_row() -> None:
    """The lab's rule (AIMA card A55): three examples at distance 1, the first one counts, and the
    tie is shown.
    """
    trace = run(([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]], [1, -1, -1]), query=(0.0, 0.0))
    assert trace[-1].state.neighbours.tolist() == [0]
    ties = [step for step in trace if "tie" in step.events and step.line == "look"]
    assert [step.choice.winners for step in ties] == [(0, 1)] * 2
    assert [step.choice.chosen for step in ties] == [0, 0]
    assert "lower row" in ties[0].choice.rule


def test_equal_votes_go_to_the_class_of_the_nearer_neighbour() -> None:
    trace = run(([[3.0], [1.0], [2.0], [-4.0]], [1, -1, 1, -1]), k=4, query=(0.0,))
    vote = trace[-2]
    assert vote.line == "vote"
    assert vote.choice.winners == (0, 1)
    assert [option.score for option in vote.choice.options] == [2, 2]
    assert vote.choice.rule == NEARER
    assert "tie" in vote.events
    assert trace.problem.labels([vote.state.label]) == [-1]
    assert trace[-1].note["label"] == "−1"
    assert trace[-1].note.lead.count(as_sentence(NEARER)) == 1


@pytest.mark.parametrize("weights", ["equal", "1/d"])
def test_equal_votes_of_equally_near_classes_go_to_the_lower_row(weights: str) -> None:
    """0.1 and 0.5 are equally far from 0.3 on paper; the row of class −1 comes first."""
    trace = run(([[0.5], [0.1], [9.0], [-8.4]], [-1, 1, 1, -1]), k=4, query=(0.3,), weights=weights)
    assert trace.problem.labels([trace[-1].state.label]) == [-1]
    assert (trace[-2].choice.winners, trace[-2].choice.rule) == ((0, 1), LOWER)
    assert trace[-1].note.lead.count(as_sentence(LOWER)) == 1


def test_the_nearest_neighbour_of_a_class_that_lost_decides_nothing() -> None:
    """c is nearest but has one vote; of a and b, two votes each, b is nearer."""
    trace = run(([[0.0], [2.0], [4.0], [1.0], [5.0]], list("caabb")), k=5, query=(0.0,))
    vote = trace[-2].choice
    assert [(option.label, option.score) for option in vote.options] == [
        ("a", 2),
        ("b", 2),
        ("c", 1),
    ]
    assert (vote.winners, vote.options[vote.chosen].value, vote.rule) == ((0, 1), 1, NEARER)
    assert trace[-1].note["label"] == "b"


@pytest.mark.parametrize("params", [{"k": 3}, {"k": 4, "disagree": "leave unclassified"}])
def test_no_rule_is_named_where_no_votes_are_equal_or_none_counts(params: dict[str, Any]) -> None:
    trace = run(([[3.0], [1.0], [2.0], [-4.0]], [1, -1, 1, -1]), query=(0.0,), **params)
    assert "wins" not in trace[-1].note.text()


def test_copies_with_different_classes() -> None:
    trace = run(([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [5.0, 5.0]], [-1, 1, 1, 1]), ROUND)
    assert trace.predict([[0.0, 0.1]]).tolist() == [-1]
    assert run(trace.problem, ROUND, k=3).predict([[0.0, 0.0]]).tolist() == [1]
    assert run(trace.problem, ROUND, k=3, weights="1/d²").predict([[0.0, 0.0]]).tolist() == [1]


def test_rounding_does_not_break_ties() -> None:
    """0.1 and 0.5 are equally far from 0.3 on paper, though not in the machine's numbers."""
    trace = run(([[0.5, 0.0], [0.1, 0.0]], [1, -1]), query=(0.3, 0.0))
    assert trace[-1].state.neighbours.tolist() == [0]
    assert trace.predict([[0.3, 0.0], [0.3, 7.0]]).tolist() == [1, 1]


# -- the search ------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(deadline=None, max_examples=30)
@given(
    st.integers(0, 10_000),
    st.integers(1, 6),
    st.sampled_from([20, 130]),
    st.sampled_from([1.0, 2.0, float("inf")]),
)
def test_the_scan_keeps_the_best_of_what_it_has_seen(seed: int, k: int, n: int, p: float) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 8, (n, 2)).astype(float)
    y = rng.integers(0, 3, n)
    trace = run((X, y), k=k, p=p, query=(3.0, 4.0))
    d = np.linalg.norm(X - [3.0, 4.0], ord=p, axis=1)
    for step in trace:
        s = step.state
        best = sorted(range(s.seen), key=lambda i: (round(d[i], 9), i))[:k]
        assert s.neighbours.tolist() == best
        assert np.allclose(s.distances, d[best])
        assert s.votes.sum() == len(best)
    assert trace[-1].state.seen == n
    seen = [step.state.looked for step in trace if step.line in ("look", "keep")]
    assert seen == list(range(n))


def test_the_step_of_the_projector_picture() -> None:
    """A closer example: its distance, the former best as a ghost, and what “?” becomes."""
    problem = problem_of([[1.0, 0.0], [3.0, 0.0], [0.0, 0.5]], ["circle", "circle", "triangle"])
    trace = run(problem, query=(0.0, 0.0))
    step = trace[5]
    assert step.line == "keep"
    assert step.events == ("closer",)
    assert (step.note["d"], step.note["kth"]) == (0.5, 1.0)
    assert step.note["called"] == "triangle"
    assert step.note["point"] == "x₃"
    assert step.choice.chosen == 1
    (ball,), (ghost,) = (
        of_role(trace, Circles, Role.BALL, 5),
        of_role(trace, Circles, Role.GHOST, 5),
    )
    assert (ball.radius[0], ghost.radius[0]) == (0.5, 1.0)
    (line,), (former,) = (
        of_role(trace, Segments, Role.NEAREST, 5),
        of_role(trace, Segments, Role.GHOST, 5),
    )
    assert line.ends.tolist() == [[[0.0, 0.0], [0.0, 0.5]]]
    assert (line.label, former.label) == (("kept: 0.50",), ("out: 1",))
    (query,) = of_role(trace, Points, Role.QUERY, 5)
    assert query.label == ("?",)


def test_formulas_can_be_redone_on_paper() -> None:
    """Manners: what stands there is what a hand works out."""
    problem = problem_of([[4.0, 3.0], [1.0, 1.0]], [1, -1])
    first = run(problem, query=(1.0, -1.0))[3].note.lines()
    assert first[2] == "√((4 − 1)² + (3 − (−1))²) = 5"
    assert run(problem, query=(1.0, -1.0), p=1)[3].note.lines()[2] == "|4 − 1| + |3 − (−1)| = 7"
    assert (
        run(problem, query=(1.0, -1.0), p=float("inf"))[3].note.lines()[2]
        == "max(|4 − 1|, |3 − (−1)|) = 4"
    )


def worked(line: str) -> float:
    """A line of numbers as notes write them, computed by Python."""
    tens = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
    line = re.sub("·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda found: "e" + found[1].translate(tens), line)
    return float(
        eval(line.replace("√", "sqrt").replace("²", "**2").replace("−", "-"), {"sqrt": np.sqrt})
    )


@pytest.mark.parametrize("weights", ["1/d", "1/d²"])
@pytest.mark.parametrize("size", [1e-200, 1e-120, 1e-3, 0.3, 7.0, 1e7, 1e140])
def test_the_weight_is_never_a_false_equation(size: float, weights: str) -> None:
    """Brackets round powers of ten; where 1/d² is no number any more, no formula but the reason."""
    X = size * np.array([[1.0], [5.0], [-8.0]])
    trace = run((X, list("aba")), k=2, weights=weights, query=(0.0, 0.0))
    note = trace.at(Level.ROUND, 2).note
    lines = note.lines()
    if "²" in weights and size < 1e-150:
        assert note.formulas == ()
        assert TOO_NEAR in note.facts
        return
    left, right = lines[2].split(" = ")
    assert left == "1 / (1.00·10⁻³)²" or (size, weights) != (1e-3, "1/d²")
    assert worked(left) == pytest.approx(worked(right), rel=0.03)


@pytest.mark.parametrize("start", [0.0, 100_000.1, -100_000.1, 1_700_000_010.0, 3e12])
@pytest.mark.parametrize("gap", [0.05, 0.1, 10.0])
@pytest.mark.parametrize("columns", [1, 2])
def test_coordinates_are_shown_so_that_their_differences_are_right(
    start: float, gap: float, columns: int
) -> None:
    X = start + gap * np.arange(6.0).reshape(-1, columns)
    classes = [("a", "b")[i % 2] for i in range(len(X))]
    trace = run((X, classes), k=len(X), query=(start, start + gap * (columns - 1)))
    for step in trace:
        if step.line != "keep":
            continue
        left, right = step.note.lines()[2].split(" = ")
        assert worked(left) == pytest.approx(worked(right), rel=0.3, abs=gap * 1e-3)


def test_long_coordinates_stand_as_whole_numbers() -> None:
    """Manners: 1700000010 − 1700000020 = −10, which 1.70·10⁹ − 1.70·10⁹ does not say; two decimals
    suffice for small ones.
    """
    lines = run(([[1_700_000_010.0]], ["a"]), query=(1_700_000_020.0, 0.0))[3].note.lines()
    assert lines[2] == "√((1700000010 − 1700000020)²) = 10"
    lines = run(([[100_000.1, 1.0, 2.0, 3.0]], ["a"]), query=(100_000.2, 1.0, 2.0, 3.0))[
        3
    ].note.lines()
    assert lines[2] == "√(Σ ((100000.1, 1, 2, 3) − (100000.2, 1, 2, 3))²) = 0.10"


def test_coarse_paces_end_in_the_same_state() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 2))
    y = rng.integers(0, 3, 400)
    traces = [run((X, y), Pace(level), k=7, weights="1/d") for level in Level]
    assert [step.line for step in traces[2]] == ["start", "store", "vote", "answer"]
    assert len(traces[1]) < 60 < len(traces[0])
    for trace in traces:
        assert trace[-1].state.neighbours.tolist() == traces[0][-1].state.neighbours.tolist()
        assert np.allclose(trace[-1].state.votes, traces[0][-1].state.votes)


def test_choices_carry_rows_and_classes() -> None:
    trace = run(SHAPES, k=2)
    for step in trace:
        if step.choice is not None:
            chosen = step.choice.options[step.choice.chosen].value
            last = step.state.neighbours[-1]
            assert (
                chosen
                == {"vote": step.state.label, "keep": step.state.looked, "look": last}[step.line]
            )
    assert {"keep", "look", "vote"} <= {step.line for step in trace if step.choice is not None}
    apart = run(CROSSED, k=2, query=(2.5, 2.5), disagree="leave unclassified")
    vote = next(step for step in apart if step.line == "vote")
    assert vote.choice.options[vote.choice.chosen].value == vote.state.label


def test_skipped_examples_are_counted() -> None:
    n = 100
    x = np.full(n, 9.0)
    x[60] = 1.0
    trace = run((np.column_stack([x, x]), np.arange(n) % 2), Pace(Level.STEP), query=(0.0, 0.0))
    (closer,) = [step for step in trace if "closer" in step.events]
    assert closer.note["skipped"] == 59
    assert "{skipped}" in closer.note.lead


@pytest.mark.slow
def test_very_large_tables_tell_farther_examples_together() -> None:
    n = ONE_BY_ONE + 5
    x = np.linspace(1.0, 2.0, n)
    trace = run((np.column_stack([x, x]), np.arange(n) % 2), query=(0.0, 0.0))
    assert [step.line for step in trace] == [
        "start",
        "store",
        "query",
        "keep",
        "look",
        "vote",
        "answer",
    ]
    assert trace[4].note["count"] == n - 1


def test_weights_are_shown_as_votes() -> None:
    """ML Eq 8.3: w = 1/d²; at distances 1, 2, 4 the votes are 1, 1/4, 1/16."""
    trace = run(([[1.0], [2.0], [4.0]], [1, -1, -1]), k=3, weights="1/d²", query=(0.0,))
    expected = [1.0, float(Fraction(1, 4) + Fraction(1, 16))]
    assert trace[-1].state.votes.tolist() == expected
    assert [option.score for option in trace[-2].choice.options] == expected
    table = ALGORITHM.scene(trace.given, trace[-1]).figures[0]
    assert isinstance(table, Table)
    assert [column.feature.name for column in table.columns] == ["distance", "weight", "y"]
    assert table.columns[1].values.tolist() == [1, 0.25, 0.0625]


# -- the query -------------------------------------------------------------------------------------


def test_the_query_comes_from_the_parameter_the_probe_or_the_middle() -> None:
    X, y = [[0.0, 0.0], [4.0, 2.0]], [1, -1]
    assert run((X, y))[-1].state.query.tolist() == [2.0, 1.0]
    assert run(problem_of(X, y, query=(3.0, 3.0)))[-1].state.query.tolist() == [3.0, 3.0]
    assert run(problem_of(X, y, query=(3.0, 3.0)), query=(1.0, 0.0))[-1].state.query.tolist() == [
        1.0,
        0.0,
    ]
    swapped = problem_of(X, y, plane=("x2", "x1"))
    assert run(swapped, query=(5.0, 6.0))[-1].state.query.tolist() == [6.0, 5.0]


def test_a_query_may_name_every_column() -> None:
    X = np.arange(12.0).reshape(4, 3)
    assert run((X, [1, 1, -1, -1]), query=(9.0, 9.0, 9.0))[-1].state.query.tolist() == [9, 9, 9]
    with pytest.raises(EngineError, match="two numbers"):
        run((X, [1, 1, -1, -1]), query=(1.0, 2.0, 3.0, 4.0))
    words = Dataset.from_columns({"a": ["u", "v", "w"], "y": [1, 1, -1]}, "y")
    with pytest.raises(EngineError, match="numbered from 0 to 2"):
        run(prepare(words), metric="hamming", query=(7.0,))


def test_a_question_about_words_names_them() -> None:
    """The middle of these columns is the most frequent word; a column of factor 0 does not count,
    so the query leaves it out.
    """
    columns = {"Sky": ["sun", "sun", "rain"], "Wind": [3.0, 3.0, 3.0], "Late": ["no", "yes", "yes"]}
    trace = run(
        prepare(Dataset.from_columns(columns | {"Walk": ["a", "b", "a"]}, "Walk")), metric="hamming"
    )
    question = trace[2].note
    assert (question["q"].split(", "), question.facts) == (
        ["Sky = sun", "Wind = 3", "Late = yes"],
        (),
    )
    stretched = run(trace.problem, metric="hamming", stretch=(1.0, 0.0, 1.0))
    assert stretched[2].note["q"].split(", ") == ["Sky = sun", "Late = yes"]


def test_a_question_about_many_words_lists_them_below() -> None:
    columns = {f"c{j}": ["p", "p", "q"] for j in range(8)}
    trace = run(
        prepare(Dataset.from_columns(columns | {"y": ["a", "b", "a"]}, "y")), metric="hamming"
    )
    text, fact = trace[2].note.lines()
    assert text.count(" = p") == 6
    assert text.endswith(", …?")
    assert fact.count(" = p") == 8


def test_no_radius_is_measured_before_there_is_one() -> None:
    trace = run(problem_of([[1.0], [2.0]], ["a", "b"]))
    assert [step.metrics for step in trace[:3]] == [{}, {}, {}]
    assert np.isfinite(trace[3].metrics["radius"])


# -- the model -------------------------------------------------------------------------------------


def test_nothing_is_classified_before_it_is_stored() -> None:
    trace = run(CROSSED)
    assert trace.codes(trace.problem.X, at=0).tolist() == [-1] * 4
    assert np.array_equal(trace.codes(trace.problem.X, at=1), trace.problem.codes)
    assert (surface(trace, "class", Grid.over((0, 5), (0, 5), 9), at=0) == -1).all()
    assert np.isnan(surface(trace, "score", Grid.over((0, 5), (0, 5), 9), at=0)).all()


SURFACES: list[dict[str, Any]] = [
    {},
    {"k": 4},
    {"k": 5, "weights": "1/d"},
    {"p": 1.0, "k": 2},
    {"p": float("inf")},
    {"metric": "hamming", "k": 3},
    {"metric": "mahalanobis", "k": 3},
    {"normalise": True},
    {"k": 2, "disagree": "leave unclassified"},
    {"k": 99},
    {"p": 30.0, "k": 3},
]


@pytest.mark.parametrize("params", SURFACES, ids=str)
@pytest.mark.parametrize("columns", [1, 2, 4])
def test_surfaces_equal_predict_whatever_is_hidden(params: dict[str, Any], columns: int) -> None:
    rng = np.random.default_rng(5)
    X = np.round(rng.normal(size=(150, columns)), 1)
    y = rng.integers(0, 3, 150)
    trace = run((X, y), ROUND, stretch=(0.5, *([1.0] * (columns - 1))), **params)
    grid = Grid.over((-2.03, 2.11), (-2.07, 2.09), 37)
    rows = trace.problem.from_plane(grid.points())
    painted = surface(trace, "class", grid)
    assert np.array_equal(painted.ravel(), trace.codes(rows))
    shares = surface(trace, "score", grid)
    assert (np.abs(shares) <= 1 + 1e-12).all()
    if "disagree" not in params:
        assert (painted[shares > 1e-9] == 0).all()
        assert (painted[shares < -1 + 1e-9] != 0).all()


@given(
    st.integers(0, 10_000),
    st.sampled_from([1.0, 2.0, 3.0, np.inf]),
    st.integers(1, 7),
    st.sampled_from(["equal", "1/d"]),
    st.integers(1, 3),
    st.booleans(),
)
@settings(deadline=None, max_examples=40)
def test_blocks_that_are_answered_as_one_hold_what_each_place_gets(
    seed: int, p: float, k: int, weights: str, columns: int, agree: bool
) -> None:
    """On tenths, where places lie half-way between examples; three classes; grids whose last blocks
    are smaller.
    """
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 12, (40, columns)) / 10
    y = rng.choice(["a", "b", "c"], 40)
    X[y == "a"] += 0.8
    trace = run(
        (X, y), ROUND, k=k, p=p, weights=weights, disagree="leave unclassified" if agree else "vote"
    )
    grid = Grid(np.linspace(-0.3, 2.4, 37), np.linspace(-0.3, 2.4, 30))
    seen = trace.given.seen
    each, shares = (
        trace.given.votes(seen.index, seen.embed(grid.points()), share) for share in (False, True)
    )
    assert np.array_equal(surface(trace, "class", grid).ravel(), each)
    assert np.array_equal(surface(trace, "score", grid).ravel(), 2 * shares[:, 0] - 1)


@pytest.mark.parametrize("params", [{}, {"metric": "hamming"}, {"metric": "kernel"}], ids=str)
def test_the_neighbours_of_a_place_are_looked_up_once_for_both_surfaces(
    params: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(7)
    trace = run((rng.normal(size=(60, 2)), rng.integers(0, 2, 60)), ROUND, k=5, **params)
    grid = Grid.over((-2.0, 2.0), (-2.0, 2.0), 24)
    counts = []
    nearest = Index.nearest
    monkeypatch.setattr(
        Index, "nearest", lambda self, Q, k: counts.append(len(Q)) or nearest(self, Q, k)
    )
    surface(trace, "class", grid)
    before = len(counts)
    surface(trace, "score", grid)
    assert before and len(counts) == before


def test_the_hamming_surface_meets_stored_values() -> None:
    X = [[0.5, 0.5], [0.5, 2.5], [2.5, 0.5], [2.5, 2.5]]
    trace = run((X, [1, -1, -1, 1]), ROUND, metric="hamming")
    grid = Grid(np.array([0.5, 1.5, 2.5]), np.array([0.5, 1.5, 2.5]))
    codes = trace.codes(trace.problem.from_plane(grid.points())).reshape(3, 3)
    assert np.array_equal(surface(trace, "class", grid), codes)
    assert codes[[0, 0, 2, 2], [0, 2, 0, 2]].tolist() == [0, 1, 1, 0]


def test_share_of_votes() -> None:
    trace = run(([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]], [1, 1, -1]), ROUND, k=3)
    assert np.allclose(surface(trace, "score", Grid.over((0, 1), (0, 1), 3)), 1 / 3)


def test_held_out_rows_with_gaps_stay_unclassified() -> None:
    trace = run(CROSSED, ROUND)
    assert trace.predict([[1.0, np.nan], [1.0, 2.0], [np.nan, 0.0]]).tolist() == [None, 1, None]
    explained = ALGORITHM.explain(trace.given, trace[-1].state, np.array([1.0, np.nan]))
    assert explained.label == -1


def test_mixed_columns_under_hamming() -> None:
    """Number and category alike count one mismatch each; a missing value differs from all."""
    columns = {
        "kind": ["a", "a", "b", "c"],
        "size": [1.0, 2.0, 2.0, 3.0],
        "y": ["p", "q", "q", "p"],
    }
    trace = run(prepare(Dataset.from_columns(columns, "y")), ROUND, metric="hamming")
    rows = {"kind": ["a", "b", "c", None], "size": [1.0, 3.0, 3.0, 3.0]}
    assert trace.predict(rows).tolist() == ["p", "q", "p", "p"]


def test_an_unlabelled_row_is_no_example() -> None:
    data = Dataset.from_columns({"x": [0.0, 1.0, 5.0], "y": ["a", None, "b"]}, "y")
    trace = run(prepare(data), query=(1.0,))
    assert trace[-1].state.neighbours.tolist() == [0]
    assert trace.predict([[1.0]]).tolist() == ["a"]


def test_explains_by_neighbours() -> None:
    trace = run(dogs(), k=3)
    explanation = ALGORITHM.explain(trace.given, trace[-1].state, np.array([2.0, 5.0]))
    assert trace.problem.classes[explanation.label] == "Chihuahua"
    assert explanation.note["d0"] == 0
    assert explanation.note["d1"] == pytest.approx(1.0)
    assert explanation.bars is not None
    assert explanation.bars.values.sum() == 3
    assert {type(layer) for layer in explanation.layers} == {Polygons, Circles, Segments, Points}


# -- pictures --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("params", "kind"),
    [
        ({}, Circles),
        ({"stretch": (2.0, 2.0)}, Circles),
        ({"stretch": (1.0, 2.0)}, Ellipses),
        ({"normalise": True}, Ellipses),
        ({"metric": "mahalanobis"}, Ellipses),
        ({"p": 1.0}, Polyline),
        ({"p": float("inf")}, Polyline),
    ],
)
def test_the_ball_goes_through_the_last_neighbour(params: dict[str, Any], kind: type) -> None:
    trace = run(dogs(), k=3, query=(4.0, 5.0), **params)
    (ball,) = of_role(trace, kind, Role.BALL)
    last = trace.problem.X[trace[-1].state.neighbours[-1]] - [4.0, 5.0]
    if isinstance(ball, Circles):
        assert np.linalg.norm(last) == pytest.approx(ball.radius[0])
    elif isinstance(ball, Ellipses):
        assert np.sqrt(last @ np.linalg.inv(ball.shape[0]) @ last) == pytest.approx(ball.reach)
    else:
        rim = np.vstack([ball.xy, ball.xy[:1]]) - [4.0, 5.0]
        crossed = [
            a[0] * b[1] - a[1] * b[0] for a, b in zip(rim[:-1] - last, rim[1:] - last, strict=True)
        ]
        ways = np.diff(rim, axis=0)
        assert min(abs(np.array(crossed)) / np.linalg.norm(ways, axis=1)) < 1e-3


@pytest.mark.slow
def test_stretched_cells_are_exact_too() -> None:
    rng = np.random.default_rng(7)
    X = rng.normal(size=(25, 2))
    y = rng.integers(0, 2, 25)
    for params in ({"stretch": (1.0, 3.0)}, {"normalise": True}, {"metric": "mahalanobis"}):
        trace = run(problem_of(X, y, plane=("x2", "x1")), **params)
        for role in (Role.SAME, Role.DIFFERENT):
            (edges,) = of_role(trace, Segments, role)
            for share in (0.1, 0.5, 0.9):
                place = (1 - share) * edges.ends[:, 0] + share * edges.ends[:, 1]
                near = places_around(trace, place)
                assert (near[:, 0] == near[:, 1]).all() == (role is Role.SAME)


def places_around(trace: Trace, xy: np.ndarray) -> np.ndarray:
    """Codes of the two nearest examples of places on an edge."""
    pairs = []
    for place in xy:
        step = run(trace.problem, ROUND, **{**vars_of(trace), "k": 2, "query": tuple(place)})[
            -1
        ].state
        assert step.distances[0] == pytest.approx(step.distances[1], rel=1e-6)
        pairs.append(trace.problem.codes[step.neighbours])
    return np.array(pairs)


def vars_of(trace: Trace) -> dict[str, Any]:
    return {name: getattr(trace.params, name) for name in ("metric", "stretch", "normalise")}


def test_one_column_gives_upright_cell_edges() -> None:
    trace = run(([[0.0], [1.0], [3.0], [3.0]], [1, 1, -1, 1]))
    (same,), (different,) = (
        of_role(trace, Segments, Role.SAME),
        of_role(trace, Segments, Role.DIFFERENT),
    )
    assert np.allclose(same.ends[:, :, 0], 0.5)
    assert np.allclose(different.ends[:, :, 0], 2.0)
    assert np.isinf(different.ends[:, :, 1]).all()


@pytest.mark.parametrize("params", [{"p": 1.0, "k": 3}, {"p": 1.0}, {"metric": "hamming"}])
def test_other_models_draw_their_boundary_by_field(params: dict[str, Any]) -> None:
    trace = run(CROSSED, **params)
    field = next(layer for layer in layers(trace) if isinstance(layer, Field))
    assert field.boundary
    assert not of_role(trace, Segments, Role.SAME)


def test_two_neighbours_have_the_cells_of_their_pairs() -> None:
    """MMDS Exercise 12.4.1 on the dogs: dashed and solid walls, at each of them one of the two
    nearest changes.
    """
    trace = run(dogs(), k=2, disagree="leave unclassified")
    problem = trace.problem
    for role in (Role.SAME, Role.DIFFERENT):
        (walls,) = of_role(trace, Segments, role)
        assert len(walls.ends) > 0
        for ends in walls.ends:
            middle = ends.mean(axis=0)
            way = ends[1] - ends[0]
            aside = 1e-6 * np.array([-way[1], way[0]])
            labels = trace.predict([middle - aside, middle + aside])
            assert (labels[0] == labels[1]) == (role is Role.SAME)
            d = np.sort(np.linalg.norm(problem.X - middle, axis=1))
            assert d[1] == pytest.approx(d[2])


@pytest.mark.parametrize(
    "params",
    [{"k": 3}, {"k": 4}, {"k": 3, "normalise": True}, {"k": 2, "metric": "mahalanobis"}],
    ids=str,
)
def test_solid_walls_are_the_boundary_of_the_surface(params: dict[str, Any]) -> None:
    """On both sides of every solid wall `predict` says different classes, on both sides of a dashed
    one the same.
    """
    rng = np.random.default_rng(11)
    trace = run((rng.normal(size=(20, 2)), rng.integers(0, 3, 20)), **params)
    assert not next(layer for layer in layers(trace) if isinstance(layer, Field)).boundary
    for role in (Role.SAME, Role.DIFFERENT):
        (walls,) = of_role(trace, Segments, role)
        way = walls.ends[:, 1] - walls.ends[:, 0]
        length = np.linalg.norm(way, axis=1)
        long = length > 1e-4  # beside shorter ones there is no room to look
        assert long.sum() > 10
        aside = 1e-6 * np.column_stack([-way[long, 1], way[long, 0]]) / length[long, None]
        left, right = (
            trace.predict(walls.ends[long].mean(axis=1) + side) for side in (aside, -aside)
        )
        assert ((left == right) == (role is Role.SAME)).all()


def test_weighted_votes_keep_the_boundary_of_the_field() -> None:
    """With 1/d the class changes inside the cells, along curves: all walls are dashed."""
    rng = np.random.default_rng(11)
    trace = run((rng.normal(size=(20, 2)), rng.integers(0, 2, 20)), k=3, weights="1/d")
    assert next(layer for layer in layers(trace) if isinstance(layer, Field)).boundary
    assert len(of_role(trace, Segments, Role.SAME)[0].ends) > 10
    assert not len(of_role(trace, Segments, Role.DIFFERENT)[0].ends)


@pytest.mark.slow
@settings(deadline=None, max_examples=30)
@given(
    st.integers(0, 10_000),
    st.integers(1, 6),
    st.sampled_from([{}, {"stretch": (1.0, 3.0)}, {"metric": "mahalanobis"}]),
)
def test_the_framed_cell_has_the_same_neighbours(seed: int, k: int, params: dict[str, Any]) -> None:
    rng = np.random.default_rng(seed)
    X, query = rng.normal(size=(30, 2)), rng.normal(size=2)
    trace = run((X, rng.integers(0, 2, 30)), k=k, query=tuple(query), **params)
    (cell,) = [layer for layer in layers(trace) if layer.tag == "cell"]
    (ring,) = cell.rings
    held = set(trace[-1].state.neighbours.tolist())
    middle = ring.mean(axis=0)
    for corner, after in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        rim = (corner + after) / 2
        for place, inside in (
            (rim + 1e-6 * (middle - rim), True),
            (rim - 1e-6 * (middle - rim), False),
        ):
            if np.abs(place - middle).max() < 5:  # the box of the diagram is no wall
                found = run(trace.problem, ROUND, k=k, query=tuple(place), **params)[
                    -1
                ].state.neighbours
                assert (set(found.tolist()) == held) == inside
    assert "framed cell" in trace[-1].note.text()


def test_one_column_frames_a_strip() -> None:
    """k = 2 of 0, 1, 3, 7: from (0 + 3) / 2 to (1 + 7) / 2 the two in the middle are nearest."""
    trace = run(([[0.0], [1.0], [3.0], [7.0]], [1, 1, -1, 1]), k=2, query=(2.0,))
    (strip,) = of_role(trace, Boxes, Role.ACTIVE)
    assert strip.bounds[0] == pytest.approx([1.5, -np.inf, 4.0, np.inf])


def test_everybody_together_frames_nothing() -> None:
    trace = run(CROSSED, k=4)
    assert not [layer for layer in layers(trace) if layer.tag == "cell"]
    assert "framed" not in trace[-1].note.text()
    assert not of_role(trace, Polygons, Role.ACTIVE)


def test_many_examples_keep_the_cell_of_the_query_alone() -> None:
    rng = np.random.default_rng(1)
    trace = run((rng.normal(size=(2000, 2)), rng.integers(0, 2, 2000)), Pace(Level.STEP), k=5)
    assert not of_role(trace, Segments, Role.SAME)
    assert len(of_role(trace, Polygons, Role.ACTIVE)) == 1
    assert next(layer for layer in layers(trace) if isinstance(layer, Field)).boundary


@pytest.mark.parametrize(
    ("params", "equal"),
    [
        ({}, True),
        ({"p": 1.0}, False),
        ({"normalise": True}, False),
        ({"stretch": (1.0, 2.0)}, False),
        ({"metric": "hamming"}, False),
    ],
)
def test_circles_are_round_where_distances_are_those_of_the_plane(
    params: dict[str, Any], equal: bool
) -> None:
    trace = run(dogs(), **params)
    assert {ALGORITHM.scene(trace.given, step).equal_scales for step in trace} == {equal}


def test_spans_far_apart_keep_their_own_scales() -> None:
    trace = run(([[0.0, 0.0], [100.0, 1.0], [30.0, 0.4]], [1, -1, 1]))
    assert not ALGORITHM.scene(trace.given, trace[-1]).equal_scales


def test_a_table_without_a_plane_has_figures() -> None:
    data = Dataset.from_columns({"a": ["u", "v", "w"], "b": ["k", "k", "l"], "y": [1, 1, -1]}, "y")
    trace = run(prepare(data), metric="hamming")
    scene = ALGORITHM.scene(trace.given, trace[-1])
    assert scene.layers == ()
    assert len(scene.figures) == 3


@pytest.mark.parametrize("far", [1e7, 1e9])
def test_columns_of_very_different_scale_have_a_picture(far: float) -> None:
    """All five vote everywhere: one cell, no walls.

    Of two, the upright wall between x₁ and x₂ stands half-way.
    """
    X = [[0.84, 0.0], [-0.017, 0.0], [0.81, -far], [-0.977, -far], [0.58, 0.0]]
    walls = [
        np.concatenate(
            [
                layer.ends
                for layer in layers(run((X, list(y)), k=k))
                if layer.tag in ("cells", "boundary")
            ]
        )
        for y, k in (("ababa", 5), ("aabab", 2))
    ]
    assert not len(walls[0])
    upright = [ends for ends in walls[1] if np.ptp(ends[:, 0]) < 1e-9]
    assert any(np.allclose(ends[:, 0], (0.84 - 0.017) / 2) for ends in upright)


# -- what it refuses or clamps ---------------------------------------------------------------------


def test_categories_have_no_minkowski_distance() -> None:
    data = Dataset.from_columns({"kind": ["a", "b", "c"], "y": [1, 1, -1]}, "y")
    for metric in ("minkowski", "mahalanobis"):
        with pytest.raises(EngineError, match=r"“kind” holds 3 categories.*Hamming"):
            run(prepare(data), metric=metric)


def test_two_categories_are_numbers() -> None:
    data = Dataset.from_columns(
        {"wet": [True, False, True], "x": [0.0, 1.0, 2.0], "y": [1, 1, -1]}, "y"
    )
    assert run(prepare(data))[-1].line == "answer"


def test_missing_values_are_refused() -> None:
    with pytest.raises(EngineError, match="fill or drop"):
        run(([[0.0, np.nan], [1.0, 1.0]], [1, -1]))


def test_more_neighbours_than_examples_are_clamped_and_said() -> None:
    trace = run(CROSSED, k=9)
    assert len(trace[-1].state.neighbours) == 4
    assert (trace[1].note["k"], trace[1].note["n"]) == (9, 4)
    assert trace[1].note.facts == (CLAMPED,)
    assert (trace[-1].note["wanted"], trace[-1].note["k"]) == (9, 4)
    assert "{wanted}" in trace[-1].note.lead
    assert "{wanted}" not in run(CROSSED, k=4)[-1].note.lead


def test_the_words_of_one_and_of_several_that_are_stored_or_vote() -> None:
    """Manners: one is, and votes; four are, and two vote."""
    assert "k = 9, but only 4 are stored." in run(CROSSED, k=9)[-1].note.text()
    assert "k = 2, but only 1 is stored." in run(([[1.0]], ["a"]), k=2)[-1].note.text()
    one = run(SHAPES, k=4, weights="1/d", query=(3.0, 0.5))
    assert one[-2].note.text() == "1 of 4 neighbours votes: triangle 1."
    two = run(([[0.0], [0.0], [1.0]], list("aba")), k=3, weights="1/d²", query=(0.0,))
    assert two[-2].note.text() == "2 of 3 neighbours vote: a 1, b 1."


@pytest.mark.parametrize("p", [0.5, float("nan")])
def test_p_below_one_is_no_distance(p: float) -> None:
    with pytest.raises(EngineError, match="Minkowski p"):
        run(CROSSED, p=p)


@pytest.mark.parametrize("k", [1, 2, 5])
@pytest.mark.parametrize(
    "X",
    [
        [[1.0, 1.0]] * 5,
        [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [4.0, 4.0]],
        [[2.0, 3.0]],
        [[0.0, 0.0], [1.0, 0.0]],
    ],
)
def test_degenerate_tables(X: list[list[float]], k: int) -> None:
    y = [1, -1, -1, 1, -1][: len(X)]
    for params in ({}, {"normalise": True}, {"p": 1.0}, {"metric": "hamming"}, {"weights": "1/d²"}):
        trace = run((X, y), k=k, **params)
        for i in range(len(trace)):
            layers(trace, i)
        assert trace[-1].state.label in (0, 1)
        assert np.isfinite(surface(trace, "class", Grid.over((-1, 5), (-1, 5), 9))).all()


def test_a_model_predicts_with_another_problem_object() -> None:
    """What is remembered belongs to one problem: a changed table gives a changed model."""
    first, second = problem_of(*CROSSED), problem_of(CROSSED[0], [-1, 1, 1, -1])
    states = [run(problem, ROUND) for problem in (first, second)]
    assert [trace.predict([[0.0, 5.0]])[0] for trace in states] == [1, -1]


@pytest.mark.slow
def test_what_is_remembered_goes_with_the_problem() -> None:
    problem = problem_of(*CROSSED)
    trace = run(problem)
    layers(trace)
    gone = weakref.ref(problem)
    del problem, trace
    gc.collect()
    assert gone() is None


def test_held_out_error() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 2)) + 6.0 * y[:, None]
    trace = run(problem_of(X, y, split=Split(0.25)), ROUND, k=3)
    assert trace.problem.held_out is not None
    assert trace.wrong(trace.problem.held_out).sum() == 0


def test_a_cell_without_width_is_not_drawn() -> None:
    """Two examples at 0, two at 2: only at 1 itself are the first two the nearest, so their cell is
    one place.
    """
    trace = run(([[0.0], [2.0], [0.0], [2.0]], ["a", "b", "a", "b"]), k=2, query=(1.0,))
    for at, step in enumerate(trace):
        assert not any(layer.tag == "cell" for layer in layers(trace, at)), step.line
    assert ALGORITHM.explain(trace.given, trace[-1].state, np.array([1.0])).label == 0


@pytest.mark.parametrize("size", [12345.0, 1234567.0, 1.0])
@pytest.mark.parametrize("gap", [0.1, 1e-2, 3e-9])
def test_both_sides_of_a_comparison_read_differently(size: float, gap: float) -> None:
    if gap < 1e-9 * size:  # equal up to rounding
        return
    trace = run(([[size + 2 * gap], [size], [size + gap]], ["a", "b", "a"]), query=(0.0,))
    closer, farther = [step for step in trace if step.line in ("keep", "look")][1:]
    for step, sign in ((closer, "<"), (farther, ">")):
        left, right = step.note.text().split(": ")[1].split(". ")[0].split(f" {sign} ")
        assert left != right
        assert step.choice.digits >= step.note.operands["d"].digits


def test_stretched_columns_that_differ_are_not_counted_but_summed() -> None:
    """Against (p, v): the row (q, u) differs in A, worth 3, and in B, worth 1."""
    problem = prepare(
        Dataset.from_columns({"A": list("pqq"), "B": list("uuv"), "y": list("aba")}, "y")
    )
    params = {"metric": "hamming", "query": (0, 1), "k": 3}
    stretched = run(problem, stretch=(3, 1), **params)[4].note
    assert (stretched["d"], stretched["columns"]) == (4.0, "A, B")
    assert stretched.formulas[0].body == "sum of the factors of columns that differ"
    plain = run(problem, **params)[4].note
    assert (plain["d"], plain.formulas[0].body) == (2.0, "columns that differ")


def test_letting_all_vote_does_harm_with_inverse_squares() -> None:
    """ML 8.2.1 (F30, erratum): one example at 1, rings of 8 at 1.9, 2.9, 3.9 … of the other class;
    each ring adds about 8/r², and 8/3.61 alone outweighs 1.
    """
    assert any("letting all examples vote" in text for text in ALGORITHM.errata)
    turn = np.arange(8) * np.pi / 4
    rings = [r * np.column_stack([np.cos(turn), np.sin(turn)]) for r in (1.9, 2.9, 3.9)]
    X = np.vstack([[[1.0, 0.0]], *rings])
    y = [1] + [-1] * 24
    assert run((X, y), ROUND, k=25, weights="1/d²").predict([[0.0, 0.0]]).tolist() == [-1]
    assert run((X, y), ROUND, k=1).predict([[0.0, 0.0]]).tolist() == [1]


# -- who votes, and by which rule ------------------------------------------------------------------

# x₈ lies at (3, 0.5); x₆, x₇ and x₁₀ are all √1.25 from (3.5, 3)
SHAPES = nearest_neighbours.example()


def why(trace: Trace, x: Any) -> Note:
    """What the answer to "why this label?" says of a place."""
    return ALGORITHM.explain(trace.given, trace[-1].state, np.asarray(x, float)).note


def test_only_those_who_vote_have_to_agree() -> None:
    """At an example 1/d lets it vote alone (ML Eq 8.2), so it agrees with itself, whatever its
    three neighbours are.
    """
    trace = run(SHAPES, k=4, weights="1/d", disagree="leave unclassified", query=(3.0, 0.5))
    vote, answer = trace[-2], trace[-1]
    assert (vote.note["count"], vote.note["k"], vote.note["tally"]) == (1, 4, "triangle 1")
    assert vote.choice.options[vote.choice.chosen].label == "triangle"
    assert [option.score for option in vote.choice.options] == [0, 0, 1, 0]
    assert (answer.note["label"], answer.note["tally"], answer.note["k"]) == (
        "triangle",
        "triangle 1",
        4,
    )
    assert answer.note.lead.endswith(SAME_NEAR)
    assert trace.predict([[3.0, 0.5]])[0] == "triangle"
    note = why(trace, [3.0, 0.5])
    assert [note[name] for name in ("name", "count", "k", "tally")] == [
        "triangle",
        1,
        4,
        "triangle 1",
    ]
    assert (note.facts[0].caption, note["d0"], note["c0"]) == ("x₈", 0, "triangle")
    assert [fact.text.endswith("no vote") for fact in note.facts[:4]] == [False] + [True] * 3
    assert note.facts[4] == EXACT


def test_copies_that_disagree_leave_their_place_open() -> None:
    """Two examples at 0 of classes a and b vote, a third at 1 does not: the two disagree."""
    trace = run(
        ([[0.0], [0.0], [1.0]], list("aba")),
        k=3,
        weights="1/d²",
        disagree="leave unclassified",
        query=(0.0,),
    )
    vote = trace[-2]
    assert (vote.note["count"], vote.note["k"], vote.note["tally"]) == (2, 3, "a 1, b 1")
    assert vote.choice.options[vote.choice.chosen].value == trace[-1].state.label == -1
    assert trace[-1].note["tally"] == why(trace, [0.0])["tally"] == "a 1, b 1"
    assert "unclassified" in trace[-1].note.lead and "unclassified" in why(trace, [0.0]).lead
    assert trace.predict([[0.0]])[0] is None


@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 10_000),
    st.integers(1, 5),
    st.sampled_from(["equal", "1/d", "1/d²"]),
    st.sampled_from(
        [{}, {"normalise": True}, {"metric": "mahalanobis"}, {"p": 1.0, "stretch": (1.0, 3.0)}]
    ),
)
def test_agreement_is_the_same_in_steps_predictions_surface_and_by_counting(
    seed: int, k: int, weights: str, metric: dict[str, Any]
) -> None:
    """All examples at distance 0, else all k nearest, are of one class, or there is none; asked on
    and off the examples.
    """
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, (12, 2)).astype(float)
    y = rng.integers(0, 2, 12)
    params = {"k": k, "weights": weights, "disagree": "leave unclassified", **metric}
    trace = run((X, y), ROUND, **params)
    grid = Grid(np.arange(4.0), np.array([1.0, 1.5]))
    rows = trace.problem.from_plane(grid.points())
    labels = trace.codes(rows)
    assert np.array_equal(surface(trace, "class", grid).ravel(), labels)
    for row, code in zip(rows, labels.tolist(), strict=True):
        d = computed(X, row, metric)
        near = np.argsort(d, kind="stable")[:k]
        voting = near[d[near] == 0] if weights != "equal" and (d[near] == 0).any() else near
        expected = trace.problem.codes[voting[0]] if len(set(y[voting].tolist())) == 1 else -1
        assert code == expected
        assert run(trace.problem, ROUND, query=tuple(row), **params)[-1].state.label == expected


def computed(X: np.ndarray, row: np.ndarray, metric: dict[str, Any]) -> np.ndarray:
    """Distances by the definitions of AIMA 18.8.1, equal where they are equal on paper."""
    gaps = X - row
    if metric.get("metric") == "mahalanobis":
        squares = np.einsum("ij,jk,ik->i", gaps, np.linalg.inv(np.cov(X.T)), gaps)
        return np.sqrt(np.maximum(squares, 0)).round(9)
    gaps = gaps / X.std(axis=0) if "normalise" in metric else gaps * metric.get("stretch", 1)
    return np.linalg.norm(gaps, ord=metric.get("p", 2), axis=1).round(9)


def test_the_vote_step_names_the_rule_that_decided() -> None:
    """x₆, x₇, x₁₀ are at √(1² + 0.5²) from the query: three equal votes, equally near."""
    equal = run(SHAPES, k=3, weights="1/d")
    assert TIED in equal[-2].note.facts
    assert equal[-2].choice.rule == equal[-2].note["rule"] == LOWER
    nearer = run(([[3.0], [1.0], [2.0], [-4.0]], [1, -1, 1, -1]), k=4, query=(0.0,))
    assert TIED in nearer[-2].note.facts
    assert nearer[-2].choice.rule == nearer[-2].note["rule"] == NEARER


def test_why_this_label_names_the_rule_that_decided() -> None:
    lower = why(run(SHAPES, k=3), [3.5, 3.0])
    assert lower["tally"].split(", ") == ["circle 1", "square 1", "triangle 1"]
    assert lower.lead.endswith(as_sentence(LOWER))
    restaurant = run(prepare(textbook("restaurant")), k=4, metric="hamming")
    note = why(restaurant, restaurant.problem.X[1])
    assert note["tally"] == "Yes 2, No 2"
    assert note.lead.endswith(as_sentence(NEARER))
    assert (note["d0"], note["c0"]) == (0, "No")  # the row itself is the nearer one
    assert "wins" not in why(run(SHAPES, k=1), [1.0, 4.0]).lead


def test_why_this_label_tells_of_an_example_as_near_as_the_last() -> None:
    """AIMA card A55: 0 and 2 are equally far from 1; with k = 1 the lower row number decides."""
    trace = run(([[0.0], [2.0]], ["a", "b"]), query=(1.0,))
    note = why(trace, [1.0])
    assert note.facts[-1] == RIM
    assert (note["outside"], note["rim"], note["does"]) == ("x₂", "x₁", "votes")
    trace = run(([[1.0], [0.0], [2.0]], ["a", "b", "a"]), k=2, weights="1/d", query=(1.0,))
    # x₂ is kept, but beside distance 0 it has no vote
    for note in (trace[-2].note, why(trace, [1.0])):
        assert RIM in note.facts
        assert (note["outside"], note["rim"], note["does"]) == ("x₃", "x₂", "is kept")


@pytest.mark.parametrize(
    ("labels", "tally"),
    [
        ([1, 0, 1], "2 votes for 1, 1 vote for 0"),
        ([1, -1, -1], "1 vote for +1, 2 votes for −1"),
        (["10", "9", "9"], "1 vote for 10, 2 votes for 9"),
        (["+", "-", "+"], "2 votes for +, 1 vote for"),
        (["b", "a", "b"], "b 2"),
    ],
)
def test_votes_for_numbers_do_not_run_together_with_them(labels: list[Any], tally: str) -> None:
    trace = run(([[0.0], [1.0], [2.0]], labels), k=3, query=(0.0,))
    vote, answer, reason = trace[-2].note.text(), trace[-1].note.text(), why(trace, [0.0]).text()
    parts = tally.split(", ")
    assert all(part in text for part in parts for text in (vote, answer, reason))
    shown = trace[-1].note["tally"]
    assert f"vote: {shown}." in vote
    assert f": {shown}." in answer
    assert f" {shown}." in reason
    first = (
        "0, b"
        if labels[0] == "b"
        else f"0, class {trace.problem.class_text(trace.problem.codes[0])}"
    )
    assert why(trace, [0.0]).lines()[1] == f"x₁: {first}"


GAPPED = (
    [0.1, 0.2, 0.1, 0.2, 0.5, 0.1, 0.2, 0.5, 0.2, 0.1],
    ["k2", "k2", "k2", "k0", "k2", "k2", "k2", "k2", "k2", "k1"],
)


@pytest.mark.parametrize("weights", ["1/d", "1/d²"])
@pytest.mark.parametrize(
    "near", [1 / 70, 0.01875, 0.0051, 1 / 3, 0.7, 6.1, 1e-5 / 3, 123456.789, 2 / 3 * 1e7]
)
def test_the_shown_weight_follows_from_the_shown_distance(near: float, weights: str) -> None:
    trace = run(([[near], [5 * near]], ["a", "b"]), k=2, weights=weights, query=(0.0,))
    follows(trace[-2].note.lines()[2])


def test_the_shown_weight_follows_on_the_reported_tables() -> None:
    table = Dataset.from_columns({"c0": GAPPED[0], "y": GAPPED[1]}, "y")
    follows(run(prepare(table, split=Split(0.3, 5)), k=3, weights="1/d")[-2].note.lines()[2])
    follows(
        run(prepare(textbook("one_or_five"), split=Split(0.2, 1)), k=3, weights="1/d²")[
            -2
        ].note.lines()[2]
    )


def follows(line: str) -> None:
    """'1 / 0.014286 = 70.00': both sides are equal up to half of the last digit shown, and what the
    machine adds.
    """
    left, right = line.split(" = ")
    mantissa, _, tens = right.partition("·10")
    size = worked(f"1·10{tens}") if tens else 1.0
    last = 10.0 ** -len(mantissa.partition(".")[2]) * size
    assert abs(worked(left) - worked(right)) <= 0.51 * last


@pytest.mark.parametrize(("weights", "digits"), [("equal", 0), ("1/d", 4)])
def test_votes_that_are_counted_read_as_counts(weights: str, digits: int) -> None:
    trace = run(CROSSED, k=3, query=(1.0, 1.0), weights=weights)
    vote = next(
        step.choice for step in trace if step.choice is not None and step.choice.unit == "votes"
    )
    assert vote.digits == digits
    bars = ALGORITHM.explain(trace.given, trace[-1].state, np.array([1.0, 1.0])).bars
    assert (bars.digits == 0) == (digits == 0)
    assert sum(option.score for option in vote.options) == (
        3 if weights == "equal" else pytest.approx(2 + 1 / 13**0.5)
    )


def test_the_middle_of_the_table_is_zero_once_it_is_normalised() -> None:
    """A query that was not placed stands at the mean: its rounding is not mentioned, and an example
    there is found.
    """
    trace = run(prepare(real("iris")), normalise=True, k=3)
    assert not [
        step
        for step in trace
        if any("·10⁻" in step.note.worked(f.body) for f in step.note.formulas)
    ]
    columns = {"x": [0.1, 0.2, 0.3], "x2": [0.1, 0.2, 0.3], "y": ["a", "b", "a"]}
    for weights in ("1/d", "1/d²"):
        trace = run(prepare(Dataset.from_columns(columns, target="y")), k=3, weights=weights)
        assert trace[-1].state.distances[0] == 0
        assert trace[-1].state.label == 1


@pytest.mark.parametrize(("weights", "power"), [("1/d", 1), ("1/d²", 2)])
def test_the_votes_of_an_answer_follow_from_the_distances_beside_them(
    weights: str, power: int
) -> None:
    trace = run(prepare(real("iris")), k=5, weights=weights)
    rng = np.random.default_rng(0)
    for x in trace.problem.X[::11] + rng.normal(0, 0.05, (14, 4)):
        note = trace.algorithm.explain(trace.given, trace[-1].state, x).note
        sums: dict[str, float] = {}
        for fact in note.facts:
            distance, _, name = note.worked(fact.text).partition(", ")
            sums[name] = sums.get(name, 0.0) + read_number(distance) ** -power
        for name, total in sums.items():
            shown = re.search(rf"{name} ([\d.]*\d)", note.text())
            assert shown and abs(total - float(shown[1])) <= 0.0051


@pytest.mark.parametrize("key", ["nearest_neighbours", "kd_search"])
def test_the_column_of_distances_is_lit_only_while_one_is_looked_at(key: str) -> None:
    """Amber says what the step is about; at the start nothing is measured, and the answer is a
    vote.
    """
    trace = engine.run(key, textbook("one_or_five"), pace=Pace(Level.DETAIL))
    lit: set[bool] = set()
    for step in trace:
        (best,) = [
            f
            for f in trace.algorithm.scene(trace.given, step).figures
            if f.title.startswith("Best")
        ]
        roles = {column.feature.name: column.role for column in best.columns}
        assert (roles["distance"] is Role.ACTIVE) == (step.state.looked >= 0)
        lit.add(roles["distance"] is Role.ACTIVE)
    assert lit == {True, False}


# -- kernels, AIMA 18.9 ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "params",
    [
        {"kernel": "quadratic"},
        {"kernel": "polynomial", "degree": 3},
        {"kernel": "rbf", "gamma": 0.4},
    ],
)
@pytest.mark.parametrize("k", [1, 4])
def test_neighbours_by_a_kernel_are_those_of_scikit_learn(params: dict[str, Any], k: int) -> None:
    """aima A74: scikit-learn is given the distances from its own Gram matrices."""
    from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel
    from sklearn.neighbors import KNeighborsClassifier

    def K(A: Any, B: Any) -> Any:
        if params["kernel"] == "rbf":
            return rbf_kernel(A, B, gamma=params["gamma"])
        quadratic = params["kernel"] == "quadratic"
        return polynomial_kernel(
            A, B, degree=params.get("degree", 2), gamma=1, coef0=0 if quadratic else 1
        )

    def apart(A: Any, B: Any) -> Any:
        squares = np.diag(K(A, A))[:, None] - 2 * K(A, B) + np.diag(K(B, B))
        return np.sqrt(np.maximum(squares, 0))

    data = engine.generate("moons", 60, 0.3, 2)
    query = (0.4, 0.1)
    trace = engine.run("nearest_neighbours", data, metric="kernel", k=k, query=query, **params)
    X = trace.problem.X
    queries = np.random.default_rng(1).normal(size=(200, 2))
    peer = KNeighborsClassifier(k, metric="precomputed").fit(apart(X, X), trace.problem.codes)
    said = peer.predict_proba(apart(queries, X))
    clear = np.abs(said[:, 0] - 0.5) > 1e-9
    assert (trace.codes(queries)[clear] == said.argmax(1)[clear]).all() and clear.sum() > 150
    d = apart(np.array([query]), X)[0]
    last = trace[-1].state
    assert last.distances == pytest.approx(np.sort(d)[:k])
    assert last.neighbours.tolist() == np.argsort(d, kind="stable")[:k].tolist()
    looked = next(step for step in trace if step.line == "keep")
    xx, xq, qq = (read_number(str(looked.note[name]).strip("()")) for name in ("xx", "xq", "qq"))
    assert np.sqrt(xx - 2 * xq + qq) == pytest.approx(looked.note["d"], abs=0.02)


def test_a_kernel_that_forgets_the_sign_takes_the_opposite_place() -> None:
    """(x · z)² of x and −x is that of x and x: they are one place, at distance 0, and straight
    distance says otherwise.
    """
    data = engine.Dataset.from_columns(
        {"a": [2.0, -1.0], "b": [1.0, 2.0], "y": ["far", "near"]}, "y"
    )
    query = (-2.0, -1.0)
    trace = engine.run("nearest_neighbours", data, metric="kernel", kernel="quadratic", query=query)
    assert trace[-1].state.distances.tolist() == [0.0]
    assert trace.predict(np.array([query])).tolist() == ["far"]
    assert engine.run("nearest_neighbours", data, query=query).predict(
        np.array([query])
    ).tolist() == ["near"]


def test_the_surface_by_a_kernel_is_what_every_place_gets() -> None:
    trace = engine.run(
        "nearest_neighbours", engine.generate("moons", 40, 0.2), metric="kernel", k=3
    )
    grid = Grid(np.linspace(-2, 3, 21), np.linspace(-1, 2, 17))
    algorithm = trace.algorithm
    found = algorithm.fields["class"](trace.given, trace[-1].state, grid)
    assert found.ravel().tolist() == trace.codes(trace.problem.from_plane(grid.points())).tolist()


def test_kernel_values_beyond_numbers_are_said() -> None:
    with pytest.raises(EngineError, match="too large to be computed"):
        engine.run("nearest_neighbours", ([[1e100, 0], [0, 1]], [0, 1]), metric="kernel", degree=4)


# -- words in a query, mixed distances, sets and angles --------------------------------------------


@pytest.mark.parametrize(
    ("name", "query", "label"),
    [
        ("neighbour_memory", (19, "snow", "mon", "yes", "casual"), "drive"),  # MIT 2.1.17
        ("neighbour_noise", (20, "none", "sat", "no", "casual"), "drive"),  # MIT 2.1.22
        ("neighbour_drives", (58, "rain", "mon", "no", "casual"), "walk"),  # x3, 62° and rain
    ],
)
def test_the_queries_of_the_neighbour_are_given_in_words(name: str, query: Any, label: str) -> None:
    """mit B01, B03, B04: a number 1° away is near, a word is right or wrong."""
    trace = run(prepare(textbook(name)), metric="mixed", query=query)
    assert trace.problem.class_text(int(trace[-1].state.label)) == label
    if name == "neighbour_noise":  # Hamming cannot tell 1° from 60°: x1, a warm day, is as near
        strict = run(prepare(textbook(name)), metric="hamming", query=query)
        assert strict.problem.class_text(int(strict[-1].state.label)) == "walk"


def test_five_of_seven_neighbours_walk() -> None:
    """mit D01: 5/7."""
    query = (80, "none", "sat", "no", "casual")
    trace = run(prepare(textbook("neighbour_repeats")), metric="mixed", k=7, query=query)
    assert sorted(trace[-1].state.votes.tolist()) == [2, 5]
    assert trace.problem.class_text(int(trace[-1].state.label)) == "walk"


def test_the_mixed_distance_adds_shares_of_ranges_and_words() -> None:
    """By hand: x3 of MIT 2.1.23 is 4 of 74 degrees away and on another day."""
    query = (58, "rain", "mon", "no", "casual")
    trace = run(prepare(textbook("neighbour_drives")), metric="mixed", query=query)
    assert trace[-1].state.distances == pytest.approx([4 / 74 + 1])
    lines = next(s for s in trace if s.state.looked == 2).note.lines()
    assert "|62 − 58| / 74 + 1 = 1.05" in lines and "differs in: day" in lines


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ((58, "fog", "mon", "no", "casual"), "“precip” the value “fog”; it must be one of"),
        ((58, "rain"), "a value for each of 5 columns; it has 2"),
    ],
)
def test_a_word_that_the_column_does_not_know_is_said(query: Any, sentence: str) -> None:
    with pytest.raises(EngineError, match=sentence):
        run(prepare(textbook("neighbour_drives")), metric="mixed", query=query)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["jaccard", "cosine"]))
def test_sets_and_angles_agree_with_scikit_learn(seed: int, metric: str) -> None:
    """MMDS 12.4.6."""
    from sklearn.metrics import pairwise_distances

    X = np.random.default_rng(seed).integers(0, 2, (12, 5)).astype(float)
    problem = prepare(Dataset.from_columns({f"f{j}": X[:, j] for j in range(5)} | {
        "y": [0, 1] * 6}, "y"))  # fmt: skip
    trace = run(problem, ROUND, metric=metric)
    found = trace.given.index.scan(trace.given.Z, 12)
    apart = np.empty((12, 12))
    np.put_along_axis(apart, found[1], found[0], axis=1)
    bare = X.sum(axis=1) == 0
    known = ~(bare[:, None] | bare)
    if metric == "jaccard":
        peer = pairwise_distances(X.astype(bool), metric="jaccard")
    else:
        peer = np.degrees(np.arccos(np.clip(1 - pairwise_distances(X, metric="cosine"), -1, 1)))
    assert apart[known] == pytest.approx(peer[known], abs=1e-5)
    assert np.diag(apart) == pytest.approx(0.0)
    assert apart == pytest.approx(apart.T)


def test_jaccard_wants_sets() -> None:
    with pytest.raises(EngineError, match="every column must hold 0 and 1"):
        run(CROSSED, metric="jaccard")


def test_gaussian_weights_of_votes() -> None:
    """MMDS 12.4.6, A46: e^(−d²/σ²). One at 1 outweighs three at 2 where σ = 1, not where σ = 10."""
    X, y = [[1.0], [2.0], [-2.0], [2.0]], [1, -1, -1, -1]
    for sigma, label in ((1.0, 1), (10.0, -1)):
        trace = run((X, y), k=4, weights="gaussian", sigma=sigma, query=(0.0,))
        weights = np.exp(-np.square([1.0, 2.0, 2.0, 2.0]) / sigma**2)
        assert sorted(trace[-1].state.votes) == pytest.approx(
            sorted([weights[0], weights[1:].sum()])
        )
        assert trace.problem.classes[int(trace[-1].state.label)] == label


@pytest.mark.parametrize("far", [1e3, 1e8])
def test_bells_of_far_examples_still_vote(far: float) -> None:
    """mmds A42: the smallest exponent is subtracted where all weights would vanish."""
    trace = run(([[far], [far + 1]], [1, -1]), k=2, weights="gaussian", query=(0.0,))
    assert trace.problem.classes[int(trace[-1].state.label)] == 1
    assert np.isfinite(trace[-1].state.votes).all()


def test_rows_that_are_pictures_are_shown_as_pictures() -> None:
    """Each pixel at its place, in whatever order the columns stand; other tables have none."""
    rng = np.random.default_rng(0)
    X = rng.random((12, 9))
    names = [f"r{row}c{column}" for row in (1, 2, 3) for column in (1, 2, 3)]
    order = rng.permutation(9)
    columns = {names[j]: X[:, j] for j in order}
    data = engine.Dataset.from_columns({**columns, "y": list("abc") * 4}, "y")
    trace = engine.run("nearest_neighbours", data, k=2, query=tuple(X[3, order]))
    scene = trace.algorithm.scene(trace.given, trace[-1])
    assert scene.leads == ("Pictures",)
    pictures = next(f for f in scene.figures if isinstance(f, Pictures))
    s = trace[-1].state
    shown = np.concatenate([X[[3]], X[s.neighbours]])
    expected = (shown - X.min()) / np.ptp(X)
    np.testing.assert_allclose(pictures.values, expected.reshape(-1, 3, 3))
    columns = {f"c{j}": X[:, j] for j in range(9)}
    other = engine.Dataset.from_columns({**columns, "y": list("abc") * 4}, "y")
    trace = engine.run("nearest_neighbours", other, k=2)
    figures = trace.algorithm.scene(trace.given, trace[-1]).figures
    assert not any(isinstance(f, Pictures) for f in figures)


def test_while_an_example_is_looked_at_no_other_neighbour_inside_says_its_distance() -> None:
    data = engine.generate("blobs", 30, seed=1)
    trace = engine.run("nearest_neighbours", data, k=5)
    for step in (s for s in trace if s.state.looked >= 0):
        layers = trace.algorithm.scene(trace.given, step).layers
        others = [x for x in layers if isinstance(x, Segments) and x.tag == "neighbours"]
        assert not any(layer.label for layer in others)
