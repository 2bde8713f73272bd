"""The table of visits that a reader makes by hand. MMDS Figs 12.7 and 12.9."""

from collections.abc import Sequence
from typing import Any

from engine.algorithms.linear.parts.picture import weight_tags
from engine.authoring import Bool, Record, np, replace
from engine.base.notation import MINUS
from engine.scene.figures import text_column
from engine.scene.scene import Role, Table, TableColumn

FEW = 8  # columns up to which the table shows every weight


class Visited(Record):
    """A visit to an example.

    row: of the example
    score: before the visit, as text
    after: the weights after it as texts, () where it changed none
    """

    row: int
    score: str
    after: tuple[str, ...] = ()


def visit_table(
    given: Any, visits: Sequence[Visited], score: str, changed: Bool, first: int, looking: bool
) -> Table:
    """The visits in their order; weights are written only where they changed.

    score: what the scores are called; changed: which weights this step changed; first: the number
    of the first visit; looking: whether this step is about the last one
    """
    problem = given.problem
    rows = [visit.row for visit in visits]
    columns = [
        text_column("x", [problem.names[i] for i in rows]),
        text_column("y", ["+" if problem.codes[i] == 0 else MINUS for i in rows]),
        text_column(score, [visit.score for visit in visits]),
        text_column("OK?", ["no" if visit.after else "yes" for visit in visits], Role.BOUNDARY),
    ]
    if problem.d <= FEW:
        columns += changed_weights(given, visits, changed)
    return Table(
        "Visits",
        tuple(columns),
        tuple(f"visit {first + k}" for k in range(len(rows))),
        problem.codes[rows],
        np.array([bool(visit.after) for visit in visits]),
        (len(rows) - 1,) if looking else (),
        tag="w",
        tags=problem.tags_of(rows),
    )


def changed_weights(given: Any, visits: Sequence[Visited], changed: Bool) -> list[TableColumn]:
    """A column for each weight, with its value after each visit; empty where a visit changed
    nothing.
    """
    d = given.problem.d
    titles = [*(feature.title for feature in given.problem.features), *given.names[d:]]
    columns = []
    for j, on in enumerate(changed.tolist()):
        texts = [visit.after[j] if visit.after else "" for visit in visits]
        role = Role.ACTIVE if on else Role.PLAIN
        columns.append(replace(text_column(titles[j], texts, role), tag=weight_tags(given)[j]))
    return columns
