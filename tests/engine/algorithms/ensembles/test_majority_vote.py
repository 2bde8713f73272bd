"""The majority of members that err: the sum of AIMA 18.10 and Ex 18.18, and what is counted beside
it.
"""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

import engine
from engine.algorithms.ensembles.majority_vote.picture import answers
from engine.algorithms.ensembles.parts.majority import binomial, counts_law, majority_errs
from engine.base.errors import EngineError
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.scene.scene import Points, Role


def table(n: int = 6) -> engine.Dataset:
    return engine.Dataset.from_arrays(np.arange(2.0 * n).reshape(n, 2), np.arange(n) % 2)


def steps(trace, line):
    return [s for s in trace if s.line == line]


def test_five_voters_of_one_in_ten_err_in_less_than_one_of_a_hundred() -> None:
    """10 · 0.1³ · 0.9² + 5 · 0.1⁴ · 0.9 + 0.1⁵ (AIMA 18.10)."""
    exact = sum(comb(5, i) * Fraction(1, 10) ** i * Fraction(9, 10) ** (5 - i) for i in (3, 4, 5))
    start = engine.run("majority_vote", table())[0]
    assert start.note["error"] == pytest.approx(float(exact)) == pytest.approx(0.00856)
    assert start.note.lines()[2].startswith("10 · 0.1³ · 0.9² + 5 · 0.1⁴ · 0.9 + 0.1⁵ = 0.0086")


