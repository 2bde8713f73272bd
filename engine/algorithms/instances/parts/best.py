"""The k best so far with their distances: what comes in and what stays out, in words and pictures.

AIMA 18.8.1-18.8.3.
"""

from typing import Any, TypeVar

from engine.algorithms.instances.parts import QuerySetting, nearer_choice, spokes
from engine.authoring import (
    Choice,
    Float,
    Int,
    Layer,
    Mapping,
    Note,
    Operand,
    Points,
    Problem,
    Role,
    Step,
    frozen,
    note,
    np,
    number,
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
    """The fields of a State that keeps the k best; the page declares them."""

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
        """Whether there are k already, so that a new one replaces another."""
        return bool(self.radius < np.inf)

    def as_far(self, distance: float) -> bool:
        """Whether a distance equals that of the k-th best, up to rounding."""
        if not self.full:
            return False
        here, kth = tidy(np.array([distance, self.radius])).tolist()
        return bool(here == kth)

    def closer(self, row: int, distance: float) -> bool:
        """Whether d < k-th best, or a place is free; of equal distances the lower row is kept."""
        if self.as_far(distance):
            return bool(row < self.neighbours[-1])
        return bool(not self.full or distance < self.radius)


class Search(QuerySetting[P]):
    """A search for the k examples nearest to the query."""

    @property
    def k(self) -> int:
        """k, the number of neighbours to find: as set, at most the number of examples."""
        return int(min(self.p.k, self.problem.n))

    def distances(self, rows: Int) -> Float:
        """(m,) d = |x − q| of these rows: straight lines, √Σ (xᵢ − qᵢ)²."""
        return norm(list(np.abs(self.problem.X[rows] - self.query).T), 2)

    def overlooked(self, found: Int) -> Int:
        """(m,) the rows among the true k nearest, by a full scan, that are missing from `found`."""
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
    """The note and choice of an example that is not kept. hand: whether a person chose against the
    rule
    """
    lead = "{point} is farther: {d} > {kth}. It stays out."
    if s.as_far(s.distance):
        lead = "{point} is as near as {rim}, at {d}. "
        lead += "By hand {rim} stays." if hand else "The lower row number stays."
    return look_note(given, s, lead, "best"), which(given, s, 0)


def keep(
    given: Any, s: Any, before: Any, end: str = " The ball shrinks.", hand: bool = False
) -> Note | tuple[Note, Choice]:
    """The note, and choice, of an example that is kept. before: the state without it; hand: whether
    a person chose against the rule
    """
    if not before.full:
        return look_note(given, before, "{point} is kept, at {d}: a place is free.")
    lead = "{point} is nearer: {d} < {kth}." + end
    if before.as_far(before.distance):
        how = "by hand" if hand else "and has the lower row number:"
        lead = f"{{point}} is as near as {{rim}}, at {{d}}, {how} it takes the place."
    return look_note(given, before, lead), which(given, before, 1)


def look_note(given: Any, s: Any, lead: str, rim: str = "") -> Note:
    """A note with this lead about the example looked at and the k-th best. rim: tag of the k-th
    best, where it is drawn
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
    """The choice between the k-th best (0) and the example looked at (1)."""
    rim = int(s.neighbours[-1])
    tie = s.as_far(s.distance)
    about = "" if chosen else "best"
    return nearer_choice(given.problem, s, rim, s.radius, chosen, tie, about)


def telling(s: Any, distance: float) -> int:
    """The decimals, at least 4, at which a distance and the k-th best read differently unless they
    are equal.
    """
    if not s.full or s.as_far(distance):
        return 4
    return max(4, telling_digits(distance, s.radius))


def names_of(problem: Problem, rows: Int) -> str:
    """The names of these rows as text, "x₁, x₅"; of many the first ones and "…"."""
    names = ", ".join(problem.names[i] for i in rows[:_LISTED])
    return names + " …" if len(rows) > _LISTED else names


# -- picture ---------------------------------------------------------------------------------------


def near_lines(problem: Problem, step: Step[Any]) -> list[Layer]:
    """Lines from the query to the best so far and to the example being measured, all ringed, with
    name and distance where they are few.

    In amber is what the step speaks of: the example that is looked at or kept, at the answer the
    best. Where one is kept, that which drops out for it stays with a ring of dots.
    """
    s, none = step.state, np.zeros(0, np.intp)
    before = step.details.get("before") if step.line == "keep" else None
    best, looked, out, rim = s.neighbours, none, none, none
    if s.looked >= 0:
        looked = np.array([s.looked])
        rim = best[-1:]  # with which it is compared
    if before is not None:
        best, out, rim = best[best != s.looked], np.setdiff1d(before.neighbours, best), none
    texts = distances_named(problem, s, before)
    named = texts if len(s.neighbours) <= NAMED else {i: texts[i] for i in rim.tolist()}
    role = Role.NEAREST if step.line == "answer" else Role.NEIGHBOUR
    now = Role.ACTIVE if before is None else Role.NEAREST
    return [
        *near_line(problem, s, out, Role.REJECTED, "former", texts),
        *near_line(problem, s, best, role, "best", named),
        *near_line(problem, s, looked, now, "looked", texts),
    ]


def distances_named(problem: Problem, s: Any, before: Any) -> dict[int, str]:
    """The texts beside the rows of a step, "x₅: 0.71". before: the state without an example that
    is kept, or None
    """
    known = dict(zip(s.neighbours.tolist(), s.distances.tolist(), strict=True))
    if before is not None:
        known |= dict(zip(before.neighbours.tolist(), before.distances.tolist(), strict=True))
    if s.looked >= 0:
        known |= {s.looked: s.distance}
    digits = digits_of(s if before is None else before)
    return {row: f"{problem.names[row]}: {number(d, digits)}" for row, d in known.items()}


def digits_of(s: Any) -> int:
    """The fewest decimals with which the distances of the example looked at and of the k-th best
    read differently unless they are equal.
    """
    if s.looked < 0 or s.as_far(s.distance):
        return 2
    return telling_digits(s.distance, s.radius)


def verdict(problem: Problem, step: Step[Any]) -> str:
    """What becomes of the example looked at, as a heading: "x₅ stays out: 1.27 > 0.50"."""
    s = step.details.get("before", step.state)  # as it was compared
    point, digits = problem.names[s.looked], digits_of(s)
    d, kth = number(s.distance, digits), number(s.radius, digits)
    does = "is kept" if step.line == "keep" else "stays out"
    if not s.full:
        return f"{point} {does}: {d}, a place is free"
    sign = "=" if s.as_far(s.distance) else "<" if s.distance < s.radius else ">"
    return f"{point} {does}: {d} {sign} {kth}"


def result(problem: Problem, s: Any, measured: str = "measured") -> str:
    """What was found and how many were measured for it, as a heading."""
    rows = s.neighbours
    few = len(rows) <= NAMED
    found = f"nearest: {names_of(problem, rows)}" if few else f"{len(rows)} nearest are found"
    return f"The {found}, {s.examined} of {problem.n} {measured}"


def near_line(
    problem: Problem, s: Any, rows: Int, role: Role, tag: str, texts: Mapping[int, str]
) -> list[Layer]:
    """Lines from the query to these rows, with rings around them and their texts; [] for no
    rows.
    """
    if not len(rows):
        return []
    names = tuple(texts.get(i, "") for i in rows.tolist())
    line = spokes(problem, s.query, rows, Role.GHOST if role is Role.REJECTED else role, tag)
    tags = problem.tags_of(rows)
    ring = Points(problem.xy[rows], problem.codes[rows], role, label=names, tag=tag, tags=tags)
    return [line, ring]


def missed_lines(problem: Problem, s: Any) -> list[Layer]:
    """Crossed-out lines to nearer rows that the search did not find."""
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
