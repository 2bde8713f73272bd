"""Pictures of a Voronoi diagram that grows cell by cell. MMDS 12.4.2, Ex 12.11."""

from collections.abc import Iterable

from engine.algorithms.instances.parts import comparable
from engine.algorithms.instances.voronoi_diagram import Setting, State
from engine.algorithms.instances.voronoi_diagram.cells import Cell
from engine.authoring import Float, Problem, Step, np
from engine.core.scene import (
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
    """The finished cells: dashed edges between sites of one class, solid ones between classes.
    here: the site whose cell has a tag of its own.
    """
    problem = given.problem
    done = tuple(map(given.diagram.shown, cells))
    if not done:
        return []
    ends, sides = edges(done)
    if not problem.classes:
        own = (sides == here).any(axis=1)
        apart = [Segments(ends[own], Role.PLAIN, tag=HERE)] if own.any() else []
        return [Segments(ends[~own], Role.PLAIN, tag="cells"), *apart]
    same = problem.codes[sides[:, 0]] == problem.codes[sides[:, 1]]
    return [
        *tints(problem, done, here),
        Segments(ends[same], Role.SAME, tag="cells"),
        Segments(ends[~same], Role.DIFFERENT, tag="boundary"),
    ]


def tints(problem: Problem, cells: tuple[Cell, ...], here: int) -> list[Layer]:
    """The cells in the colours of their classes, that of `here` by itself."""
    parts = [
        ([cell for cell in cells if cell.site != here], "cells"),
        ([c for c in cells if c.site == here], HERE),
    ]
    return [
        Polygons(
            tuple(cell.ring for cell in part),
            problem.codes[sites],
            Role.REGION,
            tag,
            problem.tags_of(sites),
        )
        for part, tag in parts
        if (sites := [cell.site for cell in part])
    ]


def edges(cells: tuple[Cell, ...]) -> tuple[Float, Float]:
    """(ends (m, 2, 2), sites (m, 2) on both sides) of all edges, each once, without those of the
    square.
    """
    own = np.repeat([cell.site for cell in cells], [len(cell.across) for cell in cells])
    sides = np.column_stack([own, np.concatenate([cell.across for cell in cells])])
    turned = (
        [part for cell in cells for part in (cell.ring[turn:], cell.ring[:turn])] for turn in (0, 1)
    )
    new = (sides[:, 1] >= 0) & ((sides[:, 1] > own) | ~np.isin(sides[:, 1], own))
    return np.stack([*map(np.concatenate, turned)], axis=1)[new], sides[new]


def cut_layers(given: Setting, s: State, cell: Cell) -> list[Layer]:
    """The cell that is cut: as it was, as it is, and the bisector between its site and the other
    one.
    """
    problem, diagram = given.problem, given.diagram
    layers: list[Layer] = []
    if s.before is not None:
        layers.append(
            Polygons((diagram.shown(s.before).ring,), np.array([-1]), Role.GHOST, "before")
        )
    if s.other >= 0:
        role = Role.CANDIDATE if s.before is None else Role.BOUNDARY
        layers.append(Segments(diagram.bisector(cell.site, s.other), role, tag="cut"))
    layers.append(
        Polygons((diagram.shown(cell).ring,), problem.codes[[cell.site]], Role.ACTIVE, "current")
    )
    if s.other >= 0:
        layers.append(Segments(problem.xy[[cell.site, s.other]][None], Role.PLAIN, tag="pair"))
    return layers


def scene(given: Setting, step: Step[State]) -> Scene:
    problem = given.problem
    s = step.state
    table = data_table(
        problem, current=() if s.cell is None else (s.cell.site, *([s.other] * (s.other >= 0)))
    )
    return Scene(tuple(diagram_layers(given, s)), (table,), comparable(problem))


def diagram_layers(given: Setting, s: State) -> list[Layer]:
    problem = given.problem
    if s.cell is None:
        return [*finished_layers(given, s.cells, s.other), data_points(problem)]
    marks = [active_point(problem, s.other, tag="other")] if s.other >= 0 else []
    layers = [
        *finished_layers(given, s.cells),
        *cut_layers(given, s, s.cell),
        data_points(problem),
        *marks,
    ]
    return [*layers, active_point(problem, s.cell.site, tag="site")]
