"""Mistake counts as sizes, the boundary of the sum, the lifted space, counts as bars, the row of K
that is added up. AIMA 18.9.
"""

from engine.algorithms.margins.kernel_perceptron import Setting, State
from engine.algorithms.margins.parts.picture import (
    class_surface,
    kernel_matrix,
    leads,
    lifted_space,
    listed,
    numbered,
)
from engine.authoring import Sequence, Step, frozen, np, replace
from engine.numerics.linear import plane_line, signed_classes
from engine.scene.scene import (
    Bars,
    Field,
    Figure,
    Layer,
    Line,
    Role,
    Scene,
    TableColumn,
    active_point,
    data_points,
    data_table,
    looked_at,
)
from engine.table.dataset import Feature

FIELDS = {"class": class_surface, "score": Setting.surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    current = looked_at(s)
    rows = listed(problem, s.counts, current)
    roles = np.where(s.counts > 0, Role.SUPPORT, Role.POINT)
    roles[list(current)] = Role.ACTIVE
    space = lifted_space(given, s, roles.tolist(), (0.0,))
    figures: list[Figure] = [*space]
    if rows:
        cells = tuple((rows.index(i), j) for i in current for j in range(len(rows)))
        figures.append(count_bars(given, s, rows, step.line == "update"))
        figures.append(kernel_matrix(given, rows, cells))
    counts = TableColumn(Feature("mistakes"), s.counts.astype(np.float64), tag="counts")
    figures.append(data_table(problem, lambda own: [*own, counts], current=current, tag="current"))
    shown = layers(given, s) if problem.plane else ()
    return Scene(shown, tuple(figures), leads=leads(problem, space))


def layers(given: Setting, s: State) -> tuple[Layer, ...]:
    """The layers of the plane: the score as shading with its boundary; sizes of examples are their
    counts.
    """
    problem = given.problem
    w = given.normal(s)
    shown = signed_classes(given.settled_scores(s))
    ground: list[Layer] = [Field("score", boundary=w is None and bool(s.mistakes), tag="score")]
    if w is not None:
        ground.append(Line(*plane_line(problem, w, s.b), tag="score"))
    points = replace(data_points(problem, shown, s.counts.astype(np.float64)), tag="counts")
    return (*ground, points, *(active_point(problem, i, shown) for i in looked_at(s)))


def count_bars(given: Setting, s: State, rows: Sequence[int], grew: bool) -> Bars:
    """Bars of the counts c of these rows, with the previous ones as ticks."""
    problem = given.problem
    c = s.counts[list(rows)].astype(np.float64)
    was = c.copy()
    if grew:
        was[[i == s.current for i in rows]] -= 1
    roles = tuple(Role.ACTIVE if i == s.current else Role.PLAIN for i in rows)
    names = tuple(numbered(problem, i, "c") for i in rows)
    group = frozen(problem.codes[list(rows)])
    return Bars(
        "Counts c",
        names,
        frozen(c),
        roles,
        frozen(was),
        group,
        "mistakes about each",
        0,
        tag="counts",
        tags=problem.tags_of(rows),
    )
