"""The k best so far with their distances: what comes in and what stays out, in words and pictures.

AIMA 18.8.1-18.8.3.
"""

from typing import Any, TypeVar

from engine.algorithms.instances.parts import Asked, nearer_choice, spokes
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
from engine.base.notation import telling_digits
from engine.numerics.closeness import tidy
from engine.numerics.distances import norm

P = TypeVar("P")
S = TypeVar("S", bound=Any)  # a State that is a BestSoFar
NAMED = 3  # neighbours whose names stand beside them
_LISTED = 9  # neighbours that a sentence names


class BestSoFar:
    """What a State has that keeps the k best; the page declares the fields."""

    __slots__ = ()
    neighbours: Any  # (≤ k,) rows, nearest first
    distances: Any  # of these from the query
    radius: Any  # distance of the k-th best, ∞ while a place is free

    @property
    def best(self) -> Any:
        """(≤ k,) the rows of the best so far, nearest first: the name that scripts know."""
        return self.neighbours

    @property
    def full(self) -> bool:
        """Whether there are k, so that one has to leave for another."""
        return bool(self.radius < np.inf)

    def as_far(self, distance: float) -> bool:
        """Whether a distance is that of the k-th best, up to rounding."""
        if not self.full:
            return False
        here, kth = tidy(np.array([distance, self.radius])).tolist()
        return bool(here == kth)

    def closer(self, row: int, distance: float) -> bool:
        """Whether d < k-th best, or a place is free; of equal distances the lower row is kept."""
        if self.as_far(distance):
            return bool(row < self.neighbours[-1])
        return bool(not self.full or distance < self.radius)


class Search(Asked[P]):
    """A search for the k examples that are nearest to the query."""

    @property
    def k(self) -> int:
        """How many are wanted: as set, or all examples where there are fewer."""
        return int(min(self.p.k, self.problem.n))

    def distances(self, rows: Int) -> Float:
        """(m,) d = |x − q| of these rows: straight lines, √Σ (xᵢ − qᵢ)²."""
        return norm(list(np.abs(self.problem.X[rows] - self.query).T), 2)

    def overlooked(self, found: Int) -> Int:
        """The rows among the k nearest, as a scan of all examples finds them, that a search did not
        find.
        """
        distances = self.distances(np.arange(self.problem.n))
        nearest = np.argsort(tidy(distances), kind="stable")[: self.k]
        return frozen(np.setdiff1d(nearest, found))


def kept(s: S, k: int) -> S:
    """The state with the example looked at among the best; of more than k the last one leaves.

    Equal distances stand in the order of their rows. The new one stays in any case: where it is as
    near as the last and of a higher row, it was chosen by hand.
    """
    rows = np.append(s.neighbours, s.looked)
    distances = np.append(s.distances, s.distance)
    new = len(rows) - 1
    order = np.lexsort([rows, tidy(distances)])[:k]
    if new not in order:
        order[-1] = new
    kth = float(distances[order[-1]]) if len(order) == k else np.inf
    return replace(
        s, neighbours=frozen(rows[order]), distances=frozen(distances[order]), radius=kth
    )


# -- words -----------------------------------------------------------------------------------------


def look(given: Any, s: Any, hand: bool = False) -> tuple[Note, Choice]:
    """The example looked at stays out. hand: though the rule would have kept it."""
    lead = "{point} is farther: {d} > {kth}. It stays out."
    if s.as_far(s.distance):
        lead = "{point} is as near as {rim}, at {d}. "
        lead += "By hand {rim} stays." if hand else "The lower row number stays."
    return look_note(given, s, lead, "best"), which(given, s, 0)


def keep(
    given: Any, s: Any, before: Any, end: str = " The ball shrinks.", hand: bool = False
) -> Note | tuple[Note, Choice]:
    """The example looked at is kept. before: the state in which it was not yet; hand: though the
    rule would have left it out.
    """
    if not before.full:
        return look_note(given, before, "{point} is kept, at {d}: a place is free.")
    lead = "{point} is nearer: {d} < {kth}." + end
    if before.as_far(before.distance):
        how = "by hand" if hand else "and has the lower row number:"
        lead = f"{{point}} is as near as {{rim}}, at {{d}}, {how} it takes the place."
    return look_note(given, before, lead), which(given, before, 1)


def look_note(given: Any, s: Any, lead: str, rim: str = "") -> Note:
    """A sentence about the example looked at and the k-th best.

    rim: the tag of the k-th best, where it is in the picture.
    """
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
    """The k-th best (0) or the example looked at (1): where this one is kept the other is not in
    the picture any more.
    """
    rim = int(s.neighbours[-1])
    tie = s.as_far(s.distance)
    about = "" if chosen else "best"
    return nearer_choice(given.problem, s, rim, s.radius, chosen, tie, about)


def telling(s: Any, distance: float) -> int:
    """Decimals with which a distance and that of the k-th best are not written alike unless they
    are; four at least.
    """
    if not s.full or s.as_far(distance):
        return 4
    return max(4, telling_digits(distance, s.radius))


def names_of(problem: Problem, rows: Int) -> str:
    """x₁, x₅; of many the first."""
    names = ", ".join(problem.names[i] for i in rows[:_LISTED])
    return names + " …" if len(rows) > _LISTED else names


# -- picture ---------------------------------------------------------------------------------------


def near_lines(problem: Problem, s: Any, kept: bool) -> list[Layer]:
    """From the query to the best so far and to the example measured now; these are ringed and
    named. kept: the example measured now has come into the list.
    """
    best = s.neighbours[s.neighbours != s.looked] if kept else s.neighbours
    looked = np.array([s.looked] if s.looked >= 0 and s.looked not in best else [], np.intp)
    now = Role.NEAREST if kept else Role.CANDIDATE
    few = len(s.neighbours) <= NAMED
    return [
        *near_line(problem, s, best, Role.NEAREST, "best", few),
        *near_line(problem, s, looked, now, "looked", few or not kept),
    ]


def near_line(
    problem: Problem, s: Any, rows: Int, role: Role, tag: str, named: bool
) -> list[Layer]:
    """Lines from the query to these rows, and rings round them."""
    if not len(rows):
        return []
    names = tuple(problem.names[i] for i in rows) if named else ()
    line = spokes(problem, s.query, rows, role, tag)
    tags = problem.tags_of(rows)
    ring = Points(problem.xy[rows], problem.codes[rows], role, label=names, tag=tag, tags=tags)
    return [line, ring]


def missed_lines(problem: Problem, s: Any) -> list[Layer]:
    """Lines to what was not looked up though it is nearer, crossed out."""
    rows = s.missed
    if not len(rows):
        return []
    few = len(rows) <= _LISTED
    names = tuple(f"{problem.names[i]} missed" for i in rows) if few else ()
    line = spokes(problem, s.query, rows, Role.DIFFERENT, "missed")
    cross = Points(
        problem.xy[rows],
        problem.codes[rows],
        Role.REJECTED,
        label=names,
        tag="missed",
        tags=problem.tags_of(rows),
    )
    return [line, cross]
