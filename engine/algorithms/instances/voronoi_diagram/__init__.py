"""Voronoi diagram: each cell is the plane cut down by the bisectors to all other sites.

MMDS 12.4.2, Ex 12.11.
"""

from typing import Any

from engine.algorithms.instances.voronoi_diagram.cells import Cell, Diagram
from engine.algorithms.instances.voronoi_diagram.clear import clear_cells
from engine.authoring import (
    Algorithm,
    At,
    Curve,
    Dataset,
    EngineError,
    Mapping,
    Needs,
    Part,
    Problem,
    Record,
    Rng,
    Steps,
    Task,
    cached_property,
    np,
    prepare,
    replace,
)
from engine.authoring import (
    Setting as Given,
)
from engine.base.arrays import Prefix

PSEUDOCODE = """
start    round:  for each site p:
copy     round:    if p lies on an earlier one: skip
box:               cell ← the whole plane
bisector detail:   for each site q, nearest first:
stop     detail:     |p − q| > 2 · far corner: stop
cut:                 cut off what is nearer to q
cell     round:    the cell of p is done
done     round:  return the cells
"""
MOST_ROWS = 2000  # with more sites a cell is a few pixels, and a run of single bisectors has no end


class State(Record):
    """The model is `cells`; the fields after it are what this step shows.

    cells: those that are done
    cell: the one that is cut, None between two
    before: the same before this cut, else None
    other: the site q whose bisector is tried, or on which another site lies, −1 none
    edges: found so far
    """

    cells: Prefix[Cell]
    cell: Cell | None = None
    before: Cell | None = None
    other: int = -1
    edges: int = 0


class Setting(Given[Any]):
    """The sites on the plane and their bisectors."""

    @cached_property
    def diagram(self) -> Diagram:
        """Raises EngineError where points have no place on the plane."""
        if not self.problem.plane:
            raise EngineError(
                "A Voronoi diagram is drawn on the plane: choose a column of numbers for its axes."
            )
        if np.isnan(self.problem.xy).any():
            raise EngineError(
                "Some points have no place: fill or drop the missing values in the data panel."
            )
        return Diagram(self.problem.xy)

    @cached_property
    def bound(self) -> int:
        """The largest possible number of edges: 3 n − 6 for three sites or more."""
        sites = len(self.diagram.sites)
        return max(3 * sites - 6, sites - 1)


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    diagram = given.diagram
    clear: dict[int, Cell] = {}  # cells that are known at once where no cut is watched
    if not at.records("cut"):
        clear = yield from clear_cells(diagram)
    s = State(Prefix([], 0))
    yield from at("start", s)
    for p in range(given.problem.n):
        first = diagram.first_at(p)
        if first != p:
            yield from at("copy", replace(s, cell=None, other=first), "copy", row=p)
            continue
        if p in clear:
            cell = clear[p]
        else:
            cell = yield from carved(diagram, at, s, p)
        new = int(np.count_nonzero(cell.across > p))  # edges that no earlier cell has
        s = State(s.cells.plus(cell), cell, edges=s.edges + new)
        yield from at("cell", s)
    yield from at("done", replace(s, cell=None))


def carved(diagram: Diagram, at: At, s: State, p: int) -> Part[State, Cell]:
    """The cell of site p: the whole plane, cut by one bisector after another."""
    cell = diagram.box(p)
    reach = np.inf  # from p to the farthest corner
    yield from at("box", replace(s, cell=cell))
    others, distances = diagram.others(p)  # nearest first, with |p − q|
    for q, distance in zip(others.tolist(), distances.tolist(), strict=True):
        s = replace(s, cell=cell, before=None, other=q)
        if distance > 2 * reach:
            yield from at("stop", s, distance=distance, reach=reach)
            break
        after = diagram.cut(cell, q)  # what is not nearer to q: (x − middle) · (q − p) ≤ 0
        if after is cell:
            yield None
            yield from at("bisector", s)
        else:
            s = replace(s, cell=after, before=cell)
            cell = after
            reach = diagram.reach(cell)
            yield from at("cut", s, "cut")
    return cell


def metrics(given: Setting, s: State) -> Mapping[str, float]:
    return {"edges": s.edges, "bound": given.bound}


def example() -> Problem:
    """Ten different sites of two classes around one in the middle; the last example shares a place
    with the third.
    """
    x = [3.0, 1.0, 5.0, 2.0, 4.5, 6.5, 0.5, 3.2, 9.0, 9.5, 5.0]
    y = [3.0, 1.2, 1.0, 5.0, 4.6, 3.0, 3.4, 0.8, 6.0, 0.5, 1.0]
    kind = ["a", "a", "b", "a", "b", "b", "a", "b", "b", "b", "b"]
    return prepare(Dataset.from_columns({"x": x, "y": y, "kind": kind}, "kind"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Voronoi diagram",
    task=Task.STRUCTURE,
    source=("MMDS 12.4.2", "MMDS Ex 12.11", "ML Fig 8.1"),
    needs=Needs(labels=False, numeric=True, max_rows=MOST_ROWS),
    curves=(
        Curve("edges", "edges", digits=0, about=("cells", "boundary")),
        Curve("bound", "3 · sites − 6", bound=True, digits=0, about=("data",)),
    ),
    events=("cut", "copy"),
)
