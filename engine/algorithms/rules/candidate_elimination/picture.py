"""S and G on the plane, with the borders that moved in amber; below one another in a table; on the
map of the inputs.
"""

from engine.algorithms.rules.candidate_elimination import Setting, State, answer, predict
from engine.algorithms.rules.candidate_elimination.general import General
from engine.algorithms.rules.parts.boxes import Box
from engine.algorithms.rules.parts.boxfigures import (
    box_map,
    box_scene,
    conjunction,
    moved_borders,
    on_plane,
    outline,
    stream_table,
)
from engine.algorithms.rules.parts.boxwords import entries, example_row, moved, ternary_table
from engine.authoring import Bool, Grid, Int, Layer, Role, Scene, Segments, Step, Table, frozen, np
from engine.core.notation import subscript

SHOWN = 40  # hypotheses of G: more boxes or rows cannot be read
MAPPED = 4  # of them on the map


def class_surface(given: Setting, s: State, grid: Grid) -> Int:
    return answer(
        given,
        s,
        grid.shape,
        lambda box: given.shade(box.low, box.high, grid),
        lambda G: wide(given, G, grid),
    )


def wide(given: Setting, G: General, grid: Grid) -> Bool:
    """(ny, nx) where any of them holds: what each says along x times what it says along y, and of
    the hidden columns.
    """
    at = given.problem.anchor
    held = {0: np.ones((len(G), len(grid.y)), bool), 1: np.ones((len(G), len(grid.x)), bool)}
    for j in range(given.problem.d):
        along, v = (
            (1, grid.x)
            if j in given.problem.plane[:1]
            else (0, grid.y if j in given.problem.plane else at[[j]])
        )
        held[along] &= (G.low[:, j, None] < v) & (v < G.high[:, j, None])
    return held[0].astype(np.float32).T @ held[1].astype(np.float32) > 0


FIELDS = {"class": class_surface}


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    problem = given.problem
    boxes = [
        outline(
            on_plane(problem, list(zip(G.low[:SHOWN], G.high[:SHOWN], strict=True)), False),
            role,
            "G",
        )
        for G, role in ((s.gone, Role.GHOST), (s.G, Role.CANDIDATE))
    ]
    layers: list[Layer] = [*boxes, *cuts(given, s)]
    if s.S is not None:
        layers.append(outline(on_plane(problem, [(s.S.low, s.S.high)]), Role.ACCEPTED, "S"))
        layers += (
            moved_borders(problem, s.before, s.S, "S") if step.line == "grow" and s.before else ()
        )
    rules = [
        conjunction(problem, box)
        for box in (s.S, *(closed(s.G, k) for k in range(min(MAPPED, len(s.G)))))
        if box and not box.empty
    ]
    now = len(rules) - 1 if step.line == "cut" else 0 if step.line == "grow" else -1
    inputs = box_map(problem, rules, lambda X: predict(given, s, X), now)
    unseen = given.stream[s.seen + (step.line == "take") :]
    figures = (*inputs, hypotheses(given, s), stream_table(problem, unseen, s.current))
    return box_scene(problem, predict(given, s, problem.X), s.current, layers, figures)


def closed(G: General, k: int) -> Box:
    """A hypothesis over words with its values as borders, as S has them."""
    asked = np.isfinite(G.low[k])
    return Box(
        np.where(asked, np.ceil(G.low[k]), -np.inf), np.where(asked, np.floor(G.high[k]), np.inf)
    )


def cuts(given: Setting, s: State) -> tuple[Layer, ...]:
    """The sides at which the new hypotheses of G were cut, all of them through the example."""
    problem = given.problem
    new = s.G[len(s.G) - s.fresh :][:SHOWN]
    ends: list[list[list[float]]] = []
    for low, high in zip(new.low, new.high, strict=True):
        for x0, y0, x1, y1 in on_plane(problem, [(low, high)], False).tolist():
            for axis, j in enumerate(problem.plane):
                at = float(given.X[s.current, j])
                if at in (low[j], high[j]):
                    ends.append([[at, y0], [at, y1]] if axis == 0 else [[x0, at], [x1, at]])
    return (
        (Segments(frozen(np.asarray(ends, np.float64).reshape(-1, 2, 2)), Role.ACTIVE, tag="G"),)
        if ends
        else ()
    )


def hypotheses(given: Setting, s: State) -> Table:
    """The example, S and the hypotheses of G, a value, an interval or “?” in every column; those
    that went are pale.
    """
    problem = given.problem
    names, rows, tags = example_row(problem, s.current)
    amber = moved(s.before, s.S) if s.before is not None and s.S is not None else []
    for name, box in (("S before", s.before if amber else None), ("S", s.S)):
        if box is not None:
            names, rows, tags = [*names, name], [*rows, entries(problem, box)], [*tags, "S"]
    lit = [len(rows) - 1] if amber else []
    pale = range(len(rows), len(rows) + min(len(s.gone), SHOWN))
    for k in range(min(len(s.gone), SHOWN)):
        names, rows, tags = (
            [*names, "gone"],
            [*rows, entries(problem, s.gone.box(k), False)],
            [*tags, "G"],
        )
    for k in range(min(len(s.G), SHOWN)):
        lit += [len(rows)] if k >= len(s.G) - s.fresh else []
        names, rows, tags = (
            [*names, f"G{subscript(k + 1)}"],
            [*rows, entries(problem, s.G.box(k), False)],
            [*tags, "G"],
        )
    active = np.isin(np.arange(len(rows)), pale, invert=True) if len(pale) else None
    return ternary_table(problem, "Borders S and G", names, rows, tags, lit, amber, active)
