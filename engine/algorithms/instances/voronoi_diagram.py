"""Voronoi diagram: each cell is the plane cut down by the bisectors to all other sites. MMDS 12.4.2, Exercise 12.11."""

from collections.abc import Generator as Generator_
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from engine.core.former import former
from engine.core.algorithm import Curve, Needs
from engine.core.arrays import Prefix
from engine.core.dataset import Dataset
from engine.core.errors import EngineError
from engine.core.problem import Problem, Task
from engine.core.records import replace
from engine.core.scene import Scene, data_table
from engine.core.step import Fact, Formula, Level, Note, Operand, Pace, Step, note
from engine.data.prepare import prepare
from engine.numerics.voronoi_cells import Cell, Diagram
from engine.pictures.scales import comparable
from engine.pictures.voronoi import HERE, diagram_layers

PSEUDOCODE = """
start: for each site p:
copy:   if p lies on an earlier one: skip
box:   cell ← the whole plane
bisector:   for each site q, nearest first:
stop:     |p − q| > 2 · far corner: stop
cut:     cut off what is nearer to q
cell:   the cell of p is done
done: return the cells
"""
KEEP = Formula("keep x with", "(x − {m}) · {w} ≤ 0")
MIDDLE = Fact("middle", "{m}")
HALF_WAY = Formula("bisector at", "|p − q| / 2", "{half}")
AHEAD = 64  # bisectors are tried so many at a time
MOST_ROWS = 2000  # with more sites a cell is a few pixels, and a run of single bisectors has no end


@dataclass(frozen=True)
class Params:
    """A diagram has nothing to choose."""


@dataclass(frozen=True, slots=True)
class State:
    """cells: finished ones; cell: the one that is cut, None between two; before: as it was before this cut;
    other: the site whose bisector is tried, or that another one lies on, −1 none; edges: found so far."""

    cells: Prefix[Cell]
    cell: Cell | None = None
    before: Cell | None = None
    other: int = -1
    edges: int = 0


def steps(problem: Problem, p: Params, rng: Generator, pace: Pace) -> Iterator[Step[State]]:
    if not problem.plane:
        raise EngineError("A Voronoi diagram is drawn on the plane: choose a column of numbers for its axes.")
    if np.isnan(problem.xy).any():
        raise EngineError("Some points have no place: fill or drop the missing values in the data panel.")
    diagram = Diagram(problem.xy)
    tell = Teller(problem, diagram)
    s = State(Prefix([], 0))
    yield tell.start(s)
    sites = set(diagram.sites.tolist())
    for site in range(problem.n):
        if site not in sites:
            yield tell.copy(s, site)
            continue
        s = yield from carve(diagram, tell, s, site, pace)
        yield tell.cell(s)
    yield tell.done(replace(s, cell=None))


def carve(diagram: Diagram, tell: "Teller", s: State, site: int, pace: Pace) -> Generator_[Step[State], None, State]:
    """The plane of one site, cut by one bisector after the other."""
    cell = diagram.box(site)
    s = replace(s, cell=cell, before=None, other=-1)
    if pace.step:
        yield tell.box(s)
    reach, at = np.inf, 0
    others, distances = diagram.others(site)
    while at < len(others) and distances[at] <= 2 * reach:
        near = others[at : min(at + AHEAD, int(np.searchsorted(distances, 2 * reach, side="right")))]
        cuts = np.flatnonzero(diagram.cuts(cell, near))
        past = int(cuts[0]) if len(cuts) else len(near)
        for other in near[:past].tolist() if pace.detail else ():
            yield tell.bisector(replace(s, other=other, before=None))
        at += past
        if len(cuts):
            before, cell, at = cell, diagram.cut(cell, int(others[at])), at + 1
            reach = diagram.reach(cell)
            s = replace(s, cell=cell, before=before, other=int(others[at - 1]))
            if pace.step:
                yield tell.cut(s)
    if at < len(others) and pace.detail:
        yield tell.stop(replace(s, other=int(others[at]), before=None), float(distances[at]), reach)
    found = s.edges + int((cell.walls > site).sum())
    return replace(s, cells=s.cells.plus(cell), before=None, other=-1, edges=found)


