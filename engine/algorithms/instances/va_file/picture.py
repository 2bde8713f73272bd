"""The grid of the approximation, bounds to a cell, which cells passed, and the examples that are
looked up. MMDS 12.4.5.
"""

from engine.algorithms.instances.parts import best_table, comparable
from engine.algorithms.instances.parts.best import (
    NAMED,
    missed_lines,
    near_lines,
    result,
    verdict,
)
from engine.algorithms.instances.va_file import Setting, State
from engine.algorithms.instances.va_file.words import cell_name
from engine.authoring import Int, Lazy, Problem, Step, np, number
from engine.base.notation import counted, telling_digits
from engine.numerics.closeness import equal
from engine.scene.figures import text_column
from engine.scene.scene import (
    Arrows,
    Boxes,
    Circles,
    Figure,
    Layer,
    Plot,
    Points,
    Polyline,
    Role,
    Scene,
    Segments,
    Table,
    TableColumn,
    data_points,
    data_table,
)
from engine.table.dataset import Feature

READING = ("bound", "hold", "drop")
MEASURING = ("second", "look", "keep", "answer")
_LINES = 32  # parts of a column up to which all their edges are drawn
_THIN = 0.4  # of the line of its role
_BOXES = 2000  # cells up to which they are drawn
_LISTED = 200  # cells that are listed


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    line = step.line
    figures: list[Figure] = []
    if line != "cut":
        figures.append(cell_table(s))
    if line in MEASURING:
        figures.append(best_table(problem, s, "best"))
    if line in MEASURING and len(given.shares):
        figures.append(share_plot(given))
    figures.append(example_table(problem, s, line))
    reading = line in ("file", "query", *READING)
    leads = ("Plane", "Cells") if problem.all_on_plane and reading else ()
    if not problem.plane:
        return Scene((), tuple(figures), leads=leads)
    layers: list[Layer] = []
    if problem.all_on_plane:
        layers += grid(problem, s)
        layers += boxes(problem, s, line)
    layers.append(data_points(problem))
    if line not in ("cut", "file"):
        if problem.all_on_plane:
            before = step.details["before"].radius if line == "keep" else np.inf
            layers += query_layers(given, s, line, before)
        if line in MEASURING:
            layers += near_lines(problem, step)
        layers += missed_lines(problem, s)
        query = problem.to_plane(s.query[None])
        layers.append(Points(query, np.array([-1]), Role.QUERY, label=("?",), tag="query"))
    round_balls = problem.all_on_plane and comparable(problem)
    return Scene(tuple(layers), tuple(figures), round_balls, leads, plane_title(given, step))


def plane_title(given: Setting, step: Step[State]) -> str:
    """What the step does: the parts of a column, what becomes of the present cell or example."""
    s, line, n, p = step.state, step.line, given.problem.n, given.p
    if line == "cut":
        return f"Each column: {2**p.bits} equal parts, {counted(p.bits, 'bit')}"
    if line == "file":
        return f"{counted(n, 'example')} in {counted(s.file.size, 'cell')}"
    if line in READING:
        return f"Cell {s.cell + 1}: {cell_verdict(given, s, line)}"
    if line == "second":
        return f"Stage 2: {s.held} of {counted(n, 'example')} to look up"
    if line in ("look", "keep"):
        return f"Stage 2: {verdict(given.problem, step)}"
    if line == "answer" and len(s.neighbours):
        return result(given.problem, s, "looked up")
    return "The examples and the query"


def cell_verdict(given: Setting, s: State, line: str) -> str:
    """What becomes of the present cell, with the two bounds that decide."""
    if line == "bound":
        return "how near, how far"
    decided = "held" if line == "hold" else "left out"
    if given.p.test == "same cell":
        return f"{decided}, “?” lies {'in it' if line == 'hold' else 'elsewhere'}"
    low = float(s.bounds.low[s.cell])
    digits = 2 if equal(low, s.kth) else telling_digits(low, s.kth)
    sign = "≤" if line == "hold" else ">"
    return f"{decided}, {number(low, digits)} {sign} {number(s.kth, digits)}"


def grid(problem: Problem, s: State) -> list[Layer]:
    """The grid of all ends of parts of both columns; [] for too many."""
    if s.file.edges.shape[1] > _LINES + 1:
        return []
    ends = []
    for axis, j in enumerate(problem.plane):
        for edge in np.unique(s.file.edges[j]).tolist():
            line = np.array([[-np.inf, -np.inf], [np.inf, np.inf]])
            for other, column in enumerate(problem.plane):
                line[:, other] = s.file.edges[column][[0, -1]]
            line[:, axis] = edge
            ends.append(line)
    return [Segments(np.array(ends), Role.SAMPLE, tag="grid", width=np.full(len(ends), _THIN))]


