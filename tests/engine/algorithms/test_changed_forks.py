"""A run that goes on from within a round, with a parameter changed that counts only later, comes to
what the whole run with that parameter comes to: the round begins again, with its own chances, and
nothing from before it is forgotten.
"""

from typing import Any

import numpy as np
import pytest

import engine
from engine.algorithms.rules.parts import bits
from engine.base.records import field_names
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from tests.engine.test_contract import whole


def forks(
    key: str, data: Any, before: dict[str, Any], after: dict[str, Any], level: Level = Level.DETAIL
) -> Any:
    """(step that it went on from, the run that did) for every step of the run with `before` but the
    last; `after`: what is changed.
    """
    algorithm = engine.algorithms()[key]
    problem = data if isinstance(data, engine.Problem) else engine.prepare(data)
    trace = engine.run_problem(key, problem, 3, pace=Pace(level), **before)
    assert trace.finished
    for step in list(trace)[:-1]:
        run = Run(
            algorithm, problem, algorithm.params(**before | after), 3, Pace(level), step.state
        )
        run.advance()
        yield step, run.trace


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("key", ["bagging", "random_forest"])
def test_trees_are_those_of_the_whole_run(key: str, level: Level) -> None:
    data = engine.generate("moons", 30, 0.3)
    small = {"members": 3, "max_depth": 2}
    small = {
        name: value
        for name, value in small.items()
        if name in field_names(engine.algorithms()[key].params)
    }
    wanted = engine.run(key, data, 3, **small | {"members": 5})[-1].state
    for _, trace in forks(key, data, small, {"members": 5}, level):
        assert [whole(tree) for tree in trace[-1].state.learners] == [
            whole(tree) for tree in wanted.learners
        ]
        assert trace[-1].state.errors == wanted.errors


@pytest.mark.parametrize("level", list(Level))
def test_each_case_is_voted_on_once(level: Level) -> None:
    data = engine.generate("blobs", 12)
    few = {"cases": 10, "error": 0.4}
    many = {"cases": 14}
    wanted = engine.run("majority_vote", data, 3, **few | many)[-1].state
    for _, trace in forks("majority_vote", data, few, many, level):
        state = trace[-1].state
        assert len(state.votes) == state.tallied == 14
        assert np.array_equal(state.votes, wanted.votes)
        assert state.counts.tolist() == wanted.counts.tolist()
        for step in trace:
            assert len(step.state.votes) - step.state.tallied in (0, 1)


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("key", ["kmeans", "half_plane_and"])
def test_the_best_start_is_not_forgotten(key: str, level: Level) -> None:
    """The starts after the one that the fork stands in are those of the whole run with more of
    them; its last step is the best.
    """
    data = (
        engine.generate("gaussians", 24, 0.9, 2)
        if key == "half_plane_and"
        else engine.generate("blobs", 24, 0.9, 2)
    )
    small: dict[str, Any] = {"k": 4} if key == "kmeans" else {"members": 2}
    measure = "within" if key == "kmeans" else "loss"
    wanted = engine.run(key, data, 3, **small | {"starts": 5})
    for step, trace in forks(key, data, small | {"starts": 3}, {"starts": 5}, level):
        last = trace[-1].state
        assert last.trial == 5
        if step.level is Level.ROUND:  # a round that begins again may come to another end
            assert getattr(last, measure) == pytest.approx(
                getattr(wanted[-1].state, measure), rel=1e-9
            )
        ends = [getattr(step.state, measure) for step in trace if step.line == "until"]
        assert getattr(last, measure) <= min(ends) * (1 + 1e-9)


@pytest.mark.parametrize("key", ["kmeans", "half_plane_and"])
def test_the_best_start_is_measured_on_the_points_of_now(key: str) -> None:
    """A state of the third start goes on beside other points, as many and more: the best start
    before is weighed by them.
    """
    algorithm = engine.algorithms()[key]
    seen = engine.generate("gaussians", 24, 0.9, 2)
    params = algorithm.params()
    measure = "within" if key == "kmeans" else "loss"
    state = next(step.state for step in engine.run(key, seen, 3) if step.state.trial == 3)
    for n in (24, 30) if key == "kmeans" else (24,):
        run = Run(
            algorithm,
            engine.prepare(engine.generate("gaussians", n, 0.3, 7)),
            params,
            3,
            start=state,
        )
        run.advance()
        trace = run.trace
        earlier = state.best
        ends = [getattr(step.state, measure) for step in trace if step.line == "until"]
        assert getattr(trace[0].state.best, measure) != getattr(earlier, measure)
        assert getattr(trace[-1].state, measure) <= min(ends) * (1 + 1e-9)


LATER: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "perceptron": ({"rule": "aima", "rounds": 3, "order": "random"}, {"rounds": 7}),
    "logistic_regression": ({"mode": "stochastic", "steps": 72}, {"steps": 168}),
    "hinge_descent": ({"mode": "stochastic", "steps": 72}, {"steps": 168}),
    "perceptron_network": ({"order": "random", "rounds": 3}, {"rounds": 7}),
    "backpropagation": ({"epochs": 3, "hidden": (2.0,), "order": "random"}, {"epochs": 7}),
    "adaboost": ({"copies": "replicated", "rounds": 3}, {"rounds": 7}),
    "uv_descent": ({"order": "random", "rounds": 3, "held": 0.2}, {"rounds": 7}),
    "bayes_net_gradient": ({"rounds": 3}, {"rounds": 7}),
}


