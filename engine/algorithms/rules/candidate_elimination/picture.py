"""S and G on the plane, with the borders that moved in amber; below one another in a table; on the
map of the inputs.
"""

from functools import partial

from engine.algorithms.rules.candidate_elimination import Setting, State, answer, predict
from engine.algorithms.rules.candidate_elimination.general import General
from engine.algorithms.rules.candidate_elimination.words import side
from engine.algorithms.rules.parts.boxes import Box
from engine.algorithms.rules.parts.boxfigures import (
    ALOFT,
    box_map,
    box_names,
    box_scene,
    conjunction,
    moved_borders,
    on_plane,
    outline,
    stream_table,
)
from engine.algorithms.rules.parts.boxwords import entries, example_row, moved, ternary_table
from engine.authoring import (
    Bool,
    Figure,
    Float,
    Grid,
    Int,
    Labels,
    Layer,
    Role,
    Scene,
    Segments,
    Step,
    Table,
    frozen,
    np,
    replace,
)
from engine.base.notation import subscript
from engine.scene.axes import extent
from engine.scene.scene import looked_at

SHOWN = 40  # hypotheses of G: more boxes or rows cannot be read
NAMED = 9  # of them with their names on the plane
MAPPED = 4  # of them on the map


def class_surface(given: Setting, s: State, grid: Grid) -> Int:
    """(ny, nx) the class by the hypotheses left, −1 where they disagree."""

    def holds(box: Box) -> Bool:
        return given.shade(box.low, box.high, grid)

    def any_holds(G: General) -> Bool:
        return wide(given, G, grid)

    return answer(given, s, grid.shape, holds, any_holds)


def wide(given: Setting, G: General, grid: Grid) -> Bool:
    """(ny, nx) where any of these hypotheses holds on the grid."""
    along_x = np.ones((len(G), len(grid.x)), bool)
    along_y = np.ones((len(G), len(grid.y)), bool)
    for j, values, shape in given.sides(grid):
        inside = (G.low[:, j, None] < values) & (values < G.high[:, j, None])
        if shape == (1, -1):
            along_x &= inside
        else:
            along_y &= inside
    return along_y.astype(np.float32).T @ along_x.astype(np.float32) > 0