@pytest.mark.parametrize("p", [0.0, 0.1, 0.2, 0.4, 0.7, 1.0])
@pytest.mark.parametrize("K", [1, 5, 10, 20])
def test_the_sum_of_the_exercise(K: int, p: float) -> None:
    assert majority_errs(counts_law(K, p)) == pytest.approx(binom.sf(K // 2, K, p))


@given(st.integers(1, 31), st.floats(0, 1), st.floats(0, 1))
def test_the_law_has_the_mean_and_the_correlation_that_are_set(
    K: int, p: float, rho: float
) -> None:
    """Mean K p, variance K p (1 − p) (1 + (K − 1) ρ): that is what the correlation ρ of any two
    errors means.
    """
    law = counts_law(K, p, np.sqrt(rho))
    i = np.arange(K + 1)
    mean = float(i @ law)
    assert law.sum() == pytest.approx(1)
    assert mean == pytest.approx(K * p, abs=1e-9)
    assert float((i - mean) ** 2 @ law) == pytest.approx(
        K * p * (1 - p) * (1 + (K - 1) * rho), abs=1e-9
    )


def test_who_errs_alike_gains_nothing_and_who_errs_too_often_loses() -> None:
    errs = lambda K, p, rho=0.0: majority_errs(counts_law(K, p, np.sqrt(rho)))  # noqa: E731
    assert errs(11, 0.3, 1.0) == pytest.approx(0.3)
    assert errs(11, 0.3) < errs(11, 0.3, 0.3) < 0.3
    assert errs(3, 0.6) < errs(11, 0.6)
    assert errs(7, 0.5) == pytest.approx(0.5)


@pytest.mark.slow
@pytest.mark.parametrize(("p", "rho"), [(0.1, 0.0), (0.3, 0.4), (0.6, 0.1)])
def test_what_is_counted_comes_to_the_law(p: float, rho: float) -> None:
    trace = engine.run(
        "majority_vote",
        table(),
        members=5,
        error=p,
        correlation=rho,
        cases=10_000,
        pace=Pace(Level.ROUND),
    )
    counts = trace[-1].state.counts
    law = trace.given.law
    assert counts.sum() == 10_000
    assert (np.abs(counts / 10_000 - law) < 4 * np.sqrt(law * (1 - law) / 10_000) + 1e-3).all()
    assert trace.metrics["member"][-1] == pytest.approx(100 * p, abs=3)


def test_votes_and_counts_belong_to_each_other() -> None:
    trace = engine.run("majority_vote", table(), members=4, error=0.4, cases=40, seed=2)
    s = trace[-1].state
    codes = trace.problem.codes
    wrong = [int((votes != codes[case % 6]).sum()) for case, votes in enumerate(s.votes)]
    assert s.counts.tolist() == np.bincount(wrong, minlength=5).tolist()
    assert s.errors == sum(i > 2 for i in wrong)
    assert [("wrong" in v.events, "tie" in v.events) for v in steps(trace, "vote")] == [
        (i > 2, i == 2) for i in wrong
    ]
    tie = next(v for v in steps(trace, "vote") if "tie" in v.events)
    assert tie.choice.winners == (0, 1)
    tally = steps(trace, "tally")[-1]
    assert (tally.note["errors"], tally.note["tallied"], tally.note["ties"]) == (
        s.errors,
        40,
        wrong.count(2),
    )
    assert tally.note["law"] == pytest.approx(binom.sf(2, 4, 0.4))


def test_the_bars_are_the_shares_with_the_law_as_ticks() -> None:
    trace = engine.run("majority_vote", table(), error=0.2, cases=20)
    votes, bars, plot, _ = trace.algorithm.scene(trace.given, trace[-1]).figures
    members, majority = (layer for layer in votes.layers if isinstance(layer, Points))
    shown = members.shown.reshape(-1, 5)
    last = np.array(list(trace[-1].state.votes))[-len(shown) :]
    assert np.array_equal(shown, last), "the last page of cases"
    assert np.array_equal(majority.shown, (last.sum(axis=1) > 2).astype(int))
    assert bars.values == pytest.approx(trace[-1].state.counts / 20)
    assert bars.before == pytest.approx(binom.pmf(range(6), 5, 0.2))
    line = next(layer for layer in plot.layers if layer.tag == "formula")
    assert line.xy[:, 1] == pytest.approx(binom.sf(line.xy[:, 0] // 2, line.xy[:, 0], 0.2))


def test_amber_is_on_what_the_step_counts() -> None:
    """At the start the law where the majority errs; of a case the members that are asked, then the
    majority and how many err.
    """
    trace = engine.run("majority_vote", table(), error=0.4, cases=20)
    for step in trace:
        votes, bars, *_ = trace.algorithm.scene(trace.given, step).figures
        lit = [i for i, role in enumerate(bars.roles) if role is Role.ACTIVE]
        boxes = [layer for layer in votes.layers if layer.role is Role.ACTIVE]
        if step.line in ("start", "tally"):
            assert lit == [3, 4, 5]
        elif step.line == "vote":
            assert lit == [step.note["wrong"]]
            assert boxes[0].bounds[0, 0] > 5, "beyond the five members"
        else:
            assert lit == []
        if step.line == "ask":
            assert boxes[0].bounds[0, 2] < 6, "the members alone"
        if step.line == "start":
            assert bars.values == pytest.approx(binom.pmf(range(6), 5, 0.4))


def test_going_on_is_the_run_that_was_never_stopped() -> None:
    long, short = (
        engine.run("majority_vote", table(), error=0.4, cases=n, seed=3) for n in (30, 12)
    )
    run = Run(long.algorithm, long.problem, long.params, 3, start=short[-1].state)
    run.advance()
    assert [v.tolist() for v in run.trace[-1].state.votes] == [
        v.tolist() for v in long[-1].state.votes
    ]
    with pytest.raises(EngineError, match="start again"):
        Run(
            long.algorithm, long.problem, long.algorithm.params(members=7), start=short[-1].state
        ).advance()


def test_rows_without_a_class_have_no_vote() -> None:
    data = engine.Dataset.from_arrays(
        np.arange(8.0).reshape(4, 2), np.array(["a", None, "b", None], dtype=object)
    )
    trace = engine.run("majority_vote", data, cases=5)
    assert [s.state.current for s in steps(trace, "ask")] == [0, 2, 0, 2, 0]
    said, _ = answers(trace.given, trace[-1].state)
    assert (said[[1, 3]] == -1).all()


def test_one_class_and_three_are_refused_in_words() -> None:
    for classes in (1, 3):
        with pytest.raises(EngineError, match="needs"):
            engine.run(
                "majority_vote",
                engine.Dataset.from_arrays(np.arange(6.0)[:, None], np.arange(6) % classes),
            )


def test_a_chance_of_0_and_of_1_is_certain() -> None:
    assert binomial(3, 0.0).tolist() == [1, 0, 0, 0]
    assert binomial(3, 1.0).tolist() == [0, 0, 0, 1]
    assert engine.run("majority_vote", table(), error=1.0)[-1].state.errors == 6
