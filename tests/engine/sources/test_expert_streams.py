"""Streams of experts: what their names promise.

AIMA 18.10.1 (aima B21), ML 7.5.4 (mitchell B20).
"""

from math import log2

import numpy as np
import pytest

import engine
from engine.algorithms.online.parts import Experts
from engine.protocol.step import Level, Pace

ROUND = Pace(Level.ROUND)


def wrong(data: engine.Dataset) -> np.ndarray:
    """(n, K) which expert errs on which day."""
    return Experts(engine.prepare(data), None).stream.wrong


@pytest.mark.slow
def test_half_way_the_best_becomes_the_worst() -> None:
    errs = wrong(engine.generate("pundits_turn", 20_000))
    first, second = errs[:10_000].mean(0), errs[10_000:].mean(0)
    assert first == pytest.approx(np.arange(1, 11) / 20, abs=0.02)
    assert second == pytest.approx(first[::-1], abs=0.02)


def test_the_adversary_makes_the_vote_wrong_and_keeps_within_the_bound() -> None:
    """aima E44: every vote with β = ½ that is no tie is a mistake, and still M ≤ 2.41
    (k + log2 n).
    """
    trace = engine.run("weighted_majority", engine.generate("pundits_adversary", 300))
    votes = [s for s in trace if s.line == "vote"]
    truths = [s for s in trace if s.line == "truth"]
    assert len(votes) == len(truths) == 300
    for vote, truth in zip(votes, truths, strict=True):
        assert ("mistake" in truth.events) or ("tie" in vote.events)
    last = trace[-1].state
    assert last.mistakes > 290
    assert last.mistakes <= (last.best + log2(10)) / log2(4 / 3)


def test_noise_turns_some_of_the_adversarys_days() -> None:
    last = engine.run(
        "weighted_majority", engine.generate("pundits_adversary", 1000, 0.2), pace=ROUND
    )[-1].state
    assert last.mistakes == pytest.approx(800, abs=50)


@pytest.mark.slow
def test_the_pool_is_as_good_as_printed() -> None:
    errs = wrong(engine.generate("expert_pool", 20_000)).mean(0)
    assert errs == pytest.approx([0.1, 0.3, 0.4] + [0.5] * 13, abs=0.02)


def test_useless_predictors_cost_little() -> None:
    """ML 7.5.4, mitchell F23, F24: the vote copes with noise that throws everybody out at β = 0."""
    data = engine.generate("expert_pool", 200)
    vote = engine.run("weighted_majority", data, pace=ROUND)[-1].state
    assert vote.mistakes <= vote.best + 2 * log2(16)
    assert vote.mistakes < vote.plain
    out = engine.run("weighted_majority", data, beta=0, pace=ROUND)[-1].state
    assert not out.weights.any()
    assert out.mistakes > vote.mistakes
