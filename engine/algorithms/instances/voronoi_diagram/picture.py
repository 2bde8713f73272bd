"""Pictures of a Voronoi diagram that grows cell by cell. MMDS 12.4.2, Ex 12.11."""

from collections.abc import Iterable

from engine.algorithms.instances.parts import comparable
from engine.algorithms.instances.voronoi_diagram import Setting, State
from engine.algorithms.instances.voronoi_diagram.cells import Cell
from engine.authoring import Float, Int, Problem, Step, np
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
    """The cell being cut, before and after, and the bisector that cuts it."""
    problem = given.problem
    diagram = given.diagram
    layers: list[Layer] = []
    if s.before is not None:
        ring = diagram.shown(s.before).ring
        layers.append(Polygons((ring,), np.array([-1]), Role.GHOST, "before"))
    if s.other >= 0:
        role = Role.CANDIDATE if s.before is None else Role.BOUNDARY
        layers.append(Segments(diagram.bisector(cell.site, s.other), role, tag="cut"))
    ring = diagram.shown(cell).ring
    layers.append(Polygons((ring,), problem.codes[[cell.site]], Role.ACTIVE, "current"))
    if s.other >= 0:
        layers.append(Segments(problem.xy[[cell.site, s.other]][None], Role.PLAIN, tag="pair"))
    return layers


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    current = [] if s.cell is None else [s.cell.site]
    if s.cell is not None and s.other >= 0:
        current.append(s.other)
    table = data_table(problem, current=tuple(current))
    return Scene(tuple(diagram_layers(given, s)), (table,), comparable(problem))


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
    if s.other >= 0:
        layers.append(active_point(problem, s.other, tag="other"))
    layers.append(active_point(problem, s.cell.site, tag="site"))
    return layers
