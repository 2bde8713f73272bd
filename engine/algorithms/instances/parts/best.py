"""The list of the k best so far: who comes in, who stays out, how both are said and drawn.

AIMA 18.8.1-18.8.3.
"""

from typing import Any

from engine.algorithms.instances.parts import nearer_choice, spokes
from engine.authoring import (
    Choice,
    Float,
    Int,
    Layer,
    Note,
    Operand,
    Points,
    Problem,
    Role,
    frozen,
    note,
    np,
    replace,
)
from engine.core.notation import telling_digits
from engine.numerics.closeness import tidy

NAMED, _LISTED = 3, 9  # neighbours whose names stand beside them, and in a sentence


class Searching:
    """What a state has whose neighbours, distances and radius are the best so far."""

    __slots__ = ()
    neighbours: Any
    radius: Any
    best, full = property(lambda s: s.neighbours), property(lambda s: s.radius < np.inf)

    def level(self, distance: float) -> bool:
        """As far as the k-th best, on paper."""
        return bool(self.full and len(set(tidy(np.array([distance, self.radius])).tolist())) == 1)

    def stays_out(self, row: int, distance: float) -> tuple[bool, bool]:
        """(whether the k best stay as they are beside this example, whether it is a tie): of equals
        the lower row is kept.
        """
        tie = self.level(distance)
        return (
            bool(row > self.neighbours[-1]) if tie else bool(self.full and distance > self.radius)
        ), tie


def kept(s: Any, k: int) -> Any:
    """The example looked at comes into the list; the last one drops out when the list was full,
    also where it is as near and of a lower row.
    """
    rows, found = np.append(s.neighbours, s.looked), np.append(s.distances, s.distance)
    order = np.lexsort([rows, tidy(found)])[:k]
    order[-1] = order[-1] if len(rows) - 1 in order else len(rows) - 1
    radius = float(found[order[-1]]) if len(order) == k else np.inf
    return replace(s, neighbours=frozen(rows[order]), distances=frozen(found[order]), radius=radius)


def overlooked(distances: Float, k: int, found: Int) -> Int:
    """The rows that a scan of all `distances` (n,) finds and a search did not."""
    return frozen(np.setdiff1d(np.argsort(tidy(distances), kind="stable")[:k], found))


# -- words -----------------------------------------------------------------------------------------


def look(given: Any, s: Any, hand: bool = False) -> tuple[Note, Choice]:
    lead = "{point} is farther: {d} > {kth}. It stays out."
    if s.level(s.distance):
        lead = "{point} is as near as {rim}, at {d}. "
        lead += "By hand {rim} stays." if hand else "The lower row number stays."
    return look_note(given, s, lead, "best"), which(given, s, 0)


def keep(
    given: Any, s: Any, before: Any, end: str = " The ball shrinks.", hand: bool = False
) -> Note | tuple[Note, Choice]:
    if not before.full:
        return look_note(given, before, "{point} is kept, at {d}: a place is free.")
    lead = "{point} is nearer: {d} < {kth}." + end
    if before.level(before.distance):
        how = "by hand" if hand else "and has the lower row number:"
        lead = f"{{point}} is as near as {{rim}}, at {{d}}, {how} it takes the place."
    return look_note(given, before, lead), which(given, before, 1)


def look_note(given: Any, s: Any, lead: str, rim: str = "") -> Note:
    """rim: the tag of the k-th best, where it is in the picture."""
    names = given.problem.names
    digits = telling(s, s.distance)
    last = names[s.neighbours[-1]] if len(s.neighbours) else ""
    return note(
        lead,
        point=Operand(names[s.looked], about="looked"),
        d=Operand(s.distance, "d", "looked", digits),
        kth=Operand(s.radius, "k-th", "ball", digits),
        rim=Operand(last, about=rim),
    )


def which(given: Any, s: Any, chosen: int) -> Choice:
    """The last of the best or the example looked at: where this one is kept the other is not in the
    picture any more.
    """
    rim = int(s.neighbours[-1])
    tie = s.level(s.distance)
    about = "" if chosen else "best"
    return nearer_choice(given.problem, s, rim, s.radius, chosen, tie, about)


def telling(s: Any, distance: float) -> int:
    """Decimals with which a distance and that of the k-th best are not written alike unless they
    are; four at least.
    """
    return 4 if not s.full or s.level(distance) else max(4, telling_digits(distance, s.radius))


def names_of(problem: Problem, rows: Int) -> str:
    """x₁, x₅; of many the first."""
    return ", ".join(problem.names[i] for i in rows[:_LISTED]) + (
        " …" if len(rows) > _LISTED else ""
    )


# -- picture ---------------------------------------------------------------------------------------


def near_lines(problem: Problem, s: Any, kept: bool) -> list[Layer]:
    """From the query to the best so far and to the example measured now; these are ringed and
    named. kept: the example measured now has come into the list.
    """
    best = s.neighbours[s.neighbours != s.looked] if kept else s.neighbours
    looked = np.array([s.looked] if s.looked >= 0 and s.looked not in best else [], np.intp)
    few = len(s.neighbours) <= NAMED
    now = Role.NEAREST if kept else Role.CANDIDATE
    layers: list[Layer] = []
    for rows, role, tag in ((best, Role.NEAREST, "best"), (looked, now, "looked")):
        if len(rows):
            names = tuple(problem.names[i] for i in rows) if few or role is Role.CANDIDATE else ()
            line = spokes(problem, s.query, rows, role, tag)
            tags = problem.tags_of(rows)
            layers += [
                line,
                Points(
                    problem.xy[rows], problem.codes[rows], role, label=names, tag=tag, tags=tags
                ),
            ]
    return layers


def missed_lines(problem: Problem, s: Any) -> list[Layer]:
    """To what was not looked up though it is nearer."""
    if not len(s.missed):
        return []
    names = (
        tuple(f"{problem.names[i]} missed" for i in s.missed) if len(s.missed) <= _LISTED else ()
    )
    line = spokes(problem, s.query, s.missed, Role.DIFFERENT, "missed")
    tags = problem.tags_of(s.missed)
    points = problem.xy[s.missed], problem.codes[s.missed]
    return [line, Points(*points, Role.REJECTED, label=names, tag="missed", tags=tags)]
