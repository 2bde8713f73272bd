"""Shattering: of all labellings of a few points, those that a hypothesis of a class makes.

ML 7.4.1, 7.4.2.
"""

from collections.abc import Collection
from itertools import combinations
from typing import Annotated, Literal

from engine.authoring import (
    Algorithm,
    At,
    Bool,
    Curve,
    Dataset,
    Empty,
    Float,
    Help,
    Label,
    Needs,
    Prefix,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    cached_property,
    frozen,
    np,
    prepare,
    replace,
    when,
)
from engine.authoring import (
    Setting as Given,
)
from engine.base.sums import add_up
from engine.experiments.parts.left_out import LeftOut, without
from engine.experiments.shattering.hypotheses import (
    AIR,
    NOTHING,
    ON_PLANE,
    Answer,
    Kind,
    beside,
    box,
    disc,
    holds,
    placed,
    plane,
    scaled,
    turned,
    widest_street,
)
from engine.experiments.shattering.triangles import triangle
from engine.numerics.closeness import more

PSEUDOCODE = """
start  round:  list all labellings of n points
take   detail: for each labelling y of 2ⁿ:
seek   detail:   look for h with h(xᵢ) = yᵢ
found:           if there is one: draw it
cross:           else: cross it out
sets   round:  name the smallest set that fails
done   round:  shattered if none is crossed
"""
USUAL = 5  # points, where the table has more
MOST = 8


class Params(Record, eq=True):
    hypotheses: Annotated[
        Literal[
            "auto",
            "lines",
            "boxes",
            "discs",
            "triangles",
            "intervals",
            "half-spaces",
            "conjunctions",
        ],
        Label("Hypotheses H"),
        Help(
            "half-spaces and conjunctions: of all columns; auto: lines where there is a plane, else"
            " conjunctions"
        ),
    ] = "auto"
    points: Annotated[
        int | None,
        Range(1, MOST),
        Label("Points n"),
        Empty("auto"),
        Help("the first rows; empty: all, at most five"),
    ] = None


class State(Record):
    """What the experiment has found; `current` is what a moment looks at.

    answers: of all labellings looked at so far, in their order
    counts: of sets of 1, 2, … points how many are shattered, () before
    fails: the points of the smallest set that is not, () where there is none
    current: number of the labelling looked at, −1 none; x₁ is its highest bit, + is 1
    """

    answers: Prefix[Answer]
    counts: tuple[int, ...] = ()
    fails: tuple[int, ...] = ()
    current: int = -1

    @property
    def looked(self) -> int:
        """The number of labellings examined so far."""
        return len(self.answers)

    @property
    def numbers(self) -> list[int]:
        """The indices of the labellings that a hypothesis makes."""
        return [k for k, answer in enumerate(self.answers) if answer.made]

    @property
    def made(self) -> int:
        """The number of labellings that a hypothesis makes."""
        return len(self.numbers)

    @property
    def answer(self) -> Answer | None:
        """The answer to the current labelling; None before there is one."""
        return self.answers[self.current] if 0 <= self.current < self.looked else None


class Setting(Given[Params]):
    """The kind of hypotheses and the points to shatter."""

    @cached_property
    def kind(self) -> Kind:
        """The kind of hypotheses: as set, else lines for a table with a plane and conjunctions
        without.
        """
        if self.p.hypotheses != "auto":
            return self.p.hypotheses
        return "lines" if self.problem.plane else "conjunctions"

    @cached_property
    def n(self) -> int:
        """How many points there are."""
        return min(self.problem.n, self.p.points or USUAL)

    @cached_property
    def points(self) -> Float:
        """(n, d) on the plane, or with all their columns; for conjunctions of 0 and 1.

        Raises EngineError where the hypotheses have no use of them.
        """
        return placed(self.kind, self.problem, self.n)

    @cached_property
    def left_out(self) -> LeftOut:
        """The rows beyond the first n, and the columns that the hypotheses do not use."""
        problem = self.problem
        used = range(self.problem.d)
        axes = problem.plane[:1] if self.kind == "intervals" else problem.plane
        columns = axes if self.kind in ON_PLANE else used
        return LeftOut(without(problem, columns), problem.n - self.n, problem.n)

    def labels(self, number: int) -> Bool:
        """(n,) True where this labelling has a +."""
        return labels(number, self.n)

    def seek(self, s: State) -> Answer:
        """The answer to the current labelling; where the opposite labelling is answered, the other
        side of the same line.
        """
        opposite = (1 << self.n) - 1 - s.current
        if self.kind in ("lines", "half-spaces") and opposite < s.looked:
            return turned(s.answers[opposite])
        return seek(self.kind, self.points, self.labels(s.current))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    _ = given.points  # raises EngineError for points that the hypotheses have no use of
    s = State(Prefix([], 0))
    yield from at("start", s)
    for number in range(1 << given.n):
        s = replace(s, current=number)
        yield from at("take", s)
        yield None
        yield from at("seek", s)
        answer = given.seek(s)
        s = replace(s, answers=s.answers.plus(answer))
        if answer.made:
            yield from at("found", s, "found")
        else:
            yield from at("cross", s, "crossed")
    counts, fails = shattered(s.numbers, given.n)
    s = replace(s, current=-1, counts=counts, fails=fails)
    yield from at("sets", s)
    yield from at("done", s, *when(shattered=not fails))