FIELDS = {"class": class_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    dropped = Role.ACTIVE if step.line == "drop" else Role.GHOST
    layers: list[Layer] = [
        outline(sides_on_plane(given, s.G), Role.CANDIDATE, "G"),
        outline(sides_on_plane(given, s.gone), dropped, "G"),
        *cuts(given, s),
    ]
    if s.S is not None:
        layers.append(outline(on_plane(problem, [(s.S.low, s.S.high)]), Role.ACCEPTED, "S"))
    if step.line == "grow" and s.S is not None and s.before is not None:
        layers += moved_borders(problem, s.before, s.S, "S")
    layers.append(names_of(given, s))
    if step.line == "drop":
        layers.append(dropped_names(given, s))
    taken = s.seen + (step.line == "take")
    figures = (
        *on_map(given, step),
        hypotheses(given, s),
        stream_table(problem, given.stream[taken:], s.current),
    )
    found = box_scene(problem, predict(given, s, problem.X), s.current, layers, figures)
    return replace(found, plane=plane_title(given, step))


def plane_title(given: Setting, step: Step[State]) -> str:
    """What a step does with S and G."""
    s = step.state
    point, label = "", ""
    if s.current >= 0:
        point = given.problem.names[s.current]
        label = given.problem.class_text(int(given.problem.codes[s.current]))
    by_line = {
        "start": "Every hypothesis is possible",
        "take": f"Look at {point}",
        "agree": f"{point} is {label}: all left say so",
        "drop": f"{point} is {label}: {len(s.gone)} of {len(s.G) + len(s.gone)} in G dropped",
        "grow": f"{point} is {label}: S grows",
        "strike": f"{point} is {label}: S is struck out",
        "cut": f"{point} is {label}: {len(s.gone)} of G cut{ways(given, s)}",
        "empty": "S and G: the search stops",
        "done": "S and G border all that fit",
    }
    if step.line == "done" and not s.left:
        return "No hypothesis fits"
    return by_line[step.line]


def ways(given: Setting, s: State) -> str:
    """How new hypotheses of G leave the example out, " to x < 3, y > 2", while these are few."""
    x = given.X[s.current]
    new = s.G[len(s.G) - s.fresh :]
    columns = (~((new.low < x) & (x < new.high))).argmax(axis=1).tolist()
    said = dict.fromkeys(
        side(given, x, j, float(new.low[k, j]), float(new.high[k, j]))
        for k, j in enumerate(columns)
    )
    return f" to {', '.join(said)}" if 0 < len(said) <= NAMED // 2 else ""


def names_of(given: Setting, s: State) -> Labels:
    """S and the first hypotheses of G by name, each at a side of its box."""
    problem = given.problem
    S = [] if s.S is None else [(s.S.low, s.S.high)]
    named = [*zip(on_plane(problem, S), ("S",), strict=False)]
    boxes = sides_on_plane(given, s.G)
    if len(boxes) == min(len(s.G), SHOWN) and len(boxes) <= NAMED:
        names = [f"G{subscript(k + 1)}" if len(boxes) > 1 else "G" for k in range(len(boxes))]
        named += zip(boxes, names, strict=True)
    return box_names(problem, named)


def dropped_names(given: Setting, s: State) -> Labels:
    """The word “dropped” in the middle of the hypothesis that leaves G, where it is only one."""
    boxes = sides_on_plane(given, s.gone)
    boxes = boxes if len(boxes) == 1 else boxes[:0]
    low, high, _ = given.problem.bounds
    middles = np.clip(boxes.reshape(-1, 2, 2), low, high).mean(axis=1)
    if len(given.problem.plane) == 1:
        middles[:, 1] = ALOFT * extent(given.problem)[1][1]  # the examples lie on one line
    return Labels(frozen(middles), ("✗ dropped",) * len(middles), Role.MARGIN, tag="G")


def sides_on_plane(given: Setting, G: General) -> Float:
    """(k, 4) the sides of the first hypotheses on the plane, without those that do not reach it."""
    first = G[:SHOWN]
    return on_plane(given.problem, list(zip(first.low, first.high, strict=True)), False)


def on_map(given: Setting, step: Step[State]) -> tuple[Figure, ...]:
    """S and the first hypotheses of G on the map of all inputs; () where there is none."""
    s = step.state
    boxes = [closed(s.G, k) for k in range(min(MAPPED, len(s.G)))]
    if s.S is not None:
        boxes.insert(0, s.S)
    rules = [conjunction(given.problem, box) for box in boxes if not box.empty]
    changed = {"cut": len(rules) - 1, "grow": 0}
    now = changed.get(step.line, -1)
    said = plane_title(given, step)
    return box_map(
        given.problem, rules, partial(predict, given, s), now, leaving=looked_at(s), said=said
    )


def closed(G: General, k: int) -> Box:
    """Hypothesis k of G over words, with values as included borders, as S has them."""
    bounded = np.isfinite(G.low[k])
    low = np.where(bounded, np.ceil(G.low[k]), -np.inf)
    high = np.where(bounded, np.floor(G.high[k]), np.inf)
    return Box(low, high)


def cuts(given: Setting, s: State) -> tuple[Layer, ...]:
    """The sides at which the new hypotheses of G were cut, all through the example."""
    problem = given.problem
    new = s.G[len(s.G) - s.fresh :][:SHOWN]
    ends: list[list[list[float]]] = []
    for low, high in zip(new.low, new.high, strict=True):
        for x0, y0, x1, y1 in on_plane(problem, [(low, high)], False).tolist():
            for axis, j in enumerate(problem.plane):
                at = float(given.X[s.current, j])
                if at in (low[j], high[j]):
                    ends.append([[at, y0], [at, y1]] if axis == 0 else [[x0, at], [x1, at]])
    if not ends:
        return ()
    return (Segments(frozen(np.asarray(ends, np.float64)), Role.ACTIVE, tag="G"),)


def hypotheses(given: Setting, s: State) -> Table:
    """A table of the example, S and G: a value, an interval or “?” for each column; removed ones
    pale.
    """
    problem = given.problem
    names, rows, tags = example_row(problem, s.current)

    def add(name: str, box: Box, tag: str, closed: bool = True) -> None:
        names.append(name)
        rows.append(entries(problem, box, closed))
        tags.append(tag)

    amber = moved(s.before, s.S) if s.before is not None and s.S is not None else []
    if amber and s.before is not None:
        add("S before", s.before, "S")
    if s.S is not None:
        add("S", s.S, "S")
    lit = [len(rows) - 1] if amber else []
    pale = range(len(rows), len(rows) + min(len(s.gone), SHOWN))
    if len(pale) and not s.fresh and not amber:  # the step drops them
        lit += pale
    for k in range(len(pale)):
        add("gone", s.gone.box(k), "G", closed=False)
    for k in range(min(len(s.G), SHOWN)):
        if k >= len(s.G) - s.fresh:
            lit.append(len(rows))
        add(f"G{subscript(k + 1)}", s.G.box(k), "G", closed=False)
    active = np.isin(np.arange(len(rows)), pale, invert=True) if pale else None
    return ternary_table(problem, "Borders S and G", names, rows, tags, lit, amber, active)