def boxes(problem: Problem, s: State, line: str) -> list[Layer]:
    """The cells with examples, by role: candidates, excluded, the present one."""
    if s.file.size > _BOXES or line == "cut":
        return []
    low, high = s.file.corners()
    bounds = np.tile([-np.inf, -np.inf, np.inf, np.inf], (s.file.size, 1))
    bounds[:, : len(problem.plane)] = low[:, list(problem.plane)]
    bounds[:, 2 : 2 + len(problem.plane)] = high[:, list(problem.plane)]
    known = np.arange(s.file.size) < s.judged
    here = np.arange(s.file.size) == s.cell
    groups = (
        (~known, Role.REGION, "file"),
        (known & ~s.bounds.passed, Role.DIFFERENCE, "dropped"),
        (known & s.bounds.passed, Role.ACCEPTED, "held"),
        (here, Role.ACTIVE, "cell"),
    )
    made: list[Layer] = []
    for mask, role, tag in groups:
        cells = np.flatnonzero(mask)
        tags = tuple(f"cell {c + 1}" for c in cells)
        made.append(Boxes(bounds[cells], np.full(len(cells), -1), role, tag=tag, tags=tags))
    return made


def query_layers(given: Setting, s: State, line: str, before: float) -> list[Layer]:
    """The bounds of the cell looked at, as ways to its nearest and its farthest place; as a ball
    the k-th best, which in stage 1 is the k-th smallest upper bound. before: the radius of the ball
    that this step shrinks, ∞ for none
    """
    problem = given.problem
    query = problem.to_plane(s.query[None])
    radius, tag = s.kth, "kth"
    if line in MEASURING and s.full:
        radius, tag = s.radius, "ball"
    made: list[Layer] = []
    if before < np.inf:
        made.append(Circles(query, np.array([before]), Role.GHOST, tag="former"))
    if 0 < radius < np.inf:
        said = tag == "ball" and len(s.neighbours) <= NAMED  # by the names of the best
        text = () if said else (number(radius),)
        made.append(Circles(query, np.array([radius]), Role.BALL, text, tag=tag, tags=("radius",)))
    if s.cell >= 0:
        low, high = (corner[s.cell] for corner in s.file.corners())
        near = np.clip(s.query, low, high)
        far = np.where(np.abs(low - s.query) > np.abs(high - s.query), low, high)
        for place, size, role, name in (
            (far, s.bounds.high, Role.CANDIDATE, "high"),
            (near, s.bounds.low, Role.ACTIVE, "low"),
        ):
            label = (f"{name} {number(float(size[s.cell]))}",)
            made.append(Arrows(query, problem.to_plane(place[None]), role, label, tag=name))
    return made


# -- beside the plane ------------------------------------------------------------------------------


def cell_table(s: State) -> Table:
    """The file as a table: for each cell its bits, its number of examples, and its bounds as far as
    they are known.
    """
    begin = max(0, min(s.cell - _LISTED // 2, s.file.size - _LISTED))
    shown = np.arange(begin, min(begin + _LISTED, s.file.size))
    names = tuple(f"cell {c + 1}" for c in shown)
    return Table(
        cells_title(s),
        Lazy(lambda: cell_columns(s, shown)),
        names,
        active=(shown >= s.judged) | s.bounds.passed[shown] if s.judged else None,
        current=tuple(np.flatnonzero(shown == s.cell).tolist()),
        tag="cell",
        numbers=tuple((shown + 1).tolist()),
        tags=names,
    )


def cells_title(s: State) -> str:
    """How far the file has been read."""
    many = s.file.size
    if s.judged:
        held = int(s.bounds.passed[: s.judged].sum())
        return f"Cells: {s.judged} of {many} judged, {held} held"
    return (
        f"Cells: {s.bounded} of {many} have bounds" if s.bounded else f"Cells: {many} in the file"
    )


def cell_columns(s: State, shown: Int) -> list[TableColumn]:
    """The columns of the table of these cells."""
    read = shown < s.bounded
    low = np.where(read, s.bounds.low[shown], np.nan)
    high = np.where(read, s.bounds.high[shown], np.nan)
    return [
        text_column("bits", [cell_name(s, c) for c in shown.tolist()]),
        TableColumn(Feature("examples"), s.file.count[shown].astype(np.float64), digits=0),
        TableColumn(Feature("low"), low, digits=2, tag="low"),
        TableColumn(Feature("high"), high, digits=2, tag="high"),
    ]


def share_plot(given: Setting) -> Plot:
    """A plot of the share of examples that stage 2 has to look up for this query, over the bits of
    the file.
    """
    shares = 100 * given.shares
    bits = np.arange(1.0, len(given.shares) + 1)
    layers: list[Layer] = [Polyline(np.column_stack([bits, shares]), Role.BOUNDARY, tag="held")]
    if given.p.bits <= len(shares):
        here = np.array([[given.p.bits, shares[given.p.bits - 1]]], np.float64)
        label = (f"{number(float(here[0, 1]))} %",)
        layers.append(Points(here, np.array([-1]), Role.ACTIVE, label=label, tag="held"))
    return Plot(
        "Share: looked up by bounds",
        "bits of a number",
        "% of the examples",
        tuple(layers),
        x_range=(0.5, len(bits) + 0.5),
        y_range=(0.0, 100.0),
    )


def example_table(problem: Problem, s: State, line: str) -> Table:
    """The examples; those that are no candidates are pale."""
    if line not in MEASURING:
        here = tuple(np.flatnonzero(s.file.cell == s.cell).tolist()) if s.cell >= 0 else ()
        return data_table(problem, current=here[:_LISTED])
    active = np.zeros(problem.n, bool)
    active[s.candidates] = True
    current = (s.looked,) if s.looked >= 0 else ()
    return data_table(problem, active=active, current=current, tag="examined")
