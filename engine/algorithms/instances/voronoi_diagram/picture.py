"""Pictures of a Voronoi diagram that grows cell by cell. MMDS 12.4.2, Ex 12.11."""

from collections.abc import Iterable

from engine.algorithms.instances.parts import comparable
from engine.algorithms.instances.parts.rings import kept_side
from engine.algorithms.instances.voronoi_diagram import Setting, State
from engine.algorithms.instances.voronoi_diagram.cells import Cell
from engine.authoring import Float, Int, Problem, Step, np, replace
from engine.base.notation import counted
from engine.scene.scene import (
    Layer,
    Polygons,
    Role,
    Scene,
    Segments,
    active_point,
    data_points,
    data_table,
)

HERE = "cells here"  # the tag of one finished cell that a step speaks of


def finished_layers(given: Setting, cells: Iterable[Cell], here: int = -1) -> list[Layer]:
    """The finished cells: dashed edges between sites of one class, solid between classes. here: the
    site whose cell has its own tag
    """
    problem = given.problem
    done = tuple(map(given.diagram.shown, cells))
    if not done:
        return []
    ends, sides = edges(done)
    if not problem.classes:
        own = (sides == here).any(axis=1)
        layers: list[Layer] = [Segments(ends[~own], Role.PLAIN, tag="cells")]
        if own.any():
            layers.append(Segments(ends[own], Role.PLAIN, tag=HERE))
        return layers
    same = problem.codes[sides[:, 0]] == problem.codes[sides[:, 1]]
    return [
        *tints(problem, done, here),
        Segments(ends[same], Role.SAME, tag="cells"),
        Segments(ends[~same], Role.DIFFERENT, tag="boundary"),
    ]


def tints(problem: Problem, cells: tuple[Cell, ...], here: int) -> list[Layer]:
    """The cells in the colours of their classes, that of site `here` as a layer of its own."""
    others = [cell for cell in cells if cell.site != here]
    own = [cell for cell in cells if cell.site == here]
    return [tint(problem, part, tag) for part, tag in ((others, "cells"), (own, HERE)) if part]


def tint(problem: Problem, cells: list[Cell], tag: str) -> Polygons:
    """These cells in the colours of their classes, as one layer."""
    sites = [cell.site for cell in cells]
    rings = tuple(cell.ring for cell in cells)
    return Polygons(rings, problem.codes[sites], Role.REGION, tag, problem.tags_of(sites))


def edges(cells: tuple[Cell, ...]) -> tuple[Float, Int]:
    """(ends (m, 2, 2), sites on both sides (m, 2)) of all edges, each once, without those of the
    bounding square.
    """
    own = np.concatenate([np.full(len(cell.across), cell.site) for cell in cells])
    across = np.concatenate([cell.across for cell in cells])
    begin = np.concatenate([cell.ring for cell in cells])
    end = np.concatenate([np.roll(cell.ring, -1, axis=0) for cell in cells])
    once = (across > own) | ~np.isin(across, own)  # the other cell may not be finished
    new = (across >= 0) & once
    return np.stack([begin, end], axis=1)[new], np.column_stack([own, across])[new]


def cut_layers(given: Setting, s: State, cell: Cell) -> list[Layer]:
    """The cell being cut, what is cut off it, and the bisector between its site and the other."""
    problem = given.problem
    diagram = given.diagram
    layers: list[Layer] = []
    ring = diagram.shown(cell).ring
    role = Role.ACTIVE if s.other < 0 else Role.ACCEPTED
    layers.append(Polygons((ring,), problem.codes[[cell.site]], role, "current"))
    if s.other < 0:
        return layers
    if s.before is not None:
        lost = beyond(given, s)
        rings = (lost,) if len(lost) > 2 else ()
        layers.append(Polygons(rings, np.full(len(rings), -1), Role.DIFFERENCE, "lost"))
    role = Role.CANDIDATE if s.before is None else Role.ACTIVE
    layers.append(Segments(diagram.bisector(cell.site, s.other), role, tag="cut"))
    layers.append(Segments(problem.xy[[cell.site, s.other]][None], Role.PLAIN, tag="pair"))
    return layers


def beyond(given: Setting, s: State) -> Float:
    """(m, 2) corners of what the bisector cuts off: where the cell before is nearer to the other
    site.
    """
    assert s.before is not None
    xy = given.problem.xy
    p, q = xy[s.before.site], xy[s.other]
    ring = given.diagram.shown(s.before).ring
    return kept_side(ring, (p / 2 + q / 2 - ring) @ (q - p))


def plane_title(given: Setting, step: Step[State]) -> str:
    """Whose cell it is, what cuts it, and what comes of it."""
    s, names = step.state, given.problem.names
    if s.cell is None:
        sites, cells = len(given.diagram.sites), len(s.cells)
        if step.line == "done":
            return f"{counted(cells, 'cell')}, {counted(s.edges, 'edge')}"
        return "The sites" if not cells and s.other < 0 else f"Cells: {cells} of {sites}"
    of = f"Cell of {names[s.cell.site]}"
    if step.line == "cell":
        return f"{of}: done, {counted(len(s.cell.walls), 'neighbour')}"
    if step.line == "box":
        return f"{of}: the whole plane"
    other = names[s.other]
    if step.line == "cut":
        return f"{of}: what is nearer to {other} is cut off"
    return f"{of}: {other} cuts nothing off" if step.line == "bisector" else f"{of}: no cut is left"


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    current = [] if s.cell is None else [s.cell.site]
    if s.cell is not None and s.other >= 0:
        current.append(s.other)
    table = data_table(problem, current=tuple(current))
    layers = tuple(diagram_layers(given, s))
    return Scene(layers, (table,), comparable(problem), plane=plane_title(given, step))


def diagram_layers(given: Setting, s: State) -> list[Layer]:
    """The finished cells, the cell being cut, and the sites of the step."""
    problem = given.problem
    if s.cell is None:
        return [*finished_layers(given, s.cells, s.other), data_points(problem)]
    layers = [
        *finished_layers(given, s.cells),
        *cut_layers(given, s, s.cell),
        data_points(problem),
    ]
    if s.other < 0:
        return [*layers, active_point(problem, s.cell.site, tag="site")]
    pair = ((s.cell.site, "site"), (s.other, "other"))  # the line between them is what acts
    return [
        *layers,
        *(replace(active_point(problem, i, tag=tag), role=Role.NEIGHBOUR) for i, tag in pair),
    ]