def labels(number: int, n: int) -> Bool:
    """(n,) the labelling of this number, True for +: x₁ is its highest bit."""
    return np.array([number >> (n - 1 - i) & 1 for i in range(n)], dtype=bool)


def seek(kind: Kind, points: Float, plus: Bool) -> Answer:
    """A hypothesis of this kind that holds at exactly the points (n, d) where `plus` (n,) is true,
    or why there is none.
    """
    if kind == "conjunctions":
        return conjunction(points, plus)
    if kind in ("boxes", "intervals"):
        return smallest_box(points, plus, kind == "intervals")
    if kind == "triangles":
        return triangle(points, plus, *scaled(points, kind))
    return by_programme(kind, points, plus)


def by_programme(kind: Kind, points: Float, plus: Bool) -> Answer:
    """w, b with yᵢ (w · xᵢ + b) ≥ m at all points for the largest m: a line or half-space where
    m > 0.

    A disc, |x − c| ≤ r, is a half-space of the columns x and x · x, the last with a w ≤ 0.
    """
    middle, half = scaled(points, kind)
    if plus.all() or not plus.any():
        return Answer(True, beside(kind, middle, half, bool(plus.any())))
    x = (points - middle) / half
    y = np.where(plus, 1.0, -1.0)
    bent = kind == "discs"
    columns = np.column_stack([x, (x * x).sum(axis=1)]) if bent else x
    wb, m, share = widest_street(columns, y, bent)
    if not more(m, 0.0, 1.0):
        return Answer(False, NOTHING, share)
    if bent:
        return Answer(True, disc(wb / m, middle, half))
    return Answer(True, plane(wb / m, middle, half))


def smallest_box(points: Float, plus: Bool, upright: bool) -> Answer:
    """The smallest box around all + points: if any box holds exactly these, it does.

    points: (n, d); plus: (n,); upright: an interval of the first column, unbounded along the
    second
    """
    if not plus.any():
        return Answer(True, NOTHING)
    middle, half = scaled(points, "boxes")
    columns = 1 if upright else 2
    x = ((points - middle) / half)[:, :columns]
    low = x[plus].min(axis=0)
    high = x[plus].max(axis=0)
    beyond = np.maximum(low - x, x - high).max(axis=1)  # (n,) how far outside, ≤ 0 within
    inside = np.flatnonzero(~plus & ~more(beyond, 0.0, 1.0))
    if len(inside):
        return Answer(False, box(low, high, middle, half), within=int(inside[0]))
    air = min(AIR, float(beyond[~plus].min(initial=np.inf)) / 2)
    return Answer(True, box(low - air, high + air, middle, half))


def conjunction(X: Float, plus: Bool) -> Answer:
    """The conjunction of all literals that hold at every +: if any conjunction holds at exactly the
    +, it does.

    Without a + it is one that requires a column and its opposite, and never holds. points: (n, d);
    plus: (n,)
    """
    if not plus.any():
        return Answer(True, NOTHING)
    first = X[plus][0]
    same = (X[plus] == first).all(axis=0)
    asked = frozen(np.where(same, first, np.nan))  # (d,) the value tested for, NaN: no literal
    inside = np.flatnonzero(~plus & holds("conjunctions", asked, X))
    if len(inside):
        return Answer(False, asked, within=int(inside[0]))
    return Answer(True, asked)


def shattered(made: Collection[int], n: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """(how many sets of 1, 2, … n points are shattered, the points of the first of the smallest
    that is not, () when all are).

    A set is shattered if all its 2ᵏ labellings are parts of labellings that are made.
    """
    counts = list[int]()
    fails: tuple[int, ...] = ()
    for k in range(1, n + 1):
        good = 0
        for chosen in combinations(range(n), k):
            bits = add_up(1 << (n - 1 - i) for i in chosen)
            parts = {number & bits for number in made}
            if len(parts) == 1 << k:
                good += 1
            elif not fails:
                fails = chosen
        counts.append(good)
    return tuple(counts), fails


def four_points() -> Dataset:
    """Four points whose diagonals cross at (0.20, 0.15). Lab data."""
    x1 = [-1.3, 0.8, 1.7, -0.7]
    x2 = [0.9, 1.15, -0.6, -1.35]
    return Dataset.from_columns({"x1": x1, "x2": x2})


def example() -> Problem:
    """Four points that lines do not shatter."""
    return prepare(four_points())


ALGORITHM = Algorithm.of(
    __name__,
    title="Shattering",
    task=Task.THEORY,
    source=(
        "ML 7.4.1",
        "ML 7.4.2",
        "ML Fig 7.3",
        "ML Fig 7.4",
        "ML Ex 7.5",
        "AIMA Ex 18.20",
        "AIMA Ex 18.25",
    ),
    needs=Needs(labels=False),
    curves=(
        Curve("made", "labellings made", digits=0, about=("made",)),
        Curve("looked", "all so far", bound=True, digits=0, about=("labellings",)),
    ),
    events=("found", "crossed", "shattered"),
)
