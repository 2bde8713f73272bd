"""A learner that can take no fold, size or draw is refused before the first step, in every
experiment that studies learners.
"""

import numpy as np
import pytest

import engine
from engine.base.errors import EngineError
from engine.protocol.params import build, params_fields
from engine.protocol.step import Level, Pace
from engine.runs.run import Run
from engine.table.dataset import ColumnRole

STUDIES = {
    key: next(f for f in params_fields(method.params) if f.kind in ("learner", "learners"))
    for key, method in engine.algorithms().items()
    if method.is_experiment
    and any(f.kind in ("learner", "learners") for f in params_fields(method.params))
}


def studied(key: str, learner: str) -> dict[str, object]:
    """Parameters with which the experiment studies this learner."""
    field = STUDIES[key]
    named = {field.name: (learner, "decision_tree") if field.kind == "learners" else learner}
    return named | ({"hypotheses": "copies"} if key == "peeking" else {})


@pytest.mark.parametrize("key", STUDIES)
def test_neighbours_by_distance_are_refused_words_at_once(key: str) -> None:
    """Columns of words have no distance: no fold of them can be taken, nor can the whole, nor can
    any one column.
    """
    method = engine.algorithms()[key]
    data = engine.textbook("restaurant")
    for column in data.features:
        if column.name not in ("Patrons", "Price", "Type"):
            data = data.with_role(column.name, ColumnRole.IGNORED)
    problem = engine.prepare(data)
    assert method.needs.reason(problem) is None
    run = Run(method, problem, build(method.params, studied(key, "nearest_neighbours")))
    with pytest.raises(EngineError, match="Hamming"):
        run.advance(max_steps=1)
    assert len(run.trace) == 0


@pytest.mark.parametrize("key", STUDIES)
def test_a_learner_that_can_take_some_is_not_refused(key: str) -> None:
    """Two of the twelve rows have neighbours by Hamming's distance."""
    trace = engine.run(
        key,
        engine.textbook("restaurant"),
        pace=Pace(Level.ROUND),
        max_steps=3,
        **studied(key, "nearest_neighbours(metric=hamming)"),
    )
    assert len(trace)


def test_sizes_that_are_too_small_do_not_refuse_the_larger_ones() -> None:
    """A perceptron needs both classes: a draw of one row has one, and that of all but
    one has both.
    """
    data = engine.Dataset.from_arrays(np.arange(8.0)[:, None], list("AAAABBBB"))
    trace = engine.run(
        "learning_curve", data, learner="perceptron", sizes=7, trials=3, pace=Pace(Level.ROUND)
    )
    points = [*trace[-1].state.points]
    assert np.isnan(points[0].mean)
    assert not np.isnan(points[-1].mean)


def test_one_unable_learner_of_several_is_named() -> None:
    with pytest.raises(
        EngineError, match=r"^Nearest neighbours can learn from none of the draws\. Minkowski"
    ):
        engine.run(
            "learner_comparison",
            engine.textbook("restaurant"),
            learners=("decision_tree", "nearest_neighbours"),
        )
