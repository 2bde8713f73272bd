"""Mistake counts as sizes, the boundary of the sum, the lifted space, counts as bars, the row of K
that is added up. AIMA 18.9.
"""

from engine.algorithms.margins.kernel_perceptron import Setting, State
from engine.algorithms.margins.kernel_perceptron.sum_blocks import kernel_sum
from engine.algorithms.margins.parts.picture import (
    class_surface,
    former_boundary,
    kernel_matrix,
    leads,
    lifted_space,
    listed,
    numbered,
)
from engine.authoring import Int, Sequence, Step, frozen, np, replace
from engine.base.notation import counted
from engine.numerics.linear import plane_line, signed_classes
from engine.scene.scene import (
    Bars,
    Field,
    Figure,
    Layer,
    Line,
    Points,
    Role,
    Scene,
    TableColumn,
    active_point,
    data_points,
    data_table,
    looked_at,
)
from engine.table.dataset import Feature

NUMBERED = 60  # examples up to which the counts are written beside them
FIELDS = {"class": class_surface, "score": Setting.surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    current = looked_at(s)
    rows = listed(problem, s.counts, current)
    roles = np.where(s.counts > 0, Role.SUPPORT, Role.POINT)
    roles[list(current)] = Role.ACTIVE
    space = lifted_space(given, s, roles.tolist(), (0.0,))
    said = heading(step)
    total = kernel_sum(given, s, step.line)
    if said and not problem.plane:
        total = replace(total, title=f"{total.title}: {said}")
    figures: list[Figure] = [total, *space]
    if rows:
        cells = tuple((rows.index(i), j) for i in current for j in range(len(rows)))
        figures.append(count_bars(given, s, rows, step.line == "update"))
        figures.append(kernel_matrix(given, rows, cells))
    counts = TableColumn(Feature("mistakes"), s.counts.astype(np.float64), tag="counts")
    figures.append(data_table(problem, lambda own: [*own, counts], current=current, tag="current"))
    if not problem.plane:
        return Scene((), tuple(figures), leads=("Sum",))
    others = leads(problem, space)
    first = ("Plane", "Sum") if others[:1] == ("Plane",) else others
    plane = said[:1].upper() + said[1:]
    return Scene(layers(given, s, step.line), tuple(figures), leads=first, plane=plane)


def heading(step: Step[State]) -> str:
    """What comes of a whole round; "" for other steps."""
    s = step.state
    if step.line == "start":
        return "no mistakes counted yet"
    if step.line == "round":
        return f"round {s.round} begins"
    if step.line != "until":
        return ""
    mistakes = step.details["mistakes"]
    if not mistakes:
        return f"round {s.round}: no mistake, done"
    end = ", the last" if step.details["done"] else ""
    return f"round {s.round}{end}: {counted(mistakes, 'mistake')}"


def layers(given: Setting, s: State, line: str) -> tuple[Layer, ...]:
    """The layers of the plane: the score as shading with its boundary, at a mistake also the former
    one; sizes and numbers of examples are their counts.
    """
    problem = given.problem
    w = given.normal(s)
    shown = signed_classes(given.settled_scores(s))
    ground: list[Layer] = [Field("score", boundary=w is None and bool(s.mistakes), tag="score")]
    if w is not None:
        ground.append(Line(*plane_line(problem, w, s.b), tag="score"))
    if line == "update":
        ground += before_mistake(given, s)
    points = replace(data_points(problem, shown, s.counts.astype(np.float64)), tag="counts")
    if len(points.xy) == problem.n <= NUMBERED:
        labels = [str(c) if c and i != s.current else "" for i, c in enumerate(s.counts.tolist())]
        points = replace(points, label=tuple(labels))
    return (*ground, points, *asked_point(given, s, shown, line))


def asked_point(given: Setting, s: State, shown: Int, line: str) -> list[Points]:
    """The current example in amber, with its count, at a mistake with what it was before."""
    if s.current < 0:
        return []
    point = active_point(given.problem, s.current, shown)
    count = int(s.counts[s.current])
    said = f"{count - 1} → {count}" if line == "update" else str(count)
    return [replace(point, label=(f"{point.label[0]}  c = {said}",))]


def before_mistake(given: Setting, s: State) -> list[Layer]:
    """Where the score was 0 before the mistake."""
    counts = s.counts.copy()
    counts[s.current] -= 1
    if not counts.any():
        return []
    before = replace(s, counts=frozen(counts), b=given.learned * float(given.sign @ counts))
    return former_boundary(given, before, given.normal(before))


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