def numbers(state: Any) -> list[Any]:
    """What a run has learnt."""
    names = (
        "w",
        "b",
        "W",
        "weights",
        "U",
        "V",
        "tables",
        "z",
        "mistakes",
        "asked",
        "chance",
        "seen",
    )
    return [np.asarray(part) for name in names for part in each(getattr(state, name, ()))]


def each(value: Any) -> Any:
    return value if isinstance(value, tuple | list) else [value]


@pytest.mark.parametrize("key", LATER)
def test_rounds_have_the_chances_of_the_whole_run(key: str) -> None:
    """Between two rounds a run with a later end goes on as the whole run does."""
    few, more = LATER[key]
    data = engine.generate("moons", 24, 0.9, 2) if key != "bayes_net_gradient" else hidden()
    wanted = numbers(engine.run(key, data, 3, **few | more)[-1].state)
    tried = 0
    for step, trace in forks(key, data, few, more, Level.ROUND):
        if step.line in ("until", "update", "z", "start", "init"):
            tried += 1
            for now, whole_run in zip(numbers(trace[-1].state), wanted, strict=True):
                assert np.allclose(now, whole_run, rtol=1e-12, atol=0), (
                    f"after {step.line} of round {step.state}"
                )
    assert tried > 1


def hidden() -> Any:
    days = {"Storm": "yynynynnyn", "Lightning": "yynnynnnyn"}
    return engine.Dataset.from_columns(
        {name: list(cells) for name, cells in days.items()} | {"Thunder": [None] * 10}
    )


WITHIN: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "streaming_perceptron": ({"window": 5, "drift": "turning", "noise": 0.3}, {"window": 7}),
    "active_learning": ({"budget": 6}, {"budget": 12}),
    "candidate_elimination": ({"limit": 100}, {"limit": 200}),
    "randomized_weighted_majority": ({}, {}),
}


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("key", WITHIN)
def test_no_example_is_lost_or_counted_twice(key: str, level: Level) -> None:
    """Wherever it is left, also between an example and what is learnt from it, the run comes to the
    end of the whole run.
    """
    few, more = WITHIN[key]
    problem = engine.prepare(engine.generate("blobs", 24, 1.5, 2))
    # the second positive row drops a hypothesis of G, and S grows
    if key == "candidate_elimination":
        problem = bits("011 100 110 010 010", "01100")
    elif key == "randomized_weighted_majority":
        problem = engine.algorithms()[key].example()
    wanted = engine.run_problem(key, problem, 3, **few | more)
    for step, trace in forks(key, problem, few, more, level):
        for now, whole_run in zip(numbers(trace[-1].state), numbers(wanted[-1].state), strict=True):
            assert np.array_equal(now, whole_run), f"after {step.line}"


@pytest.mark.parametrize("key", ["optimal_brain_damage", "tiling"])
def test_what_made_it_worse_is_taken_back(key: str) -> None:
    """The network before is not forgotten: after a fork the run ends no worse than it was."""
    data = engine.generate("moons", 40, 0.3)
    few = (
        {"hidden": (2.0,), "epochs": 60, "retrain": 0, "stop": "more wrong"}
        if key == "optimal_brain_damage"
        else {}
    )
    more = {"saliency": "|w|"} if key == "optimal_brain_damage" else {"rounds": 31}
    for step, trace in forks(key, data, few, more, Level.STEP):
        kept = step.state.kept
        if kept is not None and kept.errors < step.state.errors:
            assert trace[-1].state.errors <= kept.errors, f"after {step.line}"


def test_tables_are_tables_when_a_round_begins_again() -> None:
    """A table that had moved and was not renormalised yet is a table of chances before its gradient
    is taken.
    """
    for step, trace in forks("bayes_net_gradient", hidden(), {"rounds": 2}, {"rate": 0.01}):
        first = next(later for later in trace if later.line == "gradient")
        for table in first.state.tables:
            assert np.allclose(table.sum(axis=-1), 1), f"after {step.line}"


@pytest.mark.parametrize("key", ["optimal_brain_damage", "tiling"])
def test_a_network_that_is_kept_is_judged_on_the_examples_as_they_are_now(key: str) -> None:
    """With the two classes exchanged, what was right is wrong; the old count would take a
    better network back.
    """
    corners, xor = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], ["no", "yes", "yes", "no"]
    data, exchanged = (
        engine.prepare(engine.Dataset.from_arrays(corners, y))
        for y in (xor, ["yes", "no", "no", "yes"])
    )
    algorithm = engine.algorithms()[key]
    trace = engine.run_problem(key, data, 3, pace=Pace(Level.STEP), max_steps=200)
    compared = 0
    for step in list(trace)[:-1]:
        if step.state.kept is None:
            continue
        run = Run(algorithm, exchanged, trace.params, 3, Pace(Level.STEP), step.state)
        run.advance(max_steps=20)
        for later in run.trace:
            if (kept := later.state.kept) is not None:
                said = algorithm.predict(run.trace.given, kept, exchanged.X)
                assert kept.errors == np.count_nonzero(said != exchanged.codes)
                compared += 1
    assert compared
