"""Pictures of a Voronoi diagram that grows cell by cell. MMDS 12.4.2, Exercise 12.11."""

from collections.abc import Iterable

import numpy as np

from engine.core.arrays import Float
from engine.core.problem import Problem
from engine.core.scene import Layer, Polygons, Role, Segments, active_point, data_points
from engine.numerics.voronoi_cells import Cell, Diagram


def finished_layers(problem: Problem, cells: Iterable[Cell]) -> list[Layer]:
    """The finished cells: dashed edges between sites of one class, solid ones between classes."""
    done = tuple(cells)
    if not done:
        return []
    codes = problem.codes[[cell.site for cell in done]]
    tints = Polygons(tuple(cell.ring for cell in done), codes, Role.REGION, tag="cells")
    if not problem.classes:
        return [Segments(edges(done)[0], Role.PLAIN, tag="cells")]
    ends, sides = edges(done)
    same = problem.codes[sides[:, 0]] == problem.codes[sides[:, 1]]
    return [
        tints,
        Segments(ends[same], Role.SAME, tag="cells"),
        Segments(ends[~same], Role.DIFFERENT, tag="boundary"),
    ]


def edges(cells: tuple[Cell, ...]) -> tuple[Float, Float]:
    """(ends (m, 2, 2), sites (m, 2) on both sides) of all edges, each once, without those of the box."""
    ends, sides = [np.zeros((0, 2, 2))], [np.zeros((0, 2), np.intp)]
    done = np.array(sorted(cell.site for cell in cells))
    drawn = np.zeros(max((int(cell.across.max()) for cell in cells), default=0) + int(done.max()) + 2, dtype=bool)
    drawn[done] = True
    for cell in cells:
        other = cell.across
        new = (other >= 0) & ((other > cell.site) | ~drawn[other])
        ends.append(np.stack([cell.ring, np.roll(cell.ring, -1, axis=0)], axis=1)[new])
        sides.append(np.column_stack([np.full(int(new.sum()), cell.site), other[new]]))
    return np.concatenate(ends), np.concatenate(sides)


def cut_layers(problem: Problem, diagram: Diagram, cell: Cell, before: Cell | None, other: int) -> list[Layer]:
    """The cell that is cut: as it was, as it is, and the bisector between its site and the other one."""
    layers: list[Layer] = []
    if before is not None:
        layers.append(Polygons((before.ring,), np.array([-1]), Role.GHOST, "before"))
    if other >= 0:
        role = Role.CANDIDATE if before is None else Role.BOUNDARY
        layers.append(Segments(diagram.bisector(cell.site, other), role, tag="cut"))
    layers.append(Polygons((cell.ring,), problem.codes[[cell.site]], Role.ACTIVE, "current"))
    if other >= 0:
        layers.append(Segments(problem.xy[[cell.site, other]][None], Role.PLAIN, tag="pair"))
    return layers


def diagram_layers(
    problem: Problem, cells: Iterable[Cell], cell: Cell | None, before: Cell | None, other: int
) -> tuple[Layer, ...]:
    done = finished_layers(problem, cells)
    if cell is None:
        return (*done, data_points(problem))
    marks = [active_point(problem, other, tag="other")] if other >= 0 else []
    now = cut_layers(problem, Diagram(problem.xy), cell, before, other)
    return (*done, *now, data_points(problem), *marks, active_point(problem, cell.site, tag="site"))
