"""What the cutting of Voronoi cells says."""

from typing import Any

from engine.algorithms.instances.voronoi_diagram import Setting, State
from engine.algorithms.instances.voronoi_diagram.picture import HERE
from engine.authoring import Fact, Formula, Note, Operand, note

SUMMARY = (
    "Gives every example the places that are nearer to it than to any other. Each cell begins as"
    " the whole plane; the bisectors to the other examples cut it down, one by one."
)
ERRATA = (
    (
        "MMDS 12.4.2 speaks of O(n log n) lines in the diagram. It has O(n) edges, at most 3n − 6;"
        " O(n log n) is the time to find them."
    ),
)
KEEP = Formula("keep x with", "(x − {m}) · {w} ≤ 0")
MIDDLE = Fact("middle", "{m}")
HALF_WAY = Formula("bisector at", "|p − q| / 2", "{half}")


def chips(p: Any) -> tuple[str, ...]:
    return ("Euclidean", "shown columns only")


def site(given: Setting, row: int, tag: str = "site") -> Operand:
    """The name of a site as an operand."""
    return Operand(given.problem.names[row], about=tag)


def pair(given: Setting, s: State) -> dict[str, Operand]:
    """The operands of both sites, their midpoint and the vector between them."""
    assert s.cell is not None
    a, b = given.problem.xy[s.cell.site], given.problem.xy[s.other]
    return {
        "p": site(given, s.cell.site),
        "q": site(given, s.other, "other"),
        "m": Operand(tuple((a / 2 + b / 2).tolist()), "m", "cut"),
        "w": Operand(tuple((b - a).tolist()), "(q − p)", "pair"),
    }


def start(given: Setting, s: State) -> Note:
    lead = (
        "{n} {n:site|sites}. The cell of each is every place that is nearer to it than to all"
        " others."
    )
    return note(lead, n=len(given.diagram.sites))


def copy(given: Setting, s: State, row: int) -> Note:
    lead = (
        "{p} lies on {first}: no place is nearer to it. The cell belongs to the lower row number."
    )
    return note(lead, p=site(given, row, HERE), first=site(given, s.other, HERE))


def box(given: Setting, s: State) -> Note:
    assert s.cell is not None
    return note("The cell of {p} begins as the whole plane.", p=site(given, s.cell.site))


def bisector(given: Setting, s: State) -> Note:
    lead = "The bisector of {p} and {q} passes by: nothing of the cell is nearer to {q}."
    return note(lead, KEEP, **pair(given, s))


def stop(given: Setting, s: State, distance: float, reach: float) -> Note:
    lead = (
        "{q} is {d} away, more than twice as far as the farthest corner, {reach}. No site from here"
        " on can cut."
    )
    unit = given.diagram.half
    return note(
        lead,
        HALF_WAY,
        half=Operand(distance / 2 * unit, about="cut"),
        d=Operand(distance * unit, "|p − q|", "pair"),
        reach=Operand(reach * unit, about="current"),
        **pair(given, s),
    )


def cut(given: Setting, s: State) -> Note:
    assert s.cell is not None
    corners = Operand(s.cell.corners, about="current")
    lead = (
        "The bisector of {p} and {q} cuts: what is nearer to {q} goes. {corners} {corners:corner"
        " is|corners are} left."
    )
    return note(lead, KEEP, MIDDLE, corners=corners, **pair(given, s))


def cell(given: Setting, s: State) -> Note:
    assert s.cell is not None
    outwards = ", and it has no end outwards." if s.cell.endless else "."
    lead = "The cell of {p} is done: {walls} {walls:neighbour|neighbours}" + outwards
    return note(lead, p=site(given, s.cell.site), walls=Operand(len(s.cell.walls), about="current"))


def done(given: Setting, s: State) -> Note:
    lead = "{cells} {cells:cell|cells}, {edges} {edges:edge|edges}."
    if given.problem.classes:
        lead += (
            " Dashed edges part sites of one class, solid ones are the boundary of nearest"
            " neighbour."
        )
    return note(lead, cells=len(s.cells), edges=Operand(s.edges, about="cells"))
