"""Opens a run inside an experiment as a run of its own: the same learner on the same rows."""

from typing import Any

import numpy as np

from engine.base.records import replace
from engine.document.document import Document
from engine.fit.learners import Model
from engine.table.dataset import ColumnRole, Dataset, category_column
from engine.table.prepare import Split
from engine.table.problem import Problem


def shown_model(state: Any) -> Model | None:
    """The model that a step of an experiment shows, or None."""
    model = getattr(state, "model", None)
    return model if isinstance(model, Model) else None


def opened(document: Document, active: int, problem: Problem, model: Model) -> Document:
    """`document` with the model's learner in lane `active`; rows that it did not learn from are
    held out.

    A row drawn several times (a bootstrap copy) counts once. Where the model learnt other classes
    than those of the table, the examples have these; beside other lanes they are the lane's own.
    """
    learnt = {problem.number_of(row) for row in model.rows.tolist()}
    rows = tuple(number for number in range(1, len(document.data) + 1) if number not in learnt)
    learner = model.learner
    changed = document.with_lane(
        active, key=learner.key, params=learner.params, seed=model.seed, start=None, branches=()
    )
    if model.problem.classes != problem.classes:
        data = relabelled(document.of_lane(active).data, problem, model.problem)
        alone = len(document.lanes) == 1 and document.lanes[active].data is None
        changed = replace(changed, data=data) if alone else changed.with_lane(active, data=data)
    return replace(changed, split=Split(rows=rows) if rows else Split())


def relabelled(data: Dataset, problem: Problem, posed: Problem) -> Dataset:
    """The table with the classes of `posed` in place of those of `problem`; None for a class that
    it leaves out.
    """
    target = data.target
    assert target is not None
    new: dict[Any, Any] = {}
    for code, label in enumerate(problem.classes):
        rows = np.flatnonzero(problem.codes == code)
        other = int(posed.codes[rows[0]]) if len(rows) else -1
        new[label] = posed.classes[other] if other >= 0 else None
    labels = [new.get(label) for label in target.labels()]
    column = category_column(target.name, labels, posed.classes, ColumnRole.TARGET)
    name = f"{data.name}: {' against '.join(map(str, posed.classes))}"
    return replace(data.with_column(column), name=name)
