"""A decision tree of which the end alone is wanted is grown at once: the same log as the page's,
decision by decision.
"""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.algorithms.trees.parts.log import Grown, tree_at
from engine.algorithms.trees.parts.model import ARRAYS
from engine.base.arrays import Prefix
from engine.base.work import finished
from engine.fit.learners import fitted, studying
from engine.protocol.step import Level, Pace
from tests.engine.digests import parts

KEY = "decision_tree"
END = Pace(Level.ROUND, end=True)
ROUNDS = Pace(Level.ROUND)
RULES = [
    {}, {"importance": "ratio"}, {"importance": "gini"}, {"numeric": "all"}, {"subset_tests": True},
    {"ties": "random"},
    {"plurality": "random"}, {"stop": "entropy"}, {"stop": "size"}, {"stop": "no-gain",
    "least_gain": 0.1},
    {"stop": "depth"}, {"stop": "nodes", "nodes": 3}, {"prune": "chi2", "significance": 0.3},
    {"prune": "held-out"},
    {"missing": "largest branch"},
]  # fmt: skip


def table(seed: int, n: int, classes: int, words: bool, gaps: bool) -> engine.Problem:
    rng = np.random.default_rng(seed)
    columns = {
        "x1": np.round(rng.normal(size=n), 1).tolist(),
        "x2": np.round(rng.normal(size=n), 1).tolist(),
    }
    if words:
        columns["word"] = rng.choice(["red", "green", "blue"], n).tolist()
    if gaps:
        columns["x1"][::5] = [None] * len(columns["x1"][::5])
    columns["class"] = [f"c{code}" for code in rng.integers(0, classes, n)]
    return engine.prepare(engine.Dataset.from_columns(columns, "class"), split=engine.Split(0.3))


@given(
    st.integers(0, 10**6),
    st.integers(6, 40),
    st.integers(2, 4),
    st.booleans(),
    st.booleans(),
    st.sampled_from(RULES),
)
@settings(max_examples=60, deadline=None)
def test_the_end_alone_is_the_end_of_the_page(seed, n, classes, words, gaps, rule) -> None:
    problem = table(seed, n, classes, words, gaps)
    watched = engine.run(KEY, problem, seed, **rule)[-1]
    alone = engine.run(KEY, problem, seed, pace=END, **rule)
    assert b"".join(parts(alone[-1].state)) == b"".join(parts(watched.state))
    assert (alone[-1].line, alone[-1].events, repr(alone[-1].metrics)) == (
        "prune",
        ("done",),
        repr(watched.metrics),
    )
    assert all(step.line in ("start", "prune") for step in alone) or rule.get("stop") == "nodes"


def test_a_learner_under_study_of_more_than_a_thousand_tests_is_learnt_whole() -> None:
    """It was cut off after its 1,000th round.

    And it goes to another process as arrays, not test by test.
    """
    rng = np.random.default_rng(0)
    problem = engine.prepare(
        engine.Dataset.from_arrays(rng.normal(size=(6_000, 2)), rng.integers(0, 2, 6_000))
    )
    model = finished(fitted(studying(KEY, problem), problem, np.arange(problem.n), 0))
    sent = pickle.loads(pickle.dumps(model))
    for each in (model, sent):
        assert each.state.tests > 1_000 and each.state.errors == 0
        assert np.array_equal(each.says, problem.codes)
        assert (
            isinstance(each.state.log.items, Grown) and len(each.state.log) == each.state.size + 1
        )


@pytest.mark.parametrize("level", [Level.DETAIL, Level.STEP])
def test_watched_steps_are_recorded_although_the_end_is_wanted(level: Level) -> None:
    problem = engine.algorithm(KEY).example()
    both = (engine.run(KEY, problem, pace=Pace(level, end)) for end in (True, False))
    one, other = ([step.line for step in trace] for trace in both)
    assert one == other


@given(
    st.integers(0, 10**6),
    st.integers(6, 60),
    st.integers(2, 4),
    st.sampled_from([{}, {"stop": "depth", "depth": 3}]),
)
@settings(max_examples=20, deadline=None)
def test_a_tree_that_grew_at_once_has_the_history_of_the_page(seed, n, classes, rule) -> None:
    problem = table(seed, n, classes, False, False)
    watched, alone = (engine.run(KEY, problem, seed, pace=pace, **rule) for pace in (ROUNDS, END))
    one, other = watched[-1].state, alone[-1].state
    for length in (1, (1 + len(one.log)) // 2, len(one.log)):
        decided, known = (tree_at(Prefix(s.log.items, length), one.nominal) for s in (one, other))
        for name in (*ARRAYS, "nominal", "alive"):
            assert np.array_equal(
                getattr(known, name), getattr(decided, name), equal_nan=name == "point"
            )


def test_a_tree_is_read_while_its_run_goes_on() -> None:
    """The window draws a step while the worker decides about the next node."""
    trace = engine.run(KEY, engine.textbook("restaurant"), pace=ROUNDS)
    log = trace[-1].state.log
    nominal = trace[-1].state.nominal

    class Growing(list):
        """A list that grows by one decision right after each copy of it is made."""

        def __getitem__(self, index):
            found = super().__getitem__(index)
            if isinstance(index, slice) and len(self) < len(log):
                self.append(log[len(self)])
            return found

    items = Growing(log[:1])
    for _ in log:
        tree_at(Prefix(items, len(items)), nominal)
    for length in range(1, len(log) + 1):
        read, whole = (tree_at(Prefix(part, length), nominal) for part in (items, log.items))
        for name in (*ARRAYS, "alive"):
            assert np.array_equal(
                getattr(read, name), getattr(whole, name), equal_nan=name == "point"
            )


def test_a_tree_of_thousands_of_levels_is_grown_at_every_pace() -> None:
    """Of classes that take turns each test cuts off one end: deeper than Python's stack."""
    n = 1_500
    problem = engine.prepare(
        engine.Dataset.from_arrays(np.arange(float(n))[:, None], np.arange(n) % 2)
    )
    for pace in (ROUNDS, END):
        state = engine.run(KEY, problem, pace=pace)[-1].state
        assert (state.tests, state.errors) == (n - 1, 0)
        assert state.tree.depth.max() > 700