class Teller:
    """The steps of one diagram with their words."""

    def __init__(self, problem: Problem, diagram: Diagram) -> None:
        self.problem, self.diagram = problem, diagram
        sites = len(diagram.sites)
        self.bound = float(max(3 * sites - 6, sites - 1))

    def step(self, line: str, s: State, told: Note, level: Level, event: str = "") -> Step[State]:
        metrics = {"edges": float(s.edges), "bound": self.bound}
        return Step(line, s, told, level, metrics, (event,) if event else ())

    def site(self, row: int, tag: str) -> Operand:
        return Operand(self.problem.names[row], about=tag)

    def pair(self, s: State) -> dict[str, Operand]:
        """The two sites, the middle between them, and the way from one to the other."""
        assert s.cell is not None
        a, b = self.problem.xy[s.cell.site], self.problem.xy[s.other]
        return {
            "p": self.site(s.cell.site, "site"),
            "q": self.site(s.other, "other"),
            "m": Operand(tuple((a / 2 + b / 2).tolist()), "m", "cut"),
            "w": Operand(tuple((b - a).tolist()), "(q − p)", "pair"),
        }

    def start(self, s: State) -> Step[State]:
        count = len(self.diagram.sites)
        lead = (
            "{n} site"
            + ("" if count == 1 else "s")
            + ". The cell of each is every place that is nearer to it than to all others."
        )
        return self.step("start", s, note(lead, n=count), Level.ROUND)

    def copy(self, s: State, row: int) -> Step[State]:
        lead = "{p} lies on {first}: no place is nearer to it. The cell belongs to the lower row number."
        first = self.diagram.first_at(row)
        told = note(lead, p=self.site(row, HERE), first=self.site(first, HERE))
        return self.step("copy", replace(s, cell=None, other=first), told, Level.ROUND, "copy")

    def box(self, s: State) -> Step[State]:
        assert s.cell is not None
        lead = "The cell of {p} begins as the whole plane."
        return self.step("box", s, note(lead, p=self.site(s.cell.site, "site")), Level.STEP)

    def bisector(self, s: State) -> Step[State]:
        lead = "The bisector of {p} and {q} passes by: nothing of the cell is nearer to {q}."
        return self.step("bisector", s, note(lead, KEEP, **self.pair(s)), Level.DETAIL)

    def cut(self, s: State) -> Step[State]:
        assert s.cell is not None
        corners = s.cell.corners
        lead = "The bisector of {p} and {q} cuts: what is nearer to {q} goes. {corners} {corners:corner is|corners are} left."
        told = note(lead, KEEP, MIDDLE, corners=Operand(corners, about="current"), **self.pair(s))
        return self.step("cut", s, told, Level.STEP, "cut")

    def stop(self, s: State, distance: float, reach: float) -> Step[State]:
        lead = "{q} is {d} away, more than twice as far as the farthest corner, {reach}. No site from here on can cut."
        half = self.diagram.half
        told = note(lead, HALF_WAY, half=Operand(distance / 2 * half, about="cut"), d=Operand(distance * half, "|p − q|", "pair"),
                    reach=Operand(reach * half, about="current"), **self.pair(s))  # fmt: skip
        return self.step("stop", s, told, Level.DETAIL)

    def cell(self, s: State) -> Step[State]:
        assert s.cell is not None
        walls = len(s.cell.walls)
        lead = "The cell of {p} is done: {walls} {walls:neighbour|neighbours}" + (
            ", and it has no end outwards." if s.cell.endless else "."
        )
        told = note(lead, p=self.site(s.cell.site, "site"), walls=Operand(walls, about="current"))
        return self.step("cell", s, told, Level.ROUND)

    def done(self, s: State) -> Step[State]:
        cells, edges = len(s.cells), s.edges
        lead = "{cells} {cells:cell|cells}, {edges} {edges:edge|edges}."
        if self.problem.classes:
            lead += " Dashed edges part sites of one class, solid ones are the boundary of nearest neighbour."
        return self.step("done", s, note(lead, cells=cells, edges=Operand(edges, about="cells")), Level.ROUND)


def scene(problem: Problem, p: Params, step: Step[State]) -> Scene:
    s = step.state
    cell = None if step.line == "done" else s.cell
    layers = diagram_layers(problem, s.cells, cell, s.before, s.other)
    current = () if cell is None else ((cell.site,) if s.other < 0 else (cell.site, s.other))
    return Scene(layers, (data_table(problem, current=current),), comparable(problem))


def chips(p: Params) -> tuple[str, ...]:
    return ("Euclidean", "shown columns only")


def example() -> Problem:
    """Ten sites of two kinds round one in the middle; the last lies on the third."""
    x = [3.0, 1.0, 5.0, 2.0, 4.5, 6.5, 0.5, 3.2, 9.0, 9.5, 5.0]
    y = [3.0, 1.2, 1.0, 5.0, 4.6, 3.0, 3.4, 0.8, 6.0, 0.5, 1.0]
    kind = ["a", "a", "b", "a", "b", "b", "a", "b", "b", "b", "b"]
    return prepare(Dataset.from_columns({"x": x, "y": y, "kind": kind}, "kind"))


ALGORITHM = former(
    key="voronoi_diagram",
    title="Voronoi diagram",
    family="instances",
    task=Task.STRUCTURE,
    source=("MMDS 12.4.2", "MMDS Exercise 12.11"),
    params=Params,
    pseudocode=PSEUDOCODE,
    steps=steps,
    scene=scene,
    predict=None,
    example=example,
    curves=(Curve("edges", "edges", digits=0), Curve("bound", "3 · sites − 6", bound=True, digits=0)),
    events=("cut", "copy"),
    errata=(
        "MMDS 12.4.2 speaks of O(n log n) lines in the diagram. It has O(n) edges, at most 3n − 6; O(n log n) is the time to "
        "find them.",
    ),
    chips=chips,
    needs=Needs(labels=False, numeric=True, max_rows=MOST_ROWS),
    summary="Gives every example the places that are nearer to it than to any other. Each cell begins as the whole plane; the "
    "bisectors to the other examples cut it down, one by one.",
)
