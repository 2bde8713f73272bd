"""Opens a run inside an experiment as a run of its own: the same learner on the same rows."""

from typing import Any

from engine.base.records import replace
from engine.document.document import Document
from engine.fit.learners import Model
from engine.table.prepare import Split
from engine.table.problem import Problem


def shown_model(state: Any) -> Model | None:
    """The model that a step of an experiment shows, or None."""
    model = getattr(state, "model", None)
    return model if isinstance(model, Model) else None


def opened(document: Document, active: int, problem: Problem, model: Model) -> Document:
    """`document` with the model's learner in lane `active`; rows that it did not learn from are
    held out.

    A row drawn several times (a bootstrap copy) counts once.
    """
    learnt = {problem.number_of(row) for row in model.rows.tolist()}
    rows = tuple(number for number in range(1, len(document.data) + 1) if number not in learnt)
    learner = model.learner
    changed = document.with_lane(
        active, key=learner.key, params=learner.params, seed=model.seed, start=None, branches=()
    )
    return replace(changed, split=Split(rows=rows) if rows else Split())
