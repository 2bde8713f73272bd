"""Histories of the experts beside what each example adds by hand. ML 7.5.4, AIMA 18.10.1."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.algorithms.online.parts import stream as experts
from engine.algorithms.online.parts.figures import end_names
from engine.algorithms.online.randomized_weighted_majority import expected_bound
from engine.algorithms.online.weighted_majority import vote_bound
from engine.protocol.step import Level, Pace

ROWS = st.lists(st.lists(st.integers(0, 2), min_size=4, max_size=4), min_size=1, max_size=30)


def stream(rows: list[list[int]], classes: int = 3) -> experts.Stream:
    """The last value of each row is what happens."""
    table = np.asarray(rows)
    return experts.Stream(np.arange(len(rows)), table[:, :-1], table[:, -1], classes)


def test_a_tie_without_weights_counts_as_a_part() -> None:
    """0 against 1 with one vote each: half a mistake; 0, 0, 1 is right; then all wrong."""
    assert stream([[0, 1, 0], [0, 0, 0], [1, 1, 0]], 2).plain.tolist() == [0.0, 0.5, 0.5, 1.5]


def test_expected_mistakes_by_hand() -> None:
    """β = ½: two of three wrong, then weights 1, ½, ½ and the first wrong: 2/3 + 1/2."""
    s = stream([[0, 1, 1, 0], [1, 0, 0, 0]], 2)
    assert s.expected(0.5).tolist() == pytest.approx([0, 2 / 3, 7 / 6])


@settings(max_examples=60, deadline=None)
@given(ROWS, st.sampled_from([0.01, 0.3, 0.5, 0.9]))
def test_histories_are_the_sums_of_their_examples(rows: list[list[int]], beta: float) -> None:
    s = stream(rows)
    plain = [0.0]
    expected = [0.0]
    w = np.ones(3)
    for says, truth in zip(s.says, s.truth, strict=True):
        votes = np.bincount(says, minlength=3)
        plain.append(plain[-1] + np.mean(np.flatnonzero(votes == votes.max()) != truth))
        expected.append(expected[-1] + w[says != truth].sum() / w.sum())
        w = np.where(says != truth, beta * w, w)
    assert s.plain == pytest.approx(plain)
    assert s.expected(beta) == pytest.approx(expected)
    best = int(s.counts[-1].min())
    assert s.expected(beta)[-1] <= expected_bound(best, 3, beta) + 1e-9


def test_long_streams_are_computed_in_pieces() -> None:
    rng = np.random.default_rng(0)
    s = experts.Stream(
        np.arange(70_000), (rng.random((70_000, 3)) < 0.5).astype(int), np.zeros(70_000, int), 2
    )
    first = experts.Stream(np.arange(66_000), s.says[:66_000], s.truth[:66_000], 2)
    assert s.expected(0.9)[:66_001] == pytest.approx(first.expected(0.9))
    assert np.isfinite(s.expected(0.1)).all()


def test_the_race_knows_who_erred_when() -> None:
    s = stream([[0, 1, 1, 0], [1, 0, 0, 0], [1, 1, 0, 0]], 2)
    x, made, best = experts.race(s, [1, 2], 3)
    assert x.tolist() == [0, 1, 2, 3]
    assert made.tolist() == [0, 0, 1, 2]
    assert best.tolist() == [0, 0, 1, 1]


def test_bounds_that_are_infinite_are_left_out() -> None:
    limits = experts.bounds(np.array([0, 1]), lambda k: vote_bound(k, 16, 0.0))
    assert limits[0] == 4
    assert np.isnan(limits[1])


def test_curves_that_end_together_share_a_name() -> None:
    assert end_names(["bound", "best", "mistakes"], [9.0, 2.0, 2.1], 0.5) == [
        "bound",
        "",
        "mistakes, best",
    ]
    assert end_names(["a", "b", "c"], [0.0, 1.0, 2.0], 0.5) == ["a", "b", "c"]
    assert end_names(["bound", "best"], [float("nan"), 2.0], 0.5) == ["", "best"]


@pytest.mark.parametrize("key", ["weighted_majority", "randomized_weighted_majority"])
@pytest.mark.parametrize("name", ["pundits", "pundits_adversary"])
@pytest.mark.parametrize("beta", [0.01, 0.5, 0.9])
def test_ten_examples_at_once_are_ten_examples(key: str, name: str, beta: float) -> None:
    """Counted in rounds, the states of the single votes, their ties and draws are seen."""
    data = engine.generate(name, 64, 0.2, seed=4)
    watched = [s.state for s in engine.run(key, data, beta=beta) if s.line == "tally"]
    leapt = [
        s.state
        for s in engine.run(key, data, pace=Pace(Level.ROUND), beta=beta)
        if s.line == "tally"
    ]
    assert len(watched) == len(leapt) == 7
    for one, other in zip(watched, leapt, strict=True):
        assert one.weights.tobytes() == other.weights.tobytes()
        assert (one.mistakes, one.best, one.seen, *one.misses) == (
            other.mistakes,
            other.best,
            other.seen,
            *other.misses,
        )
