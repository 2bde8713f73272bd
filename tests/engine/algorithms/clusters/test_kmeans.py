"""k-means by hand, against scikit-learn, and by its own laws."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import KMeans

import engine
from engine.algorithms.clusters.kmeans import assigned, component
from engine.algorithms.clusters.parts.squares import nearest
from engine.base.errors import EngineError
from engine.base.grid import Grid
from engine.base.records import replace
from engine.numerics.closeness import tidy
from engine.protocol.params import build
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.scene.scene import Cards, Points, Role, Segments

ALGORITHM = engine.algorithms()["kmeans"]


def line(values):
    return engine.Dataset.from_columns({"x": list(values)})


def clouds(n: int = 200, seed: int = 2):
    rng = np.random.default_rng(seed)
    middles = np.array([[0.0, 0.0], [5.0, 1.0], [1.0, 6.0]])
    return engine.Dataset.from_arrays(middles[rng.integers(3, size=n)] + rng.normal(size=(n, 2)))


def last(trace, name):
    return next(step for step in reversed(list(trace)) if step.line == name)


def test_two_rounds_by_hand() -> None:
    """0, 1, 5, 6 from centres 0 and 1: {0}, {1, 5, 6}; centres 0 and 4; {0, 1}, {5, 6}; centres 0.5
    and 5.5.
    """
    trace = engine.run("kmeans", line([0, 1, 5, 6]), k=2, start=(0.0, 1.0))
    assign = [step for step in trace if step.line == "assign"]
    move = [step for step in trace if step.line == "move"]
    assert assign[0].state.cluster.tolist() == [0, 1, 1, 1]
    assert move[0].state.means.ravel().tolist() == [0.0, 4.0]
    assert [step.state.within for step in (*assign[:1], *move[:1])] == pytest.approx(
        [16 + 25, 0 + 9 + 1 + 4]
    )
    assert assign[1].state.cluster.tolist() == [0, 0, 1, 1]
    assert assign[1].state.changed.tolist() == [1]
    assert move[1].state.means.ravel().tolist() == [0.5, 5.5]
    assert move[1].state.within == pytest.approx(4 * 0.25)
    assert trace[-1].events == ("round", "converged")


def test_the_most_doubtful_example_is_the_choice() -> None:
    """2 lies as near to 0 as to 4: both win, it stays with the first; then it keeps what it has."""
    trace = engine.run("kmeans", line([0, 2, 4]), k=2, start=(0.0, 4.0))
    assign = next(step for step in trace if step.line == "assign")
    assert assign.choice.winners == (0, 1)
    assert assign.choice.chosen == 0
    assert [option.score for option in assign.choice.options] == pytest.approx([4.0, 4.0])
    assert trace[-1].state.means.ravel().tolist() == [1.0, 4.0]


@pytest.mark.parametrize("seed", range(4))
def test_rounds_and_end_are_those_of_scikit_learn(seed: int) -> None:
    data = clouds(seed=seed)
    start = np.random.default_rng(seed).normal(2, 3, (4, 2))
    trace = engine.run("kmeans", data, k=4, start=tuple(start.ravel()))
    X = trace.problem.X
    for number in (1, 2, 3):
        step = [step for step in trace if step.line == "move"][number - 1]
        with np.errstate(all="ignore"):
            peer = KMeans(4, init=start, n_init=1, max_iter=number, tol=0, algorithm="lloyd").fit(X)
        if (np.bincount(step.state.cluster, minlength=4) == 0).any():
            break  # scikit-learn moves empty centres elsewhere
        np.testing.assert_allclose(peer.cluster_centers_, step.state.means, atol=1e-9)
    peer = KMeans(4, init=start, n_init=1, tol=0, algorithm="lloyd").fit(X)
    if not any("empty" in step.events for step in trace):
        assert trace[-1].state.within == pytest.approx(peer.inertia_)


@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(1, 3))
@settings(max_examples=40)
def test_the_sum_of_squares_never_rises_and_the_end_is_stable(seed: int, k: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (12, d)) / 10
    trace = engine.run("kmeans", engine.Dataset.from_arrays(X), k=k, starts=1, seed=seed)
    sums = [step.state.within for step in trace if step.line in ("assign", "move", "until")]
    assert all(b <= a + 1e-12 for a, b in pairwise(sums))
    s = trace[-1].state
    far = ((X[:, None] - s.means[None]) ** 2).sum(-1)
    assert (far[np.arange(12), s.cluster] <= far.min(axis=1) + 1e-12).all()
    for j in range(k):
        if (s.cluster == j).any():
            np.testing.assert_allclose(s.means[j], X[s.cluster == j].mean(axis=0), atol=1e-12)


def test_chances_are_the_squares_to_the_nearest_centre() -> None:
    """From centre 0 the examples 1, 2, 3 are drawn with chance 1/14, 4/14, 9/14; counted over 1,000
    seeds.
    """
    problem = engine.prepare(line([0, 1, 2, 3]))
    made = ALGORITHM.setting(problem, build(ALGORITHM.params, {"k": 2}))
    assert made.chances(np.array([[0.0]])) == pytest.approx([0, 1 / 14, 4 / 14, 9 / 14])
    drawn = np.zeros(4)
    for seed in range(1000):
        run = Run(ALGORITHM, problem, build(ALGORITHM.params, {"k": 2}), seed)
        run.advance(max_steps=2)
        first, second = (step.state.current for step in run.trace)
        if first == 0:
            drawn[second] += 1
            assert run.trace[1].note["p"] == pytest.approx(second**2 / 14)
    assert drawn[0] == 0
    assert drawn / drawn.sum() == pytest.approx([0, 1 / 14, 4 / 14, 9 / 14], abs=0.1)


def test_the_best_of_several_starts_is_kept() -> None:
    data = clouds(60)
    trace = engine.run("kmeans", data, k=5, starts=8, seed=1)
    ends = [step.state.within for step in trace if "converged" in step.events]
    assert len(ends) == 8
    assert trace[-1].line == "best"
    assert trace[-1].state.within == pytest.approx(min(ends))
    assert max(ends) > min(ends) * 1.001  # the start matters
    assert trace[-1].note["trial"] == 8


def test_a_centre_without_examples_stays_and_says_so() -> None:
    trace = engine.run("kmeans", line([0, 1]), k=3, start=(0.0, 1.0, 50.0))
    assert trace[-1].state.means.ravel().tolist() == [0.0, 1.0, 50.0]
    assert "empty" in last(trace, "move").events


def test_equal_examples_are_one_cluster() -> None:
    trace = engine.run("kmeans", line([2, 2, 2]), k=2, starts=1)
    assert trace[-1].state.cluster.tolist() == [0, 0, 0]
    assert trace[-1].state.within == 0.0
    assert "converged" in trace[-1].events


def test_more_clusters_than_examples_is_refused_in_words() -> None:
    with pytest.raises(EngineError, match="lower k"):
        engine.run("kmeans", line([1, 2]), k=3)


@pytest.mark.parametrize("unit", [1e-140, 1e-7, 1.0, 1e7, 1e140])
def test_the_unit_of_the_columns_changes_no_decision(unit: float) -> None:
    X = np.array([[0.1, 0.3], [0.3, 0.1], [0.7, 0.9], [0.9, 0.7], [0.5, 0.5]])
    there = engine.run("kmeans", engine.Dataset.from_arrays(X * unit), k=2, seed=3)
    here = engine.run("kmeans", engine.Dataset.from_arrays(X), k=2, seed=3)
    assert there[-1].state.cluster.tolist() == here[-1].state.cluster.tolist()
    assert len(there) == len(here)


def test_every_pace_ends_alike() -> None:
    ends = [
        engine.run("kmeans", clouds(), k=3, starts=3, pace=Pace(level))[-1].state for level in Level
    ]
    assert all(
        np.array_equal(end.means, ends[0].means) and end.within == ends[0].within for end in ends
    )


def test_cells_are_the_nearest_centres_on_the_plane() -> None:
    trace = engine.run("kmeans", clouds(), k=3)
    grid = Grid.over((-3.0, 8.0), (-3.0, 9.0), 20)
    s = trace[-1].state
    found = ALGORITHM.fields["class"](trace.given, s, grid)
    far = ((grid.points()[:, None] - s.means[None]) ** 2).sum(-1).argmin(1)
    assert found.ravel().tolist() == far.tolist()


@pytest.mark.parametrize("plane", [("x0", "x1"), ("x2", "x0"), ("x1",)])
def test_the_cells_are_what_is_predicted_also_where_centres_tie(plane) -> None:
    """Centres on a lattice, and places of which every third lies half way between some of them;
    hidden columns take part.
    """
    X = np.array([[x, y, z] for x in (0.1, 0.5, 0.9) for y in (0.1, 0.5) for z in (0.1, 0.7)])
    problem = engine.prepare(engine.Dataset.from_arrays(X, names=("x0", "x1", "x2")), plane=plane)
    trace = engine.run("kmeans", problem, k=12, start=tuple(X.ravel()), rounds=1)
    axis = np.arange(-2, 13) / 10
    grid = Grid(axis, axis[:-1])
    s = trace[-1].state
    found = ALGORITHM.fields["class"](trace.given, s, grid)
    places = problem.from_plane(grid.points())
    # whole numbers
    exact = ((np.round(10 * places)[:, None] - np.round(10 * s.means)) ** 2).sum(axis=-1)
    assert (exact == exact.min(axis=1, keepdims=True)).sum() > len(exact)
    assert (
        found.ravel().tolist()
        == component(trace.given, s, places).tolist()
        == exact.argmin(axis=1).tolist()
    )


def test_an_example_stays_where_it_is_as_near_as_anywhere() -> None:
    """0.3 lies half way between 0.1 and 0.5, for rounding a little nearer to one of them; it stays
    with either.
    """
    for mine in (0, 1):
        given = ALGORITHM.setting(
            engine.prepare(line([0.1, 0.3, 0.5])), build(ALGORITHM.params, {"k": 2})
        )
        known = np.array([0, mine, 1])
        state = engine.run("kmeans", line([0.1, 0.3, 0.5]), k=2, start=(0.1, 0.5))[-1].state
        state = replace(state, means=np.array([[0.1], [0.5]]), cluster=known)
        assert assigned(given, state)[0].cluster.tolist() == known.tolist()


@given(st.integers(1, 6), st.integers(1, 30), st.integers(0, 1000))
def test_the_nearest_of_squares_is_the_first_of_the_tidy_ones(k: int, n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    squares = rng.integers(0, 3, (k, n)) * (1 + rng.integers(-3, 4, (k, n)) * 2.0**-51)
    found = nearest(squares)
    ordered = np.sort(squares, axis=0)
    assert found.which.tolist() == tidy(squares).argmin(axis=0).tolist()
    assert found.least.tolist() == ordered[0].tolist()
    assert found.second.tolist() == (ordered[1].tolist() if k > 1 else [np.inf] * n)


def test_without_a_plane_each_row_lies_on_the_card_of_its_cluster_with_its_square() -> None:
    """Of the six e-mails in five columns; the squares come to the sum of the timeline."""
    trace = engine.run("kmeans", engine.textbook("spam"), k=3)
    X = trace.given.problem.X
    seen = set()
    for step in trace:
        scene = trace.algorithm.scene(trace.given, step)
        lead = scene.figures[0]
        if not isinstance(lead, Cards):
            assert lead.title == "Chance" and lead.values.sum() == pytest.approx(1.0)
            continue
        seen.add(step.line)
        s = step.state
        on_cards = {
            row.cells[0]: (card.group, float(row.value)) for card in lead.cards for row in card.rows
        }
        assert list(on_cards) and set(on_cards) == set("abcdef")
        for i, name in enumerate("abcdef"):
            group, square = on_cards[name]
            assert group == s.cluster[i]
            assert square == pytest.approx(((X[i] - s.means[group]) ** 2).sum(), abs=0.005)
    assert {"assign", "move", "until"} <= seen


def test_amber_is_exactly_the_examples_that_change_over() -> None:
    """Each of a few has a way to its new centre and a dashed one to that before; the most doubtful
    one is not in amber. In the first round all are new, and none is.
    """
    trace = engine.run("kmeans", clouds(), k=4, seed=3)
    seen = 0
    for step in trace:
        if step.line != "assign":
            continue
        s = step.state
        layers = trace.algorithm.scene(trace.given, step).layers
        amber = [k for k in layers if isinstance(k, Points) and k.role is Role.ACTIVE]
        xy = np.concatenate([np.zeros((0, 2)), *(k.xy for k in amber)])
        moved = s.changed if s.round > 1 else s.changed[:0]
        assert np.array_equal(xy, trace.problem.xy[moved])
        ways = {k.role: k.ends for k in layers if isinstance(k, Segments) and k.tag == "changed"}
        if 0 < len(moved) <= 4:
            seen += 1
            assert np.array_equal(ways[Role.ACTIVE][:, 1], s.means[s.cluster[moved]])
            former = step.details["former"][moved]
            assert (former != s.cluster[moved]).all()
            assert np.array_equal(ways[Role.GHOST][:, 1], s.means[former])
        (doubtful,) = [k for k in layers if isinstance(k, Points) and k.tag == "current"]
        assert doubtful.role is Role.CANDIDATE
    assert seen
