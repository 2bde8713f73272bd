"""A run inside an experiment as a run of its own: its learner, learning from the same rows, tested
on all others.
"""

from typing import Any

from engine.base.records import replace
from engine.document.document import Document
from engine.fit.learners import Model
from engine.table.prepare import Split
from engine.table.problem import Problem


def shown_model(state: Any) -> Model | None:
    """The model that a step of an experiment shows, if it shows one."""
    model = getattr(state, "model", None)
    return model if isinstance(model, Model) else None


def opened(document: Document, active: int, problem: Problem, model: Model) -> Document:
    """`document` with the model's learner in lane `active`, and every row held out that it has not
    learnt from.

    A row that was learnt from several times (a bootstrap copy) is learnt from once.
    """
    learnt = {problem.number_of(row) for row in model.rows.tolist()}
    rows = tuple(number for number in range(1, len(document.data) + 1) if number not in learnt)
    learner = model.learner
    changed = document.with_lane(
        active, key=learner.key, params=learner.params, seed=model.seed, start=None, branches=()
    )
    return replace(changed, split=Split(rows=rows) if rows else Split())
